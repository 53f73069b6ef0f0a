#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "axis_drive.h"
#include "contact_surface.h"
#include "dart_settings.h"
#include "driven_joint.h"
#include "engine_parameters.h"
#include "mortise/component/physics.h"
#include "own_contacts.h"

namespace mortise::dart {

/// A `dart::simulation::World`: each tree of joints is a skeleton, and `World::step` moves them.
class DartScene final : public Scene {
 public:
  /// Throws `Error` for bodies without usable inertia, joints that do not form trees and constraints that DART 6.12
  /// has no joint for.
  DartScene(const SceneDescription& description, const DartSettings& settings);
  ~DartScene() override;

  void setGravity(const Vector3d& gravity) override;
  void setJointDrives(std::span<const JointDrive> drives) override;
  void applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) override;
  void setBodyState(int body, const BodyState& state) override;
  void setJointState(int joint, double position, double velocity) override;
  void setBodyMotion(int body, BodyMotion motion) override;
  void setCollision(int idA, int idB, bool on) override;
  void setContacts(std::span<const SceneContact> contacts) override;
  void step(double dt) override;
  void readBodies(std::span<BodyState> out) const override;
  void readJoints(std::span<JointState> out) const override;
  void readConstraints(std::span<JointState> out) const override;
  std::span<const ContactForce> contacts() const override { return forces_; }
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;
  Value effectiveSettings() const override;
  StepBounds boundsHit() const override { return bounds_; }

 private:
  struct Body {
    BodyMotion motion = BodyMotion::dynamic;
    dyn::BodyNode* node = nullptr;
    dyn::FreeJoint* free =
        nullptr;  ///< Joint of the root of a tree that is not fixed; its frame is at the center of mass.
    dyn::WeldJoint* weld = nullptr;  ///< Joint of a fixed body.
    Vector3d com = Vector3d::Zero();
    bool jointed = false;  ///< Carries or is held by a joint or constraint.
    bool hasInertia = false;
    /// The pose of a kinematic body, at its origin.
    RigidTransform X_W;
    Vector3d v_W = Vector3d::Zero(), w_W = Vector3d::Zero();
    Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();  ///< For the next step, torque about the origin.
    std::unique_ptr<ContactSurface> surface;
  };
  /// A joint of a tree: of a robot, or a constraint that holds a body which nothing else holds.
  struct Link {
    int parent = -1, child = -1;
    int joint = -1, constraint = -1;  ///< Index in the description; one of them is -1.
    bool revolute = true;
    RigidTransform X_PJ, X_CJ;
    Vector3d axis = Vector3d::UnitZ();
    double lower = 0, upper = 0, position = 0, velocity = 0, friction = 0;
    std::string name;
  };
  /// A constraint that closes a loop.
  struct Loop {
    int constraint = -1;
    std::shared_ptr<LoopJoint<con::WeldJointConstraint>> weld;
    std::vector<std::shared_ptr<LoopJoint<con::BallJointConstraint>>> balls;
    Vector3d axisA = Vector3d::UnitX(), sideA = Vector3d::UnitY(), sideB = Vector3d::UnitY();  ///< In the bodies.
    double angle = 0;
  };

  // dart_build.cpp
  void chooseParameters();
  void makeWorld();
  void collectLinks();
  void takeConstraint(int index, std::vector<int>& rootOf);
  void makeTrees();
  void makeRoot(int body);
  void makeLink(const Link& link);
  void finishBody(int body);
  void makeLoops();
  void placeAtStart();
  void projectVelocities(dyn::Skeleton& skeleton);
  bool onWorldJoint(int body) const;

  // dart_step.cpp
  void solveStep(double dt);
  bool followDrives(double dt, bool release);
  void rememberState();
  void rewindState();
  void applyWrenches();
  void prepareKinematic(double dt);
  void addContacts(double dt);
  void finishStep(double dt);
  void moveKinematic(double dt);
  void requireBounded() const;
  double angleOf(const Loop& loop) const;
  RigidTransform poseOf(int body) const;
  void placeFree(Body& body, const BodyState& state);
  void placeOnJoint(int body, const BodyState& state);
  void changeMotion(Body& body, BodyMotion motion);
  BodyState stateOf(int body) const;
  Body& checked(int body);

  SceneDescription description_;
  DartSettings settings_;
  EngineParameters parameters_;
  std::shared_ptr<sim::World> world_;
  Solver* solver_ = nullptr;  ///< Belongs to the world.
  col::CollisionDetectorPtr detector_;
  std::vector<dyn::SkeletonPtr> skeletons_;
  std::vector<Body> bodies_;
  std::vector<Link> links_;
  std::vector<std::unique_ptr<AxisDrive>> axes_;  ///< By link.
  std::vector<int> axisOfJoint_, axisOfConstraint_;
  std::vector<Loop> loops_;
  std::unique_ptr<OwnContacts> ownContacts_;
  std::vector<SceneContact> pending_;
  std::vector<col::Contact> engineContacts_;  ///< Contacts to which DART's constraints refer in a step.
  std::vector<int> engineContactOf_;          ///< By pending contact; -1: DART leaves it alone.
  std::vector<ContactForce> forces_;
  /// The state before the step, in case it is made again with other drives at their limits.
  struct Memory {
    std::vector<Eigen::VectorXd> positions, velocities;  ///< By skeleton.
    std::vector<std::array<double, 6>> impulses;         ///< Impulses of loops.
  };
  Memory memory_;
  StepBounds bounds_;  ///< Bounds of the last step.
  std::uint64_t steps_ = 0, saturated_ = 0, repeated_ = 0, unsettled_ = 0;
};

}  // namespace mortise::dart
