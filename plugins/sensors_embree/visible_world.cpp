#include "visible_world.h"

#include <Eigen/LU>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/math/constants.h"
#include "shapes/part_shapes.h"

namespace mortise::sensors_embree {

namespace {

/// Meters between anchors. Which one is used follows from where the eye is now, not from where it was: a restored
/// simulation computes the same bits.
constexpr double kAnchorSpacing = 8;

}  // namespace

// One thread builds Embree's trees, so that they are the same every time.
VisibleWorld::VisibleWorld() : device_(rtcNewDevice("threads=1,set_affinity=0")) {
  if (device_ == nullptr) {
    throwIfFailed(nullptr);
    throw Error("Embree cannot be started");
  }
}

VisibleWorld::~VisibleWorld() {
  releaseScene();
  bodies_.clear();
  shapes_.clear();
  rtcReleaseDevice(device_);
}

void VisibleWorld::releaseScene() {
  if (scene_ != nullptr) rtcReleaseScene(scene_);
  scene_ = nullptr;
}

void VisibleWorld::start(const World& world, int robot, int link, double pointRadius, Shapes shapes, Host& host) {
  releaseScene();
  bodies_.clear();
  oldShapes_.swap(shapes_);
  shapes_.clear();
  const auto warn = [&host](const std::string& message) { host.log(LogLevel::warning, message); };
  const bool appearances = shapes == Shapes::visual && currentVisualFiles() != nullptr;
  if (appearances) addAppearances(world, pointRadius, host);
  for (std::size_t i = 0; i < world.terrains.size() && !appearances; ++i)
    addBody(Body::Kind::terrain, static_cast<int>(i), -1, world.terrains[i].geometry,
            displayColor(world.terrains[i].display, kTerrainColor, warn), pointRadius);
  for (std::size_t i = 0; i < world.objects.size() && !appearances; ++i)
    addBody(Body::Kind::object, static_cast<int>(i), -1, world.objects[i].geometry,
            displayColor(world.objects[i].display, kObjectColor, warn), pointRadius);
  for (std::size_t i = 0; i < world.robots.size() && !appearances; ++i) {
    const Robot& r = *world.robots[i].robot;
    for (int l = 0; l < r.numLinks(); ++l)
      if (l != link || static_cast<int>(i) != robot)
        addBody(Body::Kind::link, static_cast<int>(i), l, r.link(l).geometry,
                displayColor(world.robots[i].display, kRobotColor, warn, &r, l), pointRadius);
  }
  oldShapes_.clear();

  scene_ = rtcNewScene(device_);
  rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const RTCGeometry instance = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(instance, bodies_[i].shape->scene());
    rtcCommitGeometry(instance);
    rtcAttachGeometryByID(scene_, instance, static_cast<unsigned>(i));
    rtcReleaseGeometry(instance);
  }
  rtcCommitScene(scene_);
  throwIfFailed(device_);
}

void VisibleWorld::addBody(Body::Kind kind, int index, int link, const GeometryPtr& geometry, const Color& color,
                           double pointRadius) {
  if (geometry == nullptr) return;
  const ShapeKey key{&geometry->data(), {geometry->margin(), pointRadius}};
  std::shared_ptr<const VisibleShape>& shape = shapes_[key];
  if (shape == nullptr) {
    // A shape keeps its geometry, so that no other one can have its address meanwhile.
    if (const auto old = oldShapes_.find(key); old != oldShapes_.end())
      shape = old->second;
    else
      shape = std::make_shared<const VisibleShape>(device_, geometry, pointRadius);
  }
  addBody(kind, index, link, shape, color);
}

/// Bodies as people see them. A robot's own link is among them.
void VisibleWorld::addAppearances(const World& world, double pointRadius, Host& host) {
  PartShapes meshes(device_, pointRadius,
                    [&host](const std::string& message) { host.log(LogLevel::warning, message); });
  for (const DrawnBody& drawn : drawnBodies(world, currentVisualFiles())) {
    const Body::Kind kind = drawn.kind == World::Kind::terrain  ? Body::Kind::terrain
                            : drawn.kind == World::Kind::object ? Body::Kind::object
                                                                : Body::Kind::link;
    for (const DrawnPart& part : drawn.parts) {
      if (!part.visual) continue;
      const Rgba& rgba = part.material.color;
      const Color color = {rgba[0], rgba[1], rgba[2]};
      if (needsMeshes(part, drawn.style))
        addBody(kind, drawn.index, drawn.link, meshes.of(part, drawn.style), color);
      else
        addBody(kind, drawn.index, drawn.link, part.geometry, color, pointRadius);
    }
  }
}

