#include "mortise/pipeline/stages/path_stages.h"

#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/loading/format_loader.h"
#include "mortise/pipeline/plan_context.h"
#include "mortise/planning/path_work.h"
#include "mortise/planning/plan_report.h"
#include "mortise/planning/settings/plan_settings.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// Parameters of a schema, with their types and defaults.
void declareAll(ComponentBuilder& stage, const Schema& schema) {
  for (const Parameter& parameter : schema.parameters()) {
    if (parameter.defaultValue.isNull())
      stage.parameter(parameter.name, parameter.type, parameter.summary, parameter.options);
    else
      stage.parameter(parameter.name, parameter.defaultValue, parameter.summary, parameter.options);
  }
}

struct OpenedPath {
  std::unique_ptr<PathWork> work;
  Value problem;  ///< Settings of the space, those of the plan among them.
  PlanObjectiveRequest objective;
  Value movers;
  const Value* result = nullptr;  ///< The result of the stage that saved it; null for files.
};

/// The path of full configurations, and the space that it was planned in unless the stage's settings say otherwise.
OpenedPath open(StageContext& context, const Value& settings) {
  const std::string& name = settings.at("path").asString();
  OpenedPath opened;
  opened.result = context.findResult(name);
  const Value* planned = opened.result != nullptr && opened.result->isMap() ? opened.result->find("problem") : nullptr;
  const Value all = overlaid(settings, planned != nullptr ? *planned : Value());
  opened.problem = problemSettings(all);
  const PlanSources sources = planSources(context, true);
  Diagnostics diagnostics;
  const PlanSpaceRequest space = readPlanSpace(all, sources, diagnostics);
  diagnostics.throwIfErrors();
  opened.objective = readPlanObjective(all, sources, space, diagnostics);
  diagnostics.throwIfErrors();
  opened.movers = moversValue(context.world(), space);
  std::vector<VectorXd> path;
  if (const Trajectory* saved = sources.savedMotion(name)) {
    path = saved->configurations;
  } else {
    path = context.loader().load<Trajectory>(name, sources.referringFile, diagnostics).configurations;
    diagnostics.throwIfErrors();
  }
  try {
    opened.work = std::make_unique<PathWork>(worldOf(context), nullptr, space, std::move(path));
  } catch (const Error& error) {
    throw Error("'" + name + "': " + error.message(),
                error.where().known() ? error.where() : settings.at("path").position(), error.hint());
  }
  return opened;
}

std::uint64_t seedOf(const Value& settings, const StageContext& context) {
  const Value& seed = settings.at("seed");
  return seed.isNull() ? context.seed() : static_cast<std::uint64_t>(seed.asInteger());
}

Value stageReport(const char* stage, const Value& settings, const OpenedPath& opened, const Value& value) {
  Value report = Value::map();
  report.set("stage", stage);
  report.set("path", settings.at("path").asString());
  for (const Value::Entry& entry : value.entries()) report.entries().push_back(entry);
  report.set("movers", opened.movers);
  report.set("problem", opened.problem);
  return report;
}

/// The motion with velocities that an earlier stage wrote beside its path, with all digits.
std::optional<HermiteTrajectory> motionOf(StageContext& context, const Value* result) {
  const Value* file = result != nullptr && result->isMap() ? result->find("motion") : nullptr;
  if (file == nullptr) return std::nullopt;
  FormatLoader reader(context.registry(), context.log());
  Diagnostics diagnostics;
  const std::string path = std::filesystem::absolute(context.runDirectory() + "/" + file->asString()).string();
  Resource resource = reader.load(FileContent::hermiteTrajectory, path, {}, diagnostics);
  diagnostics.throwIfErrors();
  return std::get<HermiteTrajectory>(std::move(resource));
}

}  // namespace

PathStage::PathStage(const ComponentContext& context)
    : settings_(context.settings), resultName_(settings_.string("save", std::string(context.host.name()))) {}

void PathStage::declarePath(ComponentBuilder& stage) {
  stage
      .parameter("path", ParameterType::string, "The path: what an earlier stage saved, or a motion file.",
                 {.required = true})
      .parameter("save", ParameterType::string, "Name of the result; by default the stage's.");
  declarePlanSpaceSettings(stage);
}

