#pragma once

#include <string>

#include "mortise/base/value.h"

namespace mortise {

/// The result of the stage `compare` of this name, for people: what each run did, where objects end, the largest
/// distances over time and what they mean. Lines of at most 100 characters for up to three backends.
std::string comparisonText(const std::string& name, const Value& result);

}  // namespace mortise
