#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "mortise/collision/world_collider.h"
#include "mortise/component/resource.h"
#include "mortise/ik/ik_solver.h"
#include "mortise/mechanics/link_contact.h"
#include "mortise/mechanics/world_contacts.h"
#include "mortise/model/world.h"

namespace mortise::viewer {

/// A goal that holds while a robot is posed.
struct PinnedGoal {
  int robot = 0;
  IKGoal goal;
};

/// A place on a surface, in the world.
struct PickedSurface {
  int id = -1;                      ///< Id of the terrain, object or link.
  std::vector<Vector3d> points_W;   ///< Meters.
  std::vector<Vector3d> normals_W;  ///< Normal of each point, unit, out of the surface.
};

/// The document that is posed: where everything is, what holds, and the resources beside it. Copies share the
/// resources.
struct PoseDocument {
  std::vector<VectorXd> q;              ///< By robot, one number a link.
  std::vector<RigidTransform> objects;  ///< By object.
  std::vector<PinnedGoal> goals;
  std::vector<std::shared_ptr<const ResourceItem>> resources;
};

/// Robots and objects of a world put where a person wants them, with every step undone and done again as often as
/// wanted. Belongs to one thread.
class Poser {
 public:
  struct Outcome {
    bool solved = true;
    double residual = 0;  ///< Residual of goals, m and rad.
  };

  explicit Poser(std::shared_ptr<const World> world, ResourceLibrary resources = {});

  const World& world() const { return *world_; }
  const std::shared_ptr<const WorldCollider>& collider() const { return collider_; }
  const PoseDocument& document() const { return document_; }
  /// Counts every change of the resources.
  std::int64_t resourceVersion() const { return resourceVersion_; }

  /// Begins a step: what follows until the next call is undone at once. Nothing is kept for a step in which nothing was
  /// changed.
  void beginStep();
  bool undo();
  bool redo();
  std::size_t undoCount() const { return undo_.size(); }
  std::size_t redoCount() const { return redo_.size(); }

  // All functions throw `Error` for things that do not exist and numbers that are not finite or beyond a million.
  /// Within the limits. Goals of the robot hold as far as the other joints can.
  Outcome setDriver(int robot, int driver, double value);
  Outcome setLink(int robot, int link, double value);
  /// One number a link; beyond limits as given.
  void setConfiguration(int robot, const VectorXd& q);
  void placeObject(int object, const RigidTransform& X_WO);
  /// The point of the link as near to the target as its joints let it come, the goals of the robot before that; the
  /// nearest there is to where it stands. A link whose pose is a goal takes the goal with it, and so does a point that
  /// is held when it is dragged there. `baseMoves`: of a floating base, whether it does.
  Outcome drag(int robot, int link, const Vector3d& p_LP, const Vector3d& target_W, bool baseMoves);
  /// The last link of a base that moves freely, in space or in a plane; -1: the robot is fixed.
  int baseLink(int robot) const;
  /// The base of a robot as a whole, as far as it moves: one that moves in a plane stays in it. Goals hold where the
  /// joints allow it.
  Outcome placeBase(int robot, const RigidTransform& X_WB);
  /// The mirror image of where a robot is, within its limits. Throws `Error` for robots that have none.
  void mirror(int robot);
  /// A point of a link becomes a goal where it is, unless it or the link's pose is one already.
  void holdPoint(int robot, int link, const Vector3d& p_LP);
  void pin(const PinnedGoal& goal);
  /// A goal in the place of another one, which moves nothing.
  void changeGoal(std::size_t goal, const IKGoal& changed);
  void unpin(std::size_t goal);
  /// All goals of a robot, from where it stands, and from elsewhere where that fails; links of `held` do not move.
  Outcome solve(int robot, const std::vector<int>& held = {});

  void add(ResourceItem item);
  void replace(std::size_t resource, ResourceItem item);
  void erase(std::size_t resource);
  const ResourceItem& resource(std::size_t i) const;
  /// A name that no resource has: `wanted`, or with a number behind it.
  std::string freeName(const std::string& wanted) const;

  /// Pairs of ids that collide as everything is now, or with a robot elsewhere.
  std::vector<IdPair> collisions();
  std::vector<IdPair> collisionsAt(int robot, const VectorXd& q);
  /// Returns where the links of a robot touch others: surfaces that are no farther apart than `touch`.
  std::vector<LinkContact> contacts(int robot);
  /// The first surface on a ray, or the first of one terrain, object or link: a point of it, or the corners of the
  /// plane face around that point, at most eight. Throws `Error` where the ray meets nothing.
  PickedSurface pick(const Ray& ray, bool face, int id = -1);
  /// A patch of the surface of one terrain, object or link, seen from a point between the rays to its four corners, in
  /// their order, on the side that is seen at the first: the corners of plane parts of it, of curved ones places on
  /// them, at most eight in all. Throws `Error` where nothing of it is seen there.
  PickedSurface pickPatch(const Vector3d& eye, const std::array<Vector3d, 4>& corners, int id);
  /// Returns where a robot would touch flat ground, across gravity, at its lowest point: the corners of what of each
  /// link is within `tolerance` meters of it. Throws `Error` without gravity, and for tolerances that are not above 0.
  std::vector<LinkContact> flatContacts(int robot, double tolerance, double friction);
  double touch() const { return touch_; }
  /// Meters, not below 0. After a simulation things stand apart by their paddings.
  void setTouch(double distance);
  RigidTransform linkPose(int robot, int link);
  /// Ids of links at or beyond a limit.
  std::vector<int> atLimits() const;

 private:
  const Robot& robotAt(int robot) const;
  std::vector<IKTerm> goalTerms(int robot) const;
  std::vector<int> linksWithoutBase(int robot) const;
  bool moveGoal(int robot, int link, const Vector3d& p_LP, const Vector3d& target_W);
  Outcome solveFrom(int robot, IKProblem problem, int restarts);
  Outcome keepGoals(int robot, const std::vector<int>& held);
  void keepWithinLimits(int robot);
  void requireEntityWithSurface(int id) const;
  void changed();

  std::shared_ptr<const World> world_;
  std::shared_ptr<const WorldCollider> collider_;
  std::unique_ptr<WorldCollisionState> state_;
  std::unique_ptr<WorldContactFinder> finder_;  ///< Of `touch_`: preparing one takes a second for a humanoid.
  PoseDocument document_, before_;
  double touch_ = 0.005;
  bool open_ = false;  ///< `before_` is not in `undo_` yet.
  std::vector<PoseDocument> undo_, redo_;
  std::int64_t resourceVersion_ = 0;
};

}  // namespace mortise::viewer
