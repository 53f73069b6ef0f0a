#pragma once

#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/component/file_format.h"

namespace mortise {

/// A file of milestones as the setting `milestones` of controllers, a list of {q, v}; as in Klamp't's SimTest, the
/// robot moves through them as fast as its limits allow.
Value milestonesFrom(ResourceLoader& loader, const std::string& file, const std::string& referringFile,
                     Diagnostics& diagnostics);

}  // namespace mortise
