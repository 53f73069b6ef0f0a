#pragma once

/// What is done to a path once there is one: shortcuts, times, checks.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/schema.h"
#include "mortise/model/world.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/planning/paths/path_check.h"
#include "mortise/planning/paths/path_shortcut.h"
#include "mortise/planning/paths/retime.h"
#include "mortise/planning/plan_request.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// What of the settings `ShortcutSettings`, `RetimeSettings` and `CheckSettings` come from; complete maps of these.
const Schema& shortcutSchema();
const Schema& retimeSchema();
const Schema& checkSchema();

struct ShortcutSettings {
  ShortcutOptions options;
  StopConditions stop;
  static ShortcutSettings from(const Value& settings);
};

struct RetimeSettings {
  std::string method;  ///< Empty: parabolic, or blend in spaces whose ways are no lines.
  RetimeOptions options;
  MotionLimitOptions limits;
  StopConditions stop;
  double sampleTolerance = 1e-4;  ///< Of motions that are straight between configurations (`sampled`).
  static RetimeSettings from(const Value& settings);
};

struct CheckSettings {
  PathCheckOptions options;
  bool bounds = true;  ///< Of motions with velocities: whether velocities and accelerations are checked.
  MotionLimitOptions limits;
  static CheckSettings from(const Value& settings);
};

/// A path of whole configurations in the space that it was planned in. An object belongs to one thread.
class PathWork {
 public:
  /// `collider` may be null; else one of this world. Throws `Error` for paths that are empty, of the wrong size, or
  /// that move what is not planned for.
  PathWork(std::shared_ptr<const World> world, std::shared_ptr<const WorldCollider> collider, PlanSpaceRequest request,
           std::vector<VectorXd> path);
  ~PathWork();

  MotionSpace& space();
  const std::vector<VectorXd>& path() const;  ///< Whole configurations.
  double length() const;                      ///< In the space's metric.

  struct Report {
    Value value;  ///< What was done, as numbers.
    StopConditions stop;
    std::int64_t iterations = 0;
  };
  /// Makes the path better; afterwards `path` is the new one.
  Report shortcut(const ShortcutSettings& settings, const PlanObjectiveRequest& objective, std::uint64_t seed,
                  std::function<bool()> stopRequested = {});
  /// A motion of whole configurations along the path, or near it.
  Report retime(const RetimeSettings& settings, std::uint64_t seed, HermiteTrajectory& motion,
                std::function<bool()> stopRequested = {});
  /// {valid, configurations, clearance, nearest, clearance_with_padding, padding_touches, faults}: with the padding of
  /// a simulation subtracted, and the pairs that touch by it on the way, which is no fault.
  Value check(const CheckSettings& settings);
  /// Of a motion with velocities.
  Value check(const HermiteTrajectory& motion, const CheckSettings& settings);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// For people, of what the functions above gave.
std::string shortcutText(const Value& report);
std::string retimeText(const Value& report);
std::string checkText(const Value& report);
/// A warning about the pairs of `padding_touches` in what `check` gave; empty when there are none.
std::string paddingWarning(const Value& report);

}  // namespace mortise
