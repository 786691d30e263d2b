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
    const auto op = std::bit_cast<op::Op>(words[i]);
    const uint32_t a = words[i + 1], b = words[i + 2], c = words[i + 3];
    const unsigned arity = op::arity(op.kind);
    const auto operand = [&](unsigned n, uint32_t number) {
      return n < arity ? made.at(number) : term::kNoTerm;
    };
    switch (op.kind) {
      case op::Kind::kConst:
        made.push_back(arena.constant(op::bits(op.type), uint64_t{b} << 32 | a));
        break;
      case op::Kind::kHole:
      case op::Kind::kPoison:
        made.push_back(arena.leaf(op.kind, op.type, a));
        break;
      case op::Kind::kExtract:
        made.push_back(arena.extract(made.at(a), b, op::bits(op.type)));
        break;
      default:
        PTXEQUIV_CHECK(arity > 0, "a template depends on more than its argument");
        made.push_back(arena.make(op, operand(0, a), operand(1, b), operand(2, c)));
    }
  }
  return made.back();
}

}  // namespace

std::shared_ptr<const real::Library> make_library() {
  auto library = std::make_shared<real::Library>();
  for (const Compiled& entry : compiled()) {
    real::Template made = describe(entry.name, entry.flavour);
    auto arena = std::make_shared<term::Arena>();
    made.root = build(compiled_words().subspan(size_t{4} * entry.first, size_t{4} * entry.count),
                      *arena);
    made.arena = std::move(arena);
    library->add(std::move(made));
  }
  return library;
}

}  // namespace ptxequiv::library
