#include <algorithm>
#include <cmath>

#include "mujoco_scene.h"

// Contacts that slide. MuJoCo's constraints are those of a convex problem: y = J a - aref + R f lies in the dual of the
// friction cone, so that where a contact slides, y_n = mu |y_t| in place of y_n = 0. Surfaces are driven apart at mu
// times the speed of sliding, scaled by how fast friction is to stop it; with friction that stops bodies within a step,
// they leap. A reference of the normal row that is lower by mu |y_t| takes that out, and what is left is Coulomb's law:
// the normal row is the spring and damper that it was made to be, and friction is mu times its force. y_t follows from
// the solution, so it is found in passes; the first guess is that of a contact that no other acts on.

namespace mortise::mujoco {

namespace {

constexpr int kSlidingPasses = 20;
/// Passes that take the step of a contact that no other acts on, which is longer than that of plain repetition.
constexpr int kLongPasses = 8;
/// Changes of the references below which they are settled: in proportion to the largest acceleration, and in m/s^2,
/// which is what the solver leaves of contacts that stick.
constexpr double kSettled = 1e-6, kSolved = 2e-3;

}  // namespace

/// mu |y_t| of a contact, from y in the rows of the whole problem; y_t has rolling and spinning in it, each with its
/// own coefficient, where the contact has six dimensions.
double MujocoScene::slidingOf(const mjContact& contact, const std::vector<mjtNum>& y) const {
  const mjtNum* rows = y.data() + contact.efc_address;
  const bool pyramid = mj_isPyramidal(&model_.model()) != 0;
  if (!pyramid && contact.dim == 3) return contact.friction[0] * std::hypot(rows[1], rows[2]);
  double result = 0;
  if (pyramid) {
    // Edges of a pyramid are the normal with plus and minus mu times a tangent.
    for (int i = 0; i < contact.dim - 1; ++i) result = std::max(result, 0.5 * std::abs(rows[2 * i] - rows[2 * i + 1]));
    return result;
  }
  for (int i = 1; i < contact.dim; ++i) result = std::hypot(result, contact.friction[i - 1] * rows[i]);
  return result;
}

/// mu |y_t| that is left of a contact with rolling friction that no other acts on. Its rows have inertias of their own:
/// a long arm stops a spin at once, and does not make the contact slide.
double MujocoScene::rollingGuess(const mjContact& contact, const mjtNum* y) const {
  const mjModel& m = model_.model();
  const int first = m.geom_bodyid[contact.geom1], second = m.geom_bodyid[contact.geom2];
  // Inverse masses, and inverse inertias.
  const double moves = m.body_invweight0[2 * first] + m.body_invweight0[2 * second];
  const double turns = m.body_invweight0[2 * first + 1] + m.body_invweight0[2 * second + 1];
  const bool pyramid = mj_isPyramidal(&m) != 0;
  double result = 0;
  for (int i = 1; i < contact.dim; ++i) {
    const double mu = contact.friction[i - 1];
    const int row = pyramid ? 2 * (i - 1) : i;
    const double normal = pyramid ? 0.5 * (y[row] + y[row + 1]) : y[0];
    const double along = pyramid ? 0.5 * std::abs(y[row] - y[row + 1]) : mu * std::abs(y[row]);
    const double ratio = i > 2 && moves > 0 ? turns / moves : 1;
    const double left = std::max(0.0, along + mu * mu * ratio * normal);
    result = pyramid ? std::max(result, left) : std::hypot(result, left);
  }
  return result;
}

/// The largest entry of y = J a - aref + R f, which is made in `residuals_`; forces are left out without `solved`.
double MujocoScene::findResiduals(const mjtNum* accelerations, bool solved) {
  const mjModel& m = model_.model();
  mjData* d = data_.get();
  residuals_.resize(static_cast<std::size_t>(d->nefc));
  mj_mulJacVec(&m, d, residuals_.data(), accelerations);
  double maximum = 0;
  for (int row = 0; row < d->nefc; ++row) {
    mjtNum& y = residuals_[static_cast<std::size_t>(row)];
    y -= d->efc_aref[row];
    if (solved) y += d->efc_R[row] * d->efc_force[row];
    maximum = std::max(maximum, std::abs(y));
  }
  return maximum;
}

/// Lowers the references of a contact's rows by so much more.
void MujocoScene::lowerReference(const mjContact& contact, double by) {
  mjData* d = data_.get();
  const int rows = mj_isPyramidal(&model_.model()) ? rowsOf(model_.model(), contact) : 1;
  for (int row = contact.efc_address; row < contact.efc_address + rows; ++row) d->efc_aref[row] -= by;
}

/// `mj_fwdConstraint`, with sliding contacts that keep to their normal law. `first`: nothing is known of this step.
void MujocoScene::solveConstraints(bool first) {
  const mjModel& m = model_.model();
  mjData* d = data_.get();
  const auto slides = [&](int k) {
    return exact_[static_cast<std::size_t>(k)] && d->contact[k].efc_address >= 0 && d->contact[k].dim > 1;
  };
  if (first) {
    scale_ = 0;
    lowered_.assign(static_cast<std::size_t>(d->ncon), 0);
    bool any = false;
    for (int k = 0; k < d->ncon; ++k) any = any || slides(k);
    if (any) scale_ = findResiduals(d->qacc_smooth, false);
    for (int k = 0; any && k < d->ncon; ++k) {
      if (!slides(k)) continue;
      const mjContact& contact = d->contact[k];
      const mjtNum* y = residuals_.data() + contact.efc_address;
      const double normal = mj_isPyramidal(&m) ? 0.5 * (y[0] + y[1]) : y[0], mu = contact.friction[0];
      if (normal >= 0) continue;
      lowered_[static_cast<std::size_t>(k)] =
          contact.dim > 3 ? rollingGuess(contact, y) : std::max(0.0, slidingOf(contact, residuals_) + mu * mu * normal);
      lowerReference(contact, lowered_[static_cast<std::size_t>(k)]);
    }
  }
  for (int pass = 0;; ++pass) {
    mj_fwdConstraint(&m, d);
    if (!(scale_ > 0)) return;
    findResiduals(d->qacc, true);
    double maximum = 0;
    for (int k = 0; k < d->ncon; ++k)
      if (slides(k))
        maximum =
            std::max(maximum, std::abs(slidingOf(d->contact[k], residuals_) - lowered_[static_cast<std::size_t>(k)]));
    if (maximum <= kSettled * scale_ + kSolved) return;
    if (pass == kSlidingPasses) {
      ++counts_.unsettledSliding;
      return;
    }
    ++counts_.slidingPasses;
    for (int k = 0; k < d->ncon; ++k) {
      if (!slides(k)) continue;
      const mjContact& contact = d->contact[k];
      double& lowered = lowered_[static_cast<std::size_t>(k)];
      const double step = pass < kLongPasses ? 1 + contact.friction[0] * contact.friction[0] : 1;
      const double next = std::max(0.0, lowered + step * (slidingOf(contact, residuals_) - lowered));
      lowerReference(contact, next - lowered);
      lowered = next;
    }
  }
}

}  // namespace mortise::mujoco
