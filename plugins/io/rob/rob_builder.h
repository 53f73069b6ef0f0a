#pragma once

#include "mortise/component/file_format.h"
#include "rob/rob_file.h"

namespace mortise::io {

/// Puts a robot together from what its file says, loading meshes and mounted robots. Everything wrong goes to the
/// diagnostics; the result is then not to be used.
RobotDescription buildRobot(const RobFile& rob, ReadContext& context);

/// Says whether what is mounted is a robot, not a mesh.
bool isRobotFile(const std::string& file);

}  // namespace mortise::io
