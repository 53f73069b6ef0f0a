#pragma once

#include <memory>
#include <vector>

#include "engine.h"
#include "mortise/component/physics.h"

namespace mortise::bullet {

class BulletScene final : public Scene {
 public:
  BulletScene(const SceneDescription& description, const BulletSettings& settings);
  ~BulletScene() override;

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
  std::span<const ContactForce> contacts() const override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;
  Value effectiveSettings() const override;

 private:
  struct Wrench {
    int body;
    Vector3d force, torque, point;
  };
  int checkedBody(int body) const;

  SceneData data_;
  PairTable pairs_;
  std::unique_ptr<Engine> engine_;
  Vector3d gravity_;
  std::vector<Wrench> wrenches_;  ///< For the next step.
};

}  // namespace mortise::bullet
