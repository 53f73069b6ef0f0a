#include "mortise/timing/multipath/multipath_check.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/contact_bounds.h"
#include "mortise/timing/multipath/constrained_curve.h"
#include "mortise/timing/torque_bounds.h"

namespace mortise {

namespace {

class Checker {
 public:
  Checker(const RobotPtr& robot, const MultiPath& path, const MultiPathCheckOptions& options)
      : robot_(robot), path_(unwrapped(robot, path)), options_(options) {}

  MultiPathCheck run() {
    for (std::size_t s = 0; s < path_.sections.size(); ++s) {
      if (s > 0) checkGap(s);
      if (robot_) checkSection(s);
    }
    return std::move(result_);
  }

 private:
  void add(const std::string& kind, std::size_t section, double at, double amount, const std::string& text) {
    std::vector<MultiPathFault>& faults = result_.faults;
    // The first of its kind and its worst amount stand for all of a section.
    for (MultiPathFault& fault : faults)
      if (fault.kind == kind && fault.text == text && fault.section == static_cast<int>(section)) {
        fault.amount = std::max(fault.amount, amount);
        return;
      }
    if (faults.size() >= options_.maxFaults) return;
    faults.push_back({kind, static_cast<int>(section), at, amount, text});
  }

  void checkGap(std::size_t s) {
    const MultiPath::Section &before = path_.sections[s - 1], &here = path_.sections[s];
    VectorXd difference = here.milestones.front() - before.milestones.back();
    Eigen::Index worst = 0;
    for (Eigen::Index j = 0; j < difference.size(); ++j)
      if (robot_ && turnsAround(*robot_, static_cast<int>(j))) difference[j] = std::remainder(difference[j], kTurn);
    const double gap = difference.size() > 0 ? difference.cwiseAbs().maxCoeff(&worst) : 0;
    result_.largestGap = std::max(result_.largestGap, gap);
    const std::string what =
        robot_ ? "'" + robot_->link(static_cast<int>(worst)).name + "'" : "number " + std::to_string(worst);
    if (gap > options_.gap)
      add("gap", s, here.times.empty() ? 0 : here.times.front(), gap,
          what + " jumps by " + formatReal(gap, 6) + " between sections " + std::to_string(s - 1) + " and " +
              std::to_string(s));
    if (here.times.empty()) return;
    const double wait = here.times.front() - before.times.back();
    if (std::abs(wait) > options_.gap)
      add("times", s, here.times.front(), wait,
          "section " + std::to_string(s) + " begins " + formatReal(wait, 6) + " s after the one before it ends");
  }

  void checkSection(std::size_t s) {
    const MultiPath::Section& section = path_.sections[s];
    const std::vector<IKGoal> goals = path_.goalsOf(s);
    std::unique_ptr<GoalResidual> residual;
    if (!goals.empty()) residual = std::make_unique<GoalResidual>(robot_, goals);
    const bool moving = !section.velocities.empty() && !section.times.empty();
    const std::size_t count = section.milestones.size();
    const VectorXd zero = VectorXd::Zero(path_.dimension());
    for (std::size_t i = 0; i < count; ++i) {
      checkPlace(s, placeOf(s, i, 0), section.milestones[i], residual.get());
      if (i + 1 == count) break;
      const VectorXd difference = section.milestones[i + 1] - section.milestones[i];
      const int parts =
          std::max(1, static_cast<int>(std::min(1e5, std::ceil(difference.cwiseAbs().maxCoeff() / options_.step))));
      HermiteTrajectory piece;
      if (moving && section.times[i + 1] > section.times[i])
        piece = {{section.times[i], section.times[i + 1]},
                 {section.milestones[i], section.milestones[i + 1]},
                 {section.velocities[i], section.velocities[i + 1]}};
      VectorXd q = zero, dq = zero;
      for (int k = 1; k < parts; ++k) {
        const double u = static_cast<double>(k) / parts;
        if (piece.empty())
          q = section.milestones[i] + u * difference;
        else
          piece.evaluate(placeOf(s, i, u), q, dq);
        checkPlace(s, placeOf(s, i, u), q, residual.get());
      }
    }
    if (!section.times.empty()) checkBounds(s, goals, moving);
  }

  double placeOf(std::size_t s, std::size_t i, double u) const {
    const MultiPath::Section& section = path_.sections[s];
    if (!section.times.empty())
      return u == 0 ? section.times[i] : section.times[i] + u * (section.times[i + 1] - section.times[i]);
    return (static_cast<double>(s) +
            (static_cast<double>(i) + u) / static_cast<double>(section.milestones.size() - 1)) /
           static_cast<double>(path_.sections.size());
  }

