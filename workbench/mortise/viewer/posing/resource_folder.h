#pragma once

#include <set>
#include <string>

#include "mortise/component/resource.h"
#include "mortise/loading/format_loader.h"

namespace mortise::viewer {

/// A folder of resources, a file each, as Klamp't's programs keep them beside a world.
class ResourceFolder {
 public:
  /// `loader` outlives it. The folder need not exist; it is made when something is written.
  ResourceFolder(std::string folder, FormatLoader& loader) : folder_(std::move(folder)), loader_(loader) {}

  /// Reads its files, in the order of names; nothing where it does not exist.
  ResourceLibrary read(Diagnostics& diagnostics);
  /// Writes all, and removes the files of what was read or written before and is no longer there. Says how much was
  /// written, and what could not be. Throws `Error` where nothing can be written.
  std::string write(const ResourceLibrary& library);

 private:
  std::string folder_;
  FormatLoader& loader_;
  std::set<std::string> own_;  ///< Names of resources that files in the folder stand for.
};

}  // namespace mortise::viewer
