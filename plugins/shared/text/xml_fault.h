#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mortise::io {

/// The fault of an XML text.
struct XmlFault {
  std::string message;     ///< Such as "<robot> is not closed".
  std::string hint;        ///< Change or addition that would help.
  std::size_t offset = 0;  ///< Beginning of what is incomplete.
};

/// The first comment, tag or attribute that is incomplete; else the innermost element that is never closed, or that
/// another element's end closes. For texts that the parser refused: it says where it gave up, which may be at the end
/// of the file.
std::optional<XmlFault> xmlFault(std::string_view text);

}  // namespace mortise::io
