#include "mortise/modeling/robot_reduce.h"

#include <algorithm>
#include <set>

#include "mortise/base/error.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/model/robot_state.h"
#include "mortise/modeling/joint_names.h"
#include "mortise/modeling/link_visuals.h"
#include "mortise/modeling/robot_indices.h"

namespace mortise {

using detail::hasShape;

namespace {

void expectSize(const VectorXd& v, std::size_t n, const char* what) {
  if (v.size() != static_cast<Eigen::Index>(n))
    throw Error(std::string(what) + " has " + std::to_string(v.size()) + " numbers where " + std::to_string(n) +
                " were expected, one a link");
}

}  // namespace

SubRobot::SubRobot(const Robot& robot, std::vector<int> links) : links_(std::move(links)) {
  linkOf_.assign(robot.numLinks(), -1);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    detail::expectLink(robot.description(), links_[k]);
    int& here = linkOf_[links_[k]];
    if (here >= 0) throw Error("link " + std::to_string(links_[k]) + " is named twice");
    here = static_cast<int>(k);
  }
  driverOf_.assign(robot.numDrivers(), -1);
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const std::vector<int>& moved = robot.driver(d).links;
    if (!std::all_of(moved.begin(), moved.end(), [this](int i) { return linkOf_[i] >= 0; })) continue;
    driverOf_[d] = static_cast<int>(drivers_.size());
    drivers_.push_back(d);
  }
}

SubRobot SubRobot::chain(const Robot& robot, int ancestor, int link) {
  detail::expectLink(robot.description(), ancestor, true);
  detail::expectLink(robot.description(), link);
  std::vector<int> links;
  int i = link;
  for (; i > ancestor; i = robot.link(i).parent) links.push_back(i);
  if (i != ancestor)
    throw Error("link " + std::to_string(ancestor) + " '" + robot.link(ancestor).name + "' is not above link " +
                std::to_string(link) + " '" + robot.link(link).name + "'");
  std::reverse(links.begin(), links.end());
  return SubRobot(robot, std::move(links));
}

VectorXd SubRobot::select(const VectorXd& full) const {
  expectSize(full, linkOf_.size(), "the vector");
  return full(links_);
}

void SubRobot::assign(const VectorXd& part, VectorXd& full) const {
  expectSize(part, links_.size(), "the part's vector");
  expectSize(full, linkOf_.size(), "the whole robot's vector");
  full(links_) = part;
}

Eigen::MatrixXd SubRobot::selectColumns(const Eigen::MatrixXd& J) const {
  if (J.cols() != static_cast<Eigen::Index>(linkOf_.size())) throw Error("the matrix needs one column a link");
  return J(Eigen::all, links_);
}

Eigen::MatrixXd SubRobot::selectRowsAndColumns(const Eigen::MatrixXd& B) const {
  if (B.cols() != static_cast<Eigen::Index>(linkOf_.size()) || B.rows() != B.cols())
    throw Error("the matrix needs one row and one column a link");
  return B(links_, links_);
}

VectorXd ReducedRobot::reduce(const VectorXd& full) const {
  expectSize(full, linkOf.size(), "the configuration");
  return full(links);
}

VectorXd ReducedRobot::expand(const VectorXd& reduced) const {
  expectSize(reduced, links.size(), "the configuration");
  VectorXd full = frozen;
  full(links) = reduced;
  return full;
}

namespace {

/// Merges what is frozen into the links that carry it, and into the world.
void mergeLinks(const RobotDescription& full, const VectorXd& q, ReducedRobot& result) {
  const std::size_t n = full.links.size();
  result.robot = full;
  std::vector<Link>& links = result.robot.links;
  links.clear();
  result.carrier.resize(n);
  result.X_CL.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Link& link = full.links[i];
    const int parent = link.parent;
    const int carrier = parent < 0 ? -1 : result.carrier[parent];
    const RigidTransform X_CP = parent < 0 ? RigidTransform() : result.X_CL[parent];
    if (result.linkOf[i] >= 0) {
      result.carrier[i] = result.linkOf[i];
      links.push_back(link);
      links.back().parent = carrier;
      links.back().X_PL0 = parent < 0 || result.linkOf[parent] >= 0 ? link.X_PL0 : X_CP * link.X_PL0;
      links.back().q = q[static_cast<Eigen::Index>(i)];
      continue;
    }
    const RigidTransform X = X_CP * link.X_PL0 * linkMotion(link, q[static_cast<Eigen::Index>(i)]);
    result.carrier[i] = carrier;
    result.X_CL[i] = X;
    const BodyInertia matter = link.inertia.expressedIn(X);
    BodyInertia& body = carrier < 0 ? result.worldInertia : links[carrier].inertia;
    body = body.combinedWith(matter);
    if (carrier >= 0) carryLinkVisuals(full, static_cast<int>(i), result.robot, links[carrier].name, X);
    if (!hasShape(link)) continue;
    GeometryPtr& shape = carrier < 0 ? result.worldGeometry : links[carrier].geometry;
    const GeometryPtr placed = transformed(*link.geometry, X);
    shape = shape && !shape->empty() ? unionOf(shape, placed) : placed;
    if (carrier < 0) continue;
    links[carrier].geometryFile.clear();
    links[carrier].geometryScale = 1;
    links[carrier].geometryTransform = AffineMap();
  }
}

