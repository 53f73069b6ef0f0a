#pragma once

#include <string>

#include "mortise/base/error.h"
#include "mortise/pipeline/file/pipeline.h"

namespace mortise {

/// Makes the folder of a run and returns its path: `wanted` when that is not empty, else `runs/NAME` with -2, -3, ...
/// when it exists. Throws `Error` with the system's reason.
std::string makeRunDirectory(const std::string& wanted, const Pipeline& pipeline);

/// Throws `Error` for the name of an output file of a run that is empty, leads out of the run's folder without being
/// allowed to (`settings/output_path.h`), or is that of a file which every run writes. For checks and runs alike.
void checkRunFile(const std::string& name, const SourcePosition& where);

}  // namespace mortise
