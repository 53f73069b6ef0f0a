#include "mortise/collision/volume/volume_field.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "mortise/base/error.h"
#include "mortise/collision/element/gjk.h"
#include "mortise/math/constants.h"

namespace mortise {

namespace {

void check(const VolumeGrid& grid, double margin) {
  std::size_t count = 1;
  for (const int n : grid.cells) {
    if (n < 1) throw Error("a volume grid has " + std::to_string(n) + " cells along one axis", {}, "give at least one");
    count *= static_cast<std::size_t>(n);
  }
  if (count != grid.values.size())
    throw Error(
        "a volume grid of " + std::to_string(count) + " cells has " + std::to_string(grid.values.size()) + " numbers",
        {}, "give one number for each cell");
  if (!grid.X.allFinite() || !grid.min.allFinite() || !grid.max.allFinite() ||
      !(grid.min.array() < grid.max.array()).all())
    throw Error("the box of a volume grid is not finite or inside out", {},
                "give its lower corner, then its upper one");
  for (std::size_t i = 0; i < grid.values.size(); ++i)
    if (!std::isfinite(grid.values[i]))
      throw Error("number " + std::to_string(i) + " of a volume grid is not finite", {}, "repair the file");
  if (!(margin >= 0) || !std::isfinite(margin))
    throw Error("the margin is " + std::to_string(margin) + " m", {}, "give a margin of zero or more");
}

}  // namespace

double VolumeField::edge(int axis, int i) const {
  const auto a = static_cast<std::size_t>(axis);
  if (i == 0) return grid_.min[axis];
  if (i == grid_.cells[a] + 1) return grid_.max[axis];
  return grid_.min[axis] + (grid_.max[axis] - grid_.min[axis]) / grid_.cells[a] * (i - 0.5);
}

VolumeField::VolumeField(const ImplicitSurfaceShape& shape, double margin, const VolumeFieldOptions& options)
    : grid_(shape.grid), margin_(margin), options_(options) {
  check(grid_, margin);
  cell_ = grid_.cellSize().minCoeff();
  Level pieces;
  for (std::size_t a = 0; a < 3; ++a) pieces.count[a] = grid_.cells[a] + 1;
  for (int i = 0; i < pieces.count[0]; ++i)
    for (int j = 0; j < pieces.count[1]; ++j)
      for (int k = 0; k < pieces.count[2]; ++k) {
        Node n{kInfinity, -kInfinity};
        for (int corner = 0; corner < 8; ++corner) {
          const auto at = [](int index, int bit, int count) { return std::clamp(index - 1 + bit, 0, count - 1); };
          const double v = grid_.value(at(i, corner & 1, grid_.cells[0]), at(j, (corner >> 1) & 1, grid_.cells[1]),
                                       at(k, corner >> 2, grid_.cells[2]));
          n.low = std::min(n.low, v);
          n.high = std::max(n.high, v);
        }
        pieces.nodes.push_back(n);
        if (n.low > 0) continue;
        for (int corner = 0; corner < 8; ++corner)
          bounds_.include(grid_.X * Vector3d(edge(0, i + (corner & 1)), edge(1, j + ((corner >> 1) & 1)),
                                             edge(2, k + (corner >> 2))));
      }
  bounds_.min.array() -= margin_;
  bounds_.max.array() += margin_;
  levels_.push_back(std::move(pieces));
  while (levels_.back().nodes.size() > 1) {
    const Level& fine = levels_.back();
    Level coarse;
    for (std::size_t a = 0; a < 3; ++a) coarse.count[a] = (fine.count[a] + 1) / 2;
    const int level = static_cast<int>(levels_.size()) - 1;
    for (int i = 0; i < coarse.count[0]; ++i)
      for (int j = 0; j < coarse.count[1]; ++j)
        for (int k = 0; k < coarse.count[2]; ++k) {
          Node n{kInfinity, -kInfinity};
          for (int corner = 0; corner < 8; ++corner) {
            const std::array<int, 3> child = {2 * i + (corner & 1), 2 * j + ((corner >> 1) & 1), 2 * k + (corner >> 2)};
            if (child[0] >= fine.count[0] || child[1] >= fine.count[1] || child[2] >= fine.count[2]) continue;
            const Node& c = node(level, child);
            n.low = std::min(n.low, c.low);
            n.high = std::max(n.high, c.high);
          }
          coarse.nodes.push_back(n);
        }
    levels_.push_back(std::move(coarse));
  }
}

VolumeField::Part VolumeField::top() const {
  return {static_cast<int>(levels_.size()) - 1, {0, 0, 0}, grid_.min, grid_.max, -kInfinity};
}

void VolumeField::range(const Part& part, double& low, double& high) const {
  if (part.level >= 0) {
    const Node& n = node(part.level, part.index);
    low = n.low;
    high = n.high;
    return;
  }
  // Linear along each axis: the extremes are at corners.
  low = kInfinity;
  high = -kInfinity;
  for (int corner = 0; corner < 8; ++corner) {
    const double v =
        grid_.interpolate(Vector3d(corner & 1 ? part.high[0] : part.low[0], corner & 2 ? part.high[1] : part.low[1],
                                   corner & 4 ? part.high[2] : part.low[2]));
    low = std::min(low, v);
    high = std::max(high, v);
  }
}

int VolumeField::split(const Part& part, std::array<Part, 8>& parts) const {
  int count = 0;
  const Vector3d middle = 0.5 * (part.low + part.high);
  for (int corner = 0; corner < 8; ++corner) {
    Part& p = parts[static_cast<std::size_t>(count)];
    p.lowerBound = part.lowerBound;
    if (part.level > 0) {
      const Level& fine = levels_[static_cast<std::size_t>(part.level - 1)];
      bool there = true;
      for (int a = 0; a < 3; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        p.index[axis] = 2 * part.index[axis] + ((corner >> a) & 1);
        there = there && p.index[axis] < fine.count[axis];
        const int width = 1 << (part.level - 1);
        const int last = grid_.cells[axis] + 1;
        p.low[a] = edge(a, std::min(p.index[axis] * width, last));
        p.high[a] = edge(a, std::min((p.index[axis] + 1) * width, last));
      }
      if (!there) continue;
      p.level = part.level - 1;
    } else {
      p.level = part.level - 1;
      p.index = part.index;
      for (int a = 0; a < 3; ++a) {
        p.low[a] = (corner >> a) & 1 ? middle[a] : part.low[a];
        p.high[a] = (corner >> a) & 1 ? part.high[a] : middle[a];
      }
    }
    ++count;
  }
  return count;
}

void VolumeField::linear(const Part& part, double& value, Vector3d& slope, double& error) const {
  double v[8];
  for (int corner = 0; corner < 8; ++corner)
    v[corner] =
        grid_.interpolate(Vector3d(corner & 1 ? part.high[0] : part.low[0], corner & 2 ? part.high[1] : part.low[1],
                                   corner & 4 ? part.high[2] : part.low[2]));
  // Coefficients over the cube [-1, 1]^3; all but the constant and linear ones are what a plane leaves out.
  double c[8];
  for (int term = 0; term < 8; ++term) {
    c[term] = 0;
    for (int corner = 0; corner < 8; ++corner) {
      // A product of the signs of the corner along the axes of the term.
      const int negative = term & ~corner;
      const int flips = (negative & 1) + ((negative >> 1) & 1) + ((negative >> 2) & 1);
      c[term] += (flips & 1 ? -v[corner] : v[corner]) / 8;
    }
  }
  value = c[0];
  const Vector3d half = 0.5 * (part.high - part.low);
  slope =
      Vector3d(half[0] > 0 ? c[1] / half[0] : 0, half[1] > 0 ? c[2] / half[1] : 0, half[2] > 0 ? c[4] / half[2] : 0);
  error = std::abs(c[3]) + std::abs(c[5]) + std::abs(c[6]) + std::abs(c[7]);
}

Vector3d VolumeField::localGradient(const Vector3d& point) const {
  // Exact within a piece; on the border between two the mean of both.
  const Vector3d size = grid_.cellSize();
  Vector3d slope;
  for (int a = 0; a < 3; ++a) {
    const double step = 1e-4 * size[a];
    Vector3d before = point, after = point;
    before[a] -= step;
    after[a] += step;
    slope[a] = (grid_.interpolate(after) - grid_.interpolate(before)) / (2 * step);
  }
  return slope;
}

Vector3d VolumeField::gradient(const Vector3d& point) const {
  return grid_.X.R * localGradient(grid_.X.inverse() * point);
}

/// Depth first, the most promising part first.
template <typename Visitor>
void VolumeField::search(Visitor& visitor) const {
  std::array<Part, 8 * 80> stack;
  int depth = 0;
  Part first = top();
  if (!visitor.bound(*this, first)) return;
  stack[static_cast<std::size_t>(depth++)] = first;
  for (int step = 0; depth > 0 && step < std::min(options_.maxSteps, visitor.maxSteps); ++step) {
    const Part part = stack[static_cast<std::size_t>(--depth)];
    if (visitor.done()) return;
    if (visitor.hopeless(part)) continue;
    std::array<Part, 8> parts;
    int count = split(part, parts), kept = 0;
    for (int i = 0; i < count; ++i) {
      Part& p = parts[static_cast<std::size_t>(i)];
      if (!visitor.bound(*this, p)) continue;
      int at = kept++;
      const Part moving = p;
      for (; at > 0 && parts[static_cast<std::size_t>(at - 1)].lowerBound < moving.lowerBound; --at)
        parts[static_cast<std::size_t>(at)] = parts[static_cast<std::size_t>(at - 1)];
      parts[static_cast<std::size_t>(at)] = moving;
    }
    for (int i = 0; i < kept && depth < static_cast<int>(stack.size()); ++i)
      stack[static_cast<std::size_t>(depth++)] = parts[static_cast<std::size_t>(i)];
  }
}

/// Nearest point of the solid to a core given in the grid's frame.
struct FieldSearch {
  const ConvexElement& element;
  RigidTransform X_GE;
  double tolerance;
  double enough;  ///< Ends when something at most this near is found.
  double best;    ///< Distance of points of the solid.
  Vector3d nearest = Vector3d::Zero();
  bool found = false;
  int maxSteps = std::numeric_limits<int>::max();

