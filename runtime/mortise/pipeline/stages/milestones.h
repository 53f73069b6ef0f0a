#pragma once

#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/component/file_format.h"

namespace mortise {

/// A file of milestones as the setting `milestones` of controllers takes it, a list of {q, v}: as Klamp't's SimTest
/// sends such a file, through each of them as fast as the robot's limits allow.
Value milestonesFrom(ResourceLoader& loader, const std::string& file, const std::string& referringFile,
                     Diagnostics& diagnostics);

}  // namespace mortise
