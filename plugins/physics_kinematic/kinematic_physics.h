#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "mortise/component/physics.h"
#include "mortise/settings/settings.h"

namespace mortise::kinematic {

/// Robots that go where they are told, without forces. A pure function of the commands.
class KinematicScene final : public Scene {
 public:
  /// Throws `Error` when a joint of the world holds something that moves: keeping it would take dynamics.
  KinematicScene(const SceneDescription& description, double maxSpeed);

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

 private:
  struct Place {
    double position, velocity;
  };
  int checkedBody(int body) const;
  void moveJoint(std::size_t joint, double dt);
  void placeBodies();

  std::vector<SceneJoint> joints_;
  std::vector<BodyMotion> motion_;  ///< Motion of each body.
  std::vector<int> heldBy_;         ///< Joint whose child the body is, or -1.
  int numIds_ = 0;
  std::size_t numConstraints_;
  double maxSpeed_;
  std::vector<BodyState> bodies_;
  std::vector<Place> places_;  ///< Places of the joints.
  std::vector<JointDrive> drives_;
  std::vector<SceneContact> pending_;
  std::vector<ContactForce> contacts_;
};

struct KinematicSettings {
  std::optional<double> maxSpeed;  ///< rad/s or m/s; absent: a joint is at its target at once.
  void bind(SettingBinder& b);
};

/// The component `mortise.KinematicPhysics`.
class KinematicPhysics final : public Physics {
 public:
  explicit KinematicPhysics(const ComponentContext& context) : settings_(context.settings), host_(context.host) {}
  PhysicsCapabilities capabilities() const override;
  std::unique_ptr<Scene> build(const SceneDescription& description) override;

 private:
  Settings<KinematicSettings> settings_;
  Host& host_;
};

}  // namespace mortise::kinematic
