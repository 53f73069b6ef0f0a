#pragma once

/// Checks a path by other means than those that planners use: configuration after configuration, each for collisions
/// in a world of its own.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mortise/collision/world_collider.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/planning/paths/padding_monitor.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/timing/bound_usage.h"

namespace mortise {

struct PathCheckOptions {
  /// Distance between neighbors that are checked, in the space's metric and also without its weights; by default ten
  /// times finer than what planners take when they check by resolution. What happens in between goes unseen.
  double resolution = 0.001;
  /// Meters that what moves keeps from everything.
  double margin = 0;
  /// Also the minimum clearance along the path, which takes much longer.
  bool clearance = false;
  /// Faults that are listed; the search ends with the last.
  int maxFaults = 1;
  /// Seconds between neighbors of timed paths, besides `resolution`; infinite: that alone.
  double timeStep = std::numeric_limits<double>::infinity();
  /// Fraction by which velocities and accelerations may exceed their bounds through rounding.
  double slack = 1e-9;
};

struct PathFault {
  enum class Kind {
    size,          ///< A milestone has the wrong number of entries, or some that are not finite; times that fall.
    limits,        ///< A coordinate is out of its bounds.
    collision,     ///< Something collides, or comes nearer than the margin.
    constraint,    ///< Another constraint of the space does not hold.
    jump,          ///< Neighbors that no number of steps brings close together.
    velocity,      ///< A coordinate is too fast.
    acceleration,  ///< A coordinate's velocity changes too fast, or jumps.
  };
  Kind kind = Kind::size;
  std::size_t segment = 0;  ///< Segment from milestone `segment` to the next.
  double u = 0;             ///< Place on it, from 0 to 1.
  double time = 0;          ///< Seconds, of timed paths.
  /// The same of the place where it ends: neighboring places at which the same two collide are one fault.
  std::size_t lastSegment = 0;
  double lastU = 0;
  double lastTime = 0;
  IdPair ids;           ///< collision: who.
  double distance = 0;  ///< collision: meters between the two, negative by the depth as far as that is known.
  int coordinate = -1;  ///< limits, velocity, acceleration.
  std::string text;     ///< For people: what, where and by how much.
};
std::string_view pathFaultName(PathFault::Kind kind);

struct PathCheckResult {
  bool valid = false;
  std::vector<PathFault> faults;  ///< In the order of the path.
  std::int64_t configurations = 0;
  /// When requested: meters between the two that come nearest, and where; infinite when nothing could collide.
  double clearance = std::numeric_limits<double>::infinity();
  IdPair nearest;
  std::size_t nearestSegment = 0;
  double nearestU = 0;
  /// After `watchPadding`: pairs whose padding touches along the path, which is not a fault; and, when the clearance is
  /// requested, the minimum distance less padding, and of which pair.
  std::vector<PaddedTouch> touches;
  double paddedClearance = std::numeric_limits<double>::infinity();
  IdPair paddedNearest;
};

/// Has nothing in common with the checks of planners but the space's notion of what lies between two configurations and
/// the collision query of two bodies in one place: it lifts configurations to whole ones, places everything that moves,
/// and uses a `WorldCollisionState` of its own. Pairs of which no coordinate of the space moves either are left out.
/// One thread.
class PathChecker {
 public:
  /// `space` outlives it. `collider`: that of the problem, with its rules of what may touch; everything else stands
  /// where its world has it.
  PathChecker(MotionSpace& space, std::shared_ptr<const WorldCollider> collider);
  /// Places something that the space does not move; links of other robots too.
  void setPose(int id, const RigidTransform& X_W);

  /// The layers that a simulation puts around bodies (meters, one an id), and the pairs that it lets touch: checks then
  /// also tell where these layers touch. Pairs that the collider leaves out stay left out.
  void watchPadding(std::vector<double> padding, const PairTable& pairs);

  /// A path of milestones in the space's coordinates.
  PathCheckResult check(const std::vector<VectorXd>& path, const PathCheckOptions& options = {});
  /// A timed path in the space's coordinates, along its cubics. `limits`: one a coordinate; velocities and
  /// accelerations are checked exactly (those of cubics have their extremes at known places), positions with the
  /// collisions.
  PathCheckResult check(const HermiteTrajectory& trajectory, std::span<const CoordinateLimits> limits,
                        const PathCheckOptions& options = {});

 private:
  struct Run;
  void findMoving();
  PathCheckResult finished(Run& run);
  /// Each returns false once there are enough faults.
  bool checkAt(Run& run, const VectorXd& q, double u);
  /// Puts what the space moves where full_ has it.
  void place(WorldCollisionState& state);
  double lengthOf(const VectorXd& a, const VectorXd& b) const;
  bool along(Run& run, double fromU, double toU, const VectorXd& from, const VectorXd& to, int depth);
  bool add(Run& run, PathFault fault, double u);
  /// Says whether the same two collided just before: their fault then reaches up to here.
  bool goesOn(Run& run, const IdPair& ids, double u);
  bool checkBounds(Run& run, std::span<const CoordinateLimits> limits);

  MotionSpace& space_;
  std::shared_ptr<const WorldCollider> collider_;
  WorldCollisionState state_;
  std::optional<PaddingMonitor> padding_;
  VectorXd low_, high_, full_, part_;
  std::vector<char> turns_;  ///< Coordinates that count modulo whole turns.
  std::vector<int> moving_;  ///< Ids that coordinates move.
  std::vector<char> own_;    ///< Constraints of the space that are not about limits and collisions.
};

}  // namespace mortise
