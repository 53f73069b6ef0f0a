#include "mortise/modeling/robot_merge.h"

#include <array>
#include <utility>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/modeling/robot_edit.h"

namespace mortise {

namespace {

RobotDescription startingAt(const WorldRobot& robot) {
  RobotDescription description = robot.robot->description();
  for (std::size_t i = 0; i < description.links.size(); ++i)
    description.links[i].q = robot.q[static_cast<Eigen::Index>(i)];
  return description;
}

/// Klamp't's names of an object's degrees of freedom.
constexpr std::array<const char*, 6> kFreedoms = {"x", "y", "z", "rz", "ry", "rx"};

RobotDescription objectAsRobot(const RigidObject& object) {
  RobotDescription robot = rigidObjectRobot(object.name, object.inertia, object.geometry, object.geometryFile);
  robot.links[5].geometryTransform = object.geometryTransform;
  const Vector3d angles = eulerZyxFromRotation(object.X_WO.R);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    robot.links[i].q = object.X_WO.p[k];
    robot.links[i + 3].q = angles[k];
  }
  for (std::size_t i = 0; i < kFreedoms.size(); ++i) robot.links[i].name = kFreedoms[i];
  return robot;
}

/// Drivers go by the names of the links they move where they are called so.
void putInBrackets(RobotDescription& robot, const std::string& name) {
  const auto bracketed = [&](const std::string& inner) { return name + "[" + inner + "]"; };
  for (int i = 0; i < static_cast<int>(robot.links.size()); ++i)
    renameLink(robot, i, bracketed(robot.links[static_cast<std::size_t>(i)].name));
  for (Driver& driver : robot.drivers)
    if (!driver.name.starts_with(name + "[")) driver.name = bracketed(driver.name);
}

}  // namespace

RobotDescription mergedRobot(const World& world, const std::string& name, MergedNames names) {
  std::vector<std::pair<std::string, RobotDescription>> parts;
  for (const WorldRobot& robot : world.robots) parts.emplace_back(robot.name, startingAt(robot));
  for (const RigidObject& object : world.objects) parts.emplace_back(object.name, objectAsRobot(object));
  if (parts.empty()) throw Error("there is no robot and no rigid object to merge");
  if (names == MergedNames::bracketed)
    for (auto& [prefix, part] : parts) {
      putInBrackets(part, prefix);
      prefix.clear();
    }
  return mergeRobots(name, parts);
}

}  // namespace mortise
