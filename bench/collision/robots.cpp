#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <random>

#include "bench.h"
#include "data.h"
#include "mortise/collision/world_collider.h"
#include "mortise/model/robot_state.h"

namespace mortise::bench {
namespace {

/// A body as both sides see it; bodies that are not meshes are turned into none.
struct Body {
  CollisionShapePtr shape;
  std::shared_ptr<FclModel> model;
};

Body body(const GeometryPtr& geometry) {
  Body result;
  if (geometry == nullptr || geometry->empty()) return result;
  const auto* mesh = geometry->as<TriangleMesh>();
  if (mesh == nullptr) return result;
  // Margins are left out, which FCL's meshes cannot have.
  result.shape = makeCollisionShape(std::make_shared<const Geometry>(*mesh));
  result.model = fclModel(*mesh);
  return result;
}

/// A robot, what is fixed around it, and the pairs to check: links by their number, fixed bodies after them.
struct Scene {
  RobotPtr robot;
  std::vector<Body> bodies;
  std::vector<RigidTransform> fixed;  ///< Poses of the fixed bodies.
  std::vector<std::pair<int, int>> pairs;
};

void addSelf(Scene& scene) {
  for (const Link& link : scene.robot->links()) scene.bodies.push_back(body(link.geometry));
  for (const auto& [a, b] : scene.robot->description().selfCollisionPairs)
    if (scene.bodies[a].shape != nullptr && scene.bodies[b].shape != nullptr) scene.pairs.emplace_back(a, b);
}

void addFixed(Scene& scene, const GeometryPtr& geometry, const RigidTransform& X) {
  const Body fixed = body(geometry);
  if (fixed.shape == nullptr) return;
  const int index = static_cast<int>(scene.bodies.size());
  scene.bodies.push_back(fixed);
  scene.fixed.push_back(X);
  // The link that stands on the ground is not checked against it.
  for (int link = 1; link < scene.robot->numLinks(); ++link)
    if (scene.bodies[link].shape != nullptr) scene.pairs.emplace_back(link, index);
}

/// The same bodies and pairs as a world, whose boxes leave out most pairs.
std::shared_ptr<const WorldCollider> worldCollider(const Scene& scene) {
  const auto bare = [](const Body& body) { return body.shape == nullptr ? nullptr : body.shape->geometry(); };
  const int links = scene.robot->numLinks();
  RobotDescription description = scene.robot->description();
  for (int i = 0; i < links; ++i) description.links[i].geometry = bare(scene.bodies[i]);
  auto world = std::make_shared<World>();
  for (std::size_t i = 0; i < scene.fixed.size(); ++i) {
    RigidObject object;
    object.geometry = bare(scene.bodies[links + i]);
    object.X_WO = scene.fixed[i];
    world->objects.push_back(object);
  }
  WorldRobot robot;
  robot.robot = Robot::compile(description);
  robot.q = robot.dq = VectorXd::Zero(links);
  world->robots.push_back(robot);
  const WorldCollider all(world);
  PairTable pairs(all.numIds());
  const auto id = [&](int body) { return body < links ? world->linkId(0, body) : world->objectId(body - links); };
  for (const auto& [a, b] : scene.pairs) pairs.set(id(a), id(b), true);
  return std::make_shared<const WorldCollider>(all.withPairs(pairs));
}

/// Poses of the bodies of a scene in random configurations, in the forms that both sides take.
struct Samples {
  std::vector<RobotState> states;
  std::vector<std::vector<RigidTransform>> X;
  std::vector<std::vector<fcl::Transform3d>> T;
};

/// Random configurations within the limits; what has none turns a full circle, and a floating base stays.
Samples sampled(const Scene& scene, int count) {
  const Robot& robot = *scene.robot;
  std::mt19937 random(5);
  RobotState state(robot);
  Samples samples;
  for (int i = 0; i < count; ++i) {
    state.q = robot.initialConfiguration();
    for (int k = robot.floatingBaseLink() + 1; k < robot.numLinks(); ++k) {
      const Link& link = robot.link(k);
      const double low = std::isfinite(link.qMin) ? link.qMin : -M_PI,
                   high = std::isfinite(link.qMax) ? link.qMax : M_PI;
      state.q[k] = low < high ? std::uniform_real_distribution<double>(low, high)(random) : low;
    }
    updateFrames(robot, state);
    samples.states.push_back(state);
    samples.X.push_back(state.X_WL);
    samples.X.back().insert(samples.X.back().end(), scene.fixed.begin(), scene.fixed.end());
    samples.T.emplace_back();
    for (const RigidTransform& pose : samples.X.back()) samples.T.back().push_back(fclPose(pose));
  }
  return samples;
}

bool fclCollides(const Scene& scene, const std::pair<int, int>& pair, const std::vector<fcl::Transform3d>& T) {
  const auto& [a, b] = pair;
  const fcl::CollisionRequestd request;
  fcl::CollisionResultd result;
  return fcl::collide(scene.bodies[a].model.get(), T[a], scene.bodies[b].model.get(), T[b], request, result) > 0;
}

/// Counts the configurations in which FCL finds a pair that collides, and how often that is not what we found.
struct FclAnswers {
  const Scene& scene;
  const Samples& samples;
  const std::vector<char>& ours;
  std::size_t differ = 0;

