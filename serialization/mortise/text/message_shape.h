#pragma once

#include <string>
#include <string_view>

namespace mortise {

/// The message without what differs from place to place: '' for each quoted name, # for each number. Messages of one
/// kind have one shape.
std::string messageShape(std::string_view message);

}  // namespace mortise
