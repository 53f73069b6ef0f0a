#include "mortise/planning/space/full_path.h"

#include <cmath>
#include <numbers>

namespace mortise {

namespace {

/// Adds multiples of 2 pi to the angles of spin joints, so that neighbors differ by at most half a turn.
void unwrap(const World& world, const MotionSpace& space, std::vector<VectorXd>& path) {
  for (const Mover& mover : space.movers()) {
    if (mover.kind != Mover::Kind::robot) continue;
    const Robot& robot = *world.robots[mover.index].robot;
    for (int i = 0; i < robot.numLinks(); ++i) {
      const int joint = robot.jointOfLink(i);
      if (joint < 0 || robot.link(i).motion != LinkMotion::revolute) continue;
      const JointType type = robot.joints()[joint].type;
      if (type == JointType::normal || type == JointType::weld) continue;
      for (std::size_t k = 1; k < path.size(); ++k) {
        double& angle = path[k][mover.first + i];
        const double before = path[k - 1][mover.first + i];
        if (std::abs(angle - before) > std::numbers::pi)
          angle += 2 * std::numbers::pi * std::round((before - angle) / (2 * std::numbers::pi));
      }
    }
  }
}

}  // namespace

std::vector<VectorXd> fullPath(const MotionSpace& space, const World& world, const std::vector<VectorXd>& path,
                               double tolerance) {
  std::vector<VectorXd> all, full;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i > 0) space.refine(path[i - 1], path[i], tolerance, all);
    all.push_back(path[i]);
  }
  for (const VectorXd& q : all) {
    full.emplace_back();
    space.lift(q, full.back());
  }
  unwrap(world, space, full);
  return full;
}

}  // namespace mortise
