#include "mortise/model/robot.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise {

namespace {

constexpr std::string_view kJointTypeNames[] = {"Weld",     "Normal",         "Spin",
                                                "Floating", "FloatingPlanar", "BallAndSocket"};
constexpr std::string_view kDriverTypeNames[] = {"normal", "affine", "translation", "rotation"};

int chainLength(JointType type) {
  switch (type) {
    case JointType::floating:
      return 6;
    case JointType::floatingPlanar:
    case JointType::ballAndSocket:
      return 3;
    default:
      return 1;
  }
}

/// Collects what makes a description unusable.
class Checker {
 public:
  explicit Checker(const RobotDescription& description)
      : d_(description), numLinks_(static_cast<int>(description.links.size())) {
    where_.file = description.file;
  }

  void run() {
    if (numLinks_ == 0) problem("the robot has no links");
    for (int i = 0; i < numLinks_; ++i) checkLink(i);
    for (std::size_t i = 0; i < d_.joints.size(); ++i) checkJoint(static_cast<int>(i));
    for (std::size_t i = 0; i < d_.drivers.size(); ++i) checkDriver(static_cast<int>(i));
    for (const auto& [a, b] : d_.selfCollisionPairs)
      if (!isLink(a) || !isLink(b) || a >= b)
        problem("self-collision pair (" + std::to_string(a) + ", " + std::to_string(b) +
                ") must name two links, the lower index first");
    diagnostics_.throwIfErrors("robot '" + d_.name + "' cannot be used");
  }

 private:
  bool isLink(int i) const { return i >= 0 && i < numLinks_; }
  void problem(std::string message) { diagnostics_.error(std::move(message), where_); }

  void checkLink(int i) {
    const Link& link = d_.links[i];
    const std::string who = "link " + std::to_string(i) + " '" + link.name + "'";
    if (link.parent < -1 || link.parent >= i)
      problem(who + " has parent " + std::to_string(link.parent) +
              "; parents come before their children, -1 is the world");
    if (!link.X_PL0.allFinite() || !link.axis.allFinite()) problem(who + " has a transform or axis that is not finite");
    if (link.axis.isZero(0)) problem(who + " has a zero axis");
    if (!std::isfinite(link.inertia.mass) || link.inertia.mass < 0) problem(who + " needs a finite mass of at least 0");
    if (!link.inertia.com.allFinite() || !link.inertia.inertia.allFinite())
      problem(who + " has a center of mass or inertia that is not finite");
    if (!std::isfinite(link.q)) problem(who + " has a start position that is not finite");
    for (const double limit : {link.qMin, link.qMax, link.velocityMin, link.velocityMax, link.accelerationMax,
                               link.torqueMax, link.powerMax})
      if (std::isnan(limit)) problem(who + " has a limit that is not a number");
  }

  void checkJoint(int i) {
    const Joint& joint = d_.joints[i];
    const std::string who = "joint " + std::to_string(i) + " (" + std::string(jointTypeName(joint.type)) + ")";
    if (!isLink(joint.link))
      return problem(who + " names link " + std::to_string(joint.link) + ", which does not exist");
    const int length = chainLength(joint.type);
    if (length == 1) return;
    if (joint.base < -1 || joint.base >= numLinks_)
      return problem(who + " names base link " + std::to_string(joint.base) + ", which does not exist");
    int found = 0;
    int link = joint.link;
    while (link != joint.base && link >= 0 && found <= length) {
      ++found;
      if (d_.links[link].parent >= link) return;  // already reported
      link = d_.links[link].parent;
    }
    if (link != joint.base || found != length)
      problem(who + " needs a chain of exactly " + std::to_string(length) + " links from link " +
              std::to_string(joint.link) + " back to link " + std::to_string(joint.base));
  }

  void checkDriver(int i) {
    const Driver& driver = d_.drivers[i];
    const std::string who = "driver " + std::to_string(i) + " '" + driver.name + "'";
    const std::size_t wanted = driver.type == DriverType::normal ? 1 : driver.type == DriverType::affine ? 0 : 2;
    if (driver.links.empty() || (wanted != 0 && driver.links.size() != wanted))
      return problem(who + " has " + std::to_string(driver.links.size()) + " links");
    for (const int link : driver.links)
      if (!isLink(link)) problem(who + " names link " + std::to_string(link) + ", which does not exist");
    if (driver.type == DriverType::affine) {
      if (driver.scale.size() != driver.links.size() || driver.offset.size() != driver.links.size())
        return problem(who + " needs one scale and one offset for each link");
      for (std::size_t k = 0; k < driver.links.size(); ++k)
        if (!std::isfinite(driver.scale[k]) || driver.scale[k] == 0 || !std::isfinite(driver.offset[k]))
          problem(who + " needs finite scales other than 0 and finite offsets");
    }
    for (const double gain : {driver.servoP, driver.servoI, driver.servoD, driver.dryFriction, driver.viscousFriction})
      if (!std::isfinite(gain) || gain < 0) {
        problem(who + " has a servo gain or friction that is negative or not finite");
        break;
      }
  }

