#include "mortise/plan/plan_job.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/plan/plan_report.h"
#include "mortise/plan/plan_space.h"
#include "mortise/plan/roadmap_text.h"

namespace mortise {

namespace {

/// Told about ten times a second by `PlanSetup::run`.
class ShownProgress {
 public:
  ShownProgress(Progress* progress, const StopConditions& stop) : progress_(progress), stop_(stop) {
    if (progress_ == nullptr) return;
    timed_ = std::isfinite(stop.seconds);
    const bool counted = stop.iterations < std::numeric_limits<std::int64_t>::max();
    progress_->begin("planning", timed_ ? stop.seconds : counted ? static_cast<double>(stop.iterations) : 0);
  }
  ~ShownProgress() {
    if (progress_ != nullptr) progress_->end();
  }
  std::function<void(double, std::int64_t, double)> callback() {
    if (progress_ == nullptr) return {};
    return [this](double seconds, std::int64_t iterations, double) {
      progress_->advanceTo(timed_ ? seconds : static_cast<double>(iterations));
    };
  }

 private:
  Progress* progress_;
  StopConditions stop_;
  bool timed_ = false;
};

}  // namespace

PlanJobResult runPlanJob(std::shared_ptr<const World> world, const PlanJob& job, Registry& registry, LogSink& log,
                         Progress* progress, std::function<bool()> stopRequested) {
  PlanJobResult result;
  const std::shared_ptr<const WorldCollider> collider = makePlanCollider(world);
  PlanSetup setup(world, collider, job.plan, registry, log);
  result.movers.assign(setup.space().movers().begin(), setup.space().movers().end());
  PlanResult planned;
  {
    ShownProgress shown(progress, job.plan.stop);
    planned = setup.run(stopRequested, shown.callback());
  }
  result.report = planReport(setup, planned);
  if (!job.roadmap.empty()) {
    Roadmap roadmap;
    if (setup.planner().roadmap(roadmap)) {
      writeRoadmap(roadmap, setup.space(), job.roadmap);
      result.report.set("roadmap", job.roadmap);
    } else {
      log.write(LogLevel::warning, "plan",
                "planner '" + planned.planner + "' keeps no roadmap; '" + job.roadmap + "' is not written");
    }
  }
  result.path = planned.path;
  if (result.path.empty() || (!job.shortcut && !job.retime && !job.check)) return result;

  PathWork work(world, collider, job.plan.space, result.path);
  if (job.shortcut)
    result.report.set("shortcut", work.shortcut(*job.shortcut, job.plan.objective, job.plan.seed, stopRequested).value);
  result.path = work.path();
  if (job.retime) {
    HermiteTrajectory motion;
    result.report.set("retime", work.retime(*job.retime, job.plan.seed, motion, stopRequested).value);
    result.motion = std::move(motion);
  }
  if (job.check) {
    result.report.set("check", result.motion ? work.check(*result.motion, *job.check) : work.check(*job.check));
    if (const std::string warning = paddingWarning(result.report.at("check")); !warning.empty())
      log.write(LogLevel::warning, "check", warning);
  }
  return result;
}

std::string planJobText(const Value& report) {
  std::string text = planReportText(report);
  if (const Value* shortcut = report.find("shortcut")) text += shortcutText(*shortcut);
  if (const Value* retime = report.find("retime")) text += retimeText(*retime);
  if (const Value* check = report.find("check")) text += checkText(*check);
  return text;
}

}  // namespace mortise
