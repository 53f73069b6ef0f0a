#include "mortise/remote/drive_loop.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/estimator.h"
#include "mortise/component/role.h"
#include "mortise/remote/connection.h"
#include "mortise/remote/motor_message.h"
#include "mortise/simulation/components/estimate_check.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/text/hex.h"

namespace mortise::remote {

namespace {

/// The type of a sensor at the other end, and what its values are.
struct RemoteType {
  std::string name;
  std::vector<std::string> roles;

  bool has(std::string_view role) const { return std::find(roles.begin(), roles.end(), role) != roles.end(); }
};

struct RemoteSensor {
  std::string name;
  RemoteType type;
  std::vector<std::string> channels;
  std::vector<double> values;
};

/// The beginning of what came, on one line and in ASCII, for messages.
std::string excerpt(std::string_view bytes) {
  constexpr std::size_t kMaximum = 60;
  std::string text = "'";
  for (const char c : bytes.substr(0, kMaximum)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      text += c;
    else
      text += "\\x" + hexText({&c, 1});
  }
  return text + (bytes.size() > kMaximum ? "...'" : "'");
}

constexpr const char* kWhoListens = "is this the port of a robot? Another program may listen there";

/// Says whether the values are always finite.
bool isOfMotors(const RemoteType& type) {
  return type.has(role::kJointPositions) || type.has(role::kJointVelocities) || type.has(role::kDriverTorques);
}

/// A type that somebody wrote; what measures joints or motors goes by the name that people write.
RemoteType typeCalled(const std::string& name, const Registry& registry) {
  const ComponentInfo* info = registry.find(Kind::sensor, name);
  if (info == nullptr) return {name, {}};
  RemoteType type{name, rolesOf(*info)};
  if (isOfMotors(type)) type.name = writtenName(*info);
  return type;
}

/// A name of the protocol, which says what its values are, whatever sensor there is for them.
RemoteType typeInRole(std::string_view role, std::string_view standard, const Registry& registry) {
  const ComponentInfo* info = registry.findRole(standard);
  return {info != nullptr ? nameInRole(*info, standard) : std::string(role), {std::string(role)}};
}

/// The types that names stand for, weakest first: the usual names, the robot file's, the user's.
RemoteType typeOf(const std::string& name, const Robot& robot, const Registry& registry,
                  const std::map<std::string, std::string>& types) {
  if (const auto found = types.find(name); found != types.end()) return typeCalled(found->second, registry);
  if (const Value& own = robot.description().sensors; own.isList())
    for (const Value& item : own.items()) {
      const Value *type = item.find("type"), *itsName = item.find("name");
      if (type != nullptr && itsName != nullptr && itsName->text() == name) return typeCalled(type->text(), registry);
    }
  if (name == "q") return typeInRole(role::kJointPositions, role::kDefaultPositions, registry);
  if (name == "dq") return typeInRole(role::kJointVelocities, role::kDefaultVelocities, registry);
  if (name == "torque") return typeInRole(role::kDriverTorques, role::kDefaultTorques, registry);
  return {};
}

/// Names of values, as sensors of that type call them when they measure everything.
std::vector<std::string> channelsOf(const std::string& name, const RemoteType& type, std::size_t size,
                                    const Robot& robot) {
  const bool links = size == static_cast<std::size_t>(robot.numLinks());
  const bool drivers = size == static_cast<std::size_t>(robot.numDrivers());
  std::vector<std::string> channels;
  for (std::size_t i = 0; i < size; ++i) {
    const int index = static_cast<int>(i);
    if (type.has(role::kJointPositions) && links)
      channels.push_back("q[" + robot.link(index).name + "]");
    else if (type.has(role::kJointVelocities) && links)
      channels.push_back("dq[" + robot.link(index).name + "]");
    else if (type.has(role::kDriverTorques) && drivers)
      channels.push_back("t[" + robot.driver(index).name + "]");
    else
      channels.push_back(name + "[" + std::to_string(i) + "]");
  }
  return channels;
}

class DriveLog {
 public:
  DriveLog(const std::string& path, const Robot& robot, const std::vector<RemoteSensor>& sensors) : path_(path) {
    if (path.empty()) return;
    errno = 0;
    out_.open(path);
    if (!out_) throw Error("'" + path + "' cannot be written" + reason(errno), {}, "name another file with --log");
    out_ << "time";
    for (const RemoteSensor& sensor : sensors)
      for (const std::string& channel : sensor.channels) out_ << "," << sensor.name << "." << channel;
    for (const char* what : {"qcmd", "dqcmd", "torquecmd"})
      for (const Driver& driver : robot.drivers()) out_ << "," << what << "[" << driver.name << "]";
    out_ << "\n";
  }
  void row(double time, const std::vector<RemoteSensor>& sensors, std::span<const ActuatorCommand> commands) {
    if (!out_) return;  // A robot is not left alone because a disk is full: `close` tells.
    if (!out_.is_open()) return;
    errno = 0;
    out_ << formatReal(time);
    for (const RemoteSensor& sensor : sensors)
      for (const double value : sensor.values) out_ << "," << formatReal(value);
    for (const ActuatorCommand& c : commands) out_ << "," << formatReal(c.position);
    for (const ActuatorCommand& c : commands) out_ << "," << formatReal(c.velocity);
    for (const ActuatorCommand& c : commands) out_ << "," << formatReal(c.torque);
    out_ << "\n";
    if (!out_) failure_ = errno;
  }
  void close() {
    if (!out_.is_open()) return;
    if (out_) {
      errno = 0;
      out_.flush();
      failure_ = errno;
    }
    if (!out_)
      throw Error("the log '" + path_ + "' could not be written to its end" + reason(failure_), {},
                  "make room for it, or name another file with --log");
  }

