#include "mortise/configuration/configuration_space.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

double withinTurn(double angle) {
  const double wrapped = angle - kTurn * std::floor(angle / kTurn);
  return wrapped < kTurn ? wrapped : 0;  // A negative angle next to 0 rounds up to a whole turn.
}

/// The shorter way round from a to b, in [-pi, pi].
double aroundCircle(double a, double b) { return std::remainder(b - a, kTurn); }

Vector3d get(const VectorXd& q, const int (&links)[3]) { return {q[links[0]], q[links[1]], q[links[2]]}; }

void set(VectorXd& q, const int (&links)[3], const Vector3d& values) {
  for (int k = 0; k < 3; ++k) q[links[k]] = values[k];
}

Vector3d anglesOf(const Matrix3d& R) {
  const Vector3d zyx = eulerZyxFromRotation(R);
  return {withinTurn(zyx[0]), zyx[1], withinTurn(zyx[2])};
}

/// Returns the axes that the rates of angles (z, y, x) turn about.
Matrix3d axesOf(const Vector3d& zyx) {
  const double a = zyx[0], b = zyx[1];
  Matrix3d axes;
  axes.col(0) = Vector3d::UnitZ();
  axes.col(1) = Vector3d(-std::sin(a), std::cos(a), 0);
  axes.col(2) = Vector3d(std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), -std::sin(b));
  return axes;
}

Vector3d ratesOf(const Vector3d& zyx, const Vector3d& w) {
  const Matrix3d axes = axesOf(zyx);
  if (std::abs(std::cos(zyx[1])) > 1e-9) return axes.inverse() * w;
  // Axes z and x coincide up to sign: they share the rate about them, and what cannot be reached is dropped.
  const double sign = axes(2, 2) > 0 ? 1 : -1;
  return {w.z() / 2, axes.col(1).dot(w), sign * w.z() / 2};
}

bool full(const Link& link) { return link.qMax - link.qMin >= kTurn * (1 - 1e-6); }

/// Sums distances in a norm.
class Norm {
 public:
  explicit Norm(double order) : order_(order) {
    if (!(order >= 1)) throw Error("the norm of a distance must be at least 1");
  }
  void add(double x) {
    x = std::abs(x);
    if (order_ == 2)
      sum_ += x * x;
    else if (std::isinf(order_))
      sum_ = std::max(sum_, x);
    else
      sum_ += std::pow(x, order_);
  }
  double result() const {
    return order_ == 2 ? std::sqrt(sum_) : std::isinf(order_) ? sum_ : std::pow(sum_, 1 / order_);
  }

 private:
  double order_;
  double sum_ = 0;
};

}  // namespace

ConfigurationSpace::ConfigurationSpace(RobotPtr robot) : robot_(std::move(robot)) {
  std::vector<char> taken(robot_->numLinks(), 0);
  for (const Joint& joint : robot_->joints()) {
    if (taken[joint.link]) continue;
    switch (joint.type) {
      case JointType::weld:
      case JointType::normal:
      case JointType::spin:
        taken[joint.link] = 1;
        // A prismatic link of a spin joint has no circle to go round.
        parts_.push_back(
            {.space = joint.type == JointType::weld ? Space::weld
                      : joint.type == JointType::spin && robot_->link(joint.link).motion == LinkMotion::revolute
                          ? Space::circle
                          : Space::line,
             .links = {joint.link, -1, -1}});
        break;
      default:
        addChain(joint, taken);
    }
  }
  for (int i = 0; i < robot_->numLinks(); ++i)
    if (!taken[i]) parts_.push_back({.space = Space::line, .links = {i, -1, -1}});
  std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.links[0] < b.links[0]; });
}

void ConfigurationSpace::addChain(const Joint& joint, std::vector<char>& taken) {
  std::vector<int> chain;
  for (int i = joint.link; i != joint.base; i = robot_->link(i).parent) {
    if (taken[i]) return;  // Two joints claim the link; the first one has it.
    chain.push_back(i);
  }
  std::reverse(chain.begin(), chain.end());
  for (const int i : chain) taken[i] = 1;
  std::size_t first = chain.size();
  if (joint.type != JointType::floatingPlanar && chain.size() >= 3) {
    // Only angles about z, y and x through one point are the coordinates of a rotation.
    bool euler = true;
    for (int k = 0; k < 3; ++k) {
      const Link& link = robot_->link(chain[chain.size() - 3 + k]);
      euler = euler && link.motion == LinkMotion::revolute && link.axis == Vector3d::Unit(2 - k) &&
              (k == 0 || link.X_PL0 == RigidTransform());
    }
    if (euler) {
      first = chain.size() - 3;
      parts_.push_back(
          {.space = Space::rotation, .links = {chain[first], chain[first + 1], chain[first + 2]}, .ofChain = true});
    }
  }
  for (std::size_t k = 0; k < first; ++k) {
    const bool turns = robot_->link(chain[k]).motion == LinkMotion::revolute;
    parts_.push_back({.space = turns ? Space::circle : Space::line, .links = {chain[k], -1, -1}, .ofChain = turns});
  }
}

void ConfigurationSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  const int n = robot_->numLinks();
  MORTISE_REQUIRE_SIZE(a, n, "one for each link");
  MORTISE_REQUIRE_SIZE(b, n, "one for each link");
  q.resize(n);
  for (const Part& part : parts_) {
    const int i = part.links[0];
    switch (part.space) {
      case Space::weld:
      case Space::line:
        q[i] = (1 - u) * a[i] + u * b[i];
        break;
      case Space::circle:
        q[i] = withinTurn(a[i] + u * aroundCircle(a[i], b[i]));
        break;
      case Space::rotation: {
        const Matrix3d A = rotationFromEulerZyx(get(a, part.links)), B = rotationFromEulerZyx(get(b, part.links));
        set(q, part.links, anglesOf(A * rotationFromMoment(u * momentFromRotation(A.transpose() * B))));
        break;
      }
    }
  }
}

void ConfigurationSpace::velocity(const VectorXd& a, const VectorXd& b, double u, VectorXd& dq) const {
  const int n = robot_->numLinks();
  MORTISE_REQUIRE_SIZE(a, n, "one for each link");
  MORTISE_REQUIRE_SIZE(b, n, "one for each link");
  dq.resize(n);
  for (const Part& part : parts_) {
    const int i = part.links[0];
    switch (part.space) {
      case Space::weld:
        dq[i] = 0;
        break;
      case Space::line:
        dq[i] = b[i] - a[i];
        break;
      case Space::circle:
        dq[i] = aroundCircle(a[i], b[i]);
        break;
      case Space::rotation: {
        const Vector3d start = get(a, part.links);
        const Matrix3d A = rotationFromEulerZyx(start), B = rotationFromEulerZyx(get(b, part.links));
        const Vector3d moment = momentFromRotation(A.transpose() * B);
        // The axis stays where it is; the angles that it is told in do not.
        const Vector3d here = u == 0 ? start : anglesOf(A * rotationFromMoment(u * moment));
        set(dq, part.links, ratesOf(here, A * moment));
        break;
      }
    }
  }
}

void ConfigurationSpace::integrate(const VectorXd& q, const VectorXd& dq, VectorXd& result) const {
  const int n = robot_->numLinks();
  MORTISE_REQUIRE_SIZE(q, n, "one for each link");
  MORTISE_REQUIRE_SIZE(dq, n, "one for each link");
  result.resize(n);
  for (const Part& part : parts_) {
    const int i = part.links[0];
    switch (part.space) {
      case Space::weld:
      case Space::line:
        result[i] = q[i] + dq[i];
        break;
      case Space::circle:
        result[i] = withinTurn(q[i] + dq[i]);
        break;
      case Space::rotation: {
        const Vector3d angles = get(q, part.links);
        const Vector3d w = axesOf(angles) * get(dq, part.links);
        set(result, part.links, anglesOf(rotationFromMoment(w) * rotationFromEulerZyx(angles)));
        break;
      }
    }
  }
}

double ConfigurationSpace::distance(const VectorXd& a, const VectorXd& b,
                                    const ConfigurationDistanceOptions& options) const {
  const int n = robot_->numLinks();
  MORTISE_REQUIRE_SIZE(a, n, "one for each link");
  MORTISE_REQUIRE_SIZE(b, n, "one for each link");
  if (options.weights.size() > 0) MORTISE_REQUIRE_SIZE(options.weights, n, "one for each link");
  const auto weight = [&options](int link) { return options.weights.size() > 0 ? options.weights[link] : 1.0; };
  Norm norm(options.norm);
  for (const Part& part : parts_) {
    const int i = part.links[0];
    const double rotation = part.ofChain ? options.rotationWeight : 1;
    switch (part.space) {
      case Space::weld:
        break;
      case Space::line:
        norm.add(weight(i) * (b[i] - a[i]));
        break;
      case Space::circle:
        norm.add(rotation * weight(i) * aroundCircle(a[i], b[i]));
        break;
      case Space::rotation: {
        const Matrix3d A = rotationFromEulerZyx(get(a, part.links)), B = rotationFromEulerZyx(get(b, part.links));
        norm.add(rotation * weight(part.links[2]) * momentFromRotation(A.transpose() * B).norm());
        break;
      }
    }
  }
  return norm.result();
}

