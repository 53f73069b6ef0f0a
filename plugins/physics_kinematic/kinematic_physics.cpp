#include "kinematic_physics.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/contacts/scene_contact_check.h"
#include "mortise/contacts/stated_softness.h"
#include "mortise/math/rotation.h"

namespace mortise::kinematic {

namespace {

constexpr std::string_view kSnapshotTag = "kinematic scene 1";

RigidTransform jointMotion(const SceneJoint& joint, double position) {
  return joint.type == SceneJoint::Type::revolute ? RigidTransform::rotation(rotationAboutAxis(joint.axis, position))
                                                  : RigidTransform::translation(joint.axis * position);
}

void put(ByteWriter& out, const BodyState& body) {
  double rows[12];
  body.X_WB.toRows(rows);
  out.append(rows, sizeof(rows));
  out.append(body.v_WB.data(), 3 * sizeof(double));
  out.append(body.w_WB.data(), 3 * sizeof(double));
}

void get(ByteReader& in, BodyState& body) {
  double rows[12];
  for (double& number : rows) in.get(number);
  body.X_WB = RigidTransform::fromRows(rows);
  for (int i = 0; i < 3; ++i) in.get(body.v_WB[i]);
  for (int i = 0; i < 3; ++i) in.get(body.w_WB[i]);
}

}  // namespace

KinematicScene::KinematicScene(const SceneDescription& description, double maxSpeed)
    : joints_(description.joints),
      heldBy_(description.bodies.size(), -1),
      numIds_(static_cast<int>(description.surfaces.size())),
      numConstraints_(description.constraints.size()),
      maxSpeed_(maxSpeed),
      drives_(description.joints.size()) {
  for (const SceneBody& body : description.bodies) {
    motion_.push_back(body.motion);
    BodyState state{body.X_WB, Vector3d::Zero(), Vector3d::Zero()};
    if (body.motion == BodyMotion::kinematic) {
      state.v_WB = body.v_WB;
      state.w_WB = body.w_WB;
    }
    bodies_.push_back(state);
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const SceneJoint& joint = joints_[j];
    if (joint.child < 0 || joint.child >= static_cast<int>(bodies_.size()) || joint.parent < -1 ||
        joint.parent >= static_cast<int>(bodies_.size()) || heldBy_[joint.child] >= 0)
      throw Error("joint '" + joint.name + "' does not hold a body of its own in the scene");
    heldBy_[joint.child] = static_cast<int>(j);
    places_.push_back({joint.position, 0.0});
  }
  for (const SceneConstraint& constraint : description.constraints)
    for (const int body : {constraint.a, constraint.b})
      if (body >= 0 && (heldBy_[body] >= 0 || motion_[body] == BodyMotion::kinematic))
        throw Error("the backend 'kinematic' cannot keep a joint between '" + description.bodies[body].name +
                        "', which moves, and another body",
                    {}, "choose a backend with dynamics, such as ode, or leave out the joint");
  placeBodies();
}

int KinematicScene::checkedBody(int body) const {
  if (body < 0 || body >= static_cast<int>(bodies_.size()))
    throw Error("body " + std::to_string(body) + " does not exist: the scene has " + std::to_string(bodies_.size()));
  return body;
}

void KinematicScene::setGravity(const Vector3d& gravity) {
  if (!gravity.allFinite()) throw Error("gravity must be finite");
}

void KinematicScene::setJointDrives(std::span<const JointDrive> drives) {
  if (drives.size() != drives_.size())
    throw Error(std::to_string(drives.size()) + " drives for " + std::to_string(drives_.size()) + " joints");
  for (std::size_t j = 0; j < drives.size(); ++j) {
    if (!std::isfinite(drives[j].target) || !std::isfinite(drives[j].targetVelocity))
      throw Error("the drive of joint '" + joints_[j].name + "' has a target that is not a finite number");
  }
  std::copy(drives.begin(), drives.end(), drives_.begin());
}

void KinematicScene::applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  checkedBody(body);
  if (!force.allFinite() || !torque.allFinite() || !point.allFinite())
    throw Error("a force, torque or point is not a finite number");
}

void KinematicScene::setBodyState(int body, const BodyState& state) {
  checkedBody(body);
  if (!state.X_WB.allFinite() || !state.v_WB.allFinite() || !state.w_WB.allFinite())
    throw Error("the state of a body must be finite");
  if (heldBy_[body] >= 0) throw Error("a body that a joint holds is placed by its joint");
  bodies_[body].X_WB = state.X_WB;
  if (motion_[body] == BodyMotion::kinematic) {
    bodies_[body].v_WB = state.v_WB;
    bodies_[body].w_WB = state.w_WB;
  }
  placeBodies();
}

