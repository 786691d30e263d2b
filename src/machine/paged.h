// An array of which only the pages that something touched exist: buffers have gigabytes, and a
// launch uses little of them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace ptxequiv::machine {

template <typename T>
class Paged {
 public:
  static constexpr unsigned kPageLog2 = 12;
  static constexpr uint64_t kPage = uint64_t{1} << kPageLog2;

  Paged() = default;
  explicit Paged(uint64_t size) { reset(size); }
  Paged(Paged&& other) noexcept { *this = std::move(other); }
  Paged& operator=(Paged&& other) noexcept {
    std::swap(directory_, other.directory_);
    std::swap(touched_, other.touched_);
    std::swap(size_, other.size_);
    return *this;
  }
  Paged(const Paged&) = delete;
  Paged& operator=(const Paged&) = delete;
  ~Paged() { reset(0); }

  Paged copy() const {
    Paged result(size_);
    for (const uint64_t page : touched_) {
      std::copy_n(directory_[page], in_page(page), result.touch(page));
    }
    return result;
  }

  uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // `size` elements, all T{}.
  void reset(uint64_t size) {
    for (const uint64_t page : touched_) delete[] directory_[page];
    touched_.clear();
    std::free(directory_);
    directory_ = nullptr;
    size_ = size;
    if (size == 0) return;
    // Zeroed pages of the system that nothing touches cost nothing.
    directory_ = static_cast<T**>(std::calloc((size + kPage - 1) >> kPageLog2, sizeof(T*)));
    if (directory_ == nullptr) throw std::bad_alloc();
  }

  // Makes the page.
  T& operator[](uint64_t i) {
    T* page = directory_[i >> kPageLog2];
    if (page == nullptr) [[unlikely]]
      page = touch(i >> kPageLog2);
    return page[i & (kPage - 1)];
  }
  // T{} where no page is.
  const T& operator[](uint64_t i) const {
    const T* page = directory_[i >> kPageLog2];
    if (page == nullptr) return kNothing;
    return page[i & (kPage - 1)];
  }

  // The first index from `i` on that lies in a page, or size().
  uint64_t next(uint64_t i) const {
    while (i < size_ && directory_[i >> kPageLog2] == nullptr) i = (i | (kPage - 1)) + 1;
    return std::min(i, size_);
  }
  // Calls f(index, element) for all that lie in a page, in any order.
  template <typename F>
  void for_each(F&& f) {
    for (const uint64_t page : touched_) {
      T* const elements = directory_[page];
      for (uint64_t i = 0; i < in_page(page); ++i) f((page << kPageLog2) + i, elements[i]);
    }
  }
  // All elements are T{} again; the pages stay.
  void fill_default() {
    for (const uint64_t page : touched_) {
      std::fill_n(directory_[page], in_page(page), T{});
    }
  }
  size_t memory_bytes() const { return touched_.size() * std::min(size_, kPage) * sizeof(T); }

 private:
  static inline const T kNothing{};
  // A short array's only page is short.
  uint64_t in_page(uint64_t page) const { return std::min(kPage, size_ - (page << kPageLog2)); }
  T* touch(uint64_t page) {
    touched_.push_back(page);
    directory_[page] = new T[in_page(page)]();
    return directory_[page];
  }

  T** directory_ = nullptr;
  std::vector<uint64_t> touched_;
  uint64_t size_ = 0;
};

}  // namespace ptxequiv::machine
