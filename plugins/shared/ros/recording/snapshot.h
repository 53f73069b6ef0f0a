#pragma once

/// Everything that is broadcast of one instant, as the simulation's thread copies it: plain numbers in memory that is
/// there already.

#include <string>
#include <vector>

#include "mortise/component/recorder.h"

namespace mortise::ros {

struct RobotSnapshot {
  VectorXd q, dq;                         ///< One a link.
  std::vector<double> torques;            ///< One a driver.
  std::vector<ActuatorCommand> commands;  ///< One a driver.
};

struct Snapshot {
  double time = 0;
  Vector3d gravity = Vector3d::Zero();
  std::vector<RobotSnapshot> robots;
  std::vector<RigidTransform> objects;
  std::vector<std::vector<double>> sensors;  ///< Values as in `SnapshotSelection::sensors`.
  std::vector<bool> images;                  ///< Says for which of these an image was copied this time.
};

/// A sensor whose readings are broadcast.
struct SelectedSensor {
  std::size_t robot = 0, index = 0;  ///< Place in `RobotView::sensors`.
  bool camera = false;               ///< Copied only when asked for.
};

/// Robots, objects and sensors that are broadcast, by index.
struct SnapshotSelection {
  std::vector<std::size_t> robots, objects;
  std::vector<SelectedSensor> sensors;
};

/// Chooses what `record` names ("robots", "objects", "sensors", or names; empty: everything). Throws `Error` for a name
/// that nothing has.
SnapshotSelection selectForBroadcast(const std::vector<std::string>& record, const SimulationView& view);

/// Makes the memory that `copySnapshot` fills.
Snapshot emptySnapshot(const SnapshotSelection& selection, const SimulationView& view);
/// Copies without allocating. `images`: whether cameras are copied now, one a selected sensor.
void copySnapshot(const SnapshotSelection& selection, const SimulationView& view, const std::vector<bool>& images,
                  Snapshot& snapshot);

}  // namespace mortise::ros