 private:
  static std::string reason(int code) { return code == 0 ? std::string() : std::string(": ") + std::strerror(code); }

  std::string path_;
  int failure_ = 0;  ///< The system's number for why writing failed.
  std::ofstream out_;
};

class RemoteDrive {
 public:
  RemoteDrive(const Robot& robot, Registry& registry, ResourceLoader* loader, LogSink& log, const DriveOptions& options,
              const std::function<bool()>& stopRequested)
      : robot_(robot),
        registry_(registry),
        log_(log),
        options_(options),
        stopRequested_(stopRequested),
        host_(robot.name() + "/" + options.controller, options.seed, log, loader, channels_, {}, {}, &registry,
              stopRequested),
        estimatorHost_(robot.name() + "/estimator", options.seed, log, loader, channels_, {}, {}, &registry,
                       stopRequested),
        state_(robot),
        commands_(robot.numDrivers()) {
    for (int i = 0; i < robot.numDrivers(); ++i) {
      commands_[i].kP = robot.driver(i).servoP;
      commands_[i].kI = robot.driver(i).servoI;
      commands_[i].kD = robot.driver(i).servoD;
    }
  }

  DriveResult run() {
    create();  // What is wrong with names and settings is known before anything is connected.
    if (!connect() || !nextReport()) return result_;
    begin();
    do {
      readSensors();
      if (options_.observe) options_.observe(*report_.t, positions());
      const bool due = isDue();
      if (due) update();
      frame_.clear();
      const std::size_t start = beginFrame(frame_);
      appendCommand(frame_, due ? message_ : RobotCommand());  // {} where nothing changes.
      endFrame(frame_, start);
      if (!connection_->send(frame_)) {
        requireStates();
        result_.ended = "the robot's end of the connection was closed";
        break;
      }
    } while (nextReport());
    record_->close();
    return result_;
  }

