#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "ros/recording/sensor_broadcaster.h"
#include "ros/recording/snapshot_ring.h"
#include "ros/recording/state_broadcaster.h"

namespace mortise::ros {

/// The thread that makes messages of snapshots and gives them to the carrier, with everything that only it touches.
class BroadcastThread {
 public:
  /// Advertises all topics. What is given outlives the thread; the view need not.
  BroadcastThread(Transport& transport, const BroadcastSettings& settings, SnapshotSelection selection,
                  const SimulationView& view, const std::vector<std::string>& descriptions);
  ~BroadcastThread();
  BroadcastThread(const BroadcastThread&) = delete;
  BroadcastThread& operator=(const BroadcastThread&) = delete;

  // Called by the thread of the simulation.
  const SnapshotSelection& selection() const { return selection_; }
  /// The snapshot to fill next. nullptr when the ring is full, or, for carriers that keep everything, after an error.
  Snapshot* next();
  void commit() { ring_.commit(); }
  bool imagesWanted(std::size_t sensor) const { return sensors_.imagesWanted(sensor); }
  /// Returns what the carrier had to say since the last call. Costs next to nothing where that is nothing.
  std::vector<Notice> takeNotices();
  /// Throws what ended the thread, if something did.
  void throwIfFailed();
  /// Lets what waits go out, for `seconds` of real time at most (carriers that keep everything: all of it), and ends.
  void finish(double seconds);

  /// Valid once the thread has ended: messages that the carrier took and refused, and broadcasts that were left over.
  std::uint64_t sent() const { return outbox_.sent(); }
  std::uint64_t refused() const { return outbox_.refused(); }
  std::uint64_t leftOver() const { return leftOver_; }

 private:
  void run();
  bool sendOldest();
  void passNotices();

  Transport& transport_;
  const SnapshotSelection selection_;
  const TopicNames names_;
  Outbox outbox_;
  SensorBroadcaster sensors_;
  StateBroadcaster state_;
  SnapshotRing ring_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false, abandoned_ = false, ended_ = false;
  std::vector<Notice> notices_;
  std::exception_ptr failure_;
  std::atomic<bool> hasNotices_ = false, failed_ = false;
  std::uint64_t leftOver_ = 0;
  std::thread thread_;  ///< Last: it uses everything above.
};

}  // namespace mortise::ros
