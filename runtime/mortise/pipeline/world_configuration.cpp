#include "mortise/pipeline/world_configuration.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/pipeline/pipeline.h"

namespace mortise {

namespace {

Value nameValue(const Value::Entry& entry) { return Value::fromText(entry.key).setPosition(entry.keyPosition); }

}  // namespace

void setConfiguration(World& world, int robot, const Value& value, const ConfigurationFiles& files) {
  WorldRobot& moved = world.robots[static_cast<std::size_t>(robot)];
  moved.q = ConfigurationReader(*moved.robot).read(value, moved.q, files);
}

bool isByRobot(const World& world, const Value& value) {
  if (!value.isMap() || value.size() == 0) return false;
  return std::all_of(value.entries().begin(), value.entries().end(), [&](const Value::Entry& entry) {
    const bool named = std::any_of(world.robots.begin(), world.robots.end(),
                                   [&](const WorldRobot& robot) { return robot.name == entry.key; });
    const bool place = !entry.value.isNull() && !isQuantity(entry.value);
    return place && (named || (world.robots.size() > 1 && Value::fromText(entry.key).isInteger()));
  });
}

void setConfigurations(World& world, const Value& value, const ConfigurationFiles& files) {
  if (isByRobot(world, value)) {
    for (const Value::Entry& entry : value.entries()) {
      int robot = 0;
      try {
        robot = findRobot(world, nameValue(entry));
      } catch (const Error& error) {
        throw Error(error.message(), entry.keyPosition, error.hint());
      }
      setConfiguration(world, robot, entry.value, files);
    }
    return;
  }
  if (world.robots.empty()) throw Error("the world has no robots", value.position());
  if (world.robots.size() == 1) return setConfiguration(world, 0, value, files);
  const std::string form = "write {" + world.robots[0].name + ": ..., " + world.robots[1].name + ": ...}";
  if (!value.isList() || isNumberList(value))
    throw Error("of which of the " + std::to_string(world.robots.size()) + " robots is this configuration?",
                value.position(), form);
  if (value.size() > world.robots.size())
    throw Error(std::to_string(value.size()) + " configurations are given, but the world has " +
                    std::to_string(world.robots.size()) + " robots",
                value.position(), form);
  for (std::size_t i = 0; i < value.size(); ++i)
    if (!value[i].isNull()) setConfiguration(world, static_cast<int>(i), value[i], files);
}

}  // namespace mortise
