#include "mortise/planning/settings/plan_settings.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/planning/request/required_planner.h"
#include "mortise/planning/settings/link_goal_parsing.h"
#include "mortise/planning/settings/plan_coordinates.h"
#include "mortise/planning/settings/plan_parsing.h"
#include "mortise/planning/settings/start_goal_reader.h"
#include "mortise/planning/space/plan_space.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// Collects errors key by key, so that all of them are reported at once.
class SettingsReader {
 public:
  SettingsReader(const Value& settings, const PlanSources& sources, Diagnostics& diagnostics)
      : settings_(settings), sources_(sources), diagnostics_(diagnostics), before_(diagnostics.errorCount()) {}

  bool clean() const { return diagnostics_.errorCount() == before_; }
  /// Returns the place where a setting was written, for messages.
  SourcePosition where(const char* key) const {
    const Value* value = settings_.find(key);
    return value != nullptr && value->position().known() ? value->position() : settings_.position();
  }
  void error(const char* key, const std::string& what, const std::string& hint) {
    diagnostics_.error("'" + std::string(key) + "'" + what, where(key), hint);
  }
  template <typename Work>
  void attempt(const char* key, Work work) {
    try {
      work();
    } catch (const DiagnosticsError& error) {
      for (const Diagnostic& problem : error.list()) diagnostics_.add(problem);
    } catch (const Error& error) {
      // The position of the setting, unless there is one in a file that it names.
      const SourcePosition own = where(key);
      const bool elsewhere = error.where().known() && (error.where().line > 0 || error.where().file != own.file);
      diagnostics_.error("'" + std::string(key) + "': " + error.message(), elsewhere ? error.where() : own,
                         error.hint());
    }
  }

  const Value& settings_;
  const PlanSources& sources_;
  Diagnostics& diagnostics_;

 private:
  int before_;
};

int objectNamed(const World& world, const Value& value) {
  std::vector<std::string> names;
  std::vector<int> matches;
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    names.push_back(world.objects[i].name);
    if (value.isScalar() && names.back() == value.text()) matches.push_back(static_cast<int>(i));
  }
  if (matches.size() == 1) return matches.front();
  if (matches.size() > 1)
    throw Error("several rigid objects are called '" + value.text() + "'", value.position(),
                "use one of their ids, the first is " + std::to_string(world.objectId(matches.front())));
  if (value.isInteger())
    for (std::size_t i = 0; i < world.objects.size(); ++i)
      if (world.objectId(static_cast<int>(i)) == value.asInteger()) return static_cast<int>(i);
  throw Error(names.empty()
                  ? "the world has no rigid objects"
                  : "there is no rigid object " + (value.isScalar() ? "'" + value.text() + "'" : "of this kind"),
              value.position(), names.empty() ? "" : suggestAndList(value.isScalar() ? value.text() : "", names));
}

Vector3d corner(const Value& value) {
  if (!value.isList() || value.size() != 3)
    throw Error("expected two corners of three numbers", value.position(), "write [[-1, -1, 0], [1, 1, 2]]");
  return {quantityOf(value[0], "m"), quantityOf(value[1], "m"), quantityOf(value[2], "m")};
}

void readMovers(SettingsReader& reader, const PlanSpaceSettings& given, PlanSpaceRequest& space) {
  const World& world = reader.sources_.world;
  const bool robot = !given.robot.isNull(), robots = !given.robots.isNull(), object = !given.object.isNull();
  if (robot + robots + object > 1) {
    reader.error(object ? "object" : "robots",
                 " says what moves, and so does '" + std::string(robot ? "robot" : "robots") + "'",
                 "keep one of robot, robots and object");
    return;
  }
  if (object) {
    reader.attempt("object", [&] { space.object = objectNamed(world, given.object); });
  } else if (robots) {
    reader.attempt("robots", [&] {
      if (!given.robots.isList() || given.robots.size() == 0)
        throw Error("expected a list of robots", given.robots.position(), "write [left, right]");
      for (const Value& item : given.robots.items()) {
        if (item.isNull()) throw Error("expected the name or id of a robot", item.position());
        try {
          space.robots.push_back(findRobot(world, item));
        } catch (const Error& error) {
          throw Error(error.message(), item.position(), error.hint());
        }
      }
    });
  } else {
    reader.attempt("robot", [&] { space.robots = {findRobot(world, given.robot)}; });
  }
  space.planar = given.planar.value_or(space.planar);
  if (space.planar && !object)
    reader.error("planar", " is of rigid objects, but robots move", "name an 'object', or leave 'planar' out");
  if (!object) return;
  const auto ofRobots = [&](const char* key, bool isGiven) {
    if (isGiven) reader.error(key, " is of robots, but a rigid object moves", "leave it out, or name a 'robot'");
  };
  ofRobots("links", !given.links.isNull());
  ofRobots("keep", !given.keep.isNull());
  ofRobots("stance", !given.stance.empty());
}

