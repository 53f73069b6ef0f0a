#include "collision/contact_finder.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ode_convert.h"

namespace mortise::ode {

namespace {

constexpr int kBufferSize = 1024;
// Two points of a pair that are nearer than this, with the same normal, are one.
constexpr double kMergeDistance = 1e-4;
// How much a turned normal counts as distance when points are spread over a contact patch, m for each unit.
constexpr double kNormalWeight = 0.05;
// Points of one flat face: more would only repeat each other, and each costs the solver three rows.
constexpr int kFlatContacts = 8;
// Not for contacts so soft that a body on four points would sink in this far.
constexpr double kThinnableDepth = 1e-4;

/// Bounds of a collider in the frame S of another one; larger than needed for round shapes.
AxisAlignedBounds boundsIn(const RigidTransform& X_SW, const Collider& collider) {
  Vector3d center, half;
  Matrix3d R;
  if (collider.kind == Collider::Kind::mesh || collider.kind == Collider::Kind::box) {
    const RigidTransform X = X_SW * collider.X_WS;
    const bool box = collider.kind == Collider::Kind::box;
    half = box ? collider.halfSize : Vector3d(0.5 * (collider.mesh->bounds().max - collider.mesh->bounds().min));
    const Vector3d middle =
        box ? Vector3d::Zero() : Vector3d(0.5 * (collider.mesh->bounds().max + collider.mesh->bounds().min));
    center = X * middle;
    R = X.R;
  } else {
    center = X_SW * Vector3d(0.5 * (collider.bounds.min + collider.bounds.max));
    half = 0.5 * (collider.bounds.max - collider.bounds.min);
    R = X_SW.R;
  }
  const Vector3d reach = R.cwiseAbs() * half;
  AxisAlignedBounds bounds;
  bounds.min = center - reach;
  bounds.max = center + reach;
  return bounds;
}

/// Whether the eight corners of the bounds, seen along the patch's normal, lie inside its outline.
bool insideOutline(const FlatPatch& patch, const AxisAlignedBounds& bounds) {
  const std::size_t n = patch.outline.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3d& from = patch.outline[i];
    const Vector3d inward = patch.normal.cross(patch.outline[(i + 1) % n] - from);
    // The corner that is farthest outside decides.
    Vector3d corner;
    for (int k = 0; k < 3; ++k) corner[k] = inward[k] > 0 ? bounds.min[k] : bounds.max[k];
    if (inward.dot(corner - from) < 0) return false;
  }
  return true;
}

}  // namespace

ContactFinder::ContactFinder(const SceneDescription& scene)
    : scene_(scene),
      maxContacts_(std::max(1, scene.maxContacts)),
      plane_(dCreatePlane(nullptr, 0, 0, 1, 0)),
      buffer_(kBufferSize) {}

ContactFinder::~ContactFinder() { dGeomDestroy(plane_); }

const std::vector<TouchPoint>& ContactFinder::find(const std::vector<Collider>& colliders) {
  pairs_.clear();
  points_.clear();
  sweep(colliders);
  std::sort(pairs_.begin(), pairs_.end());
  for (const auto& [a, b] : pairs_) collide(colliders, a, b);
  reduce(colliders);
  return reduced_;
}

void ContactFinder::sweep(const std::vector<Collider>& colliders) {
  boxes_.clear();
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const Collider& c = colliders[i];
    boxes_.push_back({{c.bounds.min.x(), c.bounds.min.y(), c.bounds.min.z()},
                      {c.bounds.max.x(), c.bounds.max.y(), c.bounds.max.z()},
                      static_cast<int>(i),
                      c.id,
                      c.body,
                      c.dynamic});
  }
  std::sort(boxes_.begin(), boxes_.end(), [](const SweepBox& a, const SweepBox& b) {
    return a.min[0] != b.min[0] ? a.min[0] < b.min[0] : a.index < b.index;
  });
  activeMoving_.clear();
  activeFixed_.clear();
  for (const SweepBox& box : boxes_) {
    const auto test = [&](std::vector<SweepBox>& active) {
      for (std::size_t k = 0; k < active.size();) {
        const SweepBox& other = active[k];
        if (other.max[0] < box.min[0]) {
          active[k] = active.back();
          active.pop_back();
          continue;
        }
        ++k;
        if (other.min[1] <= box.max[1] && box.min[1] <= other.max[1] && other.min[2] <= box.max[2] &&
            box.min[2] <= other.max[2] && other.body != box.body && scene_.filter.test(box.id, other.id))
          pairs_.push_back(std::minmax(box.index, other.index));
      }
    };
    test(activeMoving_);
    if (box.dynamic) test(activeFixed_);
    (box.dynamic ? activeMoving_ : activeFixed_).push_back(box);
  }
}

void ContactFinder::collide(const std::vector<Collider>& colliders, int a, int b) {
  const auto size = [](const Collider& c) { return (c.bounds.max - c.bounds.min).squaredNorm(); };
  deepest_ = 0.5 * std::sqrt(std::min(size(colliders[a]), size(colliders[b])));
  const auto flat = [](const Collider& c) { return c.kind == Collider::Kind::patch || c.kind == Collider::Kind::box; };
  if (flat(colliders[a]) && collideWithFlat(colliders, a, b)) return;
  if (flat(colliders[b]) && collideWithFlat(colliders, b, a)) return;
  addOdeContacts(colliders, a, b, colliders[a].geom, colliders[b].geom);
}

