#include "robotsim/planning_space.h"

#include <cmath>
#include <stdexcept>

namespace mortise::robotsim {

namespace {

py::object call(const py::object& function, const VectorXd& q) { return function(listOf(q)); }

bool isTrue(const py::object& result) {
  const int truth = PyObject_IsTrue(result.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth != 0;
}

}  // namespace

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
  if (use_->robot) return use_->robot->space().distance(a, b);
  if (use_->distance.is_none()) return (a - b).norm();
  return use_->distance(listOf(a), listOf(b)).cast<double>();
}

void ProgramSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  if (use_->robot)
    use_->robot->space().interpolate(a, b, u, q);
  else if (use_->interpolate.is_none())
    q = VectorXd(a + u * (b - a));
  else
    q = answer(use_->interpolate(listOf(a), listOf(b), u), "interpolate");
}

void ProgramSpace::sample(RandomStream& random, VectorXd& q) {
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
  if (RobotTest* test = use_->direct[index]) return (*test)(q);
  return isTrue(call(use_->feasible[index].second, q));
}

bool ProgramSpace::visible(const VectorXd& a, const VectorXd& b) {
  ++counts_.edges;
  if (!use_->visible.empty()) {
    for (const auto& [name, test] : use_->visible)
      if (!isTrue(test(listOf(a), listOf(b)))) return false;
    return true;
  }
  const double length = distance(a, b);
  if (!std::isfinite(length)) return false;
  const auto steps = static_cast<std::int64_t>(std::ceil(length / options_.resolution));
  // The middle first, then the middles of halves: what is in the way is found soon.
  VectorXd q;
  for (std::int64_t parts = 2; parts / 2 < std::max<std::int64_t>(steps, 1); parts *= 2)
    for (std::int64_t i = 1; i < parts; i += 2) {
      interpolate(a, b, static_cast<double>(i) / static_cast<double>(parts), q);
      if (!feasible(q)) return false;
    }
  return true;
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

bool ProgramGoal::contains(const VectorXd& q) { return isTrue(call(use_->goalTest, q)); }

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
