#include "ptx/walk.h"

namespace ptxequiv::ptx {
namespace {

class Collector {
 public:
  Collector(const Module& module, const Function& function)
      : module_(module), seen_(module.symbols.size(), false) {
    for (const auto* ids : {&function.returns, &function.parameters, &module.variables})
      for (SymbolId id : *ids) seen_[id] = true;
  }

  void add(SymbolId id) {
    if (id == kNoSymbol || seen_[id]) return;
    seen_[id] = true;
    const Symbol& symbol = module_.symbol(id);
    if (symbol.kind == SymbolKind::kFunction) return;
    result_.push_back(id);
    for (SymbolId target : symbol.targets) add(target);  // labels and functions: one level
  }
  void add(const std::vector<Operand>& operands) {
    for (const Operand& operand : operands) std::visit(*this, operand.value);
  }
  void operator()(const RegisterRef& ref) { add(ref.symbol); }
  void operator()(const RegisterElement& ref) { add(ref.symbol); }
  void operator()(const SymbolRef& ref) { add(ref.symbol); }
  void operator()(const LabelRef& ref) { add(ref.symbol); }
  void operator()(const Vector& vector) { add(vector.elements); }
  void operator()(const Pair& pair) { add(pair.elements); }
  void operator()(const ArgumentList& list) { add(list.elements); }
  void operator()(const Address& address) {
    if (address.base != Address::Base::kAbsolute) add(address.symbol);
    add(address.extra);
  }
  void operator()(const Immediate&) {}
  void operator()(const SpecialRegister&) {}
  void operator()(const Sink&) {}

  std::vector<SymbolId> take() { return std::move(result_); }

 private:
  const Module& module_;
  std::vector<bool> seen_;
  std::vector<SymbolId> result_;
};

}  // namespace

std::vector<SymbolId> own_symbols(const Module& module, const Function& function) {
  Collector collector(module, function);
  for (SymbolId id : function.locals) collector.add(id);
  for (const auto& [before, id] : function.tables) collector.add(id);
  for (const Statement& statement : function.body) {
    if (const auto* label = std::get_if<LabelMark>(&statement)) {
      collector.add(label->symbol);
      continue;
    }
    const auto& instruction = std::get<Instruction>(statement);
    if (instruction.guard) collector.add(instruction.guard->predicate);
    collector.add(instruction.operands);
  }
  return collector.take();
}

}  // namespace ptxequiv::ptx
