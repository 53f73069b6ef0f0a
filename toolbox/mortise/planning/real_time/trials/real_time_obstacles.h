#pragma once

#include <string>

#include "mortise/component/file_format.h"
#include "mortise/planning/real_time/known_motion.h"

namespace mortise {

/// "BODY=FILE": a terrain or rigid object of the world moves as the file says, whose configurations are its position
/// (m) and rotation vector (rad); over and over when the motion ends where it begins. Throws `Error`.
KnownMotion movingBody(const std::string& text, const World& world, ResourceLoader& loader, Diagnostics& diagnostics);

}  // namespace mortise
