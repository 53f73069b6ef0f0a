#include <algorithm>
#include <array>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/control/policy_grid.h"
#include "mortise/control/tabulated_policy.h"
#include "mortise/dynamics/robot_dynamics.h"

namespace mortise {

namespace {

constexpr double kSubstep = 0.005;                  // s
constexpr int kEvaluations = 8;                     // Sweeps between two that choose.
constexpr double kShortest = 0.01, kLongest = 0.1;  // s: how long a torque is held in the search.

/// The robot under driver torques.
class DrivenRobot {
 public:
  DrivenRobot(const RobotPtr& robot, const Vector3d& gravity)
      : robot_(*robot), dynamics_(robot), gravity_(gravity), tau_(robot->numLinks()), ddq_(robot->numLinks()) {}

  void accelerations(const VectorXd& q, const VectorXd& dq, const VectorXd& torques, VectorXd& ddq) {
    tau_.setZero();
    for (int d = 0; d < robot_.numDrivers(); ++d) {
      const Driver& driver = robot_.driver(d);
      for (std::size_t k = 0; k < driver.links.size(); ++k)
        tau_[driver.links[k]] += torques[d] * (driver.type == DriverType::affine ? driver.scale[k] : 1.0);
    }
    dynamics_.setState(q, dq);
    dynamics_.forwardDynamics(tau_, gravity_, ddq);
  }

  /// Semi-implicit Euler; links stop at their limits, and speeds stay within theirs.
  void advance(VectorXd& q, VectorXd& dq, const VectorXd& torques, double seconds) {
    const int steps = std::max(1, static_cast<int>(std::ceil(seconds / kSubstep - 1e-9)));
    const double h = seconds / steps;
    for (int k = 0; k < steps; ++k) {
      accelerations(q, dq, torques, ddq_);
      dq += h * ddq_;
      for (int i = 0; i < robot_.numLinks(); ++i) {
        const Link& link = robot_.link(i);
        dq[i] = std::clamp(dq[i], link.velocityMin, link.velocityMax);
        q[i] += h * dq[i];
        if (turnsFully(robot_, i) || (q[i] >= link.qMin && q[i] <= link.qMax)) continue;
        q[i] = std::clamp(q[i], link.qMin, link.qMax);
        dq[i] = 0;
      }
    }
  }

 private:
  const Robot& robot_;
  RobotDynamics dynamics_;
  Vector3d gravity_;
  VectorXd tau_, ddq_;
};

/// None, and each combination of some torques of each driver that has any.
std::vector<VectorXd> torquesTried(const Robot& robot, int levels) {
  std::vector<VectorXd> list = {VectorXd::Zero(robot.numDrivers())};
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const Driver& driver = robot.driver(d);
    if (driver.torqueMax == 0 && driver.torqueMin == 0) continue;
    if (!std::isfinite(driver.torqueMax) || !std::isfinite(driver.torqueMin))
      throw Error("driver '" + driver.name + "' has no torque limits", {}, "a table of torques needs torqueMax");
    const std::size_t before = list.size();
    for (int k = 1; k <= levels; ++k)
      for (const double limit : {driver.torqueMin, driver.torqueMax})
        for (std::size_t i = 0; i < before; ++i) {
          VectorXd torque = list[i];
          torque[d] = limit * k / levels;
          list.push_back(std::move(torque));
        }
  }
  return list;
}

class PolicySearcher {
 public:
  explicit PolicySearcher(const PolicyProblem& problem)
      : problem_(problem), robot_(*problem.robot), links_(robot_.numLinks()), driven_(problem.robot, problem.gravity) {
    layOut();
    actions_ = torquesTried(robot_, problem.levels);
    tabulate();
  }

  PolicySearch run() {
    std::vector<double>& V = result_.costs;
    V.assign(cells_, 0.0);
    chosen_.assign(cells_, 0);
    for (; result_.sweeps < problem_.maxSweeps && !result_.converged; ++result_.sweeps) {
      if (problem_.stopRequested && problem_.stopRequested()) break;
      double change = 0, largest = 0;
      for (std::size_t k = 0; k < cells_; ++k) {
        const std::size_t cell = result_.sweeps % 2 == 0 ? k : cells_ - 1 - k;
        const auto [action, value] = best(cell);
        chosen_[cell] = static_cast<std::uint16_t>(action);
        change = std::max(change, std::abs(value - V[cell]));
        largest = std::max(largest, value);
        V[cell] = value;
      }
      result_.converged = change <= 1e-4 * largest;
      // Costs of what was chosen are cheap beside choosing anew (modified policy iteration, Puterman and Shin, 1978).
      for (int again = 0; again < kEvaluations && !result_.converged; ++again)
        for (std::size_t k = 0; k < cells_; ++k) {
          const std::size_t cell = again % 2 == 0 ? cells_ - 1 - k : k;
          V[cell] = costOf(cell, chosen_[cell]);
        }
    }
    result_.policy.torques.resize(cells_);
    for (std::size_t cell = 0; cell < cells_; ++cell) result_.policy.torques[cell] = actions_[best(cell).first];
    return std::move(result_);
  }

