#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace mortise {

/// Returns the name of coordinate i in messages: its name in quotes, or its number where it has none.
inline std::string coordinateName(std::span<const std::string> names, std::size_t i) {
  return i < names.size() ? "'" + names[i] + "'" : "coordinate " + std::to_string(i);
}

}  // namespace mortise
