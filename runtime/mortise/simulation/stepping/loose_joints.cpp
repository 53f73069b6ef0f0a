#include "mortise/simulation/stepping/loose_joints.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace mortise {

namespace {

RigidTransform jointFrameOf(const SceneConstraint& joint) {
  RigidTransform X;
  X.p = joint.point;
  if (joint.type == SceneConstraint::Type::fixed) return X;
  X.R = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), joint.axis).toRotationMatrix();
  return X;
}

double angleOf(const Matrix3d& R) {
  const Vector3d skew(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  return std::atan2(skew.norm(), R.trace() - 1);
}

}  // namespace

LooseJoints::LooseJoints(const SceneDescription& scene) : scene_(scene), groups_(scene.bodies.size(), -1) {
  if (scene.constraints.empty()) return;
  std::vector<int> parent(scene.bodies.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int body) {
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
  };
  const auto dynamic = [&](int body) { return body >= 0 && scene.bodies[body].motion == BodyMotion::dynamic; };
  const auto join = [&](int a, int b) {
    if (!dynamic(a) || !dynamic(b)) return;
    const int x = root(a), y = root(b);
    parent[std::max(x, y)] = std::min(x, y);
  };
  for (const SceneJoint& joint : scene.joints) join(joint.parent, joint.child);
  for (const SceneConstraint& joint : scene.constraints) join(joint.a, joint.b);
  std::vector<int> groupOfRoot(scene.bodies.size(), -1);
  for (const SceneConstraint& joint : scene.constraints) {
    const int body = dynamic(joint.a) ? joint.a : joint.b;
    Place place;
    if (dynamic(body)) {
      int& group = groupOfRoot[root(body)];
      if (group < 0) {
        group = static_cast<int>(stores_.size());
        stores_.push_back(0);
      }
      place.group = group;
    }
    const auto inFrame = [&](int end) {
      const RigidTransform X = jointFrameOf(joint);
      return end < 0 ? X : scene.bodies[end].X_WB.inverse() * X;
    };
    place.X_AJ = inFrame(joint.a);
    place.X_BJ = inFrame(joint.b);
    places_.push_back(place);
  }
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (dynamic(static_cast<int>(i))) groups_[i] = groupOfRoot[root(static_cast<int>(i))];
  before_.resize(stores_.size());
  gained_.resize(stores_.size());
  forces_.resize(stores_.size());
  given_.resize(stores_.size());
}

void LooseJoints::measure(std::span<const BodyState> bodies, std::vector<double>& apart) const {
  std::vector<Eigen::AlignedBox3d> boxes(stores_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (groups_[i] >= 0) boxes[groups_[i]].extend(bodies[i].X_WB * scene_.bodies[i].inertia.com);
  const auto frame = [&](int body, const RigidTransform& X) { return body < 0 ? X : bodies[body].X_WB * X; };
  const auto frames = [&](std::size_t k) {
    const SceneConstraint& joint = scene_.constraints[k];
    return std::pair(frame(joint.a, places_[k].X_AJ), frame(joint.b, places_[k].X_BJ));
  };
  for (std::size_t k = 0; k < places_.size(); ++k)
    if (places_[k].group >= 0) boxes[places_[k].group].extend(frames(k).first.p);
  apart.assign(stores_.size(), 0.0);
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const int group = places_[k].group;
    if (group < 0) continue;
    const auto [a, b] = frames(k);
    const SceneConstraint::Type type = scene_.constraints[k].type;
    const Vector3d axis = b.R.col(0);
    Vector3d gap = a.p - b.p;
    if (type == SceneConstraint::Type::slider) gap -= axis.dot(gap) * axis;
    const double angle =
        type == SceneConstraint::Type::hinge ? axis.cross(a.R.col(0)).norm() : angleOf(a.R.transpose() * b.R);
    apart[group] += gap.norm() + angle * boxes[group].diagonal().norm();
  }
}

void LooseJoints::begin(std::span<const BodyState> bodies) {
  if (empty()) return;
  measure(bodies, before_);
  std::fill(gained_.begin(), gained_.end(), 0.0);
  std::fill(forces_.begin(), forces_.end(), 0.0);
}

void LooseJoints::add(int body, double gained, double force) {
  gained_[groups_[body]] += gained;
  forces_[groups_[body]] += force;
}

std::span<const double> LooseJoints::finish(std::span<const BodyState> bodies) {
  if (empty()) return {};
  measure(bodies, after_);
  for (std::size_t g = 0; g < stores_.size(); ++g) {
    const double maximum = forces_[g] * std::max(before_[g], after_[g]);
    const double held = std::min(stores_[g] + std::max(0.0, -gained_[g]), maximum);
    given_[g] = std::clamp(gained_[g], 0.0, held);
    stores_[g] = held - given_[g];
  }
  return given_;
}

}  // namespace mortise
