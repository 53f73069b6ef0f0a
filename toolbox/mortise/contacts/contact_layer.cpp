#include "mortise/contacts/contact_layer.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/interruption.h"
#include "mortise/collision/element/triangle_distance.h"
#include "mortise/contacts/normals/direction_cone.h"

namespace mortise {
namespace {

/// Sine of the angle by which corners and edges may turn away from what they lie on.

bool isSmooth(CoreKind kind) { return kind == CoreKind::cylinder || kind == CoreKind::ellipsoid; }

ConvexElement coreOf(ConvexElement element) {
  element.radius = 0;
  return element;
}

/// The place that a point finds on an element, in the frame of the element's surface.
struct Probe {
  Vector3d p = Vector3d::Zero();        ///< On the core.
  Vector3d normal = Vector3d::UnitZ();  ///< Unit, from there to the point.
  double distance = 0;
  SurfaceFeature feature;
  bool face = false;
};

/// The face of a box or hull that looks along a direction most.
Vector3d faceAlong(const ConvexElement& element, const Vector3d& direction, double& offset, int& face) {
  if (element.kind == CoreKind::box) {
    const Vector3d local = element.X.R.transpose() * direction;
    int axis = 0;
    local.cwiseAbs().maxCoeff(&axis);
    const double sign = local[axis] < 0 ? -1 : 1;
    const Vector3d normal = sign * element.X.R.col(axis);
    offset = normal.dot(element.X.p) + element.half[axis];
    face = 2 * axis + (sign > 0);
    return normal;
  }
  const ConvexPolyhedron& hull = *element.polyhedron;
  face = 0;
  double best = -2;
  for (int t = 0; t < static_cast<int>(hull.normals.size()); ++t) {
    const double along = hull.normals[t].dot(direction);
    if (along > best) {
      best = along;
      face = t;
    }
  }
  offset = hull.offsets[face];
  return hull.normals[face];
}

/// `slack`: a point that is off a face sideways by up to this counts as over it.
bool probe(const ContactSurface& surface, int place, const ConvexElement& element, const Vector3d& point, double slack,
           Probe& out) {
  const PointSeparation nearest = pointSeparation(coreOf(element), point);
  out.p = nearest.point;
  out.normal = nearest.normal;
  out.distance = nearest.distance;
  out.face = nearest.feature.kind == FeatureKind::face;
  const int index = nearest.feature.index;
  const Vector3d offset = point - nearest.point;
  switch (element.kind) {
    case CoreKind::triangle: {
      const ContactSurface::Triangle& triangle = surface.triangle(place);
      if (triangle.region >= 0) {
        const double height = triangle.normal.dot(offset);
        if (out.face || (offset - height * triangle.normal).norm() <= std::min(slack, 5 * std::abs(height))) {
          out.normal = height < 0 ? Vector3d(-triangle.normal) : triangle.normal;
          out.distance = std::abs(height);
          out.p = point - height * triangle.normal;
          out.feature = {SurfaceFeature::face, triangle.region};
          out.face = true;
          return true;
        }
      }
      if (out.face) return false;
      if (nearest.feature.kind == FeatureKind::edge) {
        const int edge = triangle.edges[index];
        out.feature = {SurfaceFeature::edge, edge};
        return edge >= 0 && inCone(surface.cone(surface.edge(edge).cone), out.normal, kStrict);
      }
      const int vertex = triangle.vertices[index];
      out.feature = {SurfaceFeature::vertex, vertex};
      return vertex >= 0 && inCone(surface.cone(surface.vertex(vertex).cone), out.normal, kStrict);
    }
    case CoreKind::point:
      out.feature = {SurfaceFeature::vertex, surface.firstVertex(place)};
      return true;
    case CoreKind::segment:
      out.feature = nearest.feature.kind == FeatureKind::vertex
                        ? SurfaceFeature(SurfaceFeature::vertex, surface.firstVertex(place) + index)
                        : SurfaceFeature(SurfaceFeature::edge, surface.firstEdge(place));
      return true;
    case CoreKind::box:
    case CoreKind::hull: {
      if (element.kind == CoreKind::hull && element.polyhedron->normals.empty()) {
        out.feature = {SurfaceFeature::element, surface.firstFeature(place)};
        return true;
      }
      int face = index;
      if (!out.face) {
        double planeOffset = 0;
        const Vector3d normal = faceAlong(element, out.normal, planeOffset, face);
        const double height = normal.dot(point) - planeOffset;
        if (height > 0 && (offset - height * normal).norm() <= std::min(slack, 5 * height)) {
          out.normal = normal;
          out.distance = height;
          out.p = point - height * normal;
          out.face = true;
        }
      }
      if (out.face) {
        if (element.kind == CoreKind::hull) face = surface.hullFace(place, face);
        out.feature = {SurfaceFeature::face, surface.firstFeature(place) + face};
      } else if (nearest.feature.kind == FeatureKind::vertex) {
        out.feature = {SurfaceFeature::vertex, surface.firstVertex(place) + index};
      } else {
        out.feature = {SurfaceFeature::edge, surface.firstFeature(place) + index};
      }
      return true;
    }
    default:
      out.feature = {out.face ? SurfaceFeature::face : SurfaceFeature::edge, surface.firstFeature(place) + index};
      out.face = true;  // Smooth: what leans over it is over it.
      return true;
  }
}

/// Two lines' nearest points, where both lie between the segments' ends.
bool crossingOfSegments(const Vector3d& p1, const Vector3d& q1, const Vector3d& p2, const Vector3d& q2, Vector3d& x1,
                        Vector3d& x2, Vector3d& normal) {
  const Vector3d u = q1 - p1, v = q2 - p2, w = p1 - p2;
  const Vector3d cross = u.cross(v);
  const double squared = cross.squaredNorm(), scale = u.squaredNorm() * v.squaredNorm();
  if (!(squared > 1e-8 * scale)) return false;  // Parallel: the corners say all.
  const double s = v.cross(w).dot(cross) / squared, t = u.cross(w).dot(cross) / squared;
  if (s < 0 || s > 1 || t < 0 || t > 1) return false;
  x1 = p1 + s * u;
  x2 = p2 + t * v;
  normal = cross / std::sqrt(squared);
  return true;
}

struct Search {
  const ContactSurface& a;
  const ContactSurface& b;
  const RigidTransform& X_AB;
  RigidTransform X_BA;
  double reach, slack;
  LayerWorkspace& out;
  bool crossing = false;
  InterruptionPoints points = {};

