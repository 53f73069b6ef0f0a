#pragma once

/// Processor time and medians: what the benchmarks' figures are made of.

#include <algorithm>
#include <cstddef>
#include <time.h>
#include <vector>

namespace mortise::bench {

/// Seconds that a clock shows.
inline double seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Processor time of the whole process in seconds.
inline double processSeconds() { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

/// Processor time of this thread in seconds: what else runs on the machine counts little.
inline double threadSeconds() { return seconds(CLOCK_THREAD_CPUTIME_ID); }

/// The mean of the middle two for an even number of values; 0 when there are none.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

}  // namespace mortise::bench
