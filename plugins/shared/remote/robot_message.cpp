#include "remote/robot_message.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/json/json_reader.h"
#include "mortise/json/json_writer.h"

namespace mortise::remote {

namespace {

/// More numbers than any sensor has; what is longer is no message of this protocol.
constexpr std::size_t kMaxNumbers = 64'000'000;

void readVector(JsonReader& json, std::string_view key, int size, std::string_view what, std::vector<double>& out) {
  // One more than fits is enough to know that there are too many.
  if (json.peek() != JsonReader::Kind::list) json.refuse(std::string(key) + " is a list of numbers");
  json.beginList();
  out.clear();
  std::size_t count = 0;
  while (json.nextItem()) {
    if (json.peek() != JsonReader::Kind::number) json.refuse(std::string(key) + " is a list of numbers");
    const double x = json.number();
    if (!(std::abs(x) <= kLargestCommand))
      throw MessageError("out_of_range", std::string(key) + "[" + std::to_string(count) + "] is beyond +-1e9");
    if (count++ < static_cast<std::size_t>(size)) out.push_back(x);
  }
  // Klamp't's clients send empty lists for what they do not ask.
  if (count != 0 && count != static_cast<std::size_t>(size))
    throw MessageError("wrong_size", std::string(key) + " takes " + std::to_string(size) + " numbers, one a " +
                                         std::string(what) + ", not " + std::to_string(count));
}

void readSetting(JsonReader& json, RobotCommand& command) {
  RobotCommand::Setting setting;
  const Value value = json.value();
  if (value.isString()) {
    setting.name = value.asString();
  } else if (value.isList() && (value.size() == 1 || value.size() == 2) && value[0].isString()) {
    setting.name = value[0].asString();
    if (value.size() == 2) setting.value = value[1];
  } else {
    json.refuse("setting is a name, or a list of a name and a value");
  }
  command.setting = std::move(setting);
}

/// Each of the keys may come once.
enum Key : unsigned { kQ = 1, kDq = 2, kTorque = 4, kDuration = 8, kSetting = 16 };

unsigned keyOf(std::string_view key) {
  if (key == "qcmd") return kQ;
  if (key == "dqcmd") return kDq;
  if (key == "torquecmd") return kTorque;
  if (key == "tcmd") return kDuration;
  if (key == "setting") return kSetting;
  return 0;
}

void readKeys(JsonReader& json, int numLinks, int numDrivers, RobotCommand& command, unsigned& seen, bool& any) {
  if (json.peek() != JsonReader::Kind::map) json.refuse("a message is a JSON object");
  json.beginMap();
  std::string_view key;
  while (json.nextKey(key)) {
    any = true;
    const unsigned known = keyOf(key);
    if ((seen & known) != 0) json.refuse("the key '" + std::string(key) + "' comes twice");
    seen |= known;
    switch (known) {
      case kQ:
        readVector(json, "qcmd", numLinks, "link", command.q);
        break;
      case kDq:
        readVector(json, "dqcmd", numLinks, "link", command.dq);
        break;
      case kTorque:
        readVector(json, "torquecmd", numDrivers, "driver", command.torque);
        break;
      case kDuration:
        if (json.peek() != JsonReader::Kind::number) json.refuse("tcmd is a number");
        command.duration = json.number();
        if (!(command.duration >= 0 && command.duration <= kLargestCommand))
          throw MessageError("out_of_range", "tcmd is a time from 0 to 1e9 s");
        break;
      case kSetting:
        readSetting(json, command);
        break;
      default:
        json.skip();  // Controllers written for Klamp't return what else they like.
    }
  }
  json.end();
}

/// A message at the end of a text; infinite numbers stay infinite.
JsonWriter message(std::string& out) { return JsonWriter(out, -1, JsonWriter::NotFinite::huge); }

}  // namespace

void readCommand(std::string_view text, int numLinks, int numDrivers, RobotCommand& command) {
  command.type = RobotCommand::Type::none;
  command.q.clear();
  command.dq.clear();
  command.torque.clear();
  command.duration = 0;
  command.empty = false;
  command.setting.reset();
  unsigned seen = 0;
  bool any = false;
  try {
    JsonReader json(text);
    readKeys(json, numLinks, numDrivers, command, seen, any);
  } catch (const MessageError&) {
    throw;
  } catch (const Error& error) {
    throw MessageError("malformed", error.message());
  }
  if (!command.q.empty()) {
    command.type = RobotCommand::Type::position;
  } else if (!command.dq.empty()) {
    if ((seen & kDuration) == 0)
      throw MessageError("no_command", "dqcmd without qcmd needs tcmd, the seconds for which it holds");
    command.type = RobotCommand::Type::velocity;
  } else if (!command.torque.empty()) {
    command.type = RobotCommand::Type::torque;
  } else if (!any) {
    command.empty = true;
  } else if (!command.setting) {
    throw MessageError("no_command", "the message has none of qcmd, dqcmd with tcmd, torquecmd and setting");
  }
}

void appendCommand(std::string& out, const RobotCommand& command) {
  JsonWriter json = message(out);
  json.beginMap();
  if (command.type == RobotCommand::Type::position) json.numbers("qcmd", command.q);
  if (command.type != RobotCommand::Type::torque && !command.dq.empty()) json.numbers("dqcmd", command.dq);
  if (command.type == RobotCommand::Type::velocity) {
    json.key("tcmd");
    json.number(command.duration);
  }
  if (!command.torque.empty() && command.type != RobotCommand::Type::velocity)
    json.numbers("torquecmd", command.torque);
  json.endMap();
}

bool isReservedKey(std::string_view key) {
  for (const char* name : {"t", "dt", "qcmd", "dqcmd", "torquecmd", "error", "message", "setting"})
    if (key == name) return true;
  return false;
}

void appendReport(std::string& out, double t, double dt, std::span<const double> qcmd, std::span<const double> dqcmd,
                  std::span<const SensorReading> sensors, std::span<const char> sent) {
  JsonWriter json = message(out);
  json.beginMap();
  json.key("t");
  json.number(t);
  json.key("dt");
  json.number(dt);
  if (!qcmd.empty()) json.numbers("qcmd", qcmd);
  if (!dqcmd.empty()) json.numbers("dqcmd", dqcmd);
  for (std::size_t i = 0; i < sensors.size(); ++i)
    if (sent[i] != 0) json.numbers(sensors[i].name, sensors[i].values);
  json.endMap();
}

void readReport(std::string_view text, RobotReport& report) {
  report.t.reset();
  report.dt.reset();
  report.qcmd.clear();
  report.dqcmd.clear();
  report.numSensors = 0;
  report.error.clear();
  report.message.clear();
  JsonReader json(text);
  if (json.peek() != JsonReader::Kind::map) json.refuse("a message is a JSON object");
  json.beginMap();
  std::string_view key;
  while (json.nextKey(key)) {
    if (key == "t" && json.peek() == JsonReader::Kind::number) {
      report.t = json.number();
    } else if (key == "dt" && json.peek() == JsonReader::Kind::number) {
      report.dt = json.number();
    } else if (key == "qcmd") {
      json.numbers(report.qcmd, kMaxNumbers);
    } else if (key == "dqcmd") {
      json.numbers(report.dqcmd, kMaxNumbers);
    } else if (key == "error" && json.peek() == JsonReader::Kind::string) {
      report.error = json.string();
    } else if (key == "message" && json.peek() == JsonReader::Kind::string) {
      report.message = json.string();
    } else if (!isReservedKey(key) && json.peek() == JsonReader::Kind::list) {
      if (report.sensors.size() <= report.numSensors) report.sensors.emplace_back();
      RobotReport::Sensor& sensor = report.sensors[report.numSensors++];
      sensor.name = key;
      json.numbers(sensor.values, kMaxNumbers);
    } else {
      json.skip();
    }
  }
  json.end();
  for (const auto* time : {&report.t, &report.dt})
    if (*time && !std::isfinite(**time)) throw Error("a time that is not finite");
}

void appendErrorMessage(std::string& out, std::string_view code, std::string_view message) {
  JsonWriter json(out);
  json.beginMap();
  json.key("error");
  json.string(code);
  json.key("message");
  json.string(message);
  json.endMap();
}

void appendSettingMessage(std::string& out, std::string_view name, const Value& value) {
  JsonWriter json(out);
  json.beginMap();
  json.key("setting");
  json.beginList();
  json.string(name);
  json.value(value);
  json.endList();
  json.endMap();
}

}  // namespace mortise::remote