  bool done() const { return found && best <= enough; }
  bool hopeless(const VolumeField::Part& part) const { return part.lowerBound >= best - tolerance; }

  double toElement(const Vector3d& point) const {
    return pointSeparation(element, X_GE.R.transpose() * (point - X_GE.p)).distance;
  }

  void offer(const Vector3d& point) {
    const double distance = toElement(point);
    if (distance < best) {
      best = distance;
      nearest = point;
      found = true;
    }
  }

  /// False where nothing in the part can be better; sets its bound.
  bool bound(const VolumeField& field, VolumeField::Part& part) {
    double low, high;
    field.range(part, low, high);
    if (low > 0) return false;
    const Vector3d half = 0.5 * (part.high - part.low), middle = 0.5 * (part.low + part.high);
    const ConvexElement box = ConvexElement::box(RigidTransform::translation(middle), half);
    const ElementSeparation apart = ::mortise::separation(box, element, X_GE);
    part.lowerBound = std::max(part.lowerBound, apart.distance);
    if (hopeless(part)) return false;
    if (high <= 0) {
      // Solid throughout, and nearer than the best so far.
      best = std::max(apart.distance, 0.0);
      nearest = nearestWithin(part, 0.5 * (apart.pointA + (apart.distance > 0 ? apart.pointA : apart.pointB)));
      found = true;
      return false;
    }
    if (part.level > 0) return true;
    double value, error;
    Vector3d slope;
    field.linear(part, value, slope, error);
    const double steep = slope.norm();
    Vector3d p = nearestWithin(part, apart.distance > 0 ? apart.pointA : middle);
    if (steep > 0) {
      // What is solid lies below a plane: value + slope . x <= error.
      const Vector3d n = slope / steep;
      const Vector3d lowest = X_GE * coreSupport(element, -(X_GE.R.transpose() * n));
      part.lowerBound = std::max(part.lowerBound, n.dot(lowest - middle) + (value - error) / steep);
      if (hopeless(part)) return false;
      // And within the box: what the plane leaves of it is convex. Where its edge is nearest, neither bound alone
      // tightens fast enough.
      if (cut(part, slope, value - error)) {
        const ConvexElement rest = clippedElement();
        CoreDifference difference(rest, element, X_GE, nullptr);
        const GjkResult result = gjk(difference, Vector3d::Zero(), -1);
        if (!result.overlapping) part.lowerBound = std::max(part.lowerBound, result.lower);
        if (hopeless(part)) return false;
        p = nearestWithin(part, result.pointA);
      }
    }
    // A point of the solid near the element, downhill from there.
    for (int i = 0; i < 4; ++i) {
      const double v = field.grid_.interpolate(p);
      if (v <= 0) {
        offer(p);
        break;
      }
      const Vector3d g = field.localGradient(p);
      const double gg = g.squaredNorm();
      if (!(gg > 0)) break;
      p = nearestWithin(part, Vector3d(p - g * (1.0000001 * v / gg)));
    }
    return (part.high - part.low).maxCoeff() > 1e-13 * field.cell_;
  }

