#pragma once

#include <string>

namespace mortise {

/// Throws `Error` that says what the file is and what to do, when it is a model or world of another program that no
/// format reads but that people take for one of ours: xacro, SDF, MJCF, USD. Looks at the extension and the first
/// bytes; a file that cannot be read is left to its reader.
void refuseForeignModel(const std::string& path);

}  // namespace mortise
