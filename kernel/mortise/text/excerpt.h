#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace mortise {

/// The beginning of a text's first line, for messages: at most `limit` bytes, and "..." where something is left out.
/// Characters of UTF-8 are not cut in two.
inline std::string excerpt(std::string_view text, std::size_t limit = 60) {
  std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  if (end > limit) end = limit;
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

}  // namespace mortise