  /// The corners of what the half space `value + slope . (x - middle) <= 0` leaves of a box. False when that is nothing
  /// or all of it.
  bool cut(const VolumeField::Part& part, const Vector3d& slope, double value) const {
    const Vector3d middle = 0.5 * (part.low + part.high);
    Vector3d corners[8];
    double at[8];
    int below = 0;
    for (int i = 0; i < 8; ++i) {
      corners[i] = Vector3d(i & 1 ? part.high[0] : part.low[0], i & 2 ? part.high[1] : part.low[1],
                            i & 4 ? part.high[2] : part.low[2]);
      at[i] = value + slope.dot(corners[i] - middle);
      below += at[i] <= 0;
    }
    if (below == 0 || below == 8) return false;
    std::vector<Vector3d>& vertices = clipped().vertices;
    vertices.clear();
    for (int i = 0; i < 8; ++i) {
      if (at[i] <= 0) vertices.push_back(corners[i]);
      for (int axis = 0; axis < 3; ++axis)
        if (const int j = i | (1 << axis); j != i && (at[i] <= 0) != (at[j] <= 0))
          vertices.push_back(corners[i] + (corners[j] - corners[i]) * (at[i] / (at[i] - at[j])));
    }
    clipped().center = vertices.front();
    return true;
  }
  /// Corners alone: what GJK asks of a hull.
  static ConvexPolyhedron& clipped() {
    static thread_local ConvexPolyhedron polyhedron;
    return polyhedron;
  }
  static ConvexElement clippedElement() {
    ConvexElement rest;
    rest.kind = CoreKind::hull;
    rest.polyhedron = &clipped();
    return rest;
  }

