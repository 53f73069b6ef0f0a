/// Nearest configurations and cheapest ways against looking at everything. The plugin's own files, for nothing of this
/// shows outside.

#include "plugins/planners/structures/nearest.cpp"

#include <algorithm>
#include <numbers>

#include "planners_test.h"
#include "plugins/planners/structures/flat_metric.cpp"
#include "plugins/planners/structures/lazy_graph.cpp"

namespace mortise::planners {
namespace {

/// Coordinates with weights, or angles that go round.
class Plain final : public PlanningSpace {
 public:
  Plain(int n, bool round) : n_(n), round_(round), weights_(VectorXd::LinSpaced(n, 0.5, 3)) {}
  int dimension() const override { return n_; }
  void bounds(VectorXd& low, VectorXd& high) const override {
    low = VectorXd::Constant(n_, -std::numbers::pi);
    high = -low;
  }
  double distance(const VectorXd& a, const VectorXd& b) const override {
    if (!round_) return weights_.cwiseProduct(a - b).norm();
    double sum = 0;
    for (int i = 0; i < n_; ++i) {
      const double turn = std::remainder(a[i] - b[i], 2 * std::numbers::pi);
      sum += turn * turn;
    }
    return std::sqrt(sum);
  }
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override {
    q = (1 - u) * a + u * b;
  }
  void sample(RandomStream& random, VectorXd& q) override {
    q.resize(n_);
    for (int i = 0; i < n_; ++i) q[i] = random.uniform(-std::numbers::pi, std::numbers::pi);
  }
  void sampleNear(RandomStream&, const VectorXd& center, double, VectorXd& q) override { q = center; }
  std::span<const std::string> constraints() const override { return names_; }
  bool satisfies(int, const VectorXd&) override { return true; }
  bool visible(const VectorXd&, const VectorXd&) override { return true; }
  double extent() const override { return 100; }
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<Plain>(n_, round_); }
  Value properties() const override {
    Value map = PlanningSpace::properties();
    map.set("straight", true);  // Of angles it is not true, which their distances show.
    return map;
  }

 private:
  int n_;
  bool round_;
  VectorXd weights_;
  std::vector<std::string> names_ = {"none"};
};

TEST(Nearest, AsByLookingAtAllWhileNodesComeAndGo) {
  for (const bool round : {false, true})
    for (const int n : {1, 2, 7}) {
      Plain space(n, round);
      const FlatMetric metric = FlatMetric::of(space);
      EXPECT_EQ(metric.flat, !round) << n;
      Configurations points;
      points.clear(n);
      NearestNeighbors near;
      near.reset(space, metric, points);
      RandomStream random(42);
      std::vector<int> members;
      VectorXd q, other;
      std::vector<Neighbor> found, expected;
      EXPECT_EQ(near.nearest(VectorXd::Zero(n), nullptr, random), -1);
      for (int i = 0; i < 1500; ++i) {
        space.sample(random, q);
        if (i % 10 == 0 && i > 0) points.get(static_cast<int>(random.below(points.size())), q);  // Twins.
        const int id = points.add(q);
        near.insert(id);
        members.push_back(id);
        if (i % 3 == 0) {
          const std::size_t k = random.below(members.size());
          near.erase(members[k]);
          if (i % 2 == 0) {
            near.insert(members[k]);  // Back again.
          } else {
            members.erase(members.begin() + static_cast<std::ptrdiff_t>(k));
          }
        }
        if (i % 7 != 0) continue;
        ASSERT_EQ(near.size(), static_cast<int>(members.size()));
        space.sample(random, q);
        expected.clear();
        for (const int member : members) {
          points.get(member, other);
          expected.push_back({member, space.distance(q, other)});
        }
        std::sort(expected.begin(), expected.end());
        const int k = 1 + i % 20;
        near.nearestK(q, k, found, random);
        ASSERT_EQ(found.size(), std::min<std::size_t>(k, members.size()));
        for (std::size_t j = 0; j < found.size(); ++j) {
          // Twins have equal distances, but for rounding of scaled coordinates.
          EXPECT_NEAR(found[j].distance, expected[j].distance, 1e-12);
          points.get(found[j].id, other);
          EXPECT_NEAR(space.distance(q, other), found[j].distance, 1e-12);
          EXPECT_TRUE(near.contains(found[j].id));
        }
      }
    }
}

TEST(LazyGraph, KeepsCheapestWaysAsEdgesComeAndGo) {
  RandomStream random(7);
  for (int trial = 0; trial < 20; ++trial) {
    LazyGraph graph;
    std::vector<int> edges;
    for (int i = 0; i < 40; ++i) graph.addNode(i < 2);
    for (int step = 0; step < 400; ++step) {
      if (edges.empty() || random.uniform() < 0.6) {
        const int a = static_cast<int>(random.below(40)), b = static_cast<int>(random.below(40));
        if (a == b || graph.connected(a, b)) continue;
        edges.push_back(graph.addEdge(a, b, random.uniform(0.1, 1), random.uniform(0.1, 1)));
      } else {
        const std::size_t k = random.below(edges.size());
        graph.removeEdge(edges[k]);
        edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(k));
      }
      std::vector<double> cost(40, LazyGraph::kNever);  // Bellman and Ford.
      cost[0] = cost[1] = 0;
      for (int pass = 0; pass < 40; ++pass)
        for (const int e : edges) {
          const LazyGraph::Edge& edge = graph.edge(e);
          cost[edge.b] = std::min(cost[edge.b], cost[edge.a] + edge.cost[0]);
          cost[edge.a] = std::min(cost[edge.a], cost[edge.b] + edge.cost[1]);
        }
      for (int node = 0; node < 40; ++node) {
        ASSERT_DOUBLE_EQ(graph.cost(node), cost[node]);
        if (const int e = graph.arrival(node); e >= 0) {
          const int from = graph.other(e, node);
          EXPECT_DOUBLE_EQ(cost[node], cost[from] + graph.edge(e).cost[graph.direction(e, from)]);
        }
      }
    }
    EXPECT_EQ(graph.edgesLeft(), static_cast<int>(edges.size()));
  }
}

}  // namespace
}  // namespace mortise::planners
