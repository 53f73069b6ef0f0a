#include "mortise/planning/settings/plan_parsing.h"

#include <algorithm>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// "robot/link" and "robot[link]" in their two parts; the second is empty where there is none.
std::pair<std::string, std::string> splitLink(const std::string& text) {
  if (const std::size_t slash = text.rfind('/'); slash != std::string::npos)
    return {text.substr(0, slash), text.substr(slash + 1)};
  const std::size_t bracket = text.find('[');
  if (bracket != std::string::npos && text.size() > bracket + 2 && text.back() == ']')
    return {text.substr(0, bracket), text.substr(bracket + 1, text.size() - bracket - 2)};
  return {text, {}};
}

Value textAt(const std::string& text, const SourcePosition& where) {
  Value value = Value::fromText(text);
  value.setPosition(where);
  return value;
}

/// The links that one name or index stands for; a name may hold blanks.
std::vector<int> linksNamed(const Robot& robot, const Value& name) {
  Value list = Value::list();
  list.push_back(name);
  return linksFromSetting(robot, list);
}

bool knows(const Robot& robot, const Value& name) {
  return name.isString() && !findCoordinates(robot, name.asString(), name.position()).empty();
}

}  // namespace

int robotNamed(const World& world, const std::string& name, const SourcePosition& where) {
  try {
    return findRobot(world, textAt(name, where));
  } catch (const Error& error) {
    throw Error(error.message(), where, error.hint());
  }
}

std::vector<int> idsOf(const World& world, const Value& value, int robot) {
  if (value.isInteger()) {
    const std::int64_t id = value.asInteger();
    if (id < 0 || id >= world.numIds())
      throw Error("there is no id " + value.text() + " in the world", value.position(),
                  "ids run from 0 to " + std::to_string(world.numIds() - 1) + "; `mortise world info` lists them");
    const World::Entity entity = world.entity(static_cast<int>(id));
    if (entity.kind != World::Kind::robot) return {static_cast<int>(id)};
    std::vector<int> links;
    for (int i = 0; i < world.robots[static_cast<std::size_t>(entity.index)].robot->numLinks(); ++i)
      links.push_back(world.linkId(entity.index, i));
    return links;
  }
  if (!value.isString())
    throw Error("expected a name or an id, found " + std::string(Value::typeName(value.type())), value.position());
  const std::string& name = value.asString();
  std::vector<std::string> names;
  std::vector<std::vector<int>> matches;
  const auto offer = [&](const std::string& own, std::vector<int> ids) {
    names.push_back(own);
    if (own == name) matches.push_back(std::move(ids));
  };
  for (std::size_t i = 0; i < world.terrains.size(); ++i)
    offer(world.terrains[i].name, {world.terrainId(static_cast<int>(i))});
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    offer(world.objects[i].name, {world.objectId(static_cast<int>(i))});
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const Robot& model = *world.robots[r].robot;
    std::vector<int> links;
    for (int i = 0; i < model.numLinks(); ++i) links.push_back(world.linkId(static_cast<int>(r), i));
    offer(world.robots[r].name, links);
  }
  if (robot >= 0) {
    const Robot& model = *world.robots[static_cast<std::size_t>(robot)].robot;
    for (int i = 0; i < model.numLinks(); ++i) offer(model.link(i).name, {world.linkId(robot, i)});
  }
  if (matches.size() == 1) return matches.front();
  const auto linkIds = [&](int index, const Value& link) {
    std::vector<int> ids;
    for (const int i : linksNamed(*world.robots[static_cast<std::size_t>(index)].robot, link))
      ids.push_back(world.linkId(index, i));
    return ids;
  };
  if (matches.empty() && robot >= 0 && knows(*world.robots[static_cast<std::size_t>(robot)].robot, value))
    return linkIds(robot, value);  // The name of its joint or driver.
  if (matches.size() > 1) {
    std::string ids;
    for (const std::vector<int>& match : matches)
      if (!match.empty()) ids += (ids.empty() ? "" : ", ") + std::to_string(match.front());
    throw Error("several things in the world are called '" + name + "'", value.position(), "use one of the ids " + ids);
  }
  const auto [owner, link] = splitLink(name);
  if (!link.empty()) {
    const int index = robotNamed(world, owner, value.position());
    return linkIds(index, textAt(link, value.position()));
  }
  throw Error("nothing in the world is called '" + name + "'", value.position(), suggestFrom(name, names));
}

std::vector<int> planLinks(const World& world, const std::vector<int>& robots, const Value& value) {
  std::vector<int> ids;
  const auto add = [&](int robot, const std::vector<int>& links) {
    for (const int link : links) ids.push_back(world.linkId(robot, link));
  };
  const auto planned = [&](const std::string& name, const SourcePosition& where) {
    const int robot = robotNamed(world, name, where);
    if (std::find(robots.begin(), robots.end(), robot) == robots.end())
      throw Error("robot '" + name + "' is not planned for", where, "name it in 'robots'");
    return robot;
  };
  const auto model = [&](int robot) -> const Robot& { return *world.robots[static_cast<std::size_t>(robot)].robot; };
  if (value.isNull()) return ids;
  if (value.isMap()) {
    for (const Value::Entry& entry : value.entries()) {
      const int robot = planned(entry.key, entry.keyPosition);
      add(robot, linksFromSetting(model(robot), entry.value));
    }
    return ids;
  }
  std::vector<Value> items;
  if (value.isList()) items = value.items();
  if (value.isString()) {
    std::string word;
    for (const char c : value.asString() + " ") {
      if (c != ' ' && c != ',') {
        word += c;
      } else if (!word.empty()) {
        items.push_back(textAt(word, value.position()));
        word.clear();
      }
    }
    // Names may hold blanks.
    if (robots.size() == 1 && knows(model(robots.front()), value)) items.assign(1, value);
  } else if (value.isScalar()) {
    items.push_back(value);
  }
  for (const Value& item : items) {
    const auto [owner, link] = item.isString() ? splitLink(item.asString()) : std::pair<std::string, std::string>();
    const bool own = robots.size() == 1 && (link.empty() || knows(model(robots.front()), item));
    if (own) {
      add(robots.front(), linksNamed(model(robots.front()), item));
    } else if (!link.empty()) {
      const int robot = planned(owner, item.position());
      add(robot, linksNamed(model(robot), textAt(link, item.position())));
    } else {
      throw Error("missing the robot of link " + (item.isScalar() ? "'" + item.text() + "'" : "this"), item.position(),
                  "write robot/link, or a map by robot: {left: [wrist], right: [0, 1]}");
    }
  }
  return ids;
}

}  // namespace mortise
