#pragma once

/// Robots written to a file together with the files of their shapes.

#include <string>
#include <vector>

#include "mortise/loading/format_loader.h"
#include "mortise/model/robot.h"

namespace mortise {

/// Places of exported shapes: PREFIX + the link's name + "." + extension, relative to the robot's file. A prefix that
/// ends in '/' is a folder, which is made.
struct ShapeExport {
  std::string prefix;
  std::string extension = "off";
};

/// Writes each link's shape, as the robot has it, to a file of its own, and lets the link refer to that. Shapes that
/// the format of the extension does not hold as they are become meshes; those without a surface (clouds) keep the files
/// they have, with a warning. Returns the files in the order of the links. Throws `Error` for an extension that holds
/// no shapes, where a file that a shape was read from would be replaced, and when a file cannot be written.
std::vector<std::string> exportShapes(RobotDescription& robot, const std::string& robotFile, const ShapeExport& target,
                                      FormatLoader& loader, Diagnostics& diagnostics);

}  // namespace mortise
