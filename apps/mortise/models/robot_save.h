#pragma once

/// Robots saved to new files with their shapes, for `mortise robot` and for Klamp't's URDFtoRob and Merge.

#include <optional>
#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/base/value.h"
#include "mortise/loading/robot_export.h"
#include "mortise/modeling/robot_merge.h"

namespace mortise::app {

struct SavedRobot {
  std::string file;
  int links = 0, drivers = 0;
  std::vector<std::string> shapes;  ///< Files that were written.
  Diagnostics diagnostics;
};

/// Reads a robot and writes it elsewhere. `format`: settings of the format that reads it. `shapes`: where its shapes
/// go; absent: they stay where they are. Throws `Error`.
SavedRobot saveRobot(const CommandLine& line, const std::string& in, const std::string& out, const Value& format,
                     const std::optional<ShapeExport>& shapes);

/// The same for all robots and rigid objects of these files together.
SavedRobot saveMergedRobot(const CommandLine& line, const std::vector<std::string>& in, const std::string& out,
                           MergedNames names, const std::optional<ShapeExport>& shapes);

/// Warnings go to the log; with --json prints {input, output, links, drivers, shapes, warnings}, else `text`.
void reportSaved(const CommandLine& line, const Value& input, const SavedRobot& saved, const std::string& text);

}  // namespace mortise::app
