#include "mortise/hardware/work_thread.h"

#include <chrono>
#include <utility>

namespace mortise {

WorkThread::WorkThread(std::function<void()> work) : work_(std::move(work)), thread_([this] { run(); }) {}

WorkThread::~WorkThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  begun_.notify_one();
  thread_.join();
}

void WorkThread::begin() {
  {
    const std::lock_guard lock(mutex_);
    working_ = true;
  }
  begun_.notify_one();
}

bool WorkThread::wait(double seconds) {
  std::unique_lock lock(mutex_);
  if (!done_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !working_; })) return false;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return true;
}

void WorkThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    begun_.wait(lock, [this] { return working_ || ending_; });
    if (!working_) return;
    lock.unlock();
    std::exception_ptr failure;
    try {
      work_();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = std::move(failure);
    working_ = false;
    done_.notify_one();
  }
}

}  // namespace mortise
