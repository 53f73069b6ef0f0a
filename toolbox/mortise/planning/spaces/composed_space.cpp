#include "mortise/planning/spaces/composed_space.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/collision/edge_subdivision.h"

namespace mortise {

namespace {

bool isTrue(const PlanningSpace& space, std::string_view property) {
  const Value properties = space.properties();
  const Value* value = properties.find(property);
  return value != nullptr && value->asBool();
}

}  // namespace

ComposedSpace::ComposedSpace(std::vector<SpacePart> parts, ComposedSpaceOptions options)
    : parts_(std::move(parts)), options_(std::move(options)) {
  if (parts_.empty()) throw Error("a product of spaces needs at least one");
  if (!(options_.resolution >= 0)) throw Error("the resolution of edges must be above 0");
  first_.push_back(0);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const SpacePart& part = parts_[p];
    if (part.space == nullptr) throw Error("part '" + part.name + "' of a product has no space");
    if (part.name.empty()) throw Error("every part of a product of spaces needs a name");
    for (std::size_t other = 0; other < p; ++other) {
      if (parts_[other].name == part.name) throw Error("two parts of a product are named '" + part.name + "'");
      if (parts_[other].space == part.space)
        throw Error("parts '" + parts_[other].name + "' and '" + part.name + "' of a product share a space", {},
                    "give each its own; `copy` makes one");
    }
    if (!(part.weight > 0) || !std::isfinite(part.weight))
      throw Error("the weight of part '" + part.name + "' must be above 0, not " + formatReal(part.weight));
    first_.push_back(first_.back() + part.space->dimension());
    for (std::size_t c = 0; c < part.space->constraints().size(); ++c) {
      names_.push_back(part.name + "." + part.space->constraints()[c]);
      owners_.emplace_back(static_cast<int>(p), static_cast<int>(c));
    }
  }
  for (std::size_t c = 0; c < options_.constraints.size(); ++c) {
    if (!options_.constraints[c].holds)
      throw Error("constraint '" + options_.constraints[c].name + "' has no test of when it holds");
    names_.push_back(options_.constraints[c].name);
    owners_.emplace_back(-1, static_cast<int>(c));
  }
}

std::string ComposedSpace::coordinateName(int i) const {
  std::size_t p = 0;
  while (i >= first_.at(p + 1)) ++p;
  return parts_[p].name + "." + parts_[p].space->coordinateName(i - first_[p]);
}

Value ComposedSpace::properties() const {
  Value map = PlanningSpace::properties();
  for (const char* name : {"geodesic", "straight"})
    map.set(name,
            std::all_of(parts_.begin(), parts_.end(), [&](const SpacePart& p) { return isTrue(*p.space, name); }));
  return map;
}

void ComposedSpace::bounds(VectorXd& low, VectorXd& high) const {
  low.resize(dimension());
  high.resize(dimension());
  VectorXd from, to;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p].space->bounds(from, to);
    low.segment(first_[p], from.size()) = from;
    high.segment(first_[p], to.size()) = to;
  }
}

double ComposedSpace::distance(const VectorXd& a, const VectorXd& b) const {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  double square = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p)
    square += std::pow(parts_[p].weight * parts_[p].space->distance(of(a, p), of(b, p)), 2);
  return std::sqrt(square);
}

void ComposedSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  VectorXd result(dimension()), part;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p].space->interpolate(of(a, p), of(b, p), u, part);
    result.segment(first_[p], part.size()) = part;
  }
  q = std::move(result);
}

void ComposedSpace::sample(RandomStream& random, VectorXd& q) {
  q.resize(dimension());
  VectorXd part;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p].space->sample(random, part);
    q.segment(first_[p], part.size()) = part;
  }
}

void ComposedSpace::sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) {
  MORTISE_REQUIRE_SIZE(center, dimension(), "one for each coordinate");
  // The fraction of the distance that each part gets is that of its coordinates in a uniform direction.
  VectorXd direction(dimension()), result(dimension()), part;
  for (Eigen::Index i = 0; i < direction.size(); ++i) direction[i] = random.gaussian();
  direction /= std::max(direction.norm(), 1e-300);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const double own = radius * of(direction, p).norm() / parts_[p].weight;
    parts_[p].space->sampleNear(random, of(center, p), own, part);
    result.segment(first_[p], part.size()) = part;
  }
  q = std::move(result);
}

