#pragma once

#include <memory>
#include <vector>

#include "mortise/planning/real_time/motion_audit.h"
#include "mortise/planning/real_time/real_time_robot.h"
#include "tests/toolbox/planning/arm_scene.h"

namespace mortise::test {

/// The planar arm of three rods with a box in its way, and a ball that crosses its plane every four seconds.
struct RealTimeScene {
  explicit RealTimeScene(bool moving) : scene(Vector3d(0.9, 0, 0.6)) {
    World w = *scene.world;
    RigidObject ball = boxObject("ball", Vector3d(0, 0, -1.2));
    ball.geometry = std::make_shared<Geometry>(SphereShape{Vector3d::Zero(), 0.15});
    w.objects.push_back(std::move(ball));
    world = std::make_shared<const World>(std::move(w));
    if (!moving) return;
    RigidTransform X_WA, X_WB;
    X_WA.p = Vector3d(1.0, 0, -1.4);
    X_WB.p = Vector3d(-1.0, 0, -0.6);
    motions = {KnownMotion(world->objectId(1), {0, 2, 4}, {X_WA, X_WB, X_WA}, true)};
  }

  RealTimeRobotOptions options(RealTimeMethod method = RealTimeMethod::hybrid) const {
    RealTimeRobotOptions options;
    options.motions = motions;
    options.planner.method = method;
    return options;
  }
  VectorXd start() const {
    VectorXd q(3);
    q << -1.2, -0.3, 0.2;
    return q;
  }

  ArmScene scene;
  std::shared_ptr<const World> world;
  std::vector<KnownMotion> motions;
};

}  // namespace mortise::test
