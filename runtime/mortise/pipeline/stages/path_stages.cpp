#include "mortise/pipeline/stages/path_stages.h"

#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/loading/format_loader.h"
#include "mortise/mechanics/held_motion.h"
#include "mortise/pipeline/context/plan_context.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/path_work.h"
#include "mortise/planning/plan_report.h"
#include "mortise/planning/plan_substitutions.h"
#include "mortise/planning/settings/plan_parsing.h"
#include "mortise/planning/settings/plan_settings.h"
#include "mortise/simulation/scene/substitution.h"
#include "mortise/text/suggest.h"
#include "mortise/timing/multipath/multipath_timing.h"

namespace mortise {

namespace {

struct OpenedPath {
  std::unique_ptr<PathWork> work;
  Value problem;  ///< Settings of the space, those of the plan among them.
  PlanRequest::Objective objective;
  Value movers;
  std::vector<MotionPart> parts;
  const SavedMotion* saved = nullptr;  ///< Null for files.
};

/// The path of full configurations, and the space that it was planned in unless the stage's settings say otherwise.
OpenedPath open(StageContext& context, const Value& settings, const PlacedText& given) {
  const std::string& name = given.text;
  OpenedPath opened;
  const Value* planned = context.findSpace(name);
  const Value all = overlaid(settings, planned != nullptr ? *planned : Value());
  opened.problem = problemSettings(all);
  const PlanSources sources = planSources(context, true);
  Diagnostics diagnostics;
  const PlanSpaceRequest space = readPlanSpace(all, sources, diagnostics);
  diagnostics.throwIfErrors();
  opened.objective = readPlanObjective(all, sources, space, diagnostics);
  diagnostics.throwIfErrors();
  opened.movers = moversValue(context.world(), space);
  opened.parts = motionParts(context.world(), space);
  std::vector<VectorXd> path;
  if (const Trajectory* saved = sources.savedMotion(name)) {
    path = saved->configurations;
    opened.saved = context.findMotion(name);
  } else {
    path = context.loader().load<Trajectory>(name, sources.referringFile, diagnostics).configurations;
    diagnostics.throwIfErrors();
    for (const Diagnostic& lost : diagnostics.all())
      if (lost.severity == Severity::warning)
        substitute(context.log(), {SubstitutionKind::component, name, Error(lost.message, lost.where).what()});
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

/// Leaves a path in the space that it was opened in, for later stages.
void keep(StageContext& context, const std::string& name, const OpenedPath& opened, Trajectory path,
          std::optional<HermiteTrajectory> motion, Value report) {
  context.saveMotion(name, {std::move(path), std::move(motion), {}, opened.parts});
  context.saveSpace(name, opened.problem);
  context.saveResult(name, std::move(report));
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
    if (!requireResultOrFile(context, path.text, ResultKind::motion, path.where)) {
      // What is lost of a file that holds more than a trajectory is said by the stage, if the stage loses it.
      Diagnostics loading;
      const Trajectory motion =
          context.loader().load<Trajectory>(path.text, context.pipeline().string("file", ""), loading);
      for (const Diagnostic& problem : loading.all())
        if (problem.severity == Severity::error) diagnostics.add(problem);
      const std::vector<WorldRobot>& robots = context.world().robots;
      const Value* object = given_.find("object");
      if (robots.size() == 1 && (object == nullptr || object->isNull()) && !motion.empty())
        requireLinks(motion.configurations.front().size(), robots.front(), path);
    }
  } catch (const Error& error) {
    diagnostics.error("'path': " + error.message(), error.where().line > 0 ? error.where() : path.where, error.hint());
  }
  for (const UnusedSetting& unused : unusedSettings())
    if (const Value* value = given_.find(unused.key); value != nullptr && !value->isNull() && value->position().known())
      diagnostics.warning("'" + std::string(unused.key) + "' has no effect: " + unused.why, value->position(),
                          "leave it out");
  // The plan's own settings are known when it has run; those of this stage are checked now.
  Value written = problemSettings(given_);
  const bool objective = written.erase("objective");
  const bool movers = written.contains("robot") || written.contains("robots") || written.contains("object");
  if (movers || (written.size() > 0 && context.world().robots.size() == 1)) {
    const PlanSources sources = planSources(context, false);
    const int before = diagnostics.errorCount();
    const PlanSpaceRequest space =
        readPlanSpace(planSpaceSchema().complete(written, "the path", diagnostics), sources, diagnostics);
    if (objective && diagnostics.errorCount() == before) (void)readPlanObjective(given_, sources, space, diagnostics);
  }
}

// -- Shortcut
// ------------------------------------------------------------------------------------------------------------

void ShortcutStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<ShortcutStage>("mortise.Shortcut");
  stage.alias("shortcut").summary("Shortens a path without collisions.");
  stage.settings<PathSettings>().settings<PathObjectiveSettings>().settings<ShortcutSettings>().saves(
      {ResultKind::motion, ResultKind::space, ResultKind::report});
}

ShortcutStage::ShortcutStage(const ComponentContext& context)
    : PathStage(context), settings_(settingsFrom<ShortcutSettings>(context.settings)) {}

void ShortcutStage::checkOwn() const { checkSettings(settings_, given_); }

std::vector<UnusedSetting> ShortcutStage::unusedSettings() const {
  return {{"workspace", "shortcuts lie between configurations of the path, and none is sampled elsewhere"}};
}

void ShortcutStage::run(StageContext& context) {
  OpenedPath opened = open(context, given_, path_.path);
  const PathWork::Report done = opened.work->shortcut(settings_, opened.objective, seedOf(settings_.stop, context),
                                                      [&] { return context.stopRequested(); });
  Value report = stageReport("shortcut", path_.path.text, opened, done.value);
  if (const Value replay = replaySettings(given_, done.stop, done.iterations); !replay.isNull())
    report.set("replay", replay);
  Trajectory path = milestoneTrajectory(opened.work->path());
  report.set("file", writeRunFile(context, resultName_, path));
  keep(context, resultName_, opened, std::move(path), std::nullopt, std::move(report));
}

// -- Optimize
// ------------------------------------------------------------------------------------------------------------

void OptimizeStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<OptimizeStage>("mortise.Optimize");
  stage.alias("optimize").summary("Makes a path smooth and clear of everything by sequential convex optimization.");
  stage.settings<PathSettings>().settings<OptimizeSettings>().saves(
      {ResultKind::motion, ResultKind::space, ResultKind::report});
}

OptimizeStage::OptimizeStage(const ComponentContext& context)
    : PathStage(context), settings_(settingsFrom<OptimizeSettings>(context.settings)) {}

std::vector<UnusedSetting> OptimizeStage::unusedSettings() const {
  constexpr const char* kWhy = "the optimization tests configurations every 'step'";
  return {{"edges", kWhy}, {"resolution", kWhy}};
}

void OptimizeStage::run(StageContext& context) {
  OpenedPath opened = open(context, given_, path_.path);
  const Value done = opened.work->optimize(settings_, [&] { return context.stopRequested(); });
  reportKeptClearance(done, context.log());
  Value report = stageReport("optimize", path_.path.text, opened, done);
  Trajectory path = milestoneTrajectory(opened.work->path());
  report.set("file", writeRunFile(context, resultName_, path));
  keep(context, resultName_, opened, std::move(path), std::nullopt, std::move(report));
  if (!done.at("feasible").asBool())
    throw Error("'" + path_.path.text + "' could not be made free of collisions", path_.path.where,
                "plan another path, or allow more 'penalty_rounds', 'waypoints' or less 'clearance'");
}

// -- Retime
// --------------------------------------------------------------------------------------------------------------

void RetimeStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<RetimeStage>("mortise.Retime");
  stage.alias("retime").summary(
      "Times a path within the robot's limits of velocity and acceleration, and of torques and contact forces.");
  stage.settings<PathSettings>().settings<RetimeSettings>().settings<ForceTimingSettings>().saves(
      {ResultKind::motion, ResultKind::space, ResultKind::report});
}

