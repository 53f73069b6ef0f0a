#pragma once

#include <string>
#include <vector>

#include "mortise/mcap/reader.h"

namespace mortise::logs {

/// Throws `Error` for a topic that the log does not have, and for times (simulated s) of which it holds nothing.
void checkSelection(const mcap::Reader& reader, const std::vector<std::string>& topics, double start, double end);

}  // namespace mortise::logs
