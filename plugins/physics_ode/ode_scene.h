#pragma once

#include <memory>
#include <ode/ode.h>
#include <vector>

#include "collision/collider.h"
#include "collision/contact_finder.h"
#include "mortise/component/physics.h"
#include "mortise/contacts/push_out.h"
#include "ode_joint.h"
#include "ode_library.h"
#include "ode_settings.h"

namespace mortise::ode {

/// The adapter: bodies, joints, motors and contact joints are ODE's, and all velocities come from `dWorldStep` and
/// `dWorldQuickStep`.
class OdeScene final : public Scene {
 public:
  /// Throws `Error` when the description holds something that cannot be simulated.
  OdeScene(const SceneDescription& description, const OdeSettings& settings);
  ~OdeScene() override;

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
  std::span<const ContactForce> contacts() const override { return contacts_; }
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;
  Value effectiveSettings() const override;
  StepBounds boundsHit() const override { return bounds_; }

 private:
  struct Body {
    dBodyID body = nullptr;  ///< Null for fixed ones.
    BodyMotion motion = BodyMotion::fixed;
    bool jointed = false;  ///< A joint or constraint holds it.
    bool hasInertia = false;
    double mass = 0;
    Matrix3d inertia = Matrix3d::Zero();  ///< About the center of mass, in the body's axes.
    Vector3d com = Vector3d::Zero();      ///< Place of the ODE body.
    RigidTransform X_WB;                  ///< Pose of fixed bodies.
  };
  /// Everything that a step changes in a body, bit for bit.
  struct BodyMemory {
    dReal position[3], quaternion[4], rotation[12], velocity[3], spin[3], force[3], torque[3];
    BodyMotion motion = BodyMotion::dynamic;
    int enabled = 1;
    void read(dBodyID body);
    void write(dBodyID body) const;
  };
  /// Owns the ODE world; destroyed after everything that lives in it.
  struct World {
    dWorldID world = dWorldCreate();
    dJointGroupID contactGroup = dJointGroupCreate(0);
    ~World() {
      dJointGroupDestroy(contactGroup);
      dWorldDestroy(world);
    }
  };

  dWorldID worldId() const { return world_->world; }
  dJointGroupID contactGroup() const { return world_->contactGroup; }

  void setWorldParameters();
  void addBodies();
  void addJoints();
  void addConstraints();
  void checkBodies() const;
  void markJointed(int body);
  void changeMotion(int body, BodyMotion motion);
  void findContacts();
  void createContacts(double h);
  void createContact(const SceneContact& touch, double h, dJointFeedback& feedback);
  bool setNormal(const SceneContact& touch, double approach, double h, dSurfaceParameters& surface) const;
  void readContactForces();
  bool contactsOnly() const;
  int countRows() const;
  bool exactFits();
  void takeStep(double h);
  void rememberBodies();
  void rewindBodies();
  JointBody jointBody(int body) const;
  BodyState bodyState(int body) const;
  void placeBody(int body, const BodyState& state);
  void moveSubtree(int joint);
  std::uint64_t makeSignature() const;

  SceneDescription description_;
  OdeSettings settings_;
  mutable Messages messages_;
  std::unique_ptr<World> world_;
  std::vector<Body> bodies_;
  std::vector<OdeJoint> joints_;
  std::vector<OdeJoint> constraintJoints_;  ///< Hinges and sliders of `SceneConstraint`s.
  std::vector<int> constraintIndex_;        ///< By constraint of the description: in constraintJoints_, or -1.
  std::vector<std::pair<int, int>> constraintBodies_;
  std::vector<std::pair<int, int>> welds_;  ///< Bodies that a fixed joint holds together.
  CollisionFilter filter_;                  ///< The filter as described; the description's own has switched pairs off.
  std::vector<std::pair<int, int>> switchedOff_;
  ColliderSet colliders_;
  std::unique_ptr<ContactFinder> finder_;
  OwnContactsPushOut pushOut_;
  std::vector<SceneContact> touches_;  ///< Contacts of the next step, when handed over, or of the present one.
  std::vector<dJointFeedback> feedback_;
  std::vector<ContactForce> contacts_;
  std::uint64_t signature_ = 0;
  Vector3d gravity_;
  double erp_, cfm_, surfaceLayer_;
  std::uint64_t steps_ = 0;
  StepBounds bounds_;  ///< Bounds of the last step.
  // Statistics, not state: calls of dWorldStep and dWorldQuickStep that made a step, and those of dWorldStep that
  // failed.
  std::uint64_t exactSteps_ = 0, quickSteps_ = 0, failedExactSteps_ = 0;
  // Work space.
  std::vector<BodyMemory> memory_;
  std::vector<int> island_, islandRows_, islandBodies_;
};

}  // namespace mortise::ode
