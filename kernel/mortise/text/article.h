#pragma once

#include <string>
#include <string_view>

namespace mortise {

/// "an OccupancyGrid", "a robot": the noun after its indefinite article, by its first letter.
inline std::string withArticle(std::string_view noun) {
  const bool vowel = !noun.empty() && std::string_view("aeioAEIO").find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

}  // namespace mortise
