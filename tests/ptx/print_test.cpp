#include <map>

#include "helpers.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;

namespace {

// Whether two modules say the same, up to places, names of what a function declares, and symbols
// that nothing mentions. Keeps a one-to-one map of their symbols.
class Comparison {
 public:
  Comparison(const Module& a, const Module& b) : a_(a), b_(b) {}

  void run() {
    CHECK(a_.version_major == b_.version_major);
    CHECK(a_.version_minor == b_.version_minor);
    CHECK(a_.target == b_.target);
    CHECK(a_.target_options == b_.target_options);
    CHECK(a_.address_size == b_.address_size);
    REQUIRE(a_.files.size() == b_.files.size());
    for (size_t i = 0; i < a_.files.size(); ++i) CHECK(a_.files[i].path == b_.files[i].path);
    same(a_.variables, b_.variables, true);
    REQUIRE(a_.functions.size() == b_.functions.size());
    for (size_t i = 0; i < a_.functions.size(); ++i) function(a_.functions[i], b_.functions[i]);
    CHECK(a_.aliases.size() == b_.aliases.size());
  }

 private:
  void function(const Function& x, const Function& y) {
    CAPTURE(x.name);
    CHECK(x.name == y.name);
    CHECK(x.is_entry == y.is_entry);
    CHECK(x.is_declaration == y.is_declaration);
    CHECK(x.linkage == y.linkage);
    CHECK(x.directives == y.directives);
    same(x.returns, y.returns, false);
    same(x.parameters, y.parameters, false);
    same(x.locals, y.locals, false);
    REQUIRE(x.body.size() == y.body.size());
    for (size_t i = 0; i < x.body.size(); ++i) {
      REQUIRE(x.body[i].index() == y.body[i].index());
      if (const auto* label = std::get_if<LabelMark>(&x.body[i])) {
        symbol(label->symbol, std::get<LabelMark>(y.body[i]).symbol, false);
        continue;
      }
      const auto& p = std::get<Instruction>(x.body[i]);
      const auto& q = std::get<Instruction>(y.body[i]);
      if (p.full_name() != q.full_name() || p.guard.has_value() != q.guard.has_value())
        FAIL(p.full_name() << " became " << q.full_name());
      if (p.guard) {
        symbol(p.guard->predicate, q.guard->predicate, false);
        REQUIRE(p.guard->negated == q.guard->negated);
      }
      REQUIRE(p.debug == q.debug);
      same(p.operands, q.operands);
    }
  }

  void same(const std::vector<SymbolId>& x, const std::vector<SymbolId>& y, bool with_names) {
    REQUIRE(x.size() == y.size());
    for (size_t i = 0; i < x.size(); ++i) symbol(x[i], y[i], with_names);
  }

  void symbol(SymbolId x, SymbolId y, bool with_names) {
    auto [place, is_new] = map_.try_emplace(x, y);
    REQUIRE(place->second == y);
    auto [back, is_new_back] = back_.try_emplace(y, x);
    REQUIRE(back->second == x);
    if (!is_new) return;
    const Symbol &p = a_.symbol(x), &q = b_.symbol(y);
    CAPTURE(p.name, q.name);
    if (with_names) CHECK(p.name == q.name);
    REQUIRE(p.kind == q.kind);
    REQUIRE(p.space == q.space);
    REQUIRE(p.type == q.type);
    REQUIRE(p.vector == q.vector);
    REQUIRE(p.elements == q.elements);
    REQUIRE(p.is_array == q.is_array);
    REQUIRE(p.is_unsized == q.is_unsized);
    REQUIRE(p.linkage == q.linkage);
    REQUIRE(p.align == q.align);
    REQUIRE(p.is_pointer == q.is_pointer);
    REQUIRE(p.pointer_space == q.pointer_space);
    REQUIRE(p.pointer_align == q.pointer_align);
    REQUIRE(p.prototype == q.prototype);
    REQUIRE(p.init.has_value() == q.init.has_value());
    if (p.init) {
      REQUIRE(p.init->bytes == q.init->bytes);
      REQUIRE(p.init->addresses.size() == q.init->addresses.size());
      for (size_t i = 0; i < p.init->addresses.size(); ++i) {
        const auto &m = p.init->addresses[i], &n = q.init->addresses[i];
        REQUIRE(std::tie(m.byte_offset, m.addend, m.generic, m.mask) ==
                std::tie(n.byte_offset, n.addend, n.generic, n.mask));
        symbol(m.symbol, n.symbol, true);
      }
    }
    same(p.targets, q.targets, false);
  }

