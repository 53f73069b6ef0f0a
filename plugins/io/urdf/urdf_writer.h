#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// Writes a robot as URDF with a `<klampt>` element for what URDF has no word for. A fixed robot hangs on the link
/// `world`; floating and planar joints stand for their chains. Shapes are written as both `<visual>` and `<collision>`.
/// The file is then read back: what came out different is what the format cannot hold, a warning for each kind of it.
void writeUrdf(const RobotDescription& robot, WriteContext& context);

}  // namespace mortise::io
