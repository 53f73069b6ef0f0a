#pragma once

#include <string>

#include "mortise/model/world.h"

namespace mortise::test {

inline GeometryPtr boxGeometry(const Vector3d& size) {
  return std::make_shared<Geometry>(AxisAlignedBoxShape{-0.5 * size, 0.5 * size});
}

inline BodyInertia boxInertia(double mass, const Vector3d& size) {
  const Vector3d s = size.cwiseProduct(size);
  BodyInertia inertia;
  inertia.mass = mass;
  inertia.inertia = Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal();
  inertia.inertia *= mass / 12;
  return inertia;
}

/// A box of 1 kg, edges of 0.2 m, its center at `p`.
inline RigidObject boxObject(const std::string& name, const Vector3d& p) {
  RigidObject object;
  object.name = name;
  object.geometry = boxGeometry(Vector3d::Constant(0.2));
  object.inertia = boxInertia(1, Vector3d::Constant(0.2));
  object.X_WO.p = p;
  object.surface.friction = 0.5;
  object.surface.restitution = 0;
  return object;
}

/// A slab with its top at z = 0.
inline Terrain groundTerrain() {
  Terrain terrain;
  terrain.name = "ground";
  terrain.geometry = std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-5, -5, -1), Vector3d(5, 5, 0)});
  terrain.surface.restitution = 0;
  return terrain;
}

/// A chain of `links` rods of length 0.5 m and 1 kg that hang on the world and turn about y; x points along each rod.
/// Servo gains 400, 0, 40; torque limit 100 N*m.
inline RobotDescription armDescription(int links) {
  RobotDescription robot;
  robot.name = "arm";
  for (int i = 0; i < links; ++i) {
    Link link;
    link.name = "rod" + std::to_string(i);
    link.parent = i - 1;
    link.axis = Vector3d::UnitY();
    if (i > 0) link.X_PL0.p = Vector3d(0.5, 0, 0);
    link.inertia = boxInertia(1, Vector3d(0.5, 0.05, 0.05));
    link.inertia.com = Vector3d(0.25, 0, 0);
    link.torqueMax = 100;
    robot.links.push_back(link);
    robot.joints.push_back({JointType::normal, i, -1});
    Driver driver;
    driver.name = link.name;
    driver.links = {i};
    driver.torqueMin = -100;
    driver.torqueMax = 100;
    driver.servoP = 400;
    driver.servoD = 40;
    robot.drivers.push_back(driver);
  }
  return robot;
}

inline WorldRobot placedRobot(RobotDescription description) {
  WorldRobot robot;
  robot.name = description.name;
  robot.robot = Robot::compile(std::move(description));
  robot.q = robot.robot->initialConfiguration();
  robot.dq = VectorXd::Zero(robot.q.size());
  return robot;
}

/// Ground, two boxes above it and an arm of two rods beside them.
inline World smallWorld() {
  World world;
  world.terrains.push_back(groundTerrain());
  world.objects.push_back(boxObject("low", Vector3d(2, 0, 0.101)));
  world.objects.push_back(boxObject("high", Vector3d(2.02, 0.01, 0.35)));
  RobotDescription arm = armDescription(2);
  arm.links[0].X_PL0.p = Vector3d(0, 0, 1.5);
  arm.links[0].q = 0.3;
  world.robots.push_back(placedRobot(arm));
  return world;
}

}  // namespace mortise::test
