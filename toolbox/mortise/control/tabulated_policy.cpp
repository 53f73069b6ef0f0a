#include "mortise/control/tabulated_policy.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/control/policy_grid.h"

namespace mortise {

std::size_t TabulatedPolicy::numCells() const {
  std::size_t count = 1;
  for (std::size_t i = 0; i < low.size(); ++i) count *= static_cast<std::size_t>(high[i] - low[i] + 1);
  return count;
}

double TabulatedPolicy::placeOf(const Robot& robot, int axis, const VectorXd& q, const VectorXd& dq) const {
  const int n = robot.numLinks();
  const double place = (axis < n ? q[axis] : dq[axis - n]) / cell[axis] - low[static_cast<std::size_t>(axis)];
  if (axis >= n || !turnsFully(robot, axis)) return place;
  const double turn = kTurn / cell[axis];
  return place - turn * std::floor(place / turn);
}

int TabulatedPolicy::outsideOf(const Robot& robot, const VectorXd& q, const VectorXd& dq) const {
  constexpr double kRounding = 1e-9;  // At the edge of the table.
  for (int axis = 0; axis < 2 * robot.numLinks(); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double place = placeOf(robot, axis, q, dq);
    if (place < -kRounding || place > high[a] - low[a] + 1 + kRounding) return axis;
  }
  return -1;
}

const VectorXd& TabulatedPolicy::at(const Robot& robot, const VectorXd& q, const VectorXd& dq) const {
  std::size_t index = 0;
  for (int axis = 0; axis < 2 * robot.numLinks(); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const int cells = high[a] - low[a] + 1;
    const double place = placeOf(robot, axis, q, dq);
    const int k = static_cast<int>(std::floor(std::clamp(place, 0.0, static_cast<double>(cells))));
    index = index * static_cast<std::size_t>(cells) + static_cast<std::size_t>(std::clamp(k, 0, cells - 1));
  }
  return torques[index];
}

std::string policyText(const TabulatedPolicy& policy) {
  const auto vector = [](const VectorXd& v) {
    std::string text = std::to_string(v.size()) + "\t";
    for (Eigen::Index i = 0; i < v.size(); ++i) text += (i > 0 ? " " : "") + formatReal(v[i]);
    return text + "\n";
  };
  std::string text = vector(policy.cell);
  for (const std::vector<int>* list : {&policy.low, &policy.high}) {
    for (const int k : *list) text += std::to_string(k) + " ";
    text += "\n";
  }
  for (const VectorXd& torque : policy.torques) text += vector(torque);
  return text;
}

namespace {

/// Numbers of a text, one after the other, with the line they are in.
class PolicyNumbers {
 public:
  PolicyNumbers(const std::string& text, const std::string& file) : at_(text.c_str()), file_(file) {}

  double next() {
    while (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n') line_ += *at_++ == '\n' ? 1 : 0;
    char* end = nullptr;
    const double value = std::strtod(at_, &end);
    if (end == at_)
      fail(*at_ == 0 ? "the table ends too early" : "expected a number, found '" + std::string(1, *at_) + "'");
    if (!std::isfinite(value)) fail("expected a finite number");
    at_ = end;
    return value;
  }
  int integer(int minimum, int maximum, const char* what) {
    const double value = next();
    if (value != std::floor(value) || value < minimum || value > maximum)
      fail(std::string(what) + " is a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum) +
           ", not " + formatReal(value));
    return static_cast<int>(value);
  }
  [[noreturn]] void fail(const std::string& message) const { throw Error(message, {file_, line_, 1, {}}); }

 private:
  const char* at_;
  std::string file_;
  int line_ = 1;
};

}  // namespace

TabulatedPolicy readPolicy(const std::string& text, const std::string& file, const Robot& robot) {
  PolicyNumbers in(text, file);
  TabulatedPolicy policy;
  const int axes = 2 * robot.numLinks();
  const int given = in.integer(1, 1000, "the number of axes");
  if (given != axes)
    in.fail("the table has " + std::to_string(given) + " axes, and robot '" + robot.name() + "' needs " +
            std::to_string(axes) + ": position and velocity of each link");
  policy.cell.resize(axes);
  for (int i = 0; i < axes; ++i) {
    policy.cell[i] = in.next();
    if (!(policy.cell[i] > 0)) in.fail("a cell has a length above 0");
  }
  constexpr int kFar = 10000000;
  for (std::vector<int>* list : {&policy.low, &policy.high})
    for (int i = 0; i < axes; ++i) list->push_back(in.integer(-kFar, kFar, "a cell's index"));
  double cells = 1;
  for (int i = 0; i < axes; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (policy.high[k] < policy.low[k]) in.fail("the last cell of an axis is before its first");
    cells *= policy.high[k] - policy.low[k] + 1;
  }
  if (cells > kMaxCells) in.fail("the table has more than ten million cells");
  policy.torques.reserve(policy.numCells());
  for (std::size_t i = 0; i < policy.numCells(); ++i) {
    const int drivers = in.integer(0, 1000, "the number of torques");
    if (drivers != robot.numDrivers())
      in.fail("a cell has " + std::to_string(drivers) + " torques, and robot '" + robot.name() + "' has " +
              std::to_string(robot.numDrivers()) + " drivers");
    VectorXd torque(drivers);
    for (int k = 0; k < drivers; ++k) torque[k] = in.next();
    policy.torques.push_back(std::move(torque));
  }
  return policy;
}

}  // namespace mortise
