#include "bullet_scene.h"

#include <LinearMath/btScalar.h>
#include <algorithm>
#include <string>

#include "mortise/base/error.h"

namespace mortise::bullet {

namespace {

constexpr std::uint32_t kSnapshotMark = 0x314c5542;  // "BUL1"

void put(ByteWriter& out, const Vector3d& v) { out.put(std::span<const double>(v.data(), 3)); }
Vector3d getVector(ByteReader& in) {
  Vector3d v;
  in.get(std::span<double>(v.data(), 3));
  return v;
}

}  // namespace

BulletScene::BulletScene(const SceneDescription& description, const Settings& settings)
    : data_(description, settings), engine_(std::make_unique<Engine>(data_)), gravity_(description.gravity) {}

BulletScene::~BulletScene() = default;

int BulletScene::checkedBody(int body) const {
  if (body < 0 || body >= static_cast<int>(data_.description.bodies.size()))
    throw Error("there is no body " + std::to_string(body) + "; the scene has " +
                std::to_string(data_.description.bodies.size()));
  return body;
}

void BulletScene::setGravity(const Vector3d& gravity) {
  gravity_ = gravity;
  engine_->world().setGravity(toBullet(gravity));
}

void BulletScene::setJointDrives(std::span<const JointDrive> drives) {
  if (drives.size() != data_.description.joints.size())
    throw Error("the scene has " + std::to_string(data_.description.joints.size()) + " joints but got " +
                std::to_string(drives.size()) + " drives");
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const Engine::JointPlace& place = engine_->joint(static_cast<int>(i));
    place.articulation->setDrive(place.link, drives[i]);
  }
}

void BulletScene::applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  if (data_.description.bodies[checkedBody(body)].motion == BodyMotion::dynamic)
    wrenches_.push_back({body, force, torque, point});
}

void BulletScene::setBodyState(int body, const BodyState& state) { engine_->setBodyState(checkedBody(body), state); }

void BulletScene::setJointState(int joint, double position, double velocity) {
  if (joint < 0 || joint >= static_cast<int>(data_.description.joints.size()))
    throw Error("there is no joint " + std::to_string(joint));
  const Engine::JointPlace& place = engine_->joint(joint);
  place.articulation->setJoint(place.link, position, velocity);
  place.articulation->update();
  for (int i = 0; i < place.articulation->numLinks(); ++i) engine_->forgetContacts(place.articulation->linkBody(i));
}

void BulletScene::setContacts(std::span<const SceneContact>) {
  throw Error("the Bullet backend finds contacts by itself and takes none from outside", {}, "use `contacts: engine`");
}

void BulletScene::step(double dt) {
  if (!(dt > 0)) throw Error("a step of " + std::to_string(dt) + " s");
  for (const Wrench& wrench : wrenches_) engine_->applyWrench(wrench.body, wrench.force, wrench.torque, wrench.point);
  wrenches_.clear();
  engine_->world().stepSimulation(dt, 0);
  engine_->moveKinematicBodies(dt);
  lastStep_ = dt;
  contactsCurrent_ = false;
}

void BulletScene::readBodies(std::span<BodyState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = engine_->bodyState(static_cast<int>(i));
}

void BulletScene::readJoints(std::span<JointState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Engine::JointPlace& place = engine_->joint(static_cast<int>(i));
    out[i] = {place.articulation->position(place.link), place.articulation->velocity(place.link),
              place.articulation->effort(place.link)};
  }
}

void BulletScene::collectContacts() const {
  contacts_.clear();
  contactsCurrent_ = true;
  if (!(lastStep_ > 0)) return;
  const ContactDispatcher& dispatcher = engine_->dispatcher();
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
      const btManifoldPoint& point = manifold.getContactPoint(i);
      if (!(point.m_appliedImpulse > 0)) continue;
      ContactForce contact;
      contact.idA = point.m_partId0;
      contact.idB = point.m_partId1;
      contact.bodyA = manifold.getBody0()->getUserIndex();
      contact.bodyB = manifold.getBody1()->getUserIndex();
      contact.point = fromBullet((point.m_positionWorldOnA + point.m_positionWorldOnB) * 0.5);
      contact.normal = fromBullet(point.m_normalWorldOnB);
      contact.depth = -point.m_distance1;
      contact.force = fromBullet(point.m_normalWorldOnB * point.m_appliedImpulse +
                                 point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
                                 point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2) /
                      lastStep_;
      if (contact.idB < contact.idA) {
        std::swap(contact.idA, contact.idB);
        std::swap(contact.bodyA, contact.bodyB);
        contact.normal = -contact.normal;
        contact.force = -contact.force;
      }
      contacts_.push_back(contact);
    }
  }
}

std::span<const ContactForce> BulletScene::contacts() const {
  if (!contactsCurrent_) collectContacts();
  return contacts_;
}

