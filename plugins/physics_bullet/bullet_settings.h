#pragma once

#include <optional>

#include "mortise/component/physics.h"
#include "mortise/settings/setting_binder.h"

namespace mortise::bullet {

/// Bullet's own damping of multibodies, linear and angular.
constexpr double kRobotDamping = 0.04;

/// Ways to collide non-convex meshes that move.
enum class MovingMeshes { hull, gimpact };
enum class Profile { recommended, normalized };
enum class SolverChoice { sequentialImpulse, dantzig, pgs };

/// Bullet's own settings under Bullet's names. What is absent follows from the profile.
struct BulletSettings {
  Profile profile = Profile::recommended;
  SolverChoice solver = SolverChoice::sequentialImpulse;
  int numIterations = 50;
  std::optional<double> residualThreshold;  ///< (m/s)^2
  std::optional<double> erp, erp2, globalCfm, linearSlop;
  double warmstartingFactor = 0.1;
  bool splitImpulse = false;
  double splitImpulseThreshold = -0.04;  ///< m
  int innerIterations = 1;
  double frictionErp = 0.2, frictionCfm = 0;
  int minimumSolverBatchSize = 0;
  std::optional<double> restitutionThreshold;           ///< m/s
  std::optional<double> linearDamping, angularDamping;  ///< Absent: Bullet's own, which differ by kind of body.
  std::optional<double> maxCoordinateVelocity, maxAppliedImpulse;
  bool sleeping = false;
  double margin = 1e-4;  ///< m
  MovingMeshes objectMeshes = MovingMeshes::hull;
  MovingMeshes robotMeshes = MovingMeshes::hull;

  void bind(SettingBinder& b);
  /// With all that the profile and the world say filled in; damping stays absent where Bullet's own is meant.
  BulletSettings resolved(const SceneDescription& description) const;

 private:
  void bindSolver(SettingBinder& b);
  void bindBodies(SettingBinder& b);
};

}  // namespace mortise::bullet
