#pragma once

/// The inside of `Simulation`, shared by its source files only.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mortise/simulation/component_slots.h"
#include "mortise/simulation/simulation.h"
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
  std::string backend;

  SceneMap map;
  ChannelTable channels;
  std::unique_ptr<ComponentHost> physicsHost;
  ComponentPtr<Physics> physics;
  std::unique_ptr<Scene> scene;
  ComponentSet components;
  std::vector<ActuatorBank> actuators;
  std::vector<JointDrive> drives;

  std::int64_t tick = 0;
  std::vector<BodyState> bodies;
  std::vector<JointState> joints;
  std::vector<BodyState> objects;
  std::vector<RobotState> robots;
  bool framesFresh = false;

  std::vector<std::vector<SensorReading>> readings;  // By robot.
  std::vector<RobotView> robotViews;

  std::unique_ptr<StabilityGuard> stability;
  StepStatus status = StepStatus::normal;
  StepStatus worst = StepStatus::normal;
  std::array<std::int64_t, kNumStepStatuses> counts = {};
  int maxContacts = 0;
  std::string fault;

  std::vector<std::function<void(Simulation&)>> hooksBefore, hooksAfter;
  struct RecorderSlot {
    ComponentPtr<Recorder> recorder;
    int interval;
  };
  std::vector<RecorderSlot> recorders;
  std::vector<std::byte> initial;

  double time() const { return static_cast<double>(tick) * dt; }
  void build();
  void buildPhysics(Diagnostics& diagnostics);
  void startComponents();
  void readBack();
  void refreshFrames();
  SimulationView view();
  bool fail(const ComponentStatus result, const std::string& message, OnError onError, bool& disabled);
  bool runSensors();
  bool runControllers();
  void finishStep(StepStatus result);
};

}  // namespace mortise
