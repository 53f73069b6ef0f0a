#pragma once

#include <memory>
#include <string>
#include <utility>

#include "mortise/component/physics.h"
#include "mortise/plugin/registry.h"
#include "mortise/settings/settings.h"

namespace mortise::test {

/// A scene that hands everything on to another, for those that look at some of it or change it.
class ForwardingScene : public Scene {
 public:
  explicit ForwardingScene(std::unique_ptr<Scene> inner) : inner_(std::move(inner)) {}
  void setGravity(const Vector3d& gravity) override { inner().setGravity(gravity); }
  void setJointDrives(std::span<const JointDrive> drives) override { inner().setJointDrives(drives); }
  void applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) override {
    inner().applyWrench(body, force, torque, point);
  }
  void setBodyState(int body, const BodyState& state) override { inner().setBodyState(body, state); }
  void setJointState(int joint, double position, double velocity) override {
    inner().setJointState(joint, position, velocity);
  }
  void setBodyMotion(int body, BodyMotion motion) override { inner().setBodyMotion(body, motion); }
  void setCollision(int idA, int idB, bool on) override { inner().setCollision(idA, idB, on); }
  void setContacts(std::span<const SceneContact> contacts) override { inner().setContacts(contacts); }
  void step(double dt) override { inner().step(dt); }
  void readBodies(std::span<BodyState> out) const override { inner().readBodies(out); }
  void readJoints(std::span<JointState> out) const override { inner().readJoints(out); }
  void readConstraints(std::span<JointState> out) const override { inner().readConstraints(out); }
  std::span<const ContactForce> contacts() const override { return inner().contacts(); }
  void save(ByteWriter& out) const override { inner().save(out); }
  void restore(ByteReader& in) override { inner().restore(in); }
  Value effectiveSettings() const override { return inner().effectiveSettings(); }
  StepBounds boundsHit() const override { return inner().boundsHit(); }
  std::span<const StepSubstitution> substitutions() const override { return inner().substitutions(); }

 protected:
  virtual Scene& inner() const { return *inner_; }

 private:
  std::unique_ptr<Scene> inner_;
};

/// An engine with its default settings, for a component that stands before it.
inline ComponentPtr<Physics> engineBehind(Registry& registry, const std::string& name,
                                          const ComponentContext& context) {
  const ComponentInfo& info = registry.require(Kind::physics, name);
  Diagnostics diagnostics;
  const Value settings = registry.completeSettings(info, Value::map(), diagnostics);
  diagnostics.throwIfErrors();
  return registry.create<Physics>(info, settings, context.host);
}

}  // namespace mortise::test
