#pragma once

/// The output of `mortise path`.

#include <string>

#include "mortise/base/value.h"
#include "mortise/component/resource.h"
#include "mortise/model/robot.h"
#include "mortise/timing/multipath/path_interpolation.h"

namespace mortise::inspect {

/// Any motion that files hold, evaluated alike.
class Motion {
 public:
  /// Says whether that kind of content is a motion.
  static bool holds(FileContent kind);
  /// Throws `Error` when the resource is none. Configurations without times come one second apart.
  explicit Motion(Resource resource);

  const Resource& resource() const { return resource_; }
  FileContent kind() const { return contentOf(resource_); }
  Eigen::Index dimension() const;
  double startTime() const;
  double endTime() const;
  std::size_t numMilestones() const;
  /// Position and velocity at `t`; returns the section of a MultiPath (-1 before it, their number after it), 0 for
  /// everything else. Sizes must match already.
  int evaluate(double t, VectorXd& q, VectorXd& dq, PathInterpolation interpolation = PathInterpolation::given) const;

 private:
  Resource resource_;
};

/// {type, n, start_time, end_time, duration, dim, start, end} and, of a MultiPath, {sections, continuous, settings,
/// num_global_holds, section_info: [{milestones, times, velocities, ikGoals, holds, holdIndices, holdNames}]}.
Value motionInfo(const Motion& motion);
/// The same for people; `robot` may be null.
std::string motionText(const Motion& motion, const std::string& file, const Robot* robot);
/// {t, section (of a MultiPath), q, dq}.
Value motionSample(const Motion& motion, double t, PathInterpolation interpolation = PathInterpolation::given);

}  // namespace mortise::inspect
