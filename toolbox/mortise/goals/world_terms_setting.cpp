#include "mortise/goals/world_terms_setting.h"

#include <algorithm>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/overloaded.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/goals/terms_setting.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

int robotNamed(const World& world, const Value& setting) {
  std::vector<std::string> names;
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    names.push_back(world.robots[r].name);
    if (setting.text() == names.back()) return static_cast<int>(r);
  }
  if (setting.isInteger() && setting.asInteger() >= 0 && setting.asInteger() < static_cast<std::int64_t>(names.size()))
    return static_cast<int>(setting.asInteger());
  throw Error("there is no robot '" + setting.text() + "'", setting.position(), suggestFrom(setting.text(), names));
}

int objectNamed(const World& world, const std::string& name) {
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    if (world.objects[i].name == name) return static_cast<int>(i);
  return -1;
}

/// -1: nothing of the robot is called so.
int linkNamed(const Robot& robot, const Value& setting) {
  const std::vector<std::string> names = coordinateNames(robot);
  if (std::find(names.begin(), names.end(), setting.text()) == names.end()) return -1;
  return linkFromSetting(robot, setting);
}

[[noreturn]] void failUnknown(const World& world, const Value& setting) {
  std::vector<std::string> names;
  for (const WorldRobot& robot : world.robots) {
    names.push_back(robot.name);
    for (const std::string& link : coordinateNames(*robot.robot)) names.push_back(robot.name + ":" + link);
  }
  for (const RigidObject& object : world.objects) names.push_back(object.name);
  throw Error("nothing in the world is called '" + setting.text() + "'", setting.position(),
              suggestFrom(setting.text(), names));
}

/// "robot:link" or "robot/link"; robots' and links' names may have such signs themselves.
WorldPart partOfRobot(const World& world, const Value& setting) {
  const std::string text = setting.text();
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const std::string& name = world.robots[r].name;
    if (!text.starts_with(name)) continue;
    if (text.size() == name.size()) return {static_cast<int>(r), -1, -1};
    if (text[name.size()] != ':' && text[name.size()] != '/') continue;
    const Value link = Value::fromText(text.substr(name.size() + 1)).setPosition(setting.position());
    return {static_cast<int>(r), -1, linkFromSetting(*world.robots[r].robot, link)};
  }
  return {};
}

class TermReader {
 public:
  TermReader(const IKWorld& world, ResourceLoader& loader, Diagnostics& diagnostics)
      : full_(world), world_(world.world()), loader_(loader), diagnostics_(diagnostics) {}

  void read(const Value& value, int robot) {
    if (value.isList()) {
      for (const Value& item : value.items()) read(item, robot);
    } else if (value.isMap()) {
      readMap(value, robot);
    } else {
      readFileOrFail(value, robot);
    }
  }

  std::vector<IKTerm> terms;

 private:
  /// Goals of a file of Klamp't's are of one robot; others say themselves what they are of.
  void readFileOrFail(const Value& value, int robot) {
    if (value.isString()) {
      std::string path;
      const Value content = ikGoalFileContent(value, loader_, {}, path);
      if (!content.isNull()) return read(content, robot);
    }
    addOf(robotOf(robot, value), value);
  }

  int robotOf(int robot, const Value& value) const {
    if (robot >= 0) return robot;
    if (world_.robots.size() == 1) return 0;
    if (world_.robots.empty()) throw Error("there is no robot that this goal could be of", value.position());
    throw Error("of which of the " + std::to_string(world_.robots.size()) + " robots is this goal?", value.position(),
                "add 'robot: " + world_.robots[0].name +
                    "'; a file of goals goes into {robot: " + world_.robots[0].name + ", goals: FILE}");
  }

  /// Adds goals of one robot alone, its links moved to where they are in the whole.
  void addOf(int robot, const Value& value) {
    const auto index = static_cast<std::size_t>(robot);
    for (IKTerm& term : ikTermsFromSetting(value, *world_.robots[index].robot, loader_, diagnostics_)) {
      shift(term, robot);
      terms.push_back(std::move(term));
    }
  }

