#include "shapes/point_spacing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mortise::sensors_embree {

double pointSpacing(const std::vector<Vector3d>& points) {
  constexpr std::size_t kSamples = 64;
  std::vector<double> nearest;
  const std::size_t step = std::max<std::size_t>(1, points.size() / kSamples);
  for (std::size_t i = 0; i < points.size(); i += step) {
    double minimum = std::numeric_limits<double>::infinity();
    for (const Vector3d& other : points) {
      const double squared = (other - points[i]).squaredNorm();
      if (squared > 0 && squared < minimum) minimum = squared;
    }
    if (std::isfinite(minimum)) nearest.push_back(std::sqrt(minimum));
  }
  if (nearest.empty()) return 0;
  const auto middle = nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() / 2);
  std::nth_element(nearest.begin(), middle, nearest.end());
  return *middle;
}

}  // namespace mortise::sensors_embree