void ConfigurationSpace::normalize(VectorXd& q) const {
  MORTISE_REQUIRE_SIZE(q, robot_->numLinks(), "one for each link");
  for (const Part& part : parts_) {
    if (part.space == Space::circle) q[part.links[0]] = withinTurn(q[part.links[0]]);
    if (part.space == Space::rotation) set(q, part.links, anglesOf(rotationFromEulerZyx(get(q, part.links))));
  }
}

bool ConfigurationSpace::withinLimits(const VectorXd& q, double tolerance) const {
  MORTISE_REQUIRE_SIZE(q, robot_->numLinks(), "one for each link");
  for (const Part& part : parts_)
    for (const int i : part.links) {
      if (i < 0) continue;
      const Link& link = robot_->link(i);
      double value = q[i];
      if (part.space == Space::circle && !(link.qMin <= value && value <= link.qMax)) {
        if (full(link)) continue;
        value = unwrapNear(value, 0.5 * (link.qMin + link.qMax));
      }
      if (!(value >= link.qMin - tolerance && value <= link.qMax + tolerance)) return false;
    }
  return true;
}

double ConfigurationSpace::sampleLink(RandomStream& random, const Link& link, const SampleOptions& options) const {
  const bool below = std::isfinite(link.qMin), above = std::isfinite(link.qMax);
  if (below && above) return link.qMin == link.qMax ? link.qMin : random.uniform(link.qMin, link.qMax);
  const double away = -options.unboundedScale * std::log1p(-random.uniform());
  if (below) return link.qMin + away;
  if (above) return link.qMax - away;
  return random.uniform() < 0.5 ? -away : away;
}

void ConfigurationSpace::sample(RandomStream& random, VectorXd& q, const SampleOptions& options) const {
  q.resize(robot_->numLinks());
  for (const Part& part : parts_) {
    const int i = part.links[0];
    switch (part.space) {
      case Space::weld:
        q[i] = robot_->link(i).q;
        break;
      case Space::line:
        q[i] = sampleLink(random, robot_->link(i), options);
        break;
      case Space::circle:
        q[i] = full(robot_->link(i)) ? random.uniform(0, kTurn) : sampleLink(random, robot_->link(i), options);
        break;
      case Space::rotation: {
        bool free = true;
        for (const int link : part.links) free = free && full(robot_->link(link));
        if (!free) {
          for (const int link : part.links)
            q[link] =
                full(robot_->link(link)) ? random.uniform(0, kTurn) : sampleLink(random, robot_->link(link), options);
          break;
        }
        const double r = random.uniform(), s = random.uniform(0, kTurn), t = random.uniform(0, kTurn);
        const double x = std::sqrt(1 - r), y = std::sqrt(r);
        const Eigen::Quaterniond turn(y * std::cos(t), x * std::sin(s), x * std::cos(s), y * std::sin(t));
        set(q, part.links, anglesOf(turn.toRotationMatrix()));
        break;
      }
    }
  }
  for (const Driver& driver : robot_->drivers()) {
    if (driver.type != DriverType::affine) continue;
    // The values that keep the driver and every one of its links within their limits.
    double low = driver.qMin, high = driver.qMax;
    for (std::size_t k = 0; k < driver.links.size(); ++k) {
      const Link& link = robot_->link(driver.links[k]);
      const double a = (link.qMin - driver.offset[k]) / driver.scale[k];
      const double b = (link.qMax - driver.offset[k]) / driver.scale[k];
      low = std::max(low, std::min(a, b));
      high = std::min(high, std::max(a, b));
    }
    if (low > high) continue;  // Nothing satisfies all; each link stays within its own.
    Link range;
    range.qMin = low;
    range.qMax = high;
    const double value = sampleLink(random, range, options);
    for (std::size_t k = 0; k < driver.links.size(); ++k)
      q[driver.links[k]] = driver.offset[k] + driver.scale[k] * value;
  }
}

}  // namespace mortise
