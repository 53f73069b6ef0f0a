#pragma once

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "robotsim/model/convert.h"
#include "robotsim/model/robot_model.h"

namespace mortise::robotsim {

/// A test of configurations that a `RobotCSpace` makes of its robot. Python calls it as any function; planners call it
/// without the way through Python. It counts calls, those that held, and their time, which only their order depends on.
class RobotTest {
 public:
  virtual ~RobotTest() = default;
  bool operator()(const VectorXd& q);
  /// Before calls of a planner: what may have changed since the last ones.
  virtual void refresh() {}
  struct Bounds {
    VectorXd low, high;
  };
  /// Returns the bounds of a test of limits, when it was last refreshed; null: of others.
  virtual const Bounds* bounds() const { return nullptr; }
  double calls = 0, passed = 0, seconds = 0;

 private:
  virtual bool holds(const VectorXd& q) = 0;
  std::uint32_t asked_ = 0;
};

/// Metric and straight lines of a robot's configurations, for planners; `RobotModel.distance` and `.interpolate`.
struct RobotMetric {
  RobotModelPtr robot;
};

void bindRobotTests(py::module_& m);

}  // namespace mortise::robotsim
