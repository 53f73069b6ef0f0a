#pragma once

/// The interface of a pipeline stage: one step of a YAML pipeline.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/progress.h"
#include "mortise/base/value.h"
#include "mortise/component/host.h"
#include "mortise/component/stage_result.h"
#include "mortise/model/world.h"

namespace mortise {

class Registry;
class ResourceLoader;

/// Context in which a stage runs: the world, results of earlier stages, and where it leaves its own.
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

  /// Results by name: a stage's `save: path` leaves one, a later stage's `path: path` finds it. One name may hold a
  /// motion, the settings of the space that it was planned in, a simulation's state and a report. `find*` return
  /// nullptr where there is none.
  virtual void saveMotion(std::string_view name, SavedMotion motion) = 0;
  virtual const SavedMotion* findMotion(std::string_view name) const = 0;
  virtual void saveSpace(std::string_view name, Value settings) = 0;
  virtual const Value* findSpace(std::string_view name) const = 0;
  virtual void saveState(std::string_view name, SavedState state) = 0;
  virtual const SavedState* findState(std::string_view name) const = 0;
  /// A report for people and other programs. Stages do not read those of others.
  virtual void saveResult(std::string_view name, Value result) = 0;
  virtual const Value* findResult(std::string_view name) const = 0;
  /// All reports so far, a map in the order in which they came.
  virtual const Value& results() const = 0;
  /// Returns what earlier stages left, in their order; while stages are checked, what they will leave.
  virtual const std::vector<StageOutput>& outputs() const = 0;

  /// A motion of configurations alone.
  void saveTrajectory(std::string_view name, Trajectory trajectory) {
    saveMotion(name, {std::move(trajectory), {}, {}, {}});
  }
  const Trajectory* findTrajectory(std::string_view name) const {
    const SavedMotion* motion = findMotion(name);
    return motion == nullptr ? nullptr : &motion->trajectory;
  }
  const StageOutput* findOutput(std::string_view name) const;

  /// Something that the program offers beyond this interface, by its id; null where it does not.
  virtual const void* extension(std::string_view id) const;
};

class Stage {
 public:
  virtual ~Stage();
  /// Before anything runs: whatever can be found wrong without running. The default finds nothing.
  virtual void check(StageContext& context, Diagnostics& diagnostics);
  virtual void run(StageContext& context) = 0;
};

}  // namespace mortise
