#pragma once

#include <algorithm>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise::test {

/// Two trees that grow towards each other (RRT-Connect; Kuffner and LaValle, 2000): enough to plan with where no plugin
/// is there. Empty when it found nothing.
inline std::vector<VectorXd> connect(PlanningSpace& space, const VectorXd& start, const VectorXd& goal, double range,
                                     int iterations, RandomStream& random) {
  struct Node {
    VectorXd q;
    int parent;
  };
  std::vector<Node> trees[2] = {{{start, -1}}, {{goal, -1}}};
  const auto extend = [&](int t, const VectorXd& towards) {  // 0: stuck, 1: nearer, 2: there.
    std::vector<Node>& tree = trees[t];
    int nearest = 0;
    double minimum = space.distance(tree[0].q, towards);
    for (int i = 1; i < static_cast<int>(tree.size()); ++i)
      if (const double d = space.distance(tree[i].q, towards); d < minimum) {
        minimum = d;
        nearest = i;
      }
    VectorXd q = towards;
    if (minimum > range) space.interpolate(tree[nearest].q, towards, range / minimum, q);
    if (space.distance(tree[nearest].q, q) < 1e-6 || !space.feasible(q) || !space.visible(tree[nearest].q, q)) return 0;
    tree.push_back({q, nearest});
    return minimum > range ? 1 : 2;
  };
  const auto back = [&](int t) {
    std::vector<VectorXd> path;
    for (int i = static_cast<int>(trees[t].size()) - 1; i >= 0; i = trees[t][i].parent) path.push_back(trees[t][i].q);
    return path;
  };
  VectorXd q = goal;
  for (int k = 0; k < iterations; ++k) {
    const int t = k % 2;
    if (k > 0) space.sample(random, q);
    if (extend(t, q) == 0) continue;
    const VectorXd reached = trees[t].back().q;
    int how = 1;
    while (how == 1) how = extend(1 - t, reached);
    if (how != 2) continue;
    std::vector<VectorXd> path = back(0), rest = back(1);
    std::reverse(path.begin(), path.end());
    path.insert(path.end(), rest.begin() + 1, rest.end());
    return path;
  }
  return {};
}

}  // namespace mortise::test
