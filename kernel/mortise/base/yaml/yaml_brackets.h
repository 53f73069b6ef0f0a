#pragma once

#include <optional>
#include <string_view>

namespace mortise {

/// A bracket in a text of YAML.
struct YamlBracket {
  char bracket = '{';
  int line = 0;    ///< 1-based.
  int column = 0;  ///< 1-based.
};

/// The innermost `[` or `{` that is never closed, or that a bracket of the other kind closes. For files that YAML's
/// parser refused: it says where it gave up, which may be far behind.
std::optional<YamlBracket> unclosedYamlBracket(std::string_view text);

}  // namespace mortise
