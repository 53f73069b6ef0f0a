#include "ode_scene.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "collision/ode_convert.h"
#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise::ode {

void OdeScene::setGravity(const Vector3d& gravity) {
  if (!gravity.allFinite()) throw Error("gravity is not finite");
  gravity_ = gravity;
  dWorldSetGravity(worldId(), gravity.x(), gravity.y(), gravity.z());
}

void OdeScene::setJointDrives(std::span<const JointDrive> drives) {
  if (drives.size() != joints_.size())
    throw Error("the scene has " + std::to_string(joints_.size()) + " joints, but " + std::to_string(drives.size()) +
                " drives were given");
  for (std::size_t i = 0; i < drives.size(); ++i) joints_[i].setDrive(drives[i]);
}

void OdeScene::applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  const Body& to = bodies_.at(body);
  if (to.motion != BodyMotion::dynamic) return;
  dBodyEnable(to.body);  // Forces alone wake nothing that sleeps.
  dBodyAddForceAtPos(to.body, force.x(), force.y(), force.z(), point.x(), point.y(), point.z());
  dBodyAddTorque(to.body, torque.x(), torque.y(), torque.z());
}

void OdeScene::placeBody(int index, const BodyState& state) {
  Body& body = bodies_[index];
  if (body.body == nullptr) {
    body.X_WB = RigidTransform(orthonormalized(state.X_WB.R), state.X_WB.p);
    return;
  }
  const Vector3d arm = state.X_WB.R * body.com;
  const Vector3d p = state.X_WB.p + arm;
  const Vector3d v = state.v_WB + state.w_WB.cross(arm);
  dMatrix3 R;
  toOde(state.X_WB.R, R);
  dBodySetPosition(body.body, p.x(), p.y(), p.z());
  dBodySetRotation(body.body, R);
  dBodySetLinearVel(body.body, v.x(), v.y(), v.z());
  dBodySetAngularVel(body.body, state.w_WB.x(), state.w_WB.y(), state.w_WB.z());
  dBodyEnable(body.body);
}

void OdeScene::setBodyState(int body, const BodyState& state) {
  Session session(messages_);
  if (!state.X_WB.allFinite() || !state.v_WB.allFinite() || !state.w_WB.allFinite())
    throw Error("the state given to body '" + description_.bodies.at(body).name + "' is not finite");
  bodies_.at(body);
  // Joints to fixed bodies are joints to ODE's world, whose anchors stay where they are.
  if (bodies_[body].body == nullptr && bodies_[body].jointed)
    throw Error("fixed body '" + description_.bodies[body].name + "' carries joints and cannot be moved", {},
                "make it kinematic");
  pushOut_.placed(bodyState(body).X_WB, state.X_WB);
  placeBody(body, state);
  if (bodies_[body].body == nullptr) colliders_.placeFixed(body, bodies_[body].X_WB);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (description_.joints[j].parent == body || description_.joints[j].child == body) joints_[j].measure();
}

void OdeScene::setJointState(int joint, double position, double velocity) {
  Session session(messages_);
  if (!std::isfinite(position) || !std::isfinite(velocity))
    throw Error("the state given to joint '" + description_.joints.at(joint).name + "' is not finite");
  pushOut_.placed(joints_.at(joint).state().position, position);
  joints_.at(joint).setState(position, velocity);
  moveSubtree(joint);
}

/// Puts the child of a joint, and whatever hangs on it, where the joints' positions and velocities say.
void OdeScene::moveSubtree(int joint) {
  std::vector<bool> moved(bodies_.size(), false);
  for (std::size_t j = joint; j < joints_.size(); ++j) {
    const SceneJoint& from = description_.joints[j];
    if (static_cast<int>(j) != joint && (from.parent < 0 || !moved[from.parent])) continue;
    moved[from.child] = true;
    const BodyState parent = from.parent < 0 ? BodyState{} : bodyState(from.parent);
    const JointState state = joints_[j].state();
    BodyState child;
    child.X_WB = parent.X_WB * joints_[j].childInParent(state.position);
    const Vector3d axis = child.X_WB.R * from.axis;
    child.w_WB = parent.w_WB;
    child.v_WB = parent.v_WB + parent.w_WB.cross(child.X_WB.p - parent.X_WB.p);
    (from.type == SceneJoint::Type::revolute ? child.w_WB : child.v_WB) += state.velocity * axis;
    placeBody(from.child, child);
  }
}

