#include "simulated_hardware.h"

#include <algorithm>

#include "mortise/base/borrow.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/simulation/context/simulation_clock.h"

namespace mortise::hardware_simulated {

namespace {

World worldOf(const Robot& robot) {
  World world;
  WorldRobot placed;
  placed.name = robot.name();
  placed.file = robot.description().file;
  placed.robot = borrow(robot);
  placed.q = robot.initialConfiguration();
  placed.dq = VectorXd::Zero(placed.q.size());
  world.robots.push_back(std::move(placed));
  return world;
}

}  // namespace

void SimulatedSettings::bind(SettingBinder& b) {
  b.add("rate", rate, "How often it is read and written, unless --rate says otherwise.", {.min = 1e-3, .unit = "Hz"});
  b.add("backend", backend, "Physics backend; empty: the one that the world names, else the default one.");
  b.add("time_step", timeStep, "Of the physics; when absent, the world's.", {.min = 1e-9, .unit = "s"});
  b.add("realtime", realtime, "Read it by the computer's clock instead of as fast as the controller answers.");
  b.add("seed", seed, "Of the noise of its sensors.", {.min = 0});
}

void HostLog::write(LogLevel level, std::string_view source, std::string_view message) {
  host_.log(level, std::string(source) + ": " + std::string(message));
}

void CommandRelay::update(const ControllerInput&, double, std::span<ActuatorCommand> commands) {
  if (commands_.size() == commands.size()) std::copy(commands_.begin(), commands_.end(), commands.begin());
}

void CommandRelay::switchOff() {
  for (ActuatorCommand& command : commands_) command.mode = ActuatorCommand::Mode::off;
}

void SimulatedHardware::connect(const HardwareSetup& setup) {
  if (setup.registry == nullptr)
    throw Error("a simulated robot needs the program's components, which it was not given");
  if (setup.world != nullptr && setup.robotIndex < 0)
    throw Error("a world is given, but not which of its robots is the one to drive");
  rate_ = setup.rate > 0 ? setup.rate : settings_->rate;
  if (setup.world == nullptr) alone_ = worldOf(setup.robot);
  const World& world = setup.world != nullptr ? *setup.world : alone_;
  robot_ = setup.world != nullptr ? setup.robotIndex : 0;
  SimulationOptions options;
  options.backend = settings_->backend;
  options.timeStep = settings_->timeStep;
  options.seed = static_cast<std::uint64_t>(settings_->seed);
  options.stopRequested = [this] { return host_.stopRequested(); };
  ComponentOptions relay;
  relay.robot = robot_;
  relay.type = "hardware";
  relay.rate = rate_;
  relay.instance = &relay_;
  options.components.push_back(std::move(relay));
  const double step = settings_->timeStep.value_or(world.simulation.timeStep);
  if (rate_ * step > 1 + 1e-9)
    throw Error("the robot is to be read at " + formatReal(rate_) + " Hz, but steps of " + formatReal(step) +
                    " s give " + formatReal(1 / step) + " states a second",
                settings_.position("rate"), "choose a lower rate, or a shorter time_step");
  simulation_ = std::make_unique<Simulation>(world, *setup.registry, setup.loader, log_, std::move(options));
}

HardwareDescription SimulatedHardware::description() const {
  HardwareDescription description;
  description.place = "the simulated robot";
  description.capabilities = {.position = true,
                              .velocity = true,
                              .torque = true,
                              .feedforward = true,
                              .gains = true,
                              .mixed = true,
                              .limits = true};
  description.period = 1 / rate_;
  description.setsPace = !settings_->realtime;
  for (const SensorReading& reading : simulation_->sensorReadings(robot_))
    description.sensors.push_back({std::string(reading.name),
                                   std::string(reading.type),
                                   {reading.roles.begin(), reading.roles.end()},
                                   {reading.channels.begin(), reading.channels.end()},
                                   static_cast<int>(reading.channels.size())});
  return description;
}

HardwareRead SimulatedHardware::read(HardwareState& state) {
  if (measured_) advance();
  measured_ = true;
  simulation_->measure();
  requireRunning();
  state.time = simulation_->time();
  const std::span<const SensorReading> readings = simulation_->sensorReadings(robot_);
  for (std::size_t i = 0; i < readings.size(); ++i)
    state.sensors[i].values.assign(readings[i].values.begin(), readings[i].values.end());
  return HardwareRead::state;
}

/// To the next tick at which a controller of this rate is updated.
void SimulatedHardware::advance() {
  do {
    simulation_->step();
    requireRunning();
  } while (!dueAt(simulation_->tick(), simulation_->timeStep(), rate_));
}

void SimulatedHardware::requireRunning() const {
  if (simulation_->status() == StepStatus::error)
    throw Error("the simulation of the robot stopped at t = " + formatReal(simulation_->time()) +
                " s: " + simulation_->fault());
}

}  // namespace mortise::hardware_simulated
