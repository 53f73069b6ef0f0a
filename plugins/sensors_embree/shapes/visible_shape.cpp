#include "shapes/visible_shape.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/base/overloaded.h"
#include "mortise/base/position.h"
#include "mortise/geometry/convex/convex_element.h"
#include "mortise/geometry/convex/polygon.h"
#include "mortise/geometry/convex/shape_elements.h"
#include "mortise/geometry/tessellate.h"
#include "mortise/math/constants.h"
#include "shapes/point_spacing.h"

namespace mortise::sensors_embree {

namespace {

constexpr double kFarthest = 1e12;

/// Faces outward; corner x + 2 y + 4 z.
TriangleMesh boxMesh(const RigidTransform& X, const Vector3d& low, const Vector3d& high) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(X * Vector3d(i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]));
  mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return mesh;
}

Solid capsuleBetween(const Vector3d& a, const Vector3d& b, double radius) {
  const Vector3d along = b - a;
  const RigidTransform X = along.norm() > 0 ? frameAlong(along, 0.5 * (a + b)) : RigidTransform::translation(a);
  return {Solid::Kind::capsule, X, Vector3d(radius, radius, 0.5 * along.norm())};
}

/// Rounded towards minus infinity, or plus.
float below(double value) { return std::nextafter(static_cast<float>(value), -std::numeric_limits<float>::infinity()); }
float above(double value) { return std::nextafter(static_cast<float>(value), std::numeric_limits<float>::infinity()); }

}  // namespace

void throwIfFailed(RTCDevice device) {
  switch (rtcGetDeviceError(device)) {
    case RTC_ERROR_NONE:
      return;
    case RTC_ERROR_OUT_OF_MEMORY:
      throw Error("there is not enough memory for what the sensor sees", {}, "use smaller meshes, or fewer sensors");
    case RTC_ERROR_UNSUPPORTED_CPU:
      throw Error("Embree does not run on this processor");
    default:
      throw Error("Embree reports an error");
  }
}

VisibleShape::VisibleShape(RTCDevice device, GeometryPtr geometry, double pointRadius)
    : device_(device), geometry_(std::move(geometry)) {
  const AxisAlignedBounds bounds = geometry_->bounds();
  if (bounds.empty()) return;
  place(bounds, geometry_->file());
  try {
    add(*geometry_, 0, pointRadius);
    finish();
  } catch (...) {
    rtcReleaseScene(scene_);
    throw;
  }
}

VisibleShape::VisibleShape(RTCDevice device, const VisualShape& appearance, double pointRadius, TextureImages& images,
                           const std::function<void(const std::string&)>& warn)
    : device_(device) {
  const AxisAlignedBounds bounds = boundsOf(appearance);
  if (bounds.empty()) return;
  place(bounds, {});
  try {
    for (const VisualMesh& mesh : appearance) {
      std::string problem;
      addAppearance(mesh, pointRadius, images.of(mesh.material ? mesh.material->texture : nullptr, problem));
      if (!problem.empty()) warn(problem);
    }
    finish();
  } catch (...) {
    rtcReleaseScene(scene_);
    throw;
  }
}

/// Begins a scene around the middle of what is to come.
void VisibleShape::place(const AxisAlignedBounds& bounds, const std::string& file) {
  if (!bounds.min.allFinite() || !bounds.max.allFinite() || bounds.min.minCoeff() < -kFarthest ||
      bounds.max.maxCoeff() > kFarthest)
    throw Error("a shape has coordinates that are not finite or beyond 1e12 m, which no sensor can see", inFile(file),
                "repair the file");
  center_ = 0.5 * (bounds.min + bounds.max);
  scene_ = rtcNewScene(device_);
  rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
}

void VisibleShape::finish() {
  // Parts have their final places only now, and user geometry points to them.
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (const RTCGeometry part = rtcGetGeometry(scene_, static_cast<unsigned>(i)))
      rtcSetGeometryUserData(part, &parts_[i]);
  rtcCommitScene(scene_);
  throwIfFailed(device_);
}

