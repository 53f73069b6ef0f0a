#include "mortise/planning/spaces/robot_coordinates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"

namespace mortise {

namespace {

JointType jointOf(const Robot& robot, int link) {
  const int joint = robot.jointOfLink(link);
  return joint >= 0 ? robot.joints()[static_cast<std::size_t>(joint)].type : JointType::normal;
}

/// To 1e-9; with whole turns added or taken away where the link goes round.
bool withinLimits(const Link& link, double q, bool round) {
  constexpr double kSlack = 1e-9;
  if (round && std::isfinite(link.qMin)) q -= kTurn * std::floor((q - link.qMin + kSlack) / kTurn);
  if (round && !std::isfinite(link.qMin) && std::isfinite(link.qMax))
    q -= kTurn * std::ceil((q - link.qMax - kSlack) / kTurn);
  return q >= link.qMin - kSlack && q <= link.qMax + kSlack;
}

/// Ends of a driver's value that keep it and all its links within their limits.
void driverBounds(const Robot& robot, const Driver& driver, RobotCoordinate& coordinate) {
  coordinate.low = driver.qMin;
  coordinate.high = driver.qMax;
  for (std::size_t k = 0; k < driver.links.size(); ++k) {
    if (driver.scale[k] == 0) continue;
    const Link& link = robot.link(driver.links[k]);
    const double a = (link.qMin - driver.offset[k]) / driver.scale[k];
    const double b = (link.qMax - driver.offset[k]) / driver.scale[k];
    coordinate.low = std::max(coordinate.low, std::min(a, b));
    coordinate.high = std::min(coordinate.high, std::max(a, b));
  }
}

}  // namespace

RobotCoordinates::RobotCoordinates(RobotPtr robotModel, VectorXd base, const std::vector<int>& links,
                                   ConfigurationDistanceOptions metric, SampleOptions sampling)
    : space_(std::move(robotModel)), base_(std::move(base)), metric_(std::move(metric)), sampling_(sampling) {
  const int n = robot().numLinks();
  if (base_.size() != n || !base_.allFinite())
    throw Error("the configuration of robot '" + robot().name() + "' needs " + std::to_string(n) + " finite numbers");
  if (metric_.weights.size() != 0 && metric_.weights.size() != n)
    throw Error("weights of distances of robot '" + robot().name() + "': one a link is needed, " + std::to_string(n));
  coordinateOfLink_.assign(static_cast<std::size_t>(n), -1);
  moves_.assign(static_cast<std::size_t>(n), 0);
  std::vector<char> wanted(static_cast<std::size_t>(n), links.empty());
  for (const int link : links) {
    if (link < 0 || link >= n)
      throw Error("there is no link " + std::to_string(link) + " in robot '" + robot().name() + "'", {},
                  "links run from 0 to " + std::to_string(n - 1));
    wanted[static_cast<std::size_t>(link)] = 1;
  }
  for (int i = 0; i < n; ++i)
    if (wanted[static_cast<std::size_t>(i)] && coordinateOfLink_[static_cast<std::size_t>(i)] < 0 &&
        jointOf(robot(), i) != JointType::weld)
      add(i);
  if (coordinates_.empty())
    throw Error("no link of robot '" + robot().name() + "' is left to plan for", {},
                "name at least one link that is not welded");
  for (int i = 0; i < n; ++i) {
    const int parent = robot().link(i).parent;
    moves_[static_cast<std::size_t>(i)] = coordinateOfLink(i) >= 0 || (parent >= 0 && moves(parent));
  }

  // Where a coordinate counts for nothing, configurations that differ would be the same place, and edges between them
  // would have no length to be checked.
  for (int i = 0; i < n && metric_.weights.size() > 0; ++i)
    if (coordinateOfLink(i) >= 0 && !(metric_.weights[i] > 0 && std::isfinite(metric_.weights[i])))
      throw Error("the weight of distances of link '" + robot().link(i).name + "' of robot '" + robot().name() +
                      "' must be above 0, not " + formatReal(metric_.weights[i]),
                  {}, "leave the link out of what is planned for when it shall not move");

  straight_ = straight_ && metric_.norm == 2;
  weights_.resize(dimension());
  double square = 0;
  for (int c = 0; c < dimension(); ++c) {
    const RobotCoordinate& coordinate = this->coordinate(c);
    double sum = 0;
    for (std::size_t k = 0; k < coordinate.links.size(); ++k) {
      const double w = (metric_.weights.size() > 0 ? metric_.weights[coordinate.links[k]] : 1) * coordinate.scale[k];
      sum += w * w;
    }
    weights_[c] = std::sqrt(sum);
    const double range = coordinate.straight ? coordinate.high - coordinate.low : std::numbers::pi;
    if (sum > 0) square += sum * range * range;
  }
  extent_ = std::sqrt(square);
}

void RobotCoordinates::add(int link) {
  RobotCoordinate coordinate;
  const int d = robot().driverOfLink(link);
  if (d >= 0 && robot().driver(d).type == DriverType::affine) {
    const Driver& driver = robot().driver(d);
    coordinate.name = driver.name.empty() ? robot().link(link).name : driver.name;
    coordinate.driver = d;
    coordinate.links = driver.links;
    coordinate.scale = driver.scale;
    coordinate.offset = driver.offset;
    driverBounds(robot(), driver, coordinate);
  } else {
    const Link& model = robot().link(link);
    coordinate.name = model.name;
    coordinate.links = {link};
    coordinate.scale = {1};
    coordinate.offset = {0};
    coordinate.low = model.qMin;
    coordinate.high = model.qMax;
    coordinate.straight = jointOf(robot(), link) == JointType::normal || model.motion == LinkMotion::prismatic;
  }
  for (const int i : coordinate.links) coordinateOfLink_[static_cast<std::size_t>(i)] = dimension();
  straight_ = straight_ && coordinate.straight;
  coordinates_.push_back(std::move(coordinate));
}

double RobotCoordinates::measure() const {
  double volume = 1;
  for (int c = 0; c < dimension(); ++c) {
    const double range = coordinate(c).high - coordinate(c).low;
    volume *= weights_[c] * (coordinate(c).straight ? range : std::min(range, kTurn));
  }
  return volume;
}

void RobotCoordinates::lift(const ConstVectorRef& q, VectorXd& full) const {
  MORTISE_REQUIRE_SIZE(q, dimension(), "one for each coordinate");
  full = base_;
  for (std::size_t c = 0; c < coordinates_.size(); ++c) {
    const RobotCoordinate& coordinate = coordinates_[c];
    for (std::size_t k = 0; k < coordinate.links.size(); ++k)
      full[coordinate.links[k]] = coordinate.offset[k] + coordinate.scale[k] * q[static_cast<Eigen::Index>(c)];
  }
}

void RobotCoordinates::reduce(const VectorXd& full, VectorRef q) const {
  MORTISE_REQUIRE_SIZE(full, base_.size(), "one for each link");
  MORTISE_REQUIRE_SIZE(q, dimension(), "one for each coordinate");
  for (std::size_t c = 0; c < coordinates_.size(); ++c) {
    const RobotCoordinate& coordinate = coordinates_[c];
    double along = 0, square = 0;
    for (std::size_t k = 0; k < coordinate.links.size(); ++k) {
      along += coordinate.scale[k] * (full[coordinate.links[k]] - coordinate.offset[k]);
      square += coordinate.scale[k] * coordinate.scale[k];
    }
    q[static_cast<Eigen::Index>(c)] = square > 0 ? along / square : 0;
  }
}

double RobotCoordinates::distance(const ConstVectorRef& a, const ConstVectorRef& b, Scratch& scratch) const {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  if (straight_) return weights_.cwiseProduct(a - b).norm();
  lift(a, scratch.a);
  lift(b, scratch.b);
  return space_.distance(scratch.a, scratch.b, metric_);
}

void RobotCoordinates::interpolate(const ConstVectorRef& a, const ConstVectorRef& b, double u, VectorRef q,
                                   Scratch& scratch) const {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(q, dimension(), "one for each coordinate");
  if (straight_) {
    q = (1 - u) * a + u * b;
    return;
  }
  lift(a, scratch.a);
  lift(b, scratch.b);
  space_.interpolate(scratch.a, scratch.b, u, scratch.full);
  reduce(scratch.full, q);
}

void RobotCoordinates::sample(RandomStream& random, VectorRef q, Scratch& scratch) const {
  space_.sample(random, scratch.full, sampling_);
  reduce(scratch.full, q);
}

void RobotCoordinates::displace(const ConstVectorRef& center, const ConstVectorRef& step, VectorRef q) const {
  MORTISE_REQUIRE_SIZE(center, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(step, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(q, dimension(), "one for each coordinate");
  for (int c = 0; c < dimension(); ++c) {
    q[c] = center[c] + (weights_[c] > 0 ? step[c] / weights_[c] : 0.0);
    if (coordinate(c).straight) q[c] = std::max(coordinate(c).low, std::min(q[c], coordinate(c).high));
  }
}

int RobotCoordinates::linkOutside(const VectorXd& full) const {
  for (const RobotCoordinate& coordinate : coordinates_)
    for (const int i : coordinate.links)
      if (!withinLimits(robot().link(i), full[i], !coordinate.straight)) return i;
  return -1;
}

std::string RobotCoordinates::explainOutside(int i, const VectorXd& full) const {
  const Link& link = robot().link(i);
  return "link '" + link.name + "' is at " + formatReal(full[i]) + ", outside its limits " + formatReal(link.qMin) +
         " to " + formatReal(link.qMax);
}

}  // namespace mortise
