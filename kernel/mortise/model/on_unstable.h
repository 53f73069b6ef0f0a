#pragma once

/// The words for `OnUnstable` in files, on command lines and in programs: the same everywhere.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/model/world.h"

namespace mortise {

inline std::vector<std::pair<std::string, OnUnstable>> onUnstableWords() {
  return {{"report", OnUnstable::report}, {"stop", OnUnstable::stop}, {"scale", OnUnstable::scale}};
}

inline std::string onUnstableText(OnUnstable value) {
  for (const auto& [word, meaning] : onUnstableWords())
    if (meaning == value) return word;
  return {};
}

/// Throws `Error` with `where` for any other word; `what` is the name of the setting there.
inline OnUnstable onUnstableFrom(std::string_view text, std::string_view what, const SourcePosition& where = {}) {
  for (const auto& [word, meaning] : onUnstableWords())
    if (word == text) return meaning;
  throw Error("'" + std::string(what) + "' is report, stop or scale, not '" + std::string(text) + "'", where,
              "write report to be told of energy from nowhere, stop to end the run there, scale for Klamp't's rule");
}

}  // namespace mortise
