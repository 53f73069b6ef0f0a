#include "mortise/mechanics/support_polygon.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/mechanics/forces/planar_cone.h"
#include "mortise/mechanics/support_program.h"

namespace mortise {

namespace {

using Vector2d = Eigen::Vector2d;

constexpr double kExact = 1e-9;   ///< In units of the contacts' extent: nothing more to gain.
constexpr double kMeters = 1000;  ///< Within these linear programs search first.
/// The distances at which borders that never end are cut off for linear programs, in units of the contacts' extent.
constexpr double kNearSquare = 1e3, kFarSquare = 1e6;
constexpr double kRelativeGap = 1e-6;  ///< Fraction of the distance to which borders that never end are known.

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

/// A direction, and the farthest point in it.
struct Support {
  Vector2d normal, point;
  bool done = false;  ///< Nothing is between this one and the next.
};

/// Returns the point where the lines across two directions meet.
Vector2d corner(const Support& a, const Support& b) {
  const double det = cross(a.normal, b.normal);
  const double ca = a.normal.dot(a.point), cb = b.normal.dot(b.point);
  return Vector2d(ca * b.normal.y() - cb * a.normal.y(), a.normal.x() * cb - b.normal.x() * ca) / det;
}

/// Adds directions across the widest gap between the line of two neighbors' points and where their lines meet, until
/// none is wider than `small`, nor than `share` of the distance from the origin. `closed`: the last is a neighbor of
/// the first.
void refine(SupportProgram& program, std::vector<Support>& supports, bool closed, double small, double fraction) {
  constexpr int kMaximum = 10000;
  for (int round = 0; round < kMaximum; ++round) {
    std::size_t widest = supports.size();
    double gap = small;
    Vector2d normal;
    for (std::size_t i = 0; i + (closed ? 0 : 1) < supports.size(); ++i) {
      const Support &a = supports[i], &b = supports[(i + 1) % supports.size()];
      const Vector2d along = b.point - a.point;
      if (a.done || along.norm() <= small || cross(a.normal, b.normal) < 1e-9) continue;
      const Vector2d out = Vector2d(along.y(), -along.x()).normalized();
      const double width = out.dot(corner(a, b) - a.point);
      if (width <= gap || width <= fraction * std::min(a.point.norm(), b.point.norm())) continue;
      gap = width;
      widest = i;
      normal = out;
    }
    if (widest == supports.size()) break;
    Support between{normal, Vector2d::Zero()};
    const Vector2d from = supports[widest].point;
    if (!program.support(normal, between.point) || normal.dot(between.point - from) <= kExact) {
      // The line of the two points is an edge.
      between.point = from;
      between.done = true;
      supports[widest].done = true;
    }
    supports.insert(supports.begin() + static_cast<std::ptrdiff_t>(widest) + 1, between);
  }
}

/// Without repetitions, and without corners on the line between their neighbors. `closed`: the last is a neighbor of
/// the first.
std::vector<Vector2d> cleaned(const std::vector<Vector2d>& points, double same, bool closed = true) {
  std::vector<Vector2d> corners;
  for (const Vector2d& point : points)
    if (corners.empty() || (point - corners.back()).norm() > same) corners.push_back(point);
  while (closed && corners.size() > 1 && (corners.front() - corners.back()).norm() <= same) corners.pop_back();
  for (std::size_t i = closed ? 0 : 1; corners.size() > 2 && i + (closed ? 0 : 1) < corners.size();) {
    const Vector2d& before = corners[(i + corners.size() - 1) % corners.size()];
    const Vector2d& after = corners[(i + 1) % corners.size()];
    const Vector2d along = after - before;
    if (along.norm() > same && std::abs(cross(along.normalized(), corners[i] - before)) <= same) {
      corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(i));
      i = i > (closed ? 0 : 1) ? i - 1 : i;
    } else {
      ++i;
    }
  }
  return corners;
}

/// The directions from one to the next across which a pointed cone ends, neighbors less than a right angle apart.
std::vector<Vector2d> normalsAcross(const PlanarCone& cone) {
  const Vector2d from = turnedLeft(cone.last), to = -turnedLeft(cone.first);
  const double width = std::atan2(cross(cone.first, cone.last), cone.first.dot(cone.last));  // 0 to pi.
  const int pieces = std::max(1, static_cast<int>(std::ceil((kPi - width) / (0.499 * kPi))));
  std::vector<Vector2d> normals = {from};
  for (int k = 1; k < pieces; ++k) {
    const double angle = (kPi - width) * k / pieces;
    normals.push_back(std::cos(angle) * from + std::sin(angle) * turnedLeft(from));
  }
  normals.push_back(to);
  return normals;
}

/// The farthest points across a pointed cone in order, the first on the line along its last ray.
std::vector<Support> chainAcross(std::span<const ContactPoint> contacts, const SupportFrame& frame,
                                 const SupportPolygonOptions& options, const PlanarCone& cone, double small) {
  std::vector<Support> supports;
  const std::vector<Vector2d> normals = normalsAcross(cone);
  for (const double square : {kNearSquare, kFarSquare}) {
    SupportProgram program(contacts, frame, square, options);
    supports.clear();
    bool within = true;
    for (std::size_t i = 0; i < normals.size(); ++i) {
      Support support{normals[i], Vector2d::Zero()};
      if (!program.support(normals[i], support.point)) continue;
      // At the ends the whole border along the ray is as far: its point may be on the square.
      within = within && (i == 0 || i + 1 == normals.size() || !program.onSquare(support.point));
      supports.push_back(support);
    }
    if (!within && square < kFarSquare) continue;
    refine(program, supports, false, small, kRelativeGap);
    break;
  }
  return supports;
}

/// Drops points at the end of a chain that are on its border along the ray.
void dropAlong(std::vector<Vector2d>& chain, const Vector2d& ray, const Vector2d& normal, double small) {
  while (chain.size() > 1) {
    const Vector2d& next = chain[chain.size() - 2];
    const Vector2d step = chain.back() - next;
    if (normal.dot(step) > std::max(small, kRelativeGap * next.norm()) || (step.norm() > small && ray.dot(step) < 0))
      return;
    chain.pop_back();
  }
}

}  // namespace

