#include "mortise/pipeline/stages/balance_stage.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/mechanics/motion_balance.h"
#include "mortise/pipeline/context/plan_context.h"
#include "mortise/planning/settings/plan_parsing.h"

namespace mortise {

namespace {

MultiPath balancedMotion(StageContext& context, const std::string& path, Diagnostics& diagnostics) {
  const PlanSources sources = planSources(context, true);
  const Trajectory* saved = sources.savedMotion(path);
  if (saved == nullptr) return context.loader().load<MultiPath>(path, sources.referringFile, diagnostics);
  MultiPath motion;
  motion.sections.resize(1);
  motion.sections[0].milestones = saved->configurations;
  motion.sections[0].times = saved->times;
  return motion;
}

}  // namespace

void BalanceStageSettings::bind(SettingBinder& b) {
  b.add("path", path,
        "The path: what an earlier stage saved, or a motion file. Without `stance` and `contacts` a path of sections "
        "with holds is held by these, and others by what the robot touches of the world.",
        {.required = true});
  b.add("robot", robot, "Name or id of the robot that moves; may be left out where the world has one.");
  source.bind(b);
  b.add("margin", margin, "Least distance of the center of mass from the edge of the support polygon.", {.unit = "m"});
  BalanceSettings::bind(b);
  b.add("save", save, "Name of the result; by default the stage's.");
}

BalanceStage::BalanceStage(const ComponentContext& context)
    : settings_(context.settings), resultName_(context.settings.string("save", std::string(context.host.name()))) {}

void BalanceStage::declare(PluginBuilder& plugin) {
  plugin.stage<BalanceStage>("mortise.Balance")
      .alias("balance")
      .summary("Checks that a robot balances on its contacts at every milestone of a path.")
      .saves({ResultKind::report})
      .settings<BalanceStageSettings>();
}

int BalanceStage::robotIndex(const World& world) const {
  return stageRobot(world, settings_->robot, settings_.position("path"));
}

void BalanceStage::check(StageContext& context, Diagnostics& diagnostics) {
  try {
    (void)robotIndex(context.world());
    (void)settings_->source.inFile(settings_.position("path"));
    if (!requireResultOrFile(context, settings_->path, ResultKind::motion, settings_.position("path")))
      (void)context.loader().load<MultiPath>(settings_->path, context.pipeline().string("file", ""), diagnostics);
  } catch (const Error& error) {
    diagnostics.error(error);
  }
}

void BalanceStage::run(StageContext& context) {
  const int index = robotIndex(context.world());
  const RobotPtr robot = context.world().robots[static_cast<std::size_t>(index)].robot;
  Diagnostics diagnostics;
  const MultiPath motion = balancedMotion(context, settings_->path, diagnostics);
  bool holds = false;
  for (std::size_t s = 0; s < motion.sections.size(); ++s) holds = holds || !motion.holdsOf(s).empty();
  std::vector<LinkContact> fixed;
  std::unique_ptr<RobotInWorld> world;
  const ContactSourceSettings& source = settings_->source;
  if (source.inFile(settings_.position("path"))) {
    RobotDynamics dynamics(robot);
    dynamics.setPosition(robot->initialConfiguration());
    fixed = source.read(context.loader(), dynamics, diagnostics, context.pipeline().string("file", "")).contacts;
  } else if (!holds) {
    world = std::make_unique<RobotInWorld>(worldOf(context), index, source.inWorld());
  }
  diagnostics.throwIfErrors();
  const BalanceOptions options = settings_->options();
  const MotionBalance balance = testBalance(robot, motion, fixed, world.get(), options);
  Value report = Value::map();
  report.set("stage", "balance");
  report.set("path", settings_->path);
  report.set("milestones", static_cast<std::int64_t>(balance.milestones.size()));
  const Value value = motionBalanceValue(balance);
  for (const char* key : {"balanced", "balanced_fraction", "margin"}) report.set(key, value.at(key));
  Value faults = Value::list();
  std::string first;
  for (std::size_t i = 0; i < balance.milestones.size(); ++i) {
    const MotionBalance::Milestone& milestone = balance.milestones[i];
    if (milestone.balanced && milestone.margin >= settings_->margin - options.tolerance) continue;
    if (first.empty()) {
      first = "at milestone " + std::to_string(milestone.index) + " of section " + std::to_string(milestone.section);
      if (milestone.contacts == 0)
        first += " it touches nothing";
      else if (!std::isfinite(milestone.margin))
        first += " nothing balances on its " + std::to_string(milestone.contacts) +
                 (milestone.contacts == 1 ? " contact" : " contacts") + ", wherever its center of mass is";
      else
        first +=
            " the margin is " + formatReal(milestone.margin, 4) + " m, not " + formatReal(settings_->margin, 4) + " m";
    }
    faults.push_back(value.at("milestones")[i]);
  }
  report.set("faults", std::move(faults));
  context.saveResult(resultName_, std::move(report));
  if (!first.empty())
    throw Error("'" + settings_->path + "' does not keep its balance: " + first, settings_.position("path"),
                "'faults' of the result lists all such milestones");
}

}  // namespace mortise
