#pragma once

#include <string>

#include "mortise/base/log.h"
#include "mortise/base/value.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Returns what a physics backend can do with its default settings: a map of the members of `PhysicsCapabilities`,
/// booleans and names. Throws `Error` when the backend cannot be created.
Value physicsCapabilities(Registry& registry, const ComponentInfo& info, LogSink& log);

/// The same as lines of two columns, indented.
std::string capabilitiesText(const Value& capabilities);

}  // namespace mortise
