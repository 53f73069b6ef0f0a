// A physics backend: free bodies fall and turn, nothing touches anything, and joints jump to their targets.

#include <algorithm>

#include "mortise/math/rotation.h"
#include "mortise/plugin/plugin.h"

namespace acme {

using namespace mortise;

class FallScene final : public Scene {
 public:
  explicit FallScene(const SceneDescription& description)
      : gravity_(description.gravity), joints_(description.joints), held_(description.bodies.size(), false) {
    for (const SceneBody& body : description.bodies) {
      fixed_.push_back(body.motion == BodyMotion::fixed);
      bodies_.push_back({body.X_WB, body.v_WB, body.w_WB});
    }
    for (const SceneJoint& joint : joints_) {
      held_[static_cast<std::size_t>(joint.child)] = true;
      positions_.push_back({joint.position, 0.0});
    }
    drives_.resize(joints_.size());
    place();
  }

  void setGravity(const Vector3d& gravity) override { gravity_ = gravity; }
  void setJointDrives(std::span<const JointDrive> drives) override { drives_.assign(drives.begin(), drives.end()); }
  void applyWrench(int, const Vector3d&, const Vector3d&, const Vector3d&) override {}
  void setBodyState(int body, const BodyState& state) override { bodies_.at(static_cast<std::size_t>(body)) = state; }
  void setJointState(int joint, double position, double velocity) override {
    positions_.at(static_cast<std::size_t>(joint)) = {position, velocity};
    place();
  }
  // What the capabilities do not promise may throw.
  void setBodyMotion(int, BodyMotion) override { throw Error("the backend 'acme.Fall' keeps how bodies move"); }
  void setCollision(int, int, bool) override { throw Error("the backend 'acme.Fall' finds no contacts"); }
  void setContacts(std::span<const SceneContact>) override {}  // Taken, and left alone.

  void step(double dt) override {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (fixed_[b] || held_[b]) continue;
      BodyState& body = bodies_[b];
      body.X_WB.p += dt * body.v_WB + 0.5 * dt * dt * gravity_;
      body.v_WB += dt * gravity_;
      body.X_WB.R = orthonormalized(rotationFromMoment(dt * body.w_WB) * body.X_WB.R);
    }
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (drives_[j].stiffness > 0)
        positions_[j].position = std::clamp(drives_[j].target, joints_[j].lower, joints_[j].upper);
    place();
  }

  void readBodies(std::span<BodyState> out) const override { std::copy(bodies_.begin(), bodies_.end(), out.begin()); }
  void readJoints(std::span<JointState> out) const override {
    std::copy(positions_.begin(), positions_.end(), out.begin());
  }
  void readConstraints(std::span<JointState> out) const override { std::fill(out.begin(), out.end(), JointState()); }
  std::span<const ContactForce> contacts() const override { return {}; }

  // Everything that the next steps depend on, so that a run goes on bit for bit.
  void save(ByteWriter& out) const override {
    out.append(gravity_.data(), 3 * sizeof(double));
    for (const BodyState& body : bodies_) {
      double rows[12];
      body.X_WB.toRows(rows);
      out.append(rows, sizeof(rows));
      out.append(body.v_WB.data(), 3 * sizeof(double));
      out.append(body.w_WB.data(), 3 * sizeof(double));
    }
    for (const JointState& joint : positions_) out.put(joint.position);
  }
  void restore(ByteReader& in) override {
    for (double& number : gravity_) in.get(number);
    for (BodyState& body : bodies_) {
      double rows[12];
      for (double& number : rows) in.get(number);
      body.X_WB = RigidTransform::fromRows(rows);
      for (double& number : body.v_WB) in.get(number);
      for (double& number : body.w_WB) in.get(number);
    }
    for (JointState& joint : positions_) in.get(joint.position);
  }

  Value effectiveSettings() const override { return Value::map(); }

 private:
  /// Bodies hang on their joints; joints come parents first.
  void place() {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const SceneJoint& joint = joints_[j];
      const RigidTransform X_WP =
          joint.parent >= 0 ? bodies_[static_cast<std::size_t>(joint.parent)].X_WB : RigidTransform();
      const double q = positions_[j].position;
      const RigidTransform moved = joint.type == SceneJoint::Type::revolute
                                       ? RigidTransform::rotation(rotationAboutAxis(joint.axis, q))
                                       : RigidTransform::translation(joint.axis * q);
      bodies_[static_cast<std::size_t>(joint.child)] = {X_WP * joint.X_PC0 * moved, Vector3d::Zero(), Vector3d::Zero()};
    }
  }

  Vector3d gravity_;
  std::vector<SceneJoint> joints_;
  std::vector<bool> held_, fixed_;
  std::vector<BodyState> bodies_;
  std::vector<JointState> positions_;
  std::vector<JointDrive> drives_;
};

class FallPhysics final : public Physics {
 public:
  PhysicsCapabilities capabilities() const override {
    PhysicsCapabilities can;
    can.externalContacts = true;
    can.implicitDrives = true;  // Joints are where their drives want them, however stiff these are.
    can.restore = PhysicsCapabilities::Restore::bitwise;
    can.restitution = false;
    can.friction = PhysicsCapabilities::Friction::none;
    return can;
  }
  std::unique_ptr<Scene> build(const SceneDescription& description) override {
    if (!description.constraints.empty())
      throw Error("the backend 'acme.Fall' keeps no joints between bodies", {}, "choose another backend, such as ode");
    return std::make_unique<FallScene>(description);
  }
};

}  // namespace acme

MORTISE_PLUGIN("acme_physics", "1.0.0") {
  plugin.physics<acme::FallPhysics>("acme.Fall").summary("Free bodies fall; nothing touches anything.");
}