 private:
  void layOut() {
    TabulatedPolicy& policy = result_.policy;
    const int axes = 2 * links_;
    if (problem_.cell.size() != axes || problem_.goal.size() != links_ || problem_.weights.size() != links_)
      throw Error(
          "a table needs the length of a cell for each position and velocity, and a goal and a weight for each "
          "link");
    policy.cell = problem_.cell;
    double cells = 1;
    for (int axis = 0; axis < axes; ++axis) {
      const Link& link = robot_.link(axis % links_);
      const bool turns = axis < links_ && turnsFully(robot_, axis);
      double from = axis < links_ ? link.qMin : link.velocityMin, to = axis < links_ ? link.qMax : link.velocityMax;
      double& length = policy.cell[axis];
      if (!(length > 0)) throw Error("a cell has a length above 0");
      if (turns) {
        from = 0;
        to = kTurn;
        length = kTurn / std::ceil(kTurn / length - 1e-9);
      }
      if (!std::isfinite(from) || !std::isfinite(to) || !(to > from))
        throw Error("link '" + link.name + "' has no finite range of " + (axis < links_ ? "positions" : "velocities"),
                    {}, "a table needs limits: qMin, qMax and velMax");
      policy.low.push_back(static_cast<int>(std::floor(from / length + 1e-9)));
      policy.high.push_back(static_cast<int>(std::ceil(to / length - 1e-9)) - 1);
      cells *= policy.high.back() - policy.low.back() + 1;
      wraps_.push_back(turns);
    }
    if (cells > kMaxCells) throw Error("the table would have more than ten million cells", {}, "choose longer cells");
    cells_ = policy.numCells();
    stride_.assign(static_cast<std::size_t>(axes), 1);
    for (int axis = axes - 2; axis >= 0; --axis) {
      const auto a = static_cast<std::size_t>(axis);
      stride_[a] = stride_[a + 1] * static_cast<std::size_t>(count(axis + 1));
    }
  }

  int count(int axis) const {
    const auto a = static_cast<std::size_t>(axis);
    return result_.policy.high[a] - result_.policy.low[a] + 1;
  }

  void center(std::size_t cell, VectorXd& q, VectorXd& dq) const {
    for (int axis = 0; axis < 2 * links_; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const auto k = static_cast<int>(cell / stride_[a] % static_cast<std::size_t>(count(axis)));
      const double x = (result_.policy.low[a] + k + 0.5) * result_.policy.cell[axis];
      (axis < links_ ? q[axis] : dq[axis - links_]) = x;
    }
  }

  /// Tabulates where each torque leads to from each cell, and how long it is held.
  void tabulate() {
    const auto axes = static_cast<std::size_t>(2 * links_);
    next_.resize(cells_ * actions_.size() * axes);
    span_.resize(cells_ * actions_.size());
    cost_.resize(cells_);
    VectorXd q(links_), dq(links_), ddq(links_);
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      center(cell, q, dq);
      cost_[cell] = std::sqrt(problem_.weights.dot(turnedDifference(robot_, q, problem_.goal).cwiseAbs2()));
      for (std::size_t a = 0; a < actions_.size(); ++a) {
        VectorXd q1 = q, dq1 = dq;
        driven_.accelerations(q1, dq1, actions_[a], ddq);
        double span = kLongest;
        for (int i = 0; i < links_; ++i)
          span = std::min({span, result_.policy.cell[i] / std::max(std::abs(dq[i]), 1e-9),
                           result_.policy.cell[links_ + i] / std::max(std::abs(ddq[i]), 1e-9)});
        span = std::max(span, kShortest);
        driven_.advance(q1, dq1, actions_[a], span);
        const std::size_t at = cell * actions_.size() + a;
        span_[at] = static_cast<float>(span);
        for (std::size_t axis = 0; axis < axes; ++axis)
          next_[at * axes + axis] = static_cast<float>(place(static_cast<int>(axis), q1, dq1));
      }
    }
  }