void VisibleWorld::addBody(Body::Kind kind, int index, int link, std::shared_ptr<const VisibleShape> shape,
                           const Color& color) {
  if (shape->empty()) return;
  Body body;
  body.kind = kind;
  body.index = index;
  body.link = link;
  body.shape = std::move(shape);
  body.color = color;
  bodies_.push_back(std::move(body));
}

void VisibleWorld::update(const SimulationView& view, const Vector3d& eye) {
  Vector3d anchor;
  for (int k = 0; k < 3; ++k) {
    anchor[k] = kAnchorSpacing * std::round(eye[k] / kAnchorSpacing);
    eye_[k] = static_cast<float>(eye[k] - anchor[k]);
  }
  bool changed = false;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    const auto index = static_cast<std::size_t>(body.index);
    RigidTransform X_WB;
    if (body.kind == Body::Kind::object)
      X_WB = view.objects[index].X_WB;
    else if (body.kind == Body::Kind::link)
      X_WB = view.robots[index].state->X_WL[static_cast<std::size_t>(body.link)];
    const Vector3d center = X_WB * body.shape->center() - anchor;
    const bool present =
        X_WB.allFinite() && std::abs(X_WB.R.determinant()) > 1e-6 && center.cwiseAbs().maxCoeff() < 1e15;
    const RTCGeometry instance = rtcGetGeometry(scene_, static_cast<unsigned>(i));
    if (present != body.present) {
      body.present = present;
      changed = true;
      if (present)
        rtcEnableGeometry(instance);
      else
        rtcDisableGeometry(instance);
    }
    if (!present) continue;
    body.toBody = X_WB.R.inverse();
    body.eye = body.toBody * (eye - X_WB.p) - body.shape->center();
    float floats[12];
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) floats[3 * c + r] = static_cast<float>(X_WB.R(r, c));
    for (int r = 0; r < 3; ++r) floats[9 + r] = static_cast<float>(center[r]);
    bool same = body.placed;
    for (int k = 0; k < 12; ++k) same = same && floats[k] == body.floats[k];
    if (same) continue;
    std::copy(floats, floats + 12, body.floats);
    body.placed = true;
    changed = true;
    rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, floats);
    rtcCommitGeometry(instance);
  }
  if (changed) rtcCommitScene(scene_);
}

void VisibleWorld::cast(const RayPacket& rays, float near, PacketHits& hits) const {
  RTCRayHit16 packet;
  for (int i = 0; i < kPacket; ++i) {
    packet.ray.org_x[i] = eye_[0];
    packet.ray.org_y[i] = eye_[1];
    packet.ray.org_z[i] = eye_[2];
    packet.ray.tnear[i] = near;
    packet.ray.dir_x[i] = static_cast<float>(rays.x[i]);
    packet.ray.dir_y[i] = static_cast<float>(rays.y[i]);
    packet.ray.dir_z[i] = static_cast<float>(rays.z[i]);
    packet.ray.time[i] = 0;
    packet.ray.tfar[i] = std::numeric_limits<float>::infinity();
    packet.ray.mask[i] = ~0U;
    packet.ray.id[i] = 0;
    packet.ray.flags[i] = 0;
    packet.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    packet.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
  }
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  rtcIntersect16(rays.valid, scene_, &context, &packet);
  // The triangles of neighboring pixels are far apart in memory.
  for (int i = 0; i < kPacket; ++i)
    if (packet.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID)
      bodies_[packet.hit.instID[0][i]].shape->prefetch(packet.hit.geomID[i], packet.hit.primID[i]);
  for (int i = 0; i < kPacket; ++i) {
    const unsigned part = packet.hit.geomID[i];
    if (part == RTC_INVALID_GEOMETRY_ID || rays.valid[i] == 0) {
      hits.t[i] = kInfinity;
      hits.slope[i] = 0;
      hits.color[i] = nullptr;
      continue;
    }
    const Body& body = bodies_[packet.hit.instID[0][i]];
    const Vector3d direction = body.toBody * Vector3d(rays.x[i], rays.y[i], rays.z[i]);
    const SurfacePoint at =
        body.shape->refine(part, packet.hit.primID[i], body.eye, direction, static_cast<double>(packet.ray.tfar[i]));
    hits.t[i] = at.t;
    hits.slope[i] = static_cast<float>(at.slope);
    const bool own = body.shape->color(part, packet.hit.primID[i], body.eye + at.t * direction, hits.own[i]);
    hits.color[i] = own ? &hits.own[i] : &body.color;
  }
}

}  // namespace mortise::sensors_embree
