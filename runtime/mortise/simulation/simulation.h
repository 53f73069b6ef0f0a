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
#include "mortise/simulation/component_host.h"
#include "mortise/simulation/scene/contact_history.h"
#include "mortise/simulation/scene/scene_builder.h"

namespace mortise {

class SimulationRecord;
struct StartOverlaps;

/// What happens when a component throws or returns numbers that are not finite.
enum class OnError { stop, hold, disable };

/// A controller or sensor to run, as a pipeline or world names it.
struct ComponentOptions {
  Kind kind = Kind::controller;  ///< controller or sensor.
  int robot = 0;                 ///< Index in the world.
  std::string type;              ///< Registered name or alias.
  std::string name;              ///< Name in the run; empty: the type.
  double rate = 0;               ///< Hz; 0: the default (controllers: the control rate; sensors: every control step).
  OnError onError = OnError::stop;
  bool optional = false;  ///< Skipped with a notice when no such component is registered.
  bool enabled = true;    ///< A sensor that is not keeps its last values until it is switched on.
  /// Of a controller: which estimator it gets, and its settings; empty: what its declaration asks for.
  std::string estimator;
  Value estimatorSettings = Value::map();
  std::string
      file;  ///< References in its settings are relative to this file; empty: `SimulationOptions::referringFile`.
  Value settings = Value::map();  ///< Against the component's schema; not yet completed.
  SourcePosition position;
};

struct SimulationOptions {
  std::string backend;                   ///< Empty: what the world names, else "ode".
  SourcePosition backendPosition;        ///< For messages.
  Value backendSettings = Value::map();  ///< Override the world's.
  std::optional<double> timeStep;        ///< s; absent: the world's.
  /// Absent: `external` (the toolbox's boundary layer) when the world asks for it, as it does by default, and the
  /// backend can; else the engine's own.
  std::optional<ContactSource> contacts;
  std::optional<bool> adaptiveTimeStepping;  ///< Absent: the world's.
  double controlRate = 100;                  ///< Hz, of controllers and sensors that name no rate.
  ActuatorLimits actuatorLimits;             ///< Which limits motors keep; for backends with dynamics.
  std::vector<MotorOptions> motors;          ///< Models of motors; for backends with dynamics.
  std::uint64_t seed = 0;
  /// A controller or sensor that a world or a robot names and no plugin has is an error; else a warning.
  bool strict = false;
  /// Replace what the world and robot files name for the robots mentioned here. A robot without controller holds its
  /// configuration (`kDefaultController`); one without sensors has JointPositionSensor "q" and JointVelocitySensor
  /// "dq".
  std::vector<ComponentOptions> components;
  std::string referringFile;  ///< References in component settings are relative to it.
  std::string runDirectory;
  std::function<bool()> stopRequested;  ///< Asked by components that wait for something; may be empty.
};

/// How a step went; ordered from best to worst.
enum class StepStatus { normal, adaptive, contactUnreliable, unstable, error };
constexpr int kNumStepStatuses = 5;
std::string_view stepStatusName(
    StepStatus status);  ///< "normal", "adaptive", "contact_unreliable", "unstable", "error"

/// The status of consecutive steps.
struct StatusSpan {
  StepStatus status = StepStatus::normal;
  std::int64_t first = 0, count = 0;  ///< Ticks; the step from tick k to k + 1 has number k.
};

struct Energy {
  double kinetic = 0;    ///< J, of everything that moves.
  double potential = 0;  ///< J, zero at the origin.
  double total() const { return kinetic + potential; }
};

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
  /// Steps until `seconds` have passed since the start of the call, an error, or `keepGoing` (asked before each step)
  /// returns false. Returns the worst status of the call.
  StepStatus advance(double seconds, const std::function<bool()>& keepGoing = {});

  double time() const;
  std::int64_t tick() const;
  double timeStep() const;
  const World& world() const;
  const std::string& backend() const;  ///< Registered name of the backend in use.

