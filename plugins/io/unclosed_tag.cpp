#include "unclosed_tag.h"

#include <algorithm>
#include <vector>

namespace mortise::io {

namespace {

/// Past the end of what begins at `at` and ends with `what`; npos when it does not end.
std::size_t pastEnd(std::string_view text, std::size_t at, std::string_view what) {
  const std::size_t found = text.find(what, at);
  return found == std::string_view::npos ? found : found + what.size();
}

/// The '>' of the tag that begins at `at`; those in quotes are not meant.
std::size_t endOfTag(std::string_view text, std::size_t at) {
  for (char quote = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::optional<UnclosedTag> unclosedTag(std::string_view text) {
  std::vector<UnclosedTag> open;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    if (text.substr(at, 4) == "<!--") {
      at = pastEnd(text, at + 4, "-->");
    } else if (text.substr(at, 9) == "<![CDATA[") {
      at = pastEnd(text, at, "]]>");
    } else if (text.substr(at, 2) == "<?" || text.substr(at, 2) == "<!") {
      at = pastEnd(text, at, ">");
    } else {
      const bool closes = text.substr(at, 2) == "</";
      const std::size_t begin = at + (closes ? 2 : 1);
      const std::size_t nameEnd = std::min(text.find_first_of(" \t\r\n/>", begin), text.size());
      const std::size_t end = endOfTag(text, nameEnd);
      if (end == std::string_view::npos) return std::nullopt;  // The tag itself is cut off.
      std::string name(text.substr(begin, nameEnd - begin));
      if (!closes) {
        if (text[end - 1] != '/') open.push_back({std::move(name), at});
      } else {
        if (open.empty()) return std::nullopt;
        if (open.back().name != name) return open.back();
        open.pop_back();
      }
      at = end;
    }
    if (at == std::string_view::npos) return std::nullopt;
  }
  if (open.empty()) return std::nullopt;
  return open.back();
}

}  // namespace mortise::io
