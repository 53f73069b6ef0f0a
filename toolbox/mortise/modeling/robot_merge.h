#pragma once

#include <string>

#include "mortise/model/robot.h"
#include "mortise/model/world.h"

namespace mortise {

/// Naming of the parts of a merged robot.
enum class MergedNames {
  prefixed,   ///< "arm:elbow", as mounting does.
  bracketed,  ///< "arm[elbow]", as Klamp't's Merge does.
};

/// All robots of a world, then all its rigid objects, as one robot: each object is a floating base of six links called
/// x, y, z, rz, ry and rx, of which the last carries it. Where each starts in the world is where it starts here; robots
/// keep their drivers, joints and sensors, not their controllers. Shapes of different parts are checked against each
/// other. Terrains are left out. Throws `Error` for a world without robots and objects.
RobotDescription mergedRobot(const World& world, const std::string& name, MergedNames names = MergedNames::prefixed);

}  // namespace mortise
