#include "mortise/planning/blockage.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mortise/base/value_text.h"

namespace mortise {

namespace {

constexpr int kGoals = 3, kAlong = 80, kAround = 60;

/// Returns what a configuration violates; empty: nothing.
std::string violation(PlanningSpace& space, const VectorXd& q) {
  int violated = -1;
  if (space.feasible(q, &violated)) return {};
  std::string text = violated >= 0 ? space.explain(violated, q) : std::string();
  if (text.empty() && violated >= 0) text = "'" + space.constraints()[static_cast<std::size_t>(violated)] + "' fails";
  return text.empty() ? std::string("it is not feasible") : text;
}

double freeAround(PlanningSpace& space, const VectorXd& center, double radius, RandomStream& random) {
  int free = 0;
  VectorXd q;
  for (int i = 0; i < kAround; ++i) {
    space.sampleNear(random, center, radius, q);
    free += space.feasible(q);
  }
  return static_cast<double>(free) / kAround;
}

std::string percent(double fraction) { return formatReal(std::round(100 * fraction), 3) + " %"; }

}  // namespace

Blockage whatBlocks(PlanningSpace& space, const VectorXd& start, PlanningGoal& goal) {
  RandomStream random(0, "what blocks");
  Blockage result;
  const double extent = space.extent();
  result.radius = std::isfinite(extent) && extent > 0 ? 0.01 * extent : 0.05;
  result.freeAtStart = freeAround(space, start, result.radius, random);
  std::map<std::string, int> found;
  int examined = 0;
  VectorXd end, q;
  for (int g = 0; g < kGoals; ++g) {
    if (!goal.sample(random, end)) break;
    if (!result.goalKnown) result.freeAtGoal = freeAround(space, end, result.radius, random);
    result.goalKnown = true;
    for (int i = 1; i < kAlong; ++i, ++examined) {
      space.interpolate(start, end, static_cast<double>(i) / kAlong, q);
      if (const std::string what = violation(space, q); !what.empty()) ++found[what];
    }
    if (goal.count() >= 0 && g + 1 >= goal.count()) break;
  }
  for (const auto& [what, count] : found) result.straight.push_back({what, static_cast<double>(count) / examined});
  std::stable_sort(result.straight.begin(), result.straight.end(),
                   [](const Obstruction& a, const Obstruction& b) { return a.fraction > b.fraction; });
  constexpr std::size_t kMaximum = 3;
  if (result.straight.size() > kMaximum) result.straight.resize(kMaximum);
  return result;
}

std::string blockageText(const Blockage& blockage) {
  std::string text;
  for (const Obstruction& each : blockage.straight)
    text +=
        (text.empty() ? "on the straight way to the goal " : ", ") + each.what + " (" + percent(each.fraction) + ")";
  constexpr double kNarrow = 0.5;
  const auto narrow = [&](const char* place, double free) {
    if (free >= kNarrow) return;
    text += (text.empty() ? "" : "; ") + std::string("only ") + percent(free) + " of the moves of " +
            formatReal(blockage.radius, 2) + " away from the " + place + " are free";
  };
  narrow("start", blockage.freeAtStart);
  if (blockage.goalKnown) narrow("goal", blockage.freeAtGoal);
  return text;
}

std::string builtText(const Value& statistics) {
  if (!statistics.isMap()) return {};
  std::string text;
  const auto number = [&](const char* key) -> std::string {
    const Value* value = statistics.find(key);
    return value != nullptr && value->isNumber() ? value->text() : std::string();
  };
  for (const char* key : {"nodes", "states"})
    if (const std::string n = number(key); !n.empty() && text.empty()) text = n + (n == "1" ? " node" : " nodes");
  if (const std::string a = number("startTree"), b = number("goalTree"); !text.empty() && !a.empty() && !b.empty())
    text += ", " + a + " of the start's tree and " + b + " of the goal's";
  else if (const std::string trees = number("trees"); !text.empty() && !trees.empty())
    text += " in " + trees + (trees == "1" ? " tree" : " trees");
  if (const std::string goals = number("goals"); !goals.empty())
    text += (text.empty() ? "" : ", ") + goals + (goals == "1" ? " goal" : " goals");
  return text;
}

}  // namespace mortise
