#include "mortise/pipeline/stages/plan_stage.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/pipeline/plan_context.h"
#include "mortise/planning/plan_report.h"
#include "mortise/planning/plan_setup.h"
#include "mortise/planning/roadmap_text.h"
#include "mortise/planning/settings/plan_settings.h"
#include "mortise/settings/output_path.h"

namespace mortise {

PlanStage::PlanStage(const ComponentContext& context)
    : settings_(context.settings), resultName_(settings_.string("save", std::string(context.host.name()))) {}

void PlanStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<PlanStage>("mortise.Plan");
  stage.alias("plan").summary("Plans a collision-free path of robots, or of a rigid object, in the world.");
  declarePlanSettings(stage);
  stage.parameter("save", ParameterType::string, "Name of the path and of the result; by default the stage's.")
      .parameter("roadmap", ParameterType::string,
                 "File in the run directory for the planner's roadmap, .tgf or .json.");
}

void PlanStage::check(StageContext& context, Diagnostics& diagnostics) {
  (void)readPlan(settings_, planSources(context, false), context.seed(), diagnostics);
  if (const Value& roadmap = settings_.at("roadmap"); !roadmap.isNull()) {
    const std::string& file = roadmap.asString();
    if (file.find('/') != std::string::npos)
      diagnostics.error("'roadmap' is a name in the run directory, not '" + file + "'", roadmap.position(),
                        "leave the folder out");
    else if (!file.ends_with(".tgf") && !file.ends_with(".json"))
      diagnostics.error("'roadmap' is a .tgf or .json file, not '" + file + "'", roadmap.position());
  }
}

void PlanStage::run(StageContext& context) {
  Diagnostics diagnostics;
  const ReadPlan read = readPlan(settings_, planSources(context, true), context.seed(), diagnostics);
  diagnostics.throwIfErrors();
  if (!read.complete) throw Error("a start or goal does not exist", settings_.position());
  PlanSetup setup(worldOf(context), nullptr, read.request, context.registry(), context.log());
  const StopConditions& stop = read.request.stop;
  const bool timed = std::isfinite(stop.seconds);
  const bool counted = stop.iterations < std::numeric_limits<std::int64_t>::max();
  Progress& progress = context.progress();
  progress.begin(resultName_, timed ? stop.seconds : counted ? static_cast<double>(stop.iterations) : 0);
  const PlanResult result = setup.run([&] { return context.stopRequested(); },
                                      [&](double seconds, std::int64_t iterations, double) {
                                        progress.advanceTo(timed ? seconds : static_cast<double>(iterations));
                                      });
  progress.end();

  Value report = Value::map();
  report.set("stage", "plan");
  const Value planned = planReport(setup, result);
  for (const Value::Entry& entry : planned.entries()) report.entries().push_back(entry);
  report.set("problem", problemSettings(settings_));
  // A time limit is not repeatable, iterations are: run.lock.yaml has these instead.
  if (const Value replay = replaySettings(settings_, stop, result.run.iterations); !replay.isNull())
    report.set("replay", replay);
  if (const Value& roadmap = settings_.at("roadmap"); !roadmap.isNull()) {
    Roadmap known;
    if (setup.planner().roadmap(known)) {
      writeRoadmap(known, setup.space(), outputPath(context.runDirectory(), roadmap.asString()));
      report.set("roadmap", roadmap.asString());
    } else {
      context.log().write(LogLevel::warning, resultName_, "planner '" + result.planner + "' keeps no roadmap");
    }
  }
  if (!result.path.empty()) {
    Trajectory path = milestoneTrajectory(result.path);
    report.set("file", writeRunFile(context, resultName_, path));
    context.saveTrajectory(resultName_, std::move(path));
  }
  const std::string status = report.string("status", ""), why = report.string("message", "");
  context.saveResult(resultName_, std::move(report));
  if (result.path.empty() && !context.stopRequested())
    throw Error("no path: " + status + (why.empty() ? "" : ": " + why), settings_.position());
}

}  // namespace mortise
