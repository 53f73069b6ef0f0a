#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mortise {

/// The whole file as bytes in a string. Throws `Error` with the system's reason.
std::string readFile(const std::string& path);

/// Writes to a temporary file beside `path`, then renames, so a full disk or a crash never leaves half a file.
void writeFile(const std::string& path, std::string_view content);

/// "did you mean 'folder/near.xml'?" for the first tried path that has a near neighbor, or what a broken link says.
std::string nearFile(const std::vector<std::string>& tried);

/// Models and what they refer to are read more than once, and a pipe that nobody writes to is waited for without end.
/// So pipes and sockets are refused, with an `Error` at `referringFile`, but for what a shell opens for a command.
void refusePipe(const std::string& path, std::string_view referringFile);

}  // namespace mortise
