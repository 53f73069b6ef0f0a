#pragma once

/// The token that lets a page talk to the viewer's server.

#include <string>
#include <string_view>

namespace mortise::viewer {

/// Returns 128 random bits as text. Throws `Error` where the system gives none.
std::string newToken();
/// Compares what a page sent with the token, in a time that does not depend on where they differ.
bool isToken(std::string_view given, std::string_view token);

}  // namespace mortise::viewer
