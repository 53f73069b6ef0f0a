#pragma once

#include <string>

#include "mortise/pipeline/pipeline.h"

namespace mortise {

/// Makes the folder of a run and returns its path: `wanted` when that is not empty, else `runs/NAME` with -2, -3, ...
/// when it exists. Throws `Error` with the system's reason.
std::string makeRunDirectory(const std::string& wanted, const Pipeline& pipeline);

/// Name of a pipeline's file without folder and extension; for a lock file that of the pipeline that it locks.
std::string pipelineStem(const Pipeline& pipeline);

}  // namespace mortise
