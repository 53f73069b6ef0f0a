#include "mortise/configuration/link_setting.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/modeling/joint_names.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// Something of a robot that has the name that was asked for.
struct Meaning {
  enum class Kind { link, joint, driver } kind = Kind::link;
  int index = 0;  ///< Index of the link, the link below the joint, or the driver.
};

std::vector<Meaning> meaningsOf(const Robot& robot, std::string_view name) {
  std::vector<Meaning> found;
  for (int i = 0; i < robot.numLinks(); ++i)
    if (robot.link(i).name == name) found.push_back({Meaning::Kind::link, i});
  const std::vector<std::string> joints = jointNames(robot.description());
  for (int i = 0; i < robot.numLinks(); ++i)
    if (!name.empty() && joints[static_cast<std::size_t>(i)] == name) found.push_back({Meaning::Kind::joint, i});
  for (int d = 0; d < robot.numDrivers(); ++d)
    if (robot.driver(d).name == name) found.push_back({Meaning::Kind::driver, d});
  return found;
}

std::string describe(const Robot& robot, const Meaning& meaning) {
  const std::string index = std::to_string(meaning.index);
  switch (meaning.kind) {
    case Meaning::Kind::link:
      return "link " + index;
    case Meaning::Kind::joint:
      return "the joint of link " + index + " '" + robot.link(meaning.index).name + "'";
    case Meaning::Kind::driver:
      break;
  }
  std::string links;
  for (const int link : robot.driver(meaning.index).links) links += (links.empty() ? "" : ", ") + std::to_string(link);
  return "driver " + index + " (of " + (robot.driver(meaning.index).links.size() == 1 ? "link " : "links ") + links +
         ")";
}

Error ambiguous(const Robot& robot, std::string_view name, std::vector<Meaning> meanings, const SourcePosition& where) {
  // A driver of a link that is listed says nothing more.
  const std::vector<Meaning> all = meanings;
  std::erase_if(meanings, [&](const Meaning& meaning) {
    return meaning.kind == Meaning::Kind::driver && std::any_of(all.begin(), all.end(), [&](const Meaning& other) {
             return other.kind != Meaning::Kind::driver &&
                    robot.driver(meaning.index).links == std::vector<int>{other.index};
           });
  });
  std::string list;
  for (std::size_t i = 0; i < meanings.size(); ++i)
    list += (i == 0 ? "" : i + 1 == meanings.size() ? " or " : ", ") + describe(robot, meanings[i]);
  return Error("'" + std::string(name) + "' means several things in robot '" + robot.name() + "': " + list, where,
               "give the index");
}

Error unknown(const Robot& robot, std::string_view kind, std::string_view name, const std::vector<std::string>& own,
              const SourcePosition& where) {
  const std::string near = didYouMean(name, coordinateNames(robot));
  return Error("robot '" + robot.name() + "' has no " + std::string(kind) + " '" + std::string(name) + "'", where,
               near.empty() ? listNames(own) : near);
}

std::vector<std::string> linkNames(const Robot& robot) {
  std::vector<std::string> names;
  for (const Link& link : robot.links()) names.push_back(link.name);
  return names;
}

std::vector<std::string> driverNames(const Robot& robot) {
  std::vector<std::string> names;
  for (const Driver& driver : robot.drivers()) names.push_back(driver.name);
  return names;
}

bool moves(const Robot& robot, int driver, int link) {
  const std::vector<int>& links = robot.driver(driver).links;
  return std::find(links.begin(), links.end(), link) != links.end();
}

/// The links that a name stands for: one, or those of a driver. Empty: none.
std::vector<int> linksCalled(const Robot& robot, std::string_view name, const SourcePosition& where) {
  const std::vector<Meaning> meanings = meaningsOf(robot, name);
  std::vector<int> found;
  for (const Meaning& meaning : meanings) {
    std::vector<int> links = {meaning.index};
    if (meaning.kind == Meaning::Kind::driver) {
      // A driver that has the name of a link it moves adds nothing.
      if (found.size() == 1 && moves(robot, meaning.index, found.front())) continue;
      links = robot.driver(meaning.index).links;
    }
    if (!found.empty() && links != found) throw ambiguous(robot, name, meanings, where);
    found = std::move(links);
  }
  return found;
}

/// A number from `lowest` to below `count`, where the setting is one; nothing where it is a name.
bool isIndex(const Robot& robot, const std::string& kind, const Value& setting, int lowest, int count, int& index) {
  const Value value = setting.isString() ? Value::fromText(setting.asString()) : setting;
  if (value.isNumber()) {
    const double number = value.asReal();
    if (number != std::floor(number) || number < lowest || number >= count)
      throw Error("index " + setting.text() + " is not a " + kind + " of robot '" + robot.name() + "'",
                  setting.position(),
                  count == 0 ? "the robot has none" : "indices run from 0 to " + std::to_string(count - 1));
    index = static_cast<int>(number);
    return true;
  }
  if (!setting.isString())
    throw Error("expected the name or index of a " + kind + ", found " + std::string(Value::typeName(setting.type())),
                setting.position());
  return false;
}

