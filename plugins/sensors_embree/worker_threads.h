#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace mortise::sensors_embree {

/// A few threads that share one job at a time: pieces 0 to n - 1, each done once, by any thread that is free. Allocates
/// nothing after construction. A job must not throw, and what a piece does must not depend on the others.
class WorkerThreads {
 public:
  /// `count` threads in all, the caller's included. Where the system has no more, there are fewer.
  explicit WorkerThreads(int count);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  /// Calls `job(piece)` for each piece and returns when all are done.
  template <typename Job>
  void run(int pieces, Job& job) {
    run(
        pieces, [](void* context, int piece) { (*static_cast<Job*>(context))(piece); }, &job);
  }

 private:
  using Function = void (*)(void* context, int piece);
  void run(int pieces, Function function, void* context);
  void work();
  void serve();

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begun_, finished_;
  std::uint64_t round_ = 0;  ///< Which job; counts up.
  int busy_ = 0;             ///< Threads that have not finished the round.
  bool closing_ = false;
  Function function_ = nullptr;
  void* context_ = nullptr;
  int pieces_ = 0;
  std::atomic<int> next_ = 0;
};

}  // namespace mortise::sensors_embree
