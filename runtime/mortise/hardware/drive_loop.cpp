#include "mortise/hardware/drive_loop.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/estimator.h"
#include "mortise/component/hardware.h"
#include "mortise/component/role.h"
#include "mortise/control/command_gate.h"
#include "mortise/hardware/drive_log.h"
#include "mortise/hardware/drive_sensors.h"
#include "mortise/hardware/shared_log.h"
#include "mortise/hardware/work_thread.h"
#include "mortise/simulation/components/estimate_check.h"
#include "mortise/simulation/context/component_host.h"

namespace mortise {

namespace {

const ComponentInfo& chosenHardware(const Registry& registry, const std::string& name) {
  return name.empty() ? registry.requireRole(role::kDefaultHardware) : registry.require(Kind::hardware, name);
}

class HardwareDrive {
 public:
  HardwareDrive(const Robot& robot, Registry& registry, ResourceLoader* loader, LogSink& log,
                const DriveOptions& options, const std::function<bool()>& stopRequested)
      : robot_(robot),
        registry_(registry),
        loader_(loader),
        log_(log),
        options_(options),
        stopRequested_(stopRequested),
        hardwareInfo_(chosenHardware(registry, options.hardware)),
        hardwareHost_(robot.name() + "/" + writtenName(hardwareInfo_), options.seed, log_, loader, channels_, {}, {},
                      &registry, [this] { return stopping_ ? emergencyAsked() : stopAsked(); }),
        host_(robot.name() + "/" + options.controller, options.seed, log_, loader, channels_, {}, {}, &registry,
              [this] { return stopAsked(); }),
        estimatorHost_(robot.name() + "/estimator", options.seed, log_, loader, channels_, {}, {}, &registry,
                       [this] { return stopAsked(); }),
        state_(robot),
        commands_(static_cast<std::size_t>(robot.numDrivers())) {
    for (int i = 0; i < robot.numDrivers(); ++i) {
      ActuatorCommand& command = commands_[static_cast<std::size_t>(i)];
      command.kP = robot.driver(i).servoP;
      command.kI = robot.driver(i).servoI;
      command.kD = robot.driver(i).servoD;
    }
  }

  DriveResult run() {
    create();  // What is wrong with names and settings is known before anything is connected.
    if (!connect()) return result_;
    try {
      cycles();
    } catch (...) {
      stopAfterFailure();
      throw;
    }
    if (!emergency_) stop();
    count();
    if (record_) record_->close();
    return result_;
  }

 private:
  void create() {
    for (const auto& [name, type] : options_.sensorTypes) (void)registry_.require(Kind::sensor, type);
    const ComponentInfo& info = registry_.require(Kind::controller, options_.controller);
    result_.controller = info.name;
    controller_ = registry_.create<Controller>(info, complete(info, options_.settings), host_);
    createEstimator(info);
    result_.hardware = hardwareInfo_.name;
    hardware_ =
        registry_.create<Hardware>(hardwareInfo_, complete(hardwareInfo_, options_.hardwareSettings), hardwareHost_);
  }

  void createEstimator(const ComponentInfo& controller) {
    std::string estimator = options_.estimator;
    if (estimator.empty() && controller.attributes.isMap()) estimator = controller.attributes.string("estimator", "");
    if (estimator.empty()) return;
    const ComponentInfo& found = registry_.require(Kind::estimator, estimator);
    estimatorShown_ = found.name + " of " + found.package;
    estimator_ = registry_.create<Estimator>(found, complete(found, Value::map()), estimatorHost_);
  }

  Value complete(const ComponentInfo& info, const Value& settings) {
    Diagnostics diagnostics;
    Value value = registry_.completeSettings(info, settings, diagnostics);
    for (const Diagnostic& problem : diagnostics.all())
      if (problem.severity != Severity::error)
        log_.write(LogLevel::warning, info.name, Error(problem.message, problem.where, problem.hint).what());
    diagnostics.throwIfErrors();
    return value;
  }

