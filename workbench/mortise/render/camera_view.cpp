#include "mortise/render/camera_view.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::render {

namespace {

void includeShape(const GeometryPtr& geometry, const RigidTransform& X, AxisAlignedBounds& bounds) {
  if (geometry == nullptr) return;
  const AxisAlignedBounds own = geometry->bounds();
  if (own.empty() || !own.min.allFinite() || !own.max.allFinite() || !X.allFinite()) return;
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3d p(corner & 1 ? own.max.x() : own.min.x(), corner & 2 ? own.max.y() : own.min.y(),
                     corner & 4 ? own.max.z() : own.min.z());
    bounds.include(X * p);
  }
}

}  // namespace

AxisAlignedBounds boundsOf(const World& world, const SimulationView& view) {
  AxisAlignedBounds bounds;
  for (std::size_t i = 0; i < view.objects.size(); ++i)
    includeShape(world.objects[i].geometry, view.objects[i].X_WB, bounds);
  for (std::size_t r = 0; r < view.robots.size(); ++r)
    for (int l = 0; l < world.robots[r].robot->numLinks(); ++l)
      includeShape(world.robots[r].robot->link(l).geometry, view.robots[r].state->X_WL[static_cast<std::size_t>(l)],
                   bounds);
  AxisAlignedBounds all = bounds;
  for (const Terrain& terrain : world.terrains) {
    AxisAlignedBounds with = bounds;
    includeShape(terrain.geometry, RigidTransform(), with);
    if (with.empty() || (!bounds.empty() && (with.max - with.min).norm() > 1.5 * (bounds.max - bounds.min).norm()))
      continue;
    all.include(with.min);
    all.include(with.max);
  }
  if (all.empty()) {
    all.include(Vector3d::Constant(-0.5));
    all.include(Vector3d::Constant(0.5));
  }
  return all;
}

RigidTransform cameraPose(const CameraView& camera, const AxisAlignedBounds& bounds, double aspect) {
  const Vector3d center = 0.5 * (bounds.min + bounds.max);
  const double radius = std::max(0.5 * (bounds.max - bounds.min).norm(), 1e-3);
  const Vector3d target = camera.target.value_or(center);
  Vector3d position;
  if (camera.position) {
    position = *camera.position;
  } else {
    const double vertical = 0.5 * camera.fieldOfView, horizontal = std::atan(aspect * std::tan(vertical));
    const double distance = radius / std::sin(std::min(vertical, horizontal));
    position = target + distance * Vector3d(1.0, -1.3, 0.8).normalized();
  }
  const Vector3d forward = target - position;
  const Vector3d right = forward.cross(camera.up);
  if (!(forward.norm() > 1e-9))
    throw Error("the camera stands at the point that it looks at", {}, "give another position or target");
  if (!(right.norm() > 1e-9 * forward.norm()))
    throw Error("the camera looks along its own up direction", {}, "give another position, target or up direction");
  RigidTransform X;
  X.R.col(2) = forward.normalized();
  X.R.col(0) = right.normalized();
  X.R.col(1) = X.R.col(2).cross(X.R.col(0));
  X.p = position;
  return X;
}

}  // namespace mortise::render