  static Vector3d nearestWithin(const VolumeField::Part& part, const Vector3d& p) {
    return p.cwiseMax(part.low).cwiseMin(part.high);
  }
};

/// Lowest number of the grid on the core of an element.
struct DepthSearch {
  const ConvexElement& core;  ///< Without its radius.
  RigidTransform X_GE;
  double tolerance;
  double best = kInfinity;
  Vector3d deepest = Vector3d::Zero();
  /// The number of steps after which the search ends: what is found is always a point of the core, and the last digits
  /// are not worth the boxes along an edge.
  int maxSteps = 500;

  bool done() const { return false; }
  bool hopeless(const VolumeField::Part& part) const { return part.lowerBound >= best - tolerance; }

  bool bound(const VolumeField& field, VolumeField::Part& part) {
    double low, high;
    field.range(part, low, high);
    part.lowerBound = std::max(part.lowerBound, low);
    if (hopeless(part)) return false;
    const Vector3d half = 0.5 * (part.high - part.low), middle = 0.5 * (part.low + part.high);
    const ConvexElement box = ConvexElement::box(RigidTransform::translation(middle), half);
    if (!::mortise::overlap(box, core, X_GE, 0)) return false;
    // A point of the core, as near to the middle as can be.
    Vector3d p = middle;
    const PointSeparation s = corePointSeparation(core, X_GE.R.transpose() * (middle - X_GE.p));
    if (s.distance > 0) p = X_GE * s.point;
    if (((p - field.grid_.min).array() >= 0).all() && ((field.grid_.max - p).array() >= 0).all())
      if (const double v = field.grid_.interpolate(p); v < best) {
        best = v;
        deepest = p;
      }
    if (part.level > 0) return true;
    double value, error;
    Vector3d slope;
    field.linear(part, value, slope, error);
    const Vector3d lowest = X_GE * coreSupport(core, -(X_GE.R.transpose() * slope));
    if (slope.squaredNorm() > 0) {
      const double v = field.grid_.interpolate(lowest);
      if (v < best && ((lowest - field.grid_.min).array() >= 0).all() &&
          ((field.grid_.max - lowest).array() >= 0).all()) {
        best = v;
        deepest = lowest;
      }
    }
    part.lowerBound = std::max(part.lowerBound, value + slope.dot(lowest - middle) - error);
    if (hopeless(part)) return false;
    return (part.high - part.low).maxCoeff() > 1e-13 * field.cell_;
  }
};

/// Says whether something solid is near another field.
struct PairSearch {
  const VolumeField& other;
  RigidTransform X_OG;  ///< Pose of this grid in the other's shape frame.
  double within, tolerance;
  bool found = false;
  int maxSteps = std::numeric_limits<int>::max();