VisibleShape::~VisibleShape() {
  if (scene_ != nullptr) rtcReleaseScene(scene_);
}

void VisibleShape::add(const Geometry& geometry, double outerMargin, double pointRadius) {
  const double margin = std::max(0.0, geometry.margin()) + outerMargin;
  const double thickness = margin > 0 ? margin : pointRadius;
  const auto meshOf = [&](TriangleMesh mesh) { addMesh(geometry, std::move(mesh), nullptr); };
  std::visit(
      Overloaded{
          [](std::monostate) {},
          [&](const PointShape& s) {
            if (thickness > 0 && s.point.allFinite()) addBalls({{s.point - center_, thickness}}, {});
          },
          [&](const SegmentShape& s) {
            if (!(thickness > 0) || !s.a.allFinite() || !s.b.allFinite()) return;
            if (!((s.b - s.a).norm() > 0)) return addBalls({{s.a - center_, thickness}}, {});
            addSolid(capsuleBetween(s.a, s.b, thickness));
          },
          [&](const TriangleShape& s) {
            meshOf({{s.a, s.b, s.c}, {{0, 1, 2}}});
          },
          [&](const PolygonShape& s) {
            meshOf({s.vertices, triangulatePolygon(s.vertices)});
          },
          [&](const SphereShape& s) {
            addSolid({Solid::Kind::ellipsoid, RigidTransform::translation(s.center), Vector3d::Constant(s.radius)});
          },
          [&](const AxisAlignedBoxShape& s) { meshOf(boxMesh({}, s.min, s.max)); },
          [&](const BoxShape& s) { meshOf(boxMesh(s.X, Vector3d::Zero(), s.size)); },
          [&](const EllipsoidShape& s) {
            addSolid({Solid::Kind::ellipsoid, s.X, s.radii});
          },
          [&](const CylinderShape& s) {
            if (!(s.axis.norm() > 0)) return;
            addSolid({Solid::Kind::cylinder, frameAlong(s.axis, s.base + 0.5 * s.height * s.axis.normalized()),
                      Vector3d(s.radius, s.radius, 0.5 * s.height)});
          },
          [&](const CapsuleShape& s) { addSolid(capsuleBetween(s.a, s.b, s.radius)); },
          [&](const TriangleMesh& s) { addMesh(geometry, {}, &s); },
          [&](const ConvexHullShape& s) {
            if (s.points.empty()) return;
            const ConvexPolyhedron hull = ConvexPolyhedron::of(s.points);
            meshOf({hull.vertices, hull.triangles});
          },
          [&](const PointCloud& s) { addCloud(geometry, s, margin, pointRadius); },
          [&](const GeometryGroup& s) {
            for (const GeometryPtr& part : s.parts)
              if (part) add(*part, margin, pointRadius);
          },
          [&](const HeightmapShape& s) { meshOf(s.surface()); },
          [&](const ImplicitSurfaceShape& s) {
            auto field = std::make_unique<const VolumeField>(s);
            if (field->empty()) return;
            Part& part = parts_.emplace_back();
            part.kind = Part::Kind::field;
            part.center = center_;
            part.field = std::move(field);
            attachUserGeometry(part, 1);
          },
          [&](const OccupancyGridShape& s) { meshOf(occupancyMesh(s)); }},
      geometry.data());
}

