#pragma once

#include <memory>

#include "mortise/model/world.h"

namespace mortise {

/// A world that somebody else keeps, such as `SensorSetup::world`, for what wants a shared pointer (`WorldCollider`).
/// The world must outlive the pointer and its copies.
inline std::shared_ptr<const World> borrowedWorld(const World& world) {
  return std::shared_ptr<const World>(std::shared_ptr<void>(), &world);
}

}  // namespace mortise
