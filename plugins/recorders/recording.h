#pragma once

/// The common part of the recorders: which things are recorded, and numbers that are computed for the record.

#include <Eigen/Geometry>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mortise/component/recorder.h"
#include "mortise/settings/placed.h"

namespace mortise::recorders {

/// Things that a run asked to be recorded.
struct Recording {
  Recording() = default;
  explicit Recording(const RecorderSetup& setup);

  bool anySensor() const { return sensors || !sensorNames.empty(); }
  bool anyState() const { return anyRobot || anyObject || anySensor(); }

  std::vector<bool> robots, objects;  ///< By index.
  bool anyRobot = false, anyObject = false, sensors = false, contacts = false, wrenches = false;
  /// Names that are neither words nor in the world: sensors, if they exist. `selectSensors` tells.
  std::vector<std::string> sensorNames;
};

/// By robot and place in `RobotView::sensors`.
using SensorSelection = std::vector<std::vector<bool>>;

/// The sensors that were asked for by name, or as robot/name. Throws `Error` for a name that nothing has.
SensorSelection selectSensors(const Recording& recording, const SimulationView& view);
/// Those that belong into a log: with `sensors` all but cameras, whose images would fill it, and the named ones. Tells
/// the host's log which cameras that leaves out.
SensorSelection loggedSensors(const Recording& recording, const SimulationView& view, Host& host);

/// `name` is nothing that can be recorded. `sensors`: names of those that can be.
[[noreturn]] void refuseName(const std::string& name, const World& world, std::vector<std::string> sensors);

/// Returns the path of a file of the run, as `mortise::recordPath` does.
std::string recordPath(const RecorderSetup& setup, const PlacedText& output);

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
  double depth = 0;                                              ///< m, of the deepest; negative: apart.
  Vector3d force = Vector3d::Zero();                             ///< Sum, on the first id, N.
  Vector3d moment = Vector3d::Zero();                            ///< Moment of all forces about `point`, N m.
  /// The point where the normal forces act together: the mean of the points weighted by them; `point` when nothing
  /// presses.
  Vector3d centerOfPressure = Vector3d::Zero();

  /// Returns the moment of all forces about a point, N m.
  Vector3d momentAbout(const Vector3d& p) const { return moment + (point - p).cross(force); }
};

/// By (idA, idB), in ascending order.
std::map<std::pair<int, int>, PairContact> pairContacts(std::span<const ContactForce> contacts);

}  // namespace mortise::recorders
