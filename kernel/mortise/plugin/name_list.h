#pragma once

#include <string>
#include <vector>

namespace mortise {

/// "a, b, c", with at most `limit` names and the number of those left out.
inline std::string nameList(const std::vector<std::string>& names, std::size_t limit = 20) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < limit; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > limit) text += " and " + std::to_string(names.size() - limit) + " more";
  return text;
}

}  // namespace mortise
