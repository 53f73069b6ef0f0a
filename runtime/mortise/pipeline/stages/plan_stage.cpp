#include "mortise/pipeline/stages/plan_stage.h"

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/loading/world_configuration.h"
#include "mortise/pipeline/context/plan_context.h"
#include "mortise/pipeline/stages/plan_doubts.h"
#include "mortise/planning/plan_report.h"
#include "mortise/planning/plan_run.h"
#include "mortise/planning/roadmap_text.h"
#include "mortise/planning/settings/plan_settings.h"
#include "mortise/settings/output_path.h"

namespace mortise {

void PlanStageSettings::bind(SettingBinder& b) {
  b.add("save", save, "Name of the path and of the result; by default the stage's.");
  b.add("roadmap", roadmap, "File in the run directory for the planner's roadmap, .tgf or .json.");
}

PlanStage::PlanStage(const ComponentContext& context)
    : given_(context.settings),
      settings_(settingsFrom<PlanStageSettings>(given_)),
      resultName_(settings_.save.value_or(std::string(context.host.name()))) {}

void PlanStage::declare(PluginBuilder& plugin) {
  plugin.stage<PlanStage>("mortise.Plan")
      .alias("plan")
      .summary("Plans a collision-free path of robots, or of a rigid object, in the world.")
      .saves({ResultKind::motion, ResultKind::space, ResultKind::report})
      .settings<PlanSettings>()
      .settings<PlanStageSettings>();
}

void PlanStage::check(StageContext& context, Diagnostics& diagnostics) {
  const int before = diagnostics.errorCount();
  const PlanRequest request = readPlan(given_, planSources(context, false), context.seed(), diagnostics);
  if (diagnostics.errorCount() == before) doubtPlan(context.world(), request, given_, diagnostics);
  if (settings_.roadmap.empty()) return;
  const std::string& file = settings_.roadmap.text;
  if (file.find('/') != std::string::npos)
    diagnostics.error("'roadmap' is a name in the run directory, not '" + file + "'", settings_.roadmap.where,
                      "leave the folder out");
  else if (!file.ends_with(".tgf") && !file.ends_with(".json"))
    diagnostics.error("'roadmap' is a .tgf or .json file, not '" + file + "'", settings_.roadmap.where);
}

void PlanStage::run(StageContext& context) {
  Diagnostics diagnostics;
  const PlanRequest request = readPlan(given_, planSources(context, true), context.seed(), diagnostics);
  diagnostics.throwIfErrors();
  if (!request.complete) throw Error("a start or goal does not exist", given_.position());
  PlanSetup setup = [&] {
    const InterruptionScope preparing([&context] { return context.stopRequested(); });
    return PlanSetup(worldOf(context), nullptr, request, context.registry(), context.log());
  }();
  const PlanResult result =
      runPlanner(setup, &context.progress(), resultName_, [&context] { return context.stopRequested(); });

  Value report = Value::map();
  report.set("stage", "plan");
  for (const Value::Entry& entry : result.report.entries()) report.entries().push_back(entry);
  report.set("problem", problemSettings(given_));
  // A time limit is not repeatable, iterations are: run.lock.yaml has these instead.
  if (const Value replay = replaySettings(given_, request.stop, result.run.iterations); !replay.isNull())
    report.set("replay", replay);
  if (const std::string& roadmap = settings_.roadmap.text; !roadmap.empty()) {
    if (writeRoadmap(setup.planner(), setup.space(), outputPath(context.runDirectory(), roadmap)))
      report.set("roadmap", roadmap);
    else
      context.log().write(LogLevel::warning, resultName_, "planner '" + result.planner + "' keeps no roadmap");
  }
  if (!result.path.empty()) {
    Trajectory path = milestoneTrajectory(result.path);
    report.set("file", writeRunFile(context, resultName_, path));
    context.saveMotion(resultName_, {std::move(path), {}, {}, motionParts(context.world(), request.space)});
  }
  context.saveSpace(resultName_, problemSettings(given_));
  const std::string status = report.string("status", ""), why = report.string("message", "");
  context.saveResult(resultName_, std::move(report));
  if (result.path.empty() && !context.stopRequested())
    throw Error("no path: " + status + (why.empty() ? "" : ": " + why), given_.position());
}

}  // namespace mortise
