#include <cmath>
#include <cstdio>
#include <random>

#include "bench.h"
#include "data.h"

namespace mortise::bench {

TriangleMesh ball(int rings, int sides) {
  TriangleMesh mesh;
  for (int i = 0; i <= rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const double a = M_PI * i / rings, b = 2 * M_PI * k / sides, r = 1 + 0.05 * std::sin(7 * a) * std::cos(5 * b);
      mesh.vertices.emplace_back(r * std::sin(a) * std::cos(b), r * std::sin(a) * std::sin(b), r * std::cos(a));
    }
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const int p = i * sides + k, q = i * sides + (k + 1) % sides;
      if (i > 0) mesh.triangles.push_back({p, p + sides, q});
      if (i + 1 < rings) mesh.triangles.push_back({q, p + sides, q + sides});
    }
  return mesh;
}

namespace {

struct Separation {
  const char* name;
  double gap;  ///< In radii; negative: moved on past first touch by as much.
};
constexpr Separation kSeparations[] = {{"deep", -0.5}, {"shallow", -0.02}, {"near", 0.02}, {"far", 1}};

/// Poses in which the second mesh came from a random side, in a random orientation, until it touched, and went on or
/// back as the separation says.
std::vector<RigidTransform> poses(const CollisionShape& shape, double gap, int count) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  QueryWorkspace workspace;
  std::vector<RigidTransform> result;
  while (static_cast<int>(result.size()) < count) {
    const Eigen::Quaterniond q(normal(random), normal(random), normal(random), normal(random));
    const Vector3d from = Vector3d(normal(random), normal(random), normal(random)).normalized();
    RigidTransform X;
    X.R = q.normalized().toRotationMatrix();
    const Vector3d aim = shape.center() - X.R * shape.center();
    double along = 2.5 * shape.radius();
    for (int step = 0; step < 100; ++step) {
      X.p = aim + along * from;
      const double left = distance(shape, {}, shape, X, workspace).distance;
      if (left < 1e-4 * shape.radius()) break;
      along -= left;
    }
    X.p = aim + (along + gap * shape.radius()) * from;
    result.push_back(X);
  }
  return result;
}

void run(const char* name, const TriangleMesh& mesh, int count) {
  const double before = processSeconds();
  const auto shape = makeCollisionShape(std::make_shared<const Geometry>(mesh));
  const double between = processSeconds();
  const auto model = fclModel(mesh);
  std::printf("%s, %zu triangles against itself; built in %.0f ms, FCL's in %.0f ms\n", name, mesh.triangles.size(),
              1e3 * (between - before), 1e3 * (processSeconds() - between));
  const double tolerance = 0.05 * shape->radius();
  QueryWorkspace workspace;
  for (const Separation& separation : kSeparations) {
    const std::vector<RigidTransform> X = poses(*shape, separation.gap, count);
    std::vector<fcl::Transform3d> T;
    for (const RigidTransform& pose : X) T.push_back(fclPose(pose));
    const fcl::Transform3d identity = fcl::Transform3d::Identity();
    int hits[2] = {0, 0};
    const auto row = [&](const char* query, const Comparison& c, const std::string& note) {
      std::printf("  %-8s %-10s %10.3f us %10.3f us %8.1f   %s\n", separation.name, query, 1e6 * c.ours, 1e6 * c.theirs,
                  c.ratio(), note.c_str());
    };
    const Comparison collideTimes = compare(
        count, [&](int i) { hits[0] += collide(*shape, {}, *shape, X[i], workspace) ? 1 : 0; },
        [&](int i) {
          const fcl::CollisionRequestd request;
          fcl::CollisionResultd result;
          hits[1] += fcl::collide(model.get(), identity, model.get(), T[i], request, result) > 0 ? 1 : 0;
        });
    row("collide", collideTimes, std::to_string(hits[0]) + " collide, FCL " + std::to_string(hits[1]));
    double sums[2] = {0, 0};
    const Comparison distanceTimes = compare(
        count, [&](int i) { sums[0] += std::max(0.0, distance(*shape, {}, *shape, X[i], workspace).distance); },
        [&](int i) {
          fcl::DistanceRequestd request;
          request.enable_nearest_points = true;
          fcl::DistanceResultd result;
          sums[1] += std::max(0.0, fcl::distance(model.get(), identity, model.get(), T[i], request, result));
        });
    row("distance", distanceTimes, "means " + std::to_string(sums[0] / count) + ", " + std::to_string(sums[1] / count));
    // FCL has no such query; its nearest is the distance.
    hits[0] = hits[1] = 0;
    const Comparison withinTimes = compare(
        count, [&](int i) { hits[0] += withinDistance(*shape, {}, *shape, X[i], tolerance, workspace) ? 1 : 0; },
        [&](int i) {
          const fcl::DistanceRequestd request;
          fcl::DistanceResultd result;
          hits[1] += fcl::distance(model.get(), identity, model.get(), T[i], request, result) <= tolerance ? 1 : 0;
        });
    row("tolerance", withinTimes, std::to_string(hits[0]) + " within, FCL (distance) " + std::to_string(hits[1]));
    std::vector<ElementContact> layer;
    std::size_t pairs = 0;
    const double start = processSeconds();
    const int some = std::min(count, 500);
    for (int i = 0; i < some; ++i) {
      contacts(*shape, {}, *shape, X[i], tolerance / 10, layer, workspace);
      pairs += layer.size();
    }
    std::printf("  %-8s %-10s %10.3f us, mean of %d; %.0f pairs of triangles within %.4f\n", separation.name,
                "contacts", 1e6 * (processSeconds() - start) / some, some, static_cast<double>(pairs) / some,
                tolerance / 10);
  }
}

}  // namespace

void runMeshes(int count, const std::string& folder) {
  std::printf("mesh against mesh (ours, FCL, ratio), %s instructions\n", bvhInstructionSet());
  run("bumpy ball", ball(100, 100), count);
  if (const GeometryPtr mug = loadGeometry(folder, "klampt-data/objects/srimugsmooth.off"))
    run("mug", *mug->as<TriangleMesh>(), count);
}

}  // namespace mortise::bench