void VisibleShape::addMesh(const Geometry& geometry, TriangleMesh own, const TriangleMesh* mesh) {
  const TriangleMesh& source = mesh != nullptr ? *mesh : own;
  const auto fail = [&](const std::string& what) { throw Error(what, inFile(geometry.file()), "repair the mesh"); };
  for (std::size_t i = 0; i < source.vertices.size(); ++i)
    if (!source.vertices[i].allFinite()) fail("vertex " + std::to_string(i) + " is not finite");
  for (std::size_t i = 0; i < source.triangles.size(); ++i)
    for (const int corner : source.triangles[i])
      if (corner < 0 || static_cast<std::size_t>(corner) >= source.vertices.size())
        fail("triangle " + std::to_string(i) + " names vertex " + std::to_string(corner) + "; there are " +
             std::to_string(source.vertices.size()));
  if (source.triangles.empty()) return;

  Part& part = parts_.emplace_back();
  part.kind = Part::Kind::triangles;
  part.center = center_;
  part.own = std::move(own);
  part.mesh = mesh;
  const TriangleMesh& m = mesh != nullptr ? *mesh : part.own;
  part.planes.reserve(m.triangles.size());
  for (const auto& triangle : m.triangles) {
    const Vector3d corners[3] = {m.vertices[static_cast<std::size_t>(triangle[0])] - center_,
                                 m.vertices[static_cast<std::size_t>(triangle[1])] - center_,
                                 m.vertices[static_cast<std::size_t>(triangle[2])] - center_};
    // From the corner opposite the longest edge, where rounding matters least in slivers.
    std::size_t at = 0;
    double longest = -1;
    for (std::size_t k = 0; k < 3; ++k) {
      const double length = (corners[(k + 2) % 3] - corners[(k + 1) % 3]).squaredNorm();
      if (length > longest) {
        longest = length;
        at = k;
      }
    }
    const Vector3d a = corners[at];
    const Vector3d cross = (corners[(at + 1) % 3] - a).cross(corners[(at + 2) % 3] - a);
    const double area = cross.norm();
    const Vector3d normal = area > 0 ? Vector3d(cross / area) : Vector3d(Vector3d::Zero());
    part.planes.push_back({normal, normal.dot(a)});
  }

  const RTCGeometry g = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* vertices = static_cast<float*>(
      rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), m.vertices.size()));
  auto* indices = static_cast<unsigned*>(
      rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), m.triangles.size()));
  if (vertices == nullptr || indices == nullptr) {
    rtcReleaseGeometry(g);
    throwIfFailed(device_);
    return;
  }
  for (std::size_t i = 0; i < m.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k)
      vertices[3 * i + static_cast<std::size_t>(k)] = static_cast<float>(m.vertices[i][k] - center_[k]);
  for (std::size_t i = 0; i < m.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) indices[3 * i + k] = static_cast<unsigned>(m.triangles[i][k]);
  attach(g);
}

void VisibleShape::addAppearance(const VisualMesh& mesh, double pointRadius, TextureImages::Image image) {
  const VisualMeshData& data = *mesh.data;
  const std::size_t before = parts_.size();
  addMeshParts(mesh, data, pointRadius, std::move(image));
  const auto opacity = static_cast<double>(mesh.material.value_or(VisualMaterial()).color[3]);
  for (std::size_t i = before; i < parts_.size(); ++i) parts_[i].opacity = std::clamp(opacity, 0.0, 1.0);
}

void VisibleShape::addMeshParts(const VisualMesh& mesh, const VisualMeshData& data, double pointRadius,
                                TextureImages::Image image) {
  if (!data.triangles.empty()) {
    addMesh(Geometry(), {data.vertices, data.triangles}, nullptr);
    parts_.back().surface.emplace(mesh, std::move(image));
    return;
  }
  const double radius = pointRadius > 0 ? pointRadius : 0.75 * pointSpacing(data.vertices);
  const Rgba plain = mesh.material.value_or(VisualMaterial()).color;
  std::vector<Ball> balls;
  std::vector<Color> colors;
  for (std::size_t i = 0; i < data.vertices.size(); ++i) {
    if (!(radius > 0) || radius > kFarthest) break;
    const Rgba& color = data.colors.empty() ? plain : data.colors[i];
    balls.push_back({data.vertices[i] - center_, radius});
    colors.push_back({color[0], color[1], color[2]});
  }
  addBalls(std::move(balls), std::move(colors));
}

