#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mortise/base/log.h"
#include "mortise/component/host.h"
#include "mortise/simulation/context/simulation_options.h"
#include "mortise/simulation/context/step_status.h"

namespace mortise {

/// Consequences of components' faults for a run: whether it goes on, and what is logged.
class ComponentFaults {
 public:
  /// Both outlive this.
  ComponentFaults(LogSink& log, StepLog& steps) : log_(log), steps_(steps) {}

  /// Returns false when the simulation must stop. `disabled`: the component's own flag, which stands for the component.
  bool continueAfter(ComponentStatus result, const std::string& message, OnError onError, bool& disabled) {
    return result == ComponentStatus::ok || continueAfterFault(message, onError, disabled);
  }
  /// At the end of a run: logs how often components failed that went on.
  void report();

 private:
  bool continueAfterFault(const std::string& message, OnError onError, bool& disabled);

  /// A component that goes on after a fault: its first message, and how often it failed.
  struct HeldFault {
    const bool* component;
    std::string message;
    std::int64_t times;
  };
  LogSink& log_;
  StepLog& steps_;
  std::vector<HeldFault> held_;
};

}  // namespace mortise