void readConstraints(SettingsReader& reader, const PlanSpaceSettings& given, PlanSpaceRequest& space) {
  const bool keep = !given.keep.isNull(), stance = !given.stance.empty();
  const auto goesWith = [&](const char* key, bool isGiven, const char* other, bool otherGiven) {
    if (isGiven && !otherGiven)
      reader.error(key, " goes with '" + std::string(other) + "', which is not there",
                   "add '" + std::string(other) + "', or leave it out");
  };
  goesWith("keep_tolerance", given.keepTolerance.has_value(), "keep", keep);
  goesWith("balance_margin", given.balanceMargin.has_value(), "stance", stance);
  if (given.resolution && space.edges.method == EdgeCheckOptions::Method::proven && !keep && !stance)
    reader.diagnostics_.warning("'resolution' has no effect: edges are certified as a whole",
                                reader.where("resolution"), "add 'edges: resolution', or leave it out");
  const auto ofOneRobot = [&](const char* key, bool isGiven) {
    if (isGiven && space.robots.size() > 1)
      reader.error(key, " is of one robot, but several move", "plan for one robot");
  };
  ofOneRobot("stance", stance);
  ofOneRobot("keep", keep);
  space.keepTolerance = given.keepTolerance.value_or(space.keepTolerance);
  space.balanceMargin = given.balanceMargin.value_or(space.balanceMargin);
  reader.attempt("keep",
                 [&] { space.keep = robotGoals(given.keep, space.robots, reader.sources_, reader.diagnostics_); });
  if (stance)
    reader.attempt("stance", [&] { space.stance = stanceOf(given.stance.text, reader.sources_, reader.diagnostics_); });
  if (!given.workspace.isNull())
    reader.attempt("workspace", [&] {
      const Value& box = given.workspace;
      if (!box.isList() || box.size() != 2)
        throw Error("expected two corners of three numbers", box.position(), "write [[-1, -1, 0], [1, 1, 2]]");
      space.workspace = Eigen::AlignedBox3d(corner(box[0]), corner(box[1]));
      if (space.workspace->isEmpty())
        throw Error("the first corner must be the lower one in all three directions", box.position());
    });
}