SupportPolygon::SupportPolygon(std::span<const ContactPoint> contacts, const SupportPolygonOptions& options) {
  requireConeEdges(options.coneEdges);
  for (std::size_t i = 0; i < contacts.size(); ++i) requireContact(contacts[i], i);
  const double gravity = options.gravity_W.norm();
  if (!(gravity > 0) || !std::isfinite(gravity)) throw Error("without gravity every center of mass is as good");
  requireForceLimits(options.limits, contacts.size());
  if (!(options.mass > 0) || !std::isfinite(options.mass))
    throw Error("the mass must be above 0, not " + formatReal(options.mass));
  if (!(options.tolerance > 0)) throw Error("the tolerance of a support polygon must be above 0");
  const Vector3d up = -options.gravity_W / gravity;
  const Vector3d first = std::abs(up.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
  x_W_ = (first - up.dot(first) * up).normalized();
  y_W_ = up.cross(x_W_) + Vector3d::Zero();  // No -0.
  if (contacts.empty()) return;

  SupportFrame frame;
  for (const ContactPoint& contact : contacts) frame.middle += contact.p_WC / static_cast<double>(contacts.size());
  double length = 0;
  for (const ContactPoint& contact : contacts) length = std::max(length, (contact.p_WC - frame.middle).norm());
  if (!(length > 0)) length = 1;
  frame.length = length;
  frame.R_FW << x_W_.transpose(), y_W_.transpose(), up.transpose();
  const double small = options.coneEdges == 0 ? std::max(options.tolerance / length, kExact) : kExact;
  const double same = 1e-8 * length;
  const Vector2d shift = flat(frame.middle);
  const auto placed = [&](const Vector2d& point) { return Vector2d(point * length + shift); };

  // Bounded, and within a kilometer, unless a farthest point is on the square.
  PlanarCone cone;
  std::vector<Support> supports;
  for (const bool last : {false, true}) {
    const double square = last ? std::max(kFarSquare, kMeters / length) : kMeters / length;
    SupportProgram program(contacts, frame, square, options);
    supports.clear();
    bool within = true;
    for (const Vector2d& normal : {Vector2d(1, 0), Vector2d(0, 1), Vector2d(-1, 0), Vector2d(0, -1)}) {
      Support support{normal, Vector2d::Zero()};
      if (!program.support(normal, support.point)) return;
      within = within && normal.dot(support.point) < 0.999 * square;
      supports.push_back(support);
    }
    if (!within && !last) {
      SupportProgram directions(contacts, frame, 1, options, SupportProgram::Of::directions);
      cone = planarCone([&](const Vector2d& normal, Vector2d& point) { return directions.support(normal, point); });
      if (cone.kind == PlanarCone::Kind::point) continue;
      break;
    }
    refine(program, supports, true, small, 0);
    break;
  }

  if (cone.kind == PlanarCone::Kind::point) {
    std::vector<Vector2d> inner, outer;
    for (std::size_t i = 0; i < supports.size(); ++i) {
      const Support &a = supports[i], &b = supports[(i + 1) % supports.size()];
      inner.push_back(a.point * length + shift);
      outer.push_back(inner.back());
      if ((b.point - a.point).norm() > small && cross(a.normal, b.normal) >= 1e-9)
        outer.push_back(corner(a, b) * length + shift);
    }
    corners_ = anchors_ = cleaned(inner, same);
    outer_ = cleaned(outer, same);
  } else if (cone.kind == PlanarCone::Kind::pointed) {
    const Support any = supports.front();
    supports = chainAcross(contacts, frame, options, cone, small);
    if (supports.empty()) supports = {any};
    std::vector<Vector2d> inner, outer;
    for (std::size_t i = 0; i < supports.size(); ++i) {
      inner.push_back(supports[i].point);
      outer.push_back(placed(supports[i].point));
      if (i + 1 == supports.size()) continue;
      const Support &a = supports[i], &b = supports[i + 1];
      if ((b.point - a.point).norm() > small && cross(a.normal, b.normal) >= 1e-9)
        outer.push_back(placed(corner(a, b)));
    }
    dropAlong(inner, cone.first, -turnedLeft(cone.first), small);
    std::reverse(inner.begin(), inner.end());
    dropAlong(inner, cone.last, turnedLeft(cone.last), small);
    std::reverse(inner.begin(), inner.end());
    for (Vector2d& point : inner) point = placed(point);
    corners_ = anchors_ = cleaned(inner, same, false);
    outer_ = cleaned(outer, same, false);
  } else {
    // No corners: lines, or nothing, around it.
    std::vector<Vector2d> normals;
    if (cone.kind != PlanarCone::Kind::plane) normals.emplace_back(-turnedLeft(cone.first));
    if (cone.kind == PlanarCone::Kind::line) normals.emplace_back(turnedLeft(cone.first));
    if (normals.empty()) anchors_.push_back(shift);
    SupportProgram program(contacts, frame, kNearSquare, options);
    for (const Vector2d& normal : normals) {
      Vector2d point;
      if (!program.support(normal, point)) continue;
      const double offset = normal.dot(point);
      anchors_.push_back(placed(offset * normal));
      halfPlanes_.push_back({normal, offset * length + normal.dot(shift)});
    }
    if (anchors_.empty()) anchors_.push_back(shift);
  }
  rays_ = cone.generators();
  if (!corners_.empty()) addHalfPlanes();
  for (Vector2d& ray : rays_) ray += Vector2d::Zero();  // No -0.
  for (HalfPlane& side : halfPlanes_) side = {side.normal + Vector2d::Zero(), side.offset + 0.0};
}

/// Adds the half-planes of a region with corners.
void SupportPolygon::addHalfPlanes() {
  const auto add = [&](const Vector2d& normal, const Vector2d& on) { halfPlanes_.push_back({normal, normal.dot(on)}); };
  if (!rays_.empty()) {
    add(turnedLeft(rays_.back()), corners_.front());
    for (std::size_t i = 0; i + 1 < corners_.size(); ++i) {
      const Vector2d along = (corners_[i + 1] - corners_[i]).normalized();
      add({along.y(), -along.x()}, corners_[i]);
    }
    add(-turnedLeft(rays_.front()), corners_.back());
    if (corners_.size() == 1 && rays_.size() == 1) add(-rays_.front(), corners_.front());  // Half a line.
    return;
  }
  if (corners_.size() <= 2) {  // A point or a line: bounded by what is across it, too.
    const Vector2d a = corners_.front(), b = corners_.back();
    const Vector2d along = corners_.size() == 2 ? Vector2d((b - a).normalized()) : Vector2d(1, 0);
    const Vector2d aside(-along.y(), along.x());
    halfPlanes_ = {{along, along.dot(b)}, {-along, -along.dot(a)}, {aside, aside.dot(a)}, {-aside, -aside.dot(a)}};
    return;
  }
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Vector2d along = (corners_[(i + 1) % corners_.size()] - corners_[i]).normalized();
    const Vector2d out(along.y(), -along.x());
    halfPlanes_.push_back({out, out.dot(corners_[i])});
  }
}

