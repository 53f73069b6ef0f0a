#pragma once

/// A robot that follows what a person drags one of its points to, with one user interface after another: Klamp't's
/// UserTrials without its window.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/component/file_format.h"
#include "mortise/contact/ik_goal.h"
#include "mortise/motion/trajectory.h"
#include "mortise/planning/real_time/motion_audit.h"
#include "mortise/planning/real_time/real_time_robot.h"

namespace mortise {

/// Ways to follow a drag, by Klamp't's names of its user interfaces.
enum class TrialInterface {
  jointPoser,       ///< "JointPoser": joints go where they are turned to, whatever is in the way.
  pointPoser,       ///< "PointPoser": numeric inverse kinematics, whatever is in the way.
  ikPointPoser,     ///< "IKPointPoser": the planner `ik`.
  rrtPointPoser,    ///< "RRTPointPoser": the planner `tree`.
  hybridPointPoser  ///< "HybridPointPoser", which Klamp't does not have: the planner `hybrid`.
};
inline constexpr int kTrialInterfaces = 5;
std::string_view trialInterfaceName(TrialInterface kind);
/// Says whether its motions are proven free of collisions.
bool isSafe(TrialInterface kind);

/// One movement of the mouse.
struct DragEvent {
  double time = 0;  ///< s, since the start.
  IKGoal goal;      ///< Goal to which the point is dragged.
  VectorXd q = {};  ///< The whole configuration that joints are turned to; empty: joints cannot be turned so.
};

struct UserTrialSettings {
  int robot = 0;
  RealTimeRobotOptions options = {};
  std::vector<TrialInterface> interfaces = {};  ///< Empty: all.
  /// By time; empty: of a random user, who drags the last link with a shape to places that it can reach.
  std::vector<DragEvent> events = {};
  int drags = 5;          ///< Drags of the random user.
  double dragging = 1;    ///< Seconds that each takes him,
  double patience = 2;    ///< and for which he then waits.
  double tick = 0.01;     ///< Seconds of the robot's clock (Klamp't's).
  int checks = 100;       ///< Places that are checked in each tick; 0: none.
  double reached = 0.01;  ///< Distance (m, rad) that counts as there.
  std::uint64_t seed = 0;
  std::function<bool()> stopRequested = {};
  std::function<void(const std::string& line)> log = {};  ///< Told of each line of Klamp't's log; may be empty.
};

struct UserTrialResult {
  Value report;                     ///< A list with a map for each interface.
  std::vector<Trajectory> motions;  ///< Whole configurations, tick by tick, for each interface.
  bool valid = true;                ///< No motion of an interface that plans failed the check.
};

/// The same events with one interface after another, from the world's start each time. Throws `Error` for robots that
/// cannot be planned for, and where the random user finds no place that is free.
UserTrialResult runUserTrials(std::shared_ptr<const World> world, const UserTrialSettings& settings);
/// The report as text.
std::string userTrialText(const Value& report);

/// [{at: 0.5 s, link: hand, position: [0.4, 0, 0.3]}, ...], a list or a file of one: goals of links as
/// `linkGoalFromSetting` takes them, with their times, which do not fall. `joints` in place of a goal turns joints.
std::vector<DragEvent> dragEventsFromSetting(const Value& value, const WorldRobot& robot, ResourceLoader& loader);

}  // namespace mortise