/// `known`: whether what moves is known, and with it the size of configurations, even if other settings are wrong.
PlanSpaceRequest readSpace(SettingsReader& reader, const PlanSpaceSettings& given, bool& known) {
  PlanSpaceRequest space;
  known = false;
  readMovers(reader, given, space);
  if (!reader.clean()) return space;
  reader.attempt("links", [&] {
    space.links = planLinks(reader.sources_.world, space.robots, given.links);
    if (space.links.empty() && !given.links.isNull())
      throw Error("no link is named", given.links.position(), "leave 'links' out for all of them");
    std::vector<int> sorted = space.links;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
      throw Error("'" + reader.sources_.world.nameOf(*twice) + "' is named twice", given.links.position(), "keep one");
    (void)PlanCoordinates(reader.sources_.world, space);
    known = true;
  });
  if (!known) return space;
  space.margin = given.margin.value_or(space.margin);
  if (given.padding) space.simulationPadding = *given.padding == PlanSpaceSettings::Padding::simulation;
  space.edges.method = given.edges.value_or(space.edges.method);
  space.edges.resolution = given.resolution.value_or(space.edges.resolution);
  readConstraints(reader, given, space);
  reader.attempt("ignore", [&] {
    const Value& pairs = given.ignore;
    if (pairs.isNull()) return;
    const char* form = "write [[hand, cup], [hand, table]]";
    if (!pairs.isList()) throw Error("expected a list of pairs", pairs.position(), form);
    const int robot = space.robots.size() == 1 ? space.robots.front() : -1;
    for (const Value& pair : pairs.items()) {
      if (!pair.isList() || pair.size() != 2) throw Error("expected a pair of names or ids", pair.position(), form);
      const std::size_t before = space.ignored.size();
      for (const int a : idsOf(reader.sources_.world, pair[0], robot))
        for (const int b : idsOf(reader.sources_.world, pair[1], robot))
          if (a != b) space.ignored.push_back({std::min(a, b), std::max(a, b)});
      if (space.ignored.size() == before)
        throw Error("nothing collides with itself", pair.position(), "name two different things");
    }
  });
  if (!given.weights.isNull())
    reader.attempt("weights", [&] {
      space.weights = numbersByName(given.weights, PlanCoordinates(reader.sources_.world, space), 1);
    });
  return space;
}

void readPlanner(SettingsReader& reader, const PlanSettings& given, PlanRequest& request) {
  const Value& planner = given.planner;
  SourcePosition where = planner.position().known() ? planner.position() : reader.settings_.position();
  if (planner.isMap()) {
    const auto entry = readSettings<PlannerEntry>(planner, "'planner'", reader.diagnostics_);
    if (!entry) return;
    if (!entry->type.isScalar() || entry->type.isNull()) {
      reader.error("planner", " names no planner", "write planner: NAME, or planner: {type: NAME, settings...}");
      return;
    }
    request.planner = entry->type.text();
    if (entry->type.position().known()) where = entry->type.position();
    request.settings = entry->settings;
  } else if (planner.isList()) {
    reader.error("planner", " must be a name or a map", "write planner: NAME, or planner: {type: NAME, settings...}");
    return;
  } else if (!planner.isNull()) {
    request.planner = planner.text();
  }
  request.settings.setPosition(where);
  if (const Value& more = given.settings; more.isMap()) {
    for (const Value::Entry& entry : more.entries()) {
      if (request.settings.contains(entry.key))
        reader.diagnostics_.error("'" + entry.key + "' is set twice, in 'planner' and in 'settings'", entry.keyPosition,
                                  "keep one of them");
      else
        request.settings.entries().push_back(entry);
    }
  }
  if (reader.sources_.registry == nullptr) return;
  try {
    const ComponentInfo& info = requirePlanner(*reader.sources_.registry, request.planner, where);
    noteAlikePlanner(*reader.sources_.registry, request.planner, where, reader.diagnostics_);
    (void)reader.sources_.registry->completeSettings(info, request.settings, reader.diagnostics_);
  } catch (const Error& error) {
    reader.diagnostics_.error(error);
  }
}

void readStop(SettingsReader& reader, const PlanSettings& given, StopConditions& stop) {
  const StopSettings inner = given.stop.value_or(StopSettings());
  const auto take = [&](const char* outerKey, const auto& outer, const char* innerKey, const auto& own, auto& target) {
    if (outer && own)
      reader.error(outerKey, " is given, and so is 'stop." + std::string(innerKey) + "'", "keep one of them");
    if (outer) target = *outer;
    if (own) target = *own;
  };
  std::optional<bool> first;
  if (given.optimize) first = !*given.optimize;
  take("time_limit", given.timeLimit, "time_limit", inner.timeLimit, stop.seconds);
  take("iterations", given.iterations, "iterations", inner.iterations, stop.iterations);
  take("optimize", first, "found_solution", inner.foundSolution, stop.foundSolution);
  stop.cost = inner.cost.value_or(stop.cost);
  stop.improvement = inner.improvement.value_or(stop.improvement);
  stop.improvementPeriod = inner.improvementPeriod.value_or(stop.improvementPeriod);
  if (inner.improvement.has_value() != inner.improvementPeriod.has_value())
    reader.error("stop", ": improvement and improvement_period go together", "give both, or neither");
  if (stop.foundSolution && inner.cost && !inner.foundSolution && !given.optimize)
    stop.foundSolution = false;  // A cost threshold asks for better paths than the first one.
  if (!given.timeLimit && !given.iterations && !inner.timeLimit && !inner.iterations) stop.seconds = kDefaultPlanTime;
}

