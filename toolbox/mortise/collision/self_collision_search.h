#pragma once

/// Pairs of a robot's links that are worth checking against each other, found by sampling configurations. The
/// idea and the classes are those of MoveIt's setup assistant.

#include <cstdint>
#include <vector>

#include "mortise/base/progress.h"
#include "mortise/model/robot.h"

namespace mortise {

struct SelfCollisionSearchOptions {
  int samples = 10000;
  std::uint64_t seed = 0;
  /// A pair that collides in at least this fraction of the samples collides always: its shapes overlap by design.
  double alwaysFraction = 0.95;
};

enum class SelfCollisionClass {
  sometimes,  ///< Worth checking.
  never,      ///< In no sample.
  always,     ///< In nearly all of them.
  initially,  ///< At the robot's initial configuration, which is taken to be a good one.
  adjacent    ///< No other link with a shape between them; such pairs touch at the joint.
};
/// "sometimes", "never", ...
std::string_view selfCollisionClassName(SelfCollisionClass kind);

struct SelfCollisionPair {
  int a = -1, b = -1;  ///< Links, a < b; both have a shape.
  int collisions = 0;  ///< Samples in which they collide.
  SelfCollisionClass kind = SelfCollisionClass::sometimes;
  bool checked = false;  ///< The robot's own rules check it now.
};

/// Every pair of links with shapes, in ascending order. Samples as `ConfigurationSpace::sample` does; the same seed
/// gives the same result. Links that never move against each other are in the class `never` or `always`.
std::vector<SelfCollisionPair> searchSelfCollisions(const RobotPtr& robot, const SelfCollisionSearchOptions& options,
                                                    Progress* progress = nullptr);

}  // namespace mortise