/// The weight of each corner of a triangle at a point of it.
std::array<double, 3> VisibleShape::weightsAt(const Part& part, unsigned triangle, const Vector3d& point) const {
  const TriangleMesh& mesh = part.mesh != nullptr ? *part.mesh : part.own;
  const auto& corners = mesh.triangles[triangle];
  const Vector3d at = point + center_, a = mesh.vertices[static_cast<std::size_t>(corners[0])],
                 b = mesh.vertices[static_cast<std::size_t>(corners[1])] - a,
                 c = mesh.vertices[static_cast<std::size_t>(corners[2])] - a, p = at - a;
  const double bb = b.dot(b), bc = b.dot(c), cc = c.dot(c), pb = p.dot(b), pc = p.dot(c), area = bb * cc - bc * bc;
  if (!(area > 0)) return {1, 0, 0};
  const double v = std::clamp((cc * pb - bc * pc) / area, 0.0, 1.0);
  const double w = std::clamp((bb * pc - bc * pb) / area, 0.0, 1 - v);
  return {1 - v - w, v, w};
}

void VisibleShape::addBalls(std::vector<Ball> balls, std::vector<Color> colors) {
  if (balls.empty()) return;
  Part& part = parts_.emplace_back();
  part.kind = Part::Kind::balls;
  part.center = center_;
  part.balls = std::move(balls);
  part.colors = std::move(colors);
  const RTCGeometry g = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  auto* points = static_cast<float*>(
      rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, 4 * sizeof(float), part.balls.size()));
  if (points == nullptr) {
    rtcReleaseGeometry(g);
    throwIfFailed(device_);
    return;
  }
  for (std::size_t i = 0; i < part.balls.size(); ++i) {
    for (int k = 0; k < 3; ++k)
      points[4 * i + static_cast<std::size_t>(k)] = static_cast<float>(part.balls[i].center[k]);
    points[4 * i + 3] = static_cast<float>(part.balls[i].radius);
  }
  attach(g);
}

void VisibleShape::addSolid(Solid solid) {
  // What has no surface is not seen.
  if (!solid.X.allFinite() || !solid.half.allFinite() || solid.half.maxCoeff() > kFarthest ||
      solid.half.minCoeff() < 0 || !(solid.half[0] > 0))
    return;
  solid.X.p -= center_;
  Part& part = parts_.emplace_back();
  part.kind = Part::Kind::solids;
  part.center = center_;
  part.solids.push_back(solid);
  attachUserGeometry(part, 1);
}

void VisibleShape::addCloud(const Geometry& geometry, const PointCloud& cloud, double margin, double pointRadius) {
  const PointCloud::Property* radii = cloud.property("radius");
  if (radii != nullptr && radii->values.size() != cloud.points.size()) radii = nullptr;
  const double thickness = margin > 0 ? margin : pointRadius;
  const double common = radii != nullptr || thickness > 0 ? thickness : 0.75 * pointSpacing(cloud.points);
  const std::vector<Color> all = cloudColors(cloud);
  std::vector<Ball> balls;
  std::vector<Color> colors;
  balls.reserve(cloud.points.size());
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const double radius = radii != nullptr && radii->values[i] > 0 ? radii->values[i] : common;
    if (!cloud.points[i].allFinite() || !(radius > 0) || radius > kFarthest) continue;
    balls.push_back({cloud.points[i] - center_, radius});
    if (!all.empty()) colors.push_back(all[i]);
  }
  addBalls(std::move(balls), std::move(colors));
}

void VisibleShape::attach(RTCGeometry geometry) {
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(scene_, geometry, static_cast<unsigned>(parts_.size() - 1));
  rtcReleaseGeometry(geometry);
}

void VisibleShape::attachUserGeometry(Part& part, unsigned count) {
  const RTCGeometry g = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(g, count);
  rtcSetGeometryUserData(g, &part);
  rtcSetGeometryBoundsFunction(g, primitiveBounds, nullptr);
  rtcSetGeometryIntersectFunction(g, intersectPrimitive);
  rtcSetGeometryOccludedFunction(g, occludePrimitive);
  attach(g);
}

