#include "ptx/initializer.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace ptxequiv::ptx {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 28;

class Filler {
 public:
  Filler(BuildContext& context, Operands& operands, const Symbol& symbol,
         std::vector<uint64_t> sizes)
      : context_(context),
        operands_(operands),
        symbol_(symbol),
        sizes_(std::move(sizes)),
        width_((op::bits(symbol.type) + 7) / 8) {}

  // Fills from the element `first`, at nesting `level`. Returns the number of items of the list.
  uint64_t fill(Cursor node, size_t level, uint64_t first) {
    SourceLoc loc = node.loc();
    Cursor children = node.enter();
    if (!children.accept("{")) {
      if (level < sizes_.size())
        context_.fail(loc, fmt::format("`{}` needs a list in braces here", symbol_.name));
      element(operands_.value(children), loc, first);
      return 1;
    }
    if (level >= sizes_.size())
      context_.fail(loc, fmt::format("too many braces in the initialiser of `{}`", symbol_.name));
    uint64_t stride = 1;
    for (size_t i = level + 1; i < sizes_.size(); ++i) stride *= sizes_[i];
    uint64_t count = 0;
    for (; !children.done(); children.skip()) {
      if (!children.at(Kind::kInitializer)) continue;
      bool is_open = level == 0 && sizes_[0] == 0;
      if (!is_open && count >= sizes_[level])
        context_.fail(children.loc(), fmt::format("too many initialisers for `{}`", symbol_.name),
                      fmt::format("There are {} elements.", sizes_[level]));
      if (count > 0 && stride > kMostBytes / count)
        throw base::Unsupported("an initialiser of more than 256 MiB", context_.module.path, loc);
      fill(children, level + 1, first + count * stride);
      ++count;
    }
    if (level > 0 && count < sizes_[level]) is_short_ = true;
    bool is_vector = symbol_.vector > 1 && level + 1 == sizes_.size();
    if (is_vector && count != symbol_.vector)
      context_.fail(loc, fmt::format("a .v{} needs {} values", symbol_.vector, symbol_.vector));
    return count;
  }

  Initializer take() { return std::move(result_); }

 private:
  void element(const Value& value, SourceLoc loc, uint64_t index) {
    // In C, and by the manual, the rest of a short inner list is zero; ptxas 13 goes on without a
    // gap.
    if (is_short_)
      throw base::Unsupported("a short list inside an initialiser", context_.module.path, loc,
                              "write out its zeros");
    if (index >= kMostBytes / std::max<uint64_t>(width_, 1))
      throw base::Unsupported("an initialiser of more than 256 MiB", context_.module.path, loc);
    uint64_t offset = index * width_;
    if (result_.bytes.size() < offset + width_) result_.bytes.resize(offset + width_);
    const auto* special = std::get_if<SpecialRegister>(&value.operand.value);
    bool is_warp_size = !value.is_constant && special != nullptr && special->name == "WARP_SZ";
    if (!value.is_constant && !is_warp_size) {
      address(value, loc, offset);
      return;
    }
    constexpr int64_t kWarpSize = 32;
    auto bits = encode(is_warp_size ? Constant::of(kWarpSize) : value.constant);
    if (!bits)
      context_.fail(
          loc,
          fmt::format("this constant does not fit an element of type .{}", op::name(symbol_.type)),
          "Floats take 1.5 or 0f3FC00000 (f32) and 0d3FF8000000000000 (f64); "
          "other types take integers.");
    for (uint64_t i = 0; i < std::min<uint64_t>(width_, 8); ++i)
      result_.bytes[offset + i] = static_cast<uint8_t>(*bits >> (8 * i));
    if (width_ > 8 && value.constant.kind == Constant::Kind::kSigned && (*bits >> 63) != 0)
      for (uint64_t i = 8; i < width_; ++i) result_.bytes[offset + i] = 0xff;
  }

  void address(const Value& value, SourceLoc loc, uint64_t offset) {
    const auto* ref = std::get_if<SymbolRef>(&value.operand.value);
    if (ref == nullptr)
      context_.fail(loc, "an initialiser is a constant or the address of a variable or function");
    const Symbol& target = context_.module.symbols[ref->symbol];
    bool has_address = target.kind == SymbolKind::kFunction || target.space == Space::kGlobal ||
                       target.space == Space::kConst;
    if (!has_address || value.is_element || op::is_float(symbol_.type))
      context_.fail(loc, "an initialiser is a constant or the address of a variable or function",
                    "An address, as name+4, is that of a .global or .const variable, and fits an "
                    "integer.");
    if (value.is_masked() && !is_byte_mask(value.mask))
      context_.fail(loc, fmt::format("the mask 0x{:x} does not select a byte", value.mask),
                    "Masks are 0xFF, 0xFF00, 0xFF0000, ...");
    if (!value.is_masked() && width_ * 8 != context_.module.address_size)
      context_.fail(
          loc,
          fmt::format("an address does not fit an element of type .{}", op::name(symbol_.type)),
          fmt::format("Use .u{}, or masks such as 0xFF(name).", context_.module.address_size));
    result_.addresses.push_back(
        {static_cast<uint32_t>(offset), ref->symbol, value.addend, value.is_generic, value.mask});
  }

  static bool is_byte_mask(uint64_t mask) {
    for (unsigned shift = 0; shift < 64; shift += 8)
      if (mask == uint64_t{0xff} << shift) return true;
    return false;
  }

  // The value's bits in the element type, as ptxas 13 encodes them; none where it refuses, or where
  // it stores something surprising (0f... in an .f64 is stored as an integer, 1.0 in a .b16 as 0).
  std::optional<uint64_t> encode(const Constant& value) const {
    using op::Type;
    bool is_f32 = symbol_.type == Type::kF32 || symbol_.type == Type::kB32;
    bool is_f64 = symbol_.type == Type::kF64 || symbol_.type == Type::kB64;
    if (value.is_integer()) {
      if (op::is_float(symbol_.type)) return std::nullopt;
      return value.bits;
    }
    if (value.kind == Constant::Kind::kF32Bits)
      return is_f32 ? std::optional(value.bits) : std::nullopt;
    if (is_f64) return value.bits;
    if (!is_f32) return std::nullopt;
    double number = value.as_double();
    if (std::isfinite(number) && std::fabs(number) > std::numeric_limits<float>::max())
      return std::nullopt;
    return std::bit_cast<uint32_t>(static_cast<float>(number));
  }

  BuildContext& context_;
  Operands& operands_;
  const Symbol& symbol_;
  std::vector<uint64_t> sizes_;
  uint64_t width_;
  bool is_short_ = false;  // an inner list did not fill its dimension
  Initializer result_;
};

}  // namespace

Initializer build_initializer(BuildContext& context, Operands& operands, const Symbol& symbol,
                              std::vector<uint64_t>& dimensions, Cursor node) {
  std::vector<uint64_t> sizes = dimensions;
  if (symbol.vector > 1) sizes.push_back(symbol.vector);
  Filler filler(context, operands, symbol, sizes);
  uint64_t count = filler.fill(node, 0, 0);
  if (!dimensions.empty() && dimensions[0] == 0) dimensions[0] = count;
  return filler.take();
}

}  // namespace ptxequiv::ptx
