#include "library/library.h"

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "library/functions.h"
#include "op/evaluate.h"

namespace ptxequiv::library {
namespace {

// Nodes come children first; operands are numbers of earlier nodes of the template.
term::TermId build(std::span<const uint32_t> words, term::Arena& arena) {
  std::vector<term::TermId> made;
  made.reserve(words.size() / 4);
  for (size_t i = 0; i < words.size(); i += 4) {
    term::Node node{std::bit_cast<op::Op>(words[i]), words[i + 1], words[i + 2], words[i + 3]};
    const std::span operands(&node.a, op::arity(node.op.kind));
    for (uint32_t& operand : operands) operand = made.at(operand);
    made.push_back(arena.build(node));
  }
  return made.back();
}

}  // namespace

std::shared_ptr<const real::Library> make_library() {
  auto library = std::make_shared<real::Library>();
  for (const Compiled& entry : compiled()) {
    real::Template made = describe(entry.name, entry.flavour);
    auto arena = std::make_shared<term::Arena>();
    made.root =
        build(compiled_words().subspan(size_t{4} * entry.first, size_t{4} * entry.count), *arena);
    made.arena = std::move(arena);
    library->add(std::move(made));
  }
  return library;
}

}  // namespace ptxequiv::library
