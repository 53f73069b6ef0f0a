#include "mortise/contacts/contact_features.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/contacts/normals/direction_cone.h"
#include "mortise/geometry/convex/element_cores.h"

namespace mortise {
namespace {

/// Edges that are parallel within this (sine) meet at their ends.
constexpr double kParallel = 0.02;
constexpr double kTouching = 1e-12;

/// By how many radians d must turn until it is in the cone, at least.
double outOfCone(std::span<const Vector3d> cone, const Vector3d& d, double sine) {
  double maximum = sine;
  for (const Vector3d& u : cone) maximum = std::max(maximum, u.dot(d));
  return maximum - sine;  // Arcs are longer than their sines.
}

/// A corner of one surface as the other one sees it.
template <bool ofA>
struct CornerView {
  CornerView(const FeatureView& from, int index)
      : view(from),
        other(ofA ? view.b : view.a),
        X(ofA ? view.X_BA : view.X_AB),
        vertex((ofA ? view.a : view.b).vertex(index)),
        cone((ofA ? view.a : view.b).cone(vertex.cone)),
        point(moved(X, vertex.p)),
        round(vertex.radius > 0),
        lean(round ? kStrict : vertex.lean()) {}

  Vector3d inward(const Vector3d& away) const { return -rotated((ofA ? view.X_AB : view.X_BA).R, away); }

  const FeatureView& view;
  const ContactSurface& other;
  const RigidTransform& X;  ///< From its surface's frame to the other's.
  const ContactSurface::Vertex& vertex;
  std::span<const Vector3d> cone;
  Vector3d point;
  bool round;
  double lean;
};

template <bool ofA>
void finish(const FeatureView& view, const CornerView<ofA>& corner, const Vector3d& foot, const Vector3d& away,
            LayerContact& contact) {
  // `away` leads from the foot to the corner, in the other's frame.
  const Vector3d core = ofA ? corner.vertex.p : corner.point;
  const Vector3d other = ofA ? moved(view.X_AB, foot) : foot;
  const Vector3d normal = ofA ? rotated(view.X_AB.R, away) : Vector3d(-away);
  const Vector3d &onA = ofA ? core : other, &onB = ofA ? other : core;
  contact.gap = (onA - onB).dot(normal) - view.radiusA - view.radiusB;
  contact.p_A = onA - view.radiusA * normal;
  contact.p_B = onB + view.radiusB * normal;
  contact.normal = normal;
}

struct Face {
  Face(const ContactSurface& surface, int place)
      : normal(surface.triangle(place).normal),
        a(Vector3d::Map(surface.shape().triangle(place))),
        b(Vector3d::Map(surface.shape().triangle(place) + 3)),
        c(Vector3d::Map(surface.shape().triangle(place) + 6)) {}

  double height(const Vector3d& p) const { return normal.dot(p - a); }
  /// No less than 0 and no more than how far p is beside the triangle as seen along the normal.
  double beside(const Vector3d& p) const {
    const Vector3d u = b - a, v = c - b, w = a - c;
    const double turn = normal.dot(u.cross(v)) < 0 ? -1 : 1;
    double maximum = 0;
    const auto side = [&](const Vector3d& from, const Vector3d& along) {
      const Vector3d d = p - from;
      const double out =
          -turn * (normal[0] * (along[1] * d[2] - along[2] * d[1]) + normal[1] * (along[2] * d[0] - along[0] * d[2]) +
                   normal[2] * (along[0] * d[1] - along[1] * d[0]));
      if (out > 0) maximum = std::max(maximum, out / along.norm());
    };
    side(a, u);
    side(b, v);
    side(c, w);
    return maximum;
  }

