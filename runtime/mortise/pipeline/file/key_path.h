#pragma once

#include <string>
#include <string_view>

#include "mortise/base/value.h"

namespace mortise {

/// The plain path of a key as a person names it in a pipeline. Entries of `components` go by index, by their `name` or
/// by their type; entries of `stages` by index, by their stage or by what they `save`: `components.wrist.rate` becomes
/// `components.2.rate`, `stages.compare.duration` and `stages.0.duration` become `stages.0.compare.duration`. Throws
/// `Error` for a name that no entry or several entries have; keys of maps need not exist.
std::string resolveKeyPath(const Value& pipeline, std::string_view path);

}  // namespace mortise
