#include "mortise/simulation/components/component_runner.h"

#include <cmath>
#include <utility>

#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/plugin/guard.h"
#include "mortise/simulation/components/estimate_check.h"
#include "mortise/simulation/context/snapshot_bytes.h"
#include "mortise/text/hex.h"
#include "mortise/text/suggest.h"

namespace mortise {

ComponentRunner::ComponentRunner(SimulationContext& context, StepLog& steps, Diagnostics& diagnostics)
    : context_(context),
      faults_(context.log, steps),
      set_(createComponents(*context.world, context.registry, context.loader, context.said, context.options,
                            context.channels, diagnostics)) {}

// ---------------------------------------------------------------------------------------------------------------------
// Starting

void ComponentRunner::start(const PhysicsStepper& physics) {
  startSensors();
  for (auto& slot : set_.controllers) startController(*slot, physics);
}

void ComponentRunner::startSensors() {
  measuredTick_ = -1;
  readings_.assign(context_.world->robots.size(), {});
  observed_ = false;
  const VisualFilesScope looks(context_.loader, context_.log);
  for (auto& slot : set_.sensors) {
    std::vector<SensorReading>& readings = readings_[slot->robot];
    const SensorSetup setup{*context_.world, slot->robot, 1 / slot->rate, readings};
    std::string message;
    if (guarded(slot->host->name(), "start", message, [&] { slot->component->start(setup); }) != ComponentStatus::ok)
      throw Error(message);
    slot->values.assign(slot->component->channels().size(), 0.0);
    slot->disabled = false;
    readings.push_back({slot->name, slot->requestedType, slot->component->channels(), slot->values,
                        slot->component->camera(), slot->roles});
    observed_ = observed_ || slot->component->observesSteps();
  }
}

void ComponentRunner::meetWorld() {
  const VisualFilesScope looks(context_.loader, context_.log);
  std::vector<std::size_t> met(readings_.size(), 0);
  for (auto& slot : set_.sensors) {
    const std::size_t place = met[static_cast<std::size_t>(slot->robot)]++;
    std::vector<SensorReading>& readings = readings_[static_cast<std::size_t>(slot->robot)];
    const SensorSetup setup{*context_.world, slot->robot, 1 / slot->rate, std::span(readings).first(place)};
    ByteWriter before;
    slot->component->save(before);
    std::string message;
    if (guarded(slot->host->name(), "start", message, [&] {
          slot->component->start(setup);
          ByteReader in(before.bytes());
          slot->component->restore(in);
        }) != ComponentStatus::ok)
      throw Error(message);
    slot->values.resize(slot->component->channels().size(), 0.0);
    readings[place] = {slot->name,   slot->requestedType,       slot->component->channels(),
                       slot->values, slot->component->camera(), slot->roles};
  }
}

void ComponentRunner::startController(ControllerSlot& slot, const PhysicsStepper& physics) {
  const Robot& robot = *context_.world->robots[slot.robot].robot;
  const ControllerSetup setup{
      robot,          1 / slot.rate, physics.state().robots()[slot.robot].q, physics.gravity(), readings_[slot.robot],
      context_.world, slot.robot};
  std::string message;
  if (slot.estimator) {
    EstimatorSlot& estimator = *slot.estimator;
    const EstimatorSetup start{robot, setup.period, setup.q, setup.sensors, true};
    if (guarded(estimator.host->name(), "start", message, [&] { estimator.component->start(start); }) !=
        ComponentStatus::ok)
      throw Error(message);
    estimator.state.q = setup.q;
    estimator.state.dq.setZero();
  }
  if (guarded(slot.host->name(), "start", message, [&] { slot.component->start(setup); }) != ComponentStatus::ok)
    throw Error(message);
  slot.disabled = false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts of a step

SimulationView ComponentRunner::view(const SimulationClock& clock, PhysicsStepper& physics) {
  WorldState& state = physics.state();
  state.updateFrames();
  const std::span<const RobotState> robots = state.robots();
  robotViews_.resize(robots.size());
  for (std::size_t i = 0; i < robots.size(); ++i) {
    const int r = static_cast<int>(i);
    const ActuatorBank& motors = std::as_const(physics).motors()[r];
    robotViews_[i] = {&robots[i], motors.torques(), motors.commands(), readings_[i], state.twists(r)};
  }
  return {clock.time(),
          clock.tick(),
          context_.world,
          robotViews_,
          state.objects(),
          physics.contacts(),
          clock.stepSize(),
          physics.gravity(),
          physics.weightedContacts(),
          physics.appliedWrenches()};
}

bool ComponentRunner::measure(const SimulationClock& clock, PhysicsStepper& physics) {
  if (!simulateSensors(clock, physics)) return false;
  measuredTick_ = clock.tick();
  return true;
}

bool ComponentRunner::simulateSensors(const SimulationClock& clock, PhysicsStepper& physics) {
  if (measuredTick_ == clock.tick()) return true;
  SimulationView current;
  bool viewed = false;
  for (auto& slot : set_.sensors) {
    if (slot->disabled || !slot->enabled || !clock.due(slot->rate)) continue;
    if (!viewed) {
      current = view(clock, physics);
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
    if (!faults_.continueAfter(result, message, slot->onError, slot->disabled)) return false;
  }
  return true;
}

bool ComponentRunner::observeStep(const SimulationClock& clock, PhysicsStepper& physics) {
  if (!observed_) return true;
  const SimulationView current = view(clock, physics);
  for (auto& slot : set_.sensors) {
    if (slot->disabled || !slot->component->observesSteps()) continue;
    std::string message;
    const ComponentStatus result =
        guarded(slot->host->name(), "observe", message, [&] { slot->component->observe(current, clock.stepSize()); });
    if (!faults_.continueAfter(result, message, slot->onError, slot->disabled)) return false;
  }
  return true;
}

bool ComponentRunner::updateControllers(const SimulationClock& clock, PhysicsStepper& physics,
                                        SimulationRecord* record) {
  for (auto& slot : set_.controllers) {
    if (slot->disabled || !clock.due(slot->rate)) continue;
    const RobotState& state = physics.state().robots()[slot->robot];
    ActuatorBank& motors = physics.motors()[slot->robot];
    ControllerInput input;
    input.time = clock.time();
    input.tick = clock.tick();
    input.sensors = readings_[slot->robot];
    std::string message;
    ComponentStatus result = updateController(*slot, input, state, motors.commands(), message);
    checkCommands(*slot, motors.commands(), result, message);
    if (!faults_.continueAfter(result, message, slot->onError, slot->disabled)) return false;
    if (slot->disabled) {
      motors.reset();
    } else if (record != nullptr) {
      record->addCommands(slot->robot, motors.commands(), state.q, input.time);
      record->addStates(slot->robot, std::string(slot->host->name()), *slot->component, context_.channels, input.time);
    }
  }
  return true;
}

ComponentStatus ComponentRunner::updateController(ControllerSlot& slot, ControllerInput& input, const RobotState& state,
                                                  std::span<ActuatorCommand> commands, std::string& message) {
  const double period = 1 / slot.rate;
  EstimatorSlot* estimator = slot.estimator.get();
  ComponentStatus result = ComponentStatus::ok;
  if (estimator != nullptr)
    result = estimate(*estimator, *context_.world->robots[slot.robot].robot, input, state, message);
  if (result != ComponentStatus::ok) return result;
  result = guarded(slot.host->name(), "update", message, [&] { slot.component->update(input, period, commands); });
  if (result != ComponentStatus::ok || estimator == nullptr) return result;
  return guarded(estimator->host->name(), "advance", message, [&] {
    estimator->component->readCommand(commands);
    estimator->component->advance(period);
  });
}

/// Fills `input.estimate`.
ComponentStatus ComponentRunner::estimate(EstimatorSlot& estimator, const Robot& robot, ControllerInput& input,
                                          const RobotState& state, std::string& message) const {
  ComponentStatus result = guarded(estimator.host->name(), "readSensors", message, [&] {
    estimator.component->readSensors({input.time, input.tick, input.sensors, &state});
    estimator.component->estimate(estimator.state.q, estimator.state.dq);
  });
  std::string fault = estimateFault(estimator.shown, robot, estimator.state);
  if (result == ComponentStatus::ok && !fault.empty()) {
    result = ComponentStatus::fault;
    message = std::move(fault);
  }
  if (result != ComponentStatus::ok) return result;
  updateFrames(robot, estimator.state);
  input.estimate = &estimator.state;
  return result;
}

/// Numbers that are not finite are a fault and never reach the engine.
void ComponentRunner::checkCommands(const ControllerSlot& slot, std::span<ActuatorCommand> commands,
                                    ComponentStatus& result, std::string& message) const {
  for (std::size_t i = 0; i < commands.size(); ++i) {
    ActuatorCommand& c = commands[i];
    if (std::isfinite(c.position) && std::isfinite(c.velocity) && std::isfinite(c.torque) && std::isfinite(c.kP) &&
        std::isfinite(c.kI) && std::isfinite(c.kD))
      continue;
    if (result == ComponentStatus::ok)
      message = std::string(slot.host->name()) + ": the command for driver '" +
                context_.world->robots[slot.robot].robot->driver(static_cast<int>(i)).name + "' is not a finite number";
    result = ComponentStatus::fault;
    c = ActuatorCommand();
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Access

SensorSlot* ComponentRunner::sensor(int robot, std::string_view name) {
  for (auto& slot : set_.sensors)
    if (slot->robot == robot && slot->name == name) return slot.get();
  return nullptr;
}

SensorSlot& ComponentRunner::requireSensor(int robot, std::string_view name) {
  if (SensorSlot* slot = sensor(robot, name)) return *slot;
  std::vector<std::string> names;
  for (const SensorReading& reading : readings(robot)) names.emplace_back(reading.name);
  throw Error("robot '" + context_.world->robots[robot].name + "' has no sensor '" + std::string(name) + "'", {},
              didYouMean(name, names));
}

Value ComponentRunner::describe() const {
  Value list = Value::list();
  const auto describe = [&](const char* kind, const auto& slot) {
    Value entry = Value::map();
    entry.set(kind, slot->type);
    entry.set("name", slot->name);
    entry.set("robot", context_.world->robots[slot->robot].name);
    entry.set("rate", slot->declaredRate);
    if (slot->rate != slot->declaredRate) entry.set("rate_now", slot->rate);
    entry.set("settings_hash", hexText(slot->settingsHash));
    list.push_back(std::move(entry));
  };
  for (const auto& slot : set_.controllers) describe("controller", slot);
  for (const auto& slot : set_.sensors) describe("sensor", slot);
  return list;
}

// ---------------------------------------------------------------------------------------------------------------------
// Snapshots

std::uint64_t ComponentRunner::signature() const {
  ByteWriter out;
  const auto add = [&](const auto& slots) {
    for (const auto& slot : slots) {
      for (const std::string* text : {&slot->type, &slot->name}) out.put(std::string_view(*text));
      out.put(slot->robot);
      out.put(slot->declaredRate);
      out.put(slot->settingsHash);
    }
  };
  add(set_.controllers);
  add(set_.sensors);
  for (const auto& slot : set_.controllers)
    out.put(slot->estimator ? std::string_view(slot->estimator->type) : std::string_view());
  return hashBytes(out.bytes().data(), out.bytes().size());
}

void ComponentRunner::save(ByteWriter& out) const {
  for (const auto& slot : set_.sensors) {
    out.put(slot->disabled);
    slot->host->save(out);
    out.put(slot->enabled);
    out.put(slot->rate);
    out.put(std::span<const double>(slot->values));
    slot->component->save(out);
  }
  for (const auto& slot : set_.controllers) {
    out.put(slot->disabled);
    slot->host->save(out);
    slot->component->save(out);
    if (!slot->estimator) continue;
    slot->estimator->host->save(out);
    slot->estimator->component->save(out);
  }
}

void ComponentRunner::restore(ByteReader& in) {
  measuredTick_ = -1;
  const auto begin = [&](auto& slot) {
    slot.disabled = getFlag(in);
    slot.host->restore(in);
  };
  for (auto& slot : set_.sensors) {
    begin(*slot);
    slot->enabled = getFlag(in);
    in.get(slot->rate);
    if (!(slot->rate > 0) || !std::isfinite(slot->rate))
      throw Error("the snapshot has a sensor with an impossible rate");
    in.get(std::span<double>(slot->values));
    slot->component->restore(in);
  }
  for (auto& slot : set_.controllers) {
    begin(*slot);
    slot->component->restore(in);
    if (!slot->estimator) continue;
    slot->estimator->host->restore(in);
    slot->estimator->component->restore(in);
  }
}

void ComponentRunner::hash(ByteWriter& out) const {
  for (const auto& slot : set_.sensors) {
    slot->host->save(out);
    out.put(std::span<const double>(slot->values));
    slot->component->save(out);
  }
  for (const auto& slot : set_.controllers) {
    slot->host->save(out);
    slot->component->save(out);
    if (slot->estimator) slot->estimator->component->save(out);
  }
}

}  // namespace mortise