  void same(const std::vector<Operand>& x, const std::vector<Operand>& y) {
    REQUIRE(x.size() == y.size());
    for (size_t i = 0; i < x.size(); ++i) {
      REQUIRE(x[i].value.index() == y[i].value.index());
      std::visit(
          [&](const auto& p) { operand(p, std::get<std::decay_t<decltype(p)>>(y[i].value)); },
          x[i].value);
    }
  }
  void operand(const RegisterRef& p, const RegisterRef& q) {
    symbol(p.symbol, q.symbol, false);
    REQUIRE(p.negated == q.negated);
  }
  void operand(const RegisterElement& p, const RegisterElement& q) {
    symbol(p.symbol, q.symbol, false);
    REQUIRE(p.index == q.index);
  }
  void operand(const Immediate& p, const Immediate& q) {
    REQUIRE(p.form == q.form);
    REQUIRE(p.bits == q.bits);
  }
  void operand(const SpecialRegister& p, const SpecialRegister& q) { REQUIRE(p.name == q.name); }
  void operand(const SymbolRef& p, const SymbolRef& q) {
    symbol(p.symbol, q.symbol, false);
    REQUIRE(p.addend == q.addend);
  }
  void operand(const LabelRef& p, const LabelRef& q) { symbol(p.symbol, q.symbol, false); }
  void operand(const Sink&, const Sink&) {}
  void operand(const Vector& p, const Vector& q) { same(p.elements, q.elements); }
  void operand(const Pair& p, const Pair& q) { same(p.elements, q.elements); }
  void operand(const ArgumentList& p, const ArgumentList& q) { same(p.elements, q.elements); }
  void operand(const Address& p, const Address& q) {
    REQUIRE(p.base == q.base);
    if (p.base != Address::Base::kAbsolute) symbol(p.symbol, q.symbol, false);
    REQUIRE(p.offset == q.offset);
    REQUIRE(p.unified == q.unified);
    same(p.extra, q.extra);
  }

  const Module& a_;
  const Module& b_;
  std::map<SymbolId, SymbolId> map_, back_;
};

void check_round_trip(const std::string& text) {
  Module first = parsed(text);
  std::string printed = print(first);
  CAPTURE(printed);
  Module second = parsed(printed);
  Comparison(first, second).run();
  CHECK(print(second) == printed);
}

}  // namespace

TEST_CASE("what is printed parses to the same module") {
  for (const auto& file : data_files()) {
    INFO(file.string());
    check_round_trip(read(file));
  }
}

TEST_CASE("names that were apart by scope stay apart") {
  check_round_trip(
      kernel("{ .reg .f32 %r1; mov.f32 %r1, 0f00000000; }\nmov.b32 %r1, 0;\n"
             "{ A: bra A; } { A: bra A; }\n{ .shared .b32 sh[4]; st.shared.b32 [sh], %r1; }"
             ".reg .b32 g; mov.b32 g, %tid.x;",
             ".global .b32 g;\n"));
  // A register that hides a special register must not hide it from the rest of the function.
  check_round_trip(kernel("mov.u32 %r1, %laneid; { .reg .b32 %laneid; mov.u32 %laneid, %r1; }"));
}

TEST_CASE("an instruction's text") {
  std::string printed = print(parsed(
      kernel("@!%p1 ld.global.v2.b32 {%r1, %r2}, [%rd1+-8];\nsetp.lt.f32 %p1|_, %f1, 0f3F800000;\n"
             "mov.f32 %f1, -1.5; mov.f32 %f1, 2.0; mov.u32 %r1, 0xFFFFFFFF; mov.u32 %r1, sh[2];")));
  for (const char* line :
       {"\t@!%p1 ld.global.v2.b32 {%r1, %r2}, [%rd1+-8];\n",
        "\tsetp.lt.f32 %p1|_, %f1, 0f3F800000;\n", "\tmov.f32 %f1, -1.5;\n",
        "\tmov.f32 %f1, 2.0;\n", "\tmov.u32 %r1, 4294967295;\n", "\tmov.u32 %r1, sh+8;\n"}) {
    CAPTURE(line);
    CHECK(printed.find(line) != std::string::npos);
  }
}

TEST_CASE("hints to the assembler, attributes and what debuggers read are printed again") {
  std::string text =
      std::string(kHeader) +
      ".pragma \"a\", \"b\";\n.global .attribute(.managed) .b32 g;\n"
      ".global .surfref s;\n"
      ".func .attribute(.unified(1, 2)) f() { ret; }\n"
      ".entry k(.param .u64 p) .pragma \"head\";\n{\n.reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
      ".loc 1 2 3\n.loc 1 4 5, function_name $L, inlined_at 1 6 7\n"
      "ld.b32 %r1, [%rd1+0];\n.pragma \"nounroll\";\nld.b32 %r1, [%rd1];\n"
      "T: .branchtargets A;\nA:\nret;\n.pragma \"last\";\n}\n"
      ".section .debug_str { $L: .b8 0 }\n";
  std::string printed = print(parsed(text));
  size_t at = 0;
  for (const char* part :
       {".pragma \"a\" , \"b\";\n", ".func .attribute(.unified ( 1 , 2 )) f",
        ".global .attribute(.managed) .b32 g;", ".global .surfref s;", ".pragma \"head\";",
        "\t.loc 1 6 7\n\t.loc 1 4 5, function_name $L , inlined_at 1 6 7\n\tld.b32 %r1, [%rd1+0];\n"
        "\t.pragma \"nounroll\";\n\tld.b32 %r1, [%rd1];\n\tT: .branchtargets A;\nA:\n\tret;\n"
        "\t.pragma \"last\";\n}",
        ".section .debug_str { $L: .b8 0 }"}) {
    CAPTURE(part, printed);
    at = printed.find(part, at);
    REQUIRE(at != printed.npos);
  }
  CHECK(print(parsed(printed)) == printed);
}