void KinematicScene::setJointState(int joint, double position, double velocity) {
  if (joint < 0 || joint >= static_cast<int>(joints_.size()))
    throw Error("joint " + std::to_string(joint) + " does not exist: the scene has " + std::to_string(joints_.size()));
  if (!std::isfinite(position) || !std::isfinite(velocity)) throw Error("the state of a joint must be finite");
  places_[joint] = {position, velocity};
  placeBodies();
}

void KinematicScene::setBodyMotion(int body, BodyMotion motion) {
  checkedBody(body);
  if (heldBy_[body] >= 0 || motion_[body] == BodyMotion::fixed || motion == BodyMotion::fixed)
    throw Error("only bodies that no joint holds can be made kinematic or dynamic");
  motion_[body] = motion;
  if (motion == BodyMotion::dynamic) {
    bodies_[body].v_WB.setZero();
    bodies_[body].w_WB.setZero();
    placeBodies();
  }
}

void KinematicScene::setCollision(int, int, bool) {
  throw Error("the backend 'kinematic' finds no contacts that could be switched on or off");
}

void KinematicScene::setContacts(std::span<const SceneContact> contacts) {
  checkSceneContacts(contacts, static_cast<int>(motion_.size()), numIds_);
  pending_.assign(contacts.begin(), contacts.end());
}

/// Target first, then the stops, then the speed: a joint that starts beyond a stop stays there until it is told to
/// move.
void KinematicScene::moveJoint(std::size_t j, double dt) {
  const SceneJoint& joint = joints_[j];
  const JointDrive& drive = drives_[j];
  Place& place = places_[j];
  double target = place.position;
  double velocity = 0;
  if (drive.stiffness > 0) {
    target = drive.target;
    velocity = drive.targetVelocity;
  } else if (drive.damping > 0) {
    velocity = std::clamp(drive.targetVelocity, -maxSpeed_, maxSpeed_);
    target = place.position + velocity * dt;
  }
  if (target == place.position && velocity == 0) {
    place.velocity = 0;
    return;
  }
  if (const double bounded = std::clamp(target, joint.lower, joint.upper); bounded != target) {
    target = bounded;
    velocity = 0;
  }
  // A joint at its stop does not move towards it.
  if ((target >= joint.upper && velocity > 0) || (target <= joint.lower && velocity < 0)) velocity = 0;
  const double reach = maxSpeed_ * dt;
  if (std::abs(target - place.position) > reach) {
    velocity = std::copysign(maxSpeed_, target - place.position);
    target = place.position + std::copysign(reach, target - place.position);
  }
  place = {target, velocity};
}

/// Poses and velocities of everything that hangs on joints. Joints come parents first.
void KinematicScene::placeBodies() {
  static const BodyState kWorld;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const SceneJoint& joint = joints_[j];
    const BodyState& parent = joint.parent >= 0 ? bodies_[joint.parent] : kWorld;
    BodyState& child = bodies_[joint.child];
    child.X_WB = parent.X_WB * joint.X_PC0 * jointMotion(joint, places_[j].position);
    const Vector3d axis = child.X_WB.R * joint.axis;
    child.w_WB = parent.w_WB;
    child.v_WB = parent.v_WB + parent.w_WB.cross(child.X_WB.p - parent.X_WB.p);
    if (joint.type == SceneJoint::Type::revolute)
      child.w_WB += axis * places_[j].velocity;
    else
      child.v_WB += axis * places_[j].velocity;
  }
}

void KinematicScene::step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw Error("a step must be positive and finite, not " + std::to_string(dt));
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (motion_[b] != BodyMotion::kinematic || heldBy_[b] >= 0) continue;
    BodyState& body = bodies_[b];
    body.X_WB.p += dt * body.v_WB;
    if (!body.w_WB.isZero(0)) body.X_WB.R = orthonormalized(rotationFromMoment(dt * body.w_WB) * body.X_WB.R);
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) moveJoint(j, dt);
  placeBodies();
  contacts_.clear();
  for (const SceneContact& contact : pending_) {
    ContactForce seen;
    seen.key = contact.key;
    seen.idA = contact.idA;
    seen.idB = contact.idB;
    seen.bodyA = contact.bodyA;
    seen.bodyB = contact.bodyB;
    seen.point = contact.point;
    seen.normal = contact.normal;
    seen.depth = -contact.gap;
    contacts_.push_back(seen);
  }
  pending_.clear();
}

