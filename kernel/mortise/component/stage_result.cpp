#include "mortise/component/stage_result.h"

#include <algorithm>
#include <array>

namespace mortise {

namespace {

constexpr std::array<std::string_view, 6> kNames = {"motion", "space", "state", "files", "table", "report"};

}  // namespace

std::string_view resultKindName(ResultKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<ResultKind> resultKindFromName(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<ResultKind>(found - kNames.begin());
}

bool StageOutput::mayBe(ResultKind kind) const {
  return kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace mortise
