#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mortise/model/world.h"
#include "mortise/planning/plan_result.h"
#include "mortise/planning/request/plan_request.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// A request made ready to run: its space, goal, objective and planner. An object belongs to one thread.
class PlanSetup {
 public:
  /// Throws `Error` for unknown planners, wrong settings, wrong sizes and contradictions.
  /// `collider`: one of this world, which many setups may share, or null. `registry` and `log` outlive the setup.
  PlanSetup(std::shared_ptr<const World> world, std::shared_ptr<const WorldCollider> collider, PlanRequest request,
            Registry& registry, LogSink& log);
  ~PlanSetup();

  const PlanRequest& request() const;
  const World& world() const;
  MotionSpace& space();
  PlanningGoal& goal();
  const PlanningProblem& problem() const;
  Planner& planner();

  /// Plans from the beginning, without the steps after planning; equal requests give equal paths. `stopRequested` may
  /// be empty; `progress` too: called about ten times a second with seconds, iterations and the best cost so far.
  PlanResult run(std::function<bool()> stopRequested = {},
                 std::function<void(double seconds, std::int64_t iterations, double cost)> progress = {});

 private:
  struct Parts;
  static void explainFailure(Parts& parts, PlanningOutcome& outcome);
  std::unique_ptr<Parts> parts_;
};

}  // namespace mortise
