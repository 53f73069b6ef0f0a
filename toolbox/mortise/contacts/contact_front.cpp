#include "mortise/contacts/contact_front.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/interruption.h"
#include "mortise/collision/element/triangle_distance.h"
#include "mortise/collision/element/triangle_intersection.h"
#include "mortise/collision/query.h"
#include "mortise/contacts/normals/contact_traversal.h"

namespace mortise {
namespace {

/// No more than the motion after which two triangles can cross; some of what is beyond `slack` is infinite.
double untilCrossing(const FeatureView& view, int i, int j, double slack) {
  const double* s = view.a.shape().triangle(i);
  double t[9];
  transformTriangle(view.X_AB, view.b.shape().triangle(j), t);
  if (planesPart(s, t, slack)) return std::numeric_limits<double>::infinity();
  const double apart = std::sqrt(triangleSeparation(s, t).squaredDistance);
  return std::max(0.0, apart * (1 - 1e-6) - 1e-12 * (1 + view.X_AB.p.norm()));
}

struct Making {
  const FeatureView& view;
  double slack, turn;
  double aroundFaces;  ///< By how much corners may be beside the faces that they are over.
  FrontWorkspace& out;
  InterruptionPoints points = {};

  /// Says whether directions of both may be opposite; both in one frame.
  bool facing(const NormalCone& one, const Vector3d& axis, double half) const {
    const double h = one.half + half + turn;
    return std::abs(one.axis.dot(axis)) >= 1 - 0.5 * h * h - 1e-12;
  }

  /// Says that a place cannot touch what lies sideways of where its directions lead. Edges of the other may be leant
  /// on.
  static bool aside(const ContactSurface::Place& place, const Vector3d& axis, const Vector3d& apart, double squared,
                    double sizes, bool leant) {
    static const double kLeant = std::sqrt(1 - kLean * kLean);
    const double along = std::abs(axis.dot(apart));
    const double cosine = leant ? place.cosine * kLeant - place.sine * kLean : place.cosine;
    const double sine = leant ? place.sine * kLeant + place.cosine * kLean : place.sine;
    if (!(cosine > 0)) return false;
    const double limit = sizes + along * sine;
    return (squared - along * along) * cosine * cosine > limit * limit;
  }

  /// Those features of a place that come near the sphere around the other one.
  struct Near {
    int vertices[3], edges[3];
    int numVertices = 0, numEdges = 0;
    bool none() const { return numVertices + numEdges == 0; }
  };
  static Near near(const ContactSurface& surface, int place, const Vector3d& center, double within) {
    Near result;
    if (surface.place(place).radius < within) {  // Little would be left out.
      for (int v = surface.firstVertex(place); v < surface.lastVertex(place); ++v)
        result.vertices[result.numVertices++] = v;
      for (int e = surface.firstEdge(place); e < surface.lastEdge(place); ++e) result.edges[result.numEdges++] = e;
      return result;
    }
    const double squared = within * within;
    for (int v = surface.firstVertex(place); v < surface.lastVertex(place); ++v)
      if ((surface.vertex(v).p - center).squaredNorm() <= squared) result.vertices[result.numVertices++] = v;
    for (int e = surface.firstEdge(place); e < surface.lastEdge(place); ++e) {
      const ContactSurface::Edge& edge = surface.edge(e);
      const Vector3d along = edge.q - edge.p, from = center - edge.p;
      const double t = std::clamp(along.dot(from), 0.0, along.squaredNorm()), uu = along.squaredNorm();
      // Squared distance times uu, without dividing.
      if ((from * uu - t * along).squaredNorm() <= squared * uu * uu) result.edges[result.numEdges++] = e;
    }
    return result;
  }

  void offer(SurfaceFeature featureA, SurfaceFeature featureB, int place = -1) {
    const FeaturePairing pairing{featureA, featureB, place};
    if (slack <= 0) {  // For this pose alone: how far away others are need not be known.
      LayerContact contact;
      if (touches(view, pairing, contact)) out.pairings.emplace_back(pairing, -1.0F);
      return;
    }
    const double until = motionUntil(view, pairing, slack);
    if (until <= slack) out.pairings.emplace_back(pairing, std::nextafterf(static_cast<float>(until), -1.0F));
  }

