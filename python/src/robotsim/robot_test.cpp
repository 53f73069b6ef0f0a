#include "robotsim/robot_test.h"

#include <tuple>

namespace mortise::robotsim {

namespace {

/// `limits()` says (low, high, failures): two lists of numbers, and a list or an array that counts failures of each
/// coordinate; None: they are what they were.
class LimitTest final : public RobotTest {
 public:
  explicit LimitTest(py::object limits) : function_(std::move(limits)) { LimitTest::refresh(); }
  void refresh() override {
    const py::object limits = function_();
    if (limits.is_none()) return;
    auto [low, high, failures] = limits.cast<std::tuple<Reals, Reals, py::object>>();
    requireSize(high.v, static_cast<int>(low.v.size()), "the list of upper limits");
    low_ = std::move(low.v);
    high_ = std::move(high.v);
    failures_ = std::move(failures);
  }

 private:
  bool holds(const VectorXd& q) override {
    requireSize(q, static_cast<int>(low_.size()), "the configuration");
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      if (!(q[i] < low_[i] || q[i] > high_[i])) continue;
      const py::int_ at(i);
      if (i < static_cast<Eigen::Index>(py::len(failures_))) failures_[at] = py::object(failures_[at]) + py::int_(1);
      return false;
    }
    return true;
  }
  py::object function_;
  VectorXd low_, high_;
  py::object failures_;
};

class PoseTest final : public RobotTest {
 public:
  explicit PoseTest(RobotModelPtr robot) : robot_(std::move(robot)) {}

 private:
  bool holds(const VectorXd& q) override {
    requireSize(q, robot_->numLinks(), "the configuration");
    robot_->setConfiguration(q);
    return true;
  }
  RobotModelPtr robot_;
};

/// At the pose that the robot has.
class SelfTest final : public RobotTest {
 public:
  explicit SelfTest(RobotModelPtr robot) : robot_(std::move(robot)) {}

 private:
  bool holds(const VectorXd&) override { return !robot_->selfCollides(); }
  RobotModelPtr robot_;
};

/// That none of some pairs of shapes collide, where they are. `pairs()` says which they are.
class PairTest final : public RobotTest {
 public:
  explicit PairTest(py::object pairs) : function_(std::move(pairs)) {}
  void refresh() override {
    pairs_.clear();
    for (const py::handle entry : function_()) {
      const auto pair = entry.cast<std::pair<ShapePtr, ShapePtr>>();
      if (pair.first && pair.second && !pair.first->empty() && !pair.second->empty()) pairs_.push_back(pair);
    }
  }

 private:
  bool holds(const VectorXd&) override {
    static thread_local QueryWorkspace workspace;
    for (const auto& [a, b] : pairs_)
      if (collide(a->collider(), a->X, b->collider(), b->X, workspace)) return false;
    return true;
  }
  py::object function_;
  std::vector<std::pair<ShapePtr, ShapePtr>> pairs_;
};

}  // namespace

bool RobotTest::operator()(const VectorXd& q) {
  // Reading the clock takes as long as a short test, so one of eight calls stands for all. The first prepares shapes.
  constexpr std::uint32_t kOneOf = 8;
  const bool timed = asked_++ % kOneOf == 1;
  const auto begin = timed ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
  const bool result = holds(q);
  if (timed) seconds += kOneOf * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  calls += 1;
  passed += result ? 1 : 0;
  return result;
}

void bindRobotTests(py::module_& m) {
  py::class_<RobotTest>(m, "RobotTest", "A test of a robot's configurations that planners call directly.")
      .def_static("limits",
                  [](py::object limits) -> std::unique_ptr<RobotTest> {
                    return std::make_unique<LimitTest>(std::move(limits));
                  })
      .def_static(
          "pose",
          [](const RobotModelPtr& robot) -> std::unique_ptr<RobotTest> { return std::make_unique<PoseTest>(robot); },
          py::arg("robot").none(false))
      .def_static(
          "selfCollision",
          [](const RobotModelPtr& robot) -> std::unique_ptr<RobotTest> { return std::make_unique<SelfTest>(robot); },
          py::arg("robot").none(false))
      .def_static(
          "pairs",
          [](py::object pairs) -> std::unique_ptr<RobotTest> { return std::make_unique<PairTest>(std::move(pairs)); })
      .def("__call__",
           [](RobotTest& test, const Reals& q) {
             test.refresh();
             return test(q.v);
           })
      .def_readwrite("calls", &RobotTest::calls)
      .def_readwrite("passed", &RobotTest::passed)
      .def_readwrite("seconds", &RobotTest::seconds);
  py::class_<RobotMetric>(m, "RobotMetric", "A robot's metric and straight lines for planners.")
      .def(py::init([](const RobotModelPtr& robot) { return RobotMetric{robot}; }), py::arg("robot").none(false))
      .def("distance",
           [](RobotMetric& metric, const Reals& a, const Reals& b) {
             requireSize(a.v, metric.robot->numLinks(), "the first configuration");
             requireSize(b.v, metric.robot->numLinks(), "the second configuration");
             return metric.robot->space().distance(a.v, b.v);
           })
      .def("interpolate", [](RobotMetric& metric, const Reals& a, const Reals& b, double u) {
        requireSize(a.v, metric.robot->numLinks(), "the first configuration");
        requireSize(b.v, metric.robot->numLinks(), "the second configuration");
        VectorXd q;
        metric.robot->space().interpolate(a.v, b.v, u, q);
        return listOf(q);
      });
}

}  // namespace mortise::robotsim
