#include "mortise/simulation/simulation.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/interruption.h"
#include "mortise/base/value_text.h"
#include "mortise/simulation/scene/overlaps.h"
#include "mortise/simulation/scene/sunken_pairs.h"
#include "mortise/simulation/simulation_state.h"
#include "mortise/text/hex.h"

namespace mortise {

namespace {

void logWarnings(const Diagnostics& diagnostics, LogSink& log) {
  for (const Diagnostic& problem : diagnostics.all())
    // The log writes the word "warning" itself.
    if (problem.severity != Severity::error)
      log.write(problem.severity == Severity::warning ? LogLevel::warning : LogLevel::info, "simulation",
                Error(problem.message, problem.where, problem.hint).what());
}

}  // namespace

std::string formatHash(std::uint64_t hash) { return hexText(hash); }

// ---------------------------------------------------------------------------------------------------------------------
// Construction

void Simulation::State::build() {
  Diagnostics diagnostics;
  const SimulationOptions& options = context.options;
  const double dt = options.timeStep.value_or(context.world->simulation.timeStep);
  if (!(dt > 0) || !std::isfinite(dt))
    diagnostics.error("the time step must be positive and finite, not " + formatReal(dt) + " s");
  if (!(options.controlRate > 0)) diagnostics.error("the control rate must be positive", options.backendPosition);
  clock.setTimeStep(dt);
  engine = std::make_unique<PhysicsEngine>(context, diagnostics);
  diagnostics.setStrict(options.strict);
  components = std::make_unique<ComponentRunner>(context, steps, diagnostics);
  logWarnings(diagnostics, context.log);
  diagnostics.throwIfErrors("the simulation cannot start");
  physics = std::make_unique<PhysicsStepper>(context, *engine, dt);
  components->start(*physics);
  WorldVersion& initial = worlds.emplace_back();
  initial.world = context.world;
  initial.nextObject = static_cast<int>(context.world->objects.size());
  for (int i = 0; i < initial.nextObject; ++i) initial.objects.push_back(i);
  snapshots = std::make_unique<SimulationSnapshots>(parts());
  context.said.throwIfRefused();
}

Simulation::Simulation(const World& world, Registry& registry, ResourceLoader* loader, LogSink& log,
                       SimulationOptions options)
    : state_(new State(world, registry, loader, log, std::move(options))) {
  state_->build();
}

Simulation::~Simulation() {
  state_->components->reportFaults();
  for (const std::string& fault : state_->closeRecorders())
    state_->context.log.write(LogLevel::error, "simulation", fault);
}

// ---------------------------------------------------------------------------------------------------------------------
// One step

/// Sensors, controllers and motors. False: the simulation must stop.
bool Simulation::State::runComponents() {
  if (!components->simulateSensors(clock, *physics)) return false;
  if (!components->updateControllers(clock, *physics, record.get())) return false;
  std::string fault;
  if (physics->updateDrives(clock.stepSize(), fault)) return true;
  steps.setFault(std::move(fault));
  return false;
}

StepStatus Simulation::State::stepPhysics() {
  std::string fault;
  const StepStatus result = physics->step(clock, fault);
  if (result == StepStatus::error) steps.setFault(std::move(fault));
  noteGains(result == StepStatus::error);
  noteSunken();
  context.said.keep(physics->recorded());
  writeSubstitutions(physics->substituted(), context.log);
  return result;
}

/// Tells of the first time that two bodies sink deep into each other, of a few pairs at most.
void Simulation::State::noteSunken() {
  constexpr std::size_t kReported = 5;
  for (const SunkenPair& pair : physics->sunken()) {
    const std::pair ids(pair.idA, pair.idB);
    if (reportedPairs.size() > kReported || std::count(reportedPairs.begin(), reportedPairs.end(), ids) > 0) continue;
    reportedPairs.push_back(ids);
    if (reportedPairs.size() > kReported) {
      context.log.write(LogLevel::warning, "simulation", "more pairs of bodies sink deep into each other");
      continue;
    }
    context.log.write(LogLevel::warning, "simulation",
                      sunkenText(pair, context.world->nameOf(pair.idA), context.world->nameOf(pair.idB),
                                 clock.time() + clock.timeStep()));
  }
}

/// Counts energy from nowhere and tells of the first of each body, a few bodies at most.
void Simulation::State::noteGains(bool stopped) {
  constexpr std::size_t kReported = 5;
  const double time = clock.time() + clock.timeStep();
  for (const EnergyGain& gain : physics->gains()) {
    const std::string& name = physics->map().description.bodies[gain.body].name;
    const bool first = steps.addGain(name, gain, time, clock.tick());
    if (!first || stopped || physics->onUnstable() == OnUnstable::scale) continue;
    if (steps.unstable().size() <= kReported)
      context.log.write(LogLevel::warning, "simulation", gainText(name, gain, time));
    else if (steps.unstable().size() == kReported + 1)
      context.log.write(LogLevel::warning, "simulation",
                        "more bodies gain energy from nowhere; the summary has them all");
  }
}

/// The state at the beginning of a step, after everything that counts steps has counted the last one.
StepStatus Simulation::State::saveForRecorders(const Simulation& simulation) {
  const auto save = [&]() -> std::vector<std::byte> {
    if (!writeState) return snapshots->save();
    const std::string text = writeState(simulation);
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
  };
  return recorders.snapshot(
      clock.time(), StepStatus::normal, steps, [this](const World* world) { return viewFor(world); }, save);
}

std::vector<std::string> Simulation::State::closeRecorders() {
  if (recorders.empty()) return {};
  Value ending = Value::map();
  ending.set("time", clock.time());
  ending.set("tick", clock.tick());
  ending.set("status", std::string(stepStatusName(steps.status())));
  ending.set("state_hash", formatHash(snapshots->hash()));
  for (const Value::Entry& entry : endingMore.entries()) ending.set(entry.key, entry.value);
  return recorders.close(ending);
}

/// Tells recorders when steps begin to be bad, and when they are good again. Steps in parts are good.
void Simulation::State::noteChange(StepStatus result) {
  const StepStatus before = steps.status();
  if (recorders.empty() || result == before || std::max(result, before) <= StepStatus::adaptive) return;
  const LogLevel level = result == StepStatus::error     ? LogLevel::error
                         : result > StepStatus::adaptive ? LogLevel::warning
                                                         : LogLevel::info;
  std::string text = "steps are " + std::string(stepStatusName(result));
  if (result == StepStatus::error && !steps.fault().empty()) text += ": " + steps.fault();
  if (result == StepStatus::unstable && !physics->gains().empty()) {
    const EnergyGain& gain = physics->gains().front();
    text += ": " + gainText(physics->map().description.bodies[gain.body].name, gain, clock.time());
  }
  recorders.note(clock.time(), level, text);
}

/// Counts the bounds that the step hit, and tells recorders when they are others than in the step before.
void Simulation::State::noteBounds(StepBoundSet bounds) {
  const StepBoundSet before = steps.bounds();
  steps.addBounds(bounds);
  if (recorders.empty() || bounds == before || (bounds & ~before).none()) return;
  recorders.note(clock.time(), LogLevel::info, "the step hit a bound on its work: " + stepBoundsText(bounds));
}

void Simulation::State::callHooks(const std::vector<std::function<void(Simulation&)>>& hooks, Simulation& simulation) {
  struct Inside {
    bool& flag;
    explicit Inside(bool& f) : flag(f) { flag = true; }
    ~Inside() { flag = false; }
  } inside(inHook);
  for (const auto& hook : hooks) hook(simulation);
}

StepStatus Simulation::State::step(Simulation& simulation) {
  if (steps.status() == StepStatus::error) return steps.status();
  const InterruptionScope full({});  // Steps are made or not made.
  const std::int64_t number = clock.tick();
  if (saveForRecorders(simulation) == StepStatus::error) return stop();
  callHooks(hooksBefore, simulation);
  if (!runComponents()) return stop();
  StepStatus result = stepPhysics();
  clock.advance();
  for (int r = 0; record && r < static_cast<int>(context.world->robots.size()); ++r)
    record->addTorques(r, physics->motors()[r].torques(), clock.time());
  steps.addContacts(physics->contacts().size());
  noteBounds(physics->boundsHit());
  if (result != StepStatus::error && !components->observeStep(clock, *physics)) result = StepStatus::error;
  result = recorders.write(clock.tick(), result, steps, [this](const World* world) { return viewFor(world); });
  // What strict refuses of a component's doing ends the run, whatever the component is to do on errors.
  if (!context.said.refused().empty()) {
    steps.setFault("strict: " + context.said.refused());
    result = StepStatus::error;
  }
  noteChange(result);
  steps.addStep(result, number);
  callHooks(hooksAfter, simulation);
  return steps.status();
}

StepStatus Simulation::State::stepOf(double seconds, Simulation& simulation) {
  clock.beginStepOf(seconds);
  struct Ending {
    SimulationClock& clock;
    ~Ending() { clock.endStepOf(); }
  } ending{clock};
  return step(simulation);
}

StepStatus Simulation::step() {
  state_->physics->beginCall();
  const StepStatus result = state_->step(*this);
  state_->physics->endCall();
  return result;
}

StepStatus Simulation::measure() {
  State& s = *state_;
  if (s.steps.status() == StepStatus::error) return s.steps.status();
  return s.components->measure(s.clock, *s.physics) ? s.steps.status() : s.stop();
}

StepStatus Simulation::stepOf(double seconds) {
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw Error("a step must be positive and finite, not " + formatReal(seconds) + " s");
  state_->physics->beginCall();
  const StepStatus result = state_->stepOf(seconds, *this);
  state_->physics->endCall();
  return result;
}

StepStatus Simulation::advance(double seconds, const std::function<bool()>& keepGoing) {
  State& s = *state_;
  const StepCount count = stepsIn(seconds, s.clock.timeStep(), s.clock.time());
  StepStatus worst = StepStatus::normal;
  s.physics->beginCall();
  for (std::int64_t i = 0; i < count.total(); ++i) {
    if (keepGoing && !keepGoing()) break;
    worst = std::max(worst, s.step(i, count, *this));
    if (worst == StepStatus::error) break;
  }
  s.physics->endCall();
  return worst;
}

bool Simulation::settle(double maxSeconds, double speed, const std::function<bool()>& keepGoing) {
  constexpr double kRest = 0.1;  // s
  State& s = *state_;
  const StepCount count = stepsIn(maxSeconds, s.clock.timeStep(), s.clock.time());
  double still = 0;
  s.physics->beginCall();
  for (std::int64_t i = 0; i < count.total() && still < kRest; ++i) {
    if ((keepGoing && !keepGoing()) || s.step(i, count, *this) == StepStatus::error) break;
    const std::span<const BodyState> bodies = s.physics->state().bodies();
    const bool moves = std::any_of(bodies.begin(), bodies.end(), [&](const BodyState& body) {
      return body.v_WB.norm() > speed || body.w_WB.norm() > speed;
    });
    still = moves ? 0 : still + (i < count.full ? s.clock.timeStep() : count.last);
  }
  s.physics->endCall();
  return still >= kRest;
}

// ---------------------------------------------------------------------------------------------------------------------
// What can be read

double Simulation::time() const { return state_->clock.time(); }
std::int64_t Simulation::tick() const { return state_->clock.tick(); }
double Simulation::timeStep() const { return state_->clock.timeStep(); }
const World& Simulation::world() const { return *state_->context.world; }
const std::string& Simulation::backend() const { return state_->engine->name(); }
ContactSource Simulation::contactSource() const { return state_->engine->contactSource(); }

const VectorXd& Simulation::configuration(int robot) const {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  return state_->physics->state().robots()[robot].q;
}
const VectorXd& Simulation::velocity(int robot) const {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  return state_->physics->state().robots()[robot].dq;
}
const BodyState& Simulation::objectState(int object) const {
  MORTISE_REQUIRE_INDEX(object, world().objects.size(), "rigid objects");
  return state_->physics->state().objects()[object];
}
std::span<const ContactForce> Simulation::contacts() const { return state_->physics->contacts(); }
ContactSummary Simulation::contactSummary(int idA, int idB) const { return state_->physics->contactSummary(idA, idB); }
std::span<const JointState> Simulation::jointStates() const { return state_->physics->state().joints(); }
const SceneMap& Simulation::sceneMap() const { return state_->physics->map(); }
std::vector<JointState> Simulation::worldJointStates() const { return state_->physics->worldJointStates(); }
Energy Simulation::energy() const { return state_->physics->energy(); }
StartOverlaps Simulation::overlaps() const {
  return overlapsOf(sceneMap().description, state_->physics->state().bodies(), state_->physics->contactShapes());
}
SimulationView Simulation::view() { return state_->view(); }

LogSink& Simulation::componentLog() { return state_->context.said; }

StepStatus Simulation::status() const { return state_->steps.status(); }
StepStatus Simulation::worstStatus() const { return state_->steps.worst(); }
const std::array<std::int64_t, kNumStepStatuses>& Simulation::statusCounts() const { return state_->steps.counts(); }
const std::vector<StatusSpan>& Simulation::statusHistory() const { return state_->steps.history(); }
const std::vector<UnstableBody>& Simulation::unstableBodies() const { return state_->steps.unstable(); }
StepBoundSet Simulation::boundsHit() const { return state_->steps.bounds(); }
const std::array<std::int64_t, kNumStepBounds>& Simulation::boundCounts() const { return state_->steps.boundCounts(); }
int Simulation::maxContacts() const { return state_->steps.maxContacts(); }
const std::string& Simulation::fault() const { return state_->steps.fault(); }

Value Simulation::effectiveSettings() const {
  const State& s = *state_;
  const Vector3d& gravity = s.physics->gravity();
  Value settings = Value::map();
  settings.set("backend", backend());
  settings.set("timeStep", timeStep());
  settings.set("gravity", std::vector<double>{gravity.x(), gravity.y(), gravity.z()});
  settings.set("seed", static_cast<std::int64_t>(s.context.options.seed));
  s.physics->describe(settings);
  if (Value substitutions = s.context.said.value(); !substitutions.isNull())
    settings.set("substitutions", std::move(substitutions));
  settings.set("components", s.components->describe());
  return settings;
}

// ---------------------------------------------------------------------------------------------------------------------
// Physics

void Simulation::setGravity(const Vector3d& gravity) {
  if (!gravity.allFinite()) throw Error("gravity must be finite");
  state_->physics->setGravity(gravity);
}

void Simulation::setTimeStep(double seconds) {
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw Error("the time step must be positive and finite, not " + formatReal(seconds));
  state_->clock.setTimeStep(seconds);
}

void Simulation::applyWrench(int id, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  using Lasts = ExternalWrenches::Lasts;
  state_->physics->applyWrench(id, force, torque, point, state_->inHook ? Lasts::step : Lasts::call);
}

void Simulation::setObjectState(int object, const BodyState& state) {
  MORTISE_REQUIRE_INDEX(object, world().objects.size(), "rigid objects");
  if (!state.X_WB.allFinite() || !state.v_WB.allFinite() || !state.w_WB.allFinite())
    throw Error("the state given to a rigid object is not finite");
  state_->physics->setObjectState(object, state);
}

void Simulation::setRobotState(int robot, const VectorXd& q, const VectorXd& dq) {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  const int links = world().robots[robot].robot->numLinks();
  MORTISE_REQUIRE_SIZE(q, links, "one for each link");
  MORTISE_REQUIRE_SIZE(dq, links, "one for each link");
  if (!q.allFinite() || !dq.allFinite()) throw Error("the state given to a robot is not finite");
  state_->physics->setRobotState(robot, q, dq);
}

void Simulation::setDynamics(int object, bool on) {
  MORTISE_REQUIRE_INDEX(object, world().objects.size(), "rigid objects");
  state_->physics->setDynamics(object, on);
}

void Simulation::setCollision(int idA, int idB, bool on) { state_->physics->setCollision(idA, idB, on); }

void Simulation::setMotorModel(int robot, int driver, std::unique_ptr<MotorModel> model) {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  MORTISE_REQUIRE_INDEX(driver, world().robots[robot].robot->numDrivers(), "drivers");
  if (!state_->engine->capabilities().dynamics)
    throw Error("backend '" + backend() + "' has no dynamics: its robots follow their commands, whatever their motors",
                {}, "choose a backend with dynamics, such as ode");
  state_->snapshots->setMotorModel(robot, driver, std::move(model));
}

const MotorModel* Simulation::motorModel(int robot, int driver) const {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  MORTISE_REQUIRE_INDEX(driver, world().robots[robot].robot->numDrivers(), "drivers");
  return state_->physics->motors().model(robot, driver);
}

// ---------------------------------------------------------------------------------------------------------------------
// Components

Controller* Simulation::controller(int robot) {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  return state_->components->controller(robot);
}

std::span<const SensorReading> Simulation::sensorReadings(int robot) const {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  return state_->components->readings(robot);
}

Sensor* Simulation::sensor(int robot, std::string_view name) {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  SensorSlot* slot = state_->components->sensor(robot, name);
  return slot != nullptr ? slot->component.get() : nullptr;
}

void Simulation::setSensorEnabled(int robot, std::string_view name, bool enabled) {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  state_->components->requireSensor(robot, name).enabled = enabled;
}

bool Simulation::sensorEnabled(int robot, std::string_view name) const {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  return state_->components->requireSensor(robot, name).enabled;
}

void Simulation::setSensorRate(int robot, std::string_view name, double rate) {
  MORTISE_REQUIRE_INDEX(robot, world().robots.size(), "robots");
  SensorSlot& slot = state_->components->requireSensor(robot, name);
  if (!(rate > 0) || !std::isfinite(rate)) throw Error("the rate of a sensor is positive, not " + formatReal(rate));
  slot.rate = rate;
}

void Simulation::addHookBefore(std::function<void(Simulation&)> hook) {
  state_->hooksBefore.push_back(std::move(hook));
}
void Simulation::addHookAfter(std::function<void(Simulation&)> hook) { state_->hooksAfter.push_back(std::move(hook)); }

void Simulation::addRecorder(ComponentPtr<Recorder> recorder, int interval) {
  if (interval < 1) throw Error("a recorder writes at most once a step", {}, "use an interval of 1 or more");
  recorder->write(view());
  state_->context.said.throwIfRefused();
  state_->recorders.add(std::move(recorder), interval, &world());
}

void Simulation::setStateWriter(std::function<std::string(const Simulation&)> writer) {
  state_->writeState = std::move(writer);
}

void Simulation::addToEnding(const std::string& key, std::string text) { state_->endingMore.set(key, std::move(text)); }

void Simulation::closeRecorders() {
  if (const auto faults = state_->closeRecorders(); !faults.empty()) throw Error(faults.front());
}

void Simulation::beginRecord() {
  state_->record = std::make_unique<SimulationRecord>(world(), state_->engine->capabilities().dynamics);
}
const SimulationRecord* Simulation::record() const { return state_->record.get(); }

// ---------------------------------------------------------------------------------------------------------------------
// Snapshots

std::vector<std::byte> Simulation::save() const { return state_->snapshots->save(); }
std::uint64_t Simulation::stateHash() const { return state_->snapshots->hash(); }

void Simulation::reset() {
  setEdits({});
  state_->physics->state().setInitialCoordinates();
  state_->components->start(*state_->physics);
  state_->snapshots->restoreInitial();
  state_->steps.startAnew();
}

}  // namespace mortise
