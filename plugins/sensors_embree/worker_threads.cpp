#include "worker_threads.h"

#include <system_error>

namespace mortise::sensors_embree {

WorkerThreads::WorkerThreads(int count) {
  try {
    for (int i = 1; i < count; ++i) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    // No more threads to be had: those that there are do the work.
  }
}

WorkerThreads::~WorkerThreads() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerThreads::run(int pieces, Function function, void* context) {
  if (threads_.empty() || pieces < 2) {
    for (int i = 0; i < pieces; ++i) function(context, i);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    function_ = function;
    context_ = context;
    pieces_ = pieces;
    next_.store(0, std::memory_order_relaxed);
    busy_ = static_cast<int>(threads_.size());
    ++round_;
  }
  begun_.notify_all();
  work();
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return busy_ == 0; });
}

void WorkerThreads::work() {
  for (;;) {
    const int piece = next_.fetch_add(1, std::memory_order_relaxed);
    if (piece >= pieces_) return;
    function_(context_, piece);
  }
}

void WorkerThreads::serve() {
  std::uint64_t done = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return closing_ || round_ != done; });
      if (closing_) return;
      done = round_;
    }
    work();
    {
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) finished_.notify_one();
    }
  }
}

}  // namespace mortise::sensors_embree
