#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "mortise/component/resource.h"

namespace mortise::test {

namespace detail {

// Eigen compares only what is of one size.
inline bool same(const VectorXd& a, const VectorXd& b) { return a.size() == b.size() && a == b; }

inline bool same(const std::vector<VectorXd>& a, const std::vector<VectorXd>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const VectorXd& x, const VectorXd& y) { return same(x, y); });
}

inline bool same(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

inline bool same(const ConfigurationList& a, const ConfigurationList& b) {
  return same(a.configurations, b.configurations);
}

inline bool same(const Trajectory& a, const Trajectory& b) {
  return a.times == b.times && same(a.configurations, b.configurations);
}

inline bool same(const HermiteTrajectory& a, const HermiteTrajectory& b) {
  return a.times == b.times && same(a.configurations, b.configurations) && same(a.velocities, b.velocities);
}

inline bool same(const MultiPath& a, const MultiPath& b) {
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
constexpr bool kComparable = std::equality_comparable<T>;
template <typename T>
constexpr bool kComparable<std::vector<T>> = std::equality_comparable<T>;

template <typename T>
bool same(const T& a, const T& b) {
  if constexpr (kComparable<T>)
    return a == b;
  else
    return false;  // Models and libraries are compared elsewhere.
}

}  // namespace detail

/// Same kind and same numbers, bit for bit but for the sign of zero. Shapes are compared by address.
inline bool equal(const Resource& a, const Resource& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b](const auto& value) { return detail::same(value, std::get<std::remove_cvref_t<decltype(value)>>(b)); }, a);
}

}  // namespace mortise::test