std::vector<int> someLinks(const Robot& robot, const Value& setting, int lowest) {
  int index = 0;
  if (isIndex(robot, "link", setting, lowest, robot.numLinks(), index)) return {index};
  const std::string name = setting.asString();
  std::vector<int> links = linksCalled(robot, name, setting.position());
  if (links.empty()) throw unknown(robot, "link", name, linkNames(robot), setting.position());
  return links;
}

int driverFromSetting(const Robot& robot, const Value& setting) {
  int index = 0;
  if (isIndex(robot, "driver", setting, 0, robot.numDrivers(), index)) return index;
  const std::string name = setting.asString();
  const std::vector<Meaning> meanings = meaningsOf(robot, name);
  int found = -1;
  bool still = false;
  for (const Meaning& meaning : meanings) {
    const bool own = meaning.kind == Meaning::Kind::driver;
    const int driver = own ? meaning.index : robot.driverOfLink(meaning.index);
    still = still || driver < 0;
    if (driver < 0) continue;
    if (found >= 0 && found != driver) throw ambiguous(robot, name, meanings, setting.position());
    found = driver;
  }
  if (found < 0 && still)
    throw Error(
        "no driver moves link '" + robot.link(meanings.front().index).name + "' of robot '" + robot.name() + "'",
        setting.position(), listNames(driverNames(robot)));
  if (found < 0) throw unknown(robot, "driver", name, driverNames(robot), setting.position());
  return found;
}

template <typename Read>
std::vector<int> listFromSetting(const Value& setting, const Read& read) {
  std::vector<int> found;
  const auto add = [&](const Value& item) {
    for (const int index : read(item)) found.push_back(index);
  };
  if (setting.isNull()) return found;
  if (setting.isList()) {
    for (const Value& item : setting.items()) add(item);
  } else if (setting.isString()) {
    std::istringstream words(setting.asString());
    for (std::string word; words >> word;) add(Value::fromText(word).setPosition(setting.position()));
  } else {
    add(setting);
  }
  return found;
}

}  // namespace

std::vector<std::string> coordinateNames(const Robot& robot) {
  std::vector<std::string> names = linkNames(robot);
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& joint : jointNames(robot.description())) add(joint);
  for (const Driver& driver : robot.drivers()) add(driver.name);
  return names;
}

std::vector<DrivenCoordinate> findCoordinates(const Robot& robot, std::string_view name, const SourcePosition& where) {
  const std::vector<int> links = linksCalled(robot, name, where);
  if (links.empty()) return {};
  const auto ofDriver = [&](const Driver& driver) {
    std::vector<DrivenCoordinate> found;
    for (std::size_t k = 0; k < driver.links.size(); ++k)
      found.push_back({driver.links[k], driver.scale[k], driver.offset[k]});
    return found;
  };
  const Meaning meaning = meaningsOf(robot, name).front();  // Links and joints come first.
  if (meaning.kind == Meaning::Kind::driver) {
    const Driver& driver = robot.driver(meaning.index);
    if (driver.type == DriverType::affine) return ofDriver(driver);
    if (driver.type != DriverType::normal) return {};
  } else if (const int d = robot.driverOfLink(links.front()); d >= 0) {
    const Driver& driver = robot.driver(d);
    const auto at = std::find(driver.links.begin(), driver.links.end(), links.front());
    const auto k = static_cast<std::size_t>(at - driver.links.begin());
    const bool leads = driver.type == DriverType::affine && driver.name == robot.link(links.front()).name &&
                       k < driver.scale.size() && driver.scale[k] == 1 && driver.offset[k] == 0;
    if (leads) return ofDriver(driver);
  }
  return {{links.front()}};
}

int linkFromSetting(const Robot& robot, const Value& setting, bool worldToo) {
  const std::vector<int> links = someLinks(robot, setting, worldToo ? -1 : 0);
  if (links.size() == 1) return links.front();
  std::vector<std::string> names;
  for (const int link : links) names.push_back(robot.link(link).name);
  throw Error("driver '" + setting.text() + "' of robot '" + robot.name() + "' moves several links", setting.position(),
              "name one of them; " + listNames(names));
}

std::vector<int> linksFromSetting(const Robot& robot, const Value& setting) {
  return listFromSetting(setting, [&](const Value& item) { return someLinks(robot, item, 0); });
}

std::vector<int> driversFromSetting(const Robot& robot, const Value& setting) {
  return listFromSetting(setting, [&](const Value& item) { return std::vector<int>{driverFromSetting(robot, item)}; });
}

}  // namespace mortise
