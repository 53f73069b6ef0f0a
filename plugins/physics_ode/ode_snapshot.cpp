#include <cstring>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "ode_convert.h"
#include "ode_scene.h"

// Snapshots of a scene. ODE keeps no warm start, so poses, velocities, pending forces and the step counter (which seeds
// QuickStep's shuffling) are all there is.

namespace mortise::ode {

namespace {

constexpr std::uint32_t kVersion = 1;

void put(ByteWriter& out, const dReal* values, int count) {
  out.append(values, static_cast<std::size_t>(count) * sizeof(dReal));
}
void put(ByteWriter& out, const Vector3d& v) { put(out, v.data(), 3); }

Vector3d getVector(ByteReader& in) {
  Vector3d v;
  for (int i = 0; i < 3; ++i) in.get(v[i]);
  return v;
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
}

void OdeScene::BodyMemory::write(dBodyID body) const {
  dBodySetPosition(body, position[0], position[1], position[2]);
  dBodySetQuaternion(body, quaternion);
  // ODE normalises the quaternion and derives the matrix anew, which changes the last bits.
  std::memcpy(const_cast<dReal*>(dBodyGetQuaternion(body)), quaternion, sizeof(quaternion));
  std::memcpy(const_cast<dReal*>(dBodyGetRotation(body)), rotation, sizeof(rotation));
  dBodySetLinearVel(body, velocity[0], velocity[1], velocity[2]);
  dBodySetAngularVel(body, spin[0], spin[1], spin[2]);
  dBodySetForce(body, force[0], force[1], force[2]);
  dBodySetTorque(body, torque[0], torque[1], torque[2]);
}

/// Tells scenes of different descriptions apart.
std::uint64_t OdeScene::signature() const {
  std::uint64_t hash = hashBytes(&kVersion, sizeof(kVersion));
  const std::uint64_t counts[] = {bodies_.size(), joints_.size(), constraintJoints_.size(), colliders_.all().size()};
  hash = hashBytes(counts, sizeof(counts), hash);
  for (const Body& body : bodies_) {
    hash = hashBytes(&body.motion, sizeof(body.motion), hash);
    hash = hashBytes(&body.mass, sizeof(body.mass), hash);
    hash = hashBytes(body.com.data(), 3 * sizeof(double), hash);
  }
  return hash;
}

void OdeScene::save(ByteWriter& out) const {
  out.put(signature());
  out.put(steps_);
  put(out, gravity_);
  for (const Body& body : bodies_) {
    if (body.body == nullptr) {
      put(out, body.X_WB.R.data(), 9);
      put(out, body.X_WB.p);
      continue;
    }
    BodyMemory memory;
    memory.read(body.body);
    out.put(memory);
  }
  for (const OdeJoint& joint : joints_) joint.save(out);
  for (const OdeJoint& joint : constraintJoints_) joint.save(out);
  out.put(static_cast<std::uint64_t>(contacts_.size()));
  for (const ContactForce& contact : contacts_) {
    const int ids[] = {contact.idA, contact.idB, contact.bodyA, contact.bodyB};
    out.append(ids, sizeof(ids));
    put(out, contact.point);
    put(out, contact.normal);
    out.put(contact.depth);
    put(out, contact.force);
  }
}

void OdeScene::restore(ByteReader& in) {
  if (in.get<std::uint64_t>() != signature())
    throw Error("the snapshot was taken of another scene, or by another version of the ODE backend");
  Session session(messages_);
  in.get(steps_);
  setGravity(getVector(in));
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
    in.get<BodyMemory>().write(body.body);
  }
  for (OdeJoint& joint : joints_) joint.restore(in);
  for (OdeJoint& joint : constraintJoints_) joint.restore(in);
  contacts_.resize(in.get<std::uint64_t>());
  for (ContactForce& contact : contacts_) {
    in.get(contact.idA);
    in.get(contact.idB);
    in.get(contact.bodyA);
    in.get(contact.bodyB);
    contact.point = getVector(in);
    contact.normal = getVector(in);
    in.get(contact.depth);
    contact.force = getVector(in);
  }
}

}  // namespace mortise::ode
