#include <algorithm>
#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mujoco_scene.h"

// Poses of bodies: between poses of frames and MuJoCo's coordinates.

namespace mortise::mujoco {

namespace {

/// A pose may be this far from what a joint allows, in meters or in radians.
constexpr double kPoseTolerance = 1e-6;
/// The same of a velocity, in m/s or rad/s.
constexpr double kSpeedTolerance = 1e-9;

RigidTransform poseFrom(const mjtNum* position, const mjtNum* matrix) {
  RigidTransform X;
  X.R << matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5], matrix[6], matrix[7], matrix[8];
  X.p = Vector3d(position);
  return X;
}

void putPose(const RigidTransform& X, mjtNum* position, mjtNum* quaternion) {
  const Eigen::Quaterniond q(X.R);
  std::copy_n(X.p.data(), 3, position);
  const double wxyz[] = {q.w(), q.x(), q.y(), q.z()};
  std::copy_n(wxyz, 4, quaternion);
}

RigidTransform cleanedPose(const RigidTransform& X) { return {orthonormalized(X.R), X.p}; }

void checkState(const BodyState& state, const std::string& name) {
  if (!state.X_WB.allFinite() || !state.v_WB.allFinite() || !state.w_WB.allFinite())
    throw Error("the state given for body '" + name + "' is not finite");
}

}  // namespace

/// Says whether forces can move it.
bool MujocoScene::moves(int body) const {
  const Attachment& at = tree().bodies[body];
  if (motions_[body] != BodyMotion::dynamic) return false;
  return at.kind != Attachment::Kind::welded || (at.parent >= 0 && moves(at.parent));
}

void MujocoScene::placeAll() {
  for (const int i : tree().order()) {
    const SceneBody& body = description_.bodies[i];
    const BodyState state{cleanedPose(body.X_WB), body.v_WB, body.w_WB};
    const Attachment& at = tree().bodies[i];
    switch (at.kind) {
      case Attachment::Kind::fixed:
        placeFixed(i, state.X_WB);
        break;
      case Attachment::Kind::free:
        placeFree(i, state);
        break;
      case Attachment::Kind::welded:
        break;
      default:
        if (at.joint >= 0) {
          const SceneJoint& joint = description_.joints[at.joint];
          data_->qpos[model_.joints()[at.joint].qpos] = joint.position;
          data_->qvel[model_.joints()[at.joint].dof] = joint.velocity;
        } else {
          placed();
          placeHeld(i, state, false);
        }
    }
  }
  placed();
  projectVelocities();
  placed();
}

void MujocoScene::placeFixed(int body, const RigidTransform& X_WB) {
  given_[body] = {X_WB, Vector3d::Zero(), Vector3d::Zero()};
  const int there = model_.body(body).body;
  mjModel& m = model_.model();
  putPose(X_WB, m.body_pos + 3 * there, m.body_quat + 4 * there);
  for (const ShapeWriter::Plane& plane : model_.planes())
    if (plane.body == body) putPose(X_WB * plane.X_BS, m.geom_pos + 3 * plane.geom, m.geom_quat + 4 * plane.geom);
}

void MujocoScene::placeFree(int body, const BodyState& state) {
  const BodyPlace& place = model_.body(body);
  given_[body] = state;
  const RigidTransform X_WM = state.X_WB * place.X_BM;
  putPose(X_WM, data_->qpos + place.qpos, data_->qpos + place.qpos + 3);
  const Vector3d v = state.v_WB + state.w_WB.cross(state.X_WB.R * place.X_BM.p), w = X_WM.R.transpose() * state.w_WB;
  std::copy_n(v.data(), 3, data_->qvel + place.dof);
  std::copy_n(w.data(), 3, data_->qvel + place.dof + 3);
}