void OdeScene::setBodyMotion(int index, BodyMotion motion) {
  Session session(messages_);
  const Body& body = bodies_.at(index);
  const std::string& name = description_.bodies[index].name;
  if (body.motion == BodyMotion::fixed || motion == BodyMotion::fixed)
    throw Error("body '" + name + "' cannot change between fixed and moving");
  if (body.jointed) throw Error("body '" + name + "' is held by a joint; it stays as it is");
  if (motion == BodyMotion::dynamic && !body.hasInertia)
    throw Error("body '" + name + "' cannot become dynamic: it has no mass or inertia", {}, "give it both");
  if (motion == body.motion) return;
  const BodyState state = bodyState(index);
  changeMotion(index, motion);
  placeBody(index, state);
}

/// Leaves pose and velocity to the caller. ODE bodies of dynamic bodies sit at the center of mass, those of kinematic
/// ones at the origin.
void OdeScene::changeMotion(int index, BodyMotion motion) {
  Body& body = bodies_[index];
  body.motion = motion;
  const bool dynamic = motion == BodyMotion::dynamic;
  body.com = dynamic ? description_.bodies[index].inertia.com : Vector3d::Zero();
  if (dynamic) {
    dBodySetDynamic(body.body);
  } else {
    dBodySetKinematic(body.body);
    dBodySetForce(body.body, 0, 0, 0);
    dBodySetTorque(body.body, 0, 0, 0);
  }
  colliders_.changeMotion(index, body.com, dynamic);
}

void OdeScene::setCollision(int idA, int idB, bool on) {
  const int n = static_cast<int>(description_.surfaces.size());
  if (idA < 0 || idA >= n || idB < -1 || idB >= n)
    throw Error("contacts between ids " + std::to_string(idA) + " and " + std::to_string(idB) +
                " cannot be switched: ids go up to " + std::to_string(n - 1));
  for (int other = idB < 0 ? 0 : idB; other < (idB < 0 ? n : idB + 1); ++other) {
    if (!filter_.test(idA, other)) continue;  // Never on beyond the description.
    description_.filter.allow(idA, other, on);
    const std::pair<int, int> pair = std::minmax(idA, other);
    const auto at = std::lower_bound(switchedOff_.begin(), switchedOff_.end(), pair);
    const bool listed = at != switchedOff_.end() && *at == pair;
    if (on && listed) switchedOff_.erase(at);
    if (!on && !listed) switchedOff_.insert(at, pair);
  }
}

BodyState OdeScene::bodyState(int index) const {
  const Body& body = bodies_[index];
  BodyState state;
  if (body.body == nullptr) {
    state.X_WB = body.X_WB;
    return state;
  }
  state.X_WB.R = rotationFrom(dBodyGetRotation(body.body));
  const Vector3d arm = state.X_WB.R * body.com;
  state.X_WB.p = vectorFrom(dBodyGetPosition(body.body)) - arm;
  state.w_WB = vectorFrom(dBodyGetAngularVel(body.body));
  state.v_WB = vectorFrom(dBodyGetLinearVel(body.body)) - state.w_WB.cross(arm);
  return state;
}

void OdeScene::readBodies(std::span<BodyState> out) const {
  if (out.size() != bodies_.size()) throw Error("readBodies needs room for " + std::to_string(bodies_.size()));
  for (std::size_t i = 0; i < bodies_.size(); ++i) out[i] = bodyState(static_cast<int>(i));
}

void OdeScene::readJoints(std::span<JointState> out) const {
  if (out.size() != joints_.size()) throw Error("readJoints needs room for " + std::to_string(joints_.size()));
  for (std::size_t i = 0; i < joints_.size(); ++i) out[i] = joints_[i].state();
}

void OdeScene::readConstraints(std::span<JointState> out) const {
  if (out.size() != description_.constraints.size())
    throw Error("readConstraints needs room for " + std::to_string(description_.constraints.size()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = {};
    if (constraintIndex_[i] < 0) continue;
    const OdeJoint& joint = constraintJoints_[constraintIndex_[i]];
    out[i] = joint.state();
    out[i].effort = joint.friction();
  }
}

}  // namespace mortise::ode
