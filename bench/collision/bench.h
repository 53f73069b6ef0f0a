#pragma once

/// What the parts of this benchmark share: the peer's models and fair timing.

#include <Eigen/Geometry>
#include <algorithm>
#include <cstddef>
#include <fcl/fcl.h>
#include <memory>
#include <string>
#include <time.h>
#include <vector>

#include "mortise/collision/query.h"

namespace bench {

using namespace mortise;
using FclModel = fcl::BVHModel<fcl::OBBRSSd>;

inline double cpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

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
    double start = cpuSeconds();
    for (int i = first; i < first + kBatch; ++i) ours(i);
    times[0].push_back((cpuSeconds() - start) / kBatch);
    start = cpuSeconds();
    for (int i = first; i < first + kBatch; ++i) theirs(i);
    times[1].push_back((cpuSeconds() - start) / kBatch);
  }
  return {median(times[0]), median(times[1]), count};
}

std::shared_ptr<FclModel> fclModel(const TriangleMesh& mesh);
fcl::Transform3d fclPose(const RigidTransform& X);
/// A closed ball with bumps of about `2 * rings * sides` triangles and radius 1.
TriangleMesh ball(int rings, int sides);

/// `folder`: the reference data, or empty.
void runMeshes(int count, const std::string& folder);
void runRobots(int count, const std::string& folder);
void runRays(int count, const std::string& folder);
void runEdges(int count, const std::string& folder);
void runAgreement(int count, int seed);

}  // namespace bench