void readObjective(const Value& given, const PlanCoordinates& coordinates, PlanRequest::Objective& objective) {
  if (given.isNull()) return;
  ObjectiveEntry entry;
  if (given.isMap())
    entry = readSettings<ObjectiveEntry>(given, "'objective'");
  else
    entry.type = given;
  const std::string name = entry.type.isScalar() && !entry.type.isNull() ? entry.type.text() : "";
  const bool weighted = !entry.weights.isNull();
  if (name == "time") {
    objective.kind = PlanRequest::Objective::Kind::time;
    if (weighted) throw Error("time has no weights", entry.weights.position(), "leave them out");
  } else if (name == "length" || (name.empty() && weighted)) {
    if (!weighted) return;
    objective.kind = PlanRequest::Objective::Kind::weightedLength;
    objective.weights = numbersByName(entry.weights, coordinates, 1);
  } else {
    throw Error("there is no objective '" + name + "'", given.position(), "available: length, time");
  }
}

/// `near: start` of a goal with `ik`, which is taken out of it.
bool takeNear(Value& goal) {
  if (!goal.isMap() || !goal.contains("ik")) return false;
  const Value* near = goal.find("near");
  if (near == nullptr) return false;
  if (near->text() != "start")
    throw Error("'near' takes start, not '" + near->text() + "'", near->position(),
                "near: start keeps, of all solutions, the one nearest to the start");
  goal.erase("near");
  return true;
}

}  // namespace

PlanSpaceRequest readPlanSpace(const Value& settings, const PlanSources& sources, Diagnostics& diagnostics) {
  SettingsReader reader(settings, sources, diagnostics);
  bool known = false;
  return readSpace(reader, settingsFrom<PlanSpaceSettings>(settings, diagnostics), known);
}

PlanRequest::Objective readPlanObjective(const Value& settings, const PlanSources& sources,
                                         const PlanSpaceRequest& space, Diagnostics& diagnostics) {
  SettingsReader reader(settings, sources, diagnostics);
  const auto given = settingsFrom<PlanProblemSettings>(settings, diagnostics);
  PlanRequest::Objective objective;
  reader.attempt("objective",
                 [&] { readObjective(given.objective, PlanCoordinates(sources.world, space), objective); });
  return objective;
}

PlanRequest readPlan(const Value& settings, const PlanSources& sources, std::uint64_t defaultSeed,
                     Diagnostics& diagnostics) {
  SettingsReader reader(settings, sources, diagnostics);
  const auto given = settingsFrom<PlanSettings>(settings, diagnostics);
  PlanRequest request;
  bool spaceKnown = false;
  request.space = readSpace(reader, given, spaceKnown);
  readPlanner(reader, given, request);
  readStop(reader, given, request.stop);
  request.seed = given.seed ? static_cast<std::uint64_t>(*given.seed) : defaultSeed;
  if (!spaceKnown) return request;  // The size of configurations is unknown.

  const PlanCoordinates coordinates(sources.world, request.space);
  const StartGoalReader ends(coordinates, request.space, sources, diagnostics);
  VectorXd base = worldConfiguration(sources.world, request.space);
  reader.attempt("start", [&] { request.complete = ends.starts(given.start, base, request.starts); });
  if (!request.starts.empty()) base = request.starts.front();
  if (!given.goal.isNull())
    reader.attempt("goal", [&] {
      Value goal = given.goal;
      request.nearStart = takeNear(goal);
      if (!ends.goal(goal, base, request)) request.complete = false;
    });
  reader.attempt("objective", [&] { readObjective(given.objective, coordinates, request.objective); });
  return request;
}

}  // namespace mortise
