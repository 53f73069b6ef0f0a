// Timed commands in words, and as records have them.

#include "mortise/json/json_writer.h"
#include "mortise/pipeline/simulate/timed_command.h"

namespace mortise {

namespace {

std::string inOneLine(const Value& value) {
  if (value.isScalar()) return value.isNull() ? "null" : value.text();
  return toJson(value, -1);
}

}  // namespace

std::string TimedCommand::text() const {
  const std::string owner = sensor.empty() ? std::string() : sensor + ".";
  switch (what) {
    case What::setting:
      return owner + name + " = " + inOneLine(value);
    case What::enabled:
      return owner + "enabled = " + inOneLine(value);
    case What::rate:
      return owner + "rate = " + inOneLine(value);
    case What::body:
    case What::edit:
      return name;
    case What::command:
      break;
  }
  std::string all = name;
  if (value.isList())
    for (const Value& item : value.items()) all += " " + inOneLine(item);
  else
    all += " " + inOneLine(value);
  return all;
}

Value recordOf(const TimedCommand& command, const World& world, double time) {
  Value record = Value::map();
  if (command.what == TimedCommand::What::body) record = command.action->record(world);
  if (command.what == TimedCommand::What::edit) record.set("edit", command.edit->record());
  record.set("time", time);
  if (command.action || command.edit) return record;
  record.set("robot", world.robots[command.robot].name);
  if (!command.sensor.empty()) record.set("sensor", command.sensor);
  switch (command.what) {
    case TimedCommand::What::command:
      record.set("command", command.name);
      record.set("arguments", command.value);
      break;
    case TimedCommand::What::setting:
      record.set("setting", command.name);
      record.set("value", command.value);
      break;
    case TimedCommand::What::enabled:
      record.set("enabled", command.value);
      break;
    case TimedCommand::What::rate:
      record.set("rate", command.value);
      break;
    case TimedCommand::What::body:
    case TimedCommand::What::edit:
      break;
  }
  return record;
}

}  // namespace mortise
