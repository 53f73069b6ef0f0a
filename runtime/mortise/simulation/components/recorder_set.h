#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mortise/component/recorder.h"
#include "mortise/plugin/guard.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/step_status.h"

namespace mortise {

/// The open recorders of a simulation.
class RecorderSet {
 public:
  /// The recorder gets a state every `interval` ticks.
  void add(ComponentPtr<Recorder> recorder, int interval) { slots_.push_back({std::move(recorder), interval}); }

  /// After a step that brought the simulation to `tick`: hands `view()` to the recorders that are due, and after an
  /// error to all. The status of the step: an error where a recorder fails, whose fault goes to `steps`.
  template <typename View>
  StepStatus write(std::int64_t tick, StepStatus result, StepLog& steps, const View& view) {
    std::string message;
    for (Slot& slot : slots_) {
      if (tick % slot.interval != 0 && result != StepStatus::error) continue;
      if (guarded("recorder", "write", message, [&] { slot.recorder->write(view()); }) == ComponentStatus::ok) continue;
      steps.addFault(message);
      result = StepStatus::error;
    }
    return result;
  }

  /// Closes and drops all; returns what those say that fail.
  std::vector<std::string> close();

 private:
  struct Slot {
    ComponentPtr<Recorder> recorder;
    int interval;
  };
  std::vector<Slot> slots_;
};

}  // namespace mortise
