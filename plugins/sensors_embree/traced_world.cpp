#include "traced_world.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/math/constants.h"

namespace mortise::sensors_embree {

namespace {

bool holds(const std::vector<int>& list, std::size_t index) {
  return std::find(list.begin(), list.end(), static_cast<int>(index)) != list.end();
}

/// Linear, and no darker than what keeps its form in pictures.
Vector3d albedoOf(const Color& color) {
  Vector3d albedo;
  for (std::size_t k = 0; k < 3; ++k)
    albedo[static_cast<int>(k)] = path_tracing::linearLevel(static_cast<double>(color[k]));
  return (albedo.array() + std::max(0.0, style::kDarkest - albedo.maxCoeff())).matrix();
}

/// The weight of each corner at a point of a triangle's plane.
Vector3d cornerWeights(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& p) {
  const Vector3d n = (b - a).cross(c - a);
  const double area = n.squaredNorm();
  if (!(area > 0)) return Vector3d::Constant(1.0 / 3);
  const double v = (p - a).cross(c - a).dot(n) / area, w = (b - a).cross(p - a).dot(n) / area;
  return Vector3d(1 - v - w, v, w).cwiseMax(0.0);
}

void setRay(RTCRay& ray, const Vector3d& origin, const Vector3d& direction, double far) {
  ray.org_x = static_cast<float>(origin.x());
  ray.org_y = static_cast<float>(origin.y());
  ray.org_z = static_cast<float>(origin.z());
  ray.dir_x = static_cast<float>(direction.x());
  ray.dir_y = static_cast<float>(direction.y());
  ray.dir_z = static_cast<float>(direction.z());
  ray.tnear = 0;
  ray.tfar = static_cast<float>(far);
  ray.time = 0;
  ray.mask = ~0U;
  ray.id = 0;
  ray.flags = 0;
}

}  // namespace

TracedWorld::Shape::Shape(std::shared_ptr<const VisibleShape> seen) : visible(std::move(seen)) {
  normals.resize(visible->parts());
  for (unsigned part = 0; part < visible->parts(); ++part) {
    const TriangleMesh* mesh = visible->triangles(part);
    if (mesh == nullptr) continue;
    VisualMeshData plain;
    plain.vertices = mesh->vertices;
    plain.triangles = mesh->triangles;
    const VisualMeshData smooth = withNormals(plain, style::kCrease);
    for (const auto& triangle : smooth.triangles) {
      auto& corners = normals[part].emplace_back();
      for (std::size_t k = 0; k < 3; ++k) corners[k] = smooth.normals[static_cast<std::size_t>(triangle[k])];
    }
  }
}

Vector3d TracedWorld::Shape::smoothNormal(unsigned part, unsigned primitive, const Vector3d& point,
                                          const Vector3d& face) const {
  const TriangleMesh* mesh = visible->triangles(part);
  if (mesh == nullptr) return face;
  const auto& corners = mesh->triangles[primitive];
  const auto at = [&](std::size_t k) {
    return Vector3d(mesh->vertices[static_cast<std::size_t>(corners[k])] - visible->center());
  };
  const Vector3d weights = cornerWeights(at(0), at(1), at(2), point);
  Vector3d normal = Vector3d::Zero();
  for (std::size_t k = 0; k < 3; ++k)
    normal += weights[static_cast<int>(k)] * normals[part][primitive][k].cast<double>();
  const double length = normal.norm();
  return length > 1e-6 ? Vector3d(normal / length) : face;
}

// One thread builds Embree's trees, so that they are the same every time.
TracedWorld::TracedWorld() : device_(rtcNewDevice("threads=1,set_affinity=0")) {
  if (device_ == nullptr) {
    throwIfFailed(nullptr);
    throw Error("Embree cannot be started");
  }
}

TracedWorld::~TracedWorld() {
  releaseScene();
  bodies_.clear();
  shapes_.clear();
  meshes_.clear();
  rtcReleaseDevice(device_);
}

void TracedWorld::releaseScene() {
  if (scene_ != nullptr) rtcReleaseScene(scene_);
  scene_ = nullptr;
}

void TracedWorld::start(const World& world, const TracedStyles& styles, Host& host) {
  releaseScene();
  bodies_.clear();
  shapes_.clear();
  meshes_.clear();
  seenThrough_ = false;
  addBodies(world, styles, host);
  scene_ = rtcNewScene(device_);
  rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const RTCGeometry instance = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(instance, bodies_[i].shape->visible->scene());
    rtcCommitGeometry(instance);
    rtcAttachGeometryByID(scene_, instance, static_cast<unsigned>(i));
    rtcReleaseGeometry(instance);
  }
  rtcCommitScene(scene_);
  throwIfFailed(device_);
}

