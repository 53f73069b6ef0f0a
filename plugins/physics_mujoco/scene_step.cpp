#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mujoco_scene.h"

// A step: the stages of MuJoCo's.

namespace mortise::mujoco {

void MujocoScene::step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw Error("a step must be positive and finite, not " + std::to_string(dt));
  const Session session(messages_, this);
  if (dt != dt_) {
    dt_ = dt;
    parameters_ = ConstraintParameters(settings_, dt);
    model_.setParameters(parameters_, dt);
  }
  const mjModel& m = model_.model();
  qposBefore_ = qpos_;
  qvelBefore_.assign(data_->qvel, data_->qvel + m.nv);
  warmBefore_.assign(data_->qacc_warmstart, data_->qacc_warmstart + m.nv);
  piecesBefore_ = pieces_;
  timeBefore_ = data_->time;
  try {
    advance(dt);
  } catch (...) {
    // MuJoCo unwinds nothing.
    unwindStack(data_.get());
    std::fill_n(&data_->warning[0], int(mjNWARNING), mjWarningStat{});
    pieces_ = piecesBefore_;
    rewind();
    refresh();
    throw;
  }
}

/// The state as it was before the step.
void MujocoScene::rewind() {
  mjData* d = data_.get();
  qpos_ = qposBefore_;
  std::copy(qposBefore_.begin(), qposBefore_.end(), d->qpos);
  std::copy(qvelBefore_.begin(), qvelBefore_.end(), d->qvel);
  std::copy(warmBefore_.begin(), warmBefore_.end(), d->qacc_warmstart);
  d->time = timeBefore_;
}

void MujocoScene::advance(double dt) {
  const mjModel& m = model_.model();
  bounds_ = {};
  dropStalePieces();
  setInertias(dt);
  findPositions(dt);
  mjData* d = data_.get();
  mj_fwdVelocity(&m, d);
  applyWrenches();
  solveStep(dt);
  mju_zero(d->xfrc_applied, static_cast<int>(6 * m.nbody));
  mju_zero(d->qfrc_applied, static_cast<int>(m.nv));
  wrenches_.clear();
  touches_.clear();
  ++counts_.steps;
  // MuJoCo does not tell a tolerance that was met in the last iteration.
  bounds_.sweeps |= solverIterations(d) >= static_cast<std::uint64_t>(m.opt.iterations);
  counts_.solverIterations += solverIterations(d);
  counts_.maxIterations = std::max(counts_.maxIterations, solverIterations(d));
  moveKinematicBodies(dt);
  placed();
}

/// From accelerations to velocities and positions: MuJoCo's integrators.
void MujocoScene::integrate() {
  const mjModel& m = model_.model();
  mjData* d = data_.get();
  collectContacts();
  collectEfforts();
  mj_checkAcc(&m, d);
  if (m.opt.integrator == mjINT_RK4)
    mj_RungeKutta(&m, d, 4);
  else if (m.opt.integrator == mjINT_EULER)
    mj_Euler(&m, d);
  else
    integrateImplicitly(&m, d);
}

/// `mj_fwdPosition`, with contacts from outside where the scene has such.
void MujocoScene::findPositions(double dt) {
  const mjModel& m = model_.model();
  const auto numTouches = static_cast<std::int64_t>(touches_.size());
  if (numTouches > m.nconmax) grow(m.njmax, 2 * numTouches);
  for (;;) {
    mjData* d = data_.get();
    factorInertia(&m, d);
    if (external()) {
      addContacts(dt);
    } else {
      mj_collision(&m, d);
      if (d->warning[mjWARN_CONTACTFULL].number > 0) {
        grow(m.njmax, 2 * std::int64_t(m.nconmax));
        continue;
      }
      giveMaterials(dt);
    }
    const std::int64_t rows = rowsNeeded();
    if (rows > m.njmax) {
      grow(rows + rows / 2, m.nconmax);
      continue;
    }
    mj_makeConstraint(&m, d);
    if (d->warning[mjWARN_CNSTRFULL].number == 0) break;
    grow(2 * rows, m.nconmax);  // Versions that keep rows in one piece of memory have it used up.
  }
  mjData* d = data_.get();
  findIslands(&m, d);
  mj_transmission(&m, d);
  mj_projectConstraint(&m, d);
}