void KinematicScene::readBodies(std::span<BodyState> out) const {
  std::copy_n(bodies_.begin(), std::min(out.size(), bodies_.size()), out.begin());
}

void KinematicScene::readJoints(std::span<JointState> out) const {
  for (std::size_t j = 0; j < std::min(out.size(), places_.size()); ++j)
    out[j] = {places_[j].position, places_[j].velocity, 0.0, 0.0};
}

void KinematicScene::readConstraints(std::span<JointState> out) const {
  std::fill(out.begin(), out.end(), JointState());
}

void KinematicScene::save(ByteWriter& out) const {
  out.put(kSnapshotTag);
  out.put(static_cast<std::uint64_t>(bodies_.size()));
  out.put(static_cast<std::uint64_t>(joints_.size()));
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    out.put(static_cast<int>(motion_[b]));
    put(out, bodies_[b]);
  }
  for (const Place& place : places_) {
    out.put(place.position);
    out.put(place.velocity);
  }
  for (const JointDrive& drive : drives_)
    for (const double number : {drive.stiffness, drive.damping, drive.target, drive.targetVelocity}) out.put(number);
  out.put(static_cast<std::uint64_t>(contacts_.size()));
  for (const ContactForce& contact : contacts_) {
    out.put(contact.key);
    for (const int number : {contact.idA, contact.idB, contact.bodyA, contact.bodyB}) out.put(number);
    for (int i = 0; i < 3; ++i) out.put(contact.point[i]);
    for (int i = 0; i < 3; ++i) out.put(contact.normal[i]);
    out.put(contact.depth);
  }
}

void KinematicScene::restore(ByteReader& in) {
  if (in.getString() != kSnapshotTag) throw Error("these bytes are not a snapshot of a kinematic scene");
  if (in.get<std::uint64_t>() != bodies_.size() || in.get<std::uint64_t>() != joints_.size())
    throw Error("the snapshot belongs to another scene: bodies or joints differ in number");
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    motion_[b] = static_cast<BodyMotion>(in.get<int>());
    get(in, bodies_[b]);
  }
  for (Place& place : places_) {
    in.get(place.position);
    in.get(place.velocity);
  }
  for (JointDrive& drive : drives_) {
    drive = JointDrive();
    for (double* number : {&drive.stiffness, &drive.damping, &drive.target, &drive.targetVelocity}) in.get(*number);
  }
  contacts_.clear();
  pending_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    ContactForce contact;
    in.get(contact.key);
    for (int* number : {&contact.idA, &contact.idB, &contact.bodyA, &contact.bodyB}) in.get(*number);
    for (int i = 0; i < 3; ++i) in.get(contact.point[i]);
    for (int i = 0; i < 3; ++i) in.get(contact.normal[i]);
    in.get(contact.depth);
    contacts_.push_back(contact);
  }
}

Value KinematicScene::effectiveSettings() const {
  Value settings = Value::map();
  settings.set("engine", "kinematic");
  settings.set("solver", "none");
  settings.set("max_speed", maxSpeed_);
  return settings;
}

void KinematicSettings::bind(SettingBinder& b) {
  b.add("max_speed", maxSpeed,
        "Maximum speed of a joint moving to a target, rad/s or m/s; absent: a joint is at its target at once.",
        {.min = 0, .aliases = {"maxSpeed"}, .infinite = true});
}

PhysicsCapabilities KinematicPhysics::capabilities() const {
  PhysicsCapabilities can;
  can.dynamics = false;
  can.externalContacts = true;
  can.implicitDrives = true;  // Nothing is too stiff.
  can.kinematicBodies = true;
  can.motionChanges = true;
  can.worldJoints = true;
  can.restore = PhysicsCapabilities::Restore::bitwise;
  can.restitution = false;
  can.friction = PhysicsCapabilities::Friction::none;
  return can;
}

std::unique_ptr<Scene> KinematicPhysics::build(const SceneDescription& description) {
  warnOfUnusedSoftness(host_, description, "kinematic", "nothing in it is a force");
  return std::make_unique<KinematicScene>(description,
                                          settings_->maxSpeed.value_or(std::numeric_limits<double>::infinity()));
}

}  // namespace mortise::kinematic
