// Collisions of every robot and world of the reference against what Klamp't itself finds.

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "mortise/collision/world_collider.h"
#include "mortise/loading/format_loader.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"

namespace mortise {
namespace {

std::vector<IdPair> pairsOf(const Value& list) {
  std::vector<IdPair> pairs;
  for (const Value& pair : list.items())
    pairs.push_back({static_cast<int>(pair[0].asInteger()), static_cast<int>(pair[1].asInteger())});
  return pairs;
}

std::vector<IdPair> without(std::vector<IdPair> pairs, const std::vector<IdPair>& others) {
  std::erase_if(pairs, [&](const IdPair& p) { return std::find(others.begin(), others.end(), p) != others.end(); });
  return pairs;
}

std::vector<std::filesystem::path> oracles(bool worlds) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::referenceDir() + "/reference/klampt-oracle")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".json" || name.starts_with("sim_") || name.starts_with("plan") ||
        name == "motions" || name.find("variant") != std::string::npos)
      continue;
    if (name.starts_with("world_") == worlds) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Klamp't gives a link of a URDF the first `<collision>` alone.
RobotPtr withFirstShapes(const RobotPtr& robot) {
  RobotDescription description = robot->description();
  for (Link& link : description.links) {
    if (!link.geometry) continue;
    if (const auto* group = link.geometry->as<GeometryGroup>()) link.geometry = group->parts.front();
  }
  return Robot::compile(std::move(description));
}

/// How much of a link's round primitive Klamp't leaves out: it makes prisms of few sides of them, the smallest ones
/// with three, whose faces lie half a radius within.
double leftOut(const Link& link) {
  if (!link.geometry) return 0;
  if (const auto* cylinder = link.geometry->as<CylinderShape>()) return 0.5 * cylinder->radius;
  return 0;
}

TEST(CollisionOracle, SelfCollisionsOfEveryRobot) {
  MORTISE_NEEDS_REFERENCE();
  test::MemoryLog log;
  auto registry = test::makeRegistry(log);
  FormatLoader loader(*registry, log);
  int samples = 0, colliding = 0, touching = 0, oursAlone = 0;
  for (const auto& path : oracles(false)) {
    const std::string name = path.stem().string();
    SCOPED_TRACE(name);
    const Value oracle = loadYaml(path.string());
    Diagnostics diagnostics;
    const std::string file = test::referenceDir() + "/klampt-data/" + oracle.at("file").asString();
    RobotPtr robot = Robot::compile(loader.load<RobotDescription>(file, {}, diagnostics));
    if (file.ends_with(".urdf")) robot = withFirstShapes(robot);
    WorldCollisionState state(std::make_shared<const WorldCollider>(worldOf(robot)));
    for (const Value& sample : oracle.at("samples").items()) {
      const std::vector<double> q = sample.at("q").asReals();
      state.setConfiguration(0, Eigen::Map<const VectorXd>(q.data(), static_cast<Eigen::Index>(q.size())));
      std::vector<IdPair> ours;
      state.robotSelfCollisions(0, ours);
      for (IdPair& pair : ours) pair = {pair.a - 1, pair.b - 1};
      const std::vector<IdPair> theirs = pairsOf(sample.at("self_collisions"));
      ++samples;
      colliding += static_cast<int>(theirs.size());
      for (const IdPair& pair : without(ours, theirs)) {
        EXPECT_GT(state.distance(pair.a + 1, pair.b + 1).distance,
                  -leftOut(robot->link(pair.a)) - leftOut(robot->link(pair.b)))
            << "links " << pair.a << " and " << pair.b << " collide here alone";
        ++oursAlone;
      }
      // Klamp't keeps vertices in single precision: faces of 0.1 m that touch overlap there by 3e-9 m.
      for (const IdPair& pair : without(theirs, ours)) {
        EXPECT_LT(state.distance(pair.a + 1, pair.b + 1).distance, 1e-8) << "links " << pair.a << " and " << pair.b;
        ++touching;
      }
    }
  }
  EXPECT_GE(samples, 200);
  EXPECT_GE(colliding, 100);
  EXPECT_LE(oursAlone, 3) << "atlas.urdf's pelvis and mtorso, whose cylinder of 17 mm is a prism of three sides there";
  EXPECT_LE(touching, 2) << "footed_2d_biped's legs, which touch along their whole length";
}

TEST(CollisionOracle, EveryWorldAsLoaded) {
  MORTISE_NEEDS_REFERENCE();
  test::MemoryLog log;
  auto registry = test::makeRegistry(log);
  FormatLoader loader(*registry, log);
  int worlds = 0, colliding = 0;
  for (const auto& path : oracles(true)) {
    SCOPED_TRACE(path.stem().string());
    const Value oracle = loadYaml(path.string());
    Diagnostics diagnostics;
    const std::string file = test::referenceDir() + "/klampt-data/" + oracle.at("file").asString();
    const auto world = std::make_shared<const World>(loader.world(file, {}, diagnostics));
    WorldCollisionState state(std::make_shared<const WorldCollider>(world));
    std::vector<IdPair> pairs, within;
    state.collisions(pairs);
    for (std::size_t r = 0; r < world->robots.size(); ++r) {
      state.robotSelfCollisions(static_cast<int>(r), within);
      pairs = without(pairs, within);
      for (IdPair& pair : within) pair = {world->entity(pair.a).link, world->entity(pair.b).link};
      EXPECT_EQ(within, pairsOf(oracle.at("robots")[r].at("self_collisions")));
    }
    EXPECT_EQ(pairs, pairsOf(oracle.at("collisions_at_load")));
    ++worlds;
    colliding += static_cast<int>(pairs.size());
  }
  EXPECT_GE(worlds, 30);
  EXPECT_GE(colliding, 20);
}

}  // namespace
}  // namespace mortise
