#pragma once

#include <memory>
#include <vector>

#include "contact_list.h"
#include "mortise/component/physics.h"
#include "mortise/dynamics/scene_bodies.h"
#include "mortise/rigid_body/joints_between_bodies.h"
#include "mortise/rigid_body/row_solver.h"
#include "native_settings.h"

namespace mortise::native {

class NativeScene final : public Scene {
 public:
  /// Throws `Error` when the description holds something that cannot be simulated.
  NativeScene(const SceneDescription& description, const NativeSettings& settings);

  void setGravity(const Vector3d& gravity) override { gravity_ = gravity; }
  void setJointDrives(std::span<const JointDrive> drives) override;
  void applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) override;
  void setBodyState(int body, const BodyState& state) override;
  void setJointState(int joint, double position, double velocity) override;
  void setBodyMotion(int body, BodyMotion motion) override;
  void setCollision(int idA, int idB, bool on) override;
  void setContacts(std::span<const SceneContact> contacts) override { contacts_.set(contacts); }
  void step(double dt) override;
  void readBodies(std::span<BodyState> out) const override;
  void readJoints(std::span<JointState> out) const override;
  void readConstraints(std::span<JointState> out) const override { joints_->read(out); }
  std::span<const ContactForce> contacts() const override { return contacts_.forces(); }
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;
  Value effectiveSettings() const override;
  StepBounds boundsHit() const override;
  std::span<const StepSubstitution> substitutions() const override { return substitutions_; }

 private:
  struct Wrench {
    int body;
    Vector3d force, torque, point;
  };
  /// Tree and link of each joint.
  struct JointPlace {
    rigid::ArticulatedBody* tree = nullptr;
    int link = -1;
  };
  void addTree(const rigid::TreePlan& plan);
  void addFreeBody(int index);
  void setMotion(int body, BodyMotion motion);
  int checkedBody(int body) const;
  void applyForce(const Wrench& wrench);
  /// Bases of trees that hang on fixed and kinematic bodies are where those are.
  void moveBases();
  /// Throws `Error` where a tree moves too fast for its inertia to be known.
  void requireBounded(const rigid::ArticulatedBody& tree) const;
  BodyState bodyState(int body) const;
  /// Says what the step began with where links turn too far in it.
  void noteCorrection(const rigid::ArticulatedBody& tree);

  SceneDescription description_;
  NativeSettings settings_;
  Vector3d gravity_;
  std::vector<MassFrame> frames_;  ///< By body; identity where a body cannot move by itself.
  std::vector<BodyMotion> motions_;
  std::vector<rigid::FreeBody> freeBodies_;    ///< By body; used for those that are no part of a tree.
  std::vector<int> freeIndices_, freeMovers_;  ///< Free bodies, and by body their place in the solver or -1.
  std::vector<std::unique_ptr<rigid::ArticulatedBody>> trees_;
  std::vector<rigid::SolverBody> ends_;
  std::vector<JointPlace> places_;
  std::vector<bool> held_;  ///< By a joint of a robot, as its child or its moving parent.
  /// By a joint of the world; by such a joint or by a contact of this step.
  std::vector<bool> constrained_, restrained_;
  rigid::RowSolver solver_;
  std::unique_ptr<rigid::JointsBetweenBodies> joints_;
  ContactList contacts_;
  std::vector<Wrench> wrenches_;  ///< For the next step.
  std::vector<StepSubstitution> substitutions_;
};

}  // namespace mortise::native