void VisibleShape::primitiveBounds(const RTCBoundsFunctionArguments* arguments) {
  const Part& part = *static_cast<const Part*>(arguments->geometryUserPtr);
  AxisAlignedBounds bounds;
  if (part.kind == Part::Kind::solids) {
    bounds = part.solids[arguments->primID].bounds();
  } else {
    bounds = part.field->bounds();
    bounds.min -= part.center;
    bounds.max -= part.center;
  }
  RTCBounds& out = *arguments->bounds_o;
  out.lower_x = below(bounds.min[0]);
  out.lower_y = below(bounds.min[1]);
  out.lower_z = below(bounds.min[2]);
  out.upper_x = above(bounds.max[0]);
  out.upper_y = above(bounds.max[1]);
  out.upper_z = above(bounds.max[2]);
}

/// The first meeting with t from `near` to `far`; infinite: none.
double VisibleShape::meeting(const Part& part, unsigned primitive, const Vector3d& origin, const Vector3d& direction,
                             double near, double far) {
  double t;
  if (part.kind == Part::Kind::solids) {
    RayInterval interval;
    if (!intersect(part.solids[primitive], origin, direction, interval)) return kInfinity;
    t = interval.in > near ? interval.in : interval.out;
  } else {
    ElementRayHit hit;
    const Vector3d from = origin + near * direction + part.center;
    // Who begins within looks out freely.
    if (!part.field->rayCast(from, direction, far - near, hit) || hit.t == 0) return kInfinity;
    t = near + hit.t;
  }
  return t > near && t < far ? t : kInfinity;
}

void VisibleShape::intersectPrimitive(const RTCIntersectFunctionNArguments* arguments) {
  const Part& part = *static_cast<const Part*>(arguments->geometryUserPtr);
  RTCRayN* rays = RTCRayHitN_RayN(arguments->rayhit, arguments->N);
  RTCHitN* hits = RTCRayHitN_HitN(arguments->rayhit, arguments->N);
  const unsigned n = arguments->N;
  for (unsigned i = 0; i < n; ++i) {
    if (arguments->valid[i] != -1) continue;
    const Vector3d origin(RTCRayN_org_x(rays, n, i), RTCRayN_org_y(rays, n, i), RTCRayN_org_z(rays, n, i));
    const Vector3d direction(RTCRayN_dir_x(rays, n, i), RTCRayN_dir_y(rays, n, i), RTCRayN_dir_z(rays, n, i));
    const double t =
        meeting(part, arguments->primID, origin, direction, RTCRayN_tnear(rays, n, i), RTCRayN_tfar(rays, n, i));
    if (t == kInfinity) continue;
    RTCRayN_tfar(rays, n, i) = static_cast<float>(t);
    RTCHitN_geomID(hits, n, i) = arguments->geomID;
    RTCHitN_primID(hits, n, i) = arguments->primID;
    RTCHitN_instID(hits, n, i, 0) = arguments->context->instID[0];
  }
}

void VisibleShape::occludePrimitive(const RTCOccludedFunctionNArguments* arguments) {
  const Part& part = *static_cast<const Part*>(arguments->geometryUserPtr);
  const unsigned n = arguments->N;
  for (unsigned i = 0; i < n; ++i) {
    if (arguments->valid[i] != -1) continue;
    RTCRayN* rays = arguments->ray;
    const Vector3d origin(RTCRayN_org_x(rays, n, i), RTCRayN_org_y(rays, n, i), RTCRayN_org_z(rays, n, i));
    const Vector3d direction(RTCRayN_dir_x(rays, n, i), RTCRayN_dir_y(rays, n, i), RTCRayN_dir_z(rays, n, i));
    if (meeting(part, arguments->primID, origin, direction, RTCRayN_tnear(rays, n, i), RTCRayN_tfar(rays, n, i)) !=
        kInfinity)
      RTCRayN_tfar(rays, n, i) = -std::numeric_limits<float>::infinity();
  }
}

