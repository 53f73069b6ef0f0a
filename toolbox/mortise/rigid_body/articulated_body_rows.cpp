// Rows of the solver.

#include <algorithm>
#include <functional>
#include <iterator>

#include "mortise/rigid_body/articulated_body.h"

namespace mortise::rigid {

std::span<const int> ArticulatedBody::path(int a, int b) {
  std::vector<int>& shared = sharedPaths_[{a, b}];
  if (shared.empty()) {
    std::set_union(paths_[a + 1].begin(), paths_[a + 1].end(), paths_[b + 1].begin(), paths_[b + 1].end(),
                   std::back_inserter(shared), std::greater<>());
  }
  return shared;
}

double ArticulatedBody::makeRow(int link, const Vector3d& point, const Vector3d& force, const Vector3d& moment,
                                std::span<const int> path, double* y) const {
  const int length = static_cast<int>(path.size()), firstJoint = this->firstJoint();
  const Vector3d about = (point - reference_).cross(force) + moment;
  int k = 0;
  for (; k < length - firstJoint; ++k) {
    const Motion& axis = axes_[path[k] - firstJoint];
    y[k] = axis.angular.dot(about) + axis.linear.dot(force);
  }
  for (; k < length; ++k) y[k] = path[k] < 3 ? about[path[k]] : force[path[k] - 3];
  double measured = 0;
  for (k = 0; k < length; ++k) measured += y[k] * after_[path[k]];
  if (plan_.fixedBase) measured += about.dot(baseSpin_) + force.dot(baseVelocity_);
  // The path goes from a link to its ancestors, as the rows of the factor do.
  const TreeMatrix& factor = solver_.factor();
  for (k = 0; k < length; ++k) {
    const double* row = factor.row(path[k]);
    const double value = y[k] * factor.inverseDiagonal(path[k]);
    y[k] = value;
    for (int r = k + 1; r < length; ++r) y[r] -= row[r - k] * value;
  }
  return measured;
}

double ArticulatedBody::makeRow(int a, int b, const Vector3d& point, const Vector3d& force, const Vector3d& moment,
                                std::span<const int> path, double* y) {
  // Dense: seldom needed. Rows of both links in full, their difference, and out of it what lies on either path.
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  const int firstJoint = this->firstJoint();
  const Vector3d about = (point - reference_).cross(force) + moment;
  for (const auto& [link, sign] : {std::pair(a, 1.0), std::pair(b, -1.0)})
    for (const int i : paths_[link + 1])
      if (i >= firstJoint)
        scratch_[i] += sign * (axes_[i - firstJoint].angular.dot(about) + axes_[i - firstJoint].linear.dot(force));
  double measured = 0;
  for (const int i : path) measured += scratch_[i] * after_[i];
  solver_.factor().solveUpper(scratch_.data());
  for (std::size_t k = 0; k < path.size(); ++k) y[k] = scratch_[path[k]];
  return measured;
}

void ArticulatedBody::makeJacobian(const Vector3d& point, const Vector3d& force, std::span<const int> path,
                                   double* y) const {
  const int length = static_cast<int>(path.size()), firstJoint = this->firstJoint();
  const Vector3d about = (point - reference_).cross(force);
  int k = 0;
  for (; k < length - firstJoint; ++k) {
    const Motion& axis = axes_[path[k] - firstJoint];
    y[k] = axis.angular.dot(about) + axis.linear.dot(force);
  }
  for (; k < length; ++k) y[k] = path[k] < 3 ? about[path[k]] : force[path[k] - 3];
}

void ArticulatedBody::makeJacobian(int a, int b, const Vector3d& point, const Vector3d& force,
                                   std::span<const int> path, double* y) {
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  const int firstJoint = this->firstJoint();
  const Vector3d about = (point - reference_).cross(force);
  for (const auto& [link, sign] : {std::pair(a, 1.0), std::pair(b, -1.0)})
    for (const int i : paths_[link + 1])
      if (i >= firstJoint)
        scratch_[i] += sign * (axes_[i - firstJoint].angular.dot(about) + axes_[i - firstJoint].linear.dot(force));
  for (std::size_t k = 0; k < path.size(); ++k) y[k] = scratch_[path[k]];
}

double ArticulatedBody::measureBase(const Vector3d& point, const Vector3d& force) const {
  return plan_.fixedBase ? (point - reference_).cross(force).dot(baseSpin_) + force.dot(baseVelocity_) : 0;
}

void ArticulatedBody::response(int link, double* matrix) const {
  const std::span<const int> path = this->path(link);
  const int length = static_cast<int>(path.size()), firstJoint = this->firstJoint();
  const TreeMatrix& factor = solver_.factor();
  std::fill_n(matrix, 36, 0.0);
  // Entry by entry of the path, the six rows of J L^-1 as columns.
  gather_.resize(6 * static_cast<std::size_t>(length));
  using Column = Eigen::Matrix<double, 6, 1>;
  const auto column = [this](int k) { return Eigen::Map<Column>(gather_.data() + 6 * k); };
  for (int k = 0; k < length; ++k) {
    if (path[k] >= firstJoint)
      column(k) << axes_[path[k] - firstJoint].angular, axes_[path[k] - firstJoint].linear;
    else
      column(k) = Column::Unit(path[k]);
  }
  Eigen::Map<Eigen::Matrix<double, 6, 6>> sum(matrix);
  for (int k = 0; k < length; ++k) {
    const double* row = factor.row(path[k]);
    column(k) *= factor.inverseDiagonal(path[k]);
    for (int r = k + 1; r < length; ++r) column(r) -= row[r - k] * column(k);
    sum += column(k) * column(k).transpose();
  }
}

Vector3d ArticulatedBody::freeVelocity(int link, const Vector3d& point) const {
  const int firstJoint = this->firstJoint();
  Vector3d w = baseSpin_, v = baseVelocity_;
  if (!plan_.fixedBase) {
    w = Vector3d(after_[0], after_[1], after_[2]);
    v = Vector3d(after_[3], after_[4], after_[5]);
  }
  for (const int i : paths_[link + 1])
    if (i >= firstJoint) {
      w += after_[i] * axes_[i - firstJoint].angular;
      v += after_[i] * axes_[i - firstJoint].linear;
    }
  return v + w.cross(point - reference_);
}

}  // namespace mortise::rigid
