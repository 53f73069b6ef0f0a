#pragma once

/// Behind Python's Simulation.

#include <atomic>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <thread>

#include "environment.h"
#include "mortise/simulation/simulation.h"
#include "worlds.h"

namespace mortise::python {

/// A simulation with everything that must outlive it, without any object of Python: arrays that show sensor readings
/// hold it, and so they make no cycles.
struct SimulationCore {
  EnvironmentPtr environment;
  WorldPtr world;
  std::unique_ptr<FormatLoader> loader;
  std::unique_ptr<Simulation> simulation;
  std::atomic<bool> stop = false;  ///< What components are told that wait for something.
};

struct SimulationHandle {
  std::shared_ptr<SimulationCore> core;
  py::list hooksBefore, hooksAfter;
  bool beforeInstalled = false, afterInstalled = false;
  std::optional<py::error_already_set> failure;  ///< Of a hook; raised when the call that ran it returns.
  bool running = false;                          ///< Changes with the GIL held.
  std::thread::id runner;

  /// Throws where another thread is in `step` or `advance`.
  Simulation& simulation();
  const World& world() const { return *core->world; }

  StepStatus run(const std::function<StepStatus(Simulation&, const std::function<bool()>&)>& work);
  void install(bool before);
};

}  // namespace mortise::python