  void facingPlaces(int firstA, int countA, int firstB, int countB) {
    points.pass();
    for (int j = firstB; j < firstB + countB; ++j) {
      const ContactSurface::Place& place = view.b.place(j);
      const Vector3d center = moved(view.X_AB, place.center), axis = rotated(view.X_AB.R, place.normals.axis);
      for (int i = firstA; i < firstA + countA; ++i) pair(i, j, center, axis);
    }
  }

  void cornersOnFaces(int i, int j) {
    const ContactSurface &a = view.a, &b = view.b;
    if (b.triangle(j).region >= 0) {
      const Vector3d normal = rotated(view.X_AB.R, b.triangle(j).normal);
      for (int v = a.firstVertex(i); v < a.lastVertex(i); ++v)
        if (facing(a.vertex(v).normals, normal, 0))
          offer({SurfaceFeature::vertex, v}, {SurfaceFeature::face, b.triangle(j).region}, j);
    }
    if (a.triangle(i).region >= 0) {
      const Vector3d normal = rotated(view.X_BA.R, a.triangle(i).normal);
      for (int w = b.firstVertex(j); w < b.lastVertex(j); ++w)
        if (facing(b.vertex(w).normals, normal, 0))
          offer({SurfaceFeature::face, a.triangle(i).region}, {SurfaceFeature::vertex, w}, i);
    }
  }

  /// `centerB` and `axisB`: of place j, in a's frame.
  void pair(int i, int j, const Vector3d& centerB, const Vector3d& axisB) {
    const ContactSurface &a = view.a, &b = view.b;
    const ContactSurface::Place &placeA = a.place(i), &placeB = b.place(j);
    const Matrix3d& R = view.X_AB.R;
    // Where both are fine, only their corners on the faces count.
    const bool fine = !placeA.coarse && !placeB.coarse;
    if (fine && a.firstVertex(i) == a.lastVertex(i) && b.firstVertex(j) == b.lastVertex(j)) return;
    const Vector3d apart = placeA.center - centerB;
    const double squared = apart.squaredNorm(), sizes = placeA.radius + placeB.radius;
    const double limit = view.reach + view.radiusA + view.radiusB + slack;
    if (squared > (sizes + limit) * (sizes + limit)) return;
    if (!facing(placeA.normals, axisB, placeB.normals.half)) return;
    const double sideways = sizes + aroundFaces + slack * (1 + std::sqrt(squared) / view.lever);
    if (aside(placeA, placeA.normals.axis, apart, squared, sideways, false)) return;
    if (aside(placeB, axisB, apart, squared, sideways, placeA.sharp)) return;
    if (fine) return cornersOnFaces(i, j);
    const ContactSurface::Triangle &triangleA = a.triangle(i), &triangleB = b.triangle(j);
    const Near ofA = near(a, i, centerB, placeB.radius + limit);
    if (ofA.none() && (triangleA.region < 0 || !facing({triangleA.normal, 0}, axisB, placeB.normals.half))) return;
    const Near ofB = near(b, j, moved(view.X_BA, placeA.center), placeA.radius + limit);
    const Vector3d normalB = rotated(R, triangleB.normal);
    if (ofB.none() && (triangleB.region < 0 || !facing(placeA.normals, normalB, 0))) return;

    Vector3d axes[3];
    for (int k = 0; k < ofB.numEdges; ++k) axes[k] = rotated(R, b.edge(ofB.edges[k]).normals.axis);
    for (int k = 0; k < ofB.numVertices; ++k) {
      const ContactSurface::Vertex& other = b.vertex(ofB.vertices[k]);
      const SurfaceFeature feature(SurfaceFeature::vertex, ofB.vertices[k]);
      const Vector3d axis = rotated(R, other.normals.axis);
      if (triangleA.region >= 0 && facing({triangleA.normal, 0}, axis, other.normals.half))
        offer({SurfaceFeature::face, triangleA.region}, feature, i);
      // Over fine edges and corners faces have it.
      for (int l = 0; l < ofA.numEdges; ++l) {
        const ContactSurface::Edge& edge = a.edge(ofA.edges[l]);
        if (!edge.fine && facing(edge.normals, axis, other.normals.half))
          offer({SurfaceFeature::edge, ofA.edges[l]}, feature);
      }
      for (int l = 0; l < ofA.numVertices && !other.fine; ++l) {
        const ContactSurface::Vertex& vertex = a.vertex(ofA.vertices[l]);
        if (!vertex.fine && facing(vertex.normals, axis, other.normals.half))
          offer({SurfaceFeature::vertex, ofA.vertices[l]}, feature);
      }
    }
    for (int l = 0; l < ofA.numVertices; ++l) {
      const NormalCone& normals = a.vertex(ofA.vertices[l]).normals;
      const SurfaceFeature feature(SurfaceFeature::vertex, ofA.vertices[l]);
      if (triangleB.region >= 0 && facing(normals, normalB, 0))
        offer(feature, {SurfaceFeature::face, triangleB.region}, j);
      for (int k = 0; k < ofB.numEdges; ++k) {
        const ContactSurface::Edge& edge = b.edge(ofB.edges[k]);
        if (!edge.fine && facing(normals, axes[k], edge.normals.half))
          offer(feature, {SurfaceFeature::edge, ofB.edges[k]});
      }
    }
    for (int l = 0; l < ofA.numEdges; ++l) {
      const ContactSurface::Edge& edge = a.edge(ofA.edges[l]);
      for (int k = 0; k < ofB.numEdges; ++k) {
        const ContactSurface::Edge& other = b.edge(ofB.edges[k]);
        if (!(edge.fine && other.fine) && facing(edge.normals, axes[k], other.normals.half))
          offer({SurfaceFeature::edge, ofA.edges[l]}, {SurfaceFeature::edge, ofB.edges[k]});
      }
    }
  }