  const Vector3d& normal;
  Vector3d a, b, c;
};

/// Neighbors of a fine corner over a bent surface may be nearer to the face below it than the corner is, and yet
/// farther from the surface.
template <bool ofA>
double leanOver(const CornerView<ofA>& corner, int place) {
  if (!corner.vertex.fine) return corner.lean;
  return std::max(corner.lean,
                  kStrict + std::min(kFineLean, 0.6 * corner.vertex.length * corner.other.triangle(place).bend));
}

/// Above a fine edge a corner is over both faces.
double besideFine(const ContactSurface& surface, int place, double height) {
  return 0.6 * surface.triangle(place).turn * height;
}

template <bool ofA>
bool cornerOnFace(const FeatureView& view, int index, int place, LayerContact& contact) {
  const CornerView<ofA> corner(view, index);
  const Face face(corner.other, place);
  const double height = face.height(corner.point);
  if (std::abs(height) > view.reach + view.radiusA + view.radiusB) return false;
  const Vector3d away = height < 0 ? Vector3d(-face.normal) : face.normal;
  if (!inCone(corner.cone, corner.inward(away), leanOver(corner, place))) return false;
  const double tolerance = std::max(corner.round ? 1e-9 : std::min(view.slack, 5 * std::abs(height)),
                                    besideFine(corner.other, place, std::abs(height)));
  const Vector3d foot = corner.point - height * face.normal;
  const double beside = face.beside(foot);
  if (beside > tolerance) return false;
  if (beside > 0) {
    ElementFeature nearest;
    if ((nearestOnTriangle(face.a, face.b, face.c, foot, nearest) - foot).norm() > tolerance) return false;
  }
  finish(view, corner, foot, away, contact);
  return true;
}

template <bool ofA>
double untilCornerOnFace(const FeatureView& view, int index, int place) {
  const CornerView<ofA> corner(view, index);
  const Face face(corner.other, place);
  const double height = face.height(corner.point);
  const Vector3d foot = corner.point - height * face.normal;
  const double reach = view.reach + view.radiusA + view.radiusB;
  const double within = std::max(view.slack, besideFine(corner.other, place, reach));
  const ContactSurface::Place& bound = corner.other.place(place);
  const double off = (foot - bound.center).norm() - bound.radius - within;
  // Well beside it; how far need not be known.
  if (off > 0) return off / (1 + (std::abs(height) + off + bound.radius + within) / view.lever);
  const double beside = face.beside(foot);
  // What is far to the side rises and falls with the turning, too.
  const double away =
      std::max({0.0, std::abs(height) - reach, beside - within}) / (1 + (std::abs(height) + beside) / view.lever);
  const double side = height < 0 ? -1 : 1, lean = leanOver(corner, place);
  const double near = outOfCone(corner.cone, corner.inward(side * face.normal), lean) * view.lever;
  if (near <= away) return away;
  const double far = outOfCone(corner.cone, corner.inward(-side * face.normal), lean) * view.lever;
  const double over = std::abs(height) / (1 + (std::abs(height) + beside) / view.lever);
  return std::max(away, std::min(near, std::max(far, over)));
}

/// Says whether a corner may lie as directed (`inward`: to what it lies on) on an edge that runs along `line` in its
/// frame: the ends of edges that are nearly parallel to another meet it, too.
bool inConeBesideEdge(std::span<const Vector3d> cone, const Vector3d& inward, double sine, const Vector3d& line) {
  for (const Vector3d& u : cone) {
    const double along = u.dot(inward);
    if (along <= sine) continue;
    if (along > kParallel || u.cross(line).norm() > kParallel) return false;
  }
  return true;
}

template <bool ofA>
bool cornerOnEdge(const FeatureView& view, int index, int edgeIndex, LayerContact& contact) {
  const CornerView<ofA> corner(view, index);
  const ContactSurface::Edge& edge = corner.other.edge(edgeIndex);
  const Vector3d along = edge.q - edge.p;
  const double t = along.dot(corner.point - edge.p) / along.squaredNorm();
  if (!(t > 0 && t < 1)) return false;
  const Vector3d foot = edge.p + t * along;
  Vector3d away = corner.point - foot;
  const double length = away.norm();
  if (length > view.reach + view.radiusA + view.radiusB || length < kTouching) return false;
  away /= length;
  if (!inCone(corner.other.cone(edge.cone), away, kStrict)) return false;
  const Vector3d inward = corner.inward(away);
  if (edge.sharp) {
    const Vector3d line = corner.inward(along.normalized());
    if (!inConeBesideEdge(corner.cone, inward, kStrict, corner.vertex.anchor && !corner.round ? line : inward))
      return false;
  } else if (!inCone(corner.cone, inward, corner.lean)) {
    return false;
  }
  finish(view, corner, foot, away, contact);
  return true;
}

template <bool ofA>
double untilCornerOnEdge(const FeatureView& view, int index, int edgeIndex) {
  const CornerView<ofA> corner(view, index);
  const ContactSurface::Edge& edge = corner.other.edge(edgeIndex);
  const Vector3d along = edge.q - edge.p;
  const double length = along.norm(), t = along.dot(corner.point - edge.p) / length;
  const double beyond = std::max({0.0, -t, t - length});
  Vector3d away = corner.point - edge.p - t / length * along;
  const double off = away.norm(), far = 1 + (off + beyond) / view.lever;
  double until = std::max(0.0, off - view.reach - view.radiusA - view.radiusB) / far;
  until = std::max(until, beyond / far);
  if (off < kTouching) return until;
  away /= off;
  // The direction turns by as much as the corner moves around the edge, and with the surfaces.
  const double turning = 1.5707964 * far / off + 1 / view.lever;
  until = std::max(until, outOfCone(corner.other.cone(edge.cone), away, kStrict) / turning);
  const double lean = !edge.sharp ? corner.lean : corner.vertex.anchor && !corner.round ? kParallel : kStrict;
  return std::max(until, outOfCone(corner.cone, corner.inward(away), lean) / turning);
}

bool smoothUnder(const ContactSurface::Vertex& other) { return other.kind == VertexKind::smooth && other.radius == 0; }

bool cornerOnCorner(const FeatureView& view, int indexA, int indexB, LayerContact& contact) {
  const CornerView<true> corner(view, indexA);
  const ContactSurface::Vertex& other = view.b.vertex(indexB);
  Vector3d away = corner.point - other.p;
  const double length = away.norm();
  if (length > view.reach + view.radiusA + view.radiusB || length < kTouching) return false;
  away /= length;
  // One may lean over the other's smooth surface.
  const double leanA = smoothUnder(other) ? corner.lean : kStrict;
  const double leanB = smoothUnder(corner.vertex) && other.radius == 0 ? other.lean() : kStrict;
  const std::span<const Vector3d> coneB = view.b.cone(other.cone);
  const Vector3d inward = corner.inward(away);
  const bool strictA = inCone(corner.cone, inward, kStrict), strictB = inCone(coneB, away, kStrict);
  if (!(strictA && strictB) && !(strictB && inCone(corner.cone, inward, leanA)) &&
      !(strictA && inCone(coneB, away, leanB)))
    return false;
  finish(view, corner, other.p, away, contact);
  return true;
}

double untilCornerOnCorner(const FeatureView& view, int indexA, int indexB) {
  const CornerView<true> corner(view, indexA);
  const ContactSurface::Vertex& other = view.b.vertex(indexB);
  Vector3d away = corner.point - other.p;
  const double off = away.norm();
  double until = std::max(0.0, off - view.reach - view.radiusA - view.radiusB) / (1 + off / view.lever);
  if (off < kTouching) return until;
  away /= off;
  const double turning = 1.5707964 * (1 + off / view.lever) / off + 1 / view.lever;
  const double leanA = smoothUnder(other) ? corner.lean : kStrict;
  const double leanB = smoothUnder(corner.vertex) && other.radius == 0 ? other.lean() : kStrict;
  until = std::max(until, outOfCone(corner.cone, corner.inward(away), leanA) / turning);
  return std::max(until, outOfCone(view.b.cone(other.cone), away, leanB) / turning);
}

/// Two lines' nearest points, where both lie between the segments' ends.
bool crossSegments(const Vector3d& p1, const Vector3d& q1, const Vector3d& p2, const Vector3d& q2, Vector3d& x1,
                   Vector3d& x2, Vector3d& normal) {
  const Vector3d u = q1 - p1, v = q2 - p2, w = p1 - p2;
  const Vector3d cross = u.cross(v);
  const double squared = cross.squaredNorm(), scale = u.squaredNorm() * v.squaredNorm();
  if (!(squared > 1e-8 * scale)) return false;  // Parallel: the corners say all.
  const double s = v.cross(w).dot(cross), t = u.cross(w).dot(cross);
  if (s < 0 || s > squared || t < 0 || t > squared) return false;
  x1 = p1 + s / squared * u;
  x2 = p2 + t / squared * v;
  normal = cross / std::sqrt(squared);
  return true;
}

bool edgeOnEdge(const FeatureView& view, int indexA, int indexB, LayerContact& contact) {
  const ContactSurface::Edge &edgeA = view.a.edge(indexA), &edgeB = view.b.edge(indexB);
  const Vector3d pB = moved(view.X_AB, edgeB.p), qB = moved(view.X_AB, edgeB.q);
  Vector3d x, y, normal;
  if (!crossSegments(edgeA.p, edgeA.q, pB, qB, x, y, normal)) return false;
  const double height = (x - y).dot(normal), radii = view.radiusA + view.radiusB;
  if (std::abs(height) > view.reach + radii || std::abs(height) < kTouching) return false;
  if (height < 0) normal = -normal;
  Vector3d fromA = -normal;
  if (!clampToCone(view.a.cone(edgeA.cone), radii > 0 ? kStrict : edgeA.lean(), fromA)) return false;
  Vector3d fromB = rotated(view.X_BA.R, -fromA);
  if (!clampToCone(view.b.cone(edgeB.cone), radii > 0 ? kStrict : edgeB.lean(), fromB)) return false;
  normal = rotated(view.X_AB.R, fromB);
  contact.gap = (x - y).dot(normal) - radii;
  if (!(contact.gap <= view.reach)) return false;
  contact.p_A = x - view.radiusA * normal;
  contact.p_B = y + view.radiusB * normal;
  contact.normal = normal;
  return true;
}

double untilEdgeOnEdge(const FeatureView& view, int indexA, int indexB, double enough) {
  const ContactSurface::Edge &edgeA = view.a.edge(indexA), &edgeB = view.b.edge(indexB);
  const Vector3d p = moved(view.X_AB, edgeB.p), q = moved(view.X_AB, edgeB.q);
  const Vector3d u = edgeA.q - edgeA.p, v = q - p, w = edgeA.p - p;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), lever = view.lever;
  const Vector3d cross = u.cross(v);
  const double squared = cross.squaredNorm();
  const double sine = std::sqrt(squared / (uu * vv));
  // Beyond half the angle between the edges nothing is said about where they cross.
  const double limit = 0.5 * sine * lever;
  if (!(sine > 1e-3)) return 0;
  const Vector3d n = cross / std::sqrt(squared);
  const double radii = view.radiusA + view.radiusB, height = w.dot(n);
  const double span = w.norm() + std::sqrt(uu) + std::sqrt(vv);  // No end is farther from the other edge.
  // The plane through one edge and the normal turns by no more than thrice the turning over the sine.
  const double far = 1 + span / lever * (1 + 3 / sine);
  double until = std::max(0.0, std::abs(height) - view.reach - radii) / far;
  if (std::min(until, limit) > enough || limit <= until) return std::min(until, limit);
  const auto apart = [&](double first, double second) {
    if (first > 0 && second > 0) until = std::max(until, std::min(first, second) / far);
    if (first < 0 && second < 0) until = std::max(until, std::min(-first, -second) / far);
  };
  const Vector3d besideV = v.cross(n) / std::sqrt(vv), besideU = u.cross(n) / std::sqrt(uu);
  apart(besideV.dot(w), besideV.dot(w + u));
  apart(-besideU.dot(w), besideU.dot(v - w));
  if (std::min(until, limit) > enough || limit <= until) return std::min(until, limit);
  const double leanA = radii > 0 ? kStrict : edgeA.lean(), leanB = radii > 0 ? kStrict : edgeB.lean();
  static const double kClamped = std::asin(kLean);
  const double clamped = leanA == kLean ? kClamped : std::asin(leanA);
  const auto out = [&](double side) {
    const double outA = outOfCone(view.a.cone(edgeA.cone), -side * n, leanA) - clamped;
    const double outB = outOfCone(view.b.cone(edgeB.cone), rotated(view.X_BA.R, side * n), leanB) - clamped;
    return std::max({0.0, outA, outB}) * sine / 3 * lever;
  };
  const double side = height < 0 ? -1 : 1, near = out(side);
  if (near > until) until = std::max(until, std::min(near, std::max(out(-side), std::abs(height) / far)));
  return std::min(until, limit);
}

}  // namespace

