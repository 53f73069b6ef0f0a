#pragma once

/// What the recorders share: which things are recorded, and numbers that are computed for the record.

#include <Eigen/Geometry>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mortise/component/recorder.h"

namespace mortise {

/// What a run asked to be recorded.
struct Recording {
  Recording() = default;
  /// Throws `Error` for what does not exist.
  explicit Recording(const RecorderSetup& setup);

  bool anyState() const { return anyRobot || anyObject || sensors; }

  std::vector<bool> robots, objects;  ///< By index.
  bool anyRobot = false, anyObject = false, sensors = false, contacts = false, wrenches = false;
};

/// Where a file goes: a name without folder goes into the run's directory, with the run's prefix.
std::string recordPath(const RecorderSetup& setup, const std::string& name);

/// Names as they are, with the id appended where several entities share one.
std::vector<std::string> uniqueNames(const std::vector<std::pair<std::string, int>>& entities);

Vector3d centerOfMass(const Robot& robot, const RobotState& state);

/// Configuration and velocity that the controller commands; links without a position command show where they are, those
/// without a velocity 0.
void commandedState(const Robot& robot, const RobotView& view, VectorXd& q, VectorXd& dq);

/// All contacts between two ids.
struct PairContact {
  int count = 0;
  Vector3d point = Vector3d::Zero(), normal = Vector3d::Zero();  ///< Means.
  Vector3d force = Vector3d::Zero();                             ///< Sum, on the first id, N.
  Vector3d moment = Vector3d::Zero();                            ///< Of all forces about `point`, N m.
  /// Where the normal forces act together: the mean of the points weighted by them; `point` when nothing presses.
  Vector3d centerOfPressure = Vector3d::Zero();

  /// Of all forces about a point, N m.
  Vector3d momentAbout(const Vector3d& p) const { return moment + (point - p).cross(force); }
};

/// By (idA, idB), in ascending order.
std::map<std::pair<int, int>, PairContact> pairContacts(std::span<const ContactForce> contacts);

}  // namespace mortise
