#include "mortise/simulation/simulation.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/plugin/guard.h"
#include "mortise/simulation/simulation_state.h"

namespace mortise {

std::string_view stepStatusName(StepStatus status) {
  constexpr std::string_view kNames[kNumStepStatuses] = {"normal", "adaptive", "contact_unreliable", "unstable",
                                                         "error"};
  return kNames[static_cast<int>(status)];
}

std::string formatHash(std::uint64_t hash) {
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

// ---------------------------------------------------------------------------------------------------------------------
// Building

void Simulation::State::buildPhysics(Diagnostics& diagnostics) {
  std::string name = options.backend.empty() ? world.simulation.backend : options.backend;
  if (name.empty()) name = "ode";
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
                                                  options.runDirectory);
    physics = registry.create<Physics>(info, complete, *physicsHost);
    const PhysicsCapabilities can = physics->capabilities();
    if (!can.ownContacts)
      diagnostics.error("backend '" + info.name + "' finds no contacts by itself", options.backendPosition,
                        "choose a backend with the capability ownContacts");
    if (!world.simulation.joints.empty() && !can.worldJoints)
      diagnostics.error("the world has joints between bodies, which backend '" + info.name + "' does not have",
                        world.simulation.joints.front().position, "choose a backend with the capability worldJoints");
    if (!can.implicitDrives && !world.robots.empty())
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
    diagnostics.error("the time step must be positive and finite, not " + std::to_string(dt), options.backendPosition);
  if (!(options.controlRate > 0)) diagnostics.error("the control rate must be positive", options.backendPosition);
  buildPhysics(diagnostics);
  components = createComponents(world, registry, loader, log, options, channels, diagnostics);
  for (const Diagnostic& problem : diagnostics.all())
    // The log says "warning" of its own.
    if (problem.severity != Severity::error)
      log.write(LogLevel::warning, "simulation", Error(problem.message, problem.where, problem.hint).what());
  diagnostics.throwIfErrors("the simulation cannot start");

  map = buildScene(world);
  map.description.timeStep = dt;
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
    actuators.emplace_back(*world.robots[r].robot, map.robots[r]);
    for (const std::string& text : actuators.back().unsupported())
      log.write(LogLevel::warning, world.robots[r].name, text);
    robots.emplace_back(*world.robots[r].robot);
    robots.back().q = world.robots[r].q;
    robots.back().dq = world.robots[r].dq;
  }
  readBack();
  stability = std::make_unique<StabilityGuard>(map.description, bodies);
  startComponents();
}