RetimeStage::RetimeStage(const ComponentContext& context)
    : PathStage(context),
      settings_(settingsFrom<RetimeSettings>(context.settings)),
      forces_(settingsFrom<ForceTimingSettings>(context.settings)) {}

void RetimeStage::checkOwn() const {
  checkSettings(settings_, given_);
  if (forces_.asked() && settings_.method)
    throw Error("'method: " + *settings_.method + "' keeps to no torques, contact forces or curves", path_.path.where,
                "leave 'method' out, or 'torque', 'contacts' and 'curve'");
}

std::vector<UnusedSetting> RetimeStage::unusedSettings() const {
  std::vector<UnusedSetting> unused;
  const auto add = [&](std::initializer_list<const char*> keys, const char* why) {
    for (const char* key : keys) unused.push_back({key, why});
  };
  if (forces_.asked()) {
    add({"object", "robots", "planar", "links", "margin", "padding", "edges", "resolution", "weights", "ignore", "keep",
         "keep_tolerance", "stance", "balance_margin", "workspace"},
        "a motion under bounds of forces keeps to the path, and looks for no collisions");
    add({"shortcut", "tolerance", "idle", "time_limit", "iterations", "seed"},
        "a motion under bounds of forces keeps to the path; there is nothing to shorten");
    if (!forces_.torque) add({"torque_scale"}, "'torque' is off");
  } else {
    add({"goal_tolerance", "torque_scale", "grid"}, "it goes with 'torque', 'contacts', 'curve' or 'jerk'");
  }
  if (!forces_.contacts) add({"touch", "friction", "friction_scale", "min_force"}, "'contacts' is off");
  const std::string method = settings_.method.value_or("");
  if (!forces_.asked() && method != "" && method != "parabolic")
    add({"shortcut", "tolerance", "idle", "time_limit", "iterations", "seed"}, "it goes with 'method: parabolic'");
  if (!forces_.asked() && (method == "parabolic" || method == "linear"))
    add({"deviation"}, "it goes with 'method: blend'");
  return unused;
}

