#pragma once

/// Collision queries over everything in a world: terrains, rigid objects and the links of robots, by their ids.
///
/// A `WorldCollider` holds what does not move (shapes and which pairs are checked) and is shared by any number of
/// threads. A `WorldCollisionState` holds where everything is, and what earlier queries found out, and belongs to one.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mortise/collision/query.h"
#include "mortise/model/id_pair.h"
#include "mortise/model/pair_table.h"
#include "mortise/model/robot_state.h"
#include "mortise/model/world.h"

namespace mortise {

struct WorldColliderOptions {
  /// Links without a parent, unless the base floats, and what is welded to them are checked against terrains, on which
  /// they usually stand. Planning turns this off.
  bool fixedLinksAgainstTerrains = true;
  CollisionShapeOptions shapes = {};
  /// Shapes that exist already: they are taken for geometries of the same data and margin. None may be null.
  std::vector<CollisionShapePtr> prepared = {};
};

class WorldCollider {
 public:
  /// Enabled pairs: everything that can move against everything else, but links of one robot only as its
  /// self-collision rules say (`RobotDescription::selfCollisionPairs`). Shapes that several bodies share are prepared
  /// once. Throws `Error` where a geometry cannot be used.
  explicit WorldCollider(std::shared_ptr<const World> world, const WorldColliderOptions& options = {});
  /// The same with other rules; shapes are shared. `pairs` must be of the same size; pairs of bodies without a shape
  /// are left out.
  WorldCollider withPairs(const PairTable& pairs) const;

  const World& world() const { return *world_; }
  int numIds() const { return static_cast<int>(shapes_.size()); }
  /// Null for ids without a geometry.
  const CollisionShapePtr& shape(int id) const { return shapes_[id]; }
  /// Pairs that are checked: both have a shape.
  const PairTable& pairs() const { return pairs_; }
  int numPairs() const { return static_cast<int>(firstPair_.back()); }
  /// 0 to numPairs() - 1; both ids must be an enabled pair.
  int pairIndex(int a, int b) const;
  World::Kind kind(int id) const { return kinds_[id]; }
  /// Returns the robot of a link's or robot's id; -1 for others.
  int robotOf(int id) const { return robots_[id]; }

 private:
  WorldCollider() = default;
  void index();

  std::shared_ptr<const World> world_;
  std::vector<CollisionShapePtr> shapes_;
  std::vector<World::Kind> kinds_;
  std::vector<int> robots_;
  PairTable pairs_;
  // Pair (a, b), a < b, has the index firstPair_[a] + the number of a's partners between a and b.
  std::vector<std::int64_t> firstPair_;
  // For the words of row a from that of a on: set bits above a in the words before.
  std::vector<std::int32_t> partnersBelow_;
  std::vector<std::int64_t> firstWord_;  ///< First word of row a, in partnersBelow_.
};

/// A world of one robot, as it stands at its initial configuration.
std::shared_ptr<const World> worldOf(const RobotPtr& robot);

/// Ids that a query is about. Plain data; everything by default.
struct IdFilter {
  std::optional<World::Kind> kind;  ///< terrain, object or link; `robot` means its links.
  int index = -1;                   ///< Index of that kind (for links and robots: the robot); -1: all.
  std::vector<int> ids = {};        ///< When not empty, these alone; a robot's id means its links.

  static IdFilter everything() { return {}; }
  static IdFilter terrains(int index = -1) { return {World::Kind::terrain, index}; }
  static IdFilter objects(int index = -1) { return {World::Kind::object, index}; }
  static IdFilter robots(int index = -1) { return {World::Kind::robot, index}; }
  static IdFilter of(std::vector<int> ids) { return {std::nullopt, -1, std::move(ids)}; }
};

/// Ids that a filter selects, worked out once for queries that are asked often.
struct IdSelection {
  std::vector<std::uint64_t> bits;  ///< One an id.
};

struct WorldDistance {
  IdPair ids;
  DistanceResult result;
};

struct WorldRayHit {
  int id = -1;  ///< -1: nothing was hit.
  RayHit hit;
};

/// Poses of everything in a world. Queries come in two forms: those that list all pairs, in ascending order, and those
/// that stop at the first. Results do not depend on what was asked before, but for *which* pair the latter find first.
/// Nothing allocates once the state and the result vectors have grown.
class WorldCollisionState {
 public:
  /// Everything where the world has it at load.
  explicit WorldCollisionState(std::shared_ptr<const WorldCollider> collider);

  const WorldCollider& collider() const { return *collider_; }

  const RigidTransform& pose(int id) const { return poses_[id]; }
  /// Pose in the world of a terrain, object or link. What does not move costs nothing: pairs of which neither has
  /// moved are not checked again.
  void setPose(int id, const RigidTransform& X_W);
  void setRobot(int robot, const RobotState& state);
  /// Links that no changed coordinate moves cost next to nothing.
  void setConfiguration(int robot, const VectorXd& q);
  /// Bodies that come within this distance count as colliding; 0 by default. In meters.
  void setTolerance(double tolerance);
  double tolerance() const { return tolerance_; }

