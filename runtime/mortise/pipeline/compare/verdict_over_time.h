#pragma once

/// Which part of a comparison's time says something about backends, and what it says.

#include <optional>
#include <string>
#include <vector>

#include "mortise/pipeline/compare/verdict.h"

namespace mortise {

/// Distances by sample, all at the same times; lists may end earlier than others.
struct ComparisonSeries {
  std::string unit = "m";
  double bound = 1e-3;
  /// Distances that come near this cannot grow further (angles that go round): what is larger is not judged.
  std::optional<double> saturation;
  double disturbance = 0;
  std::vector<std::string> backends;
  std::vector<double> times;  ///< s
  std::vector<std::vector<std::vector<float>>>
      apart;  ///< Distances of each two backends, by their indices; a < b is read.
  std::vector<std::vector<float>> step, disturbed;  ///< One a backend, or none.
};

struct ReadingOverTime : ComparisonReading {
  std::optional<double> until;  ///< s: where what is judged ends before the run does.
};

/// Reads the distances up to the first time at which one of them saturates. Where the motion becomes chaotic, but the
/// engines differ before, it judges by what they have until then.
ReadingOverTime readOverTime(const ComparisonSeries& series);

}  // namespace mortise