FeatureView::FeatureView(const ContactSurface& surfaceA, const ContactSurface& surfaceB, const RigidTransform& X,
                         double within)
    : a(surfaceA),
      b(surfaceB),
      X_AB(X),
      X_BA(X.inverse()),
      reach(within),
      slack(0.02 * within + 1e-9),
      radiusA(a.shape().sweep()),
      radiusB(b.shape().sweep()) {}

bool touches(const FeatureView& view, const FeaturePairing& pairing, LayerContact& contact) {
  const int a = pairing.featureA.index(), b = pairing.featureB.index();
  const auto kindA = pairing.featureA.kind(), kindB = pairing.featureB.kind();
  bool found = false;
  if (kindA == SurfaceFeature::face)
    found = cornerOnFace<false>(view, b, pairing.place, contact);
  else if (kindB == SurfaceFeature::face)
    found = cornerOnFace<true>(view, a, pairing.place, contact);
  else if (kindA == SurfaceFeature::edge)
    found = kindB == SurfaceFeature::edge ? edgeOnEdge(view, a, b, contact) : cornerOnEdge<false>(view, b, a, contact);
  else
    found =
        kindB == SurfaceFeature::edge ? cornerOnEdge<true>(view, a, b, contact) : cornerOnCorner(view, a, b, contact);
  if (!found) return false;
  contact.featureA = pairing.featureA;
  contact.featureB = pairing.featureB;
  contact.curved = false;
  return true;
}

double motionUntil(const FeatureView& view, const FeaturePairing& pairing, double enough) {
  enough = 1.01 * enough + 1e-6 * view.reach;  // What is taken off below.
  const int a = pairing.featureA.index(), b = pairing.featureB.index();
  const auto kindA = pairing.featureA.kind(), kindB = pairing.featureB.kind();
  double until = 0;
  if (kindA == SurfaceFeature::face)
    until = untilCornerOnFace<false>(view, b, pairing.place);
  else if (kindB == SurfaceFeature::face)
    until = untilCornerOnFace<true>(view, a, pairing.place);
  else if (kindA == SurfaceFeature::edge)
    until = kindB == SurfaceFeature::edge ? untilEdgeOnEdge(view, a, b, enough) : untilCornerOnEdge<false>(view, b, a);
  else
    until = kindB == SurfaceFeature::edge ? untilCornerOnEdge<true>(view, a, b) : untilCornerOnCorner(view, a, b);
  // Far more than rounding can do.
  return std::max(0.0, until * (1 - 1e-6) - 1e-9 * view.reach - 1e-12);
}

}  // namespace mortise
