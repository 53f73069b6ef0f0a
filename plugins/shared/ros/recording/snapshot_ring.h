#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "ros/recording/snapshot.h"

namespace mortise::ros {

/// Snapshots on their way from one thread, which fills them, to one other, without locks and without allocating.
class SnapshotRing {
 public:
  /// `size` copies of `model`.
  SnapshotRing(std::size_t size, const Snapshot& model) : slots_(size + 1, model) {}

  /// The snapshot to fill next; nullptr when the ring is full. `commit` hands it over.
  Snapshot* next() {
    const std::size_t at = filled_.load(std::memory_order_relaxed);
    return after(at) == taken_.load(std::memory_order_acquire) ? nullptr : &slots_[at];
  }
  void commit() { filled_.store(after(filled_.load(std::memory_order_relaxed)), std::memory_order_release); }

  /// The oldest snapshot that was handed over; nullptr when there is none. `release` gives it back.
  const Snapshot* oldest() const {
    const std::size_t at = taken_.load(std::memory_order_relaxed);
    return at == filled_.load(std::memory_order_acquire) ? nullptr : &slots_[at];
  }
  void release() { taken_.store(after(taken_.load(std::memory_order_relaxed)), std::memory_order_release); }

 private:
  std::size_t after(std::size_t at) const { return at + 1 == slots_.size() ? 0 : at + 1; }

  std::vector<Snapshot> slots_;
  alignas(64) std::atomic<std::size_t> filled_ = 0;
  alignas(64) std::atomic<std::size_t> taken_ = 0;
};

}  // namespace mortise::ros
