#include "mortise/pipeline/stages/ik_stage.h"

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/goals/ik_report.h"
#include "mortise/goals/terms_setting.h"
#include "mortise/ik/equations/term_text.h"
#include "mortise/pipeline/context/plan_context.h"
#include "mortise/planning/plan_report.h"
#include "mortise/planning/plan_substitutions.h"

namespace mortise {

void IKStageSettings::bind(SettingBinder& b) {
  b.add("goals", goals,
        "One goal or a list of goals, as of a plan's `goal_ik`: {link: hand, position: [0.5, 0, 0.4]}, {com: [0, 0]}, "
        "{joints: {elbow: 90 deg}}, {look_at: [1, 0, 0.5], link: head}, or files.",
        {.required = true, .aliases = {"goal"}});
  b.add("robot", robot, "Name or id of the robot that moves; may be left out where the world has one.");
  b.add("start", start,
        "The configuration from which the solution is looked for, and which links that do not matter keep; by "
        "default where the robot is in the world.",
        {.aliases = {"near"}});
  IKFreedomSettings::bind(b);
  IKSolveSettings::bind(b);
  b.add("save", save, "Name of the configuration and of the result; by default the stage's.");
}

IKStage::IKStage(const ComponentContext& context)
    : settings_(context.settings), resultName_(settings_->save.value_or(std::string(context.host.name()))) {}

void IKStage::declare(PluginBuilder& plugin) {
  plugin.stage<IKStage>("mortise.IK")
      .alias("ik")
      .summary("Finds a configuration of a robot in which links meet their goals.")
      .saves({ResultKind::motion, ResultKind::report})
      .settings<IKStageSettings>();
}

int IKStage::robotIndex(const StageContext& context) const {
  return stageRobot(context.world(), settings_->robot, settings_.position("goals"));
}

VectorXd IKStage::start(StageContext& context, Diagnostics& diagnostics) const {
  const WorldRobot& robot = context.world().robots[static_cast<std::size_t>(robotIndex(context))];
  if (settings_->start.isNull()) return robot.q;
  return ConfigurationReader(*robot.robot).read(settings_->start, robot.q, [&](const std::string& name) {
    return readConfigurationFile(context.loader(), name, context.pipeline().string("file", ""), diagnostics);
  });
}

IKProblem IKStage::problem(StageContext& context, Diagnostics& diagnostics) const {
  IKProblem problem;
  problem.robot = context.world().robots[static_cast<std::size_t>(robotIndex(context))].robot;
  problem.limits = settings_->limits;
  for (const std::string& name : settings_->active)
    problem.active.push_back(linkFromSetting(*problem.robot, Value::fromText(name)));
  problem.terms = ikTermsFromSetting(settings_->goals, *problem.robot, context.loader(), diagnostics,
                                     context.pipeline().string("file", ""));
  if (problem.terms.empty()) throw Error("'goals' holds no goal", settings_.position("goals"));
  return problem;
}

namespace {

/// Warns of goals that no configuration meets, as far as the lengths of links and joint limits tell.
void doubtTerms(const IKProblem& problem, const SourcePosition& where, Diagnostics& diagnostics) {
  for (const IKTerm& term : problem.terms) {
    if (term.priority > 0) continue;
    if (const std::string far = reachText(*problem.robot, term); !far.empty())
      diagnostics.warning("'goals': " + far, where, "move the goal nearer; lengths without a unit are in m");
    const auto* joint = std::get_if<CoordinateGoal>(&term.goal);
    if (joint == nullptr || !problem.limits) continue;
    const Link& link = problem.robot->link(joint->link);
    if (joint->value < link.qMin - 1e-9 || joint->value > link.qMax + 1e-9)
      diagnostics.warning("'goals': link '" + link.name + "' at " + formatReal(joint->value) +
                              " is outside of its joint limits, " + formatReal(link.qMin) + " to " +
                              formatReal(link.qMax),
                          where, "choose a value within; angles without a unit are in rad");
  }
}

}  // namespace

void IKStage::check(StageContext& context, Diagnostics& diagnostics) {
  const auto tried = [&](const SourcePosition& fallback, const auto& function) {
    try {
      function();
    } catch (const DiagnosticsError& errors) {
      diagnostics.error(errors);
    } catch (const Error& error) {
      if (error.where().line > 0)
        diagnostics.error(error);
      else
        diagnostics.error(error.message(), fallback, error.hint());
    }
  };
  tried(settings_.position(settings_->active.empty() ? "goals" : "active"),
        [&] { doubtTerms(problem(context, diagnostics), settings_.position("goals"), diagnostics); });
  tried(settings_.position("start"), [&] { (void)start(context, diagnostics); });
  if (settings_->method == IKSolveSettings::Method::analytic && !diagnostics.hasErrors())
    tried(settings_.position("method"), [&] { IKSolver(problem(context, diagnostics)).requireClosedForm(); });
}

void IKStage::run(StageContext& context) {
  Diagnostics diagnostics;
  IKOptions options = settings_->options(context.seed());
  options.start = start(context, diagnostics);
  IKSolver solver(problem(context, diagnostics));
  diagnostics.throwIfErrors();
  reportStartBeyondLimits(solver, options.start, context.log());
  const IKSolution solution = solver.solve(options);
  Value report = Value::map();
  report.set("stage", "ik");
  const Value value = ikSolutionValue(solution);
  for (const Value::Entry& entry : value.entries()) report.entries().push_back(entry);
  Trajectory found = milestoneTrajectory({solution.q});
  report.set("file", writeRunFile(context, resultName_, found));
  if (solution.solved) context.saveTrajectory(resultName_, std::move(found));
  context.saveResult(resultName_, std::move(report));
  if (!solution.solved)
    throw Error("no configuration meets the goals: " + ikVerdict(solution, solver.problem()),
                settings_.position("goals"),
                "'q' of the result is the nearest; allow more 'restarts', or change the goals");
}

}  // namespace mortise
