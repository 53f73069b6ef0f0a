#pragma once

#include "mortise/component/file_format.h"
#include "urdf/urdf_file.h"

namespace mortise::io {

/// Puts a robot together from what its file says, loading meshes and mounted robots. Everything wrong goes to the
/// diagnostics; the result is then not to be used.
RobotDescription buildUrdfRobot(const UrdfFile& urdf, ReadContext& context);

/// Turns the drivers of mimic joints into affine drivers of the joints they follow. `joint` holds for each link of the
/// robot the joint above it, null where there is none. Chains are followed to their end.
void foldMimicJoints(const UrdfFile& urdf, const std::vector<const UrdfJoint*>& joint, RobotDescription& robot,
                     Diagnostics& diagnostics);

}  // namespace mortise::io