  void add(const Vector3d& coreA, const Vector3d& coreB, const Vector3d& normal, double radiusA, double radiusB,
           SurfaceFeature featureA, SurfaceFeature featureB, bool curved = false) {
    LayerContact contact;
    contact.gap = (coreA - coreB).dot(normal) - radiusA - radiusB;
    if (!(contact.gap <= reach)) return;
    contact.p_A = coreA - radiusA * normal;
    contact.p_B = coreB + radiusB * normal;
    contact.normal = normal;
    contact.featureA = featureA;
    contact.featureB = featureB;
    contact.curved = curved;
    out.contacts.push_back(contact);
  }

  /// Corners of one surface's place against an element of the other.
  template <bool verticesOfA>
  void corners(int i, int j, const ConvexElement& elementA, const ConvexElement& elementB) {
    const ContactSurface &mine = verticesOfA ? a : b, &other = verticesOfA ? b : a;
    const int place = verticesOfA ? i : j, otherPlace = verticesOfA ? j : i;
    const RigidTransform& X = verticesOfA ? X_BA : X_AB;  // From mine to the other's.
    const ConvexElement& element = verticesOfA ? elementB : elementA;
    for (int v = mine.firstVertex(place); v < mine.lastVertex(place); ++v) {
      const ContactSurface::Vertex& vertex = mine.vertex(v);
      const bool round = vertex.radius > 0;
      const Vector3d point = X * vertex.p;
      Probe found;
      if (!probe(other, otherPlace, element, point, round ? 1e-9 : slack, found)) continue;
      if (found.distance > reach + vertex.radius + element.radius) continue;
      if (!verticesOfA && found.feature.kind() == SurfaceFeature::vertex) continue;  // The other way round has it.
      const Vector3d away = X.R.transpose() * found.normal;                          // In my frame.
      if (!inCone(mine.cone(vertex.cone), -away, found.face && !round ? kLean : kStrict)) continue;
      const SurfaceFeature self(SurfaceFeature::vertex, v);
      if (verticesOfA)
        add(vertex.p, X_AB * found.p, away, vertex.radius, element.radius, self, found.feature);
      else
        add(found.p, point, -found.normal, element.radius, vertex.radius, found.feature, self);
    }
  }