void MujocoScene::addContacts(double dt) {
  const mjModel& m = model_.model();
  mjData* d = data_.get();
  clearContacts(d);
  handed_.clear();
  exact_.clear();
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const SceneContact& touch = touches_[i];
    if (!moves(touch.bodyA) && !moves(touch.bodyB)) continue;
    // Soft constraints would push before surfaces touch; hard ones only keep them from closing more than the gap.
    if (touch.gap > 0 && (!settings_.normalized() || isSoft(touch.material))) continue;
    mjContact contact = {};
    // MuJoCo's normals point from the first to the second.
    nameGeoms(contact, model_.body(touch.bodyB).anchor, model_.body(touch.bodyA).anchor);
    contact.dist = touch.gap;
    std::copy_n(touch.point.data(), 3, contact.pos);
    const Vector3d normal = touch.normal.normalized(), tangent = normal.unitOrthogonal();
    const Vector3d other = normal.cross(tangent);
    std::copy_n(normal.data(), 3, contact.frame);
    std::copy_n(tangent.data(), 3, contact.frame + 3);
    std::copy_n(other.data(), 3, contact.frame + 6);
    contact.efc_address = -1;
    setMaterial(m, contact, touch.material, description_.rolling(touch.idA, touch.idB), parameters_.contact, dt);
    mj_addContact(&m, d, &contact);
    handed_.push_back(static_cast<int>(i));
    exact_.push_back(isExact(touch.material));
  }
}

/// Says whether a contact's law is its material's or as hard as MuJoCo allows. `recommended` and a `solref` that was
/// asked for are MuJoCo's own in all they do.
bool MujocoScene::isExact(const ContactMaterial& material) const {
  return isSoft(material) || (settings_.normalized() && !settings_.solref);
}

/// MuJoCo mixes the parameters of two geoms in its own way; the scene's materials say what each pair has.
void MujocoScene::giveMaterials(double dt) {
  mjData* d = data_.get();
  found_.resize(static_cast<std::size_t>(d->ncon));
  for (int k = 0; k < d->ncon; ++k) {
    const mjContact& contact = d->contact[k];
    SceneContact& found = found_[static_cast<std::size_t>(k)];
    found.idA = model_.geoms()[contact.geom1].id;
    found.idB = model_.geoms()[contact.geom2].id;
    found.gap = contact.dist;
    found.material = description_.material(found.idA, found.idB);
  }
  pushOut_.soften(found_);
  exact_.clear();
  for (int k = 0; k < d->ncon; ++k) {
    mjContact& contact = d->contact[k];
    const SceneContact& found = found_[static_cast<std::size_t>(k)];
    const ContactMaterial& material = found.material;
    setMaterial(model_.model(), contact, material, description_.rolling(found.idA, found.idB), parameters_.contact, dt);
    // Geoms have a margin with the normalized profile, so that contacts act before they touch.
    contact.includemargin = 0;
    contact.exclude = contact.dist > 0 && isSoft(material) ? 1 : 0;
    exact_.push_back(isExact(material));
  }
}

/// The most rows of constraints that this step can have.
std::int64_t MujocoScene::rowsNeeded() const {
  const mjModel& m = model_.model();
  std::int64_t rows = 0;
  for (int e = 0; e < m.neq; ++e) rows += m.eq_type[e] == mjEQ_WELD ? 6 : 3;
  rows += m.nv;  // Dry friction.
  for (int j = 0; j < m.njnt; ++j) rows += m.jnt_limited[j] ? 2 : 0;
  if (data_ == nullptr) return rows;
  for (int k = 0; k < data_->ncon; ++k) rows += rowsOf(m, data_->contact[k]);
  return rows;
}

