#pragma once

/// Whether a robot may move from one configuration to another: nothing that the rules of a `WorldCollider` check
/// collides anywhere on the way that `ConfigurationSpace::interpolate` takes.

#include <memory>
#include <vector>

#include "mortise/collision/world_collider.h"
#include "mortise/configuration/configuration_space.h"

namespace mortise {

struct EdgeCheckOptions {
  enum class Method {
    /// Proves it: halves the way until no pair can reach each other within its part of it, by the distance between
    /// the two in the middle and by how far links can move from there at most (after Schwarzer, Saha and Latombe,
    /// 2004). Before that it looks for collisions at a few configurations. Throws `Error` for robots of whose links
    /// nothing bounds the motion: shapes or offsets among the first two links of a ball joint.
    proven,
    /// Looks at configurations no farther apart than `resolution`, far ones first. What happens between them goes
    /// unseen.
    resolution
  };
  Method method = Method::proven;
  /// Distance of configurations (`ConfigurationSpace::distance`) between neighbours.
  double resolution = 0.01;
  /// Metres. `proven` calls a way blocked where a pair comes this near: to prove a smaller gap takes ever more checks.
  /// Must be above 0.
  double clearance = 1e-4;
  /// The ends are known not to collide and need not be looked at.
  bool endsChecked = false;
};

struct EdgeCheckResult {
  bool free = false;
  double u = 0;            ///< When blocked: where, from 0 (start) to 1 (end).
  IdPair ids;              ///< When blocked: who.
  bool touching = false;   ///< When blocked: they do collide there; false: they come nearer than `clearance`.
  int configurations = 0;  ///< Looked at.
  int pairQueries = 0;     ///< Distances or collisions of two bodies that had to be asked for.
};

/// Everything that the way's checks share; immutable, any number of threads may use one, each with its own state and
/// workspace. `state` is left at some configuration on the way.
class EdgeChecker {
 public:
  struct Workspace {
    VectorXd q;
    std::vector<double> angle, shift, length, turn, slide;
    std::vector<double> rate;     ///< By link: the coordinate's change on the whole way, 0 for rotations of three.
    std::vector<double> motion;   ///< By link and ancestor, from the middle of a part on.
    std::vector<int> measured;    ///< By link: the part for which `motion` holds.
    std::vector<int> pairs;       ///< Part after part: the pairs that it has to prove.
    std::vector<IdPair> inReach;  ///< Pairs that the whole way has to prove.
    std::vector<double> reach;    ///< By id: how far it moves on either half of the way.
    struct Part {
      double from, to;
      std::size_t first, count;
    };
    std::vector<Part> parts;
    std::vector<QueryHint> hints;  ///< By pair.
    QueryWorkspace queries;
  };

  /// Pairs that are looked at: those of `collider` with a link of this robot.
  EdgeChecker(std::shared_ptr<const WorldCollider> collider, int robot);

  const WorldCollider& collider() const { return *collider_; }
  const ConfigurationSpace& space() const { return space_; }
  int robot() const { return robot_; }

  /// `from` and `to` have one entry a link. Throws `Error` when they do not, or are not finite.
  EdgeCheckResult check(const VectorXd& from, const VectorXd& to, WorldCollisionState& state, Workspace& workspace,
                        const EdgeCheckOptions& options = {}) const;

  /// No point of link i moves by more than this on the way, in metres; one entry a link.
  void linkMotion(const VectorXd& from, const VectorXd& to, Workspace& workspace, std::vector<double>& motion) const;

  // For ways on which more moves than this robot: begin, then ask for parts of the way, numbered from 0, with `state`
  // at the middle of each.

  /// The largest motion of a link that can collide, on the whole way. Throws `Error` where nothing bounds it.
  double beginWay(const VectorXd& from, const VectorXd& to, Workspace& workspace) const;
  /// No point of the link moves farther than this from where `state` has it, within the part of the way that reaches
  /// `half` of the whole to either side; as seen from a link that carries it (`ancestor`; -1: from the world). The link
  /// must have a shape.
  double motionWithin(int link, int ancestor, double half, int part, const WorldCollisionState& state,
                      Workspace& workspace) const {
    return motionAround(link, ancestor, half, part, state, workspace) + 1e-12;
  }

 private:
  EdgeCheckResult prove(const VectorXd& from, const VectorXd& to, WorldCollisionState& state, Workspace& workspace,
                        const EdgeCheckOptions& options) const;
  EdgeCheckResult sample(const VectorXd& from, const VectorXd& to, WorldCollisionState& state, Workspace& workspace,
                         const EdgeCheckOptions& options) const;
  void place(const VectorXd& from, const VectorXd& to, double u, WorldCollisionState& state,
             Workspace& workspace) const;
  void bounds(const VectorXd& from, const VectorXd& to, Workspace& workspace) const;
  double motionFrom(int link, int ancestor, const Workspace& workspace) const;
  double motionAround(int link, int ancestor, double half, int part, const WorldCollisionState& state,
                      Workspace& workspace) const;
  double motionOfPair(int pair, double half, int part, const WorldCollisionState& state, Workspace& workspace) const;
  bool blocked(const VectorXd& from, const VectorXd& to, double u, WorldCollisionState& state, Workspace& workspace,
               EdgeCheckResult& result) const;

  std::shared_ptr<const WorldCollider> collider_;
  int robot_;
  ConfigurationSpace space_;
  IdSelection own_, everything_;
  std::vector<IdPair> pairs_;  ///< The first is a link of this robot.
  std::vector<int> pairOf_;    ///< By the collider's index of a pair: its place here.
  std::vector<double> reach_;  ///< Of a link's shape, from the link's origin.
  enum class Turn : char { line, circle, inRotation, endOfRotation };
  std::vector<Turn> turns_;
  std::vector<int> rotationStart_;   ///< For the last link of a rotation: its first one.
  std::vector<int> commonAncestor_;  ///< By pair; -1: the world, or the other is not of this robot.
};

}  // namespace mortise
