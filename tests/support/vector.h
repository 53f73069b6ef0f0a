#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <initializer_list>

namespace mortise {

/// A configuration, a velocity or any other vector from its numbers.
inline Eigen::VectorXd vector(std::initializer_list<double> values) {
  Eigen::VectorXd v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

}  // namespace mortise
