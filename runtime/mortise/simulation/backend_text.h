#pragma once

/// Backends with settings, as they are written in one word: "ode", "ode:solver=exact,iterations=50",
/// "mujoco:solref=[0.02,1]".

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value.h"

namespace mortise {

struct BackendText {
  std::string name;
  Value settings;  ///< Map, by the names that were written; empty without settings.
};

/// NAME, or NAME:SETTING=VALUE,SETTING=VALUE with values as YAML: commas inside brackets, braces and quotes belong to a
/// value. Throws `Error` for settings without "=" or that are no YAML.
BackendText backendFromText(std::string_view text, const SourcePosition& where);

/// A list, "ode,ode:solver=exact,iterations=50,bullet": what has a "=" before any ":" goes on with the settings of the
/// backend before it.
std::vector<std::string> splitBackends(std::string_view list);

}  // namespace mortise
