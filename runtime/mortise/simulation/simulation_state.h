#pragma once

/// The inside of `Simulation`, shared by its source files only.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mortise/simulation/component_slots.h"
#include "mortise/simulation/scene/boundary_layer.h"
#include "mortise/simulation/scene/scene_signature.h"
#include "mortise/simulation/simulation.h"
#include "mortise/simulation/simulation_record.h"
#include "mortise/simulation/stability.h"

namespace mortise {

struct Simulation::State {
  State(const World& theWorld, Registry& theRegistry, ResourceLoader* theLoader, LogSink& theLog,
        SimulationOptions theOptions)
      : world(theWorld), registry(theRegistry), loader(theLoader), log(theLog), options(std::move(theOptions)) {}

  const World& world;
  Registry& registry;
  ResourceLoader* loader;
  LogSink& log;
  SimulationOptions options;
  Vector3d gravity = Vector3d::Zero();
  double dt = 0.001;
  double timeBase = 0;  ///< Time at tick `tickBase`, where the step was set last.
  std::int64_t tickBase = 0;
  std::string backend;

  SceneMap map;
  SceneSignature signature;
  ChannelTable channels;
  std::unique_ptr<ComponentHost> physicsHost;
  ComponentPtr<Physics> physics;
  PhysicsCapabilities capabilities;
  ContactSource contactSource = ContactSource::engine;
  bool adaptive = false;
  std::unique_ptr<Scene> scene;
  std::unique_ptr<BoundaryLayer> layer;  ///< Null: the engine's own contacts.
  bool layerStale = false;               ///< Something was moved by hand since the last update.
  ComponentSet components;
  std::vector<ActuatorBank> actuators;
  /// Models of motors, by robot and driver: what they saved when they were set.
  std::map<std::pair<int, int>, std::string> motorStarts;
  std::vector<JointDrive> drives;

  std::int64_t tick = 0;
  std::vector<BodyState> bodies;
  std::vector<JointState> joints;
  std::vector<BodyState> objects;
  std::vector<RobotState> robots;
  bool framesFresh = false;

  std::vector<std::vector<SensorReading>> readings;  // By robot.
  std::vector<RobotView> robotViews;
  std::vector<std::vector<LinkTwist>> twists;  // By robot.
  bool observed = false;                       ///< Some sensor looks at every step.

  /// The caller's, for the current call; points in the body's frame.
  struct Wrench {
    int body;
    int id;
    Vector3d force, torque, p_BP;
  };
  std::vector<Wrench> wrenches;
  std::vector<ContactForce> contacts;       ///< Those that touch, of the last part of the last step.
  std::vector<ContactForce> contactShares;  ///< Of all parts of the last step.
  std::vector<AppliedWrench> appliedWrenches;
  ContactHistory history;
  std::vector<std::pair<int, int>> crossing;  ///< Scratch.
  ByteWriter sceneMemory;                     ///< To which a step that goes wrong returns.

  std::unique_ptr<StabilityGuard> stability;
  StepStatus status = StepStatus::normal;
  StepStatus worst = StepStatus::normal;
  std::array<std::int64_t, kNumStepStatuses> counts = {};
  std::vector<StatusSpan> statusSpans;
  int maxContacts = 0;
  std::string fault;
  /// A component that goes on after a fault: what it said first, and how often it failed. By the address of its
  /// `disabled`, which stands for it.
  struct HeldFault {
    const bool* component;
    std::string message;
    std::int64_t times;
  };
  std::vector<HeldFault> heldFaults;

  std::vector<std::function<void(Simulation&)>> hooksBefore, hooksAfter;
  struct RecorderSlot {
    ComponentPtr<Recorder> recorder;
    int interval;
  };
  std::vector<RecorderSlot> recorders;
  std::vector<std::byte> initial;
  std::unique_ptr<SimulationRecord> record;  ///< Null: nothing is noted.

  double time() const { return timeBase + static_cast<double>(tick - tickBase) * dt; }
  std::int64_t ticksAtRate() const { return tick - tickBase; }
  void build();
  void buildPhysics(Diagnostics& diagnostics);
  void startComponents();
  void makeMotors(Diagnostics& diagnostics);
  void setMotor(int robot, int driver, std::unique_ptr<MotorModel> model);
  void saveMotors(ByteWriter& out, bool atStart) const;
  void restoreMotors(ByteReader& in);
  void readBack();
  void refreshFrames();
  SimulationView view();
  void reportHeldFaults();
  bool continueAfterFault(const ComponentStatus result, const std::string& message, OnError onError, bool& disabled);
  SensorSlot* sensorSlot(int robot, std::string_view name);
  bool runSensors();
  bool observeStep();
  bool runControllers();
  void finishStep(StepStatus result, std::int64_t number);
  StepStatus step(Simulation& simulation);
  StepStatus stepPhysics();
  StepStatus stepWithSubdivision();
  void rememberStep();
  void rewindStep();
  void applyWrenches();
  void collectContacts(double h);
  void slowDown(const StabilityGuard::Unstable& found);
  int bodyOfId(int id, RigidTransform& X_BE) const;
  IdRange rangeOfId(int id) const;
  void updateLayer();
  void movedByHand();
  void take(ByteReader& in);
  void requireSound() const;
};

}  // namespace mortise
