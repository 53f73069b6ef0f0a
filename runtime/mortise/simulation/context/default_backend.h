#pragma once

#include <string>

#include "mortise/model/world.h"

namespace mortise {

/// The physics backend of a world that names none.
inline constexpr const char* kDefaultBackend = "mortise";

/// The backend that a world is simulated with where nothing else is chosen: the one it names, else the default.
inline std::string backendOf(const World& world) {
  return world.simulation.backend.empty() ? kDefaultBackend : world.simulation.backend;
}

}  // namespace mortise
