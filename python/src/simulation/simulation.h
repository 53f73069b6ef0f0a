#pragma once

/// Behind Python's Simulation.

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <thread>
#include <vector>

#include "common/define.h"
#include "common/environment.h"
#include "components/script_object.h"
#include "model/worlds.h"
#include "mortise/pipeline/simulate/command_schedule.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/simulation.h"

namespace mortise::python {

/// A simulation with everything that must outlive it, without any object of Python: arrays that show sensor readings
/// hold it, and so they make no cycles.
struct SimulationCore {
  EnvironmentPtr environment;
  WorldPtr world;
  std::unique_ptr<FormatLoader> loader;
  ChannelTable channels;
  std::vector<std::unique_ptr<ComponentHost>> recorderHosts;  ///< Hosts of logs; they outlive the simulation.
  std::unique_ptr<Simulation> simulation;
  /// Those of the world's `<command>` elements.
  CommandSchedule commands{std::vector<TimedCommand>()};
  std::atomic<bool> stop = false;  ///< Signal to components that wait for something.
  /// Components written in Python; they live as long as `simulation`.
  std::vector<ScriptObject*> scripts;
};

struct SimulationHandle {
  std::shared_ptr<SimulationCore> core;
  py::list hooksBefore, hooksAfter;
  bool beforeInstalled = false, afterInstalled = false;
  std::optional<py::error_already_set> failure;  ///< Failure of a hook; raised when the call that ran it returns.
  bool commandsOn = true;                        ///< Unless it settles.
  bool stepped = false;                          ///< Since its start, other than to settle.
  bool running = false;                          ///< Changes with the GIL held.
  std::thread::id runner;

  /// Throws where another thread is in `step` or `advance`.
  Simulation& simulation();
  /// Returns the world as it is now, edits included.
  const World& world() const { return core->simulation->world(); }

  /// Runs `work`, and the world's commands before the steps that they are due at. `seconds`: how long it is at most.
  StepStatus run(const std::function<StepStatus(Simulation&, const std::function<bool()>&)>& work,
                 double seconds = std::numeric_limits<double>::infinity());
  /// Settles without the world's commands, whose times count from its end where nothing was stepped before it.
  bool settle(double maxSeconds, double speed);
  void reset();
  void install(bool before);
};

/// With all that is chosen for it; `simulation.cpp` says what the arguments are.
std::unique_ptr<SimulationHandle> makeSimulation(const WorldPtr& world, py::handle backend, py::handle settings,
                                                 py::handle step, py::handle contacts, py::handle adaptive,
                                                 py::handle controlRate, std::uint64_t seed, py::handle controllers,
                                                 py::handle sensors, py::handle actuatorLimits, bool useWorldState,
                                                 bool strict, py::handle onUnstable, bool useWorldCommands,
                                                 const py::kwargs& more);
/// Settings of simulations (`SimulationRequest`) that Python says in another way, or not at all.
const std::vector<std::string>& settingsElsewhere();

struct SensorView {
  std::shared_ptr<SimulationCore> core;
  int robot = 0;
  std::string name;
  const SensorReading& reading() const {
    const SensorReading* found = findReading(core->simulation->sensorReadings(robot), name);
    if (found == nullptr) throw py::key_error("the sensor '" + name + "' is no longer there");
    return *found;
  }
};

struct ControllerView {
  std::shared_ptr<SimulationCore> core;
  int robot = 0;
  Controller& controller() const {
    Controller* found = core->simulation->controller(robot);
    if (found == nullptr) throw py::value_error("the robot has no controller");
    return *found;
  }
};

SensorView sensorOf(SimulationHandle& handle, const std::string& name, py::handle robot);
using SimulationClass = Class<SimulationHandle>;
void bindEdits(SimulationClass& type);
void bindSimulatedComponents(py::module_& m);

}  // namespace mortise::python
