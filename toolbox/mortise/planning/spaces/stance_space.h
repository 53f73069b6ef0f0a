#pragma once

/// A robot that stands on its contacts, as a space to plan in.

#include <memory>
#include <optional>
#include <string>

#include "mortise/contact/hold.h"
#include "mortise/mechanics/support_polygon.h"
#include "mortise/planning/spaces/constrained_space.h"

namespace mortise {

struct StanceSpaceOptions {
  ConstrainedSpaceOptions edges = {};
  Vector3d gravity_W = Vector3d(0, 0, -9.8);
  /// Edges of the pyramids that stand for friction cones; 0: the cones themselves.
  int coneEdges = 0;
  /// Used for all contacts in place of their own.
  std::optional<double> friction = {};
  /// Enables the constraint `balance` is there: the contacts can bear the robot at rest.
  bool balance = true;
  /// Meters that the center of mass keeps from the edge of the support polygon (ContactPlan's -m).
  double margin = 0;
  /// Enables the constraint `torque_limits` is there: they can, with no joint beyond its limit of torque.
  bool torqueLimits = false;
};

/// A closed chain with the goals of the stance's holds and, as constraints, `balance` and `torque_limits`.
class StanceSpace final : public ConstrainedSpace {
 public:
  /// The contacts are those of the stance wherever the robot is. Throws `Error` for bad contacts and options, and where
  /// nothing could balance on the contacts.
  StanceSpace(const RobotSpace& space, const Stance& stance, const StanceSpaceOptions& options = {});
  ~StanceSpace() override;

  const Stance& stance() const;
  /// Returns the polygon that the center of mass must be above; null without `balance`.
  const SupportPolygon* supportPolygon() const;
  /// Distance of the center of mass from the edge, in meters; negative outside.
  double balanceMargin(const VectorXd& q) const;

  std::unique_ptr<MotionSpace> copyMotion() const override;
  Value properties() const override;

 protected:
  bool holds(int own, const VectorXd& full) override;
  std::string explainOwn(int own, const VectorXd& full) override;
  void improve(RandomStream& random, VectorXd& q) override;

 private:
  struct Shared;
  struct Standing;
  StanceSpace(const RobotSpace& space, std::shared_ptr<const Shared> shared);
  StanceSpace(const StanceSpace& other);

  std::unique_ptr<Standing> standing_;
};

/// The collider without the pairs of links that hold something and what they hold: everything (but the robot) that
/// comes within `touch` meters of one of the hold's contact points. Without this, standing would be a collision.
std::shared_ptr<const WorldCollider> withoutHolds(const std::shared_ptr<const WorldCollider>& collider, int robot,
                                                  const Stance& stance, double touch = 0.01);

}  // namespace mortise
