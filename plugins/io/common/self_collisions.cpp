#include "common/self_collisions.h"

#include <algorithm>
#include <set>

#include "mortise/modeling/joint_names.h"
#include "mortise/text/suggest.h"
#include "text/text_file.h"

namespace mortise::io {

int linkIndex(const RobotDescription& robot, const std::string& text) {
  const auto index = parseInteger(text);
  if (!index) {
    const int found = findLinkOrJoint(robot, text);
    return found >= 0 ? found : -2;
  }
  return *index >= -1 && *index < static_cast<int>(robot.links.size()) ? *index : -2;
}

bool hasGeometry(const Link& link) { return link.geometry && !link.geometry->empty(); }

std::vector<std::pair<int, int>> defaultSelfCollisions(const RobotDescription& robot) {
  std::vector<std::pair<int, int>> pairs;
  const int n = static_cast<int>(robot.links.size());
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      if (robot.links[b].parent != a && robot.links[a].parent != b && hasGeometry(robot.links[a]) &&
          hasGeometry(robot.links[b]))
        pairs.emplace_back(a, b);
  return pairs;
}

void SelfCollisions::choose(const std::vector<LinkPair>& on, const std::vector<LinkPair>& off) {
  if (on.empty()) robot_.selfCollisionPairs = defaultSelfCollisions(robot_);
  apply(on, &laterOn_, true);
  apply(off, &laterOff_, false);
}

void SelfCollisions::finish() {
  apply(laterOn_, nullptr, true);
  apply(laterOff_, nullptr, false);
  auto& pairs = robot_.selfCollisionPairs;
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

void SelfCollisions::apply(const std::vector<LinkPair>& rules, std::vector<LinkPair>* later, bool on) {
  std::set<std::pair<int, int>> off;
  for (const LinkPair& rule : rules) {
    int a = linkIndex(robot_, rule.first), b = linkIndex(robot_, rule.second);
    if (a < 0 || b < 0) {
      if (later != nullptr) {
        later->push_back(rule);
        continue;
      }
      const std::string& missing = a < 0 ? rule.first : rule.second;
      std::vector<std::string> names;
      for (const Link& link : robot_.links) names.push_back(link.name);
      out_.error("there is no link '" + missing + "'", rule.position, didYouMean(missing, names));
      continue;
    }
    if (a == b) {
      if (!rule.fromGroups) out_.error("a link cannot collide with itself", rule.position);
      continue;
    }
    if (a > b) std::swap(a, b);
    if (on)
      robot_.selfCollisionPairs.emplace_back(a, b);
    else
      off.emplace(a, b);
  }
  std::erase_if(robot_.selfCollisionPairs, [&off](const auto& pair) { return off.count(pair) > 0; });
}

}  // namespace mortise::io