void PathStage::check(StageContext& context, Diagnostics& diagnostics) {
  try {
    checkSettings();
  } catch (const Error& error) {
    diagnostics.error(error);
  }
  const Value& path = settings_.at("path");
  if (!path.isString()) return;  // Reported already.
  try {
    if (!requireResultOrFile(context, path.asString(), ResultKind::motion, path.position()))
      (void)context.loader().load<Trajectory>(path.asString(), context.pipeline().string("file", ""), diagnostics);
  } catch (const Error& error) {
    diagnostics.error("'path': " + error.message(), error.where().line > 0 ? error.where() : path.position(),
                      error.hint());
  }
  // The plan's own settings are known when it has run; those of this stage are checked now.
  const Value written = problemSettings(settings_);
  const bool movers = written.contains("robot") || written.contains("robots") || written.contains("object");
  if (movers || (written.size() > 0 && context.world().robots.size() == 1))
    (void)readPlanSpace(planSpaceSchema().complete(written, "the path", diagnostics), planSources(context, false),
                        diagnostics);
}

// -- Shortcut
// ------------------------------------------------------------------------------------------------------------

void ShortcutStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<ShortcutStage>("mortise.Shortcut");
  stage.alias("shortcut").summary("Shortens a path without collisions.");
  declarePath(stage);
  stage.parameter("objective", ParameterType::any, "Cost of a path; by default that of the plan.");
  declareAll(stage, shortcutSchema());
}

void ShortcutStage::checkSettings() const { (void)ShortcutSettings::from(settings_); }

void ShortcutStage::run(StageContext& context) {
  OpenedPath opened = open(context, settings_);
  const PathWork::Report done =
      opened.work->shortcut(ShortcutSettings::from(settings_), opened.objective, seedOf(settings_, context),
                            [&] { return context.stopRequested(); });
  Value report = stageReport("shortcut", settings_, opened, done.value);
  if (const Value replay = replaySettings(settings_, done.stop, done.iterations); !replay.isNull())
    report.set("replay", replay);
  Trajectory path = milestoneTrajectory(opened.work->path());
  report.set("file", writeRunFile(context, resultName_, path));
  context.saveTrajectory(resultName_, std::move(path));
  context.saveResult(resultName_, std::move(report));
}

// -- Retime
// --------------------------------------------------------------------------------------------------------------

void RetimeStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<RetimeStage>("mortise.Retime");
  stage.alias("retime").summary("Times a path within the robot's velocity and acceleration limits.");
  declarePath(stage);
  declareAll(stage, retimeSchema());
}

void RetimeStage::checkSettings() const { (void)RetimeSettings::from(settings_); }

void RetimeStage::run(StageContext& context) {
  OpenedPath opened = open(context, settings_);
  const RetimeSettings retiming = RetimeSettings::from(settings_);
  HermiteTrajectory motion;
  const PathWork::Report done =
      opened.work->retime(retiming, seedOf(settings_, context), motion, [&] { return context.stopRequested(); });
  Value report = stageReport("retime", settings_, opened, done.value);
  if (const Value replay = replaySettings(settings_, done.stop, done.iterations); !replay.isNull())
    report.set("replay", replay);
  if (report.at("assumed_accelerations").size() > 0)
    context.log().write(
        LogLevel::warning, resultName_,
        "nothing limits the acceleration of " +
            listNames(report.at("assumed_accelerations").asStrings()).substr(std::string("available: ").size()) +
            ": they reach their velocity limit in " + std::to_string(retiming.limits.rampUp) + " s");
  Trajectory path = sampled(motion, retiming.sampleTolerance);
  report.set("file", writeRunFile(context, resultName_, path));
  report.set("motion", writeRunFile(context, resultName_, motion));
  context.saveTrajectory(resultName_, std::move(path));
  context.saveResult(resultName_, std::move(report));
}

// -- Check
// ---------------------------------------------------------------------------------------------------------------

void CheckStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<CheckStage>("mortise.Check");
  stage.alias("check").summary(
      "Checks a path for collisions, ten times finer than planners and by another method, and against all limits.");
  declarePath(stage);
  declareAll(stage, checkSchema());
}

void CheckStage::checkSettings() const { (void)CheckSettings::from(settings_); }

void CheckStage::run(StageContext& context) {
  OpenedPath opened = open(context, settings_);
  CheckSettings checking = CheckSettings::from(settings_);
  if (const Value* margin = opened.problem.find("margin")) checking.options.margin = margin->asReal();
  const std::optional<HermiteTrajectory> motion = motionOf(context, opened.result);
  const Value value = motion ? opened.work->check(*motion, checking) : opened.work->check(checking);
  Value report = stageReport("check", settings_, opened, value);
  if (const std::string warning = paddingWarning(report); !warning.empty())
    context.log().write(LogLevel::warning, resultName_, warning);
  const bool valid = report.at("valid").asBool();
  const std::string text = valid ? "" : report.at("faults")[0].string("text", "");
  context.saveResult(resultName_, std::move(report));
  if (!valid)
    throw Error("'" + settings_.at("path").asString() + "' fails the check: " + text, settings_.at("path").position(),
                "the result lists all faults");
}

}  // namespace mortise
