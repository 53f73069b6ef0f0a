#pragma once

#include <string>
#include <vector>

#include "mortise/loading/format_loader.h"
#include "mortise/loading/resource_path.h"

namespace mortise {

enum class ReferenceStyle {
  keep,      ///< Names as written where that still finds the file; otherwise relative to the new file.
  relative,  ///< Relative to the new file.
  absolute,
};

struct WorldSaveOptions {
  ReferenceStyle references = ReferenceStyle::keep;
  /// Copies every file that the world needs, and what those files refer to in turn, into a folder with the name of the
  /// new file (without its extension) beside it, their folders relative to each other as they are, and refers to the
  /// copies. As Klamp't's saving does with a folder; but files are copied as they stand, not written anew.
  bool copyFiles = false;
};

struct SavedWorld {
  std::string file;
  std::vector<std::string> copied;  ///< Files of the copy, in order of their paths.
  /// Files that the copy still needs from elsewhere: packages, absolute paths inside other files.
  std::vector<std::string> outside;
};

/// Reads a world and saves it to another file. Throws `Error` where it cannot be read or written, or where copying
/// would write over a file with other content; other problems go to the diagnostics.
SavedWorld saveWorld(Registry& registry, LogSink& log, const ResourcePath& paths, const std::string& in,
                     const std::string& out, const WorldSaveOptions& options, Diagnostics& diagnostics);

}  // namespace mortise
