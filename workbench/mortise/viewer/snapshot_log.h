#pragma once

#include <functional>
#include <optional>
#include <string>

#include "mortise/base/log.h"
#include "mortise/model/world.h"
#include "mortise/motion/trajectory.h"
#include "mortise/plugin/registry.h"

namespace mortise::viewer {

/// The motion of something while everything else stands still.
struct ShownMotion {
  double start = 0, end = 0;                             ///< s
  std::function<void(double time, World& world)> place;  ///< Puts things where they are at a time.
};

/// Returns the motion of a robot: one number a link; not empty.
ShownMotion robotMotion(int robot, Trajectory path);

/// A log of a world that has not been simulated: of one instant, or of a robot's motion, in a temporary file that is
/// gone with this.
class SnapshotLog {
 public:
  /// Throws `Error` where no temporary folder can be made, and where the recorder `mcap` is missing.
  SnapshotLog(const World& world, Registry& registry, LogSink& log, const std::optional<ShownMotion>& motion = {});
  ~SnapshotLog();
  SnapshotLog(const SnapshotLog&) = delete;
  SnapshotLog& operator=(const SnapshotLog&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

}  // namespace mortise::viewer