  void edges(int i, int j) {
    for (int f = b.firstEdge(j); f < b.lastEdge(j); ++f) {
      const ContactSurface::Edge& edgeB = b.edge(f);
      const Vector3d pB = X_AB * edgeB.p, qB = X_AB * edgeB.q;
      for (int e = a.firstEdge(i); e < a.lastEdge(i); ++e) {
        const ContactSurface::Edge& edgeA = a.edge(e);
        Vector3d x, y, normal;
        if (!crossingOfSegments(edgeA.p, edgeA.q, pB, qB, x, y, normal)) continue;
        const double height = (x - y).dot(normal);
        const double radii = edgeA.radius + edgeB.radius;
        if (std::abs(height) > reach + radii || std::abs(height) < 1e-12) continue;
        if (height < 0) normal = -normal;
        const double sine = radii > 0 ? kStrict : kLean;
        Vector3d fromA = -normal;
        if (!clampToCone(a.cone(edgeA.cone), sine, fromA)) continue;
        Vector3d fromB = X_BA.R * -fromA;
        if (!clampToCone(b.cone(edgeB.cone), sine, fromB)) continue;
        add(x, y, X_AB.R * fromB, edgeA.radius, edgeB.radius, {SurfaceFeature::edge, e}, {SurfaceFeature::edge, f});
      }
    }
  }

  /// Says whether the nearest point of a cylinder or ellipsoid to a triangle is not nearer to the triangle's neighbor.
  static bool triangleCounts(const ContactSurface& surface, int place, const ElementFeature& feature,
                             Vector3d& direction) {
    const ContactSurface::Triangle& triangle = surface.triangle(place);
    const double along = triangle.normal.dot(direction);
    if (triangle.region >= 0 && (feature.kind == FeatureKind::face || std::abs(along) > 1 - 1e-12)) {
      direction = along < 0 ? Vector3d(-triangle.normal) : triangle.normal;
      return true;
    }
    if (feature.kind == FeatureKind::face) return false;
    if (feature.kind == FeatureKind::edge) {
      const int edge = triangle.edges[feature.index];
      return edge >= 0 && inCone(surface.cone(surface.edge(edge).cone), direction, kStrict);
    }
    const int vertex = triangle.vertices[feature.index];
    return vertex >= 0 && inCone(surface.cone(surface.vertex(vertex).cone), direction, kStrict);
  }

  /// Points of a cylinder that touch first when it stands or lies on something flat; `down` in its surface's frame.
  template <bool cylinderOfA>
  void rim(int i, int j, const ConvexElement& cylinder, const ConvexElement& other, const Vector3d& down) {
    const ContactSurface &mine = cylinderOfA ? a : b, &target = cylinderOfA ? b : a;
    const int place = cylinderOfA ? i : j, targetPlace = cylinderOfA ? j : i;
    const RigidTransform& X = cylinderOfA ? X_BA : X_AB;
    const Vector3d local = cylinder.X.R.transpose() * down;
    const bool standing = std::abs(local.z()) > 0.95, lying = std::abs(local.z()) < kLean;
    if (!standing && !lying) return;
    for (int k = 0; k < (standing ? 8 : 2); ++k) {
      Vector3d p;
      if (standing) {
        // Fixed to the cylinder, so that they stay the same contacts.
        const double angle = 0.25 * 3.14159265358979323846 * k;
        p = {cylinder.half.x() * std::cos(angle), cylinder.half.x() * std::sin(angle),
             local.z() < 0 ? -cylinder.half.z() : cylinder.half.z()};
      } else {
        const Vector3d across = Vector3d(local.x(), local.y(), 0).normalized();
        p = cylinder.half.x() * across + Vector3d(0, 0, k == 0 ? -cylinder.half.z() : cylinder.half.z());
      }
      const Vector3d point = cylinder.X * p;
      Probe found;
      if (!probe(target, targetPlace, other, X * point, 1e-9, found)) continue;
      const Vector3d away = X.R.transpose() * found.normal;
      if (-away.dot(down) < 0.98 || found.distance > reach + cylinder.radius + other.radius) continue;
      const int lower = local.z() < 0 ? 0 : 8;
      const SurfaceFeature self(SurfaceFeature::element,
                                32 * mine.firstFeature(place) + (standing ? lower + k : 16 + k));
      if (cylinderOfA)
        add(point, X_AB * found.p, away, cylinder.radius, other.radius, self, found.feature);
      else
        add(found.p, X * point, -found.normal, other.radius, cylinder.radius, found.feature, self);
    }
  }

