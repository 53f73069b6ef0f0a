#pragma once

#include <string>
#include <string_view>

namespace mortise {

/// The text with control characters written out (`\x1b`), so that names and messages out of files cannot command a
/// terminal. Line ends and tabs stay; bytes that are not UTF-8 are written out as well.
std::string printable(std::string_view text);

}  // namespace mortise
