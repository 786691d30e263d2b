#include "ptx/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "ptx/special_register.h"

namespace ptxequiv::ptx {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

size_t trailing_digits(std::string_view name) {
  size_t count = 0;
  while (count < name.size() && is_digit(name[name.size() - 1 - count])) ++count;
  return count;
}

// A number as a range writes it: no leading zero, at most 64 bits.
std::optional<uint64_t> number(std::string_view digits) {
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  uint64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

// Calls `visit(prefix, number)` for every way in which `name` could be an element of a range.
template <typename Visit>
void for_each_split(std::string_view name, Visit visit) {
  constexpr size_t kMostDigits = 20;
  size_t digits = std::min(trailing_digits(name), kMostDigits);
  for (size_t n = 1; n <= digits && n < name.size(); ++n)
    if (auto value = number(name.substr(name.size() - n)))
      visit(name.substr(0, name.size() - n), *value);
}

constexpr size_t kTooFar = 3;

// Edit distance, or kTooFar if it is at least that.
size_t distance(std::string_view a, std::string_view b) {
  if (a.size() > b.size() + 2 || b.size() > a.size() + 2 || a.size() > 256) return kTooFar;
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return std::min(row.back(), kTooFar);
}

}  // namespace

Names::Names(Module& module) : module_(module) {
  open();
}

void Names::fail_twice(const Symbol& symbol, SourceLoc first) const {
  throw base::InputError(module_.path, symbol.loc,
                         fmt::format("`{}` is declared twice in the same scope", symbol.name),
                         fmt::format("The first declaration is at line {}.", first.line));
}

SymbolId Names::declare(Symbol symbol) {
  return declare_in(scopes_.back(), std::move(symbol));
}
SymbolId Names::declare_in_module(Symbol symbol) {
  return declare_in(scopes_.front(), std::move(symbol));
}

SymbolId Names::declare_in(Scope& scope, Symbol symbol) {
  if (const Range* range = range_of(scope, symbol.name)) fail_twice(symbol, range->pattern.loc);
  auto id = static_cast<SymbolId>(module_.symbols.size());
  auto [place, is_new] = scope.names.try_emplace(symbol.name, id);
  if (!is_new) fail_twice(symbol, module_.symbols[place->second].loc);
  if (is_digit(symbol.name.back())) scope.numbered.insert(symbol.name);
  module_.symbols.push_back(std::move(symbol));
  return id;
}

SymbolId Names::add_unnamed(Symbol symbol) {
  module_.symbols.push_back(std::move(symbol));
  return static_cast<SymbolId>(module_.symbols.size() - 1);
}

void Names::declare_range(Symbol pattern, uint64_t count) {
  Scope& scope = scopes_.back();
  const std::string& prefix = pattern.name;
  // %r<20> and %r1<5>: whether the shorter prefix has an element that begins with the longer one
  // and goes on, the longer one being the shorter and `digits`.
  auto reaches = [](uint64_t shorter_count, uint64_t digits) {
    return digits > 0 && digits < (shorter_count + 9) / 10;
  };
  auto number_after_prefix = [&](std::string_view name) {
    std::string_view digits = name.substr(prefix.size());
    return trailing_digits(digits) == digits.size() ? number(digits) : std::nullopt;
  };
  for_each_split(prefix, [&](std::string_view shorter, uint64_t digits) {
    auto other = scope.ranges.find(shorter);
    if (other != scope.ranges.end() && reaches(other->second.count, digits))
      fail_twice(pattern, other->second.pattern.loc);
  });
  for (auto other = scope.ranges.lower_bound(prefix);
       other != scope.ranges.end() && other->first.starts_with(prefix); ++other) {
    auto digits = number_after_prefix(other->first);
    if (other->first == prefix || (digits && reaches(count, *digits)))
      fail_twice(pattern, other->second.pattern.loc);
  }
  for (auto known = scope.numbered.lower_bound(prefix);
       known != scope.numbered.end() && known->starts_with(prefix); ++known) {
    auto digits = number_after_prefix(*known);
    if (!digits || *digits >= count) continue;
    Symbol element = pattern;
    element.name = *known;
    fail_twice(element, module_.symbols[scope.names.find(*known)->second].loc);
  }
  std::string key = prefix;
  scope.ranges.emplace(std::move(key), Range{std::move(pattern), count});
}

const Names::Range* Names::range_of(const Scope& scope, std::string_view name) {
  const Range* found = nullptr;
  if (scope.ranges.empty()) return found;
  for_each_split(name, [&](std::string_view prefix, uint64_t value) {
    auto place = scope.ranges.find(prefix);
    if (place != scope.ranges.end() && value < place->second.count) found = &place->second;
  });
  return found;
}

SymbolId Names::find_in(Scope& scope, std::string_view name) {
  if (auto place = scope.names.find(name); place != scope.names.end()) return place->second;
  const Range* range = range_of(scope, name);
  if (range == nullptr) return kNoSymbol;
  auto id = static_cast<SymbolId>(module_.symbols.size());
  module_.symbols.push_back(range->pattern);
  module_.symbols.back().name = name;
  scope.names.emplace(name, id);
  return id;
}

SymbolId Names::find(std::string_view name) {
  for (size_t i = scopes_.size(); i-- > 0;)
    if (SymbolId id = find_in(scopes_[i], name); id != kNoSymbol) return id;
  return kNoSymbol;
}

SymbolId Names::find_here(std::string_view name) {
  return find_in(scopes_.back(), name);
}

std::string Names::suggest(std::string_view name) const {
  std::string best;
  size_t best_distance = kTooFar;
  auto consider = [&](std::string_view other) {
    size_t d = distance(name, other);
    if (d < best_distance || (d == best_distance && d < kTooFar && other < best)) {
      best_distance = d;
      best = other;
    }
  };
  for (size_t i = scopes_.size(); i-- > 0;) {
    std::string range_hint;
    for_each_split(name, [&](std::string_view prefix, uint64_t) {
      auto place = scopes_[i].ranges.find(prefix);
      if (place == scopes_[i].ranges.end()) return;
      range_hint = fmt::format("Line {} declares {}0 to {}{} only.", place->second.pattern.loc.line,
                               prefix, prefix, place->second.count - 1);
    });
    if (!range_hint.empty()) return range_hint;
    for (const auto& [other, id] : scopes_[i].names) consider(other);
    // The element that the name would be if only the prefix is wrong: %s3 for %r3.
    std::string_view digits = name.substr(name.size() - trailing_digits(name));
    for (const auto& [prefix, range] : scopes_[i].ranges)
      if (auto value = number(digits); value && *value < range.count)
        consider(prefix + std::string(digits));
  }
  for (const std::string& special : special_register_names()) consider(special);
  if (best.empty()) return "Declare it before its first use.";
  return fmt::format("Did you mean `{}`?", best);
}

}  // namespace ptxequiv::ptx
