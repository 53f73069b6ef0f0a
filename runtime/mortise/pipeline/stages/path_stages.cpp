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

struct OpenedPath {
  std::unique_ptr<PathWork> work;
  Value problem;  ///< Settings of the space, those of the plan among them.
  PlanObjectiveRequest objective;
  Value movers;
  const Value* result = nullptr;  ///< The result of the stage that saved it; null for files.
};

/// The path of full configurations, and the space that it was planned in unless the stage's settings say otherwise.
OpenedPath open(StageContext& context, const Value& settings, const PlacedText& given) {
  const std::string& name = given.text;
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
    throw Error("'" + name + "': " + error.message(), error.where().known() ? error.where() : given.where,
                error.hint());
  }
  return opened;
}

std::uint64_t seedOf(const PathStopSettings& stop, const StageContext& context) {
  return stop.seed ? static_cast<std::uint64_t>(*stop.seed) : context.seed();
}

Value stageReport(const char* stage, const std::string& path, const OpenedPath& opened, const Value& value) {
  Value report = Value::map();
  report.set("stage", stage);
  report.set("path", path);
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

void PathSettings::bind(SettingBinder& b) {
  b.add("path", path, "The path: what an earlier stage saved, or a motion file.", {.required = true});
  b.add("save", save, "Name of the result; by default the stage's.");
  PlanSpaceSettings::bind(b);
}

PathStage::PathStage(const ComponentContext& context)
    : given_(context.settings),
      path_(settingsFrom<PathSettings>(given_)),
      resultName_(path_.save.value_or(std::string(context.host.name()))) {}

void PathStage::check(StageContext& context, Diagnostics& diagnostics) {
  try {
    checkOwn();
  } catch (const Error& error) {
    diagnostics.error(error);
  }
  const PlacedText& path = path_.path;
  if (path.empty()) return;  // Reported already.
  try {
    if (!requireResultOrFile(context, path.text, ResultKind::motion, path.where))
      (void)context.loader().load<Trajectory>(path.text, context.pipeline().string("file", ""), diagnostics);
  } catch (const Error& error) {
    diagnostics.error("'path': " + error.message(), error.where().line > 0 ? error.where() : path.where, error.hint());
  }
  // The plan's own settings are known when it has run; those of this stage are checked now.
  const Value written = problemSettings(given_);
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
  stage.settings<PathSettings>().settings<PathObjectiveSettings>().settings<ShortcutSettings>();
}

ShortcutStage::ShortcutStage(const ComponentContext& context)
    : PathStage(context), settings_(settingsFrom<ShortcutSettings>(context.settings)) {}

void ShortcutStage::checkOwn() const { checkSettings(settings_, given_); }

void ShortcutStage::run(StageContext& context) {
  OpenedPath opened = open(context, given_, path_.path);
  const PathWork::Report done = opened.work->shortcut(settings_, opened.objective, seedOf(settings_.stop, context),
                                                      [&] { return context.stopRequested(); });
  Value report = stageReport("shortcut", path_.path.text, opened, done.value);
  if (const Value replay = replaySettings(given_, done.stop, done.iterations); !replay.isNull())
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
  stage.settings<PathSettings>().settings<RetimeSettings>();
}

RetimeStage::RetimeStage(const ComponentContext& context)
    : PathStage(context), settings_(settingsFrom<RetimeSettings>(context.settings)) {}

void RetimeStage::checkOwn() const { checkSettings(settings_, given_); }

void RetimeStage::run(StageContext& context) {
  OpenedPath opened = open(context, given_, path_.path);
  HermiteTrajectory motion;
  const PathWork::Report done =
      opened.work->retime(settings_, seedOf(settings_.stop, context), motion, [&] { return context.stopRequested(); });
  Value report = stageReport("retime", path_.path.text, opened, done.value);
  if (const Value replay = replaySettings(given_, done.stop, done.iterations); !replay.isNull())
    report.set("replay", replay);
  if (report.at("assumed_accelerations").size() > 0)
    context.log().write(
        LogLevel::warning, resultName_,
        "nothing limits the acceleration of " +
            listNames(report.at("assumed_accelerations").asStrings()).substr(std::string("available: ").size()) +
            ": they reach their velocity limit in " + std::to_string(settings_.limits.rampUp) + " s");
  Trajectory path = sampled(motion, settings_.sampleTolerance);
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
  stage.settings<PathSettings>().settings<CheckSettings>();
}

CheckStage::CheckStage(const ComponentContext& context)
    : PathStage(context), settings_(settingsFrom<CheckSettings>(context.settings)) {}

void CheckStage::run(StageContext& context) {
  OpenedPath opened = open(context, given_, path_.path);
  CheckSettings checking = settings_;
  if (const Value* margin = opened.problem.find("margin")) checking.options.margin = margin->asReal();
  const std::optional<HermiteTrajectory> motion = motionOf(context, opened.result);
  const Value value = motion ? opened.work->check(*motion, checking) : opened.work->check(checking);
  Value report = stageReport("check", path_.path.text, opened, value);
  if (const std::string warning = paddingWarning(report); !warning.empty())
    context.log().write(LogLevel::warning, resultName_, warning);
  const bool valid = report.at("valid").asBool();
  const std::string text = valid ? "" : report.at("faults")[0].string("text", "");
  context.saveResult(resultName_, std::move(report));
  if (!valid)
    throw Error("'" + path_.path.text + "' fails the check: " + text, path_.path.where, "the result lists all faults");
}

}  // namespace mortise
