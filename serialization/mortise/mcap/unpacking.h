#pragma once

/// Limits for what packed bytes may unpack to. Sizes that a file claims are not believed: memory is taken for what its
/// bytes can hold at most, and no more than a real log needs.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mortise::mcap {

/// Returns how much a frame of zstd of so many bytes can hold at most: a block has a head of three bytes and unpacks to
/// at most 128 KiB.
std::uint64_t maxUnpackedZstd(std::size_t packedBytes);

/// Sizes to which any number of packed bytes of chunks, and of attachments, may unpack; beyond them to 1,000 times
/// theirs.
constexpr std::uint64_t kChunkAllowance = std::uint64_t{64} << 20, kAttachmentAllowance = std::uint64_t{256} << 20;

/// Throws `Error` where `packedBytes` cannot hold `size` bytes (`most`), or where these are more than is unpacked.
void checkUnpackedSize(std::uint64_t size, std::uint64_t maximum, std::size_t packedBytes, std::uint64_t allowance);

/// The `size` bytes that frames of zstd hold. Throws `Error` when they hold another number.
std::string unpackZstd(std::string_view packed, std::uint64_t size, std::uint64_t allowance);

}  // namespace mortise::mcap