  bool emergencyAsked() const { return options_.emergencyRequested && options_.emergencyRequested(); }
  bool stopAsked() const { return (stopRequested_ && stopRequested_()) || emergencyAsked(); }
  bool end(std::string why) {
    result_.ended = std::move(why);
    return false;
  }

  /// False: the end was requested first.
  bool connect() {
    try {
      hardware_->connect({robot_, options_.rate, options_.world, options_.robotIndex, &registry_, loader_});
      about_ = hardware_->description();
    } catch (const Error&) {  // The motors are as they were.
      if (!stopAsked()) throw;
      return end("stopped before it was connected");
    } catch (const std::exception& error) {
      throw Error(std::string(hardwareHost_.name()) + ": connect failed: " + error.what());
    }
    if (about_.place.empty()) about_.place = hardwareInfo_.name;
    return true;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Calls of the hardware

  /// A function of the hardware that throws is a fault.
  template <typename Call>
  std::invoke_result_t<Call&> call(const char* what, Call&& function) {
    try {
      return function();
    } catch (const Error&) {
      emergencyStop();
      throw;
    } catch (const std::exception& error) {
      emergencyStop();
      throw Error(std::string(hardwareHost_.name()) + ": " + what + " failed: " + error.what());
    }
  }

  void emergencyStop() {
    if (std::exchange(emergency_, true)) return;
    hardware_->emergencyStop();
  }

  void requireNoFault() {
    const std::string fault = call("fault", [&] { return hardware_->fault(); });
    if (fault.empty()) return;
    emergencyStop();
    throw Error(about_.place + " reports a fault" + (started_ ? " at t = " + formatReal(result_.time, 9) + " s" : "") +
                    ": " + fault + "; its emergency stop was called",
                {}, "see to it at the robot, and drive again");
  }

  /// The robot comes to rest. Who does not want to wait for that has its emergency stop.
  void stop() {
    stopping_ = true;
    call("stop", [&] { hardware_->stop(); });
    if (emergencyAsked()) emergencyByUser();
  }

  /// Whatever failed here (a controller, an estimator, a disk): the robot comes to rest, unless it was stopped already.
  void stopAfterFailure() {
    if (emergency_) return;
    try {
      stop();
    } catch (...) {
      emergencyStop();
    }
  }

  bool emergencyByUser() {
    emergencyStop();
    result_.emergencyStop = true;
    return end("the user asked for the emergency stop");
  }
  /// The end that was requested.
  bool endAsAsked() { return emergencyAsked() ? emergencyByUser() : end("stopped"); }

  // -------------------------------------------------------------------------------------------------------------------
  // The loop

  void cycles() {
    sensors_.emplace(robot_, registry_, options_.sensorTypes, about_);
    if (!nextState()) return;
    begin();
    do {
      if (options_.observe) options_.observe(sensors_->time(), sensors_->positions());
      if (!isDue())
        call("confirm", [&] { hardware_->confirm(); });
      else if (!update())
        return;
      requireNoFault();
    } while (nextState());
  }

  /// Waits for the next state to act on; false when it is over.
  bool nextState() {
    for (;;) {
      if (stopAsked()) return endAsAsked();
      if (pace_ && !waitForCycle()) return endAsAsked();
      if (!about_.setsPace && !pace_) pace_.emplace(clock(), pollPeriod());
      HardwareState& state = sensors_->state();
      state.time = timeByClock();
      for (HardwareState::Sensor& sensor : state.sensors) sensor.measured = true;
      const HardwareRead got = call("read", [&] { return hardware_->read(state); });
      requireNoFault();
      if (stopAsked()) return endAsAsked();
      if (got == HardwareRead::ended) return end(call("ending", [&] { return hardware_->ending(); }));
      if (got == HardwareRead::state) {
        silentCycles_ = 0;
        ++result_.states;
        return takeState();
      }
      if (pace_ && static_cast<double>(++silentCycles_) * pollPeriod() > options_.timeout) {
        emergencyStop();
        throw Error(about_.place + " gave no new state for " + formatReal(options_.timeout) + " s", {},
                    "check that it is running, or choose another --timeout");
      }
    }
  }

  /// Throws `Error` for a time (s) that is no number or lies before that of the last state.
  void requireTime(double time) const {
    if (std::isfinite(time) && (result_.states == 1 || time >= result_.time)) return;
    throw Error("a state from " + about_.place + " says " + formatReal(time, 9) + " s for its time" +
                    (result_.states == 1 ? "" : " after one at " + formatReal(result_.time, 9) + " s"),
                {}, "have the driver count seconds from its start; times never decrease");
  }

  bool takeState() {
    if (started_) call("read", [&] { sensors_->take(); });  // A state that makes no sense is a fault of the hardware.
    const double time = sensors_->state().time;
    call("read", [&] { requireTime(time); });
    if (result_.states == 1) result_.startTime = time;
    result_.time = time;
    return time < result_.startTime + options_.duration - 1e-9 || end("the duration is over");
  }

  DriveClock& clock() { return options_.clock != nullptr ? *options_.clock : ownClock_; }

  /// s, since the first state was asked for.
  double timeByClock() {
    const double now = clock().now();
    if (!clockStart_) clockStart_ = now;
    return now - *clockStart_;
  }

  /// s; of hardware that does not set the pace itself.
  double pollPeriod() {
    const double period = options_.rate > 0 ? 1 / options_.rate : about_.period;
    if (!(period > 0) || !std::isfinite(period))
      throw Error(about_.place + " leaves it open how often it is read", {}, "say it with --rate, such as --rate 100");
    return period;
  }

  /// False: the end was requested meanwhile.
  bool waitForCycle() {
    const double excess = pace_->next([this] { return stopAsked(); });
    if (excess > 0 && pace_->overruns() == 1)
      log_.write(LogLevel::warning, host_.name(),
                 "a cycle took " + formatReal(excess, 3) + " s longer than its period of " + formatReal(pollPeriod()) +
                     " s; the cycles that should have begun meanwhile are left out (said once, and counted)");
    return !stopAsked();
  }

  void begin() {
    sensors_->start();
    period_ = about_.setsPace && options_.rate <= 0 ? about_.period : pollPeriod();
    if (!(period_ > 0) || !std::isfinite(period_))
      throw Error(about_.place + " does not say how often states come", {},
                  "say with --rate how often the controller is updated");
    gate_.emplace(robot_, about_.capabilities, about_.place,
                  [&](const std::string& text) { log_.write(LogLevel::warning, host_.name(), text); });
    start_ = sensors_->positions();
    state_.q = start_;
    state_.dq.setZero();
    updateFrames(robot_, state_);
    const std::span<const SensorReading> readings = sensors_->readings();
    const Vector3d gravity = options_.world != nullptr ? options_.world->simulation.gravity : Vector3d(0, 0, -9.8);
    if (estimator_ != nullptr) estimator_->start({robot_, period_, start_, readings, false});
    controller_->start({robot_, period_, start_, gravity, readings, options_.world, options_.robotIndex});
    record_.emplace(options_.log, robot_, readings);
    call("start", [&] { hardware_->start(start_, period_); });
    started_ = true;
    requireNoFault();
    if (pace_) pace_.emplace(clock(), period_);  // However long the controller took to start.
  }

  /// Says whether the controller is updated at this state: with hardware that sets the pace itself, at `rate` by its
  /// time; with other hardware, at every state.
  bool isDue() {
    if (options_.rate <= 0 || !about_.setsPace) return true;
    const auto periods =
        static_cast<std::int64_t>(std::floor((sensors_->time() - result_.startTime) * options_.rate + 1e-9));
    if (periods <= lastPeriod_) return false;
    lastPeriod_ = periods;
    return true;
  }

  /// False: the end was requested meanwhile.
  bool update() {
    ControllerInput& input = input_;
    input.time = sensors_->time();
    input.tick = result_.states - 1;
    input.sensors = sensors_->readings();
    if (!awaitController()) return false;
    const std::span<const ActuatorCommand> passed = pass();
    if (estimator_ != nullptr) {
      estimator_->readCommand(passed);
      estimator_->advance(period_);
    }
    call("write", [&] { hardware_->write(passed, period_); });
    record_->addRow(input.time, input.sensors, passed);
    ++result_.updates;
    return true;
  }

  /// Meanwhile the robot goes on with its last command, so that this must end. False: the user ended it.
  bool awaitController() {
    constexpr double kSlice = 0.05;  // s, between questions whether to stop.
    if (!thread_)
      thread_.emplace([this] {
        if (estimator_ != nullptr) estimate(input_);
        controller_->update(input_, period_, commands_);
      });
    const double began = clock().now();
    thread_->begin();
    while (!thread_->wait(kSlice)) {
      if (emergencyAsked()) {
        emergencyByUser();
        sayBusy("the emergency stop was called");
        return false;
      }
      if (clock().now() - began <= options_.timeout) continue;
      emergencyStop();
      const std::string late = "it gave no command for " + formatReal(options_.timeout) + " s";
      sayBusy(late + ", and the emergency stop of " + about_.place + " was called");
      throw Error(std::string(host_.name()) + ": " + late + "; the emergency stop of " + about_.place + " was called",
                  {}, "make its updates faster, or choose another --timeout");
    }
    return true;
  }

  void sayBusy(const std::string& what) {
    log_.write(LogLevel::warning, host_.name(),
               what + "; the program ends when the controller is done with its update");
  }

  void estimate(ControllerInput& input) {
    estimator_->readSensors({input.time, input.tick, input.sensors, nullptr});
    estimator_->estimate(state_.q, state_.dq);
    if (const std::string fault = estimateFault(estimatorShown_, robot_, state_); !fault.empty())
      throw Error(fault + ", at t = " + formatReal(input.time, 9) + " s", {},
                  "check the sensors' values with --log, or choose another --estimator");
    updateFrames(robot_, state_);
    input.estimate = &state_;
  }

  std::span<const ActuatorCommand> pass() {
    try {
      return gate_->pass(commands_);
    } catch (const Error& error) {
      throw Error(std::string(host_.name()) + ": " + error.message(), error.where(), error.hint());
    }
  }

  void count() {
    const HardwareCounts counts = hardware_->counts();
    result_.skipped = counts.skipped;
    result_.refused = counts.refused;
    if (gate_) result_.limited = gate_->limited();
    if (!pace_) return;
    result_.overruns = pace_->overruns();
    result_.skippedCycles = pace_->skippedCycles();
  }

  const Robot& robot_;
  Registry& registry_;
  ResourceLoader* loader_;
  SharedLog log_;  ///< Of this thread and the controller's.
  const DriveOptions& options_;
  const std::function<bool()>& stopRequested_;
  const ComponentInfo& hardwareInfo_;
  ChannelTable channels_;
  ComponentHost hardwareHost_, host_, estimatorHost_;
  SteadyDriveClock ownClock_;
  ComponentPtr<Hardware> hardware_;
  ComponentPtr<Controller> controller_;
  ComponentPtr<Estimator> estimator_;
  std::string estimatorShown_;  ///< For messages.
  HardwareDescription about_;
  std::optional<DriveSensors> sensors_;
  std::optional<CommandGate> gate_;
  std::optional<DrivePace> pace_;  ///< Pace of hardware that does not set it itself, from its first cycle on.
  std::optional<DriveLog> record_;
  std::optional<double> clockStart_;
  RobotState state_;
  VectorXd start_;
  ControllerInput input_;
  std::vector<ActuatorCommand> commands_;
  double period_ = 0;
  std::int64_t lastPeriod_ = -1, silentCycles_ = 0;
  bool started_ = false, stopping_ = false, emergency_ = false;
  DriveResult result_;
  std::optional<WorkThread> thread_;  ///< Ends before what it uses.
};

}  // namespace

DriveResult drive(const Robot& robot, Registry& registry, ResourceLoader* loader, LogSink& log,
                  const DriveOptions& options, const std::function<bool()>& stopRequested) {
  return HardwareDrive(robot, registry, loader, log, options, stopRequested).run();
}

}  // namespace mortise
