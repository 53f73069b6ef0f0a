#pragma once

#include "mortise/base/random.h"

namespace mortise::sensors_embree {

/// Noise, then rounding, as Klamp't does it to depths: the variance is `linear * depth + constant`.
struct DepthNoise {
  double linear = 0, constant = 0;
  double resolution = 0;  ///< m; 0: none.

  bool none() const { return linear == 0 && constant == 0 && resolution == 0; }
  double apply(double depth, RandomStream& random) const;
};

}  // namespace mortise::sensors_embree
