#include "mortise/model/link_setting.h"

#include <cmath>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/base/suggest.h"

namespace mortise {

namespace {

/// What links and drivers have in common: names and a number of them.
struct Family {
  std::string_view kind;
  std::vector<std::string> names;
  std::string robot;
};

int fromSetting(const Family& family, const Value& setting, int lowest) {
  const int count = static_cast<int>(family.names.size());
  const std::string kind(family.kind);
  const Value value = setting.isString() ? Value::fromText(setting.asString()) : setting;
  if (value.isNumber()) {
    const double index = value.asReal();
    if (index != std::floor(index) || index < lowest || index >= count)
      throw Error("index " + setting.text() + " is not a " + kind + " of robot '" + family.robot + "'",
                  setting.position(),
                  count == 0 ? "the robot has none" : "indices run from 0 to " + std::to_string(count - 1));
    return static_cast<int>(index);
  }
  if (!setting.isString())
    throw Error("expected the name or index of a " + kind + ", found " + std::string(Value::typeName(setting.type())),
                setting.position());
  const std::string name = setting.asString();
  int found = -1;
  for (int i = 0; i < count; ++i) {
    if (family.names[i] != name) continue;
    if (found >= 0)
      throw Error(kind + "s " + std::to_string(found) + " and " + std::to_string(i) + " of robot '" + family.robot +
                      "' are both called '" + name + "'",
                  setting.position(), "give the index");
    found = i;
  }
  if (found < 0) {
    const std::string near = didYouMean(name, family.names);
    throw Error("robot '" + family.robot + "' has no " + kind + " '" + name + "'", setting.position(),
                near.empty() ? listNames(family.names) : near);
  }
  return found;
}

std::vector<int> listFromSetting(const Family& family, const Value& setting) {
  std::vector<int> found;
  if (setting.isNull()) return found;
  if (setting.isList()) {
    for (const Value& item : setting.items()) found.push_back(fromSetting(family, item, 0));
    return found;
  }
  if (!setting.isString()) return {fromSetting(family, setting, 0)};
  std::istringstream words(setting.asString());
  for (std::string word; words >> word;) {
    Value item = Value::fromText(word);
    item.setPosition(setting.position());
    found.push_back(fromSetting(family, item, 0));
  }
  return found;
}

Family linksOf(const Robot& robot) {
  Family family{"link", {}, robot.name()};
  for (const Link& link : robot.links()) family.names.push_back(link.name);
  return family;
}

Family driversOf(const Robot& robot) {
  Family family{"driver", {}, robot.name()};
  for (const Driver& driver : robot.drivers()) family.names.push_back(driver.name);
  return family;
}

}  // namespace

int linkFromSetting(const Robot& robot, const Value& setting, bool worldToo) {
  return fromSetting(linksOf(robot), setting, worldToo ? -1 : 0);
}
std::vector<int> linksFromSetting(const Robot& robot, const Value& setting) {
  return listFromSetting(linksOf(robot), setting);
}
std::vector<int> driversFromSetting(const Robot& robot, const Value& setting) {
  return listFromSetting(driversOf(robot), setting);
}

}  // namespace mortise
