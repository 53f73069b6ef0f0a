#pragma once

/// A recorder that broadcasts a running simulation on ROS topics.

#include <functional>
#include <memory>

#include "mortise/component/recorder.h"
#include "ros/recording/recorder_settings.h"
#include "ros/transport/transport.h"

namespace mortise::ros {

/// Copies what moves into a ring on the simulation's thread; a thread of its own makes messages of it and sends them. A
/// ring that is full drops broadcasts, never holds up a step, and says how many at the end. A carrier derives its
/// recorder from this:
///
///   class Ros2Recorder final : public BroadcastRecorder {
///    public:
///     explicit Ros2Recorder(const ComponentContext& context)
///         : settings_(context.settings), BroadcastRecorder(context.host, settings_->broadcast, [this] { return ...; })
///         {}
class BroadcastRecorder : public Recorder {
 public:
  /// Called once, when the recorder opens.
  using Connect = std::function<std::unique_ptr<Transport>()>;

  BroadcastRecorder(Host& host, BroadcastSettings settings, Connect connect);
  ~BroadcastRecorder() override;
  void open(const RecorderSetup& setup) override;
  void write(const SimulationView& view) override;
  void close() override;

  /// Broadcasts that did not fit into the ring.
  std::uint64_t dropped() const;
  /// Messages that were handed to the carrier.
  std::uint64_t sent() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace mortise::ros
