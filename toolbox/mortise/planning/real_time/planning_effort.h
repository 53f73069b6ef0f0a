#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace mortise {

/// Work that a planner may still do: so many iterations, until it is canceled, and, with a deadline,
/// until then. Without a deadline the same work gets as far on every machine.
class PlanningEffort {
 public:
  using Clock = std::chrono::steady_clock;

  /// `cancelled`, when not null, ends the work as soon as it is true; it outlives this.
  explicit PlanningEffort(std::int64_t iterations = std::numeric_limits<std::int64_t>::max(),
                          const std::atomic<bool>* cancelled = nullptr,
                          Clock::time_point deadline = Clock::time_point::max())
      : iterations_(iterations), cancelled_(cancelled), deadline_(deadline) {}

  /// Before each iteration: whether there is one left, which is counted then.
  bool spend() {
    if (used_ >= iterations_ || cancelled()) return false;
    if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) return false;
    ++used_;
    return true;
  }
  /// For work whose amount is known only when it is done, as `EdgeProver` counts it: as many iterations as that is
  /// worth. Whether there is any effort left.
  bool charge(int work) {
    constexpr int kWorkPerIteration = 40;
    work_ += work;
    used_ += work_ / kWorkPerIteration;
    work_ %= kWorkPerIteration;
    if (used_ >= iterations_ || cancelled()) return false;
    return deadline_ == Clock::time_point::max() || Clock::now() < deadline_;
  }
  std::int64_t used() const { return used_; }
  bool cancelled() const { return cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed); }

 private:
  std::int64_t iterations_, used_ = 0;
  int work_ = 0;  ///< That is not worth an iteration yet.
  const std::atomic<bool>* cancelled_;
  Clock::time_point deadline_;
};

}  // namespace mortise
