#pragma once

/// Wrenches that contacts can exert on what they hold, and the quality of grasps.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mortise/mechanics/forces/expanding_polytope.h"
#include "mortise/mechanics/link_contact.h"

namespace mortise {

/// Measures of forces (Ferrari and Canny, 1992).
enum class WrenchBudget {
  total,  ///< The sum of all normal forces is at most 1: their L1 measure, the convex hull of all wrenches.
  each    ///< Every normal force is at most 1: L-infinity, their Minkowski sum.
};

struct WrenchSpaceOptions {
  int coneEdges = 0;  ///< Cone edges of the pyramids that stand for friction cones; 0: the cones themselves.
  WrenchBudget budget = WrenchBudget::total;
  /// Point that torques are about, such as the object's center of mass; without it the middle of the contacts.
  std::optional<Vector3d> origin_W = {};
  /// Meters: torques are divided by it, so that they count like forces. 0: the largest distance of a contact from the
  /// origin.
  double length = 0;
  /// Only forces across this direction and torques about it count: grasps of flat things.
  std::optional<Vector3d> planeNormal_W = {};
  double tolerance = 1e-6;  ///< Tolerance of the quality, in units of the largest wrench.
};

/// The wrenches on an object of forces at contacts with it; forces on the object, against the normals, which point into
/// the link. In coordinates: three of torque divided by the length and three of force in world axes, or for flat things
/// torque about the normal and force along `x_W` and `y_W`.
class WrenchSpace {
 public:
  /// Throws `Error` for bad contacts, infinite friction, and bad options.
  explicit WrenchSpace(std::span<const ContactPoint> contacts, const WrenchSpaceOptions& options = {});

  int dimension() const { return static_cast<int>(basis_.cols()); }
  const Vector3d& origin_W() const { return origin_W_; }
  double length() const { return length_; }
  /// Returns how far the space reaches in a direction (of `dimension` numbers), and the wrench that does.
  double support(const SmallVector& direction, SmallVector& wrench) const;
  /// The wrench of forces on the object at the contacts.
  SmallVector wrench(std::span<const Vector3d> forces_W) const;
  /// Torque about the origin (N*m), then force (N), in world axes.
  Eigen::Matrix<double, 6, 1> full(const SmallVector& wrench) const;

 private:
  friend class TorqueWrenchSpace;
  std::vector<ContactPoint> contacts_;
  WrenchSpaceOptions options_;
  Vector3d origin_W_ = Vector3d::Zero();
  double length_ = 1;
  Eigen::Matrix<double, 6, Eigen::Dynamic> basis_;  ///< Basis of the coordinates, in torque over length and force.
  std::vector<Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 6, 3>> effect_;
  std::vector<std::vector<Vector3d>> edges_;  ///< Edges of pyramids, and of contacts without friction.
};

struct GraspQuality {
  bool forceClosure = false;  ///< Any wrench can be exerted, given enough force.
  /// The largest wrench that can be exerted in every direction: radius of the largest ball around the origin. 0 without
  /// force closure. The truth is between it and `upper`.
  double quality = 0;
  double upper = 0;
  /// The disturbance of unit size that is hardest to resist: force (N), and torque about the origin (N*m).
  Vector3d weakestForce_W = Vector3d::Zero(), weakestTorque_W = Vector3d::Zero();
  Vector3d origin_W = Vector3d::Zero();
  double length = 1;
  int supports = 0;  ///< Number of times that the space was asked.
};

/// Ferrari and Canny's quality.
GraspQuality graspQuality(std::span<const ContactPoint> contacts, const WrenchSpaceOptions& options = {});

/// The same with the forces that the robot's joints can exert in the place of a budget: |bias - sum J^T f| <= limits,
/// at the position that `dynamics` has; in newton. `bias`: torques without contacts. Throws `Error` also where forces
/// have no limit.
GraspQuality graspQualityOfTorques(const RobotDynamics& dynamics, std::span<const LinkContact> contacts,
                                   const VectorXd& bias, const VectorXd& limits, const ContactForceLimits& forceLimits,
                                   const WrenchSpaceOptions& options = {});

}  // namespace mortise
