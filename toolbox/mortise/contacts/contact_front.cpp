#include "mortise/contacts/contact_front.h"

#include <algorithm>
#include <cmath>

#include "mortise/collision/query.h"
#include "mortise/collision/triangle_distance.h"
#include "mortise/collision/triangle_intersection.h"
#include "mortise/contacts/contact_traversal.h"

namespace mortise {
namespace {

struct Making {
  const FeatureView& view;
  double slack, turn;
  FrontWorkspace& out;

  /// Whether directions of both may be opposite; both in one frame.
  bool facing(const NormalCone& one, const Vector3d& axis, double half) const {
    const double h = one.half + half + turn;
    return std::abs(one.axis.dot(axis)) >= 1 - 0.5 * h * h - 1e-12;
  }

  /// What lies sideways of where the directions of a place lead cannot touch it.
  bool aside(const ContactSurface::Place& place, const Vector3d& apart, double sizes) const {
    if (place.normals.half > 1.3) return false;
    const double along = std::abs(place.normals.axis.dot(apart));
    const double across = std::sqrt(std::max(0.0, apart.squaredNorm() - along * along));
    return across * place.cosine - along * place.sine > sizes;
  }

  void offer(SurfaceFeature featureA, SurfaceFeature featureB, int place = -1) {
    const FeaturePairing pairing{featureA, featureB, place};
    const double until = motionUntil(view, pairing);
    if (until <= slack) out.pairings.emplace_back(pairing, std::nextafterf(static_cast<float>(until), -1.0F));
  }

  void pair(int i, int j) {
    const ContactSurface &a = view.a, &b = view.b;
    const ContactSurface::Place &placeA = a.place(i), &placeB = b.place(j);
    const Matrix3d& R = view.X_AB.R;
    if (!facing(placeA.normals, R * placeB.normals.axis, placeB.normals.half)) return;
    const Vector3d apart = placeA.centre - view.X_AB * placeB.centre;
    const double far = apart.norm(), sizes = placeA.radius + placeB.radius;
    if (far > sizes + view.reach + view.radiusA + view.radiusB + slack) return;
    const double sideways = sizes + view.slack + slack * (1 + far / view.lever) + 1e-9;
    if (aside(placeA, apart, sideways)) return;
    if (!placeA.sharp && aside(placeB, view.X_BA.R * apart, sideways)) return;

    const ContactSurface::Triangle &triangleA = a.triangle(i), &triangleB = b.triangle(j);
    const Vector3d normalB = R * triangleB.normal;
    for (int v = a.firstVertex(i); v < a.lastVertex(i); ++v) {
      const NormalCone& normals = a.vertex(v).normals;
      const SurfaceFeature self(SurfaceFeature::vertex, v);
      if (triangleB.region >= 0 && facing(normals, normalB, 0))
        offer(self, {SurfaceFeature::face, triangleB.region}, j);
      for (int f = b.firstEdge(j); f < b.lastEdge(j); ++f)
        if (facing(normals, R * b.edge(f).normals.axis, b.edge(f).normals.half)) offer(self, {SurfaceFeature::edge, f});
      for (int w = b.firstVertex(j); w < b.lastVertex(j); ++w)
        if (facing(normals, R * b.vertex(w).normals.axis, b.vertex(w).normals.half))
          offer(self, {SurfaceFeature::vertex, w});
    }
    for (int e = a.firstEdge(i); e < a.lastEdge(i); ++e)
      for (int f = b.firstEdge(j); f < b.lastEdge(j); ++f)
        if (facing(a.edge(e).normals, R * b.edge(f).normals.axis, b.edge(f).normals.half))
          offer({SurfaceFeature::edge, e}, {SurfaceFeature::edge, f});
    for (int w = b.firstVertex(j); w < b.lastVertex(j); ++w) {
      const NormalCone& normals = b.vertex(w).normals;
      const Vector3d axis = R * normals.axis;
      const SurfaceFeature other(SurfaceFeature::vertex, w);
      if (triangleA.region >= 0 && facing({triangleA.normal, 0}, axis, normals.half))
        offer({SurfaceFeature::face, triangleA.region}, other, i);
      for (int e = a.firstEdge(i); e < a.lastEdge(i); ++e)
        if (facing(a.edge(e).normals, axis, normals.half)) offer({SurfaceFeature::edge, e}, other);
    }
  }

  void crossing(int i, int j) {
    const double* s = view.a.shape().triangle(i);
    double t[9];
    transformTriangle(view.X_AB, view.b.shape().triangle(j), t);
    if (planesPart(s, t, slack)) return;
    const double apart = std::sqrt(triangleSeparation(s, t).squaredDistance);
    const double until = std::max(0.0, apart * (1 - 1e-6) - 1e-12 * (1 + view.X_AB.p.norm()));
    if (until <= slack) out.near.emplace_back(LayerCrossing{i, j}, std::nextafterf(static_cast<float>(until), -1.0F));
  }
};

template <void (Making::*act)(int, int)>
bool visit(void* context, int firstA, int countA, int firstB, int countB) {
  Making& making = *static_cast<Making*>(context);
  for (int i = firstA; i < firstA + countA; ++i)
    for (int j = firstB; j < firstB + countB; ++j) (making.*act)(i, j);
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
    const Vector3d& c = a.shape().centre();
    moved = (X_AB1.R.transpose() * (c - X_AB1.p) - X_AB0.R.transpose() * (c - X_AB0.p)).norm();
  } else {
    const Vector3d& c = b.shape().centre();
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
  Making making{view, slack, slack / view.lever, workspace};
  const BvhPair pair(a.shape().bvh(), b.shape().bvh(), X_AB.R, X_AB.p);
  visitFacing(pair, a.nodeNormals(), b.nodeNormals(), reach + slack, making.turn, workspace.stack, visit<&Making::pair>,
              &making);
  visitOverlapping(pair, slack, workspace.stack, visit<&Making::crossing>, &making);
  take(workspace.pairings, front.pairings, front.until);
  take(workspace.near, front.near, front.nearUntil);
  front.made = true;
  front.X_AB = X_AB;
  front.reach = reach;
  front.slack = slack;
}

bool collectFront(const ContactFront& front, const ContactSurface& a, const ContactSurface& b,
                  const RigidTransform& X_AB, std::vector<LayerContact>& contacts,
                  std::vector<LayerCrossing>& crossings) {
  const FeatureView view(a, b, X_AB, front.reach);
  const auto motion = static_cast<float>(motionBetween(a, b, front.reach, front.X_AB, X_AB) * (1 + 1e-6));
  contacts.clear();
  crossings.clear();
  LayerContact contact;
  for (std::size_t k = 0; k < front.pairings.size(); ++k)
    if (front.until[k] <= motion && touches(view, front.pairings[k], contact)) contacts.push_back(contact);
  for (std::size_t k = 0; k < front.near.size() && crossings.size() < kMaxCrossings; ++k) {
    if (front.nearUntil[k] > motion) continue;
    double t[9];
    transformTriangle(X_AB, b.shape().triangle(front.near[k].placeB), t);
    if (trianglesIntersect(a.shape().triangle(front.near[k].placeA), t)) crossings.push_back(front.near[k]);
  }
  return !crossings.empty();
}

}  // namespace mortise