/// Makes room. The state is carried over as a snapshot would.
void MujocoScene::grow(std::int64_t rows, std::int64_t contacts) {
  mjModel& m = model_.model();
  DataPtr larger = makeData(m, rows, contacts);
  std::copy_n(data_->qvel, m.nv, larger->qvel);
  std::copy_n(data_->qacc_warmstart, m.nv, larger->qacc_warmstart);
  larger->time = data_->time;
  data_ = std::move(larger);
  refresh();
  ++counts_.grown;
}

void MujocoScene::applyWrenches() {
  mjData* d = data_.get();
  for (const Wrench& wrench : wrenches_) {
    const int body = model_.body(wrench.body).body;
    const Vector3d arm = wrench.point - Vector3d(d->xipos + 3 * body);
    const Vector3d torque = wrench.torque + arm.cross(wrench.force);
    mju_addTo(d->xfrc_applied + 6 * body, wrench.force.data(), 3);
    mju_addTo(d->xfrc_applied + 6 * body + 3, torque.data(), 3);
  }
}

/// Collects what drives, friction and stops did, from the forces that the step used.
void MujocoScene::collectEfforts() {
  const mjModel& m = model_.model();
  const mjData* d = data_.get();
  std::fill(efforts_.begin(), efforts_.end(), Efforts());
  std::fill(constraintEfforts_.begin(), constraintEfforts_.end(), Efforts());
  const auto effortsOf = [&](int joint) -> Efforts* {
    const ShapeWriter::Owner& owner = model_.geoms()[m.body_geomadr[m.jnt_bodyid[joint]]];
    const Attachment& at = tree().bodies[owner.body];
    return at.joint >= 0 ? &efforts_[at.joint] : at.constraint >= 0 ? &constraintEfforts_[at.constraint] : nullptr;
  };
  for (int row = d->ne; row < d->nefc; ++row) {
    const int id = d->efc_id[row];
    if (d->efc_type[row] == mjCNSTR_FRICTION_DOF) {
      if (Efforts* efforts = effortsOf(m.dof_jntid[id])) efforts->friction += d->efc_force[row];
    } else if (d->efc_type[row] == mjCNSTR_LIMIT_JOINT) {
      const double q = qposBefore_[m.jnt_qposadr[id]];
      const bool lower = q - m.jnt_range[2 * id] < m.jnt_range[2 * id + 1] - q;
      if (Efforts* efforts = effortsOf(id)) efforts->stop += lower ? d->efc_force[row] : -d->efc_force[row];
    } else {
      break;  // Contacts come last.
    }
  }
}

void MujocoScene::collectContacts() {
  const mjModel& m = model_.model();
  const mjData* d = data_.get();
  forces_.clear();
  for (const SceneContact& touch : touches_)
    forces_.push_back({touch.key, touch.idA, touch.idB, touch.bodyA, touch.bodyB, touch.point, touch.normal, -touch.gap,
                       Vector3d::Zero()});
  for (int k = 0; k < d->ncon; ++k) {
    const mjContact& contact = d->contact[k];
    Vector3d force = Vector3d::Zero();  // On the second geom.
    if (contact.efc_address >= 0) {
      mjtNum local[6];
      mj_contactForce(&m, d, k, local);
      force = Eigen::Map<const Matrix3d>(contact.frame) * Vector3d(local);  // The frame's rows are its axes.
    }
    if (external()) {
      forces_[handed_[k]].force = force;
      continue;
    }
    const ShapeWriter::Owner &first = model_.geoms()[contact.geom1], &second = model_.geoms()[contact.geom2];
    const bool secondIsA = second.id < first.id;
    const ShapeWriter::Owner &a = secondIsA ? second : first, &b = secondIsA ? first : second;
    const double sign = secondIsA ? 1 : -1;
    forces_.push_back({0, a.id, b.id, a.body, b.body, Vector3d(contact.pos), sign * Vector3d(contact.frame),
                       -contact.dist, sign * force});
  }
  if (!external())
    std::stable_sort(forces_.begin(), forces_.end(), [](const ContactForce& x, const ContactForce& y) {
      return std::pair(x.idA, x.idB) < std::pair(y.idA, y.idB);
    });
}

}  // namespace mortise::mujoco
