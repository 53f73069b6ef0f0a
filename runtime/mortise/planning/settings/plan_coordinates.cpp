#include "mortise/planning/settings/plan_coordinates.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/planning/space/plan_space.h"
#include "mortise/planning/spaces/robot_coordinates.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

using Form = ConfigurationReader::Form;

const WorldRobot& robotOf(const World& world, const Mover& mover) {
  return world.robots[static_cast<std::size_t>(mover.index)];
}

const char* unitOf(const Link& link) { return link.motion == LinkMotion::prismatic ? "m" : "rad"; }

/// "robot 'a'", "robots 'a' and 'b'"; an object moves alone.
std::string movedRobots(const World& world, const std::vector<Mover>& movers) {
  std::string text = movers.size() > 1 ? "robots " : "robot ";
  for (std::size_t i = 0; i < movers.size(); ++i)
    text += (i == 0 ? "'" : i + 1 == movers.size() ? " and '" : ", '") + robotOf(world, movers[i]).name + "'";
  return text;
}

std::vector<Form> objectForms(const World& world, const Mover& mover, bool planar) {
  Form full{
      "position and rotation vector of object '" + world.objects[static_cast<std::size_t>(mover.index)].name + "'", {}},
      planned{"what is planned for", {}};
  int index = 0;
  for (const char* name : {"x", "y", "z", "rx", "ry", "rz"}) {
    full.entries.push_back({name, index < 3 ? "m" : "rad", {{index}}});
    if (planar && (index < 2 || index == 5)) planned.entries.push_back(full.entries.back());
    ++index;
  }
  if (!planar) return {full};
  return {full, planned};
}

/// Adds what is planned for of one robot: numbers of links, or of drivers of several.
void addPlanned(const World& world, const Mover& mover, const PlanSpaceRequest& request, const std::string& prefix,
                Form& form) {
  const WorldRobot& robot = robotOf(world, mover);
  std::vector<int> links;
  const int first = world.linkId(mover.index, 0);
  for (const int id : request.links)
    if (id >= first && id < first + mover.size) links.push_back(id - first);
  if (!request.links.empty() && links.empty())
    throw Error("no link of robot '" + robot.name + "' is planned for", {},
                "name one of its links, or leave the robot out");
  const RobotCoordinates coordinates(robot.robot, robot.q, links, ConfigurationDistanceOptions{}, SampleOptions{});
  for (int c = 0; c < coordinates.dimension(); ++c) {
    const RobotCoordinate& coordinate = coordinates.coordinate(c);
    ConfigurationReader::Entry entry{prefix + coordinate.name, unitOf(robot.robot->link(coordinate.links.front())), {}};
    for (std::size_t k = 0; k < coordinate.links.size(); ++k)
      entry.moves.push_back({mover.first + coordinate.links[k], coordinate.scale[k], coordinate.offset[k]});
    form.entries.push_back(std::move(entry));
  }
}

std::vector<Form> robotForms(const World& world, const std::vector<Mover>& movers, const PlanSpaceRequest& request) {
  Form full{"one a link of " + movedRobots(world, movers), {}}, planned{"what is planned for", {}};
  for (const Mover& mover : movers) {
    const WorldRobot& robot = robotOf(world, mover);
    const std::string prefix = movers.size() > 1 ? robot.name + "/" : "";
    for (int i = 0; i < robot.robot->numLinks(); ++i) {
      const Link& link = robot.robot->link(i);
      full.entries.push_back({prefix + link.name, unitOf(link), {{mover.first + i}}});
    }
    addPlanned(world, mover, request, prefix, planned);
  }
  std::vector<Form> forms = {std::move(full), std::move(planned)};
  if (movers.size() > 1) return forms;
  const ConfigurationReader alone(*robotOf(world, movers.front()).robot);
  for (const Form& form : alone.forms()) forms.push_back(form);
  return forms;
}

/// Returns what a name stands for among several robots, "left/shoulder", or of the only one.
ConfigurationReader::Lookup robotLookup(const World& world, const std::vector<Mover>& movers) {
  return [&world, movers](std::string_view name, const SourcePosition& where) {
    std::vector<std::string> names;
    for (const Mover& mover : movers) {
      const WorldRobot& robot = robotOf(world, mover);
      const std::string prefix = movers.size() > 1 ? robot.name + "/" : "";
      if (name.starts_with(prefix)) {
        std::vector<DrivenCoordinate> found = findCoordinates(*robot.robot, name.substr(prefix.size()), where);
        for (DrivenCoordinate& coordinate : found) coordinate.link += mover.first;
        if (!found.empty()) return found;
      }
      for (const std::string& own : coordinateNames(*robot.robot)) names.push_back(prefix + own);
    }
    throw Error("nothing that moves is called '" + std::string(name) + "'", where, suggestFrom(name, names));
  };
}

ConfigurationReader::Lookup objectLookup() {
  return [](std::string_view name, const SourcePosition& where) {
    const std::vector<std::string> names = {"x", "y", "z", "rx", "ry", "rz"};
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw Error("nothing that moves is called '" + std::string(name) + "'", where, listNames(names));
    return std::vector<DrivenCoordinate>{{static_cast<int>(found - names.begin())}};
  };
}

ConfigurationReader readerOf(const World& world, const PlanSpaceRequest& request) {
  const std::vector<Mover> movers = planMovers(world, request);
  if (movers.size() == 1 && movers.front().kind == Mover::Kind::object)
    return ConfigurationReader(objectForms(world, movers.front(), request.planar), objectLookup());
  ConfigurationReader reader(robotForms(world, movers, request), robotLookup(world, movers));
  std::vector<ConfigurationReader::RobotPart> parts;
  for (const Mover& mover : movers) {
    const WorldRobot& robot = robotOf(world, mover);
    std::shared_ptr<const ConfigurationReader> own;
    if (movers.size() > 1) own = std::make_shared<const ConfigurationReader>(*robot.robot);
    parts.push_back({robot.name, mover.first, std::move(own)});
  }
  reader.setRobots(std::move(parts));
  return reader;
}

}  // namespace

PlanCoordinates::PlanCoordinates(const World& world, const PlanSpaceRequest& request)
    : reader_(readerOf(world, request)) {}

VectorXd numbersByName(const Value& value, const PlanCoordinates& coordinates, double rest) {
  const int n = coordinates.fullSize();
  VectorXd numbers = VectorXd::Constant(n, rest);
  const auto set = [&](int i, const Value& number) {
    if (!number.isNumber() || !(number.asReal() >= 0) || !std::isfinite(number.asReal()))
      throw Error("expected a number of at least 0", number.position());
    numbers[i] = number.asReal();
  };
  if (value.isMap()) {
    for (const Value::Entry& entry : value.entries())
      for (const DrivenCoordinate& number : coordinates.reader().find(entry.key, entry.keyPosition))
        set(number.link, entry.value);
    return numbers;
  }
  if (!value.isList() || static_cast<int>(value.size()) != n)
    throw Error("expected " + std::to_string(n) + " numbers, or a map by link, found " +
                    (value.isList() ? std::to_string(value.size()) : std::string(Value::typeName(value.type()))),
                value.position(), "write {shoulder: 2}");
  for (int i = 0; i < n; ++i) set(i, value[static_cast<std::size_t>(i)]);
  return numbers;
}

}  // namespace mortise