  /// A coordinate in cells, 0 at the center of the first.
  double place(int axis, const VectorXd& q, const VectorXd& dq) const {
    const auto a = static_cast<std::size_t>(axis);
    const double x = axis < links_ ? q[axis] : dq[axis - links_];
    const double u = x / result_.policy.cell[axis] - result_.policy.low[a] - 0.5;
    const double cells = count(axis);
    return wraps_[a] ? u - cells * std::floor(u / cells) : std::clamp(u, 0.0, cells - 1);
  }

  double interpolated(const float* place) const {
    // Corners in turn: a bit an axis.
    const int axes = 2 * links_;
    std::array<std::size_t, 32> lower{}, upper{};
    std::array<double, 32> part{};
    for (int axis = 0; axis < axes; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const int cells = count(axis);
      const int k = std::min(static_cast<int>(place[a]), cells - 1);
      const int above = k + 1 < cells ? k + 1 : (wraps_[a] ? 0 : k);
      lower[a] = static_cast<std::size_t>(k) * stride_[a];
      upper[a] = static_cast<std::size_t>(above) * stride_[a];
      part[a] = place[a] - k;
    }
    double sum = 0;
    for (unsigned corner = 0; corner < (1u << axes); ++corner) {
      double weight = 1;
      std::size_t index = 0;
      for (int axis = 0; axis < axes; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const bool up = (corner >> axis & 1u) != 0;
        weight *= up ? part[a] : 1 - part[a];
        index += up ? upper[a] : lower[a];
      }
      if (weight > 0) sum += weight * result_.costs[index];
    }
    return sum;
  }

  double costOf(std::size_t cell, std::size_t action) const {
    const auto axes = static_cast<std::size_t>(2 * links_);
    const std::size_t at = cell * actions_.size() + action;
    const double rate = -std::log(problem_.discount);
    const double left = std::exp(-rate * span_[at]);
    const double held = rate > 0 ? (1 - left) / rate : span_[at];
    return cost_[cell] * held + left * interpolated(&next_[at * axes]);
  }

  /// The best torque of a cell and its cost.
  std::pair<std::size_t, double> best(std::size_t cell) const {
    std::pair<std::size_t, double> found = {0, kInfinity};
    for (std::size_t a = 0; a < actions_.size(); ++a) {
      const double cost = costOf(cell, a);
      if (cost < found.second - 1e-12) found = {a, cost};
    }
    return found;
  }

  const PolicyProblem& problem_;
  const Robot& robot_;
  int links_;
  DrivenRobot driven_;
  PolicySearch result_;
  std::vector<VectorXd> actions_;
  std::vector<std::size_t> stride_;
  std::vector<bool> wraps_;
  std::size_t cells_ = 0;
  std::vector<float> next_, span_;
  std::vector<std::uint16_t> chosen_;
  std::vector<double> cost_;
};

}  // namespace

VectorXd turnedDifference(const Robot& robot, const VectorXd& a, const VectorXd& b) {
  VectorXd difference = a - b;
  for (int i = 0; i < robot.numLinks(); ++i)
    if (turnsFully(robot, i)) difference[i] = std::remainder(difference[i], kTurn);
  return difference;
}

PolicySearch findPolicy(const PolicyProblem& problem) {
  constexpr int kMaxLinks = 4;
  const Robot& robot = *problem.robot;
  if (robot.numLinks() > kMaxLinks)
    throw Error("robot '" + robot.name() + "' has " + std::to_string(robot.numLinks()) + " links; tables are for " +
                std::to_string(kMaxLinks) + " at most, as they grow with two axes a link");
  if (!(problem.discount > 0 && problem.discount <= 1)) throw Error("a discount is above 0 and at most 1");
  if (problem.levels < 1) throw Error("one level of torque at least is tried");
  return PolicySearcher(problem).run();
}

PolicyRun runPolicy(const RobotPtr& robot, const TabulatedPolicy& policy, const VectorXd& q, const VectorXd& dq,
                    double duration, double rate, const Vector3d& gravity) {
  DrivenRobot driven(robot, gravity);
  PolicyRun run{{q}, {dq}};
  VectorXd now = q, speed = dq;
  const auto steps = static_cast<long>(std::llround(duration * rate));
  for (long k = 0; k < steps; ++k) {
    driven.advance(now, speed, policy.at(*robot, now, speed), 1 / rate);
    run.q.push_back(now);
    run.dq.push_back(speed);
  }
  return run;
}

}  // namespace mortise
