#include "mortise/component/resource.h"

#include <algorithm>

namespace mortise {

namespace {

// Eigen compares only what is of one size.
bool same(const VectorXd& a, const VectorXd& b) { return a.size() == b.size() && a == b; }

bool same(const std::vector<VectorXd>& a, const std::vector<VectorXd>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const VectorXd& x, const VectorXd& y) { return same(x, y); });
}

bool same(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

bool same(const ConfigurationList& a, const ConfigurationList& b) { return same(a.configurations, b.configurations); }

bool same(const Trajectory& a, const Trajectory& b) {
  return a.times == b.times && same(a.configurations, b.configurations);
}

bool same(const HermiteTrajectory& a, const HermiteTrajectory& b) {
  return a.times == b.times && same(a.configurations, b.configurations) && same(a.velocities, b.velocities);
}

bool same(const MultiPath& a, const MultiPath& b) {
  const auto sameSection = [](const MultiPath::Section& x, const MultiPath::Section& y) {
    return x.settings == y.settings && same(x.milestones, y.milestones) && x.times == y.times &&
           same(x.velocities, y.velocities) && x.goals == y.goals && x.holds == y.holds &&
           x.holdIndices == y.holdIndices && x.holdNames == y.holdNames;
  };
  const auto sameHold = [](const MultiPath::NamedHold& x, const MultiPath::NamedHold& y) {
    return x.name == y.name && x.hold == y.hold;
  };
  return a.settings == b.settings &&
         std::equal(a.sections.begin(), a.sections.end(), b.sections.begin(), b.sections.end(), sameSection) &&
         std::equal(a.holds.begin(), a.holds.end(), b.holds.begin(), b.holds.end(), sameHold);
}

template <typename T>
bool same(const T& a, const T& b) {
  return a == b;
}

struct KindName {
  std::string operator()(const VectorXd&) const { return "configuration"; }
  std::string operator()(const ConfigurationList&) const { return "configurations"; }
  std::string operator()(const Trajectory&) const { return "trajectory"; }
  std::string operator()(const HermiteTrajectory&) const { return "hermite_trajectory"; }
  std::string operator()(const MultiPath&) const { return "multipath"; }
  std::string operator()(const IKGoal&) const { return "ik_goal"; }
  std::string operator()(const ContactPoint&) const { return "contact_point"; }
  std::string operator()(const Hold&) const { return "hold"; }
  std::string operator()(const Stance&) const { return "stance"; }
  std::string operator()(const Grasp&) const { return "grasp"; }
  std::string operator()(const Vector3d&) const { return "vector3"; }
  std::string operator()(const Matrix3d&) const { return "matrix3"; }
  std::string operator()(const RigidTransform&) const { return "transform"; }
  std::string operator()(const Eigen::MatrixXd&) const { return "matrix"; }
  std::string operator()(const std::vector<int>&) const { return "integers"; }
  std::string operator()(const std::vector<double>&) const { return "numbers"; }
  std::string operator()(const GeometryPtr&) const { return "geometry"; }
  std::string operator()(const FileResource& file) const { return file.kind; }
};

}  // namespace

std::string kindOf(const Resource& resource) { return std::visit(KindName(), resource); }

bool equal(const Resource& a, const Resource& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&b](const auto& value) { return same(value, std::get<std::remove_cvref_t<decltype(value)>>(b)); },
                    a);
}

}  // namespace mortise