  const VectorXd& configuration(int robot) const;
  const VectorXd& velocity(int robot) const;
  const BodyState& objectState(int object) const;
  /// Where surfaces with their paddings touch or press on each other, in the last (part of the last) step.
  std::span<const ContactForce> contacts() const;
  /// Between two world ids, a robot's id standing for all its links; `idB` -1: between `idA` and all others. Throws
  /// `Error` for ids that do not exist.
  ContactSummary contactSummary(int idA, int idB = -1) const;
  std::span<const JointState> jointStates() const;  ///< One a joint of the scene description, as of the last step.
  const SceneMap& sceneMap() const;                 ///< How links and joints of the world map to the scene.
  /// Position, velocity and efforts of the world's joints, in the order of `world().simulation.joints`.
  std::vector<JointState> worldJointStates() const;
  Energy energy() const;
  /// Bodies that are inside each other, or nearer than their padding, now (`overlapsOf`). Throws `Error` for shapes
  /// that cannot be asked.
  StartOverlaps overlaps() const;
  /// With frames up to date; valid until the next step.
  SimulationView view();

  StepStatus status() const;       ///< Of the last step.
  StepStatus worstStatus() const;  ///< Since the start.
  const std::array<std::int64_t, kNumStepStatuses>& statusCounts() const;
  /// Every change of status since the start or the last reset or restore.
  const std::vector<StatusSpan>& statusHistory() const;
  int maxContacts() const;  ///< Most contacts in one step so far.
  ContactSource contactSource() const;
  /// What went wrong first; empty when nothing did.
  const std::string& fault() const;
  /// Backend settings in force and the runtime's substitutions, for the record.
  Value effectiveSettings() const;

  Controller* controller(int robot);
  /// What a driver's motor can do from the next step on; null: whatever is asked within the driver's limits. Its state
  /// is part of snapshots, which fit simulations with models of the same types only. `reset` puts it back to how it was
  /// when it was set. Throws `Error` for a robot or driver that is not there.
  void setMotorModel(int robot, int driver, std::unique_ptr<MotorModel> model);
  const MotorModel* motorModel(int robot, int driver) const;
  /// Of the last time each measured, in the order in which they run.
  std::span<const SensorReading> sensorReadings(int robot) const;
  /// nullptr when the robot has none of this name.
  Sensor* sensor(int robot, std::string_view name);
  /// A sensor that is switched off keeps its values. Throws `Error` with the nearest name when there is none.
  void setSensorEnabled(int robot, std::string_view name, bool enabled);
  /// Hz; from the next step on.
  void setSensorRate(int robot, std::string_view name, double rate);
  void setGravity(const Vector3d& gravity);
  /// For the following steps; rates start anew, so whatever is due by a rate is due at once.
  void setTimeStep(double seconds);
  /// A force at a point and a torque on an object or a link (a robot's id: its floating base) during the next call of
  /// `step` or `advance`. World coordinates; the point, given as it is now, moves along with the body.
  void applyWrench(int id, const Vector3d& force, const Vector3d& torque, const Vector3d& point);
  void setObjectState(int object, const BodyState& state);
  /// Sizes: the robot's number of links.
  void setRobotState(int robot, const VectorXd& q, const VectorXd& dq);
  /// Off: the object goes on with the velocity it has, whatever pushes it (Klamp't's `enableDynamics`).
  void setDynamics(int object, bool on);
  /// Contacts between two ids (a robot's id: all its links), or between `idA` and all others; never beyond the world's
  /// own rules.
  void setCollision(int idA, int idB, bool on);
  /// Steps until nothing has moved faster than `speed` (m/s, rad/s) for 0.1 s, or `maxSeconds` have passed. Whether
  /// everything came to rest.
  bool settle(double maxSeconds, double speed = 1e-3, const std::function<bool()>& keepGoing = {});

  /// Called before and after each step.
  void addHookBefore(std::function<void(Simulation&)> hook);
  void addHookAfter(std::function<void(Simulation&)> hook);
  /// Begins to note how well robots keep to their commands, how hard their motors work and which states controllers go
  /// through, from nothing. Changes nothing of the simulation.
  void beginRecord();
  const SimulationRecord* record() const;  ///< Null before `beginRecord`.
  /// Every recorder gets the current state at once, then the state after every `interval` ticks. The recorder must be
  /// open; it is closed by `closeRecorders` or with the simulation.
  void addRecorder(ComponentPtr<Recorder> recorder, int interval = 1);
  /// Closes and drops all recorders; throws the first error any of them has.
  void closeRecorders();

  /// Everything that the next steps depend on. `restore` takes bytes of `save` of a simulation of the same world with
  /// the same options, and throws `Error` for others.
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
