#include "depth_noise.h"

#include <cmath>

namespace mortise::sensors_embree {

double DepthNoise::apply(double depth, RandomStream& random) const {
  const double variance = linear * depth + constant;
  if (variance > 0) depth += std::sqrt(variance) * random.gaussian();
  if (resolution > 0) {
    const double steps = std::round(depth / resolution);
    if (std::isfinite(steps)) depth = resolution * steps;
  }
  return depth;
}

}  // namespace mortise::sensors_embree
