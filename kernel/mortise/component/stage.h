#pragma once

/// The interface of a pipeline stage: one step of a YAML pipeline.

#include <memory>
#include <string>
#include <string_view>

#include "mortise/base/diagnostics.h"
#include "mortise/base/progress.h"
#include "mortise/base/value.h"
#include "mortise/component/host.h"
#include "mortise/model/world.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

class Registry;
class ResourceLoader;

/// What a stage finds when it runs and where it leaves its results for later stages.
class StageContext {
 public:
  virtual ~StageContext();

  virtual const World& world() const = 0;
  virtual Registry& registry() = 0;
  virtual ResourceLoader& loader() = 0;
  /// The pipeline's settings outside `stages`, complete: `simulation`, `components`, `seed`, ...
  virtual const Value& pipeline() const = 0;
  virtual std::uint64_t seed() const = 0;
  /// Exists; every file a stage writes goes below it.
  virtual const std::string& runDirectory() const = 0;
  virtual Progress& progress() = 0;
  virtual LogSink& log() = 0;
  /// True after Ctrl-C: finish cleanly, keep what there is, return.
  virtual bool stopRequested() const = 0;

  /// Results by name: a stage's `save: path` leaves one, a later stage's `path: path` finds it. `find*` return nullptr.
  virtual void saveTrajectory(std::string_view name, Trajectory trajectory) = 0;
  virtual const Trajectory* findTrajectory(std::string_view name) const = 0;
  virtual void saveResult(std::string_view name, Value result) = 0;
  virtual const Value* findResult(std::string_view name) const = 0;
  /// All results so far, a map in the order in which they came.
  virtual const Value& results() const = 0;
};

class Stage {
 public:
  virtual ~Stage();
  /// Before anything runs: whatever can be found wrong without running. The default finds nothing.
  virtual void check(StageContext& context, Diagnostics& diagnostics);
  virtual void run(StageContext& context) = 0;
};

}  // namespace mortise
