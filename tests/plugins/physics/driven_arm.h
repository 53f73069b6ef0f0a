#pragma once

/// Arms of links in a row, and the law of the drives that hold them.

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes.h"

namespace mortise::test {

constexpr double kArmLink = 0.3;  ///< Length of a link, m; it is 0.04 m thick.

/// Links of these masses in a row along x, on joints about -y, or along it where they slide, so that gravity pulls
/// positions down. Axes turn by `tilt` from joint to joint. A free one hangs on a body of 1 kg and has no gravity.
inline SceneDescription drivenArm(const std::vector<double>& masses, double tilt = 0,
                                  const std::vector<bool>& slides = {}, bool free = false) {
  SceneBuilder b;
  int parent = free ? b.addBody(nullptr, {}, {1, Vector3d::Zero(), boxInertia(1, {0.2, 0.2, 0.2})}) : -1;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double along = static_cast<double>(i);
    const int link =
        b.addBody(nullptr, RigidTransform::translation({kArmLink * along, 0, 0}),
                  {masses[i], Vector3d(0.5 * kArmLink, 0, 0), boxInertia(masses[i], {kArmLink, 0.04, 0.04})});
    b.addJoint(i < slides.size() && slides[i] ? SceneJoint::Type::prismatic : SceneJoint::Type::revolute, parent, link,
               Vector3d(0, -std::cos(tilt * along), std::sin(tilt * along)));
    parent = link;
  }
  if (free) b.scene.gravity.setZero();
  b.finish();
  b.scene.contactSource = ContactSource::external;
  return b.scene;
}

/// The law of `JointDrive` at a position and a speed, and the largest of what adds up to it.
struct DriveEffort {
  DriveEffort(const JointDrive& d, double q, double v)
      : value(std::clamp(d.stiffness * (d.target - q) + d.damping * (d.targetVelocity - v) + d.feedforward, d.minEffort,
                         d.maxEffort)),
        scale(1 + d.stiffness * std::abs(d.target - q) + d.damping * (std::abs(d.targetVelocity) + std::abs(v)) +
              std::abs(d.feedforward)) {}
  double value, scale;
};

}  // namespace mortise::test
