#pragma once

#include <memory>

#include "mortise/base/diagnostics.h"
#include "mortise/model/world.h"
#include "mortise/model/world_description.h"

namespace mortise {

/// Compiles descriptions and remembers the last result: a robot whose description, placement and sensors are those of
/// the last time keeps its `RobotPtr`, a shape with the same source, placement and margin its `GeometryPtr`. Entities
/// that are placed alike share both. One thread at a time.
class WorldCompiler {
 public:
  WorldCompiler();
  ~WorldCompiler();
  WorldCompiler(WorldCompiler&&) noexcept;
  WorldCompiler& operator=(WorldCompiler&&) noexcept;

  /// Compiles a description. Faults go to the diagnostics, with the place in the description's file; the result is
  /// then not to be used.
  World compile(const WorldDescription& description, Diagnostics& diagnostics);
  /// Throws `DiagnosticsError`.
  World compile(const WorldDescription& description);

 private:
  struct Cache;
  std::unique_ptr<Cache> cache_;
};

}  // namespace mortise
