#pragma once

#include <string>
#include <string_view>

namespace mortise {

/// Appends a double-quoted string that JSON and YAML both read. Bytes that are no valid UTF-8 become U+FFFD.
void appendQuoted(std::string& out, std::string_view text);

}  // namespace mortise
