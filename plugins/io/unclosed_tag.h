#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mortise::io {

/// An element whose end is missing.
struct UnclosedTag {
  std::string name;
  std::size_t offset = 0;  ///< Of its '<'.
};

/// The innermost element of an XML text that is never closed, or that another element's end closes. For texts that the
/// parser refused: it says where it gave up, which may be at the end of the file.
std::optional<UnclosedTag> unclosedTag(std::string_view text);

}  // namespace mortise::io