  void checkPlace(std::size_t s, double at, const VectorXd& q, GoalResidual* residual) {
    ++result_.configurations;
    for (int j = 0; j < robot_->numLinks(); ++j) {
      if (turnsAround(*robot_, j)) continue;
      const Link& link = robot_->link(j);
      const double over = std::max(q[j] - link.qMax, link.qMin - q[j]);
      if (over > options_.slack)
        add("position", s, at, over,
            "'" + link.name + "' is out of its range of " + formatReal(link.qMin, 6) + " to " +
                formatReal(link.qMax, 6));
    }
    if (residual != nullptr) {
      const double off = residual->at(q);
      result_.largestResidual = std::max(result_.largestResidual, off);
      if (off > options_.tolerance) add("goal", s, at, off, "links leave their goals");
    }
    if (!options_.collision) return;
    if (const std::string pair = options_.collision(static_cast<int>(s), q); !pair.empty())
      add("collision", s, at, 0, pair);
  }

  void checkBounds(std::size_t s, const std::vector<IKGoal>& goals, bool moving) {
    const MultiPath::Section& section = path_.sections[s];
    if (limits_.limits.empty()) limits_ = fullLimits(*robot_, options_.limits);
    HermiteTrajectory motion{section.times, section.milestones, section.velocities};
    std::vector<CoordinateLimits> limits = limits_.limits;
    if (!moving) {
      motion = {};
      // Straight at constant speed: velocities jump, and accelerations are not told.
      for (CoordinateLimits& limit : limits) limit.aMax = std::numeric_limits<double>::infinity();
    }
    for (std::size_t i = 0; i + 1 < section.times.size(); ++i) {
      BoundUsage usage;
      if (moving) {
        usage = boundUsage(motion, i, limits);
      } else if (section.times[i + 1] > section.times[i]) {
        const double h = section.times[i + 1] - section.times[i];
        const VectorXd v = (section.milestones[i + 1] - section.milestones[i]) / h;
        usage = boundUsage(
            {{section.times[i], section.times[i + 1]}, {section.milestones[i], section.milestones[i + 1]}, {v, v}}, 0,
            limits);
      }
      result_.peakVelocity = std::max(result_.peakVelocity, usage.velocity);
      result_.peakAcceleration = std::max(result_.peakAcceleration, usage.acceleration);
      const auto nameOf = [&](int j) { return "'" + limits_.names[static_cast<std::size_t>(j)] + "'"; };
      if (usage.velocity > 1 + options_.slack)
        add("velocity", s, section.times[i], usage.velocity, nameOf(usage.velocityCoordinate) + " is too fast");
      if (usage.acceleration > 1 + options_.slack)
        add("acceleration", s, section.times[i], usage.acceleration,
            std::isinf(usage.acceleration) ? "the velocity of " + nameOf(usage.accelerationCoordinate) + " jumps"
                                           : nameOf(usage.accelerationCoordinate) + " accelerates too much");
    }
    if (!moving || !(options_.torque || options_.contacts)) return;
    std::unique_ptr<PathBound> bound;
    if (goals.empty()) {
      bound = std::make_unique<TorqueBounds>(robot_, options_.gravity_W);
    } else {
      ContactBoundOptions own;
      own.gravity_W = options_.gravity_W;
      own.torques = options_.torque;
      own.friction = options_.contacts;
      bound = std::make_unique<ContactBounds>(robot_, section.goals, path_.holdsOf(s), own);
    }
    double time = section.times.front();
    const double utilization = largestUtilization(motion, *bound, 4, &time);
    result_.peakTorque = std::max(result_.peakTorque, utilization);
    if (utilization > 1 + options_.slack)
      add("torque", s, time, utilization,
          std::isinf(utilization) ? "no contact forces make the motion" : "a motor needs more than its torque");
  }

  RobotPtr robot_;
  const MultiPath path_;  ///< Unwrapped.
  const MultiPathCheckOptions& options_;
  MultiPathCheck result_;
  MotionLimits limits_;
};

}  // namespace

MultiPathCheck checkMultiPath(const RobotPtr& robot, const MultiPath& path, const MultiPathCheckOptions& options) {
  if (const std::string problem = path.problem(); !problem.empty()) throw Error(problem);
  if (robot && path.dimension() != robot->numLinks())
    throw Error("the configurations have " + std::to_string(path.dimension()) + " numbers, but robot '" +
                robot->name() + "' has " + std::to_string(robot->numLinks()) + " links");
  if (!(options.step > 0)) throw Error("configurations that are checked must be apart by more than 0");
  return Checker(robot, path, options).run();
}

}  // namespace mortise