/// Where a shape lies wholly over a flat face, the face acts as a plane: exact, fast, and free of the noise of
/// triangle tests. False when that does not apply.
bool ContactFinder::collideWithFlat(const std::vector<Collider>& colliders, int flat, int other) {
  const Collider& face = colliders[flat];
  const Collider& shape = colliders[other];
  if (shape.kind == Collider::Kind::patch) return face.kind == Collider::Kind::patch;  // Flat against flat: nothing.
  const AxisAlignedBounds bounds = boundsIn(face.X_WS.inverse(), shape);
  if (face.kind == Collider::Kind::patch) {
    if (!insideOutline(face.patch, bounds)) return false;
    const Vector3d center = 0.5 * (bounds.min + bounds.max);
    const double side = face.patch.normal.dot(center - face.patch.outline[0]) >= 0 ? 1 : -1;
    const Vector3d normal = side * (face.X_WS.R * face.patch.normal);
    addPlaneContacts(colliders, flat, other, normal, normal.dot(face.X_WS * face.patch.outline[0]) + face.padding);
    return true;
  }
  // ODE's own colliders are good for boxes against boxes, spheres and capsules.
  if (shape.kind != Collider::Kind::mesh && shape.kind != Collider::Kind::cylinder) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (bounds.min[u] < -face.halfSize[u] || bounds.max[u] > face.halfSize[u]) continue;
    if (bounds.min[v] < -face.halfSize[v] || bounds.max[v] > face.halfSize[v]) continue;
    const double center = 0.5 * (bounds.min[axis] + bounds.max[axis]);
    if (std::abs(center) < face.halfSize[axis]) continue;
    const Vector3d normal = (center > 0 ? 1 : -1) * face.X_WS.R.col(axis);
    addPlaneContacts(colliders, flat, other, normal, normal.dot(face.X_WS.p) + face.halfSize[axis]);
    return true;
  }
  return false;
}

void ContactFinder::addPlaneContacts(const std::vector<Collider>& colliders, int flat, int other,
                                     const Vector3d& normal, double offset) {
  const Collider& shape = colliders[other];
  if (shape.kind == Collider::Kind::mesh) {
    const Vector3d normal_S = shape.X_WS.R.transpose() * normal;
    const double offset_S = offset - normal.dot(shape.X_WS.p) + shape.padding;
    for (const Vector3d& vertex : shape.mesh->hullVertices()) {
      const double depth = offset_S - normal_S.dot(vertex);
      if (depth < 0) continue;
      TouchPoint point;
      point.a = std::min(flat, other);
      point.b = std::max(flat, other);
      point.point = shape.X_WS * vertex;
      point.normal = other < flat ? normal : Vector3d(-normal);
      point.depth = depth;
      add(point);
    }
    return;
  }
  dGeomPlaneSetParams(plane_, normal.x(), normal.y(), normal.z(), offset);
  const bool first = flat < other;
  addOdeContacts(colliders, std::min(flat, other), std::max(flat, other), first ? plane_ : shape.geom,
                 first ? shape.geom : plane_);
}

void ContactFinder::addOdeContacts(const std::vector<Collider>& colliders, int a, int b, dGeomID geomA, dGeomID geomB) {
  // A mesh cannot be padded, but what it touches can grow by as much. (Two meshes touch without padding.)
  const Collider &first = colliders[a], &second = colliders[b];
  const bool meshes = first.mesh && second.mesh;
  const bool growB = !meshes && first.mesh && first.padding > 0 && geomA == first.geom && geomB == second.geom;
  const bool growA = !meshes && second.mesh && second.padding > 0 && geomA == first.geom && geomB == second.geom;
  if (growA) first.grow(second.padding);
  if (growB) second.grow(first.padding);
  const int count = dCollide(geomA, geomB, kBufferSize, buffer_.data(), sizeof(dContactGeom));
  if (growA) first.grow(0);
  if (growB) second.grow(0);
  for (int i = 0; i < count; ++i) {
    TouchPoint point;
    point.a = a;
    point.b = b;
    point.point = vectorFrom(buffer_[i].pos);
    point.normal = vectorFrom(buffer_[i].normal);
    point.depth = buffer_[i].depth;
    add(point);
  }
}

void ContactFinder::add(TouchPoint point) {
  const double square = point.normal.squaredNorm();
  if (!point.point.allFinite() || !(square > 0.81 && square < 1.21) || !(point.depth >= 0 && point.depth <= deepest_)) {
    ++rejected_;
    return;
  }
  point.normal /= std::sqrt(square);
  points_.push_back(point);
}

/// Stiffness counts for each point, so where it is low enough to see, fewer points would be a softer contact.
bool ContactFinder::thinnable(const Collider& a, const Collider& b) const {
  double mass = std::numeric_limits<double>::infinity();
  for (const Collider* collider : {&a, &b})
    if (collider->dynamic) mass = std::min(mass, scene_.bodies[collider->body].inertia.mass);
  return mass * scene_.gravity.norm() <= 4 * kThinnableDepth * scene_.material(a.id, b.id).stiffness;
}

