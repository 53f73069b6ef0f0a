#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/diagnostics.h"
#include "mortise/component/simulation_view.h"
#include "mortise/simulation/components/component_faults.h"
#include "mortise/simulation/components/component_slots.h"
#include "mortise/simulation/context/simulation_clock.h"
#include "mortise/simulation/context/simulation_context.h"
#include "mortise/simulation/context/simulation_record.h"
#include "mortise/simulation/context/step_status.h"
#include "mortise/simulation/stepping/physics_stepper.h"

namespace mortise {

/// The sensors, estimators and controllers of a simulation: runs those that are due, and holds what they measure.
class ComponentRunner {
 public:
  /// Creates the components; everything that is wrong goes to `diagnostics`. `context` and `steps` outlive this.
  ComponentRunner(SimulationContext& context, StepLog& steps, Diagnostics& diagnostics);

  /// At the start and after a reset: every component begins anew. Throws `Error` with what a component says.
  void start(const PhysicsStepper& physics);
  /// Has the sensors see the world as it is now, with other objects than before; what they hold stays. Throws `Error`
  /// with what a sensor says.
  void meetWorld();

  // Parts of a step. False: a component failed in a way that stops the simulation; the fault is in the step log.

  /// Does nothing at a tick that was measured already (`measure`).
  bool simulateSensors(const SimulationClock& clock, PhysicsStepper& physics);
  /// Does the same ahead of the step, which then does not measure again.
  bool measure(const SimulationClock& clock, PhysicsStepper& physics);
  /// Writes the commands of the motors. `record` may be null.
  bool updateControllers(const SimulationClock& clock, PhysicsStepper& physics, SimulationRecord* record);
  /// After a step, for sensors that measure over every step.
  bool observeStep(const SimulationClock& clock, PhysicsStepper& physics);
  /// At the end of a run: logs how often components failed that went on.
  void reportFaults() { faults_.report(); }

  /// The world with frames up to date and the readings of the sensors; valid until the next step.
  SimulationView view(const SimulationClock& clock, PhysicsStepper& physics);
  /// Returns the readings of a robot's sensors, in the order in which they run.
  std::span<const SensorReading> readings(int robot) const { return readings_[robot]; }
  Controller* controller(int robot) { return set_.controllers[robot]->component.get(); }
  /// nullptr when the robot has none of this name.
  SensorSlot* sensor(int robot, std::string_view name);
  /// Throws `Error` with the nearest name when there is none.
  SensorSlot& requireSensor(int robot, std::string_view name);
  /// [{controller or sensor, name, robot, rate, settings_hash}]
  Value describe() const;

  /// 64 bits over which components there are, with their rates and settings.
  std::uint64_t signature() const;
  void save(ByteWriter& out) const;
  void restore(ByteReader& in);
  /// Writes what the state hash of the simulation covers.
  void hash(ByteWriter& out) const;

 private:
  void startSensors();
  void startController(ControllerSlot& slot, const PhysicsStepper& physics);
  ComponentStatus updateController(ControllerSlot& slot, ControllerInput& input, const RobotState& state,
                                   std::span<ActuatorCommand> commands, std::string& message);
  ComponentStatus estimate(EstimatorSlot& estimator, const Robot& robot, ControllerInput& input,
                           const RobotState& state, std::string& message) const;
  void checkCommands(const ControllerSlot& slot, std::span<ActuatorCommand> commands, ComponentStatus& result,
                     std::string& message) const;

  SimulationContext& context_;
  ComponentFaults faults_;
  ComponentSet set_;
  std::vector<std::vector<SensorReading>> readings_;  ///< By robot.
  std::vector<RobotView> robotViews_;
  bool observed_ = false;           ///< Some sensor measures over every step.
  std::int64_t measuredTick_ = -1;  ///< At which sensors were read ahead of the step; -1: none.
};

}  // namespace mortise
