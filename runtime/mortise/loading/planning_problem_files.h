#pragma once

/// Planning problems from files, by whatever format reads them.

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/component/planning_problem_description.h"
#include "mortise/loading/format_loader.h"

namespace mortise {

/// Which files, and how to read them.
struct PlanningProblemFiles {
  std::string format;             ///< Name or alias; empty: the one that recognizes the files.
  std::string path;               ///< A file or folder, as written; empty: the settings name all files.
  std::string referringFile;      ///< Which the path is relative to; may be empty.
  Value settings = Value::map();  ///< Settings of the format, not yet complete.
};

/// The format of this name when it reads planning problems; null otherwise.
const ComponentInfo* planningProblemFormat(std::string_view name, const Registry& registry);

/// Throws `Error` with everything that is wrong; warnings go to `diagnostics`.
PlanningProblems loadPlanningProblems(const PlanningProblemFiles& files, Registry& registry, FormatLoader& loader,
                                      Diagnostics& diagnostics);

/// The problems that a setting names: a folder, or a map of the format's settings with `folder` and `packages` (folders
/// by name), all relative to `referringFile`. `paths`: more places and packages.
PlanningProblems loadPlanningProblems(const std::string& format, const Value& setting, const std::string& referringFile,
                                      Registry& registry, LogSink& log, ResourcePath paths, Diagnostics& diagnostics);

}  // namespace mortise