  void smooth(int i, int j, const ConvexElement& elementA, const ConvexElement& elementB,
              const ElementSeparation& apart) {
    Vector3d normal = -apart.normal;  // From B to A.
    if (elementB.kind == CoreKind::triangle) {
      Vector3d direction = X_BA.R * normal;
      if (!triangleCounts(b, j, apart.featureB, direction)) return;
      normal = X_AB.R * direction;
    } else if (elementA.kind == CoreKind::triangle) {
      Vector3d direction = -normal;
      if (!triangleCounts(a, i, apart.featureA, direction)) return;
      normal = -direction;
    }
    const auto self = [](const ContactSurface& surface, int place, const ConvexElement& element) {
      if (element.kind == CoreKind::triangle)
        return SurfaceFeature(SurfaceFeature::face, surface.triangle(place).region);
      return SurfaceFeature(SurfaceFeature::element, 32 * surface.firstFeature(place) + 31);
    };
    const double ra = elementA.radius, rb = elementB.radius;
    add(apart.pointA + ra * normal, apart.pointB - rb * normal, normal, ra, rb, self(a, i, elementA),
        self(b, j, elementB), true);
    if (elementA.kind == CoreKind::cylinder) rim<true>(i, j, elementA, elementB, -normal);
    if (elementB.kind == CoreKind::cylinder) rim<false>(i, j, elementB, elementA, X_BA.R * normal);
  }

  void crossed(int i, int j) {
    crossing = true;
    out.touching = true;
    if (out.crossings.size() < kMaxCrossings) out.crossings.push_back({i, j});
  }

  void pair(int i, int j) {
    const ConvexElement elementA = a.shape().element(i), elementB = b.shape().element(j);
    const double radii = elementA.radius + elementB.radius;
    if (elementA.kind == CoreKind::triangle && elementB.kind == CoreKind::triangle) {
      double s[9], t[9];
      const Vector3d* corners[3] = {&elementA.a, &elementA.b, &elementA.c};
      for (int k = 0; k < 3; ++k) Vector3d::Map(s + 3 * k) = *corners[k];
      Vector3d::Map(t) = X_AB * elementB.a;
      Vector3d::Map(t + 3) = X_AB * elementB.b;
      Vector3d::Map(t + 6) = X_AB * elementB.c;
      if (planesPart(s, t, reach + radii)) return;
      const double squared = triangleSeparation(s, t).squaredDistance;
      if (squared > (reach + radii) * (reach + radii)) return;
      if (squared <= radii * radii) out.touching = true;
      if (!(squared > 0)) crossed(i, j);
    } else {
      const ElementSeparation apart = separation(elementA, elementB, X_AB);
      if (apart.distance > reach) return;
      if (apart.distance <= 0) out.touching = true;
      if (apart.distance + radii <= 0) crossed(i, j);
      if (isSmooth(elementA.kind) || isSmooth(elementB.kind)) smooth(i, j, elementA, elementB, apart);
    }
    corners<true>(i, j, elementA, elementB);
    corners<false>(i, j, elementA, elementB);
    edges(i, j);
  }
};

bool visit(void* context, int firstA, int countA, int firstB, int countB) {
  Search& search = *static_cast<Search*>(context);
  search.points.pass();
  for (int i = firstA; i < firstA + countA; ++i)
    for (int j = firstB; j < firstB + countB; ++j) search.pair(i, j);
  return false;
}

bool byFeatures(const LayerContact& x, const LayerContact& y) {
  if (x.featureA != y.featureA) return x.featureA < y.featureA;
  if (x.featureB != y.featureB) return x.featureB < y.featureB;
  if (x.gap != y.gap) return x.gap < y.gap;
  return std::lexicographical_compare(x.p_A.data(), x.p_A.data() + 3, y.p_A.data(), y.p_A.data() + 3);
}

/// Keeps, of contacts with one corner of one surface, only the nearest along one direction. `group` holds their
/// indices.
void mergeCorner(std::span<MergeWorkspace::Entry> group, const std::vector<LayerContact>& contacts,
                 std::vector<char>& dropped) {
  // Nearest first; the order of indices is that of the features.
  std::sort(group.begin(), group.end(), [&](const auto& x, const auto& y) {
    const double gapX = contacts[x.index].gap, gapY = contacts[y.index].gap;
    return gapX != gapY ? gapX < gapY : x.index < y.index;
  });
  InterruptionPoints points;
  for (std::size_t i = 1; i < group.size(); ++i) {
    points.pass();
    for (std::size_t k = 0; k < i && !dropped[group[i].index]; ++k)
      if (!dropped[group[k].index] && contacts[group[k].index].normal.dot(contacts[group[i].index].normal) > 0.98)
        dropped[group[i].index] = 1;
  }
}

void mergeCorners(const std::vector<LayerContact>& contacts, bool ofA, MergeWorkspace& workspace) {
  std::vector<MergeWorkspace::Entry>& entries = workspace.entries;
  entries.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const SurfaceFeature feature = ofA ? contacts[i].featureA : contacts[i].featureB;
    if (!workspace.dropped[i] && feature.kind() == SurfaceFeature::vertex)
      entries.push_back({static_cast<double>(feature.code), static_cast<int>(i)});
  }
  if (!ofA) std::sort(entries.begin(), entries.end());
  for (std::size_t first = 0, last = 0; first < entries.size(); first = last) {
    for (last = first + 1; last < entries.size() && entries[last].value == entries[first].value;) ++last;
    if (last - first > 1) mergeCorner({entries.data() + first, last - first}, contacts, workspace.dropped);
  }
}

/// Drops contacts that wander where one that stays says the same.
void mergeCurved(double within, const std::vector<LayerContact>& contacts, std::vector<char>& dropped) {
  InterruptionPoints points;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!contacts[i].curved) continue;
    points.pass();
    for (const LayerContact& other : contacts)
      if (!other.curved && other.normal.dot(contacts[i].normal) > 0.99 && other.gap <= contacts[i].gap + 1e-3 * within)
        dropped[i] = 1;
  }
}

