#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mortise/loading/format_loader.h"
#include "mortise/mcap/reader.h"
#include "mortise/viewer/snapshot_log.h"

namespace mortise::app {

class CommandLine;

/// Says whether a file is a log: by its name, or by how it begins.
bool isLogFile(const std::string& file);

/// Throws `Error` for a log that the page could not show, and warns of one that is damaged. Logs may be long: where
/// everything is there, no state is read. Returns whether it holds a world; where it does not, another tool wrote it,
/// and the page shows what its messages say.
bool checkShownLog(const CommandLine& line, mcap::Reader& reader);

/// Throws `UsageError` for several logs of which one holds no world: there is nothing that they have in common.
void checkShownTogether(const std::vector<std::pair<std::string, bool>>& logsHoldWorld);

/// The file among them that holds a motion, which is taken out; empty: none. Throws `UsageError` for several, and for
/// one without a world or a robot.
std::string takeMotion(FormatLoader& loader, std::vector<std::string>& files);

/// The motion of the first robot that it fits.
viewer::ShownMotion motionFor(FormatLoader& loader, const std::string& file, const World& world,
                              Diagnostics& diagnostics);

}  // namespace mortise::app
