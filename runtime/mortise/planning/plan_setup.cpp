#include "mortise/planning/plan_setup.h"

#include <chrono>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/planning/blockage.h"
#include "mortise/planning/request/required_planner.h"
#include "mortise/planning/space/full_path.h"
#include "mortise/planning/space/plan_goal.h"
#include "mortise/planning/space/plan_space.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/scene/substitution.h"

namespace mortise {

struct PlanSetup::Parts {
  std::shared_ptr<const World> world;
  PlanRequest request;
  std::unique_ptr<MotionSpace> space;
  std::unique_ptr<PlanningGoal> unused;  ///< The goal as made; each run has a copy of its own.
  std::unique_ptr<PlanningGoal> goal;
  std::unique_ptr<PlanningObjective> objective;
  std::optional<PlanningProblem> problem;
  ChannelTable channels;
  std::unique_ptr<ComponentHost> host;
  ComponentPtr<Planner> planner;
  std::string plannerName, package;

  void renew() {
    goal = unused->copy();
    problem.emplace(PlanningProblem{*space, problem ? std::move(problem->starts) : std::vector<VectorXd>(), *goal,
                                    objective.get()});
  }
};

namespace {

VectorXd reducedStart(const MotionSpace& space, const World& world, const VectorXd& full) {
  if (full.size() != space.fullSize())
    throw Error("a start has " + std::to_string(full.size()) + " numbers, but full configurations have " +
                std::to_string(space.fullSize()));
  int difference = -1;
  if (!space.agrees(full, &difference))
    throw Error("the starts differ in " + fullCoordinateName(space, world, difference) + ", which is not planned for",
                {}, "name it among the links, or give all starts the same value");
  VectorXd q;
  space.reduce(full, q);
  return q;
}

/// Configurations in files satisfy constraints only to the precision of the program that wrote them: those within
/// `nearby` are projected. Others stay, and the run reports them.
void settle(const MotionSpace& space, VectorXd& full, double nearby, const std::string& what, LogSink& log) {
  if (full.size() != space.fullSize()) return;
  VectorXd q, moved;
  space.reduce(full, q);
  const double off = space.residual(q);
  moved = q;
  if (off <= space.residualTolerance() || off > nearby || !space.project(moved)) return;
  space.lift(moved, full);
  substitute(log, {SubstitutionKind::constraints, "",
                   what + " violates the constraints of 'keep' by " + formatReal(off, 4) +
                       " (m or rad) and is projected onto them, moving by " +
                       formatReal((moved - q).cwiseAbs().maxCoeff(), 4)});
}

}  // namespace

/// To the message of a run that ended without a path: what the planner had built, and what is in the way.
void PlanSetup::explainFailure(Parts& parts, PlanningOutcome& outcome) {
  const bool searched = outcome.status == PlanningStatus::stopped || outcome.status == PlanningStatus::exhausted;
  if (!outcome.path.empty() || !searched || parts.problem->starts.empty()) return;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) outcome.message += (outcome.message.empty() ? "" : "; ") + text;
  };
  add(builtText(outcome.statistics));
  const std::unique_ptr<PlanningSpace> space = parts.space->copy();
  const std::unique_ptr<PlanningGoal> goal = parts.unused->copy();
  add(blockageText(whatBlocks(*space, parts.problem->starts.front(), *goal)));
}

PlanSetup::PlanSetup(std::shared_ptr<const World> world, std::shared_ptr<const WorldCollider> collider,
                     PlanRequest request, Registry& registry, LogSink& log)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.world = std::move(world);
  p.request = std::move(request);
  const ComponentInfo& info = requirePlanner(registry, p.request.planner, p.request.settings.position());
  p.plannerName = info.name;
  p.package = info.package;
  Diagnostics diagnostics;
  const Value settings = registry.completeSettings(info, p.request.settings, diagnostics);
  diagnostics.throwIfErrors();
  if (p.request.starts.empty()) throw Error("there is no start");

  if (const auto prepared = planWorld(p.world, p.request.space); prepared != p.world) {
    p.world = prepared;
    collider = nullptr;
  }
  if (collider == nullptr) collider = makePlanCollider(p.world);
  p.space = makePlanSpace(std::move(collider), p.request.space, p.request.starts.front());
  for (VectorXd& start : p.request.starts) settle(*p.space, start, p.request.space.keepNearby, "a start", log);
  for (VectorXd& goal : p.request.goal.configurations)
    settle(*p.space, goal, p.request.space.keepNearby, "a goal", log);
  p.unused = makePlanGoal(*p.space, p.world, p.request, reducedStart(*p.space, *p.world, p.request.starts.front()));
  p.objective = makePlanObjective(*p.space, *p.world, p.request.objective);
  p.renew();
  for (const VectorXd& start : p.request.starts) p.problem->starts.push_back(reducedStart(*p.space, *p.world, start));

  p.host = std::make_unique<ComponentHost>("planner", p.request.seed, log, nullptr, p.channels, std::string(),
                                           std::string());
  p.planner = registry.create<Planner>(info, settings, *p.host);
}

PlanSetup::~PlanSetup() = default;

const PlanRequest& PlanSetup::request() const { return parts_->request; }
const World& PlanSetup::world() const { return *parts_->world; }
MotionSpace& PlanSetup::space() { return *parts_->space; }
PlanningGoal& PlanSetup::goal() { return *parts_->goal; }
const PlanningProblem& PlanSetup::problem() const { return *parts_->problem; }
Planner& PlanSetup::planner() { return *parts_->planner; }

PlanResult PlanSetup::run(std::function<bool()> stopRequested,
                          std::function<void(double seconds, std::int64_t iterations, double cost)> progress) {
  Parts& p = *parts_;
  p.renew();
  RandomStream random(p.request.seed, "plan");
  const StopClock* watched = nullptr;
  auto shown = std::chrono::steady_clock::now();
  std::function<bool()> asked = stopRequested;
  if (progress)
    asked = [&] {
      const auto now = std::chrono::steady_clock::now();
      if (now - shown >= std::chrono::milliseconds(100)) {
        shown = now;
        progress(watched->seconds(), watched->iterations(), watched->cost());
      }
      return stopRequested && stopRequested();
    };
  StopClock stop(p.request.stop, std::move(asked));
  watched = &stop;
  PlanResult result;
  result.planner = p.plannerName;
  result.dimension = p.space->fullSize();
  result.movers.assign(p.space->movers().begin(), p.space->movers().end());
  try {
    result.run = runPlanner(*p.planner, *p.problem, random, stop);
  } catch (const Error& error) {
    throw Error(p.plannerName + " of " + p.package + ": " + error.message(), error.where(), error.hint());
  }
  explainFailure(p, result.run.outcome);
  result.path = fullPath(*p.space, *p.world, result.run.outcome.path);
  return result;
}

}  // namespace mortise
