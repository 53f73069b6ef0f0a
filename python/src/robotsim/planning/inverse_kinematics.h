#pragma once

#include <memory>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/contact/ik_goal.h"
#include "robotsim/model/robot_model.h"

namespace mortise::robotsim {

/// The goal of an `IKObjective`. Residuals are in world axes: where the point is minus where it should be, and the
/// rotation vector from where the link should be to where it is.
struct Objective {
  IKGoal goal;
  double positionScale = 1, rotationScale = 1;
};
using ObjectivePtr = std::shared_ptr<Objective>;

int positionRows(const IKGoal& goal);
int rotationRows(const IKGoal& goal);

/// Errors of axes: as Klamp't reports them, which have corners where the axis fits, or ones that Newton's method can
/// use. Both are 0 only where the axis lies the right way round.
enum class Errors { reported, smooth };

/// Residual, and where `J` is not null its derivative with all links, at the configuration that the robot has.
void evaluate(RobotModel& robot, const std::vector<ObjectivePtr>& objectives, VectorXd& r, Eigen::MatrixXd* J,
              Errors errors);
/// The links between a goal's link and what it is placed by, but for those whose limits leave them no way to move.
std::vector<int> defaultLinks(RobotModel& robot, const std::vector<ObjectivePtr>& objectives);

struct SolverSettings {
  double tolerance = 1e-3;
  int iterations = 100;
  std::vector<int> active;
  VectorXd low, high;  ///< Limits of all links; empty: none.
  VectorXd bias;       ///< Bias of all links; empty: none.
};
struct SolverResult {
  bool solved = false;
  int iterations = 0;
};
/// Newton's method with damped pseudo-inverses and a line search (Dennis and Schnabel, 1983, algorithm A6.3.1), from
/// the configuration that the robot has, and which it leaves with the answer. Coordinates at a limit that would leave
/// it rest.
SolverResult solve(RobotModel& robot, const std::vector<ObjectivePtr>& objectives, const SolverSettings& settings);

/// A pose of the link, relative to its destination, that satisfies the goal and is near `X`.
RigidTransform nearestMatch(const IKGoal& goal, const RigidTransform& X);
/// Any such pose.
RigidTransform samplePose(const IKGoal& goal, RandomStream& random);

}  // namespace mortise::robotsim
