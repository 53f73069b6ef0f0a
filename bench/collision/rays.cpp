#include <cmath>
#include <cstdio>
#include <random>

#include "bench.h"
#include "data.h"

#ifdef MORTISE_BENCH_EMBREE
#include <embree3/rtcore.h>
#endif

namespace mortise::bench {
namespace {

#ifdef MORTISE_BENCH_EMBREE

/// One mesh in Embree, built for speed of queries.
class EmbreeScene {
 public:
  explicit EmbreeScene(const TriangleMesh& mesh) : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_)) {
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                                 3 * sizeof(float), mesh.vertices.size()));
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
      for (int k = 0; k < 3; ++k)
        vertices[3 * i + static_cast<std::size_t>(k)] = static_cast<float>(mesh.vertices[i][k]);
    auto* indices = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                   3 * sizeof(unsigned), mesh.triangles.size()));
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) indices[3 * i + k] = static_cast<unsigned>(mesh.triangles[i][k]);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  ~EmbreeScene() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;

  bool cast(const Ray& ray) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query;
    query.ray.org_x = static_cast<float>(ray.origin[0]);
    query.ray.org_y = static_cast<float>(ray.origin[1]);
    query.ray.org_z = static_cast<float>(ray.origin[2]);
    query.ray.dir_x = static_cast<float>(ray.direction[0]);
    query.ray.dir_y = static_cast<float>(ray.direction[1]);
    query.ray.dir_z = static_cast<float>(ray.direction[2]);
    query.ray.tnear = 0;
    query.ray.tfar = std::numeric_limits<float>::infinity();
    query.ray.time = 0;
    query.ray.mask = ~0U;
    query.ray.id = 0;
    query.ray.flags = 0;
    query.hit.geomID = query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &query);
    return query.hit.geomID != RTC_INVALID_GEOMETRY_ID;
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

void run(const char* name, const TriangleMesh& mesh, int count) {
  const auto shape = makeCollisionShape(std::make_shared<const Geometry>(mesh));
  const EmbreeScene scene(mesh);
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  const auto direction = [&] { return Vector3d(normal(random), normal(random), normal(random)).normalized(); };
  // From a sphere around the mesh towards points within it; and an image, row by row.
  std::vector<Ray> scattered, image;
  for (int i = 0; i < count; ++i) {
    Ray ray;
    ray.origin = shape->center() + 2 * shape->radius() * direction();
    ray.direction = shape->center() + 0.7 * shape->radius() * direction() - ray.origin;
    scattered.push_back(ray);
    const int side = static_cast<int>(std::sqrt(static_cast<double>(count)));
    ray.origin = shape->center() + Vector3d(0.3, 0.2, 2).normalized() * 2.5 * shape->radius();
    ray.direction = shape->center() - ray.origin +
                    shape->radius() * Vector3d(2.0 * (i % side) / side - 1, 2.0 * (i / side % side) / side - 1, 0);
    image.push_back(ray);
  }
  RayHit hit;
  rayCast(*shape, {}, scattered[0], hit);  // Builds what rays need.
  const auto row = [&](const char* kind, const std::vector<Ray>& rays) {
    int hits[2] = {0, 0};
    const Comparison c = compare(
        count, [&](int i) { hits[0] += rayCast(*shape, {}, rays[i], hit) ? 1 : 0; },
        [&](int i) { hits[1] += scene.cast(rays[i]) ? 1 : 0; });
    std::printf("  %-10s %-10s %9.4f us %9.4f us %8.2f   %d hit, Embree %d\n", name, kind, 1e6 * c.ours, 1e6 * c.theirs,
                c.ratio(), hits[0], hits[1]);
  };
  row("scattered", scattered);
  row("image", image);
}

#endif

}  // namespace

void runRays(int count, const std::string& folder) {
#ifdef MORTISE_BENCH_EMBREE
  std::printf("rays (ours in double precision, Embree's rtcIntersect1 in single, rate against Embree's)\n");
  run("ball", ball(100, 100), count);
  run("big ball", ball(224, 224), count);
  if (const GeometryPtr mug = loadGeometry(folder, "klampt-data/objects/srimugsmooth.off"))
    run("mug", *mug->as<TriangleMesh>(), count);
#else
  std::printf("rays: built without Embree (libembree-dev), nothing to compare with\n");
#endif
}

}  // namespace mortise::bench
