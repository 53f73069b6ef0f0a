#include "mortise/timing/torque_bounds.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"

namespace mortise {

namespace {

/// A motor that needs no more than this share of its room at any state of the box bounds nothing there.
constexpr double kNever = 0.75;

bool neverBounds(const PathRow& row, const PathBox& box) {
  const double maximum =
      (row.alpha == 0 ? 0 : std::abs(row.alpha) * box.u) + (row.beta == 0 ? 0 : std::abs(row.beta) * box.x);
  return maximum <= kNever * row.gamma;
}

}  // namespace

std::vector<MotorLimit> motorLimits(const Robot& robot) {
  std::vector<MotorLimit> limits;
  for (const Driver& driver : robot.drivers()) {
    if (driver.type != DriverType::normal && driver.type != DriverType::affine) continue;
    const bool affine = driver.type == DriverType::affine;
    MotorLimit limit;
    limit.name = driver.name.empty() && !driver.links.empty() ? robot.link(driver.links.front()).name : driver.name;
    limit.low = driver.torqueMin;
    limit.high = driver.torqueMax;
    bool welded = true;
    for (std::size_t k = 0; k < (affine ? driver.links.size() : 1); ++k) {
      const int link = driver.links[k], joint = robot.jointOfLink(link);
      welded = welded && joint >= 0 && robot.joints()[static_cast<std::size_t>(joint)].type == JointType::weld;
      limit.links.push_back(link);
      limit.scale.push_back(affine ? driver.scale[k] : 1);
      if (affine) continue;
      limit.low = std::max(limit.low, -robot.link(link).torqueMax);
      limit.high = std::min(limit.high, robot.link(link).torqueMax);
    }
    if (welded || (std::isinf(limit.low) && std::isinf(limit.high))) continue;
    limits.push_back(std::move(limit));
  }
  return limits;
}

TorqueBounds::TorqueBounds(RobotPtr robot, const Vector3d& gravity_W, double scale)
    : motors_(motorLimits(*robot)),
      dynamics_(robot),
      gravity_W_(gravity_W),
      zero_(VectorXd::Zero(robot->numLinks())),
      rest_(zero_),
      first_(zero_),
      second_(zero_) {
  for (MotorLimit& motor : motors_) {
    motor.low *= scale;
    motor.high *= scale;
  }
}

double TorqueBounds::torqueOf(const MotorLimit& motor, const VectorXd& torques) {
  double sum = 0;
  for (std::size_t k = 0; k < motor.links.size(); ++k) sum += motor.scale[k] * torques[motor.links[k]];
  return sum;
}

void TorqueBounds::addRows(const VectorXd& q, const VectorXd& slope, const VectorXd& bend, const PathBox& box,
                           std::vector<PathRow>& rows) {
  const auto add = [&](const PathRow& row) {
    if (!neverBounds(row, box)) rows.push_back(row);
  };
  dynamics_.setPosition(q);
  dynamics_.inverseDynamics(zero_, gravity_W_, rest_);
  dynamics_.inverseDynamics(slope, gravity_W_, first_);
  dynamics_.setState(q, slope);
  dynamics_.inverseDynamics(bend, gravity_W_, second_);
  for (const MotorLimit& motor : motors_) {
    const double rest = torqueOf(motor, rest_), alpha = torqueOf(motor, first_) - rest,
                 beta = torqueOf(motor, second_) - rest;
    if (std::isfinite(motor.high)) add({alpha, beta, motor.high - rest});
    if (std::isfinite(motor.low)) add({-alpha, -beta, rest - motor.low});
  }
}

double TorqueBounds::excess(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq) {
  dynamics_.setState(q, dq);
  dynamics_.inverseDynamics(ddq, gravity_W_, first_);
  dynamics_.setPosition(q);
  dynamics_.inverseDynamics(zero_, gravity_W_, rest_);
  double maximum = 0;
  for (const MotorLimit& motor : motors_) {
    const double rest = torqueOf(motor, rest_), moving = torqueOf(motor, first_) - rest;
    const double room = moving > 0 ? motor.high - rest : rest - motor.low;
    // A torque of rounding alone moves nothing.
    if (std::abs(moving) <= 1e-12 * (std::abs(rest) + 1)) continue;
    maximum = std::max(maximum, room > 0 ? std::abs(moving) / room : kInfinity);
  }
  return maximum;
}

double TorqueBounds::utilization(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq) {
  dynamics_.setState(q, dq);
  dynamics_.inverseDynamics(ddq, gravity_W_, first_);
  double maximum = 0;
  for (const MotorLimit& motor : motors_) {
    const double torque = torqueOf(motor, first_), limit = torque > 0 ? motor.high : -motor.low;
    if (std::abs(torque) <= 1e-12) continue;
    maximum = std::max(maximum, limit > 0 ? std::abs(torque) / limit : kInfinity);
  }
  return maximum;
}

std::string TorqueBounds::explain(const VectorXd& q) {
  dynamics_.setPosition(q);
  dynamics_.inverseDynamics(zero_, gravity_W_, rest_);
  double maximum = 1;
  std::string why;
  for (const MotorLimit& motor : motors_) {
    const double torque = torqueOf(motor, rest_), limit = torque > 0 ? motor.high : -motor.low;
    if (!(std::abs(torque) > maximum * std::max(limit, 0.0))) continue;
    maximum = limit > 0 ? std::abs(torque) / limit : kInfinity;
    why = "even at rest motor '" + motor.name + "' needs a torque of " + formatReal(torque) + ", and has " +
          formatReal(limit);
  }
  return why;
}

}  // namespace mortise