  void shift(IKTerm& term, int robot) const {
    const int first = full_.link(robot, 0);
    if (const auto* center = std::get_if<CenterOfMassGoal>(&term.goal)) {
      term.goal = full_.centerOfMass(robot, *center);
      return;
    }
    const auto move = [&](auto& goal) {
      goal.link += first;
      if (goal.destination >= 0) goal.destination += first;
    };
    std::visit(Overloaded{[&](IKGoal& goal) { move(goal); }, [&](LookAtGoal& goal) { move(goal); },
                          [&](DistanceGoal& goal) { move(goal); }, [&](CoordinateGoal& goal) { goal.link += first; },
                          [](CenterOfMassGoal&) {}, [](FunctionGoal&) {}},
               term.goal);
  }

  int fullLink(const WorldPart& part, const Value& setting) const {
    if (part.object >= 0) return full_.objectLink(part.object);
    if (part.link < 0)
      throw Error("'" + setting.text() + "' is a whole robot, and a goal needs one of its links", setting.position(),
                  "write {robot: " + world_.robots[static_cast<std::size_t>(part.robot)].name + ", link: NAME}");
    return full_.link(part.robot, part.link);
  }

  void readMap(const Value& map, int robot) {
    Value rest = map;
    if (const Value* given = map.find("robot")) {
      robot = robotNamed(world_, *given);
      rest.erase("robot");
    }
    if (const Value* goals = map.find("goals")) {
      for (const Value::Entry& entry : map.entries())
        if (entry.key != "goals" && entry.key != "robot")
          throw Error("'" + entry.key + "' does not go with 'goals'", entry.keyPosition, "write it into each goal");
      return read(*goals, robot);
    }
    const Value* link = map.find("link");
    if (link == nullptr) return addOf(robotOf(robot, map), rest);
    const WorldPart part = worldPartFromSetting(*link, world_, robot);
    const int placed = fullLink(part, *link);
    int destination = -1;
    for (const char* key : {"destination", "destLink"})
      if (const Value* given = map.find(key)) {
        if (!given->isNull() && given->text() != "world" && given->text() != "-1")
          destination = fullLink(worldPartFromSetting(*given, world_, part.robot), *given);
        rest.erase(key);
      }
    rest.set("link", std::int64_t{placed}).setPosition(link->position());
    for (IKTerm& term : ikTermsFromSetting(rest, *full_.robot(), loader_, diagnostics_)) {
      std::visit(Overloaded{[&](IKGoal& goal) { goal.destination = destination; },
                            [&](LookAtGoal& goal) { goal.destination = destination; },
                            [&](DistanceGoal& goal) { goal.destination = destination; }, [](auto&) {}},
                 term.goal);
      terms.push_back(std::move(term));
    }
  }

  const IKWorld& full_;
  const World& world_;
  ResourceLoader& loader_;
  Diagnostics& diagnostics_;
};

}  // namespace

WorldPart worldPartFromSetting(const Value& setting, const World& world, int robot) {
  if (setting.isMap()) {
    for (const Value::Entry& entry : setting.entries())
      if (entry.key != "robot" && entry.key != "link" && entry.key != "object")
        throw Error("unknown key '" + entry.key + "' in what a goal is relative to", entry.keyPosition,
                    "write {robot: NAME, link: NAME} or {object: NAME}");
    if (const Value* object = setting.find("object")) {
      const int index = objectNamed(world, object->text());
      if (index < 0) failUnknown(world, *object);
      return {-1, index, -1};
    }
    const Value* name = setting.find("robot");
    if (name == nullptr) return worldPartFromSetting(setting.at("link"), world, robot);
    const int own = robotNamed(world, *name);
    const Value* link = setting.find("link");
    return {own, -1, link == nullptr ? -1 : linkFromSetting(*world.robots[static_cast<std::size_t>(own)].robot, *link)};
  }
  if (robot < 0 && world.robots.size() == 1) robot = 0;
  if (robot >= 0) {
    const Robot& own = *world.robots[static_cast<std::size_t>(robot)].robot;
    if (setting.isInteger()) return {robot, -1, linkFromSetting(own, setting)};
    if (const int link = linkNamed(own, setting); link >= 0) return {robot, -1, link};
  }
  if (const int object = objectNamed(world, setting.text()); object >= 0) return {-1, object, -1};
  if (const WorldPart part = partOfRobot(world, setting); part.robot >= 0) return part;
  if (setting.isInteger())
    throw Error("of which robot is link " + setting.text() + "?", setting.position(), "add 'robot: NAME'");
  WorldPart found;
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const int link = linkNamed(*world.robots[r].robot, setting);
    if (link < 0) continue;
    if (found.robot >= 0)
      throw Error("several robots have a link '" + setting.text() + "'", setting.position(),
                  "write " + world.robots[static_cast<std::size_t>(found.robot)].name + ":" + setting.text() + " or " +
                      world.robots[r].name + ":" + setting.text());
    found = {static_cast<int>(r), -1, link};
  }
  if (found.robot < 0) failUnknown(world, setting);
  return found;
}

