// A module as PTX text. Scopes are gone by now: every name of a function is made unique in it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

#include "ptx/build.h"
#include "ptx/parser.h"
#include "ptx/special_register.h"
#include "ptx/walk.h"

namespace ptxequiv::ptx {
namespace {

std::string_view linkage_word(Linkage linkage) {
  switch (linkage) {
    case Linkage::kExtern:
      return ".extern ";
    case Linkage::kVisible:
      return ".visible ";
    case Linkage::kWeak:
      return ".weak ";
    case Linkage::kCommon:
      return ".common ";
    default:
      return "";
  }
}

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module), names_(module.symbols.size()) {}

  std::string print() {
    header();
    for (const Function& function : module_.functions) taken_in_module_.insert(function.name);
    for (SymbolId id : module_.variables) taken_in_module_.insert(module_.symbol(id).name);
    for (const auto& [symbol, attribute] : module_.attributes) attributes_[symbol] = attribute;
    for (const Function& function : module_.functions) names_[function.symbol] = function.name;
    for (SymbolId id : module_.variables) names_[id] = module_.symbol(id).name;
    // Declarations first: a call or an initialiser may name what is defined later.
    for (const Function& function : module_.functions)
      if (!function.is_entry || function.is_declaration) signature(function, true);
    for (const auto& [alias, target] : module_.aliases)
      put(".alias {}, {};\n", name(alias), name(target));
    for (SymbolId id : module_.variables) variable(id, "");
    for (const Function& function : module_.functions)
      if (!function.is_declaration) definition(function);
    for (const std::string& section : module_.debug_sections) put("{}\n", section);
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  const std::string& name(SymbolId id) const { return names_[id]; }

  void header() {
    put(".version {}.{}\n", module_.version_major, module_.version_minor);
    if (!module_.target.empty()) {
      put(".target {}", module_.target);
      for (const std::string& option : module_.target_options) put(", {}", option);
      text_ += '\n';
    }
    put(".address_size {}\n", module_.address_size);
    for (const SourceFile& file : module_.files) put(".file {} \"{}\"\n", file.index, file.path);
    for (const std::string& pragma : module_.pragmas) put(".pragma {};\n", pragma);
    text_ += '\n';
  }

  void type(const Symbol& symbol) {
    if (symbol.vector > 1) put(" .v{}", symbol.vector);
    if (symbol.type != op::Type::kNone)
      put(" .{}", op::name(symbol.type));
    else
      put(" .{}", opaque_name(symbol.opaque));
  }

  void attribute(SymbolId id) {
    auto place = attributes_.find(id);
    if (place != attributes_.end()) put(" .attribute({})", place->second);
  }

  void extent(const Symbol& symbol) {
    if (!symbol.is_array) return;
    if (symbol.is_unsized)
      text_ += "[]";
    else
      put("[{}]", symbol.elements);
  }

  void variable(SymbolId id, std::string_view indent) {
    const Symbol& symbol = module_.symbol(id);
    put("{}{}.{}", indent, linkage_word(symbol.linkage), space_name(symbol.space));
    attribute(id);
    if (symbol.align != 0) put(" .align {}", symbol.align);
    type(symbol);
    put(" {}", name(id));
    extent(symbol);
    if (symbol.init) initializer(symbol);
    text_ += ";\n";
  }

  void initializer(const Symbol& symbol) {
    const Initializer& init = *symbol.init;
    size_t width = (op::bits(symbol.type) + 7) / 8;
    bool is_braced = symbol.is_array || symbol.vector > 1;
    text_ += is_braced ? " = {" : " = ";
    size_t next_address = 0;
    size_t count = width == 0 ? 0 : init.bytes.size() / width;
    bool is_vector_list = symbol.is_array && symbol.vector > 1;
    for (size_t i = 0; i < count; ++i) {
      if (i != 0) text_ += ", ";
      if (is_vector_list && i % symbol.vector == 0) text_ += '{';
      if (next_address < init.addresses.size() &&
          init.addresses[next_address].byte_offset == i * width)
        address(init.addresses[next_address++]);
      else
        element(symbol.type, &init.bytes[i * width], width);
      if (is_vector_list && i % symbol.vector == symbol.vector - 1) text_ += '}';
    }
    if (is_braced) text_ += '}';
  }

  void address(const Initializer::AddressOf& address) {
    std::string text = name(address.symbol);
    if (address.generic) text = "generic(" + text + ")";
    if (address.addend != 0) text += fmt::format("+{}", address.addend);
    if (address.mask != ~uint64_t{0})
      put("0x{:X}({})", address.mask, text);
    else
      text_ += text;
  }

  void element(op::Type type, const uint8_t* bytes, size_t width) {
    uint64_t bits = 0;
    for (size_t i = 0; i < std::min<size_t>(width, 8); ++i) bits |= uint64_t{bytes[i]} << (8 * i);
    if (type == op::Type::kF32)
      put("0f{:08X}", bits);
    else if (type == op::Type::kF64)
      put("0d{:016X}", bits);
    else
      put("{}", static_cast<int64_t>(bits));
  }

  void parameter(SymbolId id) {
    const Symbol& symbol = module_.symbol(id);
    put(".{}", space_name(symbol.space));
    if (symbol.align != 0) put(" .align {}", symbol.align);
    type(symbol);
    if (symbol.is_pointer) {
      text_ += " .ptr";
      if (symbol.pointer_space != Space::kGeneric) put(" .{}", space_name(symbol.pointer_space));
      if (symbol.pointer_align != 0) put(" .align {}", symbol.pointer_align);
    }
    put(" {}", name(id));
    extent(symbol);
  }

  void parameter_list(const std::vector<SymbolId>& ids) {
    text_ += '(';
    for (size_t i = 0; i < ids.size(); ++i) {
      text_ += i == 0 ? "\n\t" : ",\n\t";
      parameter(ids[i]);
    }
    text_ += ')';
  }

  void signature(const Function& function, bool ends_here) {
    Taken taken;
    for (const auto* ids : {&function.returns, &function.parameters})
      for (SymbolId id : *ids) choose_name(id, taken);
    put("{}{}", linkage_word(function.linkage), function.is_entry ? ".entry" : ".func");
    attribute(function.symbol);
    text_ += ' ';
    if (!function.returns.empty()) {
      parameter_list(function.returns);
      text_ += ' ';
    }
    text_ += function.name;
    parameter_list(function.parameters);
    for (const auto& [directive, numbers] : function.directives) {
      put("\n.{}", directive);
      for (size_t i = 0; i < numbers.size(); ++i) put("{} {}", i == 0 ? "" : ",", numbers[i]);
    }
    for (const Pragma& pragma : function.pragmas)
      if (pragma.before == Pragma::kInHead) put("\n.pragma {};", pragma.text);
    text_ += ends_here ? ";\n" : "\n";
  }

  // Of one function; those of the module apply everywhere.
  struct Taken {
    std::set<std::string> names;
    std::map<std::string, unsigned> suffixes;  // the last given to a name that many symbols have
  };

  void choose_name(SymbolId id, Taken& taken) {
    const std::string base = module_.symbol(id).name.empty() ? "_" : module_.symbol(id).name;
    std::string result = base;
    auto take = [&] {
      return !taken_in_module_.contains(result) && taken.names.insert(result).second;
    };
    bool is_taken = base == "_" || (special_register(base) == SpecialShape::kNone && take());
    while (!is_taken) {
      result = fmt::format("{}__{}", base, ++taken.suffixes[base]);
      is_taken = take();
    }
    names_[id] = std::move(result);
  }

  void definition(const Function& function) {
    text_ += '\n';
    signature(function, false);
    Taken taken;
    for (const auto* ids : {&function.returns, &function.parameters})
      for (SymbolId id : *ids) taken.names.insert(name(id));
    std::vector<SymbolId> used = own_symbols(module_, function);
    for (SymbolId id : used) choose_name(id, taken);
    text_ += "{\n";
    registers(used);
    for (SymbolId id : function.locals) variable(id, "\t");
    DebugLoc debug;
    std::set<std::string> places;
    auto inlined = function.inlined.begin();
    auto pragma = function.pragmas.begin();
    auto next_table = function.tables.begin();
    auto print_before = [&](size_t place) {
      for (; next_table != function.tables.end() && next_table->first <= place; ++next_table)
        table(next_table->second);
      for (; pragma != function.pragmas.end(); ++pragma) {
        if (pragma->before == Pragma::kInHead) continue;
        if (pragma->before > place) return;
        put("\t.pragma {};\n", pragma->text);
      }
    };
    for (size_t i = 0; i < function.body.size(); ++i) {
      const Statement& statement = function.body[i];
      print_before(i);
      if (const auto* label = std::get_if<LabelMark>(&statement)) {
        put("{}:\n", name(label->symbol));
        continue;
      }
      const auto& instruction = std::get<Instruction>(statement);
      auto last = inlined;
      while (last != function.inlined.end() && last->first <= i) ++last;
      bool is_inlined = last != inlined && instruction.debug != DebugLoc{};
      if (instruction.debug != debug || is_inlined) {
        debug = instruction.debug;
        location(debug, is_inlined ? std::string_view(std::prev(last)->second) : "", places);
      }
      inlined = last;
      print_instruction(instruction);
    }
    print_before(function.body.size());
    text_ += "}\n";
  }

  // Where code was inlined must have been the place of a .loc before (11.5.3); `places` keeps them.
  void location(const DebugLoc& debug, std::string_view inlined, std::set<std::string>& places) {
    constexpr std::string_view kMark = "inlined_at ";
    if (size_t mark = inlined.rfind(kMark); mark != inlined.npos) {
      std::string caller(inlined.substr(mark + kMark.size()));
      if (places.insert(caller).second) put("\t.loc {}\n", caller);
    }
    std::string own = fmt::format("{} {} {}", debug.file, debug.line, debug.column);
    put("\t.loc {}{}{}\n", own, inlined.empty() ? "" : ", ", inlined);
    places.insert(std::move(own));
  }

  void registers(const std::vector<SymbolId>& used) {
    std::map<std::tuple<uint32_t, uint32_t, op::Type>, std::vector<SymbolId>> groups;
    for (SymbolId id : used) {
      const Symbol& symbol = module_.symbol(id);
      if (symbol.kind == SymbolKind::kRegister)
        groups[{symbol.align, symbol.vector, symbol.type}].push_back(id);
    }
    constexpr size_t kPerLine = 12;
    for (const auto& [key, ids] : groups) {
      for (size_t i = 0; i < ids.size(); ++i) {
        if (i % kPerLine == 0) {
          text_ += "\t.reg";
          const Symbol& symbol = module_.symbol(ids[i]);
          if (symbol.align != 0) put(" .align {}", symbol.align);
          type(symbol);
        }
        put("{}{}", i % kPerLine == 0 ? " " : ", ", name(ids[i]));
        if (i % kPerLine == kPerLine - 1 || i + 1 == ids.size()) text_ += ";\n";
      }
    }
  }

  void table(SymbolId id) {
    const Symbol& symbol = module_.symbol(id);
    if (!symbol.prototype.empty()) {
      put("\t{}: {};\n", name(id), symbol.prototype);
      return;
    }
    bool is_branch =
        symbol.targets.empty() || module_.symbol(symbol.targets[0]).kind == SymbolKind::kLabel;
    put("\t{}: {} ", name(id), is_branch ? ".branchtargets" : ".calltargets");
    for (size_t i = 0; i < symbol.targets.size(); ++i)
      put("{}{}", i == 0 ? "" : ", ", name(symbol.targets[i]));
    text_ += ";\n";
  }

  void print_instruction(const Instruction& instruction) {
    text_ += '\t';
    if (instruction.guard)
      put("@{}{} ", instruction.guard->negated ? "!" : "", name(instruction.guard->predicate));
    text_ += instruction.full_name();
    list(instruction.operands, instruction.operands.empty() ? "" : " ", "");
    text_ += ";\n";
  }

  void list(const std::vector<Operand>& operands, std::string_view open, std::string_view close,
            std::string_view separator = ", ") {
    text_ += open;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (i != 0) text_ += separator;
      std::visit(*this, operands[i].value);
    }
    text_ += close;
  }

