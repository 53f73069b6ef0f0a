#include "mortise/planning/settings/plan_settings.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/robot_reference.h"
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

  const Value& at(const char* key) const {
    static const Value none;
    const Value* value = settings_.find(key);
    return value == nullptr ? none : *value;
  }
  bool given(const char* key) const { return !at(key).isNull(); }
  bool clean() const { return diagnostics_.errorCount() == before_; }
  SourcePosition where(const char* key) const {
    return at(key).position().known() ? at(key).position() : settings_.position();
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
      diagnostics_.error("'" + std::string(key) + "': " + error.message(),
                         error.where().known() ? error.where() : where(key), error.hint());
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

void readMovers(SettingsReader& reader, PlanSpaceRequest& space) {
  const World& world = reader.sources_.world;
  const int ways = reader.given("robot") + reader.given("robots") + reader.given("object");
  if (ways > 1) {
    reader.error(reader.given("object") ? "object" : "robots",
                 " says what moves, and so does '" + std::string(reader.given("robot") ? "robot" : "robots") + "'",
                 "keep one of robot, robots and object");
    return;
  }
  if (reader.given("object")) {
    reader.attempt("object", [&] { space.object = objectNamed(world, reader.at("object")); });
  } else if (reader.given("robots")) {
    reader.attempt("robots", [&] {
      const Value& robots = reader.at("robots");
      if (!robots.isList() || robots.size() == 0)
        throw Error("expected a list of robots", robots.position(), "write [left, right]");
      for (const Value& item : robots.items()) {
        if (item.isNull()) throw Error("expected the name or id of a robot", item.position());
        try {
          space.robots.push_back(findRobot(world, item));
        } catch (const Error& error) {
          throw Error(error.message(), item.position(), error.hint());
        }
      }
    });
  } else {
    reader.attempt("robot", [&] { space.robots = {findRobot(world, reader.at("robot"))}; });
  }
  if (reader.given("planar")) {
    space.planar = reader.at("planar").asBool();
    if (space.planar && !reader.given("object"))
      reader.error("planar", " is of rigid objects, but robots move", "name an 'object', or leave 'planar' out");
  }
  if (reader.given("object"))
    for (const char* key : {"links", "keep", "stance"})
      if (reader.given(key))
        reader.error(key, " is of robots, but a rigid object moves", "leave it out, or name a 'robot'");
}

void readConstraints(SettingsReader& reader, PlanSpaceRequest& space) {
  const auto goesWith = [&](const char* key, const char* other) {
    if (reader.given(key) && !reader.given(other))
      reader.error(key, " goes with '" + std::string(other) + "', which is not there",
                   "add '" + std::string(other) + "', or leave it out");
  };
  goesWith("keep_tolerance", "keep");
  goesWith("balance_margin", "stance");
  for (const char* key : {"stance", "keep"})
    if (reader.given(key) && space.robots.size() > 1)
      reader.error(key, " is of one robot, but several move", "plan for one robot");
  if (reader.given("keep_tolerance")) space.keepTolerance = reader.at("keep_tolerance").asReal();
  if (reader.given("balance_margin")) space.balanceMargin = reader.at("balance_margin").asReal();
  reader.attempt(
      "keep", [&] { space.keep = robotGoals(reader.at("keep"), space.robots, reader.sources_, reader.diagnostics_); });
  if (reader.given("stance"))
    reader.attempt("stance",
                   [&] { space.stance = stanceOf(reader.at("stance"), reader.sources_, reader.diagnostics_); });
  if (reader.given("workspace"))
    reader.attempt("workspace", [&] {
      const Value& box = reader.at("workspace");
      if (!box.isList() || box.size() != 2)
        throw Error("expected two corners of three numbers", box.position(), "write [[-1, -1, 0], [1, 1, 2]]");
      space.workspace = Eigen::AlignedBox3d(corner(box[0]), corner(box[1]));
      if (space.workspace->isEmpty())
        throw Error("the first corner must be the lower one in all three directions", box.position());
    });
}

/// `known`: whether what moves is known, and with it the size of configurations, even if other settings are wrong.
PlanSpaceRequest readSpace(SettingsReader& reader, bool& known) {
  PlanSpaceRequest space;
  known = false;
  readMovers(reader, space);
  if (!reader.clean()) return space;
  reader.attempt("links", [&] {
    space.links = planLinks(reader.sources_.world, space.robots, reader.at("links"));
    (void)PlanCoordinates(reader.sources_.world, space);
    known = true;
  });
  if (!known) return space;
  if (reader.given("margin")) space.margin = reader.at("margin").asReal();
  if (reader.given("padding")) space.simulationPadding = reader.at("padding").asString() == "simulation";
  if (reader.given("edges") && reader.at("edges").asString() == "resolution")
    space.edges.method = EdgeCheckOptions::Method::resolution;
  if (reader.given("resolution")) space.edges.resolution = reader.at("resolution").asReal();
  readConstraints(reader, space);
  reader.attempt("ignore", [&] {
    const Value& pairs = reader.at("ignore");
    if (pairs.isNull()) return;
    const char* form = "write [[hand, cup], [hand, table]]";
    if (!pairs.isList()) throw Error("expected a list of pairs", pairs.position(), form);
    const int robot = space.robots.size() == 1 ? space.robots.front() : -1;
    for (const Value& pair : pairs.items()) {
      if (!pair.isList() || pair.size() != 2) throw Error("expected a pair of names or ids", pair.position(), form);
      for (const int a : idsOf(reader.sources_.world, pair[0], robot))
        for (const int b : idsOf(reader.sources_.world, pair[1], robot))
          if (a != b) space.ignored.push_back({std::min(a, b), std::max(a, b)});
    }
  });
  if (reader.given("weights"))
    reader.attempt("weights", [&] {
      space.weights = numbersByName(reader.at("weights"), PlanCoordinates(reader.sources_.world, space), 1);
    });
  return space;
}

void readPlanner(SettingsReader& reader, PlanRequest& request) {
  const Value& planner = reader.at("planner");
  SourcePosition where = planner.position().known() ? planner.position() : reader.settings_.position();
  if (planner.isMap()) {
    const Value* type = planner.find("type");
    if (type == nullptr) type = planner.find("name");
    if (type == nullptr || !type->isScalar() || type->isNull()) {
      reader.error("planner", " names no planner", "write planner: NAME, or planner: {type: NAME, settings...}");
      return;
    }
    request.planner = type->text();
    if (type->position().known()) where = type->position();
    for (const Value::Entry& entry : planner.entries())
      if (&entry.value != type) request.settings.entries().push_back(entry);
  } else if (planner.isList()) {
    reader.error("planner", " must be a name or a map", "write planner: NAME, or planner: {type: NAME, settings...}");
    return;
  } else if (!planner.isNull()) {
    request.planner = planner.text();
  }
  request.settings.setPosition(where);
  if (const Value& more = reader.at("settings"); more.isMap()) {
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
    const ComponentInfo& info = reader.sources_.registry->require(Kind::planner, request.planner, where);
    (void)reader.sources_.registry->completeSettings(info, request.settings, reader.diagnostics_);
  } catch (const Error& error) {
    reader.diagnostics_.error(error);
  }
}

const Schema& stopSchema() {
  static const Schema schema = [] {
    Schema s;
    s.parameter("found_solution", ParameterType::boolean, "At the first path.", {.aliases = {"foundSolution"}})
        .parameter("iterations", ParameterType::integer, "After this many iterations.",
                   {.min = 0, .aliases = {"maxIters"}})
        .parameter("time_limit", ParameterType::real, "After this time.",
                   {.min = 0, .unit = "s", .aliases = {"timeLimit"}})
        .parameter("cost", ParameterType::real, "At a path that costs no more.",
                   {.min = 0, .aliases = {"costThreshold"}})
        .parameter("improvement_period", ParameterType::integer, "Compare the cost every this many iterations.",
                   {.min = 0, .aliases = {"costImprovementPeriod"}})
        .parameter("improvement", ParameterType::real, "Stop when the cost has decreased by less than this since.",
                   {.min = 0, .aliases = {"costImprovementThreshold"}});
    return s;
  }();
  return schema;
}

void readStop(SettingsReader& reader, StopConditions& stop) {
  Value inner = Value::map();
  if (reader.given("stop")) inner = stopSchema().complete(reader.at("stop"), "'stop'", reader.diagnostics_);
  const auto innerGiven = [&](const char* key) {
    const Value* value = inner.find(key);
    return value != nullptr && !value->isNull();
  };
  const auto twice = [&](const char* outer, const char* key) {
    if (reader.given(outer) && innerGiven(key))
      reader.error(outer, " is given, and so is 'stop." + std::string(key) + "'", "keep one of them");
    return innerGiven(key);
  };
  bool limited = reader.given("time_limit") || reader.given("iterations");
  if (reader.given("time_limit")) stop.seconds = reader.at("time_limit").asReal();
  if (reader.given("iterations")) stop.iterations = reader.at("iterations").asInteger();
  if (reader.given("optimize")) stop.foundSolution = !reader.at("optimize").asBool();
  if (twice("time_limit", "time_limit")) stop.seconds = inner.at("time_limit").asReal();
  if (twice("iterations", "iterations")) stop.iterations = inner.at("iterations").asInteger();
  if (twice("optimize", "found_solution")) stop.foundSolution = inner.at("found_solution").asBool();
  if (innerGiven("cost")) stop.cost = inner.at("cost").asReal();
  if (innerGiven("improvement")) stop.improvement = inner.at("improvement").asReal();
  if (innerGiven("improvement_period")) stop.improvementPeriod = inner.at("improvement_period").asInteger();
  if (innerGiven("improvement") != innerGiven("improvement_period"))
    reader.error("stop", ": improvement and improvement_period go together", "give both, or neither");
  if (stop.foundSolution && innerGiven("cost") && !innerGiven("found_solution") && !reader.given("optimize"))
    stop.foundSolution = false;  // A cost threshold asks for better paths than the first one.
  limited = limited || innerGiven("time_limit") || innerGiven("iterations");
  if (!limited) stop.seconds = kDefaultPlanTime;
}

void readObjective(SettingsReader& reader, const PlanCoordinates& coordinates, PlanObjectiveRequest& objective) {
  const Value& given = reader.at("objective");
  if (given.isNull()) return;
  const Value* type = given.isMap() ? given.find("type") : &given;
  const std::string name = type != nullptr && type->isScalar() && !type->isNull() ? type->text() : "";
  const Value* weights = given.isMap() ? given.find("weights") : nullptr;
  if (given.isMap())
    for (const Value::Entry& entry : given.entries())
      if (entry.key != "type" && entry.key != "weights")
        throw Error("unknown key '" + entry.key + "'", entry.keyPosition, "available: type, weights");
  if (name == "time") {
    objective.kind = PlanObjectiveRequest::Kind::time;
    if (weights != nullptr) throw Error("time has no weights", weights->position(), "leave them out");
  } else if (name == "length" || (name.empty() && weights != nullptr)) {
    if (weights == nullptr) return;
    objective.kind = PlanObjectiveRequest::Kind::weightedLength;
    objective.weights = numbersByName(*weights, coordinates, 1);
  } else {
    throw Error("there is no objective '" + name + "'", given.position(), "available: length, time");
  }
}

}  // namespace

