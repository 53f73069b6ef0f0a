#pragma once

/// A recorder that broadcasts a running simulation on ROS topics.

#include <cstdint>
#include <functional>
#include <memory>

#include "mortise/component/recorder.h"
#include "ros/recording/recorder_settings.h"
#include "ros/transport/transport.h"

namespace mortise::ros {

class BroadcastThread;

/// Copies what moves into a ring on the simulation's thread; a thread of its own makes messages of it and sends them. A
/// ring that is full drops broadcasts, never holds up a step, and says how many; only carriers that keep everything
/// (`Transport::keepsAll`) are waited for.
class BroadcastRecorder : public Recorder {
 public:
  /// Called when the recorder opens. Throws `Error` where there is no connection.
  using Connect = std::function<std::unique_ptr<Transport>(const RecorderSetup& setup)>;

  BroadcastRecorder(Host& host, BroadcastSettings settings, Connect connect);
  ~BroadcastRecorder() override;
  void open(const RecorderSetup& setup) override;
  void write(const SimulationView& view) override;
  void close() override;

  /// Broadcasts that did not fit into the ring.
  std::uint64_t dropped() const { return dropped_; }
  /// Messages that the carrier took; complete after `close`.
  std::uint64_t sent() const { return sent_; }

 private:
  /// Null where there is no connection and none is required.
  std::unique_ptr<Transport> connect(const RecorderSetup& setup);
  void start(const SimulationView& view);
  bool imagesDue(double time);
  void reportDrops(bool end);

  Host& host_;
  const BroadcastSettings settings_;
  const Connect connect_;
  std::vector<std::string> record_, descriptions_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<BroadcastThread> thread_;
  std::vector<bool> images_;  ///< Memory of `write`.
  double nextImages_ = 0, lastTime_ = 0;
  std::uint64_t dropped_ = 0, sent_ = 0;
  bool dropReported_ = false;
};

}  // namespace mortise::ros