void Simulation::State::startComponents() {
  readings.assign(world.robots.size(), {});
  for (auto& slot : components.sensors) {
    const SensorSetup setup{world, slot->robot};
    std::string message;
    if (guarded(slot->host->name(), "start", message, [&] { slot->component->start(setup); }) != ComponentStatus::ok)
      throw Error(message);
    slot->values.assign(slot->component->channels().size(), 0.0);
    slot->disabled = false;
    readings[slot->robot].push_back({slot->name, slot->requestedType, slot->component->channels(), slot->values});
  }
  for (auto& slot : components.controllers) {
    const ControllerSetup setup{*world.robots[slot->robot].robot, 1 / slot->rate, robots[slot->robot].q, gravity};
    std::string message;
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
  for (std::size_t r = 0; r < robots.size(); ++r) updateFrames(*world.robots[r].robot, robots[r]);
  framesFresh = true;
}

SimulationView Simulation::State::view() {
  refreshFrames();
  robotViews.resize(robots.size());
  for (std::size_t r = 0; r < robots.size(); ++r)
    robotViews[r] = {&robots[r], actuators[r].torques(), std::as_const(actuators[r]).commands(), readings[r]};
  return {time(), tick, &world, robotViews, objects, scene->contacts()};
}

// ---------------------------------------------------------------------------------------------------------------------
// One step

/// What a fault means for the run. Returns false when the simulation must stop.
bool Simulation::State::fail(ComponentStatus result, const std::string& message, OnError onError, bool& disabled) {
  if (result == ComponentStatus::ok) return true;
  if (onError == OnError::stop) {
    fault = message;
    return false;
  }
  if (fault.empty()) fault = message;
  if (onError == OnError::disable) disabled = true;
  log.write(LogLevel::error, "simulation",
            message + (disabled ? "; the component is disabled" : "; its last output holds"));
  return true;
}

bool Simulation::State::runSensors() {
  SimulationView current;
  bool viewed = false;
  for (auto& slot : components.sensors) {
    if (slot->disabled || !dueAt(tick, dt, slot->rate)) continue;
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
    if (!fail(result, message, slot->onError, slot->disabled)) return false;
  }
  return true;
}

bool Simulation::State::runControllers() {
  for (auto& slot : components.controllers) {
    if (slot->disabled || !dueAt(tick, dt, slot->rate)) continue;
    ControllerInput input;
    input.time = time();
    input.tick = tick;
    input.sensors = readings[slot->robot];
    const std::span<ActuatorCommand> commands = actuators[slot->robot].commands();
    std::string message;
    ComponentStatus result = guarded(slot->host->name(), "update", message,
                                     [&] { slot->component->update(input, 1 / slot->rate, commands); });
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
    if (!fail(result, message, slot->onError, slot->disabled)) return false;
    if (slot->disabled) actuators[slot->robot].reset();
  }
  return true;
}

void Simulation::State::finishStep(StepStatus result) {
  status = result;
  worst = std::max(worst, result);
  ++counts[static_cast<int>(result)];
}

StepStatus Simulation::step() {
  State& s = *state_;
  if (s.status == StepStatus::error) return s.status;
  for (const auto& hook : s.hooksBefore) hook(*this);
  if (!s.runSensors() || !s.runControllers()) {
    s.finishStep(StepStatus::error);
    return s.status;
  }
  for (std::size_t r = 0; r < s.robots.size(); ++r)
    s.actuators[r].update(s.robots[r].q, s.robots[r].dq, s.dt, s.drives);
  std::string message;
  const ComponentStatus result = guarded(s.backend, "step", message, [&] {
    if (!s.drives.empty()) s.scene->setJointDrives(s.drives);
    s.scene->step(s.dt);
    s.readBack();
  });
  ++s.tick;
  StepStatus status = StepStatus::normal;
  if (result != ComponentStatus::ok) {
    s.fault = message;
    status = StepStatus::error;
  } else {
    s.maxContacts = std::max(s.maxContacts, static_cast<int>(s.scene->contacts().size()));
    const StabilityGuard::Result found = s.stability->check(s.bodies);
    if (!found.finite) {
      s.fault = "'" + s.map.description.bodies[found.body].name +
                "' has a pose or velocity that is not a finite number at t = " + formatReal(s.time()) + " s";
      status = StepStatus::error;
    } else if (!found.stable) {
      status = StepStatus::unstable;
    }
  }
  for (auto& slot : s.recorders) {
    if (s.tick % slot.interval != 0 && status != StepStatus::error) continue;
    if (guarded("recorder", "write", message, [&] { slot.recorder->write(s.view()); }) == ComponentStatus::ok) continue;
    if (s.fault.empty()) s.fault = message;
    status = StepStatus::error;
  }
  s.finishStep(status);
  for (const auto& hook : s.hooksAfter) hook(*this);
  return s.status;
}

StepStatus Simulation::advance(double seconds, const std::function<bool()>& keepGoing) {
  State& s = *state_;
  const auto steps = static_cast<std::int64_t>(std::llround(seconds / s.dt));
  StepStatus worst = StepStatus::normal;
  for (std::int64_t i = 0; i < steps; ++i) {
    if (keepGoing && !keepGoing()) break;
    worst = std::max(worst, step());
    if (worst == StepStatus::error) break;
  }
  return worst;
}

// ---------------------------------------------------------------------------------------------------------------------
// Construction and access

Simulation::Simulation(const World& world, Registry& registry, ResourceLoader* loader, LogSink& log,
                       SimulationOptions options)
    : state_(std::make_unique<State>(world, registry, loader, log, std::move(options))) {
  state_->build();
  state_->initial = save();
}

Simulation::~Simulation() {
  for (auto& slot : state_->recorders) {
    std::string message;
    if (guarded("recorder", "close", message, [&] { slot.recorder->close(); }) != ComponentStatus::ok)
      state_->log.write(LogLevel::error, "simulation", message);
  }
}

double Simulation::time() const { return state_->time(); }
std::int64_t Simulation::tick() const { return state_->tick; }
double Simulation::timeStep() const { return state_->dt; }
const World& Simulation::world() const { return state_->world; }
const std::string& Simulation::backend() const { return state_->backend; }
const VectorXd& Simulation::configuration(int robot) const { return state_->robots.at(robot).q; }
const VectorXd& Simulation::velocity(int robot) const { return state_->robots.at(robot).dq; }
const BodyState& Simulation::objectState(int object) const { return state_->objects.at(object); }
std::span<const ContactForce> Simulation::contacts() const { return state_->scene->contacts(); }
SimulationView Simulation::view() { return state_->view(); }
StepStatus Simulation::status() const { return state_->status; }
StepStatus Simulation::worstStatus() const { return state_->worst; }
const std::array<std::int64_t, kNumStepStatuses>& Simulation::statusCounts() const { return state_->counts; }
int Simulation::maxContacts() const { return state_->maxContacts; }
const std::string& Simulation::fault() const { return state_->fault; }
Controller* Simulation::controller(int robot) { return state_->components.controllers.at(robot)->component.get(); }
void Simulation::addHookBefore(std::function<void(Simulation&)> hook) {
  state_->hooksBefore.push_back(std::move(hook));
}
void Simulation::addHookAfter(std::function<void(Simulation&)> hook) { state_->hooksAfter.push_back(std::move(hook)); }

Energy Simulation::energy() const {
  Energy energy;
  const State& s = *state_;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const SceneBody& body = s.map.description.bodies[i];
    if (body.motion != BodyMotion::dynamic) continue;
    energy.kinetic += kineticEnergy(body.inertia, s.bodies[i]);
    energy.potential -= body.inertia.mass * s.gravity.dot(s.bodies[i].X_WB * body.inertia.com);
  }
  return energy;
}

