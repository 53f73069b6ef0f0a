#include "robotsim/planning/robot_test.h"

#include "common/define.h"

namespace mortise::robotsim {

namespace {

/// Pairs of a lower and an upper end, one a coordinate.
void readBounds(const py::object& pairs, VectorXd& low, VectorXd& high) {
  const auto sequenceOf = [](PyObject* object, const char* what) {
    auto sequence = py::reinterpret_steal<py::object>(PySequence_Fast(object, what));
    if (!sequence) throw py::error_already_set();
    return sequence;
  };
  const py::object rows = sequenceOf(pairs.ptr(), "the bounds of a space must be a list of pairs");
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(rows.ptr());
  low.resize(n);
  high.resize(n);
  for (Py_ssize_t i = 0; i < n; ++i) {
    const py::object row = sequenceOf(PySequence_Fast_GET_ITEM(rows.ptr(), i), "the bounds of a space must be pairs");
    if (PySequence_Fast_GET_SIZE(row.ptr()) != 2) throw py::value_error("the bounds of a space must be pairs");
    low[i] = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(row.ptr(), 0));
    high[i] = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(row.ptr(), 1));
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  }
}

/// `space()`, a weak reference, has the pairs `bound` and counts failures of each coordinate in `joint_limit_failures`,
/// a list or an array; None: they are what they were.
class LimitTest final : public RobotTest {
 public:
  explicit LimitTest(py::object space) : space_(std::move(space)) { LimitTest::refresh(); }
  void refresh() override {
    const py::object space = space_();
    if (space.is_none()) return;
    readBounds(space.attr("bound"), bounds_.low, bounds_.high);
    failures_ = space.attr("joint_limit_failures");
  }
  const Bounds* bounds() const override { return &bounds_; }

 private:
  bool holds(const VectorXd& q) override {
    requireSize(q, static_cast<int>(bounds_.low.size()), "the configuration");
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      if (!(q[i] < bounds_.low[i] || q[i] > bounds_.high[i])) continue;
      const py::int_ at(i);
      if (i < static_cast<Eigen::Index>(py::len(failures_))) failures_[at] = py::object(failures_[at]) + py::int_(1);
      return false;
    }
    return true;
  }
  py::object space_;
  Bounds bounds_;
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
  Class<RobotTest>(m, "RobotTest", "A test of a robot's configurations that planners call directly.")
      .def_static(
          "limits",
          [](py::object space) -> std::unique_ptr<RobotTest> { return std::make_unique<LimitTest>(std::move(space)); })
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
  Class<RobotMetric>(m, "RobotMetric", "A robot's metric and straight lines for planners.")
      .def(constructor([](const RobotModelPtr& robot) { return RobotMetric{robot}; }), py::arg("robot").none(false))
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
