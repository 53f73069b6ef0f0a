#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/component/resource.h"

namespace mortise {

/// What a resource can be turned into, itself first, the least loss next.
std::vector<std::string> convertibleKinds(std::string_view kind);

/// The resource as another kind. What is lost is said as a warning. Throws `Error` when there is no such conversion, or
/// when it does not work for these values.
Resource convertResource(const Resource& resource, std::string_view kind, Diagnostics& diagnostics);

}  // namespace mortise
