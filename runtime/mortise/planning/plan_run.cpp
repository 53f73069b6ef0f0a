#include "mortise/planning/plan_run.h"

#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

#include "mortise/planning/path_work.h"
#include "mortise/planning/plan_report.h"
#include "mortise/planning/plan_substitutions.h"
#include "mortise/planning/roadmap_text.h"
#include "mortise/planning/space/plan_space.h"

namespace mortise {

namespace {

/// Shows the progress of `PlanSetup::run`, which calls it about ten times a second.
class ShownProgress {
 public:
  ShownProgress(Progress* progress, const std::string& name, const StopConditions& stop) : progress_(progress) {
    if (progress_ == nullptr) return;
    timed_ = std::isfinite(stop.seconds);
    const bool counted = stop.iterations < std::numeric_limits<std::int64_t>::max();
    progress_->begin(name, timed_ ? stop.seconds : counted ? static_cast<double>(stop.iterations) : 0);
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
  bool timed_ = false;
};

/// Finds where paddings touch, for paths that are not checked otherwise.
CheckSettings quickCheck() {
  CheckSettings settings;
  settings.bounds = false;
  settings.options.resolution = 0.01;
  settings.options.maxFaults = std::numeric_limits<int>::max();
  return settings;
}

/// A line of the summary.
std::string paddingText(const Value& touches) {
  if (touches.size() == 0) return {};
  const Value* worst = &touches[0];
  for (const Value& touch : touches.items())
    if (touch.real("distance", 0) - touch.real("padding", 0) < worst->real("distance", 0) - worst->real("padding", 0))
      worst = &touch;
  std::ostringstream out;
  out << std::setprecision(3) << "  padding      " << touches.size()
      << (touches.size() == 1 ? " pair of bodies comes" : " pairs of bodies come")
      << " closer than the padding of a simulation: " << worst->real("distance", 0) << " m of "
      << worst->real("padding", 0) << " m, " << worst->at("who")[0].asString() << " and "
      << worst->at("who")[1].asString() << "\n               --check lists them, --padding simulation keeps away\n";
  return out.str();
}

std::optional<Roadmap> fullRoadmap(PlanSetup& setup) {
  Roadmap roadmap;
  if (!setup.planner().roadmap(roadmap)) return std::nullopt;
  for (VectorXd& q : roadmap.configurations) {
    VectorXd full;
    setup.space().lift(q, full);
    q = std::move(full);
  }
  return roadmap;
}

}  // namespace

PlanResult runPlanner(PlanSetup& setup, Progress* progress, const std::string& name,
                      const std::function<bool()>& stopRequested) {
  PlanResult result;
  {
    ShownProgress shown(progress, name, setup.request().stop);
    result = setup.run(stopRequested, shown.callback());
  }
  result.report = planReport(setup, result);
  return result;
}

PlanResult runPlan(std::shared_ptr<const World> world, const PlanRequest& request, Registry& registry, LogSink& log,
                   Progress* progress, std::function<bool()> stopRequested) {
  const std::shared_ptr<const WorldCollider> collider = makePlanCollider(world);
  PlanSetup setup(world, collider, request, registry, log);
  PlanResult result = runPlanner(setup, progress, "planning", stopRequested);
  if (!request.roadmap.empty()) {
    if (writeRoadmap(setup.planner(), setup.space(), request.roadmap))
      result.report.set("roadmap", request.roadmap);
    else
      log.write(LogLevel::warning, "plan",
                "planner '" + result.planner + "' keeps no roadmap; '" + request.roadmap + "' is not written");
  }
  if (request.keepRoadmap) result.roadmap = fullRoadmap(setup);
  if (result.path.empty()) return result;

  PathWork work(world, collider, request.space, result.path);
  const auto seedOf = [&](const PathStopSettings& stop) {
    return stop.seed ? static_cast<std::uint64_t>(*stop.seed) : request.seed;
  };
  if (request.shortcut) {
    const std::uint64_t seed = seedOf(request.shortcut->stop);
    result.report.set("shortcut", work.shortcut(*request.shortcut, request.objective, seed, stopRequested).value);
  }
  result.path = work.path();
  if (request.retime) {
    HermiteTrajectory motion;
    const std::uint64_t seed = seedOf(request.retime->stop);
    result.report.set("retime", work.retime(*request.retime, seed, motion, stopRequested).value);
    result.motion = std::move(motion);
    reportAssumedAccelerations(result.report.at("retime"), request.retime->limits.rampUp, log);
  }
  if (!request.check) {
    const CheckSettings quick = quickCheck();
    const Value checks = result.motion ? work.check(*result.motion, quick) : work.check(quick);
    result.report.set("padding_touches", checks.at("padding_touches"));
  } else {
    result.report.set("check", result.motion ? work.check(*result.motion, *request.check) : work.check(*request.check));
    if (const std::string warning = paddingWarning(result.report.at("check")); !warning.empty())
      log.write(LogLevel::warning, "check", warning);
  }
  return result;
}

std::string planResultText(const Value& report) {
  std::string text = planReportText(report);
  if (const Value* touches = report.find("padding_touches")) text += paddingText(*touches);
  if (const Value* shortcut = report.find("shortcut")) text += shortcutText(*shortcut);
  if (const Value* retime = report.find("retime")) text += retimeText(*retime);
  if (const Value* check = report.find("check")) text += checkText(*check);
  return text;
}

}  // namespace mortise