void RetimeStage::runWithForces(StageContext& context) {
  const World& world = context.world();
  const Value* named = given_.find("robot");
  const int index = stageRobot(world, named != nullptr ? *named : Value(), path_.path.where);
  const RobotPtr robot = world.robots[static_cast<std::size_t>(index)].robot;
  MultiPath path = stageMotion(context, path_.path);
  Value report = Value::map(), sections;
  if (forces_.contacts) {
    WorldContactOptions touch;
    touch.touch = forces_.touch;
    touch.maxContacts = 8;
    touch.friction = forces_.friction;
    RobotInWorld standing(worldOf(context), index, touch);
    HeldPath held = holdInWorld(standing, robot, path);
    sections = heldValue(held, *robot);
    path = std::move(held.path);
  }
  const TimingSettings bounds = {forces_, settings_.options.deviation, settings_.limits, std::nullopt};
  const MultiPathTiming timing = timeMultiPath(robot, path, multiPathTiming(bounds, world.simulation.gravity));
  report.set("stage", "retime");
  report.set("path", path_.path.text);
  report.set("method", "optimal");
  report.set("velocity_usage", timing.peakVelocity);
  report.set("acceleration_usage", timing.peakAcceleration);
  const Value reported = timingReport(timing);
  for (const Value::Entry& entry : reported.entries()) report.entries().push_back(entry);
  reportAssumedAccelerations(report, settings_.limits.rampUp, context.log());
  if (!sections.isNull()) report.set("sections", std::move(sections));
  Value mover = Value::map(), movers = Value::list();
  mover.set("robot", world.robots[static_cast<std::size_t>(index)].name);
  mover.set("id", world.robotId(index));
  movers.push_back(std::move(mover));
  report.set("movers", std::move(movers));
  Trajectory motion = sampled(timing.motion, settings_.sampleTolerance);
  report.set("file", writeRunFile(context, resultName_, motion));
  report.set("motion", writeRunFile(context, resultName_, timing.motion));
  const int links = robot->numLinks();
  context.saveMotion(resultName_, {std::move(motion), timing.motion, {}, {{world.robotId(index), 0, links}}});
  context.saveResult(resultName_, std::move(report));
}

void RetimeStage::run(StageContext& context) {
  if (forces_.asked()) return runWithForces(context);
  OpenedPath opened = open(context, given_, path_.path);
  HermiteTrajectory motion;
  const PathWork::Report done =
      opened.work->retime(settings_, seedOf(settings_.stop, context), motion, [&] { return context.stopRequested(); });
  Value report = stageReport("retime", path_.path.text, opened, done.value);
  if (const Value replay = replaySettings(given_, done.stop, done.iterations); !replay.isNull())
    report.set("replay", replay);
  reportAssumedAccelerations(report, settings_.limits.rampUp, context.log());
  Trajectory path = sampled(motion, settings_.sampleTolerance);
  report.set("file", writeRunFile(context, resultName_, path));
  report.set("motion", writeRunFile(context, resultName_, motion));
  keep(context, resultName_, opened, std::move(path), std::move(motion), std::move(report));
}

// -- Check
// ---------------------------------------------------------------------------------------------------------------

void CheckStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<CheckStage>("mortise.Check");
  stage.alias("check").summary(
      "Checks a path for collisions, ten times finer than planners and by another method, and against all limits.");
  stage.settings<PathSettings>().settings<CheckSettings>().saves({ResultKind::report});
}

CheckStage::CheckStage(const ComponentContext& context)
    : PathStage(context), settings_(settingsFrom<CheckSettings>(context.settings)) {}

std::vector<UnusedSetting> CheckStage::unusedSettings() const {
  constexpr const char* kWhy = "the check tests configurations every 'step'";
  std::vector<UnusedSetting> unused = {{"edges", kWhy}};
  if (path_.keep.isNull()) unused.push_back({"resolution", kWhy});
  return unused;
}

void CheckStage::run(StageContext& context) {
  OpenedPath opened = open(context, given_, path_.path);
  CheckSettings checking = settings_;
  if (const Value* margin = opened.problem.find("margin")) checking.options.margin = margin->asReal();
  const bool spline = opened.saved != nullptr && opened.saved->spline;
  const Value value = spline ? opened.work->check(*opened.saved->spline, checking) : opened.work->check(checking);
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
