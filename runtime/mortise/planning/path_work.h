#pragma once

/// The steps after planning: shortcuts, timing, checks.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mortise/model/world.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/planning/request/path_settings.h"
#include "mortise/planning/request/plan_request.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// A path of full configurations in the space that it was planned in. An object belongs to one thread.
class PathWork {
 public:
  /// `collider`: one of this world, or null. Throws `Error` for paths that are empty, have the wrong size, or move what
  /// is not planned for.
  PathWork(std::shared_ptr<const World> world, std::shared_ptr<const WorldCollider> collider, PlanSpaceRequest request,
           std::vector<VectorXd> path);
  ~PathWork();

  MotionSpace& space();
  const std::vector<VectorXd>& path() const;  ///< Full configurations.
  double length() const;                      ///< In the space's metric.

  struct Report {
    Value value;  ///< The result as numbers.
    StopConditions stop;
    std::int64_t iterations = 0;
  };
  /// Improves the path; afterwards `path` is the new one.
  Report shortcut(const ShortcutSettings& settings, const PlanRequest::Objective& objective, std::uint64_t seed,
                  std::function<bool()> stopRequested = {});
  /// Makes the path smooth and clear of everything (`optimizePath`); it need not be free before. {cost, cost_before,
  /// length, length_before, clearance, clearance_before, milestones, milestones_before, iterations, penalty, feasible}.
  Value optimize(const OptimizeSettings& settings, const std::function<bool()>& stopRequested = {});
  /// A timed motion of full configurations along the path, or near it.
  Report retime(const RetimeSettings& settings, std::uint64_t seed, HermiteTrajectory& motion,
                std::function<bool()> stopRequested = {});
  /// {valid, configurations, clearance, nearest, clearance_with_padding, padding_touches, faults}: with the padding of
  /// a simulation subtracted, and the pairs that touch because of it, which is not a fault.
  Value check(const CheckSettings& settings);
  /// Checks a motion with velocities.
  Value check(const HermiteTrajectory& motion, const CheckSettings& settings);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The reports of the functions above as text.
std::string shortcutText(const Value& report);
std::string optimizeText(const Value& report);
std::string retimeText(const Value& report);
std::string checkText(const Value& report);
/// A warning about the pairs of `padding_touches` in the report of `check`; empty when there are none.
std::string paddingWarning(const Value& report);

}  // namespace mortise
