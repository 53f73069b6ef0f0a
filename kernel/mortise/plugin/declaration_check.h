#pragma once

#include <string>
#include <vector>

#include "mortise/plugin/registry.h"

namespace mortise {

/// Lists what in a component's declaration cannot be meant, as sentences; empty where all is well. Of formats:
/// extensions without anything that is read or written, the other way round, and kinds of content that there are not.
/// Of all: roles that no program asks for, or asks components of another kind for.
std::vector<std::string> declarationFaults(const ComponentInfo& info);

/// In what two descriptions of one component differ: "schema, aliases"; empty where in nothing. Where they were found
/// and their package do not count.
std::string descriptionDifferences(const ComponentInfo& a, const ComponentInfo& b);

}  // namespace mortise
