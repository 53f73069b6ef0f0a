#include "mortise/pipeline/record/recordable.h"

#include "mortise/loading/robot_reference.h"
#include "mortise/pipeline/file/pipeline.h"

namespace mortise {

std::vector<std::string> recordableNames(StageContext& context) {
  const World& world = context.world();
  std::vector<std::string> names = {"robots", "objects", "contacts", "wrenches", "sensors"};
  for (const WorldRobot& robot : world.robots) names.push_back(robot.name);
  for (const RigidObject& object : world.objects) names.push_back(object.name);
  // By its name alone, and as robot/name.
  const auto add = [&](const WorldRobot& robot, const Value* name, const std::string& type) {
    const std::string own = name != nullptr && !name->isNull() && !name->text().empty() ? name->text() : type;
    names.push_back(own);
    names.push_back(robot.name + "/" + own);
  };
  for (const WorldRobot& robot : world.robots) {
    if (const Value& sensors = robot.robot->description().sensors; sensors.isList())
      for (const Value& sensor : sensors.items()) add(robot, sensor.find("name"), sensor.string("type", ""));
    add(robot, nullptr, "q");
    add(robot, nullptr, "dq");
  }
  for (const auto& [robot, request] : world.simulation.sensors)
    if (robot >= 0 && robot < static_cast<int>(world.robots.size()))
      add(world.robots[static_cast<std::size_t>(robot)],
          request.settings.isMap() ? request.settings.find("name") : nullptr, request.type);
  for (const Value& entry : context.pipeline().at("components").items()) {
    const Value* type = entry.find("sensor");
    if (type == nullptr) continue;
    try {
      add(world.robots[static_cast<std::size_t>(findRobot(world, entry.at("robot")))], entry.find("name"),
          type->text());
    } catch (const Error&) {
      // Which robot it is for was reported already.
    }
  }
  return names;
}

}  // namespace mortise
