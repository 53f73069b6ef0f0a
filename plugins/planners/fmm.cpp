#include "fmm.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"

namespace mortise::planners {

namespace {
constexpr int kMaxDimensions = MarchingGrid::kMaxDimensions;
constexpr double kNodes = 20000;               ///< Nodes of the first grid, where no resolution is given...
constexpr int kMaxCells = 128, kMinCells = 8;  ///< ...and its steps along an axis.
constexpr double kMaxNodes = 8e6;
constexpr int kMarchSteps = 32;  ///< Nodes a round.
}  // namespace

std::string Fmm::unsuitable() const {
  const int d = space().dimension();
  if (d > kMaxDimensions) {
    const double nodes = std::pow(kMinCells + 1.0, d);
    return "the space has " + std::to_string(d) + " dimensions, and a grid can have " + std::to_string(kMaxDimensions) +
           ": even " + std::to_string(kMinCells) + " steps along each would be " + formatReal(nodes) + " nodes, " +
           formatReal(std::ceil(nodes * MarchingGrid::kBytesPerNode / 1e6)) + " MB; plan with rrt or prm";
  }
  if (!metric().flat)
    return "distances in this space are not those of its coordinates, which a grid needs; plan with rrt or prm";
  for (int i = 0; i < d; ++i)
    if (!std::isfinite(low_[i]) || !std::isfinite(high_[i]))
      return "coordinate '" + space().coordinateName(i) +
             "' has no ends between which a grid could be; plan with rrt or prm";
  const double nodes = MarchingGrid::nodesOf(cells_);
  if (nodes > kMaxNodes)
    return "gridResolution " + formatReal(options_.gridResolution) + " makes " + formatReal(nodes) + " nodes, " +
           formatReal(std::ceil(nodes * MarchingGrid::kBytesPerNode / 1e6)) + " MB; there can be " +
           formatReal(kMaxNodes);
  return {};
}

void Fmm::chooseCells() {
  const int d = space().dimension();
  cells_.assign(static_cast<std::size_t>(d), 1);
  if (options_.gridResolution > 0) {
    for (int i = 0; i < d; ++i)
      cells_[i] =
          static_cast<int>(std::clamp(std::ceil((high_[i] - low_[i]) / options_.gridResolution - 1e-9), 1.0, 1e8));
    return;
  }
  const double each = options_.refine ? kMinCells : std::pow(kNodes, 1.0 / d) - 1;
  for (int& n : cells_) n = std::clamp(static_cast<int>(each), kMinCells, kMaxCells);
}

void Fmm::begin() {
  space().bounds(low_, high_);
  phase_ = Phase::direct;
  directAt_ = 0;
  grids_ = 0;
  smoother_.reset();
  chooseCells();
}

void Fmm::addGoal(int) {}

RoundPlanner::Round Fmm::round() {
  if (phase_ == Phase::direct && directAt_ == 0) {
    why_ = unsuitable();
    if (!why_.empty()) return Round::unsuitable;
  }
  if (goals().empty()) return Round::more;
  switch (phase_) {
    case Phase::direct: {
      // Straight, where that is free.
      const std::size_t pairs = starts().size() * goals().size();
      if (directAt_ < pairs) {
        const VectorXd& start = starts()[directAt_ % starts().size()];
        const VectorXd& goal = goals()[directAt_ / starts().size()];
        ++directAt_;
        if (passesCoarseCheck(start, goal) && isFree(start, goal)) {
          offer({start, goal});
          if (!options_.refine) return Round::finished;
        }
        return Round::more;
      }
      makeGrid();
      return Round::more;
    }
    case Phase::marching:
      return march();
    case Phase::descending:
      descend();
      return nodes_.empty() ? nextGrid("there is no path on the grid") : Round::more;
    case Phase::checking:
      check();
      return Round::more;
    case Phase::probing:
      probe();
      return Round::more;
    case Phase::smoothing:
      smooth();
      return phase_ == Phase::smoothing ? Round::more : nextGrid({});
  }
  return Round::more;
}

/// A grid is done with; `why`: it has no path.
RoundPlanner::Round Fmm::nextGrid(const std::string& why) {
  std::string sizes;
  for (const int n : cells_) sizes += (sizes.empty() ? "" : " x ") + std::to_string(n);
  if (!options_.refine) {
    if (why.empty()) return Round::finished;
    why_ = why + " of " + sizes + " steps; a smaller gridResolution, or fmm*, sees narrower passages";
    return Round::exhausted;
  }
  // As Klamp't: half the volume of a cell.
  bool finer = false;
  for (int& n : cells_) {
    const int more = static_cast<int>(std::ceil(n * std::pow(2.0, 1.0 / static_cast<double>(cells_.size()))));
    finer = finer || more > n;
    n = more;
  }
  if (!finer || MarchingGrid::nodesOf(cells_) > kMaxNodes) {
    why_ = "there is no path on any grid up to " + sizes + " steps, and a finer one would be too large";
    return solved() ? Round::finished : Round::exhausted;
  }
  makeGrid();
  return Round::more;
}

void Fmm::makeGrid() {
  grid_.reset(low_, high_, cells_, metric().weights);
  ++grids_;
  closedStarts_.clear();
  closedGoals_.clear();
  probed_.clear();
  probes_.clear();
  beginMarch();
}

void Fmm::beginMarch() {
  grid_.restart();
  for (int s = 0; s < static_cast<int>(starts().size()); ++s) {
    grid_.corners(starts()[s], corners_);
    for (const std::int64_t node : corners_) {
      if (closedStarts_.contains({s, node})) continue;
      grid_.configuration(node, a_);
      if (grid_.known(node) == MarchingGrid::Known::nothing)
        grid_.setKnown(node, isFeasible(a_) ? MarchingGrid::Known::free : MarchingGrid::Known::blocked);
      if (grid_.known(node) == MarchingGrid::Known::free) grid_.addSource(node, distance(starts()[s], a_));
    }
  }
  phase_ = Phase::marching;
}

RoundPlanner::Round Fmm::march() {
  for (int k = 0; k < kMarchSteps; ++k) {
    const std::int64_t node = grid_.advance([this](const VectorXd& q) { return isFeasible(q); });
    if (node < 0) {
      phase_ = Phase::descending;
      return Round::more;
    }
  }
  // Far enough when all free corners of all goals are done.
  bool all = true;
  for (const VectorXd& goal : goals()) {
    grid_.corners(goal, corners_);
    for (const std::int64_t node : corners_)
      all = all && (grid_.distance(node) < MarchingGrid::kFar || grid_.known(node) == MarchingGrid::Known::blocked);
  }
  if (all) phase_ = Phase::descending;
  return Round::more;
}

/// From the best corner of a goal to a start, always to the neighbor through which the path is shortest. Leaves
/// `nodes_` empty when there is no path.
void Fmm::descend() {
  nodes_.clear();
  double minimum = MarchingGrid::kFar;
  std::int64_t node = -1;
  for (int g = 0; g < static_cast<int>(goals().size()); ++g) {
    grid_.corners(goals()[g], corners_);
    for (const std::int64_t corner : corners_) {
      if (!(grid_.distance(corner) < MarchingGrid::kFar) || closedGoals_.contains({g, corner})) continue;
      grid_.configuration(corner, a_);
      const double length = grid_.distance(corner) + distance(a_, goals()[g]) + terminalCost(goals()[g]);
      if (!(length < minimum)) continue;
      minimum = length;
      node = corner;
      pathGoal_ = g;
    }
  }
  if (node < 0) return;
  std::vector<std::int64_t> near;
  for (;;) {
    nodes_.push_back(node);
    grid_.configuration(node, a_);
    // A start, where that is no longer than what the grid says.
    pathStart_ = -1;
    double best = MarchingGrid::kFar;
    for (int s = 0; s < static_cast<int>(starts().size()); ++s) {
      grid_.corners(starts()[s], corners_);
      if (std::find(corners_.begin(), corners_.end(), node) == corners_.end() || closedStarts_.contains({s, node}))
        continue;
      const double length = distance(starts()[s], a_);
      if (length < best) {
        best = length;
        pathStart_ = s;
      }
    }
    std::int64_t next = -1;
    grid_.around(node, near);
    for (const std::int64_t other : near) {
      if (!(grid_.distance(other) < grid_.distance(node)) || grid_.blocked(node, other)) continue;
      grid_.configuration(other, b_);
      const double length = grid_.distance(other) + distance(b_, a_);
      if (length < best) {
        best = length;
        next = other;
      }
    }
    if (next < 0) break;
    node = next;
  }
  if (pathStart_ < 0) {
    // Ways that are blocked leave none of the neighbors that this one got its distance from.
    grid_.setKnown(node, MarchingGrid::Known::blocked);
    beginMarch();
    return;
  }
  std::reverse(nodes_.begin(), nodes_.end());
  checkAt_ = 0;
  phase_ = Phase::checking;
}

/// One edge of the path: to its first node, between two, from the last.
void Fmm::check() {
  const std::size_t last = nodes_.size();
  if (checkAt_ == 0) {
    a_ = starts()[pathStart_];
  } else {
    grid_.configuration(nodes_[checkAt_ - 1], a_);
  }
  if (checkAt_ == last) {
    b_ = goals()[pathGoal_];
  } else {
    grid_.configuration(nodes_[checkAt_], b_);
  }
  if (a_ == b_ || (passesCoarseCheck(a_, b_) && isFree(a_, b_))) {
    if (checkAt_++ < last) return;
    std::vector<VectorXd> path(1, starts()[pathStart_]);
    for (const std::int64_t node : nodes_) {
      grid_.configuration(node, a_);
      if (a_ != path.back()) path.push_back(a_);
    }
    if (goals()[pathGoal_] != path.back()) path.push_back(goals()[pathGoal_]);
    // The path of a single grid is given when it is straight; one of many may be stopped at any time.
    if (options_.refine) offer(path);
    smoother_ = std::make_unique<PathShortcutter>(space(), problem().objective,
                                                  ShortcutOptions{.perturbations = false, .idle = 100});
    smoother_->start(std::move(path));
    phase_ = Phase::smoothing;
    return;
  }
  if (checkAt_ == 0) {
    closedStarts_.insert({pathStart_, nodes_.front()});
    beginMarch();
  } else if (checkAt_ == last) {
    closedGoals_.insert({pathGoal_, nodes_.back()});
    phase_ = Phase::descending;
  } else {
    const std::int64_t from = nodes_[checkAt_ - 1], to = nodes_[checkAt_];
    grid_.block(from, to);
    marchAgain_ = grid_.axisBetween(from, to) >= 0;
    if (marchAgain_) {
      probes_.emplace_back(from, to);
    } else {
      // Diagonal: the edges around it along axes.
      std::vector<std::int64_t> near;
      grid_.around(from, near);
      for (const std::int64_t other : near)
        if (grid_.axisBetween(from, other) >= 0) probes_.emplace_back(from, other);
    }
    phase_ = Phase::probing;
  }
}

/// Checks along a blocked edge, one edge a round, before the front marches again: what blocks one edge blocks others
/// beside it, as a thin wall does.
void Fmm::probe() {
  while (!probes_.empty()) {
    const auto [from, to] = probes_.front();
    probes_.pop_front();
    const int axis = grid_.axisBetween(from, to);
    bool isBlocked = grid_.blocked(from, to);
    const bool isNew = probed_.insert(std::minmax(from, to)).second;
    const bool checks = isNew && !isBlocked;
    if (checks) {
      grid_.configuration(from, a_);
      grid_.configuration(to, b_);
      isBlocked = !(passesCoarseCheck(a_, b_) && isFree(a_, b_));
      if (isBlocked) {
        grid_.block(from, to);
        marchAgain_ = true;
      }
    }
    if (isNew && isBlocked) {
      for (int i = 0; i < grid_.dimension(); ++i) {
        for (const int side : {-1, 1}) {
          if (i == axis) continue;
          const std::int64_t a = grid_.along(from, i, side), b = grid_.along(to, i, side);
          if (a < 0 || b < 0 || probed_.contains(std::minmax(a, b))) continue;
          if (grid_.known(a) == MarchingGrid::Known::free && grid_.known(b) == MarchingGrid::Known::free)
            probes_.emplace_back(a, b);
        }
      }
    }
    if (checks) return;
  }
  if (marchAgain_) {
    marchAgain_ = false;
    beginMarch();
  } else {
    phase_ = Phase::descending;
  }
}

void Fmm::smooth() {
  if (!smoother_->finished()) {
    if (smoother_->round(random()) && options_.refine) offer(smoother_->path());
    return;
  }
  offer(smoother_->path());
  smoother_.reset();
  phase_ = Phase::direct;
}

bool Fmm::roadmap(Roadmap& roadmap) const {
  roadmap = {};
  if (grids_ == 0) return true;
  VectorXd q;
  for (std::int64_t node = 0; node < grid_.numNodes(); ++node) {
    if (!(grid_.distance(node) < MarchingGrid::kFar)) continue;
    grid_.configuration(node, q);
    roadmap.configurations.push_back(q);
  }
  return true;
}

void Fmm::count(Value& statistics) const {
  statistics.set("grids", grids_);
  statistics.set("nodes", grids_ > 0 ? grid_.numNodes() : 0);
}

}  // namespace mortise::planners
