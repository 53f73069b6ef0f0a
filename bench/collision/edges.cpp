#include <cstdio>

#include "bench.h"
#include "data.h"
#include "mortise/base/random.h"
#include "mortise/collision/edge_check.h"

namespace mortise::bench {
namespace {

struct Edge {
  VectorXd from, to;
};

/// A uniform configuration; coordinates without limits within half a turn of 0.
void sample(const Robot& robot, RandomStream& random, VectorXd& q) {
  q = robot.initialConfiguration();
  for (int i = 0; i < robot.numLinks(); ++i) {
    const Link& link = robot.link(i);
    const double low = std::isfinite(link.qMin) ? link.qMin : -M_PI, high = std::isfinite(link.qMax) ? link.qMax : M_PI;
    if (low < high) q[i] = random.uniform(low, high);
  }
}

/// Random edges: short ones lead 0.1 to 0.5 towards a random configuration, long ones all the way.
std::vector<Edge> edges(const EdgeChecker& checker, WorldCollisionState& state, bool isShort, bool freeEnds,
                        int count) {
  RandomStream random(3, isShort ? "short edges" : "long edges");
  const ConfigurationSpace& space = checker.space();
  const auto wanted = [&](const VectorXd& q) {
    if (!freeEnds) return true;
    state.setConfiguration(0, q);
    return !state.robotCollision(0);
  };
  std::vector<Edge> result;
  Edge edge;
  VectorXd target;
  for (long tries = 0; static_cast<int>(result.size()) < count && tries < 1000L * count; ++tries) {
    sample(space.robot(), random, edge.from);
    sample(space.robot(), random, target);
    const double length = isShort ? random.uniform(0.1, 0.5) : space.distance(edge.from, target);
    space.interpolate(edge.from, target, length / space.distance(edge.from, target), edge.to);
    if (wanted(edge.from) && wanted(edge.to)) result.push_back(edge);
  }
  return result;
}

struct Row {
  const char* name;
  EdgeCheckOptions options;
  double seconds = 0;
  long configurations = 0, pairs = 0;
  int free = 0, missed = 0, cautious = 0;
};

void run(const char* name, const EdgeChecker& checker, WorldCollisionState& state, bool isShort, bool freeEnds,
         int count) {
  const std::vector<Edge> all = edges(checker, state, isShort, freeEnds, count);
  if (all.size() < 50) {
    std::printf("%s: no free edges\n", name);
    return;
  }
  using Method = EdgeCheckOptions::Method;
  Row rows[] = {{"proven", {.method = Method::proven}},
                {"proven 1 mm", {.method = Method::proven, .clearance = 1e-3}},
                {"every 0.01", {.method = Method::resolution, .resolution = 0.01}},
                {"every 0.001", {.method = Method::resolution, .resolution = 0.001}}};
  EdgeChecker::Workspace workspace;
  std::vector<EdgeCheckResult> found[4];
  // In batches that take turns, as what else runs on the machine slows all of them down.
  constexpr std::size_t kBatch = 50;
  std::vector<double> times[4];
  for (std::size_t first = 0; first + kBatch <= all.size(); first += kBatch) {
    for (int r = 0; r < 4; ++r) {
      const double start = processSeconds();
      for (std::size_t i = first; i < first + kBatch; ++i)
        found[r].push_back(checker.check(all[i].from, all[i].to, state, workspace, rows[r].options));
      times[r].push_back((processSeconds() - start) / kBatch);
    }
  }
  int unproven = 0;
  for (int r = 0; r < 4; ++r) {
    rows[r].seconds = median(times[r]);
    for (std::size_t i = 0; i < found[r].size(); ++i) {
      const EdgeCheckResult& result = found[r][i];
      rows[r].configurations += result.configurations;
      rows[r].pairs += result.pairQueries;
      rows[r].free += result.free ? 1 : 0;
      rows[r].cautious += !result.free && !result.touching ? 1 : 0;
      const EdgeCheckResult& proof = found[0][i];
      if (result.free && !proof.free && proof.touching) ++rows[r].missed;
      // What is proven free cannot be found blocked; what a row finds blocked must collide where it says.
      if (!result.free && result.touching) {
        VectorXd q;
        checker.space().interpolate(all[i].from, all[i].to, result.u, q);
        state.setConfiguration(0, q);
        if (proof.free || !state.collide(result.ids.a, result.ids.b)) ++unproven;
      }
    }
  }
  const double n = static_cast<double>(found[0].size());
  for (const Row& row : rows)
    std::printf("%-22s %-12s %-11s %9.1f us %8.2f %8.1f %8.1f %7.1f %% %7d %7d\n", name,
                isShort ? (freeEnds ? "short, free" : "short") : (freeEnds ? "long, free" : "long"), row.name,
                1e6 * row.seconds, row.seconds / rows[2].seconds, static_cast<double>(row.configurations) / n,
                static_cast<double>(row.pairs) / n, 100.0 * row.free / n, row.missed, row.cautious);
  if (unproven > 0) std::printf("%s: %d edges are proven free and blocked\n", name, unproven);
}

}  // namespace

void runEdges(int count, const std::string& folder) {
  std::printf(
      "edges (free: ends do not collide), times against every 0.01; configurations and pair queries in means;\n"
      "free; missed: called free where `proven` shows a collision; blocked by clearance alone\n");
  for (const char* name : {"tx90scenario0.xml", "tx90cupscupboard.xml"}) {
    World world;
    if (!loadWorld(folder, std::string("klampt-data/") + name, world) || world.robots.empty()) {
      std::printf("%s: not there; set MORTISE_REFERENCE_DIR\n", name);
      continue;
    }
    const auto collider = std::make_shared<const WorldCollider>(
        std::make_shared<const World>(std::move(world)), WorldColliderOptions{.fixedLinksAgainstTerrains = false});
    const EdgeChecker checker(collider, 0);
    WorldCollisionState state(collider);
    for (const bool isShort : {true, false})
      for (const bool freeEnds : {true, false}) run(name, checker, state, isShort, freeEnds, count);
  }
}

}  // namespace mortise::bench