Vector3d VisibleShape::normal(unsigned part, unsigned primitive, const Vector3d& point) const {
  const Part& p = parts_[part];
  switch (p.kind) {
    case Part::Kind::triangles:
      return p.planes[primitive].normal;
    case Part::Kind::balls:
      return (point - p.balls[primitive].center).normalized();
    case Part::Kind::solids:
      return surfaceNormal(p.solids[primitive], point);
    case Part::Kind::field: {
      // Along the gradient of the distance, by rays toward the surface from both sides.
      const double step = 1e-4 * (p.field->bounds().max - p.field->bounds().min).norm();
      for (int axis = 0; axis < 3; ++axis)
        for (const double side : {1.0, -1.0}) {
          const Vector3d away = side * step * Vector3d::Unit(axis);
          ElementRayHit hit;
          if (p.field->rayCast(point + p.center + away, -away / step, 2 * step, hit) && hit.t > 0) return hit.normal;
        }
      return Vector3d::Zero();
    }
  }
  return Vector3d::Zero();
}

SurfacePoint VisibleShape::refineFully(const Part& part, unsigned primitive, const Vector3d& origin,
                                       const Vector3d& direction, double t) const {
  switch (part.kind) {
    case Part::Kind::triangles: {
      // The point of the triangle that is nearest to the ray where the ray passes, which for a triangle that is truly
      // hit is the hit: single precision is off by no more than its own rounding.
      const TriangleMesh& mesh = part.mesh != nullptr ? *part.mesh : part.own;
      const auto& corners = mesh.triangles[primitive];
      const Vector3d a = mesh.vertices[static_cast<std::size_t>(corners[0])] - center_ - origin,
                     b = mesh.vertices[static_cast<std::size_t>(corners[1])] - center_ - origin,
                     c = mesh.vertices[static_cast<std::size_t>(corners[2])] - center_ - origin;
      const double slope = part.planes[primitive].normal.dot(direction);
      double u = direction.dot(c.cross(b)), v = direction.dot(a.cross(c)), w = direction.dot(b.cross(a));
      const double sum = u + v + w;
      if (sum == 0 || !std::isfinite(sum)) return {t, slope};
      u = std::clamp(u / sum, 0.0, 1.0);
      v = std::clamp(v / sum, 0.0, 1.0);
      w = std::clamp(w / sum, 0.0, 1.0);
      const Vector3d at = (u * a + v * b + w * c) / (u + v + w);
      const double exact = at.dot(direction) / direction.squaredNorm();
      return {std::isfinite(exact) && exact > 0 ? exact : t, slope};
    }
    case Part::Kind::balls: {
      const Ball& ball = part.balls[primitive];
      RayInterval interval;
      const Solid solid{Solid::Kind::ellipsoid, RigidTransform::translation(ball.center),
                        Vector3d::Constant(ball.radius)};
      if (!intersect(solid, origin, direction, interval)) return {t, 0};
      const bool in = std::abs(interval.in - t) <= std::abs(interval.out - t);
      return {in ? interval.in : interval.out, (in ? interval.normalIn : interval.normalOut).dot(direction)};
    }
    case Part::Kind::solids: {
      RayInterval interval;
      if (!intersect(part.solids[primitive], origin, direction, interval)) return {t, 0};
      const bool in = std::abs(interval.in - t) <= std::abs(interval.out - t);
      return {in ? interval.in : interval.out, (in ? interval.normalIn : interval.normalOut).dot(direction)};
    }
    case Part::Kind::field: {
      // From a little before what single precision found.
      ElementRayHit hit;
      const double before = t * (1 - 1e-4);
      const Vector3d from = origin + before * direction + center_;
      if (!part.field->rayCast(from, direction, 2e-4 * t, hit) || hit.t == 0) return {t, 0};
      return {before + hit.t, hit.normal.dot(direction)};
    }
  }
  return {t, 0};
}

}  // namespace mortise::sensors_embree