/// Sets the coordinate of a joint of the world from the pose and the velocity of the body that hangs on it.
void MujocoScene::placeHeld(int body, const BodyState& state, bool checkPose) {
  const Attachment& at = tree().bodies[body];
  const BodyState parent = at.parent >= 0 ? stateOf(at.parent) : BodyState();
  const RigidTransform X = at.X_PB0.inverse() * parent.X_WB.inverse() * state.X_WB;
  const bool hinge = at.kind == Attachment::Kind::hinge;
  RigidTransform allowed;
  double position = 0;
  if (hinge) {
    position = at.axis.dot(momentFromRotation(X.R));
    allowed.R = rotationAboutAxis(at.axis, position);
    allowed.p = at.anchor - allowed.R * at.anchor;
  } else if (at.kind == Attachment::Kind::slide) {
    position = at.axis.dot(X.p);
    allowed.p = position * at.axis;
  }
  if (checkPose && ((X.p - allowed.p).norm() > kPoseTolerance || (X.R - allowed.R).norm() > kPoseTolerance))
    throw Error("body '" + description_.bodies[body].name +
                    "' is held by a joint of the world, which does not allow the pose "
                    "given for it",
                {}, "move it along its joint only");
  if (!at.moves()) return;
  const JointPlace& place = model_.constraints()[at.constraint];
  if (hinge) position = unwrapNear(position, data_->qpos[place.qpos]);
  const Vector3d anchor = state.X_WB * at.anchor, axis = state.X_WB.R * at.axis;
  const Vector3d v =
      state.v_WB + state.w_WB.cross(anchor - state.X_WB.p) - parent.v_WB - parent.w_WB.cross(anchor - parent.X_WB.p);
  data_->qpos[place.qpos] = position;
  const Vector3d w = state.w_WB - parent.w_WB;
  double rate = axis.dot(hinge ? w : v);
  const Vector3d beside = hinge ? Vector3d(w - rate * axis) : Vector3d(v - rate * axis);
  if (beside.norm() + (hinge ? v : w).norm() > kSpeedTolerance) {
    // Of what the joint lets through, what an impulse of it would leave to this body.
    const BodyInertia& inertia = description_.bodies[body].inertia;
    const Vector3d arm = state.X_WB * inertia.com - anchor;
    const Vector3d along = hinge ? Vector3d(axis.cross(arm)) : axis, about = hinge ? axis : Vector3d(Vector3d::Zero());
    const Vector3d spin = state.X_WB.R * inertia.inertia * state.X_WB.R.transpose() * about;
    rate = (inertia.mass * along.dot(v + w.cross(arm)) + spin.dot(w)) /
           (inertia.mass * along.squaredNorm() + spin.dot(about));
  }
  data_->qvel[place.dof] = rate;
}

/// Velocities that joints of the world do not allow lose what the joints take: those that remain have the least energy
/// of their differences from the ones given, which is what impulses of the joints leave. Trees in which all are allowed
/// keep theirs.
void MujocoScene::projectVelocities() {
  const mjModel& m = model_.model();
  mjData* d = data_.get();
  std::vector<char> off(static_cast<std::size_t>(m.nbody), 0);  // By the root of a tree.
  std::vector<mjtNum> momentum(static_cast<std::size_t>(m.nv), 0), change(static_cast<std::size_t>(m.nv));
  bool any = false;
  for (int i = 0; i < static_cast<int>(description_.bodies.size()); ++i) {
    if (motions_[i] != BodyMotion::dynamic) continue;
    const SceneBody& given = description_.bodies[i];
    const BodyState now = stateOf(i);
    const Vector3d w = given.w_WB - now.w_WB, arm = now.X_WB.R * given.inertia.com;
    const Vector3d v = given.v_WB - now.v_WB + w.cross(arm), com = now.X_WB.p + arm;
    const Vector3d force = given.inertia.mass * v;
    const Vector3d torque = now.X_WB.R * given.inertia.inertia * now.X_WB.R.transpose() * w;
    const int body = model_.body(i).body;
    mj_applyFT(&m, d, force.data(), torque.data(), com.data(), body, momentum.data());
    if (tree().bodies[i].constraint < 0 || v.norm() + w.norm() <= kSpeedTolerance) continue;
    off[static_cast<std::size_t>(m.body_rootid[body])] = 1;
    any = true;
  }
  if (!any) return;
  factorInertia(&m, d);
  mj_solveM(&m, d, change.data(), momentum.data(), 1);
  for (int k = 0; k < m.nv; ++k)
    if (off[static_cast<std::size_t>(m.body_rootid[m.dof_bodyid[k]])])
      d->qvel[k] += change[static_cast<std::size_t>(k)];
}

/// After positions were set or integrated.
void MujocoScene::placed() {
  qpos_.assign(data_->qpos, data_->qpos + model_.model().nq);
  refresh();
}

