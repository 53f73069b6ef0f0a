#pragma once

/// Messages to pages about what can be commanded and changed in a running simulation: controllers with their settings
/// and commands, sensors, motors, and bodies.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/viewer/protocol/server_messages.h"

namespace mortise::viewer::message {

struct CommandedSetting {
  std::string name, value;
  bool changeable = false;
  std::string kind, unit, help;
  FiniteOrNull min, max;
  std::vector<std::string> choices;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Of the setting.");
    b.add("value", value, "As JSON.");
    b.add("changeable", changeable, "It can change while its component runs.");
    b.add("kind", kind, "Of its value: boolean, integer, real, string, list, map or any.");
    b.add("unit", unit, "Of its numbers; empty: none.");
    b.add("help", help, "What it means.");
    b.add("min", min, "Bound; null: none.");
    b.add("max", max, "Bound; null: none.");
    b.add("choices", choices, "The values that it may have; empty: any.");
  }
};

struct KnownCommand {
  std::string name, help;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Of the command.");
    b.add("help", help, "Its arguments, and what it does.");
  }
};

struct CommandedSensor {
  std::string name, kind;
  double rate = 0;
  bool enabled = true;
  std::vector<CommandedSetting> settings;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Of the sensor.");
    b.add("kind", kind, "Its type.");
    b.add("rate", rate, "Measurements in a simulated second (Hz).");
    b.add("enabled", enabled, "It measures.");
    b.add("settings", settings, "Of the sensor.");
  }
};

struct CommandedDriver {
  std::string name, unit;
  int number = 0;
  FiniteOrNull min, max;
  std::vector<int> links;
  std::vector<double> scale, offset;
  double servoP = 0, servoI = 0, servoD = 0;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Of the driver.");
    b.add("unit", unit, "Of its value: rad or m.");
    b.add("number", number, "Its index.");
    b.add("min", min, "Limit; null: none.");
    b.add("max", max, "Limit; null: none.");
    b.add("links", links, "Links that it moves, by index.");
    b.add("scale", scale, "Of each of them, from its value to the link's.");
    b.add("offset", offset, "Of each of them.");
    b.add("servo_p", servoP, "Gain of its servo.");
    b.add("servo_i", servoI, "Gain of its servo.");
    b.add("servo_d", servoD, "Gain of its servo.");
  }
};

struct CommandedRobot {
  std::string name, controller;
  double rate = 0;
  std::vector<CommandedSetting> settings;
  std::vector<KnownCommand> commands;
  std::vector<CommandedSensor> sensors;
  std::vector<CommandedDriver> drivers;
  std::string send;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Of the robot.");
    b.add("controller", controller, "Type of its controller.");
    b.add("rate", rate, "Of the controller (Hz).");
    b.add("settings", settings, "Of the controller.");
    b.add("commands", commands, "Of the controller.");
    b.add("sensors", sensors, "In their order.");
    b.add("drivers", drivers, "In their order.");
    b.add("send", send, "The command that takes a posed configuration; empty: there is none.");
  }
};

struct EditableBody {
  std::string name, kind;
  std::optional<double> mass, friction;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "As edits name it.");
    b.add("kind", kind, "terrain, object, robot or link.");
    b.add("mass", mass, "kg; missing where it has none of its own.");
    b.add("friction", friction, "Of its surface; missing where it has none of its own.");
  }
};

/// Sent at the beginning, and whenever any of it has changed.
struct Controllers {
  static constexpr std::string_view type = "controllers";
  std::vector<CommandedRobot> robots;
  std::vector<EditableBody> bodies;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("robots", robots, "In their order.");
    b.add("bodies", bodies, "By id.");
  }
};

}  // namespace mortise::viewer::message
