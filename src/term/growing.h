// An array that only grows and shrinks at its end. A large one is moved by the system, page by page
// and without a copy, so that growing needs no memory for two; and it asks for huge pages, since
// terms are looked up at random.
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>

namespace ptxequiv::term {

template <typename T>
class Growing {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Growing() = default;
  Growing(const Growing&) = delete;
  Growing& operator=(const Growing&) = delete;
  ~Growing() { release(data_, capacity_); }

  void push_back(const T& value) {
    if (size_ == capacity_) [[unlikely]] {
      const T kept = value;  // it may lie in the array
      grow();
      data_[size_++] = kept;
      return;
    }
    data_[size_++] = value;
  }
  const T& operator[](size_t i) const { return data_[i]; }
  size_t size() const { return size_; }
  const T* data() const { return data_; }
  operator std::span<const T>() const { return {data_, size_}; }
  void shrink(size_t size) { size_ = std::min(size_, size); }
  const T& back() const { return data_[size_ - 1]; }

 private:
  static constexpr size_t kFirst = 4096;
  static constexpr size_t kLarge = size_t{1} << 16;  // elements, from which on it is mapped

  static void release(T* data, size_t capacity) {
    if (capacity >= kLarge) {
      munmap(data, capacity * sizeof(T));
    } else {
      std::free(data);
    }
  }

  void grow() {
    const size_t capacity = std::max(kFirst, 2 * capacity_);
    void* memory = nullptr;
    if (capacity < kLarge) {
      memory = std::realloc(data_, capacity * sizeof(T));
      if (memory == nullptr) throw std::bad_alloc();
    } else if (capacity_ >= kLarge) {
      memory = mremap(data_, capacity_ * sizeof(T), capacity * sizeof(T), MREMAP_MAYMOVE);
      if (memory == MAP_FAILED) throw std::bad_alloc();
    } else {
      memory = mmap(nullptr, capacity * sizeof(T), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) throw std::bad_alloc();
      std::memcpy(memory, data_, size_ * sizeof(T));
      std::free(data_);
    }
    data_ = static_cast<T*>(memory);
    capacity_ = capacity;
    if (capacity >= kLarge) madvise(data_, capacity * sizeof(T), MADV_HUGEPAGE);  // only a hint
  }

  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace ptxequiv::term
