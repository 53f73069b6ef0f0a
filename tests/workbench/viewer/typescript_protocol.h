#pragma once

#include <string>

namespace mortise::viewer {

/// The viewer's protocol in the page's language: constants, types of all messages, and the shapes by which pages check
/// what they get.
std::string typescriptProtocol();

}  // namespace mortise::viewer