Value Simulation::effectiveSettings() const {
  const State& s = *state_;
  Value settings = Value::map();
  settings.set("backend", s.backend);
  settings.set("timeStep", s.dt);
  settings.set("gravity", std::vector<double>{s.gravity.x(), s.gravity.y(), s.gravity.z()});
  settings.set("seed", static_cast<std::int64_t>(s.options.seed));
  settings.set("engine", s.scene->effectiveSettings());
  if (!s.map.substitutions.empty()) settings.set("substitutions", s.map.substitutions);
  Value list = Value::list();
  const auto describe = [&](const char* kind, const auto& slot) {
    Value entry = Value::map();
    entry.set(kind, slot->type);
    entry.set("name", slot->name);
    entry.set("robot", s.world.robots[slot->robot].name);
    entry.set("rate", slot->rate);
    list.push_back(std::move(entry));
  };
  for (const auto& slot : s.components.controllers) describe("controller", slot);
  for (const auto& slot : s.components.sensors) describe("sensor", slot);
  settings.set("components", std::move(list));
  return settings;
}

void Simulation::setGravity(const Vector3d& gravity) {
  state_->gravity = gravity;
  state_->scene->setGravity(gravity);
}

void Simulation::applyWrench(int object, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  state_->scene->applyWrench(state_->map.objectBodies.at(object), force, torque, point);
}

void Simulation::addRecorder(ComponentPtr<Recorder> recorder, int interval) {
  if (interval < 1) throw Error("a recorder writes at most once a step", {}, "use an interval of 1 or more");
  recorder->write(state_->view());
  state_->recorders.push_back({std::move(recorder), interval});
}

void Simulation::closeRecorders() {
  std::string first;
  for (auto& slot : state_->recorders) {
    std::string message;
    if (guarded("recorder", "close", message, [&] { slot.recorder->close(); }) != ComponentStatus::ok && first.empty())
      first = message;
  }
  state_->recorders.clear();
  if (!first.empty()) throw Error(first);
}

}  // namespace mortise