/// Poses and velocities of all bodies from `qpos_` and the velocities. What is read and what the next step starts from
/// is a function of these alone, so that a restored scene goes on with the same bits.
void MujocoScene::refresh() {
  const mjModel& m = model_.model();
  mjData* d = data_.get();
  std::copy(qpos_.begin(), qpos_.end(), d->qpos);
  mj_kinematics(&m, d);
  mj_comPos(&m, d);
  mj_comVel(&m, d);
}

BodyState MujocoScene::stateOf(int body) const {
  if (motions_[body] != BodyMotion::dynamic) return given_[body];
  const BodyPlace& place = model_.body(body);
  const mjData* d = data_.get();
  const RigidTransform X_WM = poseFrom(d->xpos + 3 * place.body, d->xmat + 9 * place.body);
  BodyState state;
  state.X_WB = X_WM * place.X_BM.inverse();
  Vector3d v;
  if (tree().bodies[body].kind == Attachment::Kind::free) {
    v = Vector3d(d->qvel + place.dof);
    state.w_WB = X_WM.R * Vector3d(d->qvel + place.dof + 3);
  } else {
    mjtNum velocity[6];  // Angular, then of the frame's origin, along the axes of the world.
    mj_objectVelocity(&model_.model(), d, mjOBJ_XBODY, place.body, velocity, 0);
    state.w_WB = Vector3d(velocity);
    v = Vector3d(velocity + 3);
  }
  state.v_WB = v + state.w_WB.cross(state.X_WB.p - X_WM.p);
  return state;
}

/// Returns the state of a hinge that closes a loop: angle, up to half a turn, and speed of `a` seen from `b`.
JointState MujocoScene::loopState(const SceneConstraint& constraint) const {
  const auto now = [&](int i) { return i < 0 ? BodyState() : stateOf(i); };
  const auto first = [&](int i) {
    return i < 0 ? Matrix3d(Matrix3d::Identity()) : orthonormalized(description_.bodies[i].X_WB.R);
  };
  const BodyState a = now(constraint.a), b = now(constraint.b);
  const Matrix3d turned =
      (b.X_WB.R * first(constraint.b).transpose()).transpose() * a.X_WB.R * first(constraint.a).transpose();
  const Vector3d axis = constraint.axis.normalized();
  JointState state;
  state.position = axis.dot(momentFromRotation(turned));
  state.velocity = (b.X_WB.R * first(constraint.b).transpose() * axis).dot(a.w_WB - b.w_WB);
  return state;
}

void MujocoScene::setBodyState(int body, const BodyState& state) {
  const std::string& name = description_.bodies[checkedBody(body)].name;
  checkState(state, name);
  const BodyState clean{cleanedPose(state.X_WB), state.v_WB, state.w_WB};
  const Attachment& at = tree().bodies[body];
  if (at.joint >= 0) throw Error("body '" + name + "' is held by a joint", {}, "set the state of the joint");
  const Session session(messages_, this);
  pushOut_.placed(stateOf(body).X_WB, clean.X_WB);
  if (at.kind == Attachment::Kind::fixed)
    placeFixed(body, clean.X_WB);
  else if (at.kind == Attachment::Kind::free)
    placeFree(body, clean);
  else
    placeHeld(body, clean, true);
  placed();
}

void MujocoScene::setJointState(int joint, double position, double velocity) {
  if (joint < 0 || joint >= static_cast<int>(drives_.size())) throw Error("there is no joint " + std::to_string(joint));
  if (!std::isfinite(position) || !std::isfinite(velocity))
    throw Error("the state given for joint '" + description_.joints[joint].name + "' is not finite");
  const Session session(messages_, this);
  pushOut_.placed(data_->qpos[model_.joints()[joint].qpos], position);
  data_->qpos[model_.joints()[joint].qpos] = position;
  data_->qvel[model_.joints()[joint].dof] = velocity;
  placed();
}

/// Bodies that go on with the velocity they were given, whatever pushes them.
void MujocoScene::moveKinematicBodies(double dt) {
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    if (motions_[i] != BodyMotion::kinematic) continue;
    BodyState state = given_[i];
    state.X_WB.p += dt * state.v_WB;
    if (!state.w_WB.isZero(0)) state.X_WB.R = orthonormalized(rotationFromMoment(dt * state.w_WB) * state.X_WB.R);
    placeFree(static_cast<int>(i), state);
  }
}

}  // namespace mortise::mujoco
