#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mortise::ros {

/// How chunks of bags are packed. LZ4 frames as roslz4 writes them; bzip2 only where this build has it.
enum class BagCompression : std::uint8_t { none, lz4, bz2 };

/// "none", "lz4", "bz2", as bags say it.
std::string_view bagCompressionName(BagCompression compression);
/// Throws `Error` for a name that is not known.
BagCompression bagCompressionFrom(std::string_view name);
bool hasBz2();

/// Throws `Error` where this build cannot.
std::string packBagChunk(std::string_view bytes, BagCompression compression);
/// Throws `Error` unless exactly `size` bytes come out. Memory is taken as they come, whatever `size` claims.
std::string unpackBagChunk(std::string_view packed, BagCompression compression, std::uint32_t size);

}  // namespace mortise::ros