std::vector<IKTerm> worldIKTermsFromSetting(const Value& value, const IKWorld& world, int robot, ResourceLoader& loader,
                                            Diagnostics& diagnostics) {
  TermReader reader(world, loader, diagnostics);
  reader.read(value, robot);
  return std::move(reader.terms);
}

std::vector<int> worldIKActive(const IKWorld& world, const std::vector<IKTerm>& terms) {
  std::vector<int> links;
  const auto append = [&](const std::vector<int>& more) { links.insert(links.end(), more.begin(), more.end()); };
  for (std::size_t r = 0; r < world.world().robots.size(); ++r) append(world.linksOfRobot(static_cast<int>(r)));
  for (std::size_t i = 0; i < world.world().objects.size(); ++i) {
    const int carrier = world.objectLink(static_cast<int>(i));
    const bool placed = std::any_of(terms.begin(), terms.end(), [&](const IKTerm& term) {
      return std::visit(
          Overloaded{[&](const IKGoal& goal) { return goal.link == carrier; },
                     [&](const LookAtGoal& goal) { return goal.link == carrier; },
                     [&](const DistanceGoal& goal) { return goal.link == carrier; }, [](const auto&) { return false; }},
          term.goal);
    });
    if (placed) append(world.linksOfObject(static_cast<int>(i)));
  }
  return links;
}

std::vector<int> worldIKActive(const IKWorld& world, const std::vector<std::string>& names, int robot) {
  std::vector<int> links;
  for (const std::string& name : names) {
    const WorldPart part = worldPartFromSetting(Value::fromText(name), world.world(), robot);
    const std::vector<int> more = part.object >= 0 ? world.linksOfObject(part.object)
                                  : part.link >= 0 ? std::vector<int>{world.link(part.robot, part.link)}
                                                   : world.linksOfRobot(part.robot);
    links.insert(links.end(), more.begin(), more.end());
  }
  return links;
}

std::vector<int> movedLinks(const Robot& robot, const std::vector<int>& active, const std::vector<IKTerm>& terms,
                            bool limits) {
  std::vector<char> moved(static_cast<std::size_t>(robot.numLinks()), 0);
  const std::vector<IKVariable> all = ikVariables(robot, limits);
  for (const int v : relevantVariables(robot, all, terms))
    for (const DrivenCoordinate& move : all[static_cast<std::size_t>(v)].moves)
      if (active.empty() || std::find(active.begin(), active.end(), move.link) != active.end())
        moved[static_cast<std::size_t>(move.link)] = 1;
  std::vector<int> links;
  for (int l = 0; l < robot.numLinks(); ++l) {
    const int parent = robot.link(l).parent;
    if (parent >= 0 && moved[static_cast<std::size_t>(parent)] != 0) moved[static_cast<std::size_t>(l)] = 1;
    if (moved[static_cast<std::size_t>(l)] != 0) links.push_back(l);
  }
  return links;
}

}  // namespace mortise
