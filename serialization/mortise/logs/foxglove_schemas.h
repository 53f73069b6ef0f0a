#pragma once

#include <string>
#include <string_view>

#include "mortise/protobuf/descriptor_set.h"

namespace mortise::logs {

/// The messages of Foxglove's schemas (https://docs.foxglove.dev/docs/sdk/schemas) that logs hold for other tools.
const protobuf::Package& foxglovePackage();

/// Mortise's own messages: `mortise.Series`.
const protobuf::Package& mortisePackage();

/// The schema of a message, such as "foxglove.SceneUpdate" or "mortise.Series", as MCAP keeps it.
std::string schemaOf(std::string_view message);

}  // namespace mortise::logs
