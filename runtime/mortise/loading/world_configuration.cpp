#include "mortise/loading/world_configuration.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/robot_reference.h"

namespace mortise {

namespace {

Value nameValue(const Value::Entry& entry) { return Value::fromText(entry.key).setPosition(entry.keyPosition); }

}  // namespace

std::string outsideOfLimits(const WorldRobot& robot, const std::string& does) {
  constexpr int kListed = 8;
  std::string text;
  int count = 0;
  for (int i = 0; i < robot.robot->numLinks(); ++i) {
    const Link& link = robot.robot->link(i);
    const double q = robot.q[i], slack = 1e-9 * std::max(1.0, std::abs(q));
    if (q >= link.qMin - slack && q <= link.qMax + slack) continue;
    if (++count > kListed) continue;
    text += (count > 1 ? ", '" : "'") + link.name + "' at " + formatReal(q) + ", not in " + formatReal(link.qMin) +
            " to " + formatReal(link.qMax);
  }
  if (count == 0) return {};
  if (count > kListed) text += " and " + std::to_string(count - kListed) + " more";
  return "robot '" + robot.name + "' " + does + " outside of its joint limits: " + text;
}

void warnOfStarts(const World& world, Diagnostics& diagnostics) {
  for (const WorldRobot& robot : world.robots) {
    const std::string outside = outsideOfLimits(robot);
    const bool said = std::any_of(diagnostics.all().begin(), diagnostics.all().end(),
                                  [&](const Diagnostic& earlier) { return earlier.message == outside; });
    if (!outside.empty() && !said)
      diagnostics.warning(outside, robot.position.known() ? robot.position : inFile(world.file),
                          "change its 'config' in the world's file, or give another start with 'config'");
  }
}

void setConfiguration(World& world, int robot, const Value& value, const ConfigurationFiles& files,
                      Diagnostics& diagnostics) {
  WorldRobot& moved = world.robots[static_cast<std::size_t>(robot)];
  ConfigurationReader reader(*moved.robot);
  reader.setRobots({{moved.name}});
  moved.q = reader.read(value, moved.q, files);
  if (const std::string outside = outsideOfLimits(moved); !outside.empty())
    diagnostics.warning(outside, value.position(),
                        "choose a configuration within the limits; angles without a unit are in rad");
}

bool isByRobot(const World& world, const Value& value) {
  std::vector<std::string> names;
  for (const WorldRobot& robot : world.robots) names.push_back(robot.name);
  return isByRobot(value, names);
}

void setConfigurations(World& world, const Value& value, const ConfigurationFiles& files, Diagnostics& diagnostics) {
  if (isByRobot(world, value)) {
    for (const Value::Entry& entry : value.entries()) {
      int robot = 0;
      try {
        robot = findRobot(world, nameValue(entry));
      } catch (const Error& error) {
        throw Error(error.message(), entry.keyPosition, error.hint());
      }
      if (entry.value.isNull())
        throw Error("robot '" + entry.key + "' is named, but given no configuration", entry.keyPosition,
                    "write {" + entry.key + ": [0, 90 deg]}, or leave it out");
      setConfiguration(world, robot, entry.value, files, diagnostics);
    }
    return;
  }
  if (world.robots.empty()) throw Error("the world has no robots", value.position());
  if (world.robots.size() == 1) return setConfiguration(world, 0, value, files, diagnostics);
  const std::string form = "write {" + world.robots[0].name + ": ..., " + world.robots[1].name + ": ...}";
  if (!value.isList() || isNumberList(value))
    throw Error("of which of the " + std::to_string(world.robots.size()) + " robots is this configuration?",
                value.position(), form);
  if (value.size() > world.robots.size())
    throw Error(std::to_string(value.size()) + " configurations are given, but the world has " +
                    std::to_string(world.robots.size()) + " robots",
                value.position(), form);
  for (std::size_t i = 0; i < value.size(); ++i)
    if (!value[i].isNull()) setConfiguration(world, static_cast<int>(i), value[i], files, diagnostics);
}

}  // namespace mortise
