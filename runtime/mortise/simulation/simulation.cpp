#include "mortise/simulation/simulation.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/hex.h"
#include "mortise/base/value_text.h"
#include "mortise/plugin/guard.h"
#include "mortise/simulation/default_backend.h"
#include "mortise/simulation/estimate_check.h"
#include "mortise/simulation/simulation_state.h"

namespace mortise {

std::string_view stepStatusName(StepStatus status) {
  constexpr std::string_view kNames[kNumStepStatuses] = {"normal", "adaptive", "contact_unreliable", "unstable",
                                                         "error"};
  return kNames[static_cast<int>(status)];
}

std::string formatHash(std::uint64_t hash) { return hexText(hash); }

// ---------------------------------------------------------------------------------------------------------------------
// Building

void Simulation::State::buildPhysics(Diagnostics& diagnostics) {
  const std::string name = options.backend.empty() ? backendOf(world) : options.backend;
  try {
    const ComponentInfo& info = registry.require(Kind::physics, name, options.backendPosition);
    backend = info.name;
    Value settings = world.simulation.backendSettings.isMap() && options.backend.empty()
                         ? world.simulation.backendSettings
                         : Value::map();
    if (options.backendSettings.isMap())
      for (const Value::Entry& entry : options.backendSettings.entries()) settings.set(entry.key, entry.value);
    const Value complete = registry.completeSettings(info, settings, diagnostics);
    if (diagnostics.hasErrors()) return;
    physicsHost = std::make_unique<ComponentHost>(info.name, options.seed, log, loader, channels, options.referringFile,
                                                  options.runDirectory, &registry, options.stopRequested);
    physics = registry.create<Physics>(info, complete, *physicsHost);
    const PhysicsCapabilities can = capabilities = physics->capabilities();
    contactSource = options.contacts.value_or(world.simulation.boundaryLayerContacts && can.externalContacts
                                                  ? ContactSource::external
                                                  : ContactSource::engine);
    if (contactSource == ContactSource::external && !can.externalContacts)
      diagnostics.error("backend '" + info.name + "' takes no contacts from outside", options.backendPosition,
                        "write 'contacts: engine', or choose a backend with the capability externalContacts");
    if (contactSource == ContactSource::engine && !can.ownContacts && can.dynamics)
      diagnostics.error("backend '" + info.name + "' finds no contacts by itself", options.backendPosition,
                        "write 'contacts: boundary_layer', or choose a backend with the capability ownContacts");
    if (!can.dynamics && !world.objects.empty())
      diagnostics.note("backend '" + info.name + "' has no dynamics: robots follow their commands, objects stay",
                       options.backendPosition);
    if (!world.simulation.joints.empty() && !can.worldJoints)
      diagnostics.error("the world has joints between bodies, which backend '" + info.name + "' does not have",
                        world.simulation.joints.front().position, "choose a backend with the capability worldJoints");
    if (!can.implicitDrives && can.dynamics && !world.robots.empty())
      diagnostics.warning("backend '" + info.name + "' solves joint drives explicitly: stiff gains may be unstable",
                          options.backendPosition);
  } catch (const Error& e) {
    diagnostics.error(e);
  }
}

void Simulation::State::build() {
  Diagnostics diagnostics;
  dt = options.timeStep.value_or(world.simulation.timeStep);
  if (!(dt > 0) || !std::isfinite(dt))
    diagnostics.error("the time step must be positive and finite, not " + formatReal(dt) + " s");
  if (!(options.controlRate > 0)) diagnostics.error("the control rate must be positive", options.backendPosition);
  buildPhysics(diagnostics);
  diagnostics.setStrict(options.strict);
  components = createComponents(world, registry, loader, log, options, channels, diagnostics);
  for (const Diagnostic& problem : diagnostics.all())
    // The log says "warning" of its own.
    if (problem.severity != Severity::error)
      log.write(problem.severity == Severity::warning ? LogLevel::warning : LogLevel::info, "simulation",
                Error(problem.message, problem.where, problem.hint).what());
  diagnostics.throwIfErrors("the simulation cannot start");

  map = buildScene(world);
  map.description.timeStep = dt;
  map.description.contactSource = contactSource;
  signature = signatureOf(map.description);
  gravity = map.description.gravity;
  std::string message;
  if (guarded(backend, "building the scene", message, [&] { scene = physics->build(map.description); }) !=
      ComponentStatus::ok)
    throw Error(message);

  bodies.resize(map.description.bodies.size());
  joints.resize(map.description.joints.size());
  drives.resize(map.description.joints.size());
  objects.resize(world.objects.size());
  actuators.reserve(world.robots.size());
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    actuators.emplace_back(*world.robots[r].robot, map.robots[r],
                           capabilities.dynamics ? options.actuatorLimits : ActuatorLimits{});
    for (const std::string& text : actuators.back().unsupported())
      log.write(LogLevel::warning, world.robots[r].name, text);
    robots.emplace_back(*world.robots[r].robot);
    robots.back().q = world.robots[r].q;
    robots.back().dq = world.robots[r].dq;
  }
  Diagnostics motorProblems;
  makeMotors(motorProblems);
  motorProblems.throwIfErrors("the simulation cannot start");
  if (!capabilities.dynamics && (!options.motors.empty() || options.actuatorLimits != ActuatorLimits{}))
    log.write(LogLevel::warning, "simulation",
              "backend '" + backend + "' has no dynamics: models of motors and their limits have no effect");
  readBack();
  stability = std::make_unique<StabilityGuard>(map.description, bodies);
  if (contactSource == ContactSource::external) {
    layer = std::make_unique<BoundaryLayer>(map.description);
    updateLayer();
  }
  adaptive = options.adaptiveTimeStepping.value_or(world.simulation.adaptiveTimeStepping) && layer != nullptr &&
             capabilities.dynamics && capabilities.restore == PhysicsCapabilities::Restore::bitwise;
  startComponents();
}