 public:
  // One operand.
  void operator()(const RegisterRef& ref) { put("{}{}", ref.negated ? "!" : "", name(ref.symbol)); }
  void operator()(const RegisterElement& ref) {
    put("{}.", name(ref.symbol));
    if (ref.index >= RegisterElement::kHalfSelector)
      put("h{}", ref.index % 16);
    else if (ref.index >= RegisterElement::kByteSelector)
      put("b{}", ref.index % 16);
    else
      text_ += "xyzw"[ref.index];
  }
  void operator()(const SpecialRegister& special) { text_ += special.name; }
  void operator()(const LabelRef& ref) { text_ += name(ref.symbol); }
  void operator()(const Sink&) { text_ += '_'; }
  void operator()(const Vector& vector) { list(vector.elements, "{", "}"); }
  void operator()(const Pair& pair) { list(pair.elements, "", "", "|"); }
  void operator()(const ArgumentList& arguments) { list(arguments.elements, "(", ")"); }
  void operator()(const SymbolRef& ref) {
    text_ += name(ref.symbol);
    if (ref.addend != 0) put("+{}", ref.addend);
  }
  void operator()(const Immediate& value) {
    switch (value.form) {
      case Immediate::Form::kF32Bits:
        put("0f{:08X}", value.bits);
        return;
      case Immediate::Form::kF64Bits:
        put("0d{:016X}", value.bits);
        return;
      case Immediate::Form::kInteger:
        put("{}", static_cast<int64_t>(value.bits));
        return;
      case Immediate::Form::kDecimalFloat:
        break;
    }
    char buffer[40];
    auto [end, error] =
        std::to_chars(buffer, buffer + sizeof buffer, std::bit_cast<double>(value.bits));
    std::string text(buffer, end);
    if (text.find_first_of(".e") == text.npos) text += ".0";
    text_ += text;
  }
  void operator()(const Address& address) {
    text_ += '[';
    if (address.base == Address::Base::kAbsolute) {
      put("{}", address.offset);
    } else {
      text_ += name(address.symbol);
      if (address.offset != 0 || address.has_offset) put("+{}", address.offset);
    }
    list(address.extra, address.extra.empty() ? "" : ", ", "]");
    if (address.unified) text_ += ".unified";
  }

 private:
  const Module& module_;
  std::vector<std::string> names_;  // by SymbolId, of the function being printed
  std::set<std::string> taken_in_module_;
  std::unordered_map<SymbolId, std::string> attributes_;
  std::string text_;
};

}  // namespace

std::string print(const Module& module) {
  return Printer(module).print();
}

}  // namespace ptxequiv::ptx
