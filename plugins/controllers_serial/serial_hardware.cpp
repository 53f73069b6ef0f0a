#include "serial_hardware.h"

#include <algorithm>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/text/hex.h"
#include "remote/motor_message.h"

namespace mortise::controllers_serial {

namespace {

constexpr double kReceiveSlice = 0.05;  // s, between questions whether to stop.
constexpr const char* kWhoListens = "is this the port of a robot? Another program may listen there";

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

/// A name of the protocol says what its values are.
std::vector<std::string> rolesOfName(std::string_view name) {
  if (name == "q") return {std::string(role::kJointPositions)};
  if (name == "dq") return {std::string(role::kJointVelocities)};
  if (name == "torque") return {std::string(role::kDriverTorques)};
  return {};
}

}  // namespace

void SerialHardwareSettings::bind(SettingBinder& b) {
  b.add("address", address, "Where the robot listens: tcp://host:port, host:port, or :port for 127.0.0.1.");
  b.add("wait", wait, "How long to try to connect while nobody listens.", {.min = 0, .unit = "s"});
  b.add("timeout", timeout, "How long the robot may send nothing.", {.min = 0, .unit = "s"});
}

SerialHardware::SerialHardware(const ComponentContext& context)
    : host_(context.host), settings_(context.settings), address_(remote::parseAddress(settings_->address)) {}

// ---------------------------------------------------------------------------------------------------------------------
// Connecting

void SerialHardware::connect(const HardwareSetup& setup) {
  robot_ = &setup.robot;
  const auto stopAsked = [this] { return host_.stopRequested(); };
  connection_.emplace(address_, settings_->wait, stopAsked);
  // Which sensors there are, the first state says.
  while (!unread_) {
    const HardwareRead got = receive();
    if (host_.stopRequested()) throw Error("stopped before a state came from " + address_.text());
    if (got == HardwareRead::ended) requireStates();
  }
  describe(setup.rate);
}

void SerialHardware::describe(double rate) {
  description_.place = address_.text();
  // The messages are Klamp't's: positions with feedforward torques, velocities or torques, one kind for all motors,
  // without gains. The robot at the other end keeps the limits of its motors.
  HardwareCapabilities& can = description_.capabilities;
  can.position = can.velocity = can.torque = can.feedforward = can.limits = true;
  description_.setsPace = true;
  description_.period = report_.dt.value_or(0.01);
  if (rate <= 0 && !(description_.period > 0))
    throw Error("the robot says that it sends a message every " + formatReal(description_.period) + " s", {},
                "'dt' of its states is a time above 0; --rate says how often the controller is updated instead");
  for (std::size_t i = 0; i < report_.numSensors; ++i) {
    const remote::RobotReport::Sensor& sensor = report_.sensors[i];
    description_.sensors.push_back(
        {sensor.name, {}, rolesOfName(sensor.name), {}, static_cast<int>(sensor.values.size())});
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading

HardwareRead SerialHardware::read(HardwareState& state) {
  const HardwareRead got = receive();
  if (got != HardwareRead::state) return got;
  unread_ = false;
  state.time = *report_.t;
  const auto begin = report_.sensors.begin(), end = begin + static_cast<std::ptrdiff_t>(report_.numSensors);
  for (std::size_t i = 0; i < description_.sensors.size(); ++i) {
    const std::string& name = description_.sensors[i].name;
    const auto found =
        std::find_if(begin, end, [&](const remote::RobotReport::Sensor& sensor) { return sensor.name == name; });
    state.sensors[i].measured = found != end;
    if (found != end) state.sensors[i].values.assign(found->values.begin(), found->values.end());
  }
  return HardwareRead::state;
}

/// Takes in what came; the last state of it is `report_`.
HardwareRead SerialHardware::receive() {
  if (left_) return HardwareRead::ended;
  for (;;) {
    // Whatever else has come in meanwhile makes the last one stale.
    const auto text = connection_->receive(unread_ ? 0 : kReceiveSlice);
    if (text) {
      waited_ = 0;
      if (take(*text, unread_)) unread_ = true;
      // Not to be kept here by a robot that only refuses.
      if (!unread_ && host_.stopRequested()) return HardwareRead::nothing;
      continue;
    }
    if (unread_) return HardwareRead::state;
    if (connection_->closed()) {
      requireStates();
      return HardwareRead::ended;
    }
    waited_ += kReceiveSlice;
    if (!busy_ && waited_ >= settings_->timeout && !host_.stopRequested()) throwSilent();
    return HardwareRead::nothing;
  }
}

/// Returns whether the text was a state. `replaces`: there is one already, which it takes the place of.
bool SerialHardware::take(std::string_view text, bool replaces) {
  remote::RobotReport& got = replaces ? spare_ : report_;
  try {
    remote::readReport(text, got);
  } catch (const Error& error) {
    throw Error("a message from " + address_.text() + " cannot be read: " + error.message() + "; the message is " +
                    excerpt(text),
                {}, kWhoListens);
  }
  if (got.t) {
    if (replaces) {
      std::swap(report_, spare_);
      ++counts_.skipped;
    }
    ++messages_;
    busy_ = false;
    return true;
  }
  if (!got.error.empty())
    complain(got);
  else if (messages_ == 0)
    throw Error("no state came from " + address_.text() + ", but " + excerpt(text) + ", which says no time 't'", {},
                kWhoListens);
  return false;
}

/// When the connection is over: throws unless a robot was at the other end until then, and ended it between messages.
void SerialHardware::requireStates() const {
  const remote::FrameReader& frames = connection_->frames();
  const std::string from = address_.text();
  if (frames.broken())
    throw Error(
        (messages_ == 0 ? "no state came from " + from + ", but " : "after the last state came from " + from + " ") +
            excerpt(frames.pending()) + ", which is no message: as a length, its first four bytes are " +
            std::to_string(frames.announced()) + " bytes",
        {}, kWhoListens);
  if (messages_ > 0 && frames.insideMessage())
    throw Error(
        "the connection to " + from + " was lost in the middle of a message, after " + excerpt(frames.pending()), {},
        "check that the robot's end is still running, and drive again");
  if (messages_ > 0) return;
  if (!lastError_.empty())
    throw Error("no state came from " + from + " before it closed the connection; it said: " + lastError_, {},
                busy_ ? "stop the other client, or try again when it has left" : kWhoListens);
  throw Error("no state came from " + from + ": it closed the connection " +
                  (frames.insideMessage() ? "in the middle of a message, after " + excerpt(frames.pending())
                                          : std::string("without a word")),
              {}, kWhoListens);
}

void SerialHardware::throwSilent() const {
  const remote::FrameReader& frames = connection_->frames();
  throw Error("the robot sent nothing for " + formatReal(settings_->timeout) + " s" +
                  (frames.insideMessage() ? ", after half a message: " + excerpt(frames.pending()) : std::string()),
              {}, "check that it is running, or choose another --timeout");
}

void SerialHardware::complain(const remote::RobotReport& report) {
  lastError_ = report.error + (report.message.empty() ? "" : ": " + report.message);
  if (report.error == "busy") {
    if (!busy_) host_.log(LogLevel::info, "waits: " + report.message);
    busy_ = true;
    return;
  }
  // The first ones say it; a thousand more a second would not say more.
  if (++counts_.refused <= 3)
    host_.log(LogLevel::warning, "the robot refuses (" + report.error + "): " + report.message);
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing

void SerialHardware::start(const VectorXd& q, double) { start_ = q; }

void SerialHardware::write(std::span<const ActuatorCommand> commands, double period) {
  // Twice as long as until the next message, so that a late one does not make the robot stop and go.
  remote::toMessage(*robot_, commands, start_, 2 * std::max(period, report_.dt.value_or(period)), message_);
  send(message_);
}

void SerialHardware::confirm() {
  static const remote::RobotCommand kNothing;  // {}: nothing changes.
  send(kNothing);
}

void SerialHardware::send(const remote::RobotCommand& command) {
  frame_.clear();
  const std::size_t begin = remote::beginFrame(frame_);
  remote::appendCommand(frame_, command);
  remote::endFrame(frame_, begin);
  if (connection_->send(frame_)) return;
  requireStates();
  left_ = true;
}

/// While nobody drives it, the robot at the other end holds its configuration.
void SerialHardware::stop() { connection_.reset(); }

/// The protocol has no emergency stop: the robot is left to its own end, which holds its configuration.
void SerialHardware::emergencyStop() noexcept { connection_.reset(); }

}  // namespace mortise::controllers_serial
