#pragma once

#include <string_view>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise::render {

/// Words as lines, for pictures: letters of the Latin alphabet, digits and what names have beside them. Anything else
/// is an empty box.
struct WrittenWords {
  std::vector<std::vector<Eigen::Vector2d>> strokes;  ///< In heights of a capital letter, y up, the first one at 0.
  double width = 0;
};
WrittenWords writtenWords(std::string_view utf8);

}  // namespace mortise::render
