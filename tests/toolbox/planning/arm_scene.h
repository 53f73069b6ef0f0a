#pragma once

// An arm and a box, for tests of paths and motions.

#include <algorithm>
#include <limits>
#include <memory>

#include "mortise/collision/world_collider.h"
#include "mortise/timing/parabolic_ramp.h"
#include "tests/support/worlds.h"
#include "tests/toolbox/planning/plane_space.h"

namespace mortise::test {

inline CoordinateLimits limit(double velocity, double acceleration) {
  CoordinateLimits limits;
  limits.vMin = -velocity;
  limits.vMax = velocity;
  limits.aMax = acceleration;
  return limits;
}

/// A planar arm of three rods of 0.5 m that turn about y in the plane y = 0, up to 3 rad either way. Positive angles
/// turn it down from level.
struct ArmScene {
  explicit ArmScene(const Vector3d& p_WBox, const Vector3d& size = Vector3d::Constant(0.2), int spin = -1) {
    RobotDescription robot = armDescription(3);
    for (Link& link : robot.links) {
      link.geometry =
          std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(0.03, -0.02, -0.02), Vector3d(0.47, 0.02, 0.02)});
      link.qMin = -3;
      link.qMax = 3;
      link.velocityMin = -2;
      link.velocityMax = 2;
      link.accelerationMax = 4;
    }
    if (spin >= 0) {
      robot.joints[static_cast<std::size_t>(spin)].type = JointType::spin;
      robot.links[static_cast<std::size_t>(spin)].qMin = -std::numeric_limits<double>::infinity();
      robot.links[static_cast<std::size_t>(spin)].qMax = std::numeric_limits<double>::infinity();
    }
    robot.selfCollisionPairs = {{0, 2}};
    World w;
    w.robots.push_back(placedRobot(std::move(robot)));
    RigidObject box = boxObject("box", p_WBox);
    box.geometry = boxGeometry(size);
    w.objects.push_back(std::move(box));
    world = std::make_shared<const World>(std::move(w));
    collider = std::make_shared<const WorldCollider>(world);
  }
  std::shared_ptr<const World> world;
  std::shared_ptr<const WorldCollider> collider;
};

}  // namespace mortise::test
