#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mortise/component/recorder.h"
#include "mortise/math/constants.h"
#include "mortise/plugin/guard.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/context/step_status.h"

namespace mortise {

/// The open recorders of a simulation.
class RecorderSet {
 public:
  /// The recorder, which was opened with `world`, gets a state every `interval` ticks.
  void add(ComponentPtr<Recorder> recorder, int interval, const World* world) {
    const double period = recorder->snapshotPeriod();
    slots_.push_back({std::move(recorder), interval, period > 0 ? period : kInfinity, -kInfinity, world});
  }

  /// After a step that brought the simulation to `tick`: hands `view(world)` to the recorders that are due, and after
  /// an error to all. The status of the step: an error where a recorder fails, whose fault goes to `steps`.
  template <typename View>
  StepStatus write(std::int64_t tick, StepStatus result, StepLog& steps, const View& view) {
    std::string message;
    for (Slot& slot : slots_) {
      if (tick % slot.interval != 0 && result != StepStatus::error) continue;
      if (guarded("recorder", "write", message, [&] { slot.recorder->write(view(slot.world)); }) == ComponentStatus::ok)
        continue;
      steps.addFault(message);
      result = StepStatus::error;
    }
    return result;
  }

  /// Hands `save()`, and `view(world)`, to the recorders that want a saved state at this time (s). As `write`
  /// otherwise.
  template <typename View, typename Save>
  StepStatus snapshot(double time, StepStatus result, StepLog& steps, const View& view, const Save& save) {
    std::string message;
    std::vector<std::byte> state;
    for (Slot& slot : slots_) {
      if (slot.period == kInfinity || !(time >= slot.lastSnapshot + slot.period - 1e-9)) continue;
      slot.lastSnapshot = time;
      if (state.empty()) state = save();
      if (guarded("recorder", "writeSnapshot", message,
                  [&] { slot.recorder->writeSnapshot(view(slot.world), state); }) == ComponentStatus::ok)
        continue;
      steps.addFault(message);
      result = StepStatus::error;
    }
    return result;
  }

  /// Tells all of something that happened.
  void note(double time, LogLevel level, const std::string& text);
  bool empty() const { return slots_.empty(); }
  /// Tells all how the run ended, closes and drops them; returns what those say that fail.
  std::vector<std::string> close(const Value& ending);

 private:
  struct Slot {
    ComponentPtr<Recorder> recorder;
    int interval;
    double period;        ///< Between snapshots, s; infinite: none.
    double lastSnapshot;  ///< s
    const World* world;   ///< The world that it was opened with, in whose ids it writes.
  };
  std::vector<Slot> slots_;
};

}  // namespace mortise