void TracedWorld::addBodies(const World& world, const TracedStyles& styles, Host& host) {
  PartShapes meshes(device_, styles.pointRadius,
                    [&host](const std::string& message) { host.log(LogLevel::warning, message); });
  const std::size_t objects = world.objects.size() - std::min(world.objects.size(), styles.linkNumbers.size());
  const bool distinct = objects <= style::kPalette.size();
  int object = 0;
  for (const DrawnBody& drawn : drawnBodies(world, styles.collision ? nullptr : currentVisualFiles())) {
    SurfaceKind kind = SurfaceKind::terrain;
    int number = -1;
    if (drawn.kind == World::Kind::link) {
      kind = SurfaceKind::link;
      number = drawn.link;
    } else if (drawn.kind == World::Kind::object) {
      const auto link = styles.linkNumbers.find(drawn.index);
      kind = link != styles.linkNumbers.end() ? SurfaceKind::link : SurfaceKind::object;
      number = kind == SurfaceKind::link ? link->second : distinct ? object++ : -1;
    } else if (holds(styles.hiddenTerrains, static_cast<std::size_t>(drawn.index))) {
      continue;
    }
    for (const DrawnPart& part : drawn.parts)
      if (part.visual) addPart(drawn, part, kind, number, styles, meshes);
  }
}

void TracedWorld::addPart(const DrawnBody& drawn, const DrawnPart& part, SurfaceKind kind, int number,
                          const TracedStyles& styles, PartShapes& meshes) {
  const Rgba& rgba = part.material.color;
  const SurfaceStyle style = surfaceStyle(kind, {rgba[0], rgba[1], rgba[2]}, part.defaultColor, number, styles.theme);
  std::shared_ptr<const Shape> shape;
  double opacity = 1;
  if (needsMeshes(part, drawn.style)) {
    std::shared_ptr<const VisibleShape> seen = meshes.of(part, drawn.style);
    std::shared_ptr<const Shape>& known = meshes_[seen];
    if (known == nullptr) known = std::make_shared<const Shape>(std::move(seen));
    shape = known;
  } else {
    std::shared_ptr<const Shape>& known = shapes_[{&part.geometry->data(), part.geometry->margin()}];
    if (known == nullptr)
      known = std::make_shared<const Shape>(
          std::make_shared<const VisibleShape>(device_, part.geometry, styles.pointRadius));
    shape = known;
    opacity = std::clamp(static_cast<double>(rgba[3]), 0.0, 1.0);
  }
  if (shape->visible->empty()) return;
  Body body;
  body.kind = drawn.kind;
  body.index = drawn.index;
  body.link = drawn.link;
  body.material = {albedoOf(style.color), style.roughness, style.coat, opacity};
  body.ownColors = !part.defaultColor || part.appearance == nullptr;
  seenThrough_ = seenThrough_ || opacity < 1;
  for (unsigned i = 0; i < shape->visible->parts(); ++i) seenThrough_ = seenThrough_ || shape->visible->opacity(i) < 1;
  body.shape = std::move(shape);
  bodies_.push_back(std::move(body));
}

void TracedWorld::update(const SimulationView& view, const Vector3d& eye) {
  eye_ = eye;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    const auto index = static_cast<std::size_t>(body.index);
    if (body.kind == World::Kind::object)
      body.X_WB = view.objects[index].X_WB;
    else if (body.kind == World::Kind::link)
      body.X_WB = view.robots[index].state->X_WL[static_cast<std::size_t>(body.link)];
    const Vector3d center = body.X_WB * body.shape->visible->center() - eye;
    body.present =
        body.X_WB.allFinite() && std::abs(body.X_WB.R.determinant()) > 1e-6 && center.cwiseAbs().maxCoeff() < 1e15;
    const RTCGeometry instance = rtcGetGeometry(scene_, static_cast<unsigned>(i));
    if (!body.present) {
      rtcDisableGeometry(instance);
      continue;
    }
    rtcEnableGeometry(instance);
    body.toBody = body.X_WB.R.inverse();
    float floats[12];
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) floats[3 * c + r] = static_cast<float>(body.X_WB.R(r, c));
    for (int r = 0; r < 3; ++r) floats[9 + r] = static_cast<float>(center[r]);
    rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, floats);
    rtcCommitGeometry(instance);
  }
  rtcCommitScene(scene_);
}

bool TracedWorld::closest(const Vector3d& origin, const Vector3d& direction, double far,
                          path_tracing::SurfaceHit& hit) const {
  RTCRayHit found;
  setRay(found.ray, origin - eye_, direction, far);
  found.hit.geomID = found.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene_, &context, &found);
  const unsigned part = found.hit.geomID, primitive = found.hit.primID;
  if (part == RTC_INVALID_GEOMETRY_ID) return false;
  const Body& body = bodies_[found.hit.instID[0]];
  const VisibleShape& shape = *body.shape->visible;
  const Vector3d from = body.toBody * (origin - body.X_WB.p) - shape.center(), along = body.toBody * direction;
  hit.t = shape.refine(part, primitive, from, along, static_cast<double>(found.ray.tfar)).t;
  const Vector3d at = from + hit.t * along;
  Vector3d face = shape.normal(part, primitive, at);
  if (!(face.squaredNorm() > 0.5)) face = -along.normalized();
  hit.normal = (body.X_WB.R * face).normalized();
  hit.smoothNormal = (body.X_WB.R * body.shape->smoothNormal(part, primitive, at, face)).normalized();
  hit.material = body.material;
  hit.material.opacity *= shape.opacity(part);
  if (Color own; body.ownColors && shape.color(part, primitive, at, own)) hit.material.albedo = albedoOf(own);
  return true;
}

bool TracedWorld::occluded(const Vector3d& origin, const Vector3d& direction, double far) const {
  RTCRay ray;
  setRay(ray, origin - eye_, direction, far);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(scene_, &context, &ray);
  return ray.tfar < 0;
}

}  // namespace mortise::sensors_embree
