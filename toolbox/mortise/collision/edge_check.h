#pragma once

/// Checks whether a robot may move from one configuration to another along the edge between them, which is what
/// `ConfigurationSpace::interpolate` gives: whether no pair that a `WorldCollider` checks collides anywhere on it.

#include <memory>
#include <vector>

#include "mortise/collision/edge_prover.h"
#include "mortise/collision/world_collider.h"
#include "mortise/configuration/configuration_space.h"

namespace mortise {

struct EdgeCheckOptions {
  enum class Method {
    /// Proves that nothing collides anywhere on the edge (`EdgeProver`). Throws `Error` for robots of which the motion
    /// of a link has no bound: those with shapes or offsets among the first two links of a ball joint.
    proven,
    /// Checks configurations no farther apart than `resolution`, far ones first. Collisions between them are missed.
    resolution
  };
  Method method = Method::proven;
  /// Distance of configurations (`ConfigurationSpace::distance`) between neighbors, above 0.
  double resolution = 0.01;
  double clearance = 1e-4;   ///< Clearance of `proven`: see `EdgeProofOptions`.
  bool endsChecked = false;  ///< The ends are known not to collide.
};

/// Checks edges of one robot. Immutable: any number of threads may use one, each with its own state and workspace.
/// Checks leave `state` at some configuration on the edge.
class EdgeChecker {
 public:
  struct Workspace {
    VectorXd q;
    std::vector<double> angle, shift, length, turn, slide;
    std::vector<double> rate;    ///< By link: the coordinate's change on the whole edge, 0 for rotations of three.
    std::vector<double> motion;  ///< By link and ancestor, from the middle of a part.
    std::vector<int> measured;   ///< By link: the part for which `motion` holds.
    EdgeProofWorkspace proof;
  };

  /// Checks the pairs of `collider` with a link of this robot.
  EdgeChecker(std::shared_ptr<const WorldCollider> collider, int robot);

  const WorldCollider& collider() const { return *collider_; }
  const ConfigurationSpace& space() const { return space_; }
  int robot() const { return robot_; }

  /// `from` and `to` have one entry for each link. Throws `Error` when they do not, or are not finite.
  EdgeCheckResult check(const VectorXd& from, const VectorXd& to, WorldCollisionState& state, Workspace& workspace,
                        const EdgeCheckOptions& options = {}) const;

  /// No point of link i moves by more than `motion[i]` on the edge, in meters; one entry for each link.
  void linkMotion(const VectorXd& from, const VectorXd& to, Workspace& workspace, std::vector<double>& motion) const;

  // For edges on which more moves than this robot: begin an edge, then ask for parts of it, numbered from 0, with
  // `state` at the middle of each.

  /// The largest motion of a link that can collide, on the whole edge, in meters. Throws `Error` where it has no bound.
  double beginEdge(const VectorXd& from, const VectorXd& to, Workspace& workspace) const;
  /// No point of the link moves farther than this from where `state` has it, within the part of the edge that reaches
  /// `half` of the whole to either side; as seen from a link that carries it (`ancestor`; -1: from the world). In
  /// meters. The link must have a shape.
  double motionWithin(int link, int ancestor, double half, int part, const WorldCollisionState& state,
                      Workspace& workspace) const {
    return motionAround(link, ancestor, half, part, state, workspace) + 1e-12;
  }

 private:
  /// Edge as `EdgeProver` and `sampleEdge` use it.
  class Motion;
  void place(const VectorXd& from, const VectorXd& to, double u, WorldCollisionState& state,
             Workspace& workspace) const;
  void bounds(const VectorXd& from, const VectorXd& to, Workspace& workspace) const;
  double motionFrom(int link, int ancestor, const Workspace& workspace) const;
  double motionAround(int link, int ancestor, double half, int part, const WorldCollisionState& state,
                      Workspace& workspace) const;
  double motionOfPair(int pair, double half, int part, const WorldCollisionState& state, Workspace& workspace) const;

  std::shared_ptr<const WorldCollider> collider_;
  int robot_;
  ConfigurationSpace space_;
  IdSelection own_, everything_;
  std::vector<IdPair> pairs_;  ///< The first is a link of this robot.
  std::vector<int> pairOf_;    ///< By the collider's index of a pair: its place here.
  std::vector<double> reach_;  ///< Reach of a link's shape, from the link's origin.
  enum class Turn : char { line, circle, inRotation, endOfRotation };
  std::vector<Turn> turns_;
  std::vector<int> rotationStart_;   ///< For the last link of a rotation: its first one.
  std::vector<int> commonAncestor_;  ///< By pair; -1: the world, or the other is not of this robot.
};

}  // namespace mortise