bool ComposedSpace::satisfies(int constraint, const VectorXd& q) {
  MORTISE_REQUIRE_INDEX(constraint, constraints().size(), "constraints");
  MORTISE_REQUIRE_SIZE(q, dimension(), "one for each coordinate");
  if (constraint == 0) ++counts_.configurations;
  const auto [part, own] = owners_.at(static_cast<std::size_t>(constraint));
  if (part < 0) return options_.constraints[static_cast<std::size_t>(own)].holds(q);
  return parts_[static_cast<std::size_t>(part)].space->satisfies(own, of(q, static_cast<std::size_t>(part)));
}

bool ComposedSpace::visible(const VectorXd& a, const VectorXd& b) {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  ++counts_.edges;
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (!parts_[p].space->visible(of(a, p), of(b, p))) return false;
  if (options_.constraints.empty()) return true;
  const double step = options_.resolution > 0 ? options_.resolution : extent() / 1000;
  return forEdgeFractions(edgeStepsByHalves(distance(a, b), step), [&](double u) {
    interpolate(a, b, u, q_);
    for (const SpaceConstraint& constraint : options_.constraints)
      if (!constraint.holds(q_)) return false;
    return true;
  });
}

std::string ComposedSpace::explain(int constraint, const VectorXd& q) {
  MORTISE_REQUIRE_INDEX(constraint, constraints().size(), "constraints");
  MORTISE_REQUIRE_SIZE(q, dimension(), "one for each coordinate");
  const auto [part, own] = owners_.at(static_cast<std::size_t>(constraint));
  if (part >= 0) {
    const SpacePart& which = parts_[static_cast<std::size_t>(part)];
    return which.name + ": " + which.space->explain(own, of(q, static_cast<std::size_t>(part)));
  }
  const SpaceConstraint& which = options_.constraints[static_cast<std::size_t>(own)];
  return which.explain ? which.explain(q) : PlanningSpace::explain(constraint, q);
}

void ComposedSpace::refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const {
  if (isTrue(*this, "straight")) return;
  // Where edges are not lines in coordinates: so close together that the two hardly differ.
  const int pieces = static_cast<int>(std::clamp(std::ceil(distance(a, b) / std::max(tolerance, 1e-6)), 1.0, 1e6));
  for (int k = 1; k < pieces; ++k) {
    VectorXd q;
    interpolate(a, b, static_cast<double>(k) / pieces, q);
    path.push_back(std::move(q));
  }
}

double ComposedSpace::extent() const {
  double square = 0;
  for (const SpacePart& part : parts_) square += std::pow(part.weight * part.space->extent(), 2);
  return std::sqrt(square);
}

double ComposedSpace::measure() const {
  double volume = 1;
  for (const SpacePart& part : parts_) volume *= std::pow(part.weight, part.space->dimension()) * part.space->measure();
  return volume;
}

std::unique_ptr<PlanningSpace> ComposedSpace::copy() const {
  std::vector<SpacePart> parts;
  for (const SpacePart& part : parts_) parts.push_back({part.name, part.space->copy(), part.weight});
  return std::make_unique<ComposedSpace>(std::move(parts), options_);
}

