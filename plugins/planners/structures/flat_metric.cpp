#include "structures/flat_metric.h"

#include <algorithm>
#include <cmath>

namespace mortise::planners {

FlatMetric FlatMetric::of(const PlanningSpace& space) {
  FlatMetric metric;
  const Value properties = space.properties();
  if (!properties.boolean("straight", false)) return metric;
  VectorXd low, high;
  space.bounds(low, high);
  const int n = space.dimension();
  for (int i = 0; i < n; ++i) {  // Where there are no ends, any will do.
    if (!std::isfinite(low[i])) low[i] = std::isfinite(high[i]) ? high[i] - 1 : -1;
    if (!std::isfinite(high[i])) high[i] = low[i] + 2;
  }
  const VectorXd middle = 0.5 * (low + high);
  VectorXd weights(n);
  for (int i = 0; i < n; ++i) {
    const double step = 0.25 * (high[i] - low[i]);
    VectorXd other = middle;
    other[i] += step;
    weights[i] = step > 0 ? space.distance(middle, other) / step : 1;
    if (!std::isfinite(weights[i])) return metric;
  }
  // Numbers of its own: which ones does not matter, as long as they are always the same.
  RandomStream random(20110607, "metric");
  for (int k = 0; k < 16; ++k) {
    VectorXd a(n), b(n);
    for (int i = 0; i < n; ++i) {
      a[i] = random.uniform(low[i], high[i]);
      b[i] = random.uniform(low[i], high[i]);
    }
    const double expected = weights.cwiseProduct(a - b).norm();
    if (!(std::abs(space.distance(a, b) - expected) <= 1e-9 * std::max(1.0, expected))) return metric;
  }
  metric.flat = true;
  metric.weights = weights;
  return metric;
}

}  // namespace mortise::planners
