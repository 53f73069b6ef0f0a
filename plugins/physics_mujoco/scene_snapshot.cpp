#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mujoco_scene.h"

// Snapshots. A step is a function of positions, velocities, the accelerations that the solver starts from, and of what
// was set; room for constraints and contacts does not matter.

namespace mortise::mujoco {

namespace {

constexpr std::uint32_t kVersion = 3;

void putVector(ByteWriter& out, const Vector3d& v) { out.append(v.data(), 3 * sizeof(double)); }

Vector3d getVector(ByteReader& in) {
  Vector3d v;
  for (int i = 0; i < 3; ++i) in.get(v[i]);
  return v;
}

void putState(ByteWriter& out, const BodyState& state) {
  double rows[12];
  state.X_WB.toRows(rows);
  out.append(rows, sizeof(rows));
  putVector(out, state.v_WB);
  putVector(out, state.w_WB);
}

BodyState getState(ByteReader& in) {
  double rows[12];
  for (double& number : rows) in.get(number);
  BodyState state;
  state.X_WB = RigidTransform::fromRows(rows);
  state.v_WB = getVector(in);
  state.w_WB = getVector(in);
  return state;
}

}  // namespace

/// Tells scenes of different descriptions apart.
std::uint64_t MujocoScene::makeSignature() const {
  const mjModel& m = model_.model();
  std::uint64_t hash = hashBytes(&kVersion, sizeof(kVersion));
  std::int64_t counts[] = {m.nq, m.nv, m.nbody, m.ngeom, m.neq, static_cast<int>(description_.contactSource)};
  hash = hashBytes(counts, sizeof(counts), hash);
  hash = hashBytes(m.body_mass, static_cast<std::size_t>(m.nbody) * sizeof(mjtNum), hash);
  return hashBytes(m.body_inertia, static_cast<std::size_t>(3 * m.nbody) * sizeof(mjtNum), hash);
}

void MujocoScene::save(ByteWriter& out) const {
  const mjModel& m = model_.model();
  out.put(signature_);
  out.put(std::span<const double>(qpos_));
  out.put(std::span<const double>(data_->qvel, static_cast<std::size_t>(m.nv)));
  out.put(std::span<const double>(data_->qacc_warmstart, static_cast<std::size_t>(m.nv)));
  out.put(data_->time);
  out.append(m.opt.gravity, 3 * sizeof(double));
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    out.put(static_cast<int>(motions_[i]));
    if (motions_[i] != BodyMotion::dynamic) putState(out, given_[i]);
  }
  for (const JointDrive& drive : drives_) out.put(drive);
  for (const Piece piece : pieces_) out.put(piece);
  for (const Efforts& efforts : efforts_) out.put(efforts);
  for (const Efforts& efforts : constraintEfforts_) out.put(efforts);
  out.put(static_cast<std::uint64_t>(switchedOff_.size()));
  for (const auto& [a, b] : switchedOff_) {
    out.put(a);
    out.put(b);
  }
  pushOut_.save(out);
  out.put(static_cast<std::uint64_t>(wrenches_.size()));
  for (const Wrench& wrench : wrenches_) {
    out.put(wrench.body);
    for (const Vector3d& v : {wrench.force, wrench.torque, wrench.point}) putVector(out, v);
  }
  out.put(static_cast<std::uint64_t>(touches_.size()));
  for (const SceneContact& touch : touches_) {
    out.put(touch.key);
    for (const int number : {touch.bodyA, touch.bodyB, touch.idA, touch.idB}) out.put(number);
    putVector(out, touch.point);
    putVector(out, touch.normal);
    const ContactMaterial& material = touch.material;
    for (const double number :
         {touch.gap, material.friction, material.restitution, material.stiffness, material.damping})
      out.put(number);
  }
  out.put(static_cast<std::uint64_t>(forces_.size()));
  for (const ContactForce& force : forces_) {
    out.put(force.key);
    for (const int number : {force.idA, force.idB, force.bodyA, force.bodyB}) out.put(number);
    for (const Vector3d& v : {force.point, force.normal, force.force}) putVector(out, v);
    out.put(force.depth);
  }
}

void MujocoScene::restore(ByteReader& in) {
  if (in.get<std::uint64_t>() != signature_)
    throw Error("the snapshot was taken of another scene, or by another version of the MuJoCo backend");
  const Session session(messages_, this);
  mjModel& m = model_.model();
  mjData* d = data_.get();
  in.get(std::span<double>(qpos_));
  in.get(std::span<double>(d->qvel, static_cast<std::size_t>(m.nv)));
  in.get(std::span<double>(d->qacc_warmstart, static_cast<std::size_t>(m.nv)));
  in.get(d->time);
  for (mjtNum& number : m.opt.gravity) in.get(number);
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const int body = static_cast<int>(i);
    const auto motion = static_cast<BodyMotion>(in.get<int>());
    const bool free = tree().bodies[i].kind == Attachment::Kind::free;
    if (motion != motions_[i] && (!free || (motion != BodyMotion::dynamic && motion != BodyMotion::kinematic)))
      throw Error("the snapshot holds a body that moves in no known way");
    if (motion != motions_[i]) model_.setUnmovable(body, motion == BodyMotion::kinematic);
    motions_[i] = motion;
    if (motion != BodyMotion::dynamic) given_[i] = getState(in);
    if (motion == BodyMotion::fixed) placeFixed(body, given_[i].X_WB);
  }
  for (JointDrive& drive : drives_) in.get(drive);
  for (Piece& piece : pieces_) {
    in.get(piece);
    if (piece != Piece::low && piece != Piece::linear && piece != Piece::high)
      throw Error("the snapshot holds a drive in a state that there is not");
  }
  for (Efforts& efforts : efforts_) in.get(efforts);
  for (Efforts& efforts : constraintEfforts_) in.get(efforts);
  switchedOff_.clear();
  // Lists grow as they are read, so that a wrong count ends with the bytes.
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const int a = in.get<int>();
    switchedOff_.emplace_back(a, in.get<int>());
  }
  pushOut_.restore(in);
  wrenches_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    Wrench wrench{checkedBody(in.get<int>()), {}, {}, {}};
    for (Vector3d* v : {&wrench.force, &wrench.torque, &wrench.point}) *v = getVector(in);
    wrenches_.push_back(wrench);
  }
  restoreContacts(in);
  refresh();
}

void MujocoScene::restoreContacts(ByteReader& in) {
  touches_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    SceneContact touch;
    in.get(touch.key);
    for (int* number : {&touch.bodyA, &touch.bodyB, &touch.idA, &touch.idB}) in.get(*number);
    checkedBody(touch.bodyA);
    checkedBody(touch.bodyB);
    touch.point = getVector(in);
    touch.normal = getVector(in);
    ContactMaterial& material = touch.material;
    for (double* number :
         {&touch.gap, &material.friction, &material.restitution, &material.stiffness, &material.damping})
      in.get(*number);
    touches_.push_back(touch);
  }
  forces_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    ContactForce force;
    in.get(force.key);
    for (int* number : {&force.idA, &force.idB, &force.bodyA, &force.bodyB}) in.get(*number);
    for (Vector3d* v : {&force.point, &force.normal, &force.force}) *v = getVector(in);
    in.get(force.depth);
    forces_.push_back(force);
  }
}

}  // namespace mortise::mujoco
