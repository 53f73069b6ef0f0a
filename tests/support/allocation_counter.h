#pragma once

/// Counts heap allocations of the whole program, Eigen's and libraries' included, by standing in front of malloc.
/// Several source files of a test program may include it. With a sanitizer, which brings its own malloc, nothing is
/// counted.

#include <atomic>
#include <cstddef>

namespace mortise::test {

inline std::atomic<std::size_t> allocationCount = 0;
inline std::atomic<std::size_t> allocatedBytes = 0;  ///< Asked for altogether, whether given back or not.
inline thread_local std::size_t threadAllocations = 0;  ///< Of the thread that asks.

}  // namespace mortise::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

__attribute__((weak)) void* malloc(std::size_t size) noexcept {
  ++mortise::test::allocationCount;
  ++mortise::test::threadAllocations;
  mortise::test::allocatedBytes += size;
  return __libc_malloc(size);
}
__attribute__((weak)) void* calloc(std::size_t count, std::size_t size) noexcept {
  ++mortise::test::allocationCount;
  ++mortise::test::threadAllocations;
  mortise::test::allocatedBytes += count * size;
  return __libc_calloc(count, size);
}
__attribute__((weak)) void* realloc(void* old, std::size_t size) noexcept {
  ++mortise::test::allocationCount;
  ++mortise::test::threadAllocations;
  mortise::test::allocatedBytes += size;
  return __libc_realloc(old, size);
}
__attribute__((weak)) void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++mortise::test::allocationCount;
  ++mortise::test::threadAllocations;
  mortise::test::allocatedBytes += size;
  return __libc_memalign(alignment, size);
}
}

#endif
