#pragma once

#include <string>
#include <string_view>

namespace mortise::mcap {

/// Packs bytes that are kept in memory, by zstd at its fastest: states of simulations with the pixels of cameras in
/// them, say.
std::string pack(std::string_view bytes);
/// Returns the bytes that `pack` was given. Throws `Error` for other bytes.
std::string unpack(std::string_view packed);

}  // namespace mortise::mcap
