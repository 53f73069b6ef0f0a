#include "mortise/planning/problem_request.h"

#include <cmath>
#include <set>

#include "mortise/text/suggest.h"

namespace mortise {

namespace {

std::string shortName(const std::string& name) { return name.substr(name.rfind('.') + 1); }

void warnOfPlanner(const PlanningProblemDescription::Planner& planner, const Registry& registry,
                   Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const ComponentInfo& info : registry.components()) {
    if (info.kind != Kind::planner) continue;
    names.push_back(shortName(info.name));
    names.insert(names.end(), info.aliases.begin(), info.aliases.end());
  }
  const std::string near = didYouMean(planner.name, names);
  diagnostics.warning("there is no planner '" + planner.written + "'; 'any' takes its place", planner.position,
                      (near.empty() ? "" : near + " ") + "name one with --planner; see --list-planners");
}

/// Settings that problems bring themselves.
void refuseOwnSettings(const Value& settings, Diagnostics& diagnostics) {
  for (const char* key : {"robot", "robots", "object", "planar", "links", "start", "goal", "ignore", "keep", "stance",
                          "balance_margin", "workspace"})
    if (const Value* value = settings.find(key); value != nullptr && !value->isNull())
      diagnostics.error("'" + std::string(key) + "' does not go with problems, which say it themselves",
                        value->position(), "leave it out");
}

/// The problem's part of a request.
void applyProblem(const PlanningProblemDescription& problem, PlanRequest& request) {
  static_cast<PlanSpaceDescription&>(request.space) = problem.space;
  request.starts = problem.starts;
  request.goal = problem.goal;
}

PlanRequest problemRequest(const PlanningProblemDescription& problem, PlanRequestSettings settings,
                           ResourceLoader& loader, const Registry& registry, const std::string& referringFile,
                           Diagnostics& diagnostics) {
  Value& plan = settings.plan;
  const bool limited = plan.contains("time_limit") || plan.contains("iterations");
  if (const std::string planner = plannerOfProblem(problem, registry); !plan.contains("planner") && !planner.empty())
    plan.set("planner", planner);
  if (problem.space.object >= 0) {
    plan.set("object", problem.world->objectId(problem.space.object));
  } else {
    Value robots = Value::list();
    for (const int robot : problem.space.robots) robots.push_back(problem.world->robotId(robot));
    plan.set("robots", robots);
  }
  double keepTolerance = problem.space.keepTolerance;
  if (const Value* given = plan.find("keep_tolerance"); given != nullptr && !given->isNull()) {
    Value space = Value::map();
    space.set("keep_tolerance", *given);
    const auto read = readSettings<PlanSpaceSettings>(space, "the plan", diagnostics);
    if (read) keepTolerance = read->keepTolerance.value_or(keepTolerance);
    plan.erase("keep_tolerance");
  }
  const PlanSources sources{*problem.world, loader, &registry, referringFile, {}, {}};
  PlanRequest request = readPlanRequest(settings, planSchemaWithoutEnds(), sources, diagnostics);
  applyProblem(problem, request);
  request.space.keepTolerance = keepTolerance;
  if (!limited && std::isfinite(problem.timeLimit)) request.stop.seconds = problem.timeLimit;
  if (request.retime) {
    request.retime->limits.velocityScaling *= problem.velocityScaling;
    request.retime->limits.accelerationScaling *= problem.accelerationScaling;
  }
  return request;
}

}  // namespace

PlanRequest problemRequest(const PlanningProblemDescription& problem) {
  PlanRequest request;
  applyProblem(problem, request);
  request.stop.seconds = problem.timeLimit;
  return request;
}

std::string plannerOfProblem(const PlanningProblemDescription& problem, const Registry& registry) {
  std::string best, bestName;
  for (const ComponentInfo& info : registry.components()) {
    if (info.kind != Kind::planner) continue;
    std::vector<std::string> names = info.aliases;
    names.push_back(info.name);
    names.push_back(shortName(info.name));
    for (const std::string& name : names)
      if (problem.planner.name.starts_with(name) && name.size() > best.size()) {
        best = name;
        bestName = info.name;
      }
  }
  return bestName;
}

std::vector<PlanRequest> problemRequests(const PlanningProblems& problems, const PlanRequestSettings& settings,
                                         ResourceLoader& loader, const Registry& registry,
                                         const std::string& referringFile, Diagnostics& diagnostics) {
  refuseOwnSettings(settings.plan, diagnostics);
  diagnostics.throwIfErrors("the plan cannot be made");
  std::vector<PlanRequest> requests;
  std::set<std::string> warned;
  for (const PlanningProblemDescription& problem : problems) {
    const auto& planner = problem.planner;
    if (!settings.plan.contains("planner") && !planner.name.empty() && plannerOfProblem(problem, registry).empty() &&
        warned.insert(planner.written).second)
      warnOfPlanner(planner, registry, diagnostics);
    requests.push_back(problemRequest(problem, settings, loader, registry, referringFile, diagnostics));
    diagnostics.throwIfErrors("the plan cannot be made");
  }
  return requests;
}

}  // namespace mortise
