#include "configuration_state_space.h"

#include <Eigen/QR>
#include <cmath>
#include <numbers>
#include <ompl/base/ProjectionEvaluator.h>
#include <ompl/base/StateSampler.h>

#include "mortise/base/error.h"

namespace mortise::ompl_planners {

namespace ob = ompl::base;

namespace {

ConfigurationState& stateOf(ob::State* state) { return *static_cast<ConfigurationState*>(state); }

/// Draws from the plan's own stream.
class Sampler final : public ob::StateSampler {
 public:
  explicit Sampler(const ConfigurationStateSpace* space) : StateSampler(space), ours_(*space) {}

  void sampleUniform(ob::State* state) override {
    ConfigurationState& s = stateOf(state);
    ours_.space().sample(ours_.random(), s.q);
    s.known = ConfigurationState::Known::nothing;
  }
  void sampleUniformNear(ob::State* state, const ob::State* near, double distance) override {
    ConfigurationState& s = stateOf(state);
    ours_.space().sampleNear(ours_.random(), configurationOf(near), distance, s.q);
    s.known = ConfigurationState::Known::nothing;
  }
  void sampleGaussian(ob::State* state, const ob::State* mean, double deviation) override {
    sampleUniformNear(state, mean, std::abs(ours_.random().gaussian()) * deviation);
  }

 private:
  const ConfigurationStateSpace& ours_;
};

/// The projection that planners divide into cells: up to two coordinates themselves; of more, a few random directions
/// at right angles to each other. Coordinates count by their range, so that a prismatic joint of 1 m and a turn mean as
/// much.
class Projection final : public ob::ProjectionEvaluator {
 public:
  explicit Projection(const ConfigurationStateSpace* space) : ProjectionEvaluator(space) {
    const auto n = static_cast<Eigen::Index>(space->getDimension());
    const Eigen::Index rows =
        n <= 2 ? n : std::max<Eigen::Index>(2, static_cast<Eigen::Index>(std::ceil(std::log(double(n)))));
    VectorXd low = space->low(), range = space->high() - space->low();
    for (Eigen::Index i = 0; i < n; ++i) {
      if (!(range[i] > 0) || !std::isfinite(range[i])) {
        if (!std::isfinite(low[i])) low[i] = -std::numbers::pi;
        range[i] = range[i] == 0 ? 1 : 2 * std::numbers::pi;
      }
    }
    MatrixXd directions = MatrixXd::Identity(rows, n);
    if (rows < n) {
      MatrixXd random(n, rows);
      for (Eigen::Index c = 0; c < rows; ++c)
        for (Eigen::Index r = 0; r < n; ++r) random(r, c) = space->random().gaussian();
      directions = (Eigen::HouseholderQR<MatrixXd>(random).householderQ() * MatrixXd::Identity(n, rows)).transpose();
    }
    matrix_ = directions * range.cwiseInverse().asDiagonal();
    offset_ = -matrix_ * low;
    ob::RealVectorBounds bounds(static_cast<unsigned>(rows));
    cellSizes_.resize(static_cast<std::size_t>(rows));
    for (Eigen::Index r = 0; r < rows; ++r) {
      const auto i = static_cast<std::size_t>(r);
      bounds.low[i] = directions.row(r).cwiseMin(0).sum();
      bounds.high[i] = directions.row(r).cwiseMax(0).sum();
      cellSizes_[i] = (bounds.high[i] - bounds.low[i]) / 20;  // As OMPL divides.
    }
    setBounds(bounds);
    setCellSizes(std::vector<double>(cellSizes_));
  }

  unsigned int getDimension() const override { return static_cast<unsigned>(matrix_.rows()); }
  void project(const ob::State* state, Eigen::Ref<Eigen::VectorXd> projection) const override {
    projection = matrix_ * configurationOf(state) + offset_;
  }

