/// A camera of 640 x 480 pixels with color and depth in a scene of 100,000 triangles, against plain Embree on the same
/// rays: the same triangles, packets and number of threads, without refinement in double precision, shading or
/// anything else. The two take turns; medians over the rounds.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "mortise/base/error.h"
#include "mortise/component/sensor.h"
#include "mortise/math/rotation.h"
#include "mortise/plugin/registry.h"
#include "plain_embree.h"
#include "shared/plugins.h"
#include "shared/timing.h"
#include "tests/support/quiet_host.h"

namespace {

using namespace mortise;
using namespace mortise::bench;

struct Times {
  std::vector<double> wall, processor;
  template <typename Work>
  void take(Work work) {
    const double w = seconds(CLOCK_MONOTONIC), p = seconds(CLOCK_PROCESS_CPUTIME_ID);
    work();
    wall.push_back(seconds(CLOCK_MONOTONIC) - w);
    processor.push_back(seconds(CLOCK_PROCESS_CPUTIME_ID) - p);
  }
};

/// A closed ball with bumps, about `2 * rings * sides` triangles.
TriangleMesh ball(int rings, int sides, double phase) {
  TriangleMesh mesh;
  for (int i = 0; i <= rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const double a = M_PI * i / rings, b = 2 * M_PI * k / sides;
      const double r = 0.3 + 0.02 * std::sin(7 * a + phase) * std::cos(5 * b);
      mesh.vertices.emplace_back(r * std::sin(a) * std::cos(b), r * std::sin(a) * std::sin(b), r * std::cos(a));
    }
  const auto at = [&](int i, int k) { return i * sides + k % sides; };
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < sides; ++k) {
      mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
      mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
    }
  return mesh;
}

struct Room {
  World world;
  std::vector<const TriangleMesh*> meshes;
  std::vector<RigidTransform> poses;
  int triangles = 0;
};

/// Twelve objects in front of a wall, on a floor.
Room makeRoom() {
  Room made;
  auto& [world, meshes, poses, triangles] = made;
  for (int k = 0; k < 12; ++k) {
    RigidObject object;
    object.geometry = std::make_shared<const Geometry>(ball(64, 65, 0.5 * k));
    object.X_WO = {rotationFromRollPitchYaw(Vector3d(0.3 * k, 0.2 * k, 0.1 * k)),
                   Vector3d(0.62 * (k % 4) - 0.93, 0.62 * (k / 4) - 0.62, 2.2 + 0.1 * (k % 3))};
    world.objects.push_back(object);
    meshes.push_back(object.geometry->as<TriangleMesh>());
    poses.push_back(object.X_WO);
    triangles += object.geometry->numTriangles();
  }
  TriangleMesh room;
  room.vertices = {{-4, 1, 0}, {4, 1, 0}, {4, 1, 3.5}, {-4, 1, 3.5}, {-4, -3, 3.5}, {4, -3, 3.5}};
  room.triangles = {{0, 1, 2}, {0, 2, 3}, {3, 2, 5}, {3, 5, 4}};
  Terrain terrain;
  terrain.geometry = std::make_shared<const Geometry>(room);
  world.terrains.push_back(terrain);
  meshes.push_back(terrain.geometry->as<TriangleMesh>());
  poses.push_back({});
  triangles += 4;
  RobotDescription carrier;
  carrier.name = "carrier";
  carrier.links.emplace_back();
  carrier.links[0].name = "base";
  carrier.joints.push_back({JointType::weld, 0, -1});
  WorldRobot robot;
  robot.robot = Robot::compile(carrier);
  world.robots.push_back(robot);
  return made;
}

/// Prints in how many pixels the two differ by more than single precision explains, and by how much.
void printDifferences(const CameraModel& model, const std::vector<double>& image, const PlainEmbree& plain,
                      int triangles) {
  const std::size_t pixels = image.size() / 2;
  double worst = 0;
  std::size_t seen = 0, different = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    const double ours = image[pixels + i], theirs = std::min<double>(model.maxDepth, plain.depths()[i]);
    if (ours < model.maxDepth) ++seen;
    if (std::abs(ours - theirs) > 1e-4)
      ++different;
    else
      worst = std::max(worst, std::abs(ours - theirs));
  }
  std::printf(
      "%d x %d pixels, %d triangles in 13 bodies, 2 threads; %zu pixels see something, %zu differ by more than "
      "0.1 mm, the others by up to %.1f um\n",
      model.width, model.height, triangles, seen, different, 1e6 * worst);
}

void printTimes(const Times& still, const Times& moving, const Times& theirs, const Times& theirsFlat) {
  std::printf("%-44s %10s %10s\n", "medians", "wall", "processor");
  const auto line = [](const char* name, const Times& t) {
    std::printf("%-44s %7.2f ms %7.2f ms\n", name, 1e3 * median(t.wall), 1e3 * median(t.processor));
  };
  line("plain Embree, instances", theirs);
  line("plain Embree, one scene of triangles", theirsFlat);
  line("camera, nothing moves", still);
  line("camera, all objects move", moving);
  const auto ratio = [](const char* name, const Times& a, const Times& b) {
    std::printf("%-44s %10.2f %10.2f\n", name, median(a.wall) / median(b.wall),
                median(a.processor) / median(b.processor));
  };
  ratio("camera : plain Embree", still, theirs);
  ratio("camera, moving : plain Embree", moving, theirs);
  ratio("camera : one scene of triangles", still, theirsFlat);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(5, std::atoi(argv[1])) : 100;
  try {
    const Room scene = makeRoom();
    const World& world = scene.world;
    Registry registry(silentLog());
    discoverPlugins(registry);
    const ComponentInfo& info = registry.require(Kind::sensor, "CameraSensor");
    Diagnostics diagnostics;
    const Value settings = registry.completeSettings(info, Value::map(), diagnostics);
    test::QuietHost host("camera");
    const auto camera = registry.create<Sensor>(info, settings, host);
    camera->start({world, 0, 0.1});
    const CameraModel& model = *camera->camera();

    const RobotState state(*world.robots[0].robot);
    const RobotView views[] = {{&state, {}, {}, {}, {}}};
    std::vector<BodyState> objects;
    for (const RigidObject& object : world.objects) objects.push_back({object.X_WO});
    SimulationView view;
    view.world = &world;
    view.robots = views;
    view.objects = objects;
    std::vector<double> image(camera->channels().size());

    PlainEmbree instanced(scene.meshes, scene.poses, model, {}, 0.1f, true),
        flat(scene.meshes, scene.poses, model, {}, 0.1f, false);
    camera->simulate(view, 0.1, image);
    instanced.render();
    flat.render();
    printDifferences(model, image, instanced, scene.triangles);

    Times still, moving, theirs, theirsFlat;
    for (int round = 0; round < rounds; ++round) {
      theirs.take([&] { instanced.render(); });
      still.take([&] { camera->simulate(view, 0.1, image); });
      theirsFlat.take([&] { flat.render(); });
      for (std::size_t k = 0; k < objects.size(); ++k)
        objects[k].X_WB.p[1] = world.objects[k].X_WO.p[1] + 1e-3 * std::sin(0.1 * round);
      moving.take([&] { camera->simulate(view, 0.1, image); });
      for (std::size_t k = 0; k < objects.size(); ++k) objects[k].X_WB = world.objects[k].X_WO;
      camera->simulate(view, 0.1, image);
    }
    printTimes(still, moving, theirs, theirsFlat);
  } catch (const Error& error) {
    std::fprintf(stderr, "bench_camera: %s\n", error.what());
    return 1;
  }
}
