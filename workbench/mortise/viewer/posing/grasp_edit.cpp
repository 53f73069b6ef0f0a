#include "mortise/viewer/posing/grasp_edit.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "mortise/base/error.h"

namespace mortise::viewer {

namespace {

bool moves(const Robot& robot, int link) {
  const int joint = robot.jointOfLink(link);
  return robot.link(link).qMin < robot.link(link).qMax &&
         (joint < 0 || robot.joints()[static_cast<std::size_t>(joint)].type != JointType::weld);
}

void requireLink(const Robot& robot, int link) {
  if (link < 0 || link >= robot.numLinks())
    throw Error("robot '" + robot.name() + "' has no link " + std::to_string(link));
}

auto fingerAt(Grasp& grasp, int link) {
  const auto finger =
      std::find_if(grasp.fixed.begin(), grasp.fixed.end(), [&](const auto& fixed) { return fixed.first == link; });
  if (finger == grasp.fixed.end()) throw Error("the grasp does not keep link " + std::to_string(link));
  return finger;
}

}  // namespace

std::vector<std::pair<int, double>> fingersOf(const Robot& robot, int hand, const VectorXd& q) {
  requireLink(robot, hand);
  std::vector<std::pair<int, double>> fingers;
  for (int l = hand + 1; l < robot.numLinks(); ++l)
    if (robot.isAncestor(hand, l) && l != hand && moves(robot, l)) fingers.emplace_back(l, q[l]);
  return fingers;
}

void setFinger(const Robot& robot, int link, double value, VectorXd& q) {
  requireLink(robot, link);
  if (!std::isfinite(value)) throw Error("a finger's value is a finite number");
  const auto within = [&](int l, double v) {
    return robot.link(l).qMin <= robot.link(l).qMax ? std::clamp(v, robot.link(l).qMin, robot.link(l).qMax) : v;
  };
  q[link] = within(link, value);
  const int d = robot.driverOfLink(link);
  if (d < 0 || robot.driver(d).type != DriverType::affine) return;
  const Driver& driver = robot.driver(d);
  const auto i =
      static_cast<std::size_t>(std::find(driver.links.begin(), driver.links.end(), link) - driver.links.begin());
  if (i >= driver.links.size() || driver.scale[i] == 0) return;
  const double motor = std::clamp((q[link] - driver.offset[i]) / driver.scale[i], driver.qMin, driver.qMax);
  setDriverValue(robot, d, motor, q);
  for (const int l : driver.links) q[l] = within(l, q[l]);
}

Grasp withFingers(const Grasp& grasp, const Robot& robot, int hand, const VectorXd& q) {
  std::set<int> hands;
  if (hand >= 0) {
    hands.insert(hand);
  } else {
    for (const IKGoal& goal : grasp.goals) hands.insert(goal.link);
  }
  Grasp out = grasp;
  out.fixed.clear();
  std::set<int> known;
  for (const int h : hands)
    for (const auto& finger : fingersOf(robot, h, q))
      if (known.insert(finger.first).second) out.fixed.push_back(finger);
  std::sort(out.fixed.begin(), out.fixed.end());
  if (out.fixed.empty())
    throw Error("no link moves below " +
                    (hand >= 0 ? "'" + robot.link(hand).name + "'" : std::string("those that the grasp holds")),
                {}, "select the palm, whose fingers the grasp keeps");
  return out;
}

Grasp withFinger(const Grasp& grasp, const Robot& robot, int link, double value) {
  requireLink(robot, link);
  Grasp out = grasp;
  fingerAt(out, link);
  VectorXd q = withGraspFingers(robot, grasp, robot.initialConfiguration());
  setFinger(robot, link, value, q);
  const int driver = robot.driverOfLink(link);
  for (auto& [finger, kept] : out.fixed)
    if (finger == link || (driver >= 0 && robot.driverOfLink(finger) == driver)) kept = q[finger];
  return out;
}

Grasp withoutFinger(const Grasp& grasp, int link) {
  Grasp out = grasp;
  out.fixed.erase(fingerAt(out, link));
  return out;
}

VectorXd withGraspFingers(const Robot& robot, const Grasp& grasp, const VectorXd& q) {
  VectorXd out = q;
  for (const auto& [link, value] : grasp.fixed) {
    requireLink(robot, link);
    if (!std::isfinite(value)) throw Error("a finger's value is a finite number");
    out[link] = value;
  }
  return out;
}

}  // namespace mortise::viewer