  void crossing(int i, int j) {
    const double until = untilCrossing(view, i, j, slack);
    if (until <= slack) out.near.emplace_back(LayerCrossing{i, j}, std::nextafterf(static_cast<float>(until), -1.0F));
  }
};

bool visitFaces(void* context, int firstA, int countA, int firstB, int countB) {
  static_cast<Making*>(context)->facingPlaces(firstA, countA, firstB, countB);
  return false;
}

bool visitNear(void* context, int firstA, int countA, int firstB, int countB) {
  Making& making = *static_cast<Making*>(context);
  making.points.pass();
  for (int i = firstA; i < firstA + countA; ++i)
    for (int j = firstB; j < firstB + countB; ++j) making.crossing(i, j);
  return false;
}

template <typename Item>
void take(std::vector<std::pair<Item, float>>& from, std::vector<Item>& items, std::vector<float>& until) {
  std::sort(from.begin(), from.end());
  items.clear();
  until.clear();
  for (const auto& [item, motion] : from) {
    items.push_back(item);
    until.push_back(motion);
  }
}

}  // namespace

double leverOf(const ContactSurface& a, const ContactSurface& b, double reach) {
  return std::min(a.shape().radius(), b.shape().radius()) + reach;
}

double motionBetween(const ContactSurface& a, const ContactSurface& b, double reach, const RigidTransform& X_AB0,
                     const RigidTransform& X_AB1) {
  // The chord that a unit vector moves along is no longer than this.
  const double chord = std::sqrt(0.5) * (X_AB1.R - X_AB0.R).norm();
  double moved = 0;
  if (a.shape().radius() < b.shape().radius()) {
    const Vector3d& c = a.shape().center();
    moved = (X_AB1.R.transpose() * (c - X_AB1.p) - X_AB0.R.transpose() * (c - X_AB0.p)).norm();
  } else {
    const Vector3d& c = b.shape().center();
    moved = (X_AB1 * c - X_AB0 * c).norm();
  }
  if (chord > 0.5) return std::numeric_limits<double>::infinity();
  return (moved + 1.02 * chord * leverOf(a, b, reach)) * (1 + 1e-9);
}

void makeFront(const ContactSurface& a, const ContactSurface& b, const RigidTransform& X_AB, double reach, double slack,
               ContactFront& front, FrontWorkspace& workspace) {
  FeatureView view(a, b, X_AB, reach);
  view.lever = leverOf(a, b, reach);
  workspace.pairings.clear();
  workspace.near.clear();
  const double aroundFaces = view.slack + 0.05 * reach + 1e-9;
  Making making{view, slack, slack / view.lever, aroundFaces, workspace};
  const BvhPair pair(a.shape().bvh(), b.shape().bvh(), X_AB.R, X_AB.p);
  visitFacing(pair, a.nodeNormals(), b.nodeNormals(), reach + slack, making.turn, aroundFaces + slack, workspace.stack,
              visitFaces, &making);
  visitOverlapping(pair, slack, workspace.stack, visitNear, &making);
  take(workspace.pairings, front.pairings, front.until);
  take(workspace.near, front.near, front.nearUntil);
  front.made = true;
  front.X_AB = X_AB;
  front.reach = reach;
  front.slack = slack;
}

void narrowFront(const ContactFront& front, const ContactSurface& a, const ContactSurface& b,
                 const RigidTransform& X_AB, double slack, ContactFront& narrowed) {
  FeatureView view(a, b, X_AB, front.reach);
  view.lever = leverOf(a, b, front.reach);
  // Motions add up.
  const double moved = motionBetween(a, b, front.reach, front.X_AB, X_AB);
  const auto within = static_cast<float>((moved + slack) * (1 + 1e-6) + 1e-12);
  narrowed.pairings.clear();
  narrowed.until.clear();
  for (std::size_t k = 0; k < front.pairings.size(); ++k) {
    if (front.until[k] > within) continue;
    const double until = motionUntil(view, front.pairings[k], slack);
    if (until > slack) continue;
    narrowed.pairings.push_back(front.pairings[k]);
    narrowed.until.push_back(std::nextafterf(static_cast<float>(until), -1.0F));
  }
  narrowed.near.clear();
  narrowed.nearUntil.clear();
  for (std::size_t k = 0; k < front.near.size(); ++k) {
    if (front.nearUntil[k] > within) continue;
    const double until = untilCrossing(view, front.near[k].placeA, front.near[k].placeB, slack);
    if (until > slack) continue;
    narrowed.near.push_back(front.near[k]);
    narrowed.nearUntil.push_back(std::nextafterf(static_cast<float>(until), -1.0F));
  }
  narrowed.made = true;
  narrowed.X_AB = X_AB;
  narrowed.reach = front.reach;
  // What the front may have left out is not known beyond its own slack.
  narrowed.slack = std::min(slack, front.slack - moved * (1 + 1e-6));
}

bool collectFront(const ContactFront& front, const ContactSurface& a, const ContactSurface& b,
                  const RigidTransform& X_AB, std::vector<LayerContact>& contacts,
                  std::vector<LayerCrossing>& crossings, int& misses) {
  const FeatureView view(a, b, X_AB, front.reach);
  const auto motion = static_cast<float>(motionBetween(a, b, front.reach, front.X_AB, X_AB) * (1 + 1e-6));
  contacts.clear();
  crossings.clear();
  LayerContact contact;
  misses = 0;
  InterruptionPoints points;
  for (std::size_t k = 0; k < front.pairings.size(); ++k) {
    points.pass();
    if (front.until[k] > motion) continue;
    if (touches(view, front.pairings[k], contact))
      contacts.push_back(contact);
    else
      ++misses;
  }
  for (std::size_t k = 0; k < front.near.size() && crossings.size() < kMaxCrossings; ++k) {
    points.pass();
    if (front.nearUntil[k] > motion) continue;
    double t[9];
    transformTriangle(X_AB, b.shape().triangle(front.near[k].placeB), t);
    if (trianglesIntersect(a.shape().triangle(front.near[k].placeA), t)) crossings.push_back(front.near[k]);
  }
  return !crossings.empty();
}

}  // namespace mortise
