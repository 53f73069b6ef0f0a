#pragma once

/// Mirror images of a robot's configurations: what the left limb does is done by the right one.

#include <vector>

#include "mortise/model/robot.h"

namespace mortise {

/// Symmetry of a robot's links: `q` of link i becomes
/// `offset[i] + scale[i] * q` of link `counterpart[i]`, which is the link itself in the middle of the robot.
struct RobotMirror {
  std::vector<int> counterpart;
  std::vector<double> scale, offset;
  Vector3d normal = Vector3d::UnitY();  ///< Normal of the plane, unit, in the frame that the robot is mounted in.
  double distance = 0;                  ///< Distance of the plane from that frame's origin (m).

  /// Beyond limits where those of the counterpart are narrower. Throws `Error` for another number of links.
  VectorXd operator()(const VectorXd& q) const;
};

/// The mirror of a robot, by the names of its links (left and right, l and r in upper or lower case) and where their
/// joints are; links without a counterpart by name lie in the plane. A floating base stays where it is and keeps its
/// heading: it is mirrored in the upright plane through itself. That links come to lie where their counterparts' images
/// are is checked, to a hundredth of the robot's size, at several configurations. Throws `Error` that says what is in
/// the way for robots without mirror image.
RobotMirror findMirror(const Robot& robot);

/// The name with left and right exchanged, of all that come into question the first that `robot` has a link of; -1
/// where there is none.
int findCounterpart(const Robot& robot, int link);

}  // namespace mortise
