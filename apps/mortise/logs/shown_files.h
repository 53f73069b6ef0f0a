#pragma once

#include <string>
#include <vector>

#include "mortise/loading/format_loader.h"
#include "mortise/viewer/snapshot_log.h"

namespace mortise::app {

/// Says whether a file is a log: by its name, or by how it begins.
bool isLogFile(const std::string& file);

/// The file among them that holds a motion, which is taken out; empty: none. Throws `UsageError` for several, and for
/// one without a world or a robot.
std::string takeMotion(FormatLoader& loader, std::vector<std::string>& files);

/// The motion of the first robot that it fits.
viewer::ShownMotion motionFor(FormatLoader& loader, const std::string& file, const World& world,
                              Diagnostics& diagnostics);

}  // namespace mortise::app
