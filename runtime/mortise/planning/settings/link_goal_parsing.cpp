#include "mortise/planning/settings/link_goal_parsing.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "mortise/base/error.h"
#include "mortise/goals/terms_setting.h"
#include "mortise/planning/settings/plan_parsing.h"

namespace mortise {

namespace {

/// Collects the goals of all robots that move.
class PlanTermReader {
 public:
  PlanTermReader(const std::vector<int>& robots, const PlanSources& sources, Diagnostics& diagnostics)
      : robots_(robots), sources_(sources), diagnostics_(diagnostics), referringFile_(sources.referringFile) {}

  /// `robot`: of goals that do not say; -1: the only one.
  void read(const Value& value, int robot) {
    if (value.isNull()) return;
    if (value.isList()) {
      for (const Value& item : value.items()) read(item, robot);
    } else if (value.isMap()) {
      readMap(value, robot);
    } else if (value.isString()) {
      readFile(value, robot);
    } else {
      add(value, robot);
    }
  }

  std::vector<RobotTerm> terms;
  std::vector<SourcePosition> places;  ///< Position of each term.

 private:
  void add(const Value& value, int robot) {
    if (robot < 0 && robots_.size() != 1) {
      const bool map = value.isMap();
      throw Error(map ? "goal of a link: missing 'robot'" : "missing 'robot' for the goals of '" + value.text() + "'",
                  value.position(), map ? "add 'robot: NAME'" : "write {goals: " + value.text() + ", robot: NAME}");
    }
    if (robot < 0) robot = robots_.front();
    const Robot& model = *sources_.world.robots[static_cast<std::size_t>(robot)].robot;
    for (IKTerm& term : ikTermsFromSetting(value, model, sources_.loader, diagnostics_, referringFile_)) {
      terms.push_back({robot, std::move(term)});
      places.push_back(value.position());
    }
  }

  void readMap(const Value& map, int robot) {
    Value rest = map;
    if (const Value* named = map.find("robot"); named != nullptr) {
      if (!named->isNull()) {
        robot = robotNamed(sources_.world, named->text(), named->position());
        if (std::find(robots_.begin(), robots_.end(), robot) == robots_.end())
          throw Error("robot '" + named->text() + "' is not planned for", named->position());
      }
      rest.erase("robot");
    }
    for (const char* key : {"goals", "file"}) {
      const Value* goals = rest.find(key);
      if (goals == nullptr) continue;
      for (const Value::Entry& entry : rest.entries())
        if (entry.key != key)
          throw Error("'" + entry.key + "' does not go with '" + key + "'", entry.keyPosition,
                      "write it into each goal");
      return read(*goals, robot);
    }
    add(rest, robot);
  }

  /// Goals of a file of Klamp't's are of one robot; others say themselves what they are of.
  void readFile(const Value& name, int robot) {
    std::string path;
    const Value content = ikGoalFileContent(name, sources_.loader, referringFile_, path);
    if (content.isNull()) return add(name, robot);
    const std::string before = std::exchange(referringFile_, path);
    read(content, robot);
    referringFile_ = before;
  }

  const std::vector<int>& robots_;
  const PlanSources& sources_;
  Diagnostics& diagnostics_;
  std::string referringFile_;
};

}  // namespace

std::vector<RobotTerm> robotTerms(const Value& value, const std::vector<int>& robots, const PlanSources& sources,
                                  Diagnostics& diagnostics) {
  PlanTermReader reader(robots, sources, diagnostics);
  reader.read(value, -1);
  return std::move(reader.terms);
}

std::vector<RobotGoal> robotGoals(const Value& value, const std::vector<int>& robots, const PlanSources& sources,
                                  Diagnostics& diagnostics) {
  PlanTermReader reader(robots, sources, diagnostics);
  reader.read(value, -1);
  std::vector<RobotGoal> goals;
  for (std::size_t i = 0; i < reader.terms.size(); ++i) {
    const RobotTerm& term = reader.terms[i];
    const auto* pose = std::get_if<IKGoal>(&term.term.goal);
    if (pose == nullptr || term.term.priority != 0)
      throw Error("only goals of links' poses, of priority 0, can hold along a whole path", reader.places[i],
                  "write {link: hand, position: [x, y, z]}, or make it a part of the goal");
    goals.push_back({term.robot, *pose});
  }
  return goals;
}

Stance stanceOf(const std::string& name, const PlanSources& sources, Diagnostics& diagnostics) {
  const auto kind = sources.loader.contentOf(sources.loader.find(name, sources.referringFile));
  if (kind == FileContent::hold) return {{sources.loader.load<Hold>(name, sources.referringFile, diagnostics)}};
  return sources.loader.load<Stance>(name, sources.referringFile, diagnostics);
}

}  // namespace mortise