 private:
  using MatrixXd = Eigen::MatrixXd;
  MatrixXd matrix_;
  VectorXd offset_;
};

double extentOf(PlanningSpace& space, RandomStream& random) {
  const double extent = space.extent();
  if (std::isfinite(extent)) return extent;
  VectorXd a, b;
  double farthest = 0;
  for (int i = 0; i < 32; ++i) {
    space.sample(random, a);
    space.sample(random, b);
    farthest = std::max(farthest, space.distance(a, b));
  }
  return 2 * farthest;
}

}  // namespace

ConfigurationStateSpace::ConfigurationStateSpace(PlanningSpace& space, RandomStream& random, PlanningTurn& turn,
                                                 bool abandoned)
    : space_(space),
      random_(random),
      turn_(turn),
      abandoned_(abandoned),
      dimension_(static_cast<unsigned>(space.dimension())),
      extent_(extentOf(space, random)) {
  if (dimension_ == 0) throw Error("there is nothing to plan for: configurations have no numbers");
  if (!(extent_ > 1e-12))
    throw Error("there is nothing to plan in: no two configurations of the space are apart", {},
                "check the limits of the joints that are planned for");
  space.bounds(low_, high_);
  setName("configurations");
}

ConfigurationStateSpace::~ConfigurationStateSpace() = default;

double ConfigurationStateSpace::getMeasure() const {
  const double measure = space_.measure();
  return std::isfinite(measure) && measure > 0 ? measure : std::pow(extent_, static_cast<double>(dimension_));
}

void ConfigurationStateSpace::enforceBounds(ob::State* state) const {
  ConfigurationState& s = stateOf(state);
  for (Eigen::Index i = 0; i < s.q.size(); ++i) {
    if (s.q[i] >= low_[i] && s.q[i] <= high_[i]) continue;
    s.q[i] = std::min(std::max(s.q[i], low_[i]), high_[i]);
    s.known = ConfigurationState::Known::nothing;
  }
}

bool ConfigurationStateSpace::satisfiesBounds(const ob::State* state) const {
  return configurationOf(state).allFinite();
}

void ConfigurationStateSpace::copyState(ob::State* destination, const ob::State* source) const {
  if (destination == source) return;
  const auto& from = *static_cast<const ConfigurationState*>(source);
  stateOf(destination).q = from.q;
  stateOf(destination).known = from.known;
}

double ConfigurationStateSpace::distance(const ob::State* a, const ob::State* b) const {
  if (!mayMeasure()) return 1;
  return space_.distance(configurationOf(a), configurationOf(b));
}

bool ConfigurationStateSpace::equalStates(const ob::State* a, const ob::State* b) const {
  return a == b || configurationOf(a) == configurationOf(b);
}

void ConfigurationStateSpace::interpolate(const ob::State* from, const ob::State* to, double t,
                                          ob::State* state) const {
  ConfigurationState& s = stateOf(state);
  if (!(t > 0)) return copyState(state, from);
  if (t >= 1) return copyState(state, to);
  space_.interpolate(configurationOf(from), configurationOf(to), t, s.q);
  s.known = ConfigurationState::Known::nothing;
}

ob::StateSamplerPtr ConfigurationStateSpace::allocDefaultStateSampler() const {
  return std::make_shared<Sampler>(this);
}

ob::State* ConfigurationStateSpace::allocState() const {
  ConfigurationState* state;
  if (free_.empty()) {
    states_.emplace_back();
    state = &states_.back();
    state->q = VectorXd::Zero(static_cast<Eigen::Index>(dimension_));
  } else {
    state = free_.back();
    free_.pop_back();
  }
  state->known = ConfigurationState::Known::nothing;
  return state;
}

void ConfigurationStateSpace::freeState(ob::State* state) const { free_.push_back(&stateOf(state)); }

void ConfigurationStateSpace::registerProjections() {
  if (projections_.empty()) registerDefaultProjection(std::make_shared<Projection>(this));
}

}  // namespace mortise::ompl_planners
