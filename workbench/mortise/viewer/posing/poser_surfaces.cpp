// Surfaces of a posed world: what is picked on them, and what touches.

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/geometry/convex/planar_face.h"
#include "mortise/mechanics/contact_cleaning.h"
#include "mortise/viewer/posing/poser.h"
#include "mortise/viewer/posing/shape_mesh.h"

namespace mortise::viewer {

namespace {

constexpr int kFaceContacts = 8;  ///< Contacts of a plane face or a patch: as many as a robot's foot has.
constexpr int kPatchRays = 32;    ///< Pieces of a side of a patch, with a ray at each end.
/// Meters, and the difference of unit normals: what of a patch is one plane.
constexpr ContactCleaning kPatchPlane = {1e-4, 0.02};
constexpr double kPatchTurn =
    0.85;  ///< Cosine between normals of one side of a body: a patch does not go around corners.

}  // namespace

void Poser::requireEntityWithSurface(int id) const {
  if (world_->entity(id).kind == World::Kind::robot) throw Error("contacts are on links, not on robots as a whole");
}

PickedSurface Poser::pick(const Ray& ray, bool face, int id) {
  if (id >= 0) requireEntityWithSurface(id);
  collisions();
  const WorldRayHit found = state_->rayCast(ray, id < 0 ? IdFilter::everything() : IdFilter::of({id}));
  if (!found.hit.hit) throw Error("there is no surface there", {}, "point at a link, an object or a terrain");
  PickedSurface surface{found.id, {found.hit.p_W}, {found.hit.normal_W}};
  if (!face) return surface;
  const RigidTransform X_WS = state_->pose(found.id), X_SW = X_WS.inverse();
  const Geometry& shape = *collider_->shape(found.id)->geometry();
  const std::vector<Vector3d> corners = planarFace(shownMesh(shape), X_SW * found.hit.p_W, X_SW.R * found.hit.normal_W);
  if (corners.size() < 3) return surface;  // A round one: the point.
  surface.points_W.clear();
  for (const Vector3d& corner : hullCorners(corners, kFaceContacts)) surface.points_W.push_back(X_WS * corner);
  surface.normals_W.assign(surface.points_W.size(), found.hit.normal_W);
  return surface;
}

PickedSurface Poser::pickPatch(const Vector3d& eye, const std::array<Vector3d, 4>& corners, int id) {
  requireEntityWithSurface(id);
  collisions();
  std::vector<ContactPoint> seen;
  for (int i = 0; i <= kPatchRays; ++i) {
    for (int j = 0; j <= kPatchRays; ++j) {
      const double u = i / static_cast<double>(kPatchRays), v = j / static_cast<double>(kPatchRays);
      const Vector3d direction =
          (1 - v) * ((1 - u) * corners[0] + u * corners[1]) + v * ((1 - u) * corners[3] + u * corners[2]);
      if (direction.isZero()) continue;
      const WorldRayHit found = state_->rayCast({eye, direction}, IdFilter::of({id}));
      if (!found.hit.hit) continue;
      // The first one is at the corner where it begins, if that is on the body.
      if (!seen.empty() && seen.front().n_W.dot(found.hit.normal_W) < kPatchTurn) continue;
      seen.push_back({found.hit.p_W, found.hit.normal_W, 0});
    }
  }
  if (seen.empty()) throw Error("there is no surface there", {}, "drag over a link, an object or a terrain");
  PickedSurface surface{id, {}, {}};
  for (const ContactPoint& point : spreadOut(cleaned(seen, kPatchPlane), kFaceContacts)) {
    surface.points_W.push_back(point.p_WC);
    surface.normals_W.push_back(point.n_W);
  }
  return surface;
}

std::vector<LinkContact> Poser::contacts(int robot) {
  robotAt(robot);
  collisions();
  if (!finder_) finder_ = std::make_unique<WorldContactFinder>(collider_, WorldContactOptions{.touch = touch_});
  return finder_->ofRobot(*state_, robot);
}

std::vector<LinkContact> Poser::flatContacts(int robot, double tolerance, double friction) {
  const Robot& model = robotAt(robot);
  const Vector3d gravity = world_->simulation.gravity;
  if (!(gravity.norm() > 0)) throw Error("without gravity there is no flat ground", {}, "give the world a gravity");
  if (!(tolerance > 0) || !std::isfinite(tolerance))
    throw Error("what touches flat ground is within a distance above 0 of the lowest point");
  collisions();
  const Vector3d up = -gravity.normalized();
  std::vector<std::vector<Vector3d>> points(static_cast<std::size_t>(model.numLinks()));
  double lowest = std::numeric_limits<double>::infinity();
  for (int l = 0; l < model.numLinks(); ++l) {
    const int id = world_->linkId(robot, l);
    const Link& link = model.link(l);
    if (!link.geometry || link.geometry->empty()) continue;
    const RigidTransform& X_WL = state_->pose(id);
    for (const Vector3d& vertex : shownMesh(*link.geometry).vertices) {
      points[static_cast<std::size_t>(l)].push_back(X_WL * vertex);
      lowest = std::min(lowest, up.dot(points[static_cast<std::size_t>(l)].back()));
    }
  }
  std::vector<LinkContact> contacts;
  for (int l = 0; l < model.numLinks(); ++l) {
    std::vector<ContactPoint> low;
    for (const Vector3d& p : points[static_cast<std::size_t>(l)])
      if (up.dot(p) <= lowest + tolerance) low.push_back({p, up, friction});
    const ContactCleaning plane{std::min(tolerance, 1e-3), 1e-3};
    for (const ContactPoint& point : cleaned(low, plane)) contacts.push_back({l, point});
  }
  return contacts;
}

}  // namespace mortise::viewer
