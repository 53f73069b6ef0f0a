#pragma once

/// The columns of the table: backends with their settings.

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/log.h"
#include "mortise/plugin/registry.h"

namespace mortise::truth {

struct TruthEngine {
  std::string name;  ///< Name as typed: "ode", "ode:solver=exact".
  const ComponentInfo* info = nullptr;
  Value settings;  ///< Complete.
};

/// The name by which people call a backend: its first alias, else its own.
std::string shortName(const ComponentInfo& info);

/// NAME, or NAME:SETTING=VALUE,SETTING=VALUE (`backendFromText`). Throws `Error` for what is not registered, and for
/// settings that are wrong.
TruthEngine engineFrom(const Registry& registry, std::string_view text);

/// A backend that is installed but not used, and why.
struct LeftOut {
  std::string name, reason;
};

/// All physics backends that have dynamics, in the order of their names; with `variants` each is followed by itself
/// with every other choice of its settings `solver`, `lcp_solver` and `profile`, where it has them. What cannot be used
/// goes to `leftOut`.
std::vector<TruthEngine> installedEngines(Registry& registry, LogSink& log, bool variants,
                                          std::vector<LeftOut>& leftOut);

}  // namespace mortise::truth
