#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/log.h"
#include "mortise/base/value.h"
#include "mortise/loading/format_loader.h"
#include "mortise/model/world.h"
#include "mortise/pipeline/file/pipeline_file.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// One step of a pipeline.
struct PipelineStage {
  const ComponentInfo* info = nullptr;
  std::string label;  ///< The stage's name, numbered from the second of its kind on; unique in the pipeline.
  Value settings;     ///< Complete.
  SourcePosition position;
};

/// A pipeline that was checked: every name is known, every setting complete.
struct Pipeline {
  PipelineFile file;
  std::string name;
  std::uint64_t seed = 0;
  World world;
  bool worldLoaded = false;
  bool strict = false;  ///< True if what is computed in place of what was asked for is refused; that of the check.
  /// All settings complete, in the form of a pipeline file, plus `file`, the path that references are relative to. What
  /// stages see.
  Value resolved;
  std::vector<PipelineStage> stages;
};

/// Checks a pipeline against the schemas of everything that it names, and loads its world. Everything that is wrong
/// goes to `diagnostics`; the pipeline can be run only when there are no errors. Notices about skipped optional
/// components go to `log`. Stages' own checks are not part of this; see `checkStages` of pipeline_run.h.
Pipeline checkPipeline(PipelineFile file, const Registry& registry, FormatLoader& loader, LogSink& log,
                       Diagnostics& diagnostics);

}  // namespace mortise