  const RobotDescription& d_;
  int numLinks_;
  SourcePosition where_;
  Diagnostics diagnostics_;
};

/// Says whether the first six links move along x, y, z and then turn about z, y, x from one common point.
bool isFloatingChain(const std::vector<Link>& links) {
  if (links.size() < 6) return false;
  for (int i = 0; i < 6; ++i) {
    const Link& link = links[i];
    const int axis = i < 3 ? i : 5 - i;
    if (link.parent != i - 1 || link.axis != Vector3d::Unit(axis)) return false;
    if (link.motion != (i < 3 ? LinkMotion::prismatic : LinkMotion::revolute)) return false;
    if (i > 0 && !(link.X_PL0 == RigidTransform())) return false;
  }
  return true;
}

}  // namespace

std::string_view jointTypeName(JointType type) { return kJointTypeNames[static_cast<int>(type)]; }
std::string_view driverTypeName(DriverType type) { return kDriverTypeNames[static_cast<int>(type)]; }

int RobotDescription::findLink(std::string_view linkName) const {
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].name == linkName) return static_cast<int>(i);
  return -1;
}

RobotPtr Robot::compile(RobotDescription description) {
  Checker(description).run();
  return RobotPtr(new Robot(std::move(description)));
}

Robot::Robot(RobotDescription description) : description_(std::move(description)) {
  const int n = numLinks();
  auto& pairs = description_.selfCollisionPairs;
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

  children_.resize(n);
  for (int i = 0; i < n; ++i) {
    if (link(i).parent >= 0) children_[link(i).parent].push_back(i);
    totalMass_ += link(i).inertia.mass;
  }
  jointOfLink_.assign(n, -1);
  for (std::size_t j = 0; j < joints().size(); ++j) {
    int i = joints()[j].link;
    for (int k = chainLength(joints()[j].type); k > 0; --k, i = link(i).parent) jointOfLink_[i] = static_cast<int>(j);
  }
  driverOfLink_.assign(n, -1);
  for (int d = 0; d < numDrivers(); ++d) {
    const Driver& moved = driver(d);
    const std::size_t count = moved.type == DriverType::affine ? moved.links.size() : 1;
    for (std::size_t k = 0; k < count; ++k) driverOfLink_[moved.links[k]] = d;
  }
  if (!joints().empty() && joints()[0].type == JointType::floating && joints()[0].base == -1 && joints()[0].link == 5 &&
      isFloatingChain(links()))
    floatingBaseLink_ = 5;
}

bool Robot::isAncestor(int ancestor, int descendant) const {
  while (descendant > ancestor) descendant = link(descendant).parent;
  return descendant == ancestor;
}

VectorXd Robot::initialConfiguration() const {
  VectorXd q(numLinks());
  for (int i = 0; i < numLinks(); ++i) q[i] = link(i).q;
  return q;
}

double driverValue(const Robot& robot, int driver, const VectorXd& q) {
  const Driver& d = robot.driver(driver);
  if (d.type != DriverType::affine) return q[d.links[0]];
  double sum = 0;
  for (std::size_t k = 0; k < d.links.size(); ++k) sum += (q[d.links[k]] - d.offset[k]) / d.scale[k];
  return sum / static_cast<double>(d.links.size());
}

double driverVelocity(const Robot& robot, int driver, const VectorXd& dq) {
  const Driver& d = robot.driver(driver);
  if (d.type != DriverType::affine) return dq[d.links[0]];
  double sum = 0;
  for (std::size_t k = 0; k < d.links.size(); ++k) sum += dq[d.links[k]] / d.scale[k];
  return sum / static_cast<double>(d.links.size());
}

void setDriverValue(const Robot& robot, int driver, double value, VectorXd& q) {
  const Driver& d = robot.driver(driver);
  if (d.type != DriverType::affine) {
    q[d.links[0]] = value;
    return;
  }
  for (std::size_t k = 0; k < d.links.size(); ++k) q[d.links[k]] = d.offset[k] + d.scale[k] * value;
}

}  // namespace mortise
