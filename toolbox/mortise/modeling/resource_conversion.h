#pragma once

#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/component/resource.h"

namespace mortise {

/// Returns the kinds that a resource can be converted to, itself first, then in the order of what is lost.
std::vector<FileContent> convertibleKinds(FileContent kind);
bool isConvertible(FileContent from, FileContent to);

/// The resource as another kind. What is lost is said as a warning. Throws `Error` when there is no such conversion, or
/// when it does not work for these values.
Resource convertResource(const Resource& resource, FileContent kind, Diagnostics& diagnostics);

}  // namespace mortise
