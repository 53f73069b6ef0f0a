#pragma once

#include <string>

#include "mortise/model/world.h"

namespace mortise::bench {

/// Null when there is no folder or no such file in it.
mortise::GeometryPtr loadGeometry(const std::string& folder, const std::string& path);
mortise::RobotPtr loadRobot(const std::string& folder, const std::string& path);
/// Throws `Error` when it cannot be read; false when there is no folder or no such file.
bool loadWorld(const std::string& folder, const std::string& path, mortise::World& world);

}  // namespace mortise::bench
