#pragma once

#include "mortise/component/file_format.h"
#include "rob_file.h"

namespace mortise::io {

/// Puts a robot together from what its file says, loading meshes and mounted robots. Everything wrong goes to the
/// diagnostics; the result is then not to be used.
RobotDescription buildRobot(const RobFile& rob, ReadContext& context);

/// Whether what is mounted is a robot, not a mesh.
bool isRobotFile(const std::string& file);

/// Appends `part` to `robot`, its roots fixed to `link` (-1: the world) at X_LM; its names get the prefix "PREFIX:"
/// when one is given. Pairs of a new and an old link that both have geometry are checked for collision, except roots
/// against `link` itself.
void mountRobot(RobotDescription& robot, int link, const RigidTransform& X_LM, const std::string& prefix,
                RobotDescription part);

}  // namespace mortise::io
