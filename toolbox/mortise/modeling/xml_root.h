#pragma once

#include <string_view>

namespace mortise {

/// The name of the root element of an XML document, from its first bytes; empty when there is none among them.
std::string_view xmlRootName(std::string_view head);

}  // namespace mortise
