#pragma once

/// Files that a run wrote into its folder, so that a later run can tell them from everything else there.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mortise/base/value.h"

namespace mortise {

/// The size and time of a file, without its content.
struct FileStamp {
  std::uint64_t inode = 0;
  std::int64_t modified = 0;  ///< Nanoseconds since the epoch.
  std::int64_t size = 0;
  bool operator==(const FileStamp&) const = default;
};

/// By names relative to the folder of the run.
using WrittenFiles = std::map<std::string, FileStamp>;

/// {NAME: [size, modified, inode], ...}: what result.json keeps under `written`.
Value toValue(const WrittenFiles& files);

/// The files of an earlier run, as its result.json lists them, that are still what it wrote: plain files below `folder`
/// that no link leads to, of the same size and time. Those of a run that never ended may have grown since.
std::vector<std::string> unchangedFiles(const std::string& folder, const Value& result);

/// Names under `files` of a result.json; those of folders end with a slash.
std::vector<std::string> listedFiles(const Value& result);

}  // namespace mortise
