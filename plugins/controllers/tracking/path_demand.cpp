#include "tracking/path_demand.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"

namespace mortise::controllers {

namespace {

/// Fraction of a limit by which a timed motion may exceed it before anything is said.
constexpr double kVelocityTolerance = 1e-6, kAccelerationTolerance = 0.05;
/// s: of six digits of an angle in a file, 1e-5 rad, this leaves 0.05 rad/s^2.
constexpr double kWindow = 0.02;

}  // namespace

void PathDemand::Worst::count(int which, double ratio, double when) {
  if (!(ratio > fraction)) return;
  fraction = ratio;
  link = which;
  time = when;
}

void PathDemand::countVelocity(int link, double fraction, double time) { velocity_.count(link, fraction, time); }

void PathDemand::add(const VectorXd& from, const VectorXd& to, double time, double duration) {
  if (!(duration > 0)) return;
  if (length_ == 0) {
    moved_ = VectorXd::Zero(from.size());
    start_ = time;
  }
  for (Eigen::Index i = 0; i < from.size(); ++i)
    moved_[i] += nearestTurn(limits_[static_cast<std::size_t>(i)], from[i], to[i]) - from[i];
  length_ += duration;
  if (length_ >= kWindow) closeWindow();
}

void PathDemand::closeWindow() {
  moved_ /= length_;
  if (lengthBefore_ > 0)
    for (Eigen::Index i = 0; i < moved_.size(); ++i) {
      const double limit = limits_[static_cast<std::size_t>(i)].aMax;
      if (!(limit > 0) || std::isinf(limit)) continue;
      const double acceleration = std::abs(moved_[i] - before_[i]) / (0.5 * (length_ + lengthBefore_));
      acceleration_.count(static_cast<int>(i), acceleration / limit, start_);
    }
  before_ = moved_;
  lengthBefore_ = length_;
  length_ = 0;
}

/// A driver's name where one moves the link, else that of the link.
std::string PathDemand::nameOf(int link) const {
  for (const Driver& driver : robot_.drivers())
    if (std::find(driver.links.begin(), driver.links.end(), link) != driver.links.end() && !driver.name.empty())
      return "'" + driver.name + "'";
  return "'" + robot_.link(link).name + "'";
}

std::string PathDemand::text() const {
  std::string text;
  if (velocity_.fraction > 1 + kVelocityTolerance)
    text = nameOf(velocity_.link) + " has to move at " + formatReal(velocity_.fraction, 3) +
           " times its velocity limit at t = " + formatReal(velocity_.time, 6) + " s";
  if (acceleration_.fraction > 1 + kAccelerationTolerance)
    text += (text.empty() ? "" : ", and ") + nameOf(acceleration_.link) + " has to accelerate at " +
            formatReal(acceleration_.fraction, 3) +
            " times its acceleration limit or more at t = " + formatReal(acceleration_.time, 6) + " s";
  return text;
}

}  // namespace mortise::controllers
