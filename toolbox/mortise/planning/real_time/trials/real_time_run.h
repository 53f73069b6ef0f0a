#pragma once

/// A robot that is sent from target to target, often before it is there, and plans while it moves.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/motion/trajectory.h"
#include "mortise/planning/real_time/motion_audit.h"
#include "mortise/planning/real_time/real_time_robot.h"

namespace mortise {

struct RealTimeRunSettings {
  int robot = 0;
  RealTimeRobotOptions options = {};
  int targets = 10;                    ///< Random ones, when none are given.
  std::vector<VectorXd> given = {};    ///< Whole configurations, one after another.
  double interrupt = 0.5;              ///< Fraction of the targets that are replaced before they are reached.
  double soonest = 0.1, latest = 1.5;  ///< Seconds: when these are replaced.
  double patience = 10;                ///< Seconds that every other target gets.
  double tick = 0.001;                 ///< Seconds of the robot's clock.
  int checks = 100;                    ///< Places that are checked in each tick; 0: none.
  /// Motions that the planner does not know; the check does. For experiments that show what knowing is worth.
  std::vector<KnownMotion> unknown = {};
  std::uint64_t seed = 0;
  std::function<bool()> stopRequested = {};
};

struct RealTimeRunResult {
  std::vector<RealTimeResponse> responses;  ///< One a target.
  std::vector<bool> reached;                ///< True if the robot came to rest there.
  std::vector<bool> interrupted;            ///< True if the target was replaced on the way.
  MotionAudit::Findings findings;
  double duration = 0;     ///< Seconds of the robot's clock.
  std::uint64_t hash = 0;  ///< Hash of every bit of every configuration, tick by tick.
  Trajectory motion;       ///< Whole configurations, tick by tick.
  Value report;            ///< All of this by name, but the motion.
};

/// Targets are free places where the robot can stay. Throws `Error` where there are none to be found.
RealTimeRunResult runRealTime(std::shared_ptr<const World> world, const RealTimeRunSettings& settings);
/// The report as text.
std::string realTimeReportText(const Value& report);

}  // namespace mortise
