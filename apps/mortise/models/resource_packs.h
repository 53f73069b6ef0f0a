#pragma once

/// Resources packed and unpacked, for `mortise resource` and for Klamp't's Pack and Unpack.

#include <optional>
#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/component/resource.h"
#include "mortise/loading/format_loader.h"

namespace mortise::app {

/// The resources of these files, or of one folder or library, in the order of the files or of their names. Throws
/// `Error`.
ResourceLibrary readResources(FormatLoader& loader, const std::vector<std::string>& files, Diagnostics& diagnostics);

/// Throws `Error` if `out` is one of the files that are packed.
void refuseToReplace(const std::vector<std::string>& files, const std::string& out);

/// The usual extension of a packed resource: ".xml" for a MultiPath.
std::string extensionOfPack(FileContent kind);

/// Reads `file` and writes its parts to `folder`, one file each. Returns their names. Throws `Error` if `file` is that
/// folder.
std::vector<std::string> unpackFile(FormatLoader& loader, const std::string& file, const std::string& folder,
                                    Diagnostics& diagnostics);

}  // namespace mortise::app