SubsetSpace::SubsetSpace(std::shared_ptr<PlanningSpace> space, std::vector<int> free, VectorXd base)
    : space_(std::move(space)), free_(std::move(free)), base_(std::move(base)) {
  if (space_ == nullptr) throw Error("there is no space to take coordinates of");
  const int n = space_->dimension();
  if (base_.size() != n || !base_.allFinite())
    throw Error("the coordinates that stay need a configuration of " + std::to_string(n) + " finite numbers");
  if (free_.empty()) throw Error("no coordinate is left to plan for");
  std::vector<char> taken(static_cast<std::size_t>(n), 0);
  for (const int i : free_) {
    if (i < 0 || i >= n)
      throw Error("there is no coordinate " + std::to_string(i), {},
                  "coordinates run from 0 to " + std::to_string(n - 1));
    if (taken[static_cast<std::size_t>(i)]++ != 0)
      throw Error("coordinate '" + space_->coordinateName(i) + "' is named twice");
  }
  // Edges between configurations that agree elsewhere must do so all along.
  RandomStream random(1, "mortise.SubsetSpace");
  VectorXd a, b, q;
  for (int tries = 0; tries < 32; ++tries) {
    sample(random, q);
    lift(q, a);
    sample(random, q);
    lift(q, b);
    space_->interpolate(a, b, 0.3, full_);
    for (int i = 0; i < n; ++i)
      if (!taken[static_cast<std::size_t>(i)] && !(std::abs(full_[i] - base_[i]) <= 1e-9 * (1 + std::abs(base_[i]))))
        throw Error("coordinate '" + space_->coordinateName(i) + "' changes on edges of the others", {},
                    "plan for it as well");
  }
}

void SubsetSpace::lift(const VectorXd& q, VectorXd& full) const {
  MORTISE_REQUIRE_SIZE(q, dimension(), "one for each coordinate");
  full = base_;
  for (std::size_t i = 0; i < free_.size(); ++i) full[free_[i]] = q[static_cast<Eigen::Index>(i)];
}

void SubsetSpace::reduce(const VectorXd& full, VectorXd& q) const {
  MORTISE_REQUIRE_SIZE(full, base_.size(), "one for each coordinate of the whole space");
  q.resize(dimension());
  for (std::size_t i = 0; i < free_.size(); ++i) q[static_cast<Eigen::Index>(i)] = full[free_[i]];
}

std::string SubsetSpace::coordinateName(int i) const {
  return space_->coordinateName(free_.at(static_cast<std::size_t>(i)));
}

Value SubsetSpace::properties() const {
  Value map = PlanningSpace::properties();
  for (const char* name : {"geodesic", "straight"}) map.set(name, isTrue(*space_, name));
  return map;
}

void SubsetSpace::bounds(VectorXd& low, VectorXd& high) const {
  VectorXd from, to;
  space_->bounds(from, to);
  reduce(from, low);
  reduce(to, high);
}

double SubsetSpace::distance(const VectorXd& a, const VectorXd& b) const {
  lift(a, a_);
  lift(b, b_);
  return space_->distance(a_, b_);
}

void SubsetSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  lift(a, a_);
  lift(b, b_);
  space_->interpolate(a_, b_, u, full_);
  reduce(full_, q);
}

void SubsetSpace::sample(RandomStream& random, VectorXd& q) {
  space_->sample(random, full_);
  reduce(full_, q);
}

void SubsetSpace::sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) {
  VectorXd near;
  lift(center, a_);
  space_->sampleNear(random, a_, radius, full_);
  reduce(full_, near);
  const double length = distance(center, near);
  if (length > radius)
    interpolate(center, near, (1 - 1e-12) * radius / length, q);
  else
    q = std::move(near);
}

bool SubsetSpace::satisfies(int constraint, const VectorXd& q) {
  lift(q, full_);
  return space_->satisfies(constraint, full_);
}

bool SubsetSpace::feasible(const VectorXd& q, int* violated) {
  lift(q, full_);
  return space_->feasible(full_, violated);
}

bool SubsetSpace::visible(const VectorXd& a, const VectorXd& b) {
  lift(a, a_);
  lift(b, b_);
  return space_->visible(a_, b_);
}

std::string SubsetSpace::explain(int constraint, const VectorXd& q) {
  lift(q, full_);
  return space_->explain(constraint, full_);
}

void SubsetSpace::refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const {
  std::vector<VectorXd> full;
  lift(a, a_);
  lift(b, b_);
  space_->refine(a_, b_, tolerance, full);
  for (const VectorXd& w : full) {
    VectorXd q;
    reduce(w, q);
    path.push_back(std::move(q));
  }
}

double SubsetSpace::extent() const { return space_->extent(); }

std::unique_ptr<PlanningSpace> SubsetSpace::copy() const {
  return std::make_unique<SubsetSpace>(space_->copy(), free_, base_);
}

}  // namespace mortise
