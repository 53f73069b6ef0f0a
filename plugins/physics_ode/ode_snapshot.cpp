#include <cstring>

#include "collision/ode_convert.h"
#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "ode_scene.h"

// Snapshots of a scene. ODE keeps no warm start, so poses, velocities, pending forces and the step counter (which seeds
// QuickStep's shuffling) are all there is of it. (With auto-disable also how long bodies have been at rest, which ODE
// does not show.)

namespace mortise::ode {

namespace {

constexpr std::uint32_t kVersion = 4;

void put(ByteWriter& out, const dReal* values, int count) {
  out.append(values, static_cast<std::size_t>(count) * sizeof(dReal));
}
void put(ByteWriter& out, const Vector3d& v) { put(out, v.data(), 3); }

Vector3d getVector(ByteReader& in) {
  Vector3d v;
  for (int i = 0; i < 3; ++i) in.get(v[i]);
  return v;
}

struct ContactBits {
  std::uint64_t key;
  int ids[4];
  double numbers[11];
};

void putBits(ByteWriter& out, const ContactForce& c) {
  ContactBits bits = {c.key, {c.bodyA, c.bodyB, c.idA, c.idB}, {}};
  for (int i = 0; i < 3; ++i) {
    bits.numbers[i] = c.point[i];
    bits.numbers[3 + i] = c.normal[i];
    bits.numbers[6 + i] = c.force[i];
  }
  bits.numbers[9] = c.depth;
  out.put(bits);
}

void putBits(ByteWriter& out, const SceneContact& c) {
  const ContactMaterial& m = c.material;
  ContactBits bits = {c.key, {c.bodyA, c.bodyB, c.idA, c.idB}, {}};
  for (int i = 0; i < 3; ++i) {
    bits.numbers[i] = c.point[i];
    bits.numbers[3 + i] = c.normal[i];
  }
  bits.numbers[6] = c.gap;
  bits.numbers[7] = m.friction;
  bits.numbers[8] = m.restitution;
  bits.numbers[9] = m.stiffness;
  bits.numbers[10] = m.damping;
  out.put(bits);
}

template <typename Contact>
ContactBits getCommonBits(ByteReader& in, Contact& c) {
  const auto bits = in.get<ContactBits>();
  c.key = bits.key;
  c.bodyA = bits.ids[0];
  c.bodyB = bits.ids[1];
  c.idA = bits.ids[2];
  c.idB = bits.ids[3];
  c.point = Vector3d(bits.numbers);
  c.normal = Vector3d(bits.numbers + 3);
  return bits;
}

void getBits(ByteReader& in, ContactForce& c) {
  const ContactBits bits = getCommonBits(in, c);
  c.force = Vector3d(bits.numbers + 6);
  c.depth = bits.numbers[9];
}

void getBits(ByteReader& in, SceneContact& c) {
  const ContactBits bits = getCommonBits(in, c);
  c.gap = bits.numbers[6];
  c.material = {bits.numbers[7], bits.numbers[8], bits.numbers[9], bits.numbers[10]};
}

}  // namespace

void OdeScene::BodyMemory::read(dBodyID body) {
  std::memcpy(position, dBodyGetPosition(body), sizeof(position));
  std::memcpy(quaternion, dBodyGetQuaternion(body), sizeof(quaternion));
  std::memcpy(rotation, dBodyGetRotation(body), sizeof(rotation));
  std::memcpy(velocity, dBodyGetLinearVel(body), sizeof(velocity));
  std::memcpy(spin, dBodyGetAngularVel(body), sizeof(spin));
  std::memcpy(force, dBodyGetForce(body), sizeof(force));
  std::memcpy(torque, dBodyGetTorque(body), sizeof(torque));
  enabled = dBodyIsEnabled(body);
}

void OdeScene::BodyMemory::write(dBodyID body) const {
  dBodySetPosition(body, position[0], position[1], position[2]);
  dBodySetQuaternion(body, quaternion);
  // ODE normalizes the quaternion and derives the matrix anew, which changes the last bits.
  std::memcpy(const_cast<dReal*>(dBodyGetQuaternion(body)), quaternion, sizeof(quaternion));
  std::memcpy(const_cast<dReal*>(dBodyGetRotation(body)), rotation, sizeof(rotation));
  dBodySetLinearVel(body, velocity[0], velocity[1], velocity[2]);
  dBodySetAngularVel(body, spin[0], spin[1], spin[2]);
  dBodySetForce(body, force[0], force[1], force[2]);
  dBodySetTorque(body, torque[0], torque[1], torque[2]);
  enabled != 0 ? dBodyEnable(body) : dBodyDisable(body);
}

/// Tells scenes of different descriptions apart.
std::uint64_t OdeScene::makeSignature() const {
  std::uint64_t hash = hashBytes(&kVersion, sizeof(kVersion));
  const std::uint64_t counts[] = {bodies_.size(), joints_.size(), constraintJoints_.size(), colliders_.all().size()};
  hash = hashBytes(counts, sizeof(counts), hash);
  hash = hashBytes(&description_.contactSource, sizeof(description_.contactSource), hash);
  for (const SceneBody& body : description_.bodies) {
    hash = hashBytes(&body.motion, sizeof(body.motion), hash);
    hash = hashBytes(&body.inertia.mass, sizeof(body.inertia.mass), hash);
    hash = hashBytes(body.inertia.com.data(), 3 * sizeof(double), hash);
  }
  return hash;
}

void OdeScene::save(ByteWriter& out) const {
  out.put(signature_);
  out.put(steps_);
  put(out, gravity_);
  out.put(static_cast<std::uint64_t>(switchedOff_.size()));
  for (const auto& [a, b] : switchedOff_) {
    out.put(a);
    out.put(b);
  }
  for (const Body& body : bodies_) {
    if (body.body == nullptr) {
      put(out, body.X_WB.R.data(), 9);
      put(out, body.X_WB.p);
      continue;
    }
    BodyMemory memory;
    memory.read(body.body);
    memory.motion = body.motion;
    out.put(memory);
  }
  for (const OdeJoint& joint : joints_) joint.save(out);
  for (const OdeJoint& joint : constraintJoints_) joint.save(out);
  pushOut_.save(out);
  // Contacts of the last step, and those handed over for the next one.
  out.put(static_cast<std::uint64_t>(contacts_.size()));
  for (const ContactForce& contact : contacts_) putBits(out, contact);
  out.put(static_cast<std::uint64_t>(touches_.size()));
  for (const SceneContact& contact : touches_) putBits(out, contact);
}

void OdeScene::restore(ByteReader& in) {
  if (in.get<std::uint64_t>() != signature_)
    throw Error("the snapshot was taken of another scene, or by another version of the ODE backend");
  Session session(messages_);
  const auto isId = [&](int id) { return id >= 0 && id < static_cast<int>(description_.surfaces.size()); };
  const auto checkPlaces = [&](const auto& contact) {
    const int n = static_cast<int>(bodies_.size());
    if (!isId(contact.idA) || !isId(contact.idB) || contact.bodyA < 0 || contact.bodyA >= n || contact.bodyB < 0 ||
        contact.bodyB >= n)
      throw Error("the snapshot holds a contact of a body that is not there");
  };
  in.get(steps_);
  setGravity(getVector(in));
  for (const auto& [a, b] : switchedOff_) description_.filter.allow(a, b);
  switchedOff_.clear();
  // Lists grow as they are read, so that a wrong count ends with the bytes.
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const int a = in.get<int>(), b = in.get<int>();
    if (!isId(a) || !isId(b)) throw Error("the snapshot switches contacts of an id that is not there");
    switchedOff_.emplace_back(a, b);
    description_.filter.allow(a, b, false);
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    if (body.body == nullptr) {
      RigidTransform X;
      for (int k = 0; k < 9; ++k) in.get(X.R.data()[k]);
      X.p = getVector(in);
      if (X == body.X_WB) continue;
      body.X_WB = X;
      colliders_.placeFixed(static_cast<int>(i), X);
      continue;
    }
    const auto memory = in.get<BodyMemory>();
    if (memory.motion != BodyMotion::dynamic && memory.motion != BodyMotion::kinematic)
      throw Error("the snapshot holds a body that moves in no known way");
    if (memory.motion != body.motion) changeMotion(static_cast<int>(i), memory.motion);
    memory.write(body.body);
  }
  for (OdeJoint& joint : joints_) joint.restore(in);
  for (OdeJoint& joint : constraintJoints_) joint.restore(in);
  pushOut_.restore(in);
  contacts_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    ContactForce contact;
    getBits(in, contact);
    checkPlaces(contact);
    contacts_.push_back(contact);
  }
  touches_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    SceneContact contact;
    getBits(in, contact);
    checkPlaces(contact);
    touches_.push_back(contact);
  }
}

}  // namespace mortise::ode