  void operator()(int i) {
    bool hit = false;
    for (const auto& pair : scene.pairs)
      if ((hit = fclCollides(scene, pair, samples.T[i]))) break;
    differ += hit != (ours[i] != 0) ? 1 : 0;
  }
};

/// Compares checks of the pairs one by one, until one collides and of all. Returns where one collides.
std::vector<char> comparePairs(const char* name, const Scene& scene, const Samples& samples) {
  const int count = static_cast<int>(samples.states.size());
  const auto& X = samples.X;
  QueryWorkspace workspace;
  const auto collides = [&](const std::pair<int, int>& pair, int i) {
    const auto& [a, b] = pair;
    return collide(*scene.bodies[a].shape, X[i][a], *scene.bodies[b].shape, X[i][b], workspace);
  };
  int hits = 0;
  std::vector<char> first(static_cast<std::size_t>(count));
  FclAnswers theirs{scene, samples, first};
  const Comparison c = compare(
      count,
      [&](int i) {
        for (const auto& pair : scene.pairs)
          if (collides(pair, i)) {
            ++hits;
            first[i] = 1;
            return;
          }
      },
      std::ref(theirs));
  std::printf("%-34s %6zu pairs %9.3f us %9.3f us %7.1f   %4.1f %% collide, %zu differ\n", name, scene.pairs.size(),
              1e6 * c.ours, 1e6 * c.theirs, c.ratio(), 100.0 * hits / count, theirs.differ);
  std::size_t all[2] = {0, 0};
  const Comparison every = compare(
      std::min(count, 2000),
      [&](int i) {
        for (const auto& pair : scene.pairs) all[0] += collides(pair, i) ? 1U : 0U;
      },
      [&](int i) {
        for (const auto& pair : scene.pairs) all[1] += fclCollides(scene, pair, samples.T[i]) ? 1U : 0U;
      });
  std::printf("%-34s %6s       %9.3f us %9.3f us %7.1f   %zu pairs collide, FCL %zu\n", "", "all", 1e6 * every.ours,
              1e6 * every.theirs, every.ratio(), all[0], all[1]);
  return first;
}

/// The same through a world, from new link frames on.
void compareWorld(const Scene& scene, const Samples& samples, const std::vector<char>& first) {
  const int count = static_cast<int>(samples.states.size());
  WorldCollisionState world(worldCollider(scene));
  const IdFilter own = IdFilter::robots(0), everything;
  int hits = 0;
  std::size_t differ = 0, all = 0;
  FclAnswers theirs{scene, samples, first};
  const Comparison c = compare(
      count,
      [&](int i) {
        world.setRobot(0, samples.states[i]);
        const bool hit = world.robotCollision(0);
        hits += hit ? 1 : 0;
        differ += hit != (first[i] != 0) ? 1 : 0;
      },
      std::ref(theirs));
  std::vector<IdPair> pairs;
  const Comparison every = compare(
      std::min(count, 2000),
      [&](int i) {
        world.setRobot(0, samples.states[i]);
        world.collisions(own, everything, pairs);
        all += pairs.size();
      },
      [&](int i) {
        for (const auto& pair : scene.pairs) (void)fclCollides(scene, pair, samples.T[i]);
      });
  std::printf("%-34s %-12s %9.3f us %9.3f us %7.1f   %4.1f %% collide, %zu differ\n", "", "world", 1e6 * c.ours,
              1e6 * c.theirs, c.ratio(), 100.0 * hits / count, differ);
  std::printf("%-34s %-12s %9.3f us %9.3f us %7.1f   %zu pairs collide\n", "", "world, all", 1e6 * every.ours,
              1e6 * every.theirs, every.ratio(), all);
}

void run(const char* name, const Scene& scene, int count) {
  const Samples samples = sampled(scene, count);
  compareWorld(scene, samples, comparePairs(name, scene, samples));
}

}  // namespace

void runRobots(int count, const std::string& folder) {
  std::printf(
      "whole robot, until the first pair that collides, and all pairs (ours, FCL, ratio); the\nsame through the boxes "
      "of a world, moving the links included\n");
  const std::string robots = "klampt-data/robots/";
  for (const char* name : {"huboplus/huboplus_col.rob", "atlas.rob", "baxter_col.rob"}) {
    Scene scene;
    scene.robot = loadRobot(folder, robots + name);
    if (scene.robot == nullptr) {
      std::printf("%s: not there; set MORTISE_REFERENCE_DIR\n", name);
      continue;
    }
    addSelf(scene);
    run(name, scene, count);
  }
  for (const char* name : {"tx90scenario0.xml", "tx90cupscupboard.xml"}) {
    World world;
    if (!loadWorld(folder, std::string("klampt-data/") + name, world) || world.robots.empty()) {
      std::printf("%s: not there; set MORTISE_REFERENCE_DIR\n", name);
      continue;
    }
    Scene scene;
    scene.robot = world.robots[0].robot;
    addSelf(scene);
    for (const Terrain& terrain : world.terrains) addFixed(scene, terrain.geometry, {});
    for (const RigidObject& object : world.objects) addFixed(scene, object.geometry, object.X_WO);
    run(name, scene, count);
  }
}

}  // namespace mortise::bench
