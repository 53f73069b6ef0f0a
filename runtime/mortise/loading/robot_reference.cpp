#include "mortise/loading/robot_reference.h"

#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise {

int findRobot(const World& world, const Value& reference) {
  const int count = static_cast<int>(world.robots.size());
  if (count == 0) throw Error("the world has no robots");
  std::vector<std::string> names;
  std::vector<int> matches;
  const std::string wanted = reference.isNull() || !reference.isScalar() ? std::string() : reference.text();
  for (int i = 0; i < count; ++i) {
    names.push_back(world.robots[static_cast<std::size_t>(i)].name);
    if (names.back() == wanted) matches.push_back(i);
  }
  const auto idsOf = [&](const std::vector<int>& robots) {
    std::string text;
    for (const int i : robots)
      text += (text.empty() ? "" : ", ") + std::to_string(world.robotId(i)) + " (" +
              names[static_cast<std::size_t>(i)] + ")";
    return text;
  };
  if (reference.isNull()) {
    if (count == 1) return 0;
    throw Error("which robot? the world has " + std::to_string(count), {}, "add 'robot: NAME'; " + listNames(names));
  }
  if (!reference.isScalar())
    throw Error("expected the name or id of a robot, found " + std::string(Value::typeName(reference.type())));
  if (matches.size() == 1) return matches.front();
  if (matches.size() > 1)
    throw Error("several robots are called '" + wanted + "'", {}, "use one of their ids: " + idsOf(matches));
  if (reference.isInteger()) {
    for (int i = 0; i < count; ++i)
      if (world.robotId(i) == reference.asInteger()) return i;
    std::vector<int> all;
    for (int i = 0; i < count; ++i) all.push_back(i);
    throw Error("no robot has the id " + wanted, {}, "ids of robots: " + idsOf(all));
  }
  throw Error("there is no robot '" + wanted + "'", {}, suggestAndList(wanted, names));
}

}  // namespace mortise
