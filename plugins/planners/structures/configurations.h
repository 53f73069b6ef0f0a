#pragma once

#include <cstddef>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise::planners {

/// Configurations one after another in one array, so that many take no more allocations than an array's growth.
class Configurations {
 public:
  void clear(int dimension) {
    dimension_ = dimension;
    numbers_.clear();
    size_ = 0;
  }
  int dimension() const { return dimension_; }
  int size() const { return size_; }
  int add(const VectorXd& q) {
    numbers_.insert(numbers_.end(), q.data(), q.data() + dimension_);
    return size_++;
  }
  const double* row(int i) const {
    return numbers_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(dimension_);
  }
  /// `q` keeps its memory where it has the size already.
  void get(int i, VectorXd& q) const { q = Eigen::Map<const VectorXd>(row(i), dimension_); }
  VectorXd at(int i) const { return Eigen::Map<const VectorXd>(row(i), dimension_); }

 private:
  int dimension_ = 0, size_ = 0;
  std::vector<double> numbers_;
};

}  // namespace mortise::planners
