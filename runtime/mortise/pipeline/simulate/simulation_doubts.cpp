#include "mortise/pipeline/simulate/simulation_doubts.h"

#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/loading/world_configuration.h"

namespace mortise {

namespace {

constexpr double kSamePlace = 0.02;   ///< rad or m: so far off a path may start without a word, as controllers have it.
constexpr double kSameSpeed = 1.001;  ///< Fraction of a velocity limit.

const char* unitOf(const Link& link) { return link.motion == LinkMotion::prismatic ? " m" : " rad"; }

/// The first configuration beyond the joint limits.
void doubtLimits(const Trajectory& motion, WorldRobot robot, const PlacedText& follow, Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < motion.configurations.size(); ++k) {
    robot.q = motion.configurations[k];
    const std::string outside = outsideOfLimits(robot, "is led");
    if (outside.empty()) continue;
    diagnostics.warning("'follow': at " + formatReal(motion.times[k]) + " s " + outside, follow.where,
                        "angles of motions are in rad");
    return;
  }
}

/// The link that is asked for the most of its velocity limit.
void doubtSpeed(const Trajectory& motion, const WorldRobot& robot, const PlacedText& follow, Diagnostics& diagnostics) {
  double maximum = kSameSpeed;
  int fastest = -1;
  std::size_t where = 0;
  for (std::size_t k = 1; k < motion.configurations.size(); ++k) {
    const double dt = motion.times[k] - motion.times[k - 1];
    if (!(dt > 0)) continue;
    for (int i = 0; i < robot.robot->numLinks(); ++i) {
      const Link& link = robot.robot->link(i);
      // Joints that turn fully may go the other way round.
      if (!std::isfinite(link.qMin) || !(link.velocityMax > 0)) continue;
      const double fraction =
          std::abs(motion.configurations[k][i] - motion.configurations[k - 1][i]) / dt / link.velocityMax;
      if (!(fraction > maximum)) continue;
      maximum = fraction;
      fastest = i;
      where = k - 1;
    }
  }
  if (fastest >= 0)
    diagnostics.warning("'follow': from " + formatReal(motion.times[where]) + " s on link '" +
                            robot.robot->link(fastest).name + "' is to move at " + formatReal(maximum, 3) +
                            " times its velocity limit",
                        follow.where, "retime the motion, or give it more time");
}

}  // namespace

void doubtSettings(const SimulationPlan& plan, double step, Diagnostics& diagnostics) {
  const auto idle = [&](const char* key, const SourcePosition& where, const std::string& why, const char* hint) {
    if (where.known()) diagnostics.warning("'" + std::string(key) + "' has no effect: " + why, where, hint);
  };
  if (plan.record.list.empty()) {
    if (plan.recordRate) idle("record_rate", plan.recordRate->where, "nothing is recorded", "add 'record: [robots]'");
    // Files of locked runs name every setting; a recorder that is named for nothing differs from the default.
    if (plan.recorder.text != SimulationPlan().recorder.text)
      idle("recorder", plan.recorder.where, "nothing is recorded", "add 'record: [robots]'");
  } else if (plan.recordRate && plan.recordRate->value * step > 1.01) {
    diagnostics.warning("'record_rate': steps of " + formatReal(step) + " s have " + formatReal(1 / step) +
                            " rows a second at most, not " + formatReal(plan.recordRate->value),
                        plan.recordRate->where, "take a smaller step or a lower rate");
  }
  if (!plan.followRobot.isNull() && plan.follow.empty() && plan.milestones.empty())
    idle("robot", plan.followRobot.position(), "no motion is followed", "add 'follow', or leave it out");
  if (!plan.config.isNull() && !plan.state.empty())
    idle("config", plan.config.position(), "'state' says where robots are", "leave out one of the two");
}

void doubtMotion(const Trajectory& motion, const WorldRobot& robot, const VectorXd& start, const PlacedText& follow,
                 Diagnostics& diagnostics) {
  if (motion.empty() || motion.configurations.front().size() != robot.robot->numLinks()) return;
  doubtLimits(motion, robot, follow, diagnostics);
  doubtSpeed(motion, robot, follow, diagnostics);
  if (start.size() != motion.configurations.front().size()) return;
  Eigen::Index at = 0;
  const VectorXd off = motion.configurations.front() - start;
  const double maximum = off.cwiseAbs().maxCoeff(&at);
  const Link& link = robot.robot->link(static_cast<int>(at));
  // Joints that turn fully may be a turn apart.
  if (!(maximum > kSamePlace) || !std::isfinite(link.qMin)) return;
  diagnostics.warning("'follow': the motion starts where link '" + link.name + "' is " + formatReal(maximum, 3) +
                          unitOf(link) + " from where robot '" + robot.name + "' starts",
                      follow.where, "give the stage the motion's start as its 'config'");
}

}  // namespace mortise
