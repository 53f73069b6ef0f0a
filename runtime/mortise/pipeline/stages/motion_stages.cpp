#include "mortise/pipeline/stages/motion_stages.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "mortise/base/error.h"
#include "mortise/pipeline/context/plan_context.h"
#include "mortise/pipeline/record/run_directory.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/plan_report.h"
#include "mortise/settings/output_path.h"
#include "mortise/timing/multipath/multipath_tools.h"

namespace mortise {

namespace {

std::string inFolder(const StageContext& context, const std::string& file, const SourcePosition& where = {}) {
  return outputPath(context.runDirectory(), file, where);
}

/// The file that a stage writes: below the folder of the run, and of a kind that motions are written to.
void checkTo(StageContext& context, const PlacedText& to, const std::optional<std::string>& as,
             Diagnostics& diagnostics) {
  try {
    checkRunFile(to.text, to.where);
    if (const std::filesystem::path file = to.text; file.is_relative() && file.has_parent_path())
      throw Error("is a name in the run directory, not '" + to.text + "'", to.where, "leave the folder out");
    FormatLoader writer(context.registry(), context.log());
    (void)motionKindFor(writer, FileContent::multipath, to.text, as.value_or(""));
  } catch (const Error& error) {
    diagnostics.error("'to': " + error.message(), error.where().line > 0 ? error.where() : to.where, error.hint());
  }
}

}  // namespace

void MotionSettings::bind(SettingBinder& b) {
  b.add("path", path, "The path: what an earlier stage saved, or a motion file.", {.required = true});
  b.add("robot", robot, "Name or id of the robot that moves; may be left out where the world has one.");
  b.add("save", save, "Name of the result; by default the stage's.");
}

MotionStage::MotionStage(const ComponentContext& context)
    : motion_(settingsFrom<MotionSettings>(context.settings)),
      resultName_(motion_.save.value_or(std::string(context.host.name()))) {}

const WorldRobot& MotionStage::robotOf(const StageContext& context) const {
  const int index = stageRobot(context.world(), motion_.robot, motion_.path.where);
  return context.world().robots[static_cast<std::size_t>(index)];
}

void MotionStage::check(StageContext& context, Diagnostics& diagnostics) {
  try {
    RobotPtr robot = robotOf(context).robot;
    if (!requireResultOrFile(context, motion_.path.text, ResultKind::motion, motion_.path.where))
      (void)motionOf(context, robot);
  } catch (const Error& error) {
    diagnostics.error(error);
  }
}

MultiPath MotionStage::motionOf(StageContext& context, RobotPtr& robot) const {
  robot = robotOf(context).robot;
  MultiPath path = stageMotion(context, motion_.path);
  requireLinks(path.dimension(), robotOf(context), motion_.path);
  return path;
}

Value MotionStage::reportOf(const char* stage, const Value& reported) const {
  Value report = Value::map();
  report.set("stage", stage);
  report.set("path", motion_.path.text);
  for (const Value::Entry& entry : reported.entries()) report.entries().push_back(entry);
  return report;
}

void MotionStage::keep(StageContext& context, Value report, const RobotPtr& robot, const MultiPath& path) const {
  Diagnostics lost;  // The .path is for those who take no sections: what it lacks is in the MultiPath beside it.
  MotionConversionOptions options;
  options.robot = robot;
  Trajectory plain = path.timed() ? std::get<Trajectory>(convertMotion(path, FileContent::trajectory, options, lost))
                                  : milestoneTrajectory(milestonesOf(path));
  FormatLoader writer(context.registry(), context.log());
  const std::string file = resultName_ + ".xml";
  writeMotion(writer, inFolder(context, file), path, 1e-4, lost);
  report.set("file", writeRunFile(context, resultName_, plain));
  report.set("multipath", file);
  context.saveMotion(resultName_, {std::move(plain), {}, path, {}});
  context.saveResult(resultName_, std::move(report));
}

SmoothStage::SmoothStage(const ComponentContext& context)
    : MotionStage(context), settings_(settingsFrom<SmoothSettings>(context.settings)) {}

void SmoothStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<SmoothStage>("mortise.Smooth");
  stage.alias("smooth").summary("A smooth curve through a path's milestones, on which links keep to their goals.");
  stage.settings<MotionSettings>().settings<SmoothSettings>().saves({ResultKind::motion, ResultKind::report});
}

void SmoothStage::run(StageContext& context) {
  RobotPtr robot;
  const MultiPath before = motionOf(context, robot);
  const MultiPath after = smoothMultiPath(robot, before, settings_.curve);
  keep(context, reportOf("smooth", pathReport(before, after)), robot, after);
}

DiscretizeStage::DiscretizeStage(const ComponentContext& context)
    : MotionStage(context), settings_(settingsFrom<DiscretizeSettings>(context.settings)) {}

void DiscretizeStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<DiscretizeStage>("mortise.Discretize");
  stage.alias("discretize").summary("Milestones of a path that straight lines may connect.");
  stage.settings<MotionSettings>().settings<DiscretizeSettings>().saves({ResultKind::motion, ResultKind::report});
}

void DiscretizeStage::run(StageContext& context) {
  RobotPtr robot;
  const MultiPath before = motionOf(context, robot);
  const MultiPath after = discretizeMultiPath(robot, before, settings_.curve, settings_.resolution);
  keep(context, reportOf("discretize", pathReport(before, after)), robot, after);
}

EvaluateStage::EvaluateStage(const ComponentContext& context)
    : MotionStage(context), settings_(settingsFrom<EvaluateSettings>(context.settings)) {
  if (!settings_.asked())
    throw Error("missing 'at' or 'every': the times on the path", motion_.path.where, "add 'every: 100 ms'");
}

void EvaluateStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<EvaluateStage>("mortise.Evaluate");
  stage.alias("evaluate").summary("Configurations of a path at given times, with links moved to their goals.");
  stage.settings<MotionSettings>().settings<EvaluateSettings>().saves(
      {ResultKind::motion, ResultKind::table, ResultKind::report});
}

void EvaluateStage::run(StageContext& context) {
  RobotPtr robot;
  const MultiPath path = motionOf(context, robot);
  std::vector<double> times = settings_.times(path.startTime(), path.endTime());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const Value reported = constrainedSamples(robot, path, times, settings_.interpolation);
  Trajectory samples;
  for (const Value& sample : reported.at("samples").items()) {
    const std::vector<double> q = sample.at("q").asReals();
    samples.times.push_back(sample.at("t").asReal());
    samples.configurations.push_back(Eigen::Map<const VectorXd>(q.data(), static_cast<Eigen::Index>(q.size())));
  }
  Value report = reportOf("evaluate", reported);
  report.set("file", writeRunFile(context, resultName_, samples));
  context.saveTrajectory(resultName_, std::move(samples));
  context.saveResult(resultName_, std::move(report));
}

void MotionFileSettings::bind(SettingBinder& b) { b.add("to", to, summary, {.required = true}); }

ConvertStage::ConvertStage(const ComponentContext& context)
    : MotionStage(context),
      file_(settingsFrom<MotionFileSettings>(context.settings)),
      settings_(settingsFrom<ConvertSettings>(context.settings)) {}

void ConvertStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<ConvertStage>("mortise.Convert");
  stage.alias("convert").summary("Writes a path as another kind of motion.");
  stage.settings<MotionSettings>()
      .settings(MotionFileSettings("The file to write, in the run's folder; its extension says what it holds."))
      .settings<ConvertSettings>()
      .saves({ResultKind::motion, ResultKind::files, ResultKind::report});
}

void ConvertStage::check(StageContext& context, Diagnostics& diagnostics) {
  MotionStage::check(context, diagnostics);
  checkTo(context, file_.to, settings_.as, diagnostics);
}

void ConvertStage::run(StageContext& context) {
  RobotPtr robot;
  const MultiPath path = motionOf(context, robot);
  FormatLoader writer(context.registry(), context.log());
  MotionConversionOptions options = settings_.options;
  options.robot = robot;
  const FileContent kind = motionKindFor(writer, FileContent::multipath, file_.to.text, settings_.as.value_or(""));
  Diagnostics reported;
  const Resource result = convertMotion(path, kind, options, reported);
  reported.throwIfErrors();
  writer.write(result, inFolder(context, file_.to.text, file_.to.where), reported);
  for (const Diagnostic& each : reported.all()) context.log().write(LogLevel::warning, resultName_, each.format());
  Value value = Value::map();
  value.set("to", contentName(kind));
  value.set("file", file_.to.text);
  Diagnostics unused;
  MotionConversionOptions plain;
  plain.robot = robot;
  context.saveTrajectory(resultName_,
                         std::get<Trajectory>(convertMotion(result, FileContent::trajectory, plain, unused)));
  context.saveResult(resultName_, reportOf("convert", value));
}

SplitStage::SplitStage(const ComponentContext& context)
    : MotionStage(context),
      file_(settingsFrom<MotionFileSettings>(context.settings)),
      settings_(settingsFrom<SplitSettings>(context.settings)) {
  const Value* at = context.settings.find("at");
  where_ = at != nullptr && at->position().known() ? at->position() : motion_.path.where;
}

void SplitStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<SplitStage>("mortise.Split");
  stage.alias("split").summary("Writes a path's sections, or parts of it, as files of their own.");
  stage.settings<MotionSettings>()
      .settings(MotionFileSettings(
          "The files to write, in the run's folder: NAME.EXT becomes NAME_0.EXT, NAME_1.EXT and so on."))
      .settings<SplitSettings>()
      .saves({ResultKind::files, ResultKind::report});
}

void SplitStage::check(StageContext& context, Diagnostics& diagnostics) {
  const int before = diagnostics.errorCount();
  MotionStage::check(context, diagnostics);
  checkTo(context, file_.to, {}, diagnostics);
  const std::vector<double>& at = settings_.at;
  if (at.empty() || diagnostics.errorCount() > before) return;
  try {
    // A path that is in a file already is cut; of others the order of the times is known.
    RobotPtr robot;
    if (!requireResultOrFile(context, motion_.path.text, ResultKind::motion, motion_.path.where))
      (void)splitAt(motionOf(context, robot), at);
    else if (std::adjacent_find(at.begin(), at.end(), std::greater_equal<>()) != at.end())
      throw Error("times have to grow");
  } catch (const Error& error) {
    diagnostics.error("'at': " + error.message(), where_, error.hint());
  }
}

void SplitStage::run(StageContext& context) {
  RobotPtr robot;
  const MultiPath path = motionOf(context, robot);
  FormatLoader writer(context.registry(), context.log());
  Diagnostics reported;
  const std::vector<MultiPath> parts = settings_.at.empty() ? splitSections(path) : splitAt(path, settings_.at);
  const Value written = writeParts(writer, inFolder(context, file_.to.text, file_.to.where), parts, reported);
  for (const Diagnostic& each : reported.all()) context.log().write(LogLevel::warning, resultName_, each.format());
  context.saveResult(resultName_, reportOf("split", written));
}

}  // namespace mortise
