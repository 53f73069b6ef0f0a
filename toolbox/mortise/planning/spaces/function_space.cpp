#include "mortise/planning/spaces/function_space.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/value_text.h"
#include "mortise/collision/edge_subdivision.h"

namespace mortise {

FunctionSpace::FunctionSpace(VectorXd low, VectorXd high) : low_(std::move(low)), high_(std::move(high)) {
  if (low_.size() == 0 || low_.size() != high_.size() || !low_.allFinite() || !high_.allFinite() ||
      !(low_.array() <= high_.array()).all())
    throw Error("a space needs two finite ends for each coordinate, the lower one first");
  weights_ = VectorXd::Ones(low_.size());
}

FunctionSpace& FunctionSpace::require(std::string name, Predicate holds,
                                      std::function<std::string(const VectorXd& q)> explain) {
  if (!holds) throw Error("constraint '" + name + "' has no test of when it holds");
  names_.push_back(std::move(name));
  constraints_.push_back({std::move(holds), std::move(explain)});
  return *this;
}

FunctionSpace& FunctionSpace::visibleBy(Edge visible) {
  visible_ = std::move(visible);
  return *this;
}

FunctionSpace& FunctionSpace::resolution(double step) {
  if (!(step > 0)) throw Error("the resolution of edges must be above 0, not " + formatReal(step));
  resolution_ = step;
  return *this;
}

FunctionSpace& FunctionSpace::weights(VectorXd weights) {
  if (weights.size() != low_.size() || !weights.allFinite() || !(weights.array() > 0).all())
    throw Error("weights of distances: " + std::to_string(low_.size()) + " finite numbers above 0 are needed");
  weights_ = std::move(weights);
  return *this;
}

FunctionSpace& FunctionSpace::names(std::vector<std::string> coordinates) {
  if (static_cast<int>(coordinates.size()) != dimension())
    throw Error("names of coordinates: " + std::to_string(dimension()) + " are needed");
  coordinates_ = std::move(coordinates);
  return *this;
}

std::string FunctionSpace::coordinateName(int i) const {
  return coordinates_.empty() ? PlanningSpace::coordinateName(i) : coordinates_.at(static_cast<std::size_t>(i));
}

Value FunctionSpace::properties() const {
  Value map = PlanningSpace::properties();
  map.set("geodesic", true);
  map.set("straight", true);
  return map;
}

void FunctionSpace::bounds(VectorXd& low, VectorXd& high) const {
  low = low_;
  high = high_;
}

double FunctionSpace::distance(const VectorXd& a, const VectorXd& b) const {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  return weights_.cwiseProduct(a - b).norm();
}

void FunctionSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  q = (1 - u) * a + u * b;
}

void FunctionSpace::sample(RandomStream& random, VectorXd& q) {
  q.resize(low_.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = low_[i] < high_[i] ? random.uniform(low_[i], high_[i]) : low_[i];
}

void FunctionSpace::sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) {
  MORTISE_REQUIRE_SIZE(center, dimension(), "one for each coordinate");
  // Uniform in the ball of the metric, cut off at the bounds.
  VectorXd step(low_.size());
  for (Eigen::Index i = 0; i < step.size(); ++i) step[i] = random.gaussian();
  step *= radius * std::pow(random.uniform(), 1.0 / dimension()) / std::max(step.norm(), 1e-300);
  q = (center + step.cwiseQuotient(weights_)).cwiseMax(low_).cwiseMin(high_);
}

bool FunctionSpace::satisfies(int constraint, const VectorXd& q) {
  MORTISE_REQUIRE_INDEX(constraint, constraints().size(), "constraints");
  constexpr double kSlack = 1e-9;
  if (constraint > 0) return constraints_.at(static_cast<std::size_t>(constraint) - 1).holds(q);
  ++counts_.configurations;
  return q.size() == low_.size() && ((q - low_).array() >= -kSlack).all() && ((high_ - q).array() >= -kSlack).all();
}

bool FunctionSpace::visible(const VectorXd& a, const VectorXd& b) {
  ++counts_.edges;
  if (visible_) return visible_(a, b);
  const double step = resolution_ > 0 ? resolution_ : extent() / 1000;
  return forEdgeFractions(edgeStepsByHalves(distance(a, b), step), [&](double u) {
    interpolate(a, b, u, q_);
    return feasible(q_);
  });
}

std::string FunctionSpace::explain(int constraint, const VectorXd& q) {
  MORTISE_REQUIRE_INDEX(constraint, constraints().size(), "constraints");
  if (constraint == 0) {
    for (Eigen::Index i = 0; i < low_.size() && i < q.size(); ++i)
      if (!(q[i] >= low_[i] && q[i] <= high_[i]))
        return "'" + coordinateName(static_cast<int>(i)) + "' is " + formatReal(q[i]) + ", outside " +
               formatReal(low_[i]) + " to " + formatReal(high_[i]);
    return {};
  }
  const Constraint& own = constraints_.at(static_cast<std::size_t>(constraint) - 1);
  return own.explain ? own.explain(q) : PlanningSpace::explain(constraint, q);
}

double FunctionSpace::extent() const { return weights_.cwiseProduct(high_ - low_).norm(); }
double FunctionSpace::measure() const { return weights_.cwiseProduct(high_ - low_).prod(); }

}  // namespace mortise
