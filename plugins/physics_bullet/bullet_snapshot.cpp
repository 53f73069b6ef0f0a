#include <LinearMath/btScalar.h>

#include "bullet_scene.h"
#include "mortise/base/error.h"

namespace mortise::bullet {

namespace {

constexpr std::uint32_t kSnapshotMark = 0x344c5542;  // "BUL4"

void put(ByteWriter& out, const Vector3d& v) { out.put(std::span<const double>(v.data(), 3)); }
Vector3d getVector(ByteReader& in) {
  Vector3d v;
  in.get(std::span<double>(v.data(), 3));
  return v;
}

void saveRigid(ByteWriter& out, const btRigidBody& rigid) {
  // The matrix, not a quaternion: the way there and back would change bits.
  const btTransform& X = rigid.getWorldTransform();
  const btVector3 numbers[6] = {X.getBasis()[0], X.getBasis()[1],           X.getBasis()[2],
                                X.getOrigin(),   rigid.getLinearVelocity(), rigid.getAngularVelocity()};
  out.append(numbers, sizeof(numbers));
  out.put(rigid.getActivationState());
  out.put(rigid.getDeactivationTime());
}

void restoreRigid(ByteReader& in, btRigidBody& rigid, bool fixed) {
  btTransform X;
  for (int row = 0; row < 3; ++row) X.getBasis()[row] = in.get<btVector3>();
  X.setOrigin(in.get<btVector3>());
  rigid.setCenterOfMassTransform(X);
  rigid.setInterpolationWorldTransform(X);
  const auto linear = in.get<btVector3>();
  const auto angular = in.get<btVector3>();
  const auto activation = in.get<int>();
  const auto still = in.get<btScalar>();
  if (fixed) return;
  rigid.setLinearVelocity(linear);
  rigid.setAngularVelocity(angular);
  rigid.forceActivationState(activation);
  rigid.setDeactivationTime(still);
}

}  // namespace

void BulletScene::save(ByteWriter& out) const {
  out.put(kSnapshotMark);
  for (const std::size_t size : {ends_.size(), joints_.size(), description_.constraints.size()})
    out.put(static_cast<std::uint64_t>(size));
  put(out, gravity_);
  out.put(static_cast<std::uint64_t>(wrenches_.size()));
  for (const Wrench& wrench : wrenches_) {
    out.put(wrench.body);
    put(out, wrench.force);
    put(out, wrench.torque);
    put(out, wrench.point);
  }
  pairs_.save(out);
  out.append(motions_.data(), motions_.size() * sizeof(BodyMotion));
  for (const auto& rigid : rigidBodies_)
    if (rigid != nullptr) saveRigid(out, *rigid);
  for (const auto& robot : robots_) robot->save(out);
  worldJoints_->save(out);
  contacts_.save(out);
}

void BulletScene::restore(ByteReader& in) {
  if (in.get<std::uint32_t>() != kSnapshotMark) throw Error("these bytes are no snapshot of the Bullet backend");
  for (const std::size_t size : {ends_.size(), joints_.size(), description_.constraints.size()})
    if (in.get<std::uint64_t>() != size) throw Error("the snapshot belongs to another scene");
  gravity_ = getVector(in);
  wrenches_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const int body = checkedBody(in.get<int>());
    const Vector3d force = getVector(in), torque = getVector(in);
    wrenches_.push_back({body, force, torque, getVector(in)});
  }
  pairs_.restore(in);
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const auto motion = in.get<BodyMotion>();
    if (motion == motions_[i]) continue;
    if (ends_[i].rigid == nullptr || motions_[i] == BodyMotion::fixed ||
        (motion != BodyMotion::dynamic && motion != BodyMotion::kinematic))
      throw Error("the snapshot moves body '" + description_.bodies[i].name + "' in a way that it cannot move");
    changeMotion(static_cast<int>(i), motion);
  }
  for (std::size_t i = 0; i < rigidBodies_.size(); ++i) {
    if (rigidBodies_[i] == nullptr) continue;
    restoreRigid(in, *rigidBodies_[i], motions_[i] == BodyMotion::fixed);
    kinematic_[i] = {rigidBodies_[i]->getLinearVelocity(), rigidBodies_[i]->getAngularVelocity()};
  }
  for (const auto& robot : robots_) robot->restore(in);
  worldJoints_->restore(in);
  contacts_.restore(in);
  // Contacts that Bullet found live in its caches; a world without history continues the same way each time.
  if (ownContacts()) {
    leaveWorld();
    enterWorld();
  } else {
    world_->bullet().setGravity(toBullet(gravity_));
  }
}

Value BulletScene::effectiveSettings() const {
  BulletSettings settings = settings_;
  SettingBinder binder;
  settings.bind(binder);
  Value out = binder.values();
  out.set("engine", "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100) +
                        ", double precision");
  out.set("articulation", "reduced");
  out.set("contacts", ownContacts() ? "engine" : "external");
  out.set("restore", ownContacts() ? "approximate" : "bitwise");
  out.set("linear_damping", settings_.linearDamping.value_or(0));
  out.set("angular_damping", settings_.angularDamping.value_or(0));
  out.set("linear_damping_of_robots", settings_.linearDamping.value_or(kRobotDamping));
  out.set("angular_damping_of_robots", settings_.angularDamping.value_or(kRobotDamping));
  out.set("engine_steps", world_->steps());
  out.set("solver_fallbacks", world_->fallbacks());
  out.set("withheld_contacts", contacts_.withheld());
  if (!ownContacts()) return out;
  out.set("contacts_per_pair", MANIFOLD_CACHE_SIZE);
  Value shapes = Value::map();
  for (const auto& [kind, count] : shapes_.counts()) shapes.set(kind, count);
  out.set("shapes", std::move(shapes));
  return out;
}

}  // namespace mortise::bullet
