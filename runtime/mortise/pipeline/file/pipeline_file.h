#pragma once

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/base/value_text.h"
#include "mortise/settings/parse_setting.h"

namespace mortise {

/// A pipeline as text: read, `--set` applied, variables replaced, nothing checked against any schema yet.
struct PipelineFile {
  std::string path;  ///< The path as the user gave it.
  /// References to other files are relative to the folder of this path: the file itself, unless its key `relative_to`
  /// names another folder (run.lock.yaml does).
  std::string base;
  Value written;                          ///< The text of the file.
  std::vector<AssignedSetting> settings;  ///< Settings of `--set`, in order, with plain key paths.
  Value root;                             ///< After settings and variables.

  /// Plugin files and folders that the pipeline names, resolved. What does not exist goes to `diagnostics`.
  std::vector<std::string> plugins(Diagnostics& diagnostics) const;
};

/// Reads `path` and applies `settings` ("a.b=c") in order. Throws `Error` when the file cannot be read at all;
/// everything else that is wrong goes to `diagnostics`.
PipelineFile loadPipelineFile(const std::string& path, const std::vector<std::string>& settings,
                              Diagnostics& diagnostics);

}  // namespace mortise
