#include "mortise/planning/spaces/manifold_edge.h"

namespace mortise {

namespace {

constexpr int kDeepest = 60;                 ///< Halves of halves.
constexpr std::size_t kMaxParts = 1u << 16;  ///< Parts of one edge.

}  // namespace

ManifoldEdge::ManifoldEdge(const VectorXd& a, const VectorXd& b) : points_{a, b}, parts_{{0, 1, 0}} {}

/// Edges that turn back would let planners take steps for ever without coming nearer.
bool ManifoldEdge::advances(const Part& part, const VectorXd& middle, const ManifoldEdgeTools& tools) const {
  const std::size_t from = static_cast<std::size_t>(part.from), to = static_cast<std::size_t>(part.to);
  const double fromA = tools.distance(points_[0], middle), toB = tools.distance(middle, points_[1]);
  return fromA_[from] < fromA && fromA < fromA_[to] && toB_[from] > toB && toB > toB_[to];
}

void ManifoldEdge::examine(int index, const ManifoldEdgeTools& tools, const ConstrainedSpaceOptions& options) {
  Part part = parts_[static_cast<std::size_t>(index)];
  if (part.state != State::open) return;
  const VectorXd a = point(part.from), b = point(part.to);
  const double length = tools.distance(a, b);
  if (fromA_.empty()) {
    fromA_ = {0, length};
    toB_ = {length, 0};
  }
  VectorXd straight, middle;
  tools.interpolate(a, b, 0.5, straight);
  middle = straight;
  const double longest = 0.5 * (1 + options.growth) * length;
  // So short that rounding counts: as good as one point.
  constexpr double kPoint = 1e-9;
  if (length <= kPoint) {
    part.state = State::leaf;
  } else if (part.depth >= kDeepest || parts_.size() >= kMaxParts || !tools.project(middle) ||
             tools.distance(a, middle) > longest || tools.distance(middle, b) > longest ||
             !advances(part, middle, tools)) {
    part.state = State::broken;
    broken_ = true;
  } else if (length <= options.step && tools.distance(straight, middle) <= 0.5 * options.deviation &&
             tools.residual(straight) <= 0.5 * options.deviation) {
    // The middle is where an arc is farthest from its chord; half of what is allowed leaves room for other shapes.
    part.state = State::leaf;
  } else {
    part.state = State::split;
    part.middle = static_cast<int>(points_.size());
    fromA_.push_back(tools.distance(points_[0], middle));
    toB_.push_back(tools.distance(middle, points_[1]));
    points_.push_back(std::move(middle));
    part.first = static_cast<int>(parts_.size());
    parts_.push_back({part.from, part.middle, part.depth + 1});
    parts_.push_back({part.middle, part.to, part.depth + 1});
  }
  parts_[static_cast<std::size_t>(index)] = part;
}

bool ManifoldEdge::deepen(const ManifoldEdgeTools& tools, const ConstrainedSpaceOptions& options) {
  const std::size_t end = parts_.size();
  if (next_ == end || broken_) return false;
  for (; next_ < end && !broken_; ++next_) examine(static_cast<int>(next_), tools, options);
  return true;
}

bool ManifoldEdge::at(double u, const ManifoldEdgeTools& tools, const ConstrainedSpaceOptions& options, VectorXd& q) {
  int index = 0;
  double low = 0, high = 1;
  while (true) {
    examine(index, tools, options);
    const Part& part = parts_[static_cast<std::size_t>(index)];
    if (u <= low || u >= high) {
      q = point(u <= low ? part.from : part.to);
      return true;
    }
    if (part.state == State::broken) return false;
    if (part.state == State::leaf) {
      tools.interpolate(point(part.from), point(part.to), (u - low) / (high - low), q);
      if (!tools.project(q)) q = point(u - low < high - u ? part.from : part.to);
      return true;
    }
    const double middle = 0.5 * (low + high);
    if (u == middle) {
      q = point(part.middle);
      return true;
    }
    index = part.first + (u < middle ? 0 : 1);
    (u < middle ? high : low) = middle;
  }
}

void ManifoldEdge::order(std::vector<int>& points) const {
  points.assign(1, parts_[0].from);
  std::vector<int> stack = {0};
  while (!stack.empty()) {
    const Part& part = parts_[static_cast<std::size_t>(stack.back())];
    stack.pop_back();
    if (part.state == State::split) {
      stack.push_back(part.first + 1);
      stack.push_back(part.first);
    } else {
      points.push_back(part.to);
    }
  }
}

}  // namespace mortise
