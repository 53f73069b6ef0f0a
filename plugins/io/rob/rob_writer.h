#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// Writes a robot as .rob text, flat: what was mounted becomes links of its own. Numbers read back to the same bits.
/// Shapes whose file is known and still holds them are written as references; others next to the robot, as `.off`,
/// `.geom` or `.pcd`. What the format cannot hold goes to the diagnostics as a warning. Throws `Error` for a robot that
/// `Robot::compile` refuses, where a name holds a '#', which begins a comment wherever it stands, and where a file
/// cannot be written.
void writeRob(const RobotDescription& robot, WriteContext& context);

}  // namespace mortise::io
