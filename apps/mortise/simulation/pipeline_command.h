#pragma once

#include <memory>
#include <string>

#include "command_line/command_line.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/log.h"
#include "mortise/loading/format_loader.h"
#include "mortise/pipeline/file/pipeline.h"

namespace mortise::app {

/// The use of plugins that a pipeline names: their libraries, or, by commands that only read the file, the descriptions
/// beside them.
enum class Trust { libraries, descriptions };

/// A pipeline as `run` and `config` need it: read, its plugins found, everything checked that can be without running.
class CheckedPipeline {
 public:
  /// Throws `Error` only when the file cannot be read as YAML; all else that is wrong is in `diagnostics`.
  CheckedPipeline(const CommandLine& line, const std::string& file, Trust trust);

  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// Adds what is doubtful about the things of the world.
  CheckedPipeline& withWorld();
  /// Throws `DiagnosticsError` with everything at once.
  void throwIfErrors() const;
  const Pipeline& pipeline() const { return pipeline_; }
  Registry& registry() { return *registry_; }
  FormatLoader& loader() { return *loader_; }

 private:
  void keepPluginsClosed(LogSink& log) const;

  std::string file_;
  Diagnostics diagnostics_;
  std::unique_ptr<Registry> registry_;
  std::unique_ptr<FormatLoader> loader_;
  Pipeline pipeline_;
};

}  // namespace mortise::app