/// Renumbers joints, drivers and sensors, with the links as they were.
void renumberParts(const RobotDescription& full, ReducedRobot& result) {
  RobotDescription indexed = full;
  result.driverOf = detail::renumber(indexed, result.linkOf, &result.droppedSensors);
  for (std::size_t d = 0; d < result.driverOf.size(); ++d)
    if (result.driverOf[d] >= 0) result.drivers.push_back(static_cast<int>(d));
  result.robot.joints = std::move(indexed.joints);
  result.robot.drivers = std::move(indexed.drivers);
  result.robot.sensors = std::move(indexed.sensors);
  // A chain may hang on a link that is frozen now.
  for (Joint& joint : result.robot.joints) {
    if (!detail::isChain(joint.type)) continue;
    const auto original = std::find_if(full.joints.begin(), full.joints.end(), [&](const Joint& each) {
      return detail::isChain(each.type) && result.linkOf[each.link] == joint.link;
    });
    joint.base = original->base < 0 ? -1 : result.carrier[original->base];
  }
}

/// Keeps the pairs of links all of whose shapes were checked against each other.
void keepCheckedPairs(const RobotDescription& full, ReducedRobot& result) {
  std::vector<std::vector<int>> shapes(result.robot.links.size());
  for (std::size_t i = 0; i < full.links.size(); ++i)
    if (result.carrier[i] >= 0 && hasShape(full.links[i])) shapes[result.carrier[i]].push_back(static_cast<int>(i));
  std::set<std::pair<int, int>> checked;
  for (const auto& [a, b] : full.selfCollisionPairs) checked.emplace(std::min(a, b), std::max(a, b));
  std::set<std::pair<int, int>> pairs;
  for (const auto& [a, b] : checked) {
    const int c = result.carrier[a], d = result.carrier[b];
    if (c >= 0 && d >= 0 && c != d) pairs.emplace(std::min(c, d), std::max(c, d));
  }
  result.robot.selfCollisionPairs.clear();
  for (const auto& [c, d] : pairs) {
    bool all = true;
    for (const int a : shapes[c])
      for (const int b : shapes[d]) all = all && checked.count({std::min(a, b), std::max(a, b)}) > 0;
    if (all) result.robot.selfCollisionPairs.emplace_back(c, d);
  }
}

}  // namespace

ReducedRobot reduceRobot(const RobotDescription& full, const std::vector<int>& frozen, const VectorXd& q) {
  const std::size_t n = full.links.size();
  expectSize(q, n, "the configuration");
  if (!q.allFinite()) throw Error("the configuration has numbers that are not finite");
  ReducedRobot result;
  result.frozen = q;
  result.linkOf.assign(n, 0);
  for (const int i : frozen) {
    detail::expectLink(full, i);
    result.linkOf[i] = -1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (result.linkOf[i] < 0) continue;
    result.linkOf[i] = static_cast<int>(result.links.size());
    result.links.push_back(static_cast<int>(i));
  }
  if (result.links.empty()) throw Error("every link of robot '" + full.name + "' would be frozen");

  mergeLinks(full, q, result);
  dropJointNames(result.robot);
  dropLinkVisuals(result.robot);
  renumberParts(full, result);
  keepCheckedPairs(full, result);
  return result;
}

std::vector<int> fixedLinks(const RobotDescription& robot) {
  std::vector<char> fixed(robot.links.size(), 0);
  for (const Joint& joint : robot.joints)
    if (joint.type == JointType::weld) fixed[joint.link] = 1;
  std::vector<int> links;
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (fixed[i] || robot.links[i].qMin == robot.links[i].qMax) links.push_back(static_cast<int>(i));
  return links;
}

}  // namespace mortise