PlanSpaceRequest readPlanSpace(const Value& settings, const PlanSources& sources, Diagnostics& diagnostics) {
  SettingsReader reader(settings, sources, diagnostics);
  bool known = false;
  return readSpace(reader, known);
}

PlanObjectiveRequest readPlanObjective(const Value& settings, const PlanSources& sources, const PlanSpaceRequest& space,
                                       Diagnostics& diagnostics) {
  SettingsReader reader(settings, sources, diagnostics);
  PlanObjectiveRequest objective;
  reader.attempt("objective", [&] { readObjective(reader, PlanCoordinates(sources.world, space), objective); });
  return objective;
}

ReadPlan readPlan(const Value& settings, const PlanSources& sources, std::uint64_t defaultSeed,
                  Diagnostics& diagnostics) {
  SettingsReader reader(settings, sources, diagnostics);
  ReadPlan plan;
  PlanRequest& request = plan.request;
  bool spaceKnown = false;
  request.space = readSpace(reader, spaceKnown);
  readPlanner(reader, request);
  readStop(reader, request.stop);
  request.seed = reader.given("seed") ? static_cast<std::uint64_t>(reader.at("seed").asInteger()) : defaultSeed;
  if (!spaceKnown) return plan;  // The size of configurations is unknown.

  const PlanCoordinates coordinates(sources.world, request.space);
  const StartGoalReader ends(coordinates, request.space, sources, diagnostics);
  VectorXd base = worldConfiguration(sources.world, request.space);
  reader.attempt("start", [&] { plan.complete = ends.starts(reader.at("start"), base, request.starts); });
  if (!request.starts.empty()) base = request.starts.front();
  if (reader.given("goal"))
    reader.attempt("goal", [&] {
      if (!ends.goal(reader.at("goal"), base, request.goal)) plan.complete = false;
    });
  reader.attempt("objective", [&] { readObjective(reader, coordinates, request.objective); });
  return plan;
}

}  // namespace mortise
