#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace mortise::controllers_serial {

/// Memory for one asynchronous operation at a time, used again and again, so that Asio allocates nothing while messages
/// go back and forth. What does not fit, or comes while it is in use, goes to the heap.
class HandlerMemory {
 public:
  void* take(std::size_t size) {
    if (size <= sizeof(bytes_) && !used_.exchange(true)) return bytes_;
    return ::operator new(size);
  }
  void give(void* at) {
    if (at == bytes_)
      used_ = false;
    else
      ::operator delete(at);
  }

 private:
  alignas(std::max_align_t) std::byte bytes_[1024];
  std::atomic<bool> used_ = false;
};

/// Shares the memory, because Asio frees an operation after the handler that it carried.
template <typename T>
struct HandlerAllocator {
  using value_type = T;
  std::shared_ptr<HandlerMemory> memory;

  explicit HandlerAllocator(std::shared_ptr<HandlerMemory> m) : memory(std::move(m)) {}
  template <typename U>
  HandlerAllocator(const HandlerAllocator<U>& other) : memory(other.memory) {}  // NOLINT: allocators convert
  T* allocate(std::size_t n) { return static_cast<T*>(memory->take(n * sizeof(T))); }
  void deallocate(T* at, std::size_t) { memory->give(at); }
  template <typename U>
  bool operator==(const HandlerAllocator<U>& other) const {
    return memory == other.memory;
  }
};

/// A handler whose operation lies in `memory`.
template <typename F>
struct HandlerWithMemory {
  std::shared_ptr<HandlerMemory> memory;
  F function;

  using allocator_type = HandlerAllocator<char>;
  allocator_type get_allocator() const { return allocator_type(memory); }
  template <typename... A>
  void operator()(A&&... arguments) {
    function(std::forward<A>(arguments)...);
  }
};

template <typename F>
HandlerWithMemory<F> withMemory(std::shared_ptr<HandlerMemory> memory, F function) {
  return {std::move(memory), std::move(function)};
}

}  // namespace mortise::controllers_serial
