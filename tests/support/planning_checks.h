#pragma once

/// What every space to plan in has to keep to, tried at random places.

#include <cmath>
#include <gtest/gtest.h>
#include <thread>

#include "mortise/component/planner.h"

namespace mortise::test {

/// Distances are a metric, ways are as long as the distance and pass through `interpolate`, samples are within the
/// bounds.
inline void expectMetric(PlanningSpace& space, int tries = 200, double tolerance = 1e-9) {
  RandomStream random(11);
  VectorXd a, b, c, m, low, high;
  space.bounds(low, high);
  for (int i = 0; i < tries; ++i) {
    space.sample(random, a);
    space.sample(random, b);
    space.sample(random, c);
    EXPECT_LE(space.distance(a, a), tolerance);
    EXPECT_GT(space.distance(a, b), 0);
    EXPECT_NEAR(space.distance(a, b), space.distance(b, a), tolerance);
    EXPECT_LE(space.distance(a, c), space.distance(a, b) + space.distance(b, c) + tolerance);
    EXPECT_LE(space.distance(a, b), space.extent() + tolerance);
    const double u = random.uniform();
    space.interpolate(a, b, u, m);
    EXPECT_NEAR(space.distance(a, m), u * space.distance(a, b), tolerance) << a.transpose() << " to " << b.transpose();
    EXPECT_NEAR(space.distance(m, b), (1 - u) * space.distance(a, b), tolerance);
    const double radius = 0.5 * random.uniform();
    space.sampleNear(random, a, radius, m);
    EXPECT_LE(space.distance(a, m), radius + tolerance);
    for (Eigen::Index k = 0; k < a.size(); ++k) {
      EXPECT_GE(a[k], low[k] - tolerance);
      EXPECT_LE(a[k], high[k] + tolerance);
    }
    space.interpolate(a, b, 0, m);
    EXPECT_LE(space.distance(a, m), tolerance);
    m = b;
    space.interpolate(a, m, 1, m);
    EXPECT_LE(space.distance(b, m), tolerance);
  }
}

struct EdgeCounts {
  int free = 0, blocked = 0;
  int missed = 0;   ///< Called free, but dense samples collide.
  int refused = 0;  ///< Called blocked, though dense samples are feasible.
};

/// `visible` beside configurations `step` apart, on ways of random length.
inline EdgeCounts compareEdges(PlanningSpace& space, int edges, double step, std::uint64_t seed = 5) {
  RandomStream random(seed);
  EdgeCounts counts;
  VectorXd a, b, q;
  for (int tries = 0; counts.free + counts.blocked < edges && tries < 1000 * edges; ++tries) {
    space.sample(random, a);
    if (tries % 2 == 0)
      space.sample(random, b);
    else
      space.sampleNear(random, a, 0.2 * random.uniform() * space.extent(), b);
    if (!space.feasible(a) || !space.feasible(b)) continue;
    const bool free = space.visible(a, b);
    const int steps = static_cast<int>(std::ceil(space.distance(a, b) / step));
    bool collides = false;
    for (int k = 1; k < steps && !collides; ++k) {
      space.interpolate(a, b, static_cast<double>(k) / steps, q);
      collides = !space.feasible(q);
    }
    (free ? counts.free : counts.blocked) += 1;
    counts.missed += free && collides;
    counts.refused += !free && !collides;
  }
  return counts;
}

/// Copies in threads of their own answer as the space does.
inline void expectSameInThreads(PlanningSpace& space, int tries = 60) {
  std::vector<std::pair<VectorXd, VectorXd>> pairs(static_cast<std::size_t>(tries));
  RandomStream random(23);
  std::vector<char> expected;
  for (auto& [a, b] : pairs) {
    space.sample(random, a);
    space.sample(random, b);
    expected.push_back(static_cast<char>(space.feasible(a) + 2 * space.feasible(b) + 4 * space.visible(a, b)));
  }
  std::vector<std::unique_ptr<PlanningSpace>> copies;
  std::vector<std::vector<char>> found(3);
  for (std::size_t t = 0; t < found.size(); ++t) copies.push_back(space.copy());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t)
    threads.emplace_back([&, t] {
      PlanningSpace& own = *copies[t];
      for (const auto& [a, b] : pairs)
        found[t].push_back(static_cast<char>(own.feasible(a) + 2 * own.feasible(b) + 4 * own.visible(a, b)));
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<char>& answers : found) EXPECT_EQ(answers, expected);
}

}  // namespace mortise::test
