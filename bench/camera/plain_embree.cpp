#include "plain_embree.h"

#include <limits>

namespace mortise::bench {

PlainEmbree::PlainEmbree(const std::vector<const TriangleMesh*>& meshes, const std::vector<RigidTransform>& poses,
                         const CameraModel& camera, const RigidTransform& X_WC, float near, bool instanced)
    : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_)), camera_(camera), near_(near) {
  rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (!instanced) {
      attachMesh(scene_, *meshes[i], poses[i]);
      continue;
    }
    const RTCScene part = rtcNewScene(device_);
    rtcSetSceneFlags(part, RTC_SCENE_FLAG_ROBUST);
    attachMesh(part, *meshes[i], {});
    rtcCommitScene(part);
    parts_.push_back(part);
    const RTCGeometry instance = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(instance, part);
    float transform[12];
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) transform[3 * c + r] = static_cast<float>(poses[i].R(r, c));
    for (int r = 0; r < 3; ++r) transform[9 + r] = static_cast<float>(poses[i].p[r]);
    rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, transform);
    rtcCommitGeometry(instance);
    rtcAttachGeometry(scene_, instance);
    rtcReleaseGeometry(instance);
  }
  rtcCommitScene(scene_);

  for (int k = 0; k < 3; ++k) origin_[k] = static_cast<float>(X_WC.p[k]);
  for (int top = 0; top < camera.height; top += 4)
    for (int left = 0; left < camera.width; left += 4) {
      Directions d;
      for (int k = 0; k < 16; ++k) {
        const Vector3d ray =
            X_WC.R * Vector3d((left + k % 4 - camera.cx) / camera.fx, (top + k / 4 - camera.cy) / camera.fy, 1);
        d.x[k] = static_cast<float>(ray[0]);
        d.y[k] = static_cast<float>(ray[1]);
        d.z[k] = static_cast<float>(ray[2]);
      }
      directions_.push_back(d);
    }
  depths_.resize(static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height));
  other_ = std::thread([this] {
    for (;;) {
      begin_.arrive_and_wait();
      if (closing_) return;
      work();
      end_.arrive_and_wait();
    }
  });
}

PlainEmbree::~PlainEmbree() {
  closing_ = true;
  begin_.arrive_and_wait();
  other_.join();
  rtcReleaseScene(scene_);
  for (const RTCScene part : parts_) rtcReleaseScene(part);
  rtcReleaseDevice(device_);
}

void PlainEmbree::attachMesh(RTCScene scene, const TriangleMesh& mesh, const RigidTransform& X) {
  const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* vertices = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                               3 * sizeof(float), mesh.vertices.size()));
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vector3d p = X * mesh.vertices[i];
    for (int k = 0; k < 3; ++k) vertices[3 * i + static_cast<std::size_t>(k)] = static_cast<float>(p[k]);
  }
  auto* indices = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                 3 * sizeof(unsigned), mesh.triangles.size()));
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) indices[3 * i + k] = static_cast<unsigned>(mesh.triangles[i][k]);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
}

void PlainEmbree::render() {
  next_ = 0;
  begin_.arrive_and_wait();
  work();
  end_.arrive_and_wait();
}

void PlainEmbree::work() {
  alignas(64) int valid[16];
  for (int& lane : valid) lane = -1;
  const int columns = camera_.width / 4;
  for (int strip = next_++; strip < camera_.height / 4; strip = next_++)
    for (int column = 0; column < columns; ++column) {
      const Directions& d = directions_[static_cast<std::size_t>(strip * columns + column)];
      RTCRayHit16 packet;
      for (int k = 0; k < 16; ++k) {
        packet.ray.org_x[k] = origin_[0];
        packet.ray.org_y[k] = origin_[1];
        packet.ray.org_z[k] = origin_[2];
        packet.ray.tnear[k] = near_;
        packet.ray.dir_x[k] = d.x[k];
        packet.ray.dir_y[k] = d.y[k];
        packet.ray.dir_z[k] = d.z[k];
        packet.ray.time[k] = 0;
        packet.ray.tfar[k] = std::numeric_limits<float>::infinity();
        packet.ray.mask[k] = ~0U;
        packet.ray.id[k] = 0;
        packet.ray.flags[k] = 0;
        packet.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
        packet.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
      }
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
      rtcIntersect16(valid, scene_, &context, &packet);
      for (int k = 0; k < 16; ++k)
        depths_[static_cast<std::size_t>((4 * strip + k / 4) * camera_.width + 4 * column + k % 4)] =
            packet.ray.tfar[k];
    }
}

}  // namespace mortise::bench
