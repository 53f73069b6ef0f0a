#pragma once

// Worlds for the tests of this room.

#include <memory>

#include "mortise/geometry/transform_geometry.h"
#include "mortise/model/world.h"

namespace mortise::test {

inline GeometryPtr boxGeometry(const Vector3d& half) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1).cwiseProduct(half));
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return std::make_shared<const Geometry>(std::move(mesh));
}

/// Three links in a row along x, 1 m each, as beams a tenth as thick; link 0 is mounted, 1 and 2 turn about z. Links 0
/// and 2 are checked against each other.
inline RobotPtr foldingRobot() {
  RobotDescription robot;
  robot.name = "folding";
  for (int i = 0; i < 3; ++i) {
    Link link;
    link.name = "beam" + std::to_string(i);
    link.parent = i - 1;
    link.X_PL0.p = i == 0 ? Vector3d(0, 0, 1) : Vector3d(1, 0, 0);
    link.geometry =
        transformed(*boxGeometry(Vector3d(0.4, 0.05, 0.05)), RigidTransform(Matrix3d::Identity(), {0.5, 0, 0}));
    link.inertia.mass = 1;
    robot.links.push_back(link);
    robot.joints.push_back({i == 0 ? JointType::weld : JointType::normal, i, -1});
  }
  robot.selfCollisionPairs = {{0, 2}};
  return Robot::compile(std::move(robot));
}

/// A floor at z = 0, blocks of 0.2 m that share one shape, and `foldingRobot`.
inline std::shared_ptr<const World> blocksWorld(int blocks) {
  auto world = std::make_shared<World>();
  Terrain floor;
  floor.name = "floor";
  floor.geometry = transformed(*boxGeometry(Vector3d(50, 50, 0.5)), RigidTransform(Matrix3d::Identity(), {0, 0, -0.5}));
  world->terrains.push_back(floor);
  const GeometryPtr block = boxGeometry(Vector3d(0.1, 0.1, 0.1));
  for (int i = 0; i < blocks; ++i) {
    RigidObject object;
    object.name = "block" + std::to_string(i);
    object.geometry = block;
    object.X_WO.p = Vector3d(3 + i, -3, 1);
    world->objects.push_back(object);
  }
  WorldRobot robot;
  robot.name = "folding";
  robot.robot = foldingRobot();
  robot.q = robot.dq = VectorXd::Zero(3);
  world->robots.push_back(robot);
  return world;
}

}  // namespace mortise::test