/// Of points with one normal only the corners of their outline matter, and the deepest one. Moves those to the front of
/// the group and returns where they end.
int ContactFinder::keepCorners(int begin, int end) {
  const Vector3d& normal = points_[group_[begin]].normal;
  const Vector3d u = normal.unitOrthogonal(), v = normal.cross(u);
  const Vector3d origin = points_[group_[begin]].point;
  flat_.clear();
  double reach = 0;
  int deepest = group_[begin];
  for (int i = begin; i < end; ++i) {
    const Vector3d d = points_[group_[i]].point - origin;
    flat_.push_back({u.dot(d), v.dot(d), group_[i]});
    reach = std::max({reach, std::abs(flat_.back().x), std::abs(flat_.back().y)});
    if (points_[group_[i]].depth > points_[deepest].depth) deepest = group_[i];
  }
  std::sort(flat_.begin(), flat_.end(), [](const FlatPoint& a, const FlatPoint& b) {
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.index < b.index;
  });
  // Andrew's monotone chain; a corner that sticks out by less than a hundredth of the outline is none.
  const double least = 1e-2 * reach * reach;
  outline_.clear();
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = outline_.size();
    for (const FlatPoint& c : flat_) {
      while (outline_.size() >= start + 2) {
        const FlatPoint &a = outline_[outline_.size() - 2], &b = outline_.back();
        if ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > least) break;
        outline_.pop_back();
      }
      outline_.push_back(c);
    }
    outline_.pop_back();
    std::reverse(flat_.begin(), flat_.end());
  }
  if (outline_.size() < 3) return end;
  int kept = begin;
  bool hasDeepest = false;
  for (const FlatPoint& corner : outline_) {
    group_[kept++] = corner.index;
    hasDeepest = hasDeepest || corner.index == deepest;
  }
  if (!hasDeepest) group_[kept++] = deepest;
  std::sort(group_.begin() + begin, group_.begin() + kept);
  return kept;
}

/// Keeps at most `maxContacts_` points of each pair of bodies: the deepest one, then again and again the one farthest
/// from those already kept, which picks the corners of the patch before its inside.
void ContactFinder::reduce(const std::vector<Collider>& colliders) {
  reduced_.clear();
  const int n = static_cast<int>(points_.size());
  group_.resize(n);
  for (int i = 0; i < n; ++i) group_[i] = i;
  const auto bodies = [&](int i) {
    const int a = colliders[points_[i].a].body, b = colliders[points_[i].b].body;
    return std::make_pair(std::min(a, b), std::max(a, b));
  };
  const auto before = [&](int i, int j) {
    const auto x = bodies(i), y = bodies(j);
    return x != y ? x < y : i < j;
  };
  // Points come by pairs of colliders, which is nearly always the order of their bodies, too.
  if (!std::is_sorted(group_.begin(), group_.end(), before)) std::sort(group_.begin(), group_.end(), before);
  for (int begin = 0; begin < n;) {
    int end = begin + 1;
    while (end < n && bodies(group_[end]) == bodies(group_[begin])) ++end;
    const int nextGroup = end;
    if (end - begin <= std::min(4, maxContacts_)) {
      for (int i = begin; i < end; ++i) reduced_.push_back(points_[group_[i]]);
      begin = end;
      continue;
    }
    const Vector3d& normal = points_[group_[begin]].normal;
    bool flat = thinnable(colliders[points_[group_[begin]].a], colliders[points_[group_[begin]].b]);
    for (int i = begin; i < end && flat; ++i) flat = (points_[group_[i]].normal - normal).squaredNorm() < 1e-12;
    const int limit = flat ? std::min(maxContacts_, kFlatContacts) : maxContacts_;
    if (flat && end - begin > 4) end = keepCorners(begin, end);
    nearest_.assign(end - begin, std::numeric_limits<double>::infinity());
    chosen_.clear();
    int next = begin;
    for (int i = begin; i < end; ++i)
      if (points_[group_[i]].depth > points_[group_[next]].depth) next = i;
    while (static_cast<int>(chosen_.size()) < limit) {
      chosen_.push_back(group_[next]);
      const TouchPoint& kept = points_[group_[next]];
      double farthest = kMergeDistance * kMergeDistance;
      next = -1;
      for (int i = begin; i < end; ++i) {
        const TouchPoint& point = points_[group_[i]];
        const double distance = (point.point - kept.point).squaredNorm() +
                                kNormalWeight * kNormalWeight * (point.normal - kept.normal).squaredNorm();
        double& nearest = nearest_[i - begin];
        nearest = std::min(nearest, distance);
        if (nearest > farthest) {
          farthest = nearest;
          next = i;
        }
      }
      if (next < 0) break;
    }
    std::sort(chosen_.begin(), chosen_.end());
    for (int i : chosen_) reduced_.push_back(points_[i]);
    begin = nextGroup;
  }
}

}  // namespace mortise::ode
