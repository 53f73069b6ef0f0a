#pragma once

#include "mortise/model/robot.h"

namespace mortise::test {

/// A floating base of six links and two revolute arms on it, about z and y; every link has 1 kg.
inline RobotDescription floatingArm() {
  RobotDescription d;
  d.name = "floating arm";
  for (int i = 0; i < 8; ++i) {
    Link link;
    link.name = "l" + std::to_string(i);
    link.parent = i < 7 ? i - 1 : 5;
    link.inertia.mass = 1;
    if (i < 3) link.motion = LinkMotion::prismatic;
    if (i < 6) link.axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    d.links.push_back(link);
  }
  d.links[0].X_PL0.p = Vector3d(0.1, 0.2, 0.3);
  d.links[6].X_PL0.p = Vector3d(1, 0, 0);
  d.links[6].q = 0.25;
  d.links[7].X_PL0.p = Vector3d(0, 1, 0);
  d.links[7].axis = Vector3d::UnitY();
  d.joints = {{JointType::floating, 5, -1}, {JointType::normal, 6, -1}, {JointType::normal, 7, -1}};
  Driver driver;
  driver.name = "arm";
  driver.links = {7};
  d.drivers = {driver};
  return d;
}

}  // namespace mortise::test