 private:
  void create() {
    for (const auto& [name, type] : options_.sensorTypes) (void)registry_.require(Kind::sensor, type);
    const ComponentInfo& info = registry_.require(Kind::controller, options_.controller);
    result_.controller = info.name;
    controller_ = registry_.create<Controller>(info, complete(info, options_.settings), host_);
    std::string estimator = options_.estimator;
    if (estimator.empty() && info.attributes.isMap()) estimator = info.attributes.string("estimator", "");
    if (estimator.empty()) return;
    const ComponentInfo& found = registry_.require(Kind::estimator, estimator);
    estimatorShown_ = found.name + " of " + found.package;
    estimator_ = registry_.create<Estimator>(found, complete(found, Value::map()), estimatorHost_);
  }

  /// False: the end was requested first.
  bool connect() {
    try {
      connection_.emplace(options_.address, options_.wait, stopRequested_);
      return true;
    } catch (const Error&) {
      if (!stopRequested_ || !stopRequested_()) throw;
      return end("stopped before it was connected");
    }
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

  /// The next state to act on; false when it is over.
  bool nextReport() {
    bool any = false;
    for (double waited = 0;;) {
      // Whatever else has come in meanwhile makes the last one stale.
      const auto text = connection_->receive(any ? 0 : kSlice);
      if (stopRequested_ && stopRequested_()) return end("stopped");
      if (!text) {
        if (any) return withinDuration();
        if (connection_->closed()) {
          requireStates();
          return end("the robot's end of the connection was closed");
        }
        waited += kSlice;
        if (!busy_ && waited >= options_.timeout) throwSilent();
        continue;
      }
      waited = 0;
      try {
        readReport(*text, any ? spare_ : report_);
      } catch (const Error& error) {
        throw Error("a message from " + options_.address.text() + " cannot be read: " + error.message() +
                        "; the message is " + excerpt(*text),
                    {}, kWhoListens);
      }
      RobotReport& got = any ? spare_ : report_;
      if (got.t) {
        if (any) std::swap(report_, spare_);
        result_.skipped += any ? 1 : 0;
        ++result_.messages;
        any = true;
        busy_ = false;
      } else if (!got.error.empty()) {
        complain(got);
      } else if (result_.messages == 0) {
        throw Error(
            "no state came from " + options_.address.text() + ", but " + excerpt(*text) + ", which says no time 't'",
            {}, kWhoListens);
      }
    }
  }

  /// When the connection is over: throws unless a robot was at the other end until then.
  void requireStates() const {
    const FrameReader& frames = connection_->frames();
    const std::string from = options_.address.text();
    if (frames.broken())
      throw Error((result_.messages == 0 ? "no state came from " + from + ", but "
                                         : "after the last state came from " + from + " ") +
                      excerpt(frames.pending()) + ", which is no message: as a length, its first four bytes are " +
                      std::to_string(frames.announced()) + " bytes",
                  {}, kWhoListens);
    if (result_.messages > 0) return;
    if (!lastError_.empty())
      throw Error("no state came from " + from + " before it closed the connection; it said: " + lastError_, {},
                  busy_ ? "stop the other client, or try again when it has left" : kWhoListens);
    throw Error("no state came from " + from + ": it closed the connection " +
                    (frames.insideMessage() ? "in the middle of a message, after " + excerpt(frames.pending())
                                            : std::string("without a word")),
                {}, kWhoListens);
  }

  [[noreturn]] void throwSilent() const {
    const FrameReader& frames = connection_->frames();
    throw Error("the robot sent nothing for " + formatReal(options_.timeout) + " s" +
                    (frames.insideMessage() ? ", after half a message: " + excerpt(frames.pending()) : std::string()),
                {}, "check that it is running, or choose another --timeout");
  }

  void complain(const RobotReport& report) {
    lastError_ = report.error + (report.message.empty() ? "" : ": " + report.message);
    if (report.error == "busy") {
      if (!busy_) log_.write(LogLevel::info, host_.name(), "waits: " + report.message);
      busy_ = true;
      return;
    }
    // The first ones say it; a thousand more a second would not say more.
    if (++result_.refused <= 3)
      log_.write(LogLevel::warning, host_.name(), "the robot refuses (" + report.error + "): " + report.message);
  }

  bool end(const char* why) {
    result_.ended = why;
    return false;
  }

  bool withinDuration() {
    if (result_.messages == result_.skipped + 1) result_.startTime = *report_.t;
    result_.time = *report_.t;
    return result_.time < result_.startTime + options_.duration - 1e-9 || end("the duration is over");
  }

  void begin() {
    for (std::size_t i = 0; i < report_.numSensors; ++i) {
      const RobotReport::Sensor& sensor = report_.sensors[i];
      RemoteSensor mine{sensor.name, typeOf(sensor.name, robot_, registry_, options_.sensorTypes), {}, sensor.values};
      mine.channels = channelsOf(mine.name, mine.type, mine.values.size(), robot_);
      sensors_.push_back(std::move(mine));
    }
    for (const RemoteSensor& sensor : sensors_)
      readings_.push_back({sensor.name, sensor.type.name, sensor.channels, sensor.values, nullptr, sensor.type.roles});
    state_.q = startConfiguration();
    state_.dq.setZero();
    updateFrames(robot_, state_);
    period_ = options_.rate > 0 ? 1 / options_.rate : report_.dt.value_or(0.01);
    if (!(period_ > 0))
      throw Error("the robot says that it sends a message every " + formatReal(period_) + " s", {},
                  "'dt' of its states is a time above 0; --rate says how often the controller is updated instead");
    start_ = state_.q;
    if (estimator_ != nullptr) estimator_->start({robot_, period_, start_, readings_, false});
    controller_->start({robot_, period_, start_, Vector3d(0, 0, -9.8), readings_, options_.world, options_.robotIndex});
    record_.emplace(options_.log, robot_, sensors_);
  }

  /// Where the robot is. A controller is never started without knowing.
  VectorXd startConfiguration() {
    const auto links = static_cast<std::size_t>(robot_.numLinks());
    std::string came;
    for (const RemoteSensor& sensor : sensors_) {
      came += (came.empty() ? "'" : ", '") + sensor.name + "'";
      if (!sensor.type.has(role::kJointPositions)) continue;
      if (sensor.values.size() == links) {
        positionSensor_ = sensor.name;
        return Eigen::Map<const VectorXd>(sensor.values.data(), static_cast<Eigen::Index>(links));
      }
      if (sensor.name == "q")
        throw Error("the robot says that it has " + std::to_string(sensor.values.size()) + " links, but '" +
                        robot_.name() + "' has " + std::to_string(links),
                    {}, "name the file of the robot that is at " + options_.address.text());
    }
    throw Error(
        "the states from " + options_.address.text() + " do not say where the robot is: they have no 'q' of " +
            std::to_string(links) + " numbers" + (came.empty() ? ", nor any other sensor" : "; there is " + came),
        {}, "have it send a JointPositionSensor of all links; --sensor NAME=JointPositionSensor says which it is");
  }

  VectorXd positions() const {
    for (const RemoteSensor& sensor : sensors_)
      if (sensor.name == positionSensor_)
        return Eigen::Map<const VectorXd>(sensor.values.data(), static_cast<Eigen::Index>(sensor.values.size()));
    return start_;
  }

  void readSensors() {
    for (RemoteSensor& sensor : sensors_) {
      const auto begin = report_.sensors.begin();
      const auto found = std::find_if(begin, begin + static_cast<std::ptrdiff_t>(report_.numSensors),
                                      [&](const RobotReport::Sensor& other) { return other.name == sensor.name; });
      // One that did not come keeps its values, as a sensor does that is slower than the others; but where the robot
      // is, a controller has to know.
      if (found == begin + static_cast<std::ptrdiff_t>(report_.numSensors)) {
        if (sensor.name != positionSensor_) continue;
        throw Error("the state at t = " + formatReal(*report_.t) + " s has no '" + sensor.name +
                        "': where the robot is, is not known",
                    {}, "have the robot send it with every state");
      }
      if (found->values.size() != sensor.values.size())
        throw Error("sensor '" + sensor.name + "' has " + std::to_string(found->values.size()) + " values at t = " +
                    formatReal(*report_.t) + " s, and had " + std::to_string(sensor.values.size()) + " before");
      for (std::size_t i = 0; i < found->values.size() && isOfMotors(sensor.type); ++i)
        if (!std::isfinite(found->values[i]))
          throw Error("sensor '" + sensor.name + "' says " + formatReal(found->values[i]) + " for " +
                          sensor.channels[i] + " at t = " + formatReal(*report_.t) + " s, which is not a finite number",
                      {}, "see what is wrong with it at the robot's end");
      std::copy(found->values.begin(), found->values.end(), sensor.values.begin());
    }
  }

  bool isDue() {
    if (options_.rate <= 0) return true;
    const auto periods = static_cast<std::int64_t>(std::floor((*report_.t - result_.startTime) * options_.rate + 1e-9));
    if (periods <= lastPeriod_) return false;
    lastPeriod_ = periods;
    return true;
  }

  void update() {
    ControllerInput input;
    input.time = *report_.t;
    input.tick = result_.messages - 1;
    input.sensors = readings_;
    if (estimator_ != nullptr) {
      estimator_->readSensors({input.time, input.tick, input.sensors, nullptr});
      estimator_->estimate(state_.q, state_.dq);
      if (const std::string fault = estimateFault(estimatorShown_, robot_, state_); !fault.empty())
        throw Error(fault + ", at t = " + formatReal(*report_.t) + " s", {},
                    "check the sensors' values with --log, or choose another --estimator");
      updateFrames(robot_, state_);
      input.estimate = &state_;
    }
    controller_->update(input, period_, commands_);
    for (int i = 0; i < robot_.numDrivers(); ++i)
      if (!std::isfinite(commands_[i].position) || !std::isfinite(commands_[i].velocity) ||
          !std::isfinite(commands_[i].torque))
        throw Error(std::string(host_.name()) + ": the command for driver '" + robot_.driver(i).name +
                    "' is not a finite number");
    if (estimator_ != nullptr) {
      estimator_->readCommand(commands_);
      estimator_->advance(period_);
    }
    if (!saidGains_ && hasOtherGains(robot_, commands_)) {
      log_.write(LogLevel::warning, host_.name(),
                 "asks for servo gains other than the robot's own, which messages cannot say");
      saidGains_ = true;
    }
    // Twice as long as until the next message, so that a late one does not make the robot stop and go.
    toMessage(robot_, commands_, start_, 2 * std::max(period_, report_.dt.value_or(period_)), message_);
    record_->row(input.time, sensors_, commands_);
    ++result_.updates;
  }

  static constexpr double kSlice = 0.05;  // s

  const Robot& robot_;
  Registry& registry_;
  LogSink& log_;
  const DriveOptions& options_;
  const std::function<bool()>& stopRequested_;
  ChannelTable channels_;
  ComponentHost host_, estimatorHost_;
  ComponentPtr<Controller> controller_;
  ComponentPtr<Estimator> estimator_;
  std::string estimatorShown_;  ///< For messages.
  std::optional<Connection> connection_;
  std::optional<DriveLog> record_;
  RobotReport report_, spare_;
  std::vector<RemoteSensor> sensors_;
  std::vector<SensorReading> readings_;
  RobotState state_;
  VectorXd start_;
  std::vector<ActuatorCommand> commands_;
  RobotCommand message_;
  std::string frame_;
  double period_ = 0;
  std::int64_t lastPeriod_ = -1;
  bool busy_ = false, saidGains_ = false;
  std::string lastError_;       ///< Of the robot's, the last one.
  std::string positionSensor_;  ///< That tells where all links are.
  DriveResult result_;
};

}  // namespace

DriveResult drive(const Robot& robot, Registry& registry, ResourceLoader* loader, LogSink& log,
                  const DriveOptions& options, const std::function<bool()>& stopRequested) {
  return RemoteDrive(robot, registry, loader, log, options, stopRequested).run();
}

}  // namespace mortise::remote