  /// Says whether one pair collides, whatever the rules say; false when one has no shape.
  bool collide(int a, int b);
  bool anyCollision(IdPair* found = nullptr);
  void collisions(std::vector<IdPair>& pairs);
  /// Enabled pairs with one id of each filter.
  bool anyCollision(const IdFilter& a, const IdFilter& b, IdPair* found = nullptr);
  /// The same. Throws `Error` for ids that do not exist.
  IdSelection selection(const IdFilter& filter) const;
  bool anyCollision(const IdSelection& a, const IdSelection& b, IdPair* found = nullptr);
  void collisions(const IdFilter& a, const IdFilter& b, std::vector<IdPair>& pairs);

  // Klamp't's families. An index of -1 means all.
  void robotSelfCollisions(int robot, std::vector<IdPair>& pairs);
  void robotRobotCollisions(std::vector<IdPair>& pairs);
  void robotObjectCollisions(int robot, int object, std::vector<IdPair>& pairs);
  void robotTerrainCollisions(int robot, int terrain, std::vector<IdPair>& pairs);
  void objectObjectCollisions(int object, std::vector<IdPair>& pairs);
  void objectTerrainCollisions(int object, int terrain, std::vector<IdPair>& pairs);
  bool selfCollision(int robot, IdPair* found = nullptr);
  /// The robot against itself and everything else.
  bool robotCollision(int robot, IdPair* found = nullptr);

  /// Returns the distance of one pair, whatever the rules say.
  DistanceResult distance(int a, int b, const DistanceOptions& options = {});
  /// Enabled pairs with one id of each selection that may collide when no point of a body moves farther than `reach`
  /// (meters, one an id) from where it is, by their boxes alone.
  void pairsInReach(const IdSelection& a, const IdSelection& b, std::span<const double> reach,
                    std::vector<IdPair>& pairs);
  /// No pair of points of the two is nearer than this; from their boxes and spheres alone. Both must have a shape.
  double distanceBound(int a, int b) const;
  /// The nearest enabled pair with one id of each filter; `found` is false when there is none within
  /// `options.upperBound`.
  WorldDistance nearest(const IdFilter& a, const IdFilter& b, const DistanceOptions& options = {});
  /// Every pair of elements of two bodies within `tolerance` meters of each other.
  void contacts(int a, int b, double tolerance, std::vector<ElementContact>& contacts);

  WorldRayHit rayCast(const Ray& ray, const IdFilter& filter = {});
  /// `hits` has room for as many as there are rays.
  void rayCasts(std::span<const Ray> rays, std::span<WorldRayHit> hits, const IdFilter& filter = {});

 private:
  enum class RobotPairs { all, same, different };  ///< Links of which robots.
  void select(const IdFilter& filter, std::vector<std::uint64_t>& mask) const;
  /// Pairs of the selection whose boxes overlap, into candidates_.
  void broadPhase(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b, RobotPairs robotPairs);
  void prepare(const IdFilter& a, const IdFilter& b, RobotPairs robotPairs = RobotPairs::all);
  bool checkPair(int a, int b, int pair);
  bool any(IdPair* found);
  void all(std::vector<IdPair>& pairs);
  void moved(int id);
  void requireFinite(int id, const RigidTransform& X_W) const;

  struct Candidate {
    std::int32_t a, b, pair;
  };

  std::shared_ptr<const WorldCollider> collider_;
  std::vector<RigidTransform> poses_;
  std::vector<RobotState> robotStates_;
  std::vector<char> follows_;  ///< By robot: its links are where its state has them.
  std::vector<char> linkMoved_;
  // Boxes around the bodies, by id, padded to whole vectors. Empty ones for ids without a shape.
  std::vector<float> low_[3], high_[3];
  std::vector<float> reach_;  ///< Reach of a query, by id, padded in the same way.
  double tolerance_ = 0;

  std::uint64_t clock_ = 1;
  std::vector<std::uint64_t> movedAt_;  ///< By id.
  struct PairMemory {
    std::uint64_t checkedAt = 0;
    QueryHint hint;
    bool colliding = false;
    std::uint32_t found = 0;  ///< Number of collisions: pairs that collided are tested first.
  };
  std::vector<PairMemory> memory_;
  std::vector<std::uint64_t> maskA_, maskB_;
  std::vector<Candidate> candidates_;
  struct Ordered {
    double gap;
    int a, b;
    auto operator<=>(const Ordered&) const = default;
  };
  std::vector<Ordered> ordered_;
  struct Entered {
    double t;
    int id;
    auto operator<=>(const Entered&) const = default;
  };
  std::vector<Entered> entered_;
  QueryWorkspace workspace_;
};

}  // namespace mortise
