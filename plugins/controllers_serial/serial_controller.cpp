#include "serial_controller.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "remote/frame.h"

namespace mortise::controllers_serial {

namespace {

using std::chrono::steady_clock;

/// Interval at which a stop request of the user is checked.
constexpr auto kPatience = std::chrono::milliseconds(20);

double secondsSince(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

void checkFinite(const VectorXd& values) {
  if (!values.allFinite()) throw Error("the snapshot has a command with a number that is not finite");
}

}  // namespace

void SerialSettings::bind(SettingBinder& b) {
  b.add("serv_addr", servAddr,
        "Address to listen on: tcp://host:port, host:port or :port (this machine). Port 0: any that is free. Empty: do "
        "not listen.",
        {.aliases = {"servAddr"}, .changeable = true});
  b.add("write_rate", writeRate, "Messages a simulated second to the client; 0: one every update.",
        {.min = 0, .max = 1e6, .unit = "Hz", .aliases = {"writeRate"}, .changeable = true});
  b.add("lockstep", lockstep, "After each message, wait for the command that answers it.", {.changeable = true});
  b.add("must_listen", mustListen,
        "That nothing can listen on the address is an error, not a warning; with lockstep it always is.",
        {.aliases = {"mustListen"}});
  b.add("enable_gravity_compensation", gravityCompensation,
        "While nobody drives, add the torques that hold the robot against gravity. Has no effect on robots with a "
        "floating base.",
        {.aliases = {"enableGravityCompensation"}});
  b.add("sensors", sensors, "Sensors whose values are sent, by name; when absent, all.");
  b.add(
      "timeout", timeout,
      "Maximum wait for a command in lockstep, for the rest of a message, and for a client that neither reads what it "
      "is sent nor sends anything.",
      {.min = 0.001, .max = 1e6, .unit = "s", .changeable = true});
  b.add("connect_timeout", connectTimeout, "Maximum wait for a client in lockstep.",
        {.min = 0.001, .max = 1e6, .unit = "s", .aliases = {"connectTimeout"}, .changeable = true});
  b.add("max_message_size", maxMessageSize, "Maximum size of a message from a client, bytes.",
        {.min = 64, .max = 1 << 30, .aliases = {"maxMessageSize"}});
}

void SerialSettings::check() const {
  try {
    if (!servAddr.empty()) (void)remote::parseAddress(servAddr);
  } catch (const Error& error) {
    throw Error(error.message(), settingPosition("serv_addr"), error.hint());
  }
}

SerialController::SerialController(const ComponentContext& context) : Configured(context) {
  if (settings_->lockstep && settings_->servAddr.empty())
    throw Error("lockstep waits for a client, but 'serv_addr' is empty", settings_.position("serv_addr"),
                "name an address such as tcp://127.0.0.1:3456");
}

SerialController::~SerialController() {
  server_.reset();
  if (mailbox_ != nullptr) writeNotes();
}

void SerialController::start(const ControllerSetup& setup) {
  const bool again = robot_ == &setup.robot;
  robot_ = &setup.robot;
  gravity_ = setup.gravity;
  motion_ = Motion();
  motion_.q = setup.q;
  motion_.dq = VectorXd::Zero(setup.q.size());
  motion_.torque = VectorXd::Zero(robot_->numDrivers());
  qSensed_ = qWork_ = setup.q;
  qReport_.reserve(setup.q.size());
  dqReport_.reserve(setup.q.size());
  lastWrite_ = -1;
  model_.reset();
  // A floating base takes no torque, so holding its limbs against gravity one by one would be wrong.
  if (settings_->gravityCompensation && robot_->floatingBaseLink() >= 0 &&
      settings_.position("enable_gravity_compensation").known())
    host_.log(LogLevel::warning,
              "'enable_gravity_compensation' has no effect: the base of the robot floats, and takes no torque");
  if (settings_->writeRate * setup.period > 1 + 1e-9)
    host_.log(LogLevel::warning, "messages are sent " + formatReal(1 / setup.period) + " times a second in place of " +
                                     formatReal(settings_->writeRate) + ": one an update of the controller at most");
  if (settings_->gravityCompensation && robot_->floatingBaseLink() < 0) {
    state_.emplace(*robot_);
    model_.emplace(*robot_);
    G_ = VectorXd::Zero(robot_->numLinks());
  }

  sent_.assign(setup.sensors.size(), 0);
  positionSensor_ = -1;
  positionLinks_.clear();
  for (const std::string& name : settings_->sensors)
    if (findReading(setup.sensors, name) == nullptr)
      throw Error("there is no sensor '" + name + "' to send", {}, "name sensors of this robot in 'sensors'");
  for (std::size_t i = 0; i < setup.sensors.size(); ++i) {
    const SensorReading& sensor = setup.sensors[i];
    const auto named = [&](const std::string& name) { return name == sensor.name; };
    sent_[i] = settings_->sensors.empty() || std::any_of(settings_->sensors.begin(), settings_->sensors.end(), named);
    const bool taken = remote::isReservedKey(sensor.name) || findReading(setup.sensors, sensor.name) != &sensor;
    if (sent_[i] != 0 && taken) {
      host_.log(LogLevel::warning, "sensor '" + std::string(sensor.name) +
                                       "' is not sent: its name means something else in messages; give it another");
      sent_[i] = 0;
    }
    if (positionSensor_ < 0 && sensor.hasRole(role::kJointPositions)) {
      positionSensor_ = static_cast<int>(i);
      const bool all = static_cast<int>(sensor.channels.size()) == robot_->numLinks();
      for (const std::string& channel : sensor.channels) {
        // All links are in their order: names may repeat.
        int link = all ? static_cast<int>(positionLinks_.size()) : -1;
        for (int k = 0; k < robot_->numLinks() && link < 0; ++k)
          if (channel == "q[" + robot_->link(k).name + "]") link = k;
        positionLinks_.push_back(link);
      }
    }
  }
  if (again && mailbox_ != nullptr)
    mailbox_->discardCommands();  // They were meant for what was before the reset.
  else
    open();
}

void SerialController::open() {
  server_.reset();
  if (mailbox_ != nullptr) writeNotes();
  mailbox_ = std::make_unique<Mailbox>(settings_->lockstep);
  if (settings_->servAddr.empty()) return;
  address_ = remote::parseAddress(settings_->servAddr);
  try {
    const ServerOptions options{address_,
                                static_cast<std::size_t>(settings_->maxMessageSize),
                                settings_->timeout,
                                robot_->numLinks(),
                                robot_->numDrivers(),
                                std::string(host_.name())};
    server_ = std::make_unique<RobotServer>(options, *mailbox_);
  } catch (const Error& error) {
    if (settings_->lockstep || settings_->mustListen) throw;
    // A world that only names an address goes on without: several runs of it may go on at the same time.
    host_.log(LogLevel::warning, error.message() + "; the robot holds its configuration");
    return;
  }
  host_.log(LogLevel::info, "listens on " + server_->address().text());
}

void SerialController::writeNotes() {
  if (!mailbox_->takeNotes(notes_)) return;
  for (const auto& [level, text] : notes_) host_.log(level, text);
}

void SerialController::update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) {
  sense(input);
  advance(input.time);
  const bool due = dueAt(input.time);  // Also while nothing listens, which must not tell in the state.
  if (listening()) {
    if (settings_->lockstep && due) exchange(input, period);
    if (!settings_->lockstep) {
      receive(input.time);
      if (due) send(input, period, mailbox_->driver());
    }
    writeNotes();
  }
  write(commands);
}

void SerialController::sense(const ControllerInput& input) {
  qSensed_ = motion_.q;
  if (positionSensor_ < 0 || positionSensor_ >= static_cast<int>(input.sensors.size())) return;
  const std::span<const double> values = input.sensors[positionSensor_].values;
  for (std::size_t i = 0; i < positionLinks_.size(); ++i)
    if (positionLinks_[i] >= 0) qSensed_[positionLinks_[i]] = values[i];
}

bool SerialController::dueAt(double time) {
  if (settings_->writeRate == 0) return true;
  constexpr double kSlack = 1e-9;  // Times are sums of steps.
  const auto periods = static_cast<std::int64_t>(std::floor(time * settings_->writeRate + kSlack));
  if (periods <= lastWrite_) return false;
  lastWrite_ = periods;
  return true;
}

void SerialController::advance(double time) {
  const double before = motion_.lastTime;
  motion_.lastTime = time;
  if (motion_.mode != Mode::velocity) return;
  motion_.q += motion_.dq * std::max(0.0, std::min(time, motion_.endTime) - before);
  if (time < motion_.endTime) return;
  motion_.mode = Mode::position;
  motion_.dq.setZero();
  motion_.torque.setZero();
}

void SerialController::receive(double time) {
  bool stalled = false;
  bool wake = false;
  while (mailbox_->take(event_, stalled)) {
    wake = wake || stalled;
    handle(time);
  }
  if (wake) server_->wake();
}

void SerialController::exchange(const ControllerInput& input, double period) {
  ClientId asked = 0;
  const auto start = steady_clock::now();
  auto since = start;
  while (!host_.stopRequested()) {
    const ClientId driver = mailbox_->driver();
    if (driver != 0 && driver != asked) {
      send(input, period, driver);
      asked = driver;
      since = steady_clock::now();
    }
    bool stalled = false;
    if (mailbox_->take(event_, stalled)) {
      if (stalled) server_->wake();
      handle(input.time);
      if (event_.kind == ClientEvent::Kind::left) {
        since = steady_clock::now();
      } else if (event_.command.type != remote::RobotCommand::Type::none || event_.command.empty) {
        return;
      }
      continue;
    }
    writeNotes();
    const bool connected = asked != 0 && driver == asked;
    const double limit = connected ? settings_->timeout : settings_->connectTimeout;
    if (secondsSince(since) > limit)
      throw Error((connected ? "the client sent no command within " : "no client came within ") + formatReal(limit) +
                      " s, at t = " + formatReal(input.time) + " s",
                  {},
                  connected ? "a client in lockstep answers every message with a command, or with {} to change nothing"
                            : "start the client, and have it connect to " + server_->address().text());
    mailbox_->wait(driver, kPatience);
  }
}

void SerialController::handle(double time) {
  if (event_.kind == ClientEvent::Kind::left) {
    hold();
    return;
  }
  if (event_.command.setting) answerSetting(time);
  if (event_.command.type != remote::RobotCommand::Type::none) apply(event_.command, time);
}

void SerialController::apply(const remote::RobotCommand& command, double time) {
  using Type = remote::RobotCommand::Type;
  const auto copy = [](const std::vector<double>& from, VectorXd& to) {
    if (from.empty())
      to.setZero();
    else
      std::copy(from.begin(), from.end(), to.data());
  };
  if (command.type == Type::velocity) {
    // Motion begins where the servos are told to be, and where the robot is when they are told nothing.
    if (motion_.mode == Mode::torque) motion_.q = qSensed_;
    copy(command.dq, motion_.dq);
    motion_.torque.setZero();
    motion_.endTime = time + command.duration;
    motion_.mode = Mode::velocity;
  } else if (command.type == Type::torque) {
    copy(command.torque, motion_.torque);
    motion_.mode = Mode::torque;
  } else {
    copy(command.q, motion_.q);
    copy(command.dq, motion_.dq);
    copy(command.torque, motion_.torque);
    motion_.mode = Mode::position;
  }
}

void SerialController::hold() {
  if (motion_.mode == Mode::torque) motion_.q = qSensed_;
  motion_.dq.setZero();
  motion_.torque.setZero();
  motion_.mode = Mode::hold;
}

void SerialController::answerSetting(double time) {
  const remote::RobotCommand::Setting& setting = *event_.command.setting;
  std::string frame;
  const std::size_t begin = remote::beginFrame(frame);
  try {
    const Value all = settings();
    const std::string name = settings_.nameOf(setting.name);
    if (!all.contains(name)) {
      remote::appendErrorMessage(frame, "unknown_setting", "there is no setting '" + setting.name + "'");
    } else if (setting.value && name != "write_rate") {
      remote::appendErrorMessage(frame, "not_allowed", "a client may change the setting write_rate only");
    } else {
      if (setting.value && settings_.change(name, *setting.value)) restartReports(time);
      remote::appendSettingMessage(frame, setting.name, settings().at(name));
    }
  } catch (const Error& error) {
    remote::appendErrorMessage(frame, "wrong_value", error.message());
  }
  remote::endFrame(frame, begin);
  mailbox_->putReply(event_.client, std::move(frame));
  server_->wake();
}

void SerialController::restartReports(double time) {
  lastWrite_ = static_cast<std::int64_t>(std::floor(time * settings_->writeRate + 1e-9));
}

void SerialController::send(const ControllerInput& input, double period, ClientId client) {
  if (client == 0) return;
  qReport_.clear();
  dqReport_.clear();
  if (motion_.mode != Mode::torque) {
    qWork_ = qSensed_;
    for (int i = 0; i < robot_->numDrivers(); ++i)
      setDriverValue(*robot_, i, driverValue(*robot_, i, motion_.q), qWork_);
    qReport_.assign(qWork_.begin(), qWork_.end());
    dqReport_.assign(motion_.dq.begin(), motion_.dq.end());
  }
  frame_.clear();
  const std::size_t begin = remote::beginFrame(frame_);
  remote::appendReport(frame_, input.time,
                       settings_->writeRate > 0 ? std::max(1 / settings_->writeRate, period) : period, qReport_,
                       dqReport_, input.sensors, sent_);
  remote::endFrame(frame_, begin);
  mailbox_->putReport(client, frame_);
  server_->wake();
}

void SerialController::write(std::span<ActuatorCommand> commands) {
  const bool torque = motion_.mode == Mode::torque;
  for (int i = 0; i < robot_->numDrivers(); ++i) {
    ActuatorCommand& command = commands[i];
    command.mode = torque ? ActuatorCommand::Mode::torque : ActuatorCommand::Mode::pid;
    command.torque = motion_.torque[i];
    if (torque) continue;
    command.position = driverValue(*robot_, i, motion_.q);
    command.velocity = driverVelocity(*robot_, i, motion_.dq);
  }
  if (motion_.mode != Mode::hold || !model_) return;
  state_->q = qSensed_;
  updateFrames(*robot_, *state_);
  model_->compute(*state_, gravity_, G_);
  for (int i = 0; i < robot_->numDrivers(); ++i) {
    const Driver& driver = robot_->driver(i);
    if (driver.type != DriverType::affine) {
      commands[i].torque += G_[driver.links[0]];
      continue;
    }
    // Torque t puts t * scale on each link: the least-squares t.
    double along = 0, square = 0;
    for (std::size_t k = 0; k < driver.links.size(); ++k) {
      along += driver.scale[k] * G_[driver.links[k]];
      square += driver.scale[k] * driver.scale[k];
    }
    if (square > 0) commands[i].torque += along / square;
  }
}

Value SerialController::settings() const {
  Value all = settings_.values();
  all.set("listening", listening());
  all.set("connected", listening() && mailbox_->driver() != 0);
  all.set("address", listening() ? server_->address().text() : std::string());
  all.set("port", listening() ? static_cast<int>(server_->address().port) : 0);
  if (robot_ != nullptr) {
    std::vector<std::string> links, drivers;
    Value driven = Value::list();
    for (const Link& link : robot_->links()) links.push_back(link.name);
    for (const Driver& driver : robot_->drivers()) {
      drivers.push_back(driver.name);
      Value moved = Value::list();
      for (const int link : driver.links) moved.push_back(link);
      driven.push_back(std::move(moved));
    }
    all.set("links", links);
    all.set("drivers", drivers);
    all.set("driverLinks", std::move(driven));
  }
  return all;
}

bool SerialController::hasSetting(std::string_view name) const {
  return settings_.has(name) || settings().contains(name);
}

bool SerialController::changeSetting(std::string_view name, const Value& value) {
  const SerialSettings before = *settings_;
  if (!settings_.change(name, value)) return false;
  if (settings_->lockstep && !before.lockstep && robot_ != nullptr && !listening()) {
    settings_.edit().lockstep = false;
    throw Error("lockstep waits for a client, but nothing listens", {}, "set serv_addr to an address that is free");
  }
  if (settings_.nameOf(name) == "serv_addr" && robot_ != nullptr) open();
  if (settings_->writeRate != before.writeRate) restartReports(motion_.lastTime);
  if (mailbox_ != nullptr) mailbox_->setEveryCommand(settings_->lockstep);
  return true;
}

// The address and the timeouts belong to the program that runs, not to the state of the simulation.
void SerialController::save(ByteWriter& out) const {
  out.put(motion_.mode);
  for (const VectorXd* v : {&motion_.q, &motion_.dq, &motion_.torque})
    out.put(std::span<const double>(v->data(), v->size()));
  for (const double x : {motion_.endTime, motion_.lastTime, settings_->writeRate}) out.put(x);
  out.put(lastWrite_);
  out.put(static_cast<std::uint8_t>(settings_->lockstep));
}

void SerialController::restore(ByteReader& in) {
  Motion motion = motion_;
  const auto mode = in.get<std::uint8_t>();
  if (mode > static_cast<std::uint8_t>(Mode::torque)) throw Error("the snapshot has a command of an unknown kind");
  motion.mode = static_cast<Mode>(mode);
  for (VectorXd* v : {&motion.q, &motion.dq, &motion.torque}) {
    in.get(std::span<double>(v->data(), v->size()));
    checkFinite(*v);
  }
  double rate = 0;
  for (double* x : {&motion.endTime, &motion.lastTime, &rate}) {
    in.get(*x);
    if (!std::isfinite(*x)) throw Error("the snapshot has a time that is not finite");
  }
  if (!(rate >= 0 && rate <= 1e6)) throw Error("the snapshot has a rate that is none");
  const auto lastWrite = in.get<std::int64_t>();
  const auto lockstep = in.get<std::uint8_t>();
  if (lockstep > 1) throw Error("the snapshot has a flag that is neither on nor off");
  motion_ = std::move(motion);
  settings_.edit().writeRate = rate;
  lastWrite_ = lastWrite;
  if (settings_->lockstep != (lockstep == 1)) changeSetting("lockstep", Value(lockstep == 1));
}

}  // namespace mortise::controllers_serial
