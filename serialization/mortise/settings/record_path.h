#pragma once

#include <string>

#include "mortise/settings/placed.h"

namespace mortise {

/// Where a file goes that a recorder's setting names: below the run's `directory`, in folders of its own if it names
/// some, with the run's prefix before the file's name; without a run directory, where it says. Makes the folders. Throws
/// `Error` for a name that leads out of the run's directory, unless it is allowed or comes from the command line.
std::string recordPath(const std::string& directory, const std::string& prefix, const PlacedText& output);

}  // namespace mortise