/// One of several at one place: sweeps along x.
void mergePlaces(double within, const std::vector<LayerContact>& contacts, MergeWorkspace& workspace) {
  std::vector<MergeWorkspace::Entry>& entries = workspace.entries;
  entries.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (!workspace.dropped[i]) entries.push_back({contacts[i].p_A.x(), static_cast<int>(i)});
  std::sort(entries.begin(), entries.end());
  std::size_t kept = 0;
  InterruptionPoints points;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    points.pass();
    const MergeWorkspace::Entry entry = entries[i];
    const LayerContact& contact = contacts[entry.index];
    bool said = false;
    // One that stands in for another may be farther along x by `within`.
    for (std::size_t k = kept; k-- > 0 && !said && entry.value - entries[k].value <= 3 * within;) {
      const LayerContact& other = contacts[entries[k].index];
      said = (other.p_A - contact.p_A).squaredNorm() <= within * within && other.normal.dot(contact.normal) > 0.98 &&
             (other.p_B - contact.p_B).squaredNorm() <= within * within;
      if (!said) continue;
      // The one with the lower features stays.
      workspace.dropped[std::max(entry.index, entries[k].index)] = 1;
      if (entry.index < entries[k].index) entries[k] = entry;
    }
    if (!said) entries[kept++] = entry;
  }
}

}  // namespace

bool collectLayer(const ContactSurface& a, const ContactSurface& b, const RigidTransform& X_AB, double reach,
                  LayerWorkspace& workspace) {
  workspace.contacts.clear();
  workspace.crossings.clear();
  workspace.touching = false;
  if (a.shape().empty() || b.shape().empty()) return false;
  if (a.shape().trianglesOnly() && b.shape().trianglesOnly()) {
    makeFront(a, b, X_AB, reach, 0, workspace.front, workspace.making);
    return collectLayer(workspace.front, a, b, X_AB, workspace);
  }
  Search search{a, b, X_AB, X_AB.inverse(), reach, 0.02 * reach + 1e-9, workspace};
  visitOverlapping({a.shape().bvh(), b.shape().bvh(), X_AB.R, X_AB.p}, reach, workspace.stack, visit, &search);
  std::sort(workspace.crossings.begin(), workspace.crossings.end());
  std::sort(workspace.contacts.begin(), workspace.contacts.end(), byFeatures);
  return search.crossing;
}

bool collectLayer(const ContactFront& front, const ContactSurface& a, const ContactSurface& b,
                  const RigidTransform& X_AB, LayerWorkspace& workspace) {
  const bool crossing = collectFront(front, a, b, X_AB, workspace.contacts, workspace.crossings, workspace.misses);
  workspace.touching = crossing;
  for (const LayerContact& contact : workspace.contacts) workspace.touching |= contact.gap <= 0;
  return crossing;
}

void mergeLayer(double within, std::vector<LayerContact>& contacts, MergeWorkspace& workspace) {
  workspace.dropped.assign(contacts.size(), 0);
  mergeCurved(within, contacts, workspace.dropped);
  mergeCorners(contacts, true, workspace);
  mergeCorners(contacts, false, workspace);
  mergePlaces(within, contacts, workspace);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (workspace.dropped[i]) continue;
    if (kept != i) contacts[kept] = contacts[i];
    ++kept;
  }
  contacts.resize(kept);
}

}  // namespace mortise
