#include "mortise/modeling/robot_edit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mortise/base/error.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/modeling/joint_names.h"
#include "mortise/modeling/link_visuals.h"
#include "mortise/modeling/robot_indices.h"
#include "mortise/text/suggest.h"

namespace mortise {

using detail::expectLink;
using detail::hasShape;

namespace {

int count(const RobotDescription& robot) { return static_cast<int>(robot.links.size()); }

void addPair(RobotDescription& robot, int a, int b) { robot.selfCollisionPairs.emplace_back(a, b); }

/// Six links that move along x, y, z and turn about z, y, x; the last one is the body.
std::vector<Link> floatingChain(const Link& body) {
  static constexpr const char* kNames[] = {"tx", "ty", "tz", "rz", "ry"};
  std::vector<Link> links(6);
  links[5].name = body.name;
  links[5].inertia = body.inertia;
  links[5].geometry = body.geometry;
  links[5].geometryFile = body.geometryFile;
  links[5].geometryScale = body.geometryScale;
  links[5].geometryTransform = body.geometryTransform;
  for (int i = 0; i < 6; ++i) {
    Link& link = links[i];
    if (i < 5) link.name = body.name + (body.name.empty() ? "" : "_") + kNames[i];
    link.parent = i - 1;
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    link.torqueMax = 0;  // No motor.
  }
  return links;
}

}  // namespace

int requireLink(const RobotDescription& robot, std::string_view name) {
  std::vector<int> found;
  std::vector<std::string> names;
  for (int i = 0; i < count(robot); ++i) {
    if (robot.links[i].name == name) found.push_back(i);
    names.push_back(robot.links[i].name);
  }
  if (found.size() == 1) return found[0];
  if (found.empty()) {
    throw Error("robot '" + robot.name + "' has no link '" + std::string(name) + "'", {}, suggestFrom(name, names));
  }
  std::string indices;
  for (const int i : found) indices += (indices.empty() ? "" : ", ") + std::to_string(i);
  throw Error("robot '" + robot.name + "' has several links '" + std::string(name) + "': " + indices, {},
              "use the index");
}

void setLinkMass(RobotDescription& robot, int link, double mass) {
  expectLink(robot, link);
  if (!(mass >= 0) || !std::isfinite(mass)) throw Error("the mass of a link must be finite and at least 0");
  BodyInertia& body = robot.links[link].inertia;
  if (body.mass > 0) body.inertia *= mass / body.mass;
  body.mass = mass;
}

void renameLink(RobotDescription& robot, int link, const std::string& name) {
  expectLink(robot, link);
  if (name.empty()) throw Error("a link needs a name");
  const std::string old = robot.links[link].name;
  if (old == name) return;
  if (const int other = robot.findLink(name); other >= 0)
    throw Error("link " + std::to_string(other) + " is called '" + name + "' already");
  if (robot.sensors.isList())
    for (Value& sensor : robot.sensors.items()) {
      Value* named = sensor.find("link");
      // Of several links with one name, the first one is meant.
      if (named != nullptr && named->isString() && named->asString() == old && robot.findLink(old) == link)
        *named = Value(name).setPosition(named->position());
    }
  for (Driver& driver : robot.drivers)
    if (driver.name == old && !driver.links.empty() && driver.links[0] == link) driver.name = name;
  if (robot.findLink(old) == link) {
    moveJointName(robot, old, name);
    moveLinkVisuals(robot, old, name);
  }
  robot.links[link].name = name;
}

void takeLimits(Driver& driver, const Link& link) {
  driver.qMin = link.qMin;
  driver.qMax = link.qMax;
  driver.velocityMin = link.velocityMin;
  driver.velocityMax = link.velocityMax;
  driver.accelerationMin = -link.accelerationMax;
  driver.accelerationMax = link.accelerationMax;
  driver.torqueMin = -link.torqueMax;
  driver.torqueMax = link.torqueMax;
}

int addLink(RobotDescription& robot, Link link, JointType type, bool driven) {
  expectLink(robot, link.parent, true);
  if (detail::isChain(type)) throw Error("a joint of several links cannot be added with one link");
  const int index = count(robot);
  robot.joints.push_back({type, index, -1});
  if (driven && type != JointType::weld) {
    Driver driver;
    driver.name = link.name;
    driver.links = {index};
    takeLimits(driver, link);
    robot.drivers.push_back(std::move(driver));
  }
  if (hasShape(link))
    for (int i = 0; i < index; ++i)
      if (i != link.parent && hasShape(robot.links[i])) addPair(robot, i, index);
  robot.links.push_back(std::move(link));
  if (hasShape(robot.links.back())) showCollisionShape(robot, robot.links.back().name);
  return index;
}

RobotIndexMap removeLinks(RobotDescription& robot, const std::vector<int>& links) {
  for (const int link : links) expectLink(robot, link);
  RobotIndexMap map;
  map.links.assign(robot.links.size(), 0);
  for (const int link : links) map.links[link] = -1;
  int kept = 0;
  for (int i = 0; i < count(robot); ++i) {
    const int parent = robot.links[i].parent;
    if (parent >= 0 && map.links[parent] < 0) map.links[i] = -1;
    if (map.links[i] >= 0) map.links[i] = kept++;
  }
  if (kept == 0) throw Error("robot '" + robot.name + "' would be left without links");
  map.drivers = detail::renumber(robot, map.links, nullptr);
  std::vector<Link> left;
  for (int i = 0; i < count(robot); ++i) {
    if (map.links[i] < 0) continue;
    left.push_back(std::move(robot.links[i]));
    if (left.back().parent >= 0) left.back().parent = map.links[left.back().parent];
  }
  robot.links = std::move(left);
  dropJointNames(robot);
  dropLinkVisuals(robot);
  return map;
}

RobotIndexMap reorderLinks(RobotDescription& robot, const std::vector<int>& order) {
  RobotIndexMap map;
  map.links.assign(robot.links.size(), -1);
  if (order.size() != robot.links.size())
    throw Error("an order of " + std::to_string(order.size()) + " links was given; the robot has " +
                std::to_string(robot.links.size()));
  for (std::size_t k = 0; k < order.size(); ++k) {
    expectLink(robot, order[k]);
    if (map.links[order[k]] >= 0) throw Error("the order names link " + std::to_string(order[k]) + " twice");
    map.links[order[k]] = static_cast<int>(k);
    const int parent = robot.links[order[k]].parent;
    if (parent >= 0 && map.links[parent] < 0)
      throw Error(
          "in this order link " + std::to_string(order[k]) + " would come before its parent " + std::to_string(parent),
          {}, "parents must come before their children");
  }
  map.drivers = detail::renumber(robot, map.links, nullptr);
  std::vector<Link> links;
  for (const int old : order) {
    links.push_back(robot.links[old]);
    if (links.back().parent >= 0) links.back().parent = map.links[links.back().parent];
  }
  robot.links = std::move(links);
  return map;
}

void mountGeometry(RobotDescription& robot, int link, const RigidTransform& X_LM, const GeometryPtr& geometry) {
  expectLink(robot, link);
  if (!geometry || geometry->empty()) return;
  Link& target = robot.links[link];
  const GeometryPtr placed = transformed(*geometry, X_LM);
  if (hasShape(target)) {
    target.geometry = unionOf(target.geometry, placed);
  } else {
    target.geometry = placed;
    for (int i = 0; i < count(robot); ++i) {
      const bool neighbors = robot.links[i].parent == link || target.parent == i;
      if (i != link && !neighbors && hasShape(robot.links[i])) addPair(robot, std::min(i, link), std::max(i, link));
    }
  }
  showCollisionShape(robot, target.name);
  // What it was made of stands in no one file any more.
  target.geometryFile.clear();
  target.geometryScale = 1;
  target.geometryTransform = AffineMap();
}

AddedLinks mountRobot(RobotDescription& robot, int link, const RigidTransform& X_LM, const std::string& prefix,
                      RobotDescription part) {
  expectLink(robot, link, true);
  const AddedLinks added = {count(robot), static_cast<int>(robot.drivers.size())};
  const int first = added.firstLink;
  const std::string fullPrefix = prefix.empty() ? "" : prefix + ":";

  if (part.sensors.isList()) {
    if (!robot.sensors.isList()) robot.sensors = Value::list();
    std::vector<int> links(part.links.size()), drivers(part.drivers.size());
    std::iota(links.begin(), links.end(), first);
    std::iota(drivers.begin(), drivers.end(), added.firstDriver);
    for (Value& sensor : part.sensors.items()) {
      // Names of the part may be names of the whole, so links go by number.
      detail::renumberSensor(sensor, part, links, drivers, true);
      if (!fullPrefix.empty())
        for (const char* key : {"name", "sensor"})
          if (const Value* name = sensor.find(key)) {
            Value prefixed(fullPrefix + name->text());
            prefixed.setPosition(name->position());
            sensor.set(key, std::move(prefixed));
          }
      robot.sensors.push_back(std::move(sensor));
    }
  }

  for (int i = 0; i < count(part); ++i) {
    if (!hasShape(part.links[i])) continue;
    for (int old = 0; old < first; ++old) {
      const bool neighbors = old == link && part.links[i].parent < 0;
      if (hasShape(robot.links[old]) && !neighbors) addPair(robot, old, first + i);
    }
  }
  for (const auto& [a, b] : part.selfCollisionPairs) addPair(robot, a + first, b + first);
  addJointNames(robot, part, fullPrefix);
  addLinkVisuals(robot, part, fullPrefix);

  for (Link& moved : part.links) {
    if (moved.parent < 0) {
      moved.X_PL0 = X_LM * moved.X_PL0;
      moved.parent = link;
    } else {
      moved.parent += first;
    }
    moved.name = fullPrefix + moved.name;
    robot.links.push_back(std::move(moved));
  }
  for (Joint joint : part.joints) {
    joint.link += first;
    if (detail::isChain(joint.type)) joint.base = joint.base < 0 ? link : joint.base + first;
    robot.joints.push_back(joint);
  }
  for (Driver& driver : part.drivers) {
    for (int& driven : driver.links) driven += first;
    driver.name = fullPrefix + driver.name;
    robot.drivers.push_back(std::move(driver));
  }
  return added;
}

RobotDescription mergeRobots(const std::string& name,
                             const std::vector<std::pair<std::string, RobotDescription>>& parts) {
  RobotDescription robot;
  robot.name = name;
  for (const auto& [prefix, part] : parts) mountRobot(robot, -1, {}, prefix, part);
  return robot;
}

void addFloatingBase(RobotDescription& robot, const Link& body) {
  for (const Joint& joint : robot.joints)
    if (joint.type == JointType::floating && joint.base == -1)
      throw Error("robot '" + robot.name + "' has a floating base already");
  std::vector<int> map(robot.links.size());
  std::iota(map.begin(), map.end(), 6);
  detail::renumber(robot, map, nullptr);
  // Joints between several links and the world now start at the body.
  for (Joint& joint : robot.joints)
    if (detail::isChain(joint.type) && joint.base < 0) joint.base = 5;
  robot.joints.insert(robot.joints.begin(), {JointType::floating, 5, -1});
  std::vector<Link> links = floatingChain(body);
  for (Link& link : robot.links) {
    link.parent = link.parent < 0 ? 5 : link.parent + 6;
    links.push_back(std::move(link));
  }
  robot.links = std::move(links);
  if (hasShape(robot.links[5]))
    for (int i = 6; i < count(robot); ++i)
      if (robot.links[i].parent != 5 && hasShape(robot.links[i])) addPair(robot, 5, i);
  std::sort(robot.selfCollisionPairs.begin(), robot.selfCollisionPairs.end());
}

RobotDescription rigidObjectRobot(const std::string& name, const BodyInertia& inertia, GeometryPtr geometry,
                                  const std::string& geometryFile) {
  Link body;
  body.name = name;
  body.inertia = inertia;
  body.geometry = std::move(geometry);
  body.geometryFile = geometryFile;
  RobotDescription robot;
  robot.name = name;
  robot.links = floatingChain(body);
  robot.joints = {{JointType::floating, 5, -1}};
  return robot;
}

bool selfCollisionEnabled(const RobotDescription& robot, int a, int b) {
  const std::pair pair(std::min(a, b), std::max(a, b));
  return std::find(robot.selfCollisionPairs.begin(), robot.selfCollisionPairs.end(), pair) !=
         robot.selfCollisionPairs.end();
}

void setSelfCollision(RobotDescription& robot, int a, int b, bool on) {
  expectLink(robot, a);
  expectLink(robot, b);
  if (a == b) throw Error("a link cannot collide with itself");
  const std::pair pair(std::min(a, b), std::max(a, b));
  std::erase(robot.selfCollisionPairs, pair);
  if (on) robot.selfCollisionPairs.push_back(pair);
  std::sort(robot.selfCollisionPairs.begin(), robot.selfCollisionPairs.end());
}

}  // namespace mortise