  bool done() const { return found; }
  bool hopeless(const VolumeField::Part&) const { return false; }

  bool bound(const VolumeField& field, VolumeField::Part& part) {
    double low, high;
    field.range(part, low, high);
    if (low > 0 || found) return false;
    const ConvexElement box =
        ConvexElement::box(RigidTransform::translation(0.5 * (part.low + part.high)), 0.5 * (part.high - part.low));
    if (!other.overlap(box, X_OG, within)) return false;
    part.lowerBound = part.level;
    if (high <= 0 || (part.high - part.low).maxCoeff() <= tolerance) found = true;
    return !found;
  }
};

bool VolumeField::overlap(const ConvexElement& element, const RigidTransform& X_SE, double within) const {
  if (empty()) return false;
  ConvexElement core = element;
  core.radius = 0;
  const double reach = within + margin_ + element.radius;
  FieldSearch search{core, grid_.X.inverse() * X_SE, 0.01 * options_.tolerance * cell_, reach, 0};
  // What is farther away does not matter.
  search.best = std::nextafter(reach, kInfinity) + 2 * search.tolerance;
  this->search(search);
  return search.found && search.best <= reach;
}

ElementSeparation VolumeField::separation(const ConvexElement& element, const RigidTransform& X_SE,
                                          double upperBound) const {
  ElementSeparation result;
  result.featureA = {FeatureKind::face, 0};
  result.distance = upperBound;
  if (empty()) return result;
  const RigidTransform X_GE = grid_.X.inverse() * X_SE;
  ConvexElement core = element;
  core.radius = 0;
  FieldSearch search{core, X_GE, options_.tolerance * cell_, 0, upperBound + margin_ + element.radius};
  this->search(search);
  if (!search.found) return result;
  Vector3d normal, at;  // The point of the core, and the direction from the solid to it.
  double distance;
  // What is nearer than the search tells apart may be just inside, and says nothing about the direction.
  if (search.best > search.tolerance) {
    const PointSeparation s = corePointSeparation(core, X_GE.R.transpose() * (search.nearest - X_GE.p));
    normal = -(X_GE.R * s.normal);
    at = X_GE * s.point;
    distance = s.distance;
    result.featureB = s.feature;
  } else {
    DepthSearch depth{core, X_GE, 100 * options_.tolerance * cell_};
    this->search(depth);
    const PointSeparation touch = corePointSeparation(core, X_GE.R.transpose() * (search.nearest - X_GE.p));
    at = depth.best < 0 ? depth.deepest : touch.distance > 0 ? Vector3d(X_GE * touch.point) : search.nearest;
    distance = depth.best < 0 ? depth.best : search.best;
    const Vector3d slope = localGradient(at);
    const double steep = slope.norm();
    normal = steep > 0 ? Vector3d(slope / steep) : Vector3d::UnitZ();
    result.featureB = corePointSeparation(core, X_GE.R.transpose() * (at - X_GE.p)).feature;
  }
  result.distance = distance - element.radius - margin_;
  result.normal = grid_.X.R * normal;
  result.pointB = grid_.X * Vector3d(at - element.radius * normal);
  result.pointA = result.pointB - result.distance * result.normal;
  return result;
}

bool VolumeField::contains(const Vector3d& point) const {
  const Vector3d p = grid_.X.inverse() * point;
  if ((p.array() >= grid_.min.array()).all() && (p.array() <= grid_.max.array()).all() && grid_.interpolate(p) <= 0)
    return true;
  return margin_ > 0 && overlap(ConvexElement::point(point), {});
}

bool VolumeField::overlap(const VolumeField& other, const RigidTransform& X_SO, double within) const {
  if (empty() || other.empty()) return false;
  PairSearch search{other, X_SO.inverse() * grid_.X, within + margin_, 0.01 * cell_};
  this->search(search);
  return search.found;
}

}  // namespace mortise
