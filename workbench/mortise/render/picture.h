#pragma once

#include <cstdint>
#include <vector>

#include "mortise/component/simulation_view.h"

namespace mortise::render {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;  ///< 0xrrggbb, row by row from the top left.
  std::vector<std::uint8_t> opacity;  ///< One a pixel; empty: all is opaque.
  std::vector<float> depth;           ///< Along the optical axis, m, infinite where nothing is; empty: not known.
};

/// Takes pictures of a world from one place.
class PictureMaker {
 public:
  virtual ~PictureMaker() = default;
  virtual Picture take(const SimulationView& view) = 0;
};

}  // namespace mortise::render
