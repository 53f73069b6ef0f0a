#pragma once

/// The simulation loop: one for all backends, in integer ticks, on one thread. For each physics step: hooks, sensors
/// that are due, controllers that are due, actuators, solver, feedback.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/log.h"
#include "mortise/component/controller.h"
#include "mortise/component/file_format.h"
#include "mortise/component/physics.h"
#include "mortise/component/recorder.h"
#include "mortise/component/sensor.h"
#include "mortise/model/world.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/actuation/actuator.h"
#include "mortise/simulation/actuation/motor_model.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/context/simulation_options.h"
#include "mortise/simulation/context/step_status.h"
#include "mortise/simulation/scene/contact_history.h"
#include "mortise/simulation/scene/scene_builder.h"
#include "mortise/simulation/stepping/energy.h"

namespace mortise {

class SimulationRecord;
struct StartOverlaps;
struct WorldEdit;
struct EditedWorld;

class Simulation {
 public:
  /// Builds everything. `world`, `registry` and `log` outlive the simulation; `loader` may be null when no component
  /// refers to files. Throws `DiagnosticsError` with everything that is wrong (unknown components, settings, missing
  /// capabilities).
  Simulation(const World& world, Registry& registry, ResourceLoader* loader, LogSink& log,
             SimulationOptions options = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// One physics step. After `error` the simulation stands still: further calls return `error` and change nothing.
  StepStatus step();
  /// Has the sensors measure now that are due at the next step, which then does not measure again: for callers that
  /// choose the next command by what the sensors say. A state that is saved in between measures again once restored.
  /// Returns the status, as `step` does.
  StepStatus measure();
  /// One physics step of another size, in seconds. What runs at a rate does so in simulated time all the same.
  StepStatus stepOf(double seconds);
  /// Steps until `seconds` have passed since the start of the call (the last step may be shorter: `stepsIn`), an error,
  /// or `keepGoing` (called before each step) returns false. Returns the worst status of the call.
  StepStatus advance(double seconds, const std::function<bool()>& keepGoing = {});

  double time() const;
  std::int64_t tick() const;
  double timeStep() const;
  /// Returns the world as it is now: the caller's, or what edits made of that. Worlds of before stay valid.
  const World& world() const;
  const std::string& backend() const;  ///< Registered name of the backend in use.

  const VectorXd& configuration(int robot) const;
  const VectorXd& velocity(int robot) const;
  const BodyState& objectState(int object) const;
  /// Returns where surfaces with their paddings touch or press on each other, in the last (part of the last) step.
  std::span<const ContactForce> contacts() const;
  /// Between two world ids, a robot's id standing for all its links; `idB` -1: between `idA` and all others. Throws
  /// `Error` for ids that do not exist.
  ContactSummary contactSummary(int idA, int idB = -1) const;
  std::span<const JointState> jointStates() const;  ///< One a joint of the scene description, as of the last step.
  const SceneMap& sceneMap() const;                 ///< Returns how links and joints of the world map to the scene.
  /// Position, velocity and efforts of the world's joints, in the order of `world().simulation.joints`.
  std::vector<JointState> worldJointStates() const;
  Energy energy() const;
  /// Bodies that are inside each other, or nearer than their padding, now (`overlapsOf`). Throws `Error` for shapes
  /// without such queries.
  StartOverlaps overlaps() const;
  /// With frames up to date; valid until the next step.
  SimulationView view();
  /// For hosts of recorders: what components warn of is in the record under `substitutions`, and strict refuses it.
  LogSink& componentLog();

  StepStatus status() const;       ///< Returns the status of the last step.
  StepStatus worstStatus() const;  ///< Since the start.
  const std::array<std::int64_t, kNumStepStatuses>& statusCounts() const;
  /// Every change of status since the start or the last reset or restore.
  const std::vector<StatusSpan>& statusHistory() const;
  /// Bodies that gained energy that nothing gave them, since the start, in the order in which they first did.
  const std::vector<UnstableBody>& unstableBodies() const;
  StepBoundSet boundsHit() const;  ///< Bounds on the work of a step that the last step hit.
  /// Returns how many steps hit each bound, since the start.
  const std::array<std::int64_t, kNumStepBounds>& boundCounts() const;
  int maxContacts() const;  ///< The largest number of contacts in one step so far.
  ContactSource contactSource() const;
  /// Returns the fault of the first component that failed, or of what stopped the simulation; empty when nothing went
  /// wrong.
  const std::string& fault() const;
  /// Backend settings in force and the runtime's substitutions, for the record.
  Value effectiveSettings() const;

  Controller* controller(int robot);
  /// The model of a driver's motor from the next step on; null: a motor that does what is commanded within the driver's
  /// limits. Its state is part of snapshots, which fit simulations with models of the same types only. `reset` returns
  /// it to its state when it was set. Throws `Error` for a robot or driver that does not exist.
  void setMotorModel(int robot, int driver, std::unique_ptr<MotorModel> model);
  const MotorModel* motorModel(int robot, int driver) const;
  /// Returns the readings of the last time each measured, in the order in which they run.
  std::span<const SensorReading> sensorReadings(int robot) const;
  /// nullptr when the robot has none of this name.
  Sensor* sensor(int robot, std::string_view name);
  /// A sensor that is switched off keeps its values. Throws `Error` with the nearest name when there is none.
  void setSensorEnabled(int robot, std::string_view name, bool enabled);
  /// Says whether a sensor is switched on. Throws as `setSensorEnabled` does.
  bool sensorEnabled(int robot, std::string_view name) const;
  /// Hz; from the next step on.
  void setSensorRate(int robot, std::string_view name, double rate);
  void setGravity(const Vector3d& gravity);
  /// For the following steps. Rates are counted from here, so everything that runs at a rate is due at once.
  void setTimeStep(double seconds);
  /// A force at a point and a torque on an object or a link (a robot's id: its floating base) during the next call of
  /// `step` or `advance`, or, given by a hook, during the next step alone. World coordinates; the point, given as it is
  /// now, moves along with the body.
  void applyWrench(int id, const Vector3d& force, const Vector3d& torque, const Vector3d& point);
  void setObjectState(int object, const BodyState& state);
  /// Sizes: the robot's number of links.
  void setRobotState(int robot, const VectorXd& q, const VectorXd& dq);
  /// Off: the object keeps its velocity, whatever pushes it (Klamp't's `enableDynamics`).
  void setDynamics(int object, bool on);
  /// Contacts between two ids (a robot's id: all its links), or between `idA` and all others; never beyond the world's
  /// own rules.
  void setCollision(int idA, int idB, bool on);
  /// Changes the world between two steps. Where the engine cannot change it in place, its scene is built anew and goes
  /// on from the present state; warm starts of its solver are lost. Controllers go on with the model of the robot that
  /// they were started with. Throws `Error` for what cannot be, after which everything is as before.
  void edit(const WorldEdit& edit);
  /// Returns what an edit would make of a world; null: of the one that there is now. Changes nothing. Throws `Error`.
  EditedWorld tryEdit(const WorldEdit& edit, const EditedWorld* before = nullptr) const;
  /// Returns the edits that made the world, but for those that only moved things, as snapshots hold them.
  const std::vector<std::string>& edits() const;
  /// Has the world that `edits` make of the initial one. What is in both stays where it is.
  void setEdits(const std::vector<std::string>& edits);
  /// Returns the world that the simulation was made with.
  const World& initialWorld() const;
  /// Returns the id that something of the initial world has now; -1: it was removed.
  int currentId(int initialId) const;
  /// Steps until nothing has moved faster than `speed` (m/s, rad/s) for 0.1 s, or `maxSeconds` have passed. Whether
  /// everything came to rest.
  bool settle(double maxSeconds, double speed = 1e-3, const std::function<bool()>& keepGoing = {});

  /// Called before and after each step.
  void addHookBefore(std::function<void(Simulation&)> hook);
  void addHookAfter(std::function<void(Simulation&)> hook);
  /// Begins a new record of how well robots follow their commands, how hard their motors work and which states
  /// controllers go through. Does not change the simulation.
  void beginRecord();
  const SimulationRecord* record() const;  ///< Null before `beginRecord`.
  /// Every recorder gets the current state at once, then the state after every `interval` ticks. The recorder must be
  /// open; it is closed by `closeRecorders` or with the simulation.
  void addRecorder(ComponentPtr<Recorder> recorder, int interval = 1);
  /// Sets how the states are written that recorders ask for (`Recorder::snapshotPeriod`); without one, as `save` writes
  /// them.
  void setStateWriter(std::function<std::string(const Simulation&)> writer);
  /// Adds a key to what recorders are told of the run's end (`Recorder::finish`).
  void addToEnding(const std::string& key, std::string text);
  /// Closes and drops all recorders; throws the first error any of them has.
  void closeRecorders();

  /// Everything that the next steps depend on. `restore` takes bytes of `save` of a simulation of the same world with
  /// the same options, and throws `Error` for others. Edits of the world are part of it.
  std::vector<std::byte> save() const;
  void restore(std::span<const std::byte> snapshot);
  /// Back to the state after construction, bit for bit where the backend restores so.
  void reset();
  /// 64 bits over the tick, raw poses and twists of all bodies, joint and component state.
  std::uint64_t stateHash() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// State hashes are written as 16 hexadecimal digits.
std::string formatHash(std::uint64_t hash);

}  // namespace mortise
