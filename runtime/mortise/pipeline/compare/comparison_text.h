#pragma once

#include <string>

#include "mortise/base/value.h"

namespace mortise {

/// Of what the stage `compare` leaves: the table of the largest distances over time, and what they mean, for people.
/// Objects and robots that read the same share a line. Lines of at most 100 characters for up to three backends.
std::string comparisonText(const Value& result);

}  // namespace mortise
