#pragma once

#include <string>
#include <string_view>

#include "mortise/base/value.h"

namespace mortise {

/// "a.b=c" of `--set`, or of another option: the right side is read as YAML, so `[1, 2]`, `{x: 1}` and `"text"` work.
/// Throws on a missing '='.
struct AssignedSetting {
  std::string path;
  Value value;
};
AssignedSetting parseSetting(std::string_view text, const std::string& option = "--set");

}  // namespace mortise
