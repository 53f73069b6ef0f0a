#include "robotsim/planning/planning_space.h"

#include <cmath>
#include <stdexcept>

#include "mortise/collision/edge_subdivision.h"

namespace mortise::robotsim {

namespace {

py::object call(const py::object& function, const VectorXd& q) { return function(listOf(q)); }

bool isTrue(const py::object& result) {
  const int truth = PyObject_IsTrue(result.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth != 0;
}

}  // namespace

PlanningFunctions::PlanningFunctions(const py::dict& d) {
  const auto get = [&d](const char* key) { return d.contains(key) ? py::object(d[key]) : py::object(py::none()); };
  for (const char* key : {"feasible", "visible"})
    if (d.contains(key))
      for (const py::handle entry : d[key]) {
        const auto pair = entry.cast<py::tuple>();
        (key[0] == 'f' ? feasible : visible).emplace_back(pair[0].cast<std::string>(), pair[1]);
      }
  for (const auto& [name, test] : feasible)
    tests.push_back(py::isinstance<RobotTest>(test) ? &python::objectOf<RobotTest>(test.ptr()) : nullptr);
  if (const py::object metric = get("metric"); !metric.is_none()) robot = metric.cast<RobotMetric&>().robot;
  space = get("direct");
  if (!space.is_none()) full = &space.cast<DirectSpace&>();
  sample = get("sample");
  sampleNear = get("sampleNear");
  distance = get("distance");
  interpolate = get("interpolate");
  goalTest = get("goalTest");
  goalSample = get("goalSample");
  edgeCost = get("edgeCost");
  terminalCost = get("terminalCost");
}

void PlanningFunctions::refresh() const {
  if (full != nullptr && full->refresh()) return;
  for (RobotTest* test : tests)
    if (test != nullptr) test->refresh();
}

bool PlanningFunctions::alone() const {
  for (const py::object* function :
       {&sample, &sampleNear, &distance, &interpolate, &goalTest, &goalSample, &edgeCost, &terminalCost})
    if (!function->is_none()) return false;
  return full != nullptr && visible.empty();
}

const PlanningFunctions& FunctionsInUse::operator*() const {
  if (functions == nullptr) throw std::runtime_error("the planner asks for a configuration outside of a call");
  return *functions;
}

VectorXd ProgramSpace::answer(const py::object& result, const char* what) const {
  std::vector<double> numbers;
  if (!readNumbers(result.ptr(), numbers))
    throw py::type_error(std::string(what) + " must return a configuration, a list of numbers");
  if (static_cast<int>(numbers.size()) != options_.dimension)
    throw py::value_error(std::string(what) + " returned " + std::to_string(numbers.size()) +
                          " numbers, but configurations have " + std::to_string(options_.dimension));
  return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

void ProgramSpace::bounds(VectorXd& low, VectorXd& high) const {
  const bool bounded = options_.low.size() == options_.dimension && options_.high.size() == options_.dimension;
  low = bounded ? options_.low : VectorXd::Constant(options_.dimension, -kUnknown);
  high = bounded ? options_.high : VectorXd::Constant(options_.dimension, kUnknown);
}

double ProgramSpace::distance(const VectorXd& a, const VectorXd& b) const {
  if (use_->full != nullptr) return use_->full->distance(a, b);
  if (use_->robot) return use_->robot->space().distance(a, b);
  if (use_->distance.is_none()) return (a - b).norm();
  return use_->distance(listOf(a), listOf(b)).cast<double>();
}

void ProgramSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  if (use_->full != nullptr)
    use_->full->interpolate(a, b, u, q);
  else if (use_->robot)
    use_->robot->space().interpolate(a, b, u, q);
  else if (use_->interpolate.is_none())
    q = VectorXd(a + u * (b - a));
  else
    q = answer(use_->interpolate(listOf(a), listOf(b), u), "interpolate");
}

void ProgramSpace::sample(RandomStream& random, VectorXd& q) {
  if (use_->full != nullptr && use_->full->samples()) {
    use_->full->sample(q);
    return;
  }
  if (!use_->sample.is_none()) {
    q = answer(use_->sample(), "sample");
    return;
  }
  VectorXd low, high;
  bounds(low, high);
  if (!low.allFinite() || !high.allFinite())
    throw std::runtime_error(
        "the space has no sampler: call setSampler, or give it the properties 'minimum' and 'maximum'");
  q.resize(options_.dimension);
  for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = random.uniform(low[i], high[i]);
}

void ProgramSpace::sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) {
  if (use_->full != nullptr && use_->full->samples()) {
    use_->full->sampleNear(center, radius, q);
    return;
  }
  if (!use_->sampleNear.is_none()) {
    q = answer(use_->sampleNear(listOf(center), radius), "the neighborhood sampler");
    return;
  }
  VectorXd result = center;
  for (Eigen::Index i = 0; i < result.size(); ++i) result[i] += random.uniform(-radius, radius);
  q = result;
}

bool ProgramSpace::satisfies(int constraint, const VectorXd& q) {
  if (constraint == 0) ++counts_.configurations;
  const auto index = static_cast<std::size_t>(constraint);
  if (use_->full != nullptr) return use_->full->holds(constraint, q);
  if (RobotTest* test = use_->tests[index]) return (*test)(q);
  return isTrue(call(use_->feasible[index].second, q));
}

bool ProgramSpace::feasible(const VectorXd& q, int* violated) {
  DirectSpace* direct = use_->direct();
  if (direct == nullptr) return PlanningSpace::feasible(q, violated);
  ++counts_.configurations;
  if (direct->feasible(q)) {
    if (violated != nullptr) *violated = -1;
    return true;
  }
  // Which test it is matters only to those who ask.
  return violated != nullptr && PlanningSpace::feasible(q, violated);
}

bool ProgramSpace::visible(const VectorXd& a, const VectorXd& b) {
  ++counts_.edges;
  if (!use_->visible.empty()) {
    for (const auto& [name, test] : use_->visible)
      if (!isTrue(test(listOf(a), listOf(b)))) return false;
    return true;
  }
  if (DirectSpace* direct = use_->direct()) return direct->visible(a, b, options_.resolution, counts_.configurations);
  const double length = distance(a, b);
  if (!std::isfinite(length)) return false;
  VectorXd q;
  return forEdgeFractions(edgeSteps(length, options_.resolution), [&](double u) {
    interpolate(a, b, u, q);
    return feasible(q);
  });
}

double ProgramSpace::extent() const {
  VectorXd low, high;
  bounds(low, high);
  return low.allFinite() && high.allFinite() ? distance(low, high) : kUnknown;
}

Value ProgramSpace::properties() const {
  Value map = PlanningSpace::properties();
  map.set("straight", options_.straight);
  return map;
}

bool ProgramGoal::contains(const VectorXd& q) {
  // Tests may look at the robot, which tests of feasibility in Python leave at the configuration.
  if (DirectSpace* direct = use_->direct()) direct->pose(q);
  return isTrue(call(use_->goalTest, q));
}

bool ProgramGoal::sample(RandomStream& random, VectorXd& q) {
  if (use_->goalSample.is_none()) {
    space_.sample(random, q);
    return contains(q) && space_.feasible(q);
  }
  std::vector<double> numbers;
  const py::object result = use_->goalSample();
  if (result.is_none() || !readNumbers(result.ptr(), numbers) || static_cast<int>(numbers.size()) != space_.dimension())
    return false;
  q = Eigen::Map<const VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  return contains(q);
}

double ProgramObjective::edgeCost(const VectorXd& a, const VectorXd& b) const {
  if (use_->edgeCost.is_none()) return space_.distance(a, b);
  return use_->edgeCost(listOf(a), listOf(b)).cast<double>();
}

double ProgramObjective::terminalCost(const VectorXd& q) const {
  if (use_->terminalCost.is_none()) return 0;
  return call(use_->terminalCost, q).cast<double>();
}

}  // namespace mortise::robotsim
