#pragma once

/// Tools that the parts of this benchmark share: the peer's models and fair timing.

#include <Eigen/Geometry>
#include <algorithm>
#include <cstddef>
#include <fcl/fcl.h>
#include <memory>
#include <string>
#include <vector>

#include "mortise/collision/query.h"
#include "shared/fcl_shapes.h"
#include "shared/timing.h"

namespace mortise::bench {

/// Seconds for each of `count` configurations, in batches that take turns between the two: medians over the batches.
struct Comparison {
  double ours = 0, theirs = 0;
  int count = 0;
  double ratio() const { return theirs / ours; }
};
template <typename Ours, typename Theirs>
Comparison compare(int count, Ours ours, Theirs theirs) {
  constexpr int kBatch = 50;
  std::vector<double> times[2];
  for (int first = 0; first + kBatch <= count; first += kBatch) {
    double start = processSeconds();
    for (int i = first; i < first + kBatch; ++i) ours(i);
    times[0].push_back((processSeconds() - start) / kBatch);
    start = processSeconds();
    for (int i = first; i < first + kBatch; ++i) theirs(i);
    times[1].push_back((processSeconds() - start) / kBatch);
  }
  return {median(times[0]), median(times[1]), count};
}

/// A closed ball with bumps of about `2 * rings * sides` triangles and radius 1.
TriangleMesh ball(int rings, int sides);

/// `folder`: the reference data, or empty.
void runMeshes(int count, const std::string& folder);
void runRobots(int count, const std::string& folder);
void runRays(int count, const std::string& folder);
void runEdges(int count, const std::string& folder);
void runAgreement(int count, int seed);

}  // namespace mortise::bench
