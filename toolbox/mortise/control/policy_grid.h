#pragma once

/// Common parts of tables of policies and their search.

#include "mortise/math/constants.h"
#include "mortise/model/robot.h"

namespace mortise {

constexpr double kMaxCells = 1e7;

/// Says whether a link goes all the way around, so that its angle counts up to full turns.
inline bool turnsFully(const Robot& robot, int link) {
  const Link& l = robot.link(link);
  if (l.motion != LinkMotion::revolute) return false;
  const int joint = robot.jointOfLink(link);
  const bool spin = joint >= 0 && robot.joints()[static_cast<std::size_t>(joint)].type == JointType::spin;
  return spin || l.qMax - l.qMin >= kTurn * (1 - 1e-9);
}

}  // namespace mortise
