#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mortise::fuzz {

/// The kinds of files, in order of their names.
std::vector<std::string> kinds();

/// Reads the bytes as a file of one kind. What the file refers to is not looked up on disk: a cube and a robot of one
/// link stand for it. An `Error` is a fine end; everything else that is wrong aborts: an exception of another kind, or
/// a result that breaks its promises (indices out of range, coordinates that are not finite).
void readAs(const std::string& kind, const std::uint8_t* data, std::size_t size);

}  // namespace mortise::fuzz