void Simulation::State::startComponents() {
  readings.assign(world.robots.size(), {});
  observed = false;
  for (auto& slot : components.sensors) {
    const SensorSetup setup{world, slot->robot, 1 / slot->rate, readings[slot->robot]};
    std::string message;
    if (guarded(slot->host->name(), "start", message, [&] { slot->component->start(setup); }) != ComponentStatus::ok)
      throw Error(message);
    slot->values.assign(slot->component->channels().size(), 0.0);
    slot->disabled = false;
    readings[slot->robot].push_back(
        {slot->name, slot->requestedType, slot->component->channels(), slot->values, slot->component->camera()});
    observed = observed || slot->component->observesSteps();
  }
  for (auto& slot : components.controllers) {
    const Robot& robot = *world.robots[slot->robot].robot;
    const ControllerSetup setup{robot, 1 / slot->rate, robots[slot->robot].q, gravity, readings[slot->robot]};
    std::string message;
    if (slot->estimator) {
      EstimatorSlot& estimator = *slot->estimator;
      const EstimatorSetup start{robot, setup.period, setup.q, setup.sensors, true};
      if (guarded(estimator.host->name(), "start", message, [&] { estimator.component->start(start); }) !=
          ComponentStatus::ok)
        throw Error(message);
      estimator.state.q = setup.q;
      estimator.state.dq.setZero();
    }
    if (guarded(slot->host->name(), "start", message, [&] { slot->component->start(setup); }) != ComponentStatus::ok)
      throw Error(message);
    slot->disabled = false;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The state of the world, from the engine

void Simulation::State::readBack() {
  scene->readBodies(bodies);
  scene->readJoints(joints);
  for (std::size_t i = 0; i < objects.size(); ++i) objects[i] = bodies[map.objectBodies[i]];
  for (std::size_t r = 0; r < robots.size(); ++r) {
    const Robot& robot = *world.robots[r].robot;
    const RobotScene& place = map.robots[r];
    RobotState& state = robots[r];
    if (place.floatingBody >= 0 && robot.floatingBaseLink() >= 0) {
      const BodyState& base = bodies[place.floatingBody];
      setFloatingBasePose(robot, base.X_WB, state.q);
      setFloatingBaseVelocity(robot, base.v_WB, base.w_WB, state.q, state.dq);
    }
    for (int i = 0; i < robot.numLinks(); ++i) {
      const RobotScene::LinkPlace& at = place.links[i];
      if (at.joint < 0) continue;
      state.q[i] = joints[at.joint].position / at.axisScale;
      state.dq[i] = joints[at.joint].velocity / at.axisScale;
    }
    actuators[r].readTorques(joints);
  }
  framesFresh = false;
}

void Simulation::State::refreshFrames() {
  if (framesFresh) return;
  twists.resize(robots.size());
  for (std::size_t r = 0; r < robots.size(); ++r) {
    RobotState& state = robots[r];
    updateFrames(*world.robots[r].robot, state);
    const RobotScene& place = map.robots[r];
    twists[r].resize(state.X_WL.size());
    for (std::size_t i = 0; i < state.X_WL.size(); ++i) {
      LinkTwist& twist = twists[r][i];
      if (place.links[i].body < 0) {  // In the middle of a floating base's chain.
        twist = {};
        continue;
      }
      const BodyState& body = bodies[place.links[i].body];
      twist.w_WL = body.w_WB;
      twist.v_WL = body.v_WB + body.w_WB.cross(state.X_WL[i].p - body.X_WB.p);
    }
  }
  framesFresh = true;
}

SimulationView Simulation::State::view() {
  refreshFrames();
  robotViews.resize(robots.size());
  for (std::size_t r = 0; r < robots.size(); ++r)
    robotViews[r] = {&robots[r], actuators[r].torques(), std::as_const(actuators[r]).commands(), readings[r],
                     twists[r]};
  return {time(), tick, &world, robotViews, objects, contacts, dt, gravity, contactShares, appliedWrenches};
}

// ---------------------------------------------------------------------------------------------------------------------
// One step

/// What a fault means for the run. Returns false when the simulation must stop.
bool Simulation::State::continueAfterFault(ComponentStatus result, const std::string& message, OnError onError,
                                           bool& disabled) {
  if (result == ComponentStatus::ok) return true;
  if (onError == OnError::stop) {
    fault = message;
    return false;
  }
  if (fault.empty()) fault = message;
  if (onError == OnError::disable) {
    disabled = true;
  } else {
    // Once is enough: the next update may fail just so, a thousand times a second.
    const auto said = std::find_if(heldFaults.begin(), heldFaults.end(),
                                   [&](const HeldFault& held) { return held.component == &disabled; });
    if (said != heldFaults.end()) {
      ++said->times;
      return true;
    }
    heldFaults.push_back({&disabled, message, 1});
  }
  log.write(LogLevel::error, "simulation",
            message + (disabled ? "; the component is disabled" : "; its last output holds"));
  return true;
}

/// At the end: how often components failed that went on.
void Simulation::State::reportHeldFaults() {
  for (const HeldFault& held : heldFaults)
    if (held.times > 1)
      log.write(LogLevel::error, "simulation",
                std::to_string(held.times) +
                    " faults of one component, each time its last output held; the first: " + held.message);
  heldFaults.clear();
}

bool Simulation::State::runSensors() {
  SimulationView current;
  bool viewed = false;
  for (auto& slot : components.sensors) {
    if (slot->disabled || !slot->enabled || !dueAt(ticksAtRate(), dt, slot->rate)) continue;
    if (!viewed) {
      current = view();
      viewed = true;
    }
    std::string message;
    ComponentStatus result = guarded(slot->host->name(), "simulate", message,
                                     [&] { slot->component->simulate(current, 1 / slot->rate, slot->values); });
    for (std::size_t i = 0; result == ComponentStatus::ok && i < slot->values.size(); ++i) {
      if (std::isnan(slot->values[i])) {  // Infinite is a legal range reading.
        result = ComponentStatus::fault;
        message =
            std::string(slot->host->name()) + ": channel '" + slot->component->channels()[i] + "' is not a number";
      }
    }
    if (!continueAfterFault(result, message, slot->onError, slot->disabled)) return false;
  }
  return true;
}

/// After a step, for the sensors that look at every one.
bool Simulation::State::observeStep() {
  if (!observed) return true;
  const SimulationView current = view();
  for (auto& slot : components.sensors) {
    if (slot->disabled || !slot->component->observesSteps()) continue;
    std::string message;
    const ComponentStatus result =
        guarded(slot->host->name(), "observe", message, [&] { slot->component->observe(current, dt); });
    if (!continueAfterFault(result, message, slot->onError, slot->disabled)) return false;
  }
  return true;
}

bool Simulation::State::runControllers() {
  for (auto& slot : components.controllers) {
    if (slot->disabled || !dueAt(ticksAtRate(), dt, slot->rate)) continue;
    ControllerInput input;
    input.time = time();
    input.tick = tick;
    input.sensors = readings[slot->robot];
    const std::span<ActuatorCommand> commands = actuators[slot->robot].commands();
    const double period = 1 / slot->rate;
    EstimatorSlot* estimator = slot->estimator.get();
    std::string message;
    ComponentStatus result = ComponentStatus::ok;
    if (estimator != nullptr) {
      const Robot& robot = *world.robots[slot->robot].robot;
      result = guarded(estimator->host->name(), "readSensors", message, [&] {
        estimator->component->readSensors({input.time, input.tick, input.sensors, &robots[slot->robot]});
        estimator->component->estimate(estimator->state.q, estimator->state.dq);
      });
      std::string fault = estimateFault(estimator->shown, robot, estimator->state);
      if (result == ComponentStatus::ok && !fault.empty()) {
        result = ComponentStatus::fault;
        message = std::move(fault);
      }
      if (result == ComponentStatus::ok) {
        updateFrames(robot, estimator->state);
        input.estimate = &estimator->state;
      }
    }
    if (result == ComponentStatus::ok)
      result =
          guarded(slot->host->name(), "update", message, [&] { slot->component->update(input, period, commands); });
    if (result == ComponentStatus::ok && estimator != nullptr)
      result = guarded(estimator->host->name(), "advance", message, [&] {
        estimator->component->readCommand(commands);
        estimator->component->advance(period);
      });
    for (std::size_t i = 0; i < commands.size(); ++i) {
      ActuatorCommand& c = commands[i];
      if (std::isfinite(c.position) && std::isfinite(c.velocity) && std::isfinite(c.torque) && std::isfinite(c.kP) &&
          std::isfinite(c.kI) && std::isfinite(c.kD))
        continue;
      if (result == ComponentStatus::ok)
        message = std::string(slot->host->name()) + ": the command for driver '" +
                  world.robots[slot->robot].robot->driver(static_cast<int>(i)).name + "' is not a finite number";
      result = ComponentStatus::fault;
      c = ActuatorCommand();  // Never hand a broken number to the engine.
    }
    if (!continueAfterFault(result, message, slot->onError, slot->disabled)) return false;
    if (slot->disabled) actuators[slot->robot].reset();
    if (!record || slot->disabled) continue;
    record->addCommands(slot->robot, commands, robots[slot->robot].q, time());
    record->addStates(slot->robot, std::string(slot->host->name()), *slot->component, channels, time());
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Construction

Simulation::Simulation(const World& world, Registry& registry, ResourceLoader* loader, LogSink& log,
                       SimulationOptions options)
    : state_(std::make_unique<State>(world, registry, loader, log, std::move(options))) {
  state_->build();
  state_->initial = save();
}

Simulation::~Simulation() {
  state_->reportHeldFaults();
  for (auto& slot : state_->recorders) {
    std::string message;
    if (guarded("recorder", "close", message, [&] { slot.recorder->close(); }) != ComponentStatus::ok)
      state_->log.write(LogLevel::error, "simulation", message);
  }
}

}  // namespace mortise