double SupportPolygon::margin(const Vector3d& com_W) const {
  if (empty()) return -std::numeric_limits<double>::infinity();
  const Vector2d p = flat(com_W);
  double margin = std::numeric_limits<double>::infinity();
  for (const HalfPlane& side : halfPlanes_) margin = std::min(margin, side.offset - side.normal.dot(p));
  return margin;
}

double SupportPolygon::signedDistance(const Vector3d& com_W) const {
  const double inside = margin(com_W);
  if (inside >= 0 || corners_.empty()) return inside;  // Without corners, lines are all there is to be away from.
  const Vector2d p = flat(com_W);
  double nearest = std::numeric_limits<double>::infinity();
  const auto take = [&](const Vector2d& a, const Vector2d& along, double maximum) {
    const double length2 = along.squaredNorm();
    const double s = length2 > 0 ? std::clamp(along.dot(p - a) / length2, 0.0, maximum) : 0.0;
    nearest = std::min(nearest, (a + s * along - p).norm());
  };
  const std::size_t sides = bounded() ? corners_.size() : corners_.size() - 1;
  for (std::size_t i = 0; i < sides; ++i) take(corners_[i], corners_[(i + 1) % corners_.size()] - corners_[i], 1);
  if (!bounded()) {
    take(corners_.front(), rays_.back(), std::numeric_limits<double>::infinity());
    take(corners_.back(), rays_.front(), std::numeric_limits<double>::infinity());
  }
  return -nearest;
}

double SupportPolygon::area() const {
  if (!bounded()) {
    // Nothing but half a line, or a line.
    const bool thin = rays_.size() == 1   ? corners_.size() == 1
                      : rays_.size() == 2 ? corners_.empty() && halfPlanes_.size() == 2 &&
                                                halfPlanes_[0].offset + halfPlanes_[1].offset <= 1e-9
                                          : false;
    return thin ? 0 : std::numeric_limits<double>::infinity();
  }
  double area = 0;
  for (std::size_t i = 0; i < corners_.size(); ++i)
    area += 0.5 * cross(corners_[i], corners_[(i + 1) % corners_.size()]);
  return area;
}

}  // namespace mortise