void BulletScene::save(ByteWriter& out) const {
  out.put(kSnapshotMark);
  out.put(static_cast<std::uint64_t>(data_.description.bodies.size()));
  out.put(static_cast<std::uint64_t>(data_.description.joints.size()));
  put(out, gravity_);
  out.put(lastStep_);
  for (std::size_t i = 0; i < data_.description.bodies.size(); ++i) {
    const btRigidBody* rigid = engine_->end(static_cast<int>(i)).rigid;
    if (rigid == nullptr) continue;
    // The matrix, not a quaternion: the way there and back would change bits.
    for (int row = 0; row < 3; ++row) out.put(rigid->getWorldTransform().getBasis()[row]);
    out.put(rigid->getWorldTransform().getOrigin());
    out.put(rigid->getLinearVelocity());
    out.put(rigid->getAngularVelocity());
  }
  for (const auto& articulation : engine_->articulations()) articulation->save(out);
  out.put(static_cast<std::uint64_t>(wrenches_.size()));
  for (const Wrench& wrench : wrenches_) {
    out.put(wrench.body);
    put(out, wrench.force);
    put(out, wrench.torque);
    put(out, wrench.point);
  }
  const std::span<const ContactForce> current = contacts();
  out.put(static_cast<std::uint64_t>(current.size()));
  for (const ContactForce& contact : current) {
    for (const int index : {contact.idA, contact.idB, contact.bodyA, contact.bodyB}) out.put(index);
    put(out, contact.point);
    put(out, contact.normal);
    put(out, contact.force);
    out.put(contact.depth);
  }
}

void BulletScene::restore(ByteReader& in) {
  if (in.get<std::uint32_t>() != kSnapshotMark) throw Error("these bytes are no snapshot of the Bullet backend");
  if (in.get<std::uint64_t>() != data_.description.bodies.size() ||
      in.get<std::uint64_t>() != data_.description.joints.size())
    throw Error("the snapshot belongs to another scene");
  auto engine = std::make_unique<Engine>(data_);
  const Vector3d gravity = getVector(in);
  engine->world().setGravity(toBullet(gravity));
  const double lastStep = in.get<double>();
  for (std::size_t i = 0; i < data_.description.bodies.size(); ++i) {
    btRigidBody* rigid = engine->end(static_cast<int>(i)).rigid;
    if (rigid == nullptr) continue;
    btTransform X;
    for (int row = 0; row < 3; ++row) X.getBasis()[row] = in.get<btVector3>();
    X.setOrigin(in.get<btVector3>());
    const auto v = in.get<btVector3>();
    const auto w = in.get<btVector3>();
    rigid->setCenterOfMassTransform(X);
    rigid->setInterpolationWorldTransform(X);
    if (data_.description.bodies[i].motion == BodyMotion::fixed) continue;
    rigid->setLinearVelocity(v);
    rigid->setAngularVelocity(w);
  }
  for (const auto& articulation : engine->articulations()) articulation->restore(in);
  std::vector<Wrench> wrenches(in.get<std::uint64_t>());
  for (Wrench& wrench : wrenches) {
    in.get(wrench.body);
    wrench.force = getVector(in);
    wrench.torque = getVector(in);
    wrench.point = getVector(in);
  }
  std::vector<ContactForce> contacts(in.get<std::uint64_t>());
  for (ContactForce& contact : contacts) {
    for (int* index : {&contact.idA, &contact.idB, &contact.bodyA, &contact.bodyB}) in.get(*index);
    contact.point = getVector(in);
    contact.normal = getVector(in);
    contact.force = getVector(in);
    in.get(contact.depth);
  }
  gravity_ = gravity;
  lastStep_ = lastStep;
  wrenches_ = std::move(wrenches);
  contacts_ = std::move(contacts);
  contactsCurrent_ = true;
  engine_ = std::move(engine);
}

Value BulletScene::effectiveSettings() const {
  const Settings& settings = data_.settings;
  Value out = Value::map();
  out.set("engine", "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100) +
                        ", double precision");
  out.set("articulation", "reduced");
  out.set("solver", "projected Gauss-Seidel, friction cone for robots, velocity-aligned box for rigid bodies");
  out.set("iterations", settings.iterations);
  out.set("erp", settings.erp);
  out.set("contactErp", settings.contactErp);
  out.set("cfm", settings.cfm);
  out.set("warmStart", settings.warmStart);
  out.set("bounceSpeed", settings.bounceSpeed);
  out.set("maxCorrectionSpeed", settings.maxCorrectionSpeed);
  out.set("margin", settings.margin);
  const auto name = [](MovingMeshes choice) { return choice == MovingMeshes::hull ? "hull" : "gimpact"; };
  out.set("movingMeshes", name(settings.objectMeshes));
  out.set("robotMeshes", name(settings.robotMeshes));
  out.set("sleeping", false);
  out.set("damping", 0.0);
  out.set("contactsPerPair", MANIFOLD_CACHE_SIZE);
  Value shapes = Value::map();
  for (const auto& [kind, count] : data_.shapes.counts()) shapes.set(kind, count);
  out.set("shapes", std::move(shapes));
  return out;
}

}  // namespace mortise::bullet
