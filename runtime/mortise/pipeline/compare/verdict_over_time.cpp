#include "mortise/pipeline/compare/verdict_over_time.h"

#include <algorithm>
#include <limits>

#include "mortise/base/value_text.h"

namespace mortise {

namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

/// The first sample beyond `limit`; `kNever` when there is none.
std::size_t firstBeyond(const std::vector<float>& list, double limit) {
  const auto found = std::find_if(list.begin(), list.end(), [&](float distance) { return !(distance <= limit); });
  return found == list.end() ? kNever : static_cast<std::size_t>(found - list.begin());
}

/// Returns the largest of the first `samples`.
double largestOf(const std::vector<float>& list, std::size_t samples) {
  const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min(samples, list.size()));
  return list.begin() == end ? 0 : *std::max_element(list.begin(), end);
}

ComparisonEvidence evidenceOf(const ComparisonSeries& series, std::size_t samples) {
  ComparisonEvidence evidence;
  evidence.unit = series.unit;
  evidence.bound = series.bound;
  evidence.backends = series.backends;
  evidence.disturbance = series.disturbance;
  const std::size_t n = series.backends.size();
  evidence.apart.assign(n, std::vector<double>(n, 0));
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b)
      evidence.apart[a][b] = evidence.apart[b][a] = largestOf(series.apart[a][b], samples);
  for (const std::vector<float>& list : series.step) evidence.step.push_back(largestOf(list, samples));
  for (const std::vector<float>& list : series.disturbed) evidence.disturbed.push_back(largestOf(list, samples));
  return evidence;
}

std::size_t firstSaturated(const ComparisonSeries& series) {
  std::size_t first = kNever;
  if (!series.saturation) return first;
  const auto update = [&](const std::vector<float>& list) {
    first = std::min(first, firstBeyond(list, *series.saturation));
  };
  for (std::size_t a = 0; a < series.apart.size(); ++a)
    for (std::size_t b = a + 1; b < series.apart.size(); ++b) update(series.apart[a][b]);
  for (const auto* lists : {&series.step, &series.disturbed})
    for (const std::vector<float>& list : *lists) update(list);
  return first;
}

}  // namespace

ReadingOverTime readOverTime(const ComparisonSeries& series) {
  const auto at = [&](std::size_t sample) { return formatReal(series.times[sample], 3) + " s"; };
  const auto known = [&](std::size_t sample) { return sample < series.times.size(); };
  const std::size_t saturated = firstSaturated(series);
  ReadingOverTime reading{readComparison(evidenceOf(series, saturated == kNever ? kNever : saturated + 1)), {}};
  if (reading.verdict == "chaotic" && series.backends.size() > 1) {
    std::size_t chaos = kNever;
    for (const std::vector<float>& list : series.disturbed) chaos = std::min(chaos, firstBeyond(list, series.bound));
    if (chaos > 0 && known(chaos)) {
      ComparisonReading before = readComparison(evidenceOf(series, chaos));
      if (before.verdict == "engines") {
        before.sentence += "; this before " + at(chaos) + ", from when on the motion is chaotic";
        return {std::move(before), series.times[chaos]};
      }
    }
  }
  if (known(saturated) && reading.verdict != "agree") {
    reading.sentence += " (up to " + at(saturated) + ", where the first distance is beyond " +
                        distanceText(*series.saturation, series.unit) + ")";
    reading.until = series.times[saturated];
  }
  return reading;
}

}  // namespace mortise
