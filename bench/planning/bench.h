#pragma once

/// Tools that the parts of this benchmark share: fair timing and order statistics.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "shared/timing.h"

namespace mortise::bench {

/// The value that this part of all are no greater than; 0 when there are none.
inline double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto place = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(place, 1, values.size()) - 1];
}
inline double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

struct Settings {
  std::string folder;  ///< The reference data; may be empty.
  std::vector<std::string> worlds, planners;
  int count = 0;  ///< 0: the part's own.
  std::uint64_t seed = 1;
  double seconds = 10;  ///< Time of one plan.
};

void runChecks(const Settings& settings);
void runPeer(const Settings& settings);
void runSuccess(const Settings& settings);
void runPaths(const Settings& settings);
void runLimits(const Settings& settings);

}  // namespace mortise::bench
