#include "mortise/mcap/unpacking.h"

#include <algorithm>
#include <zstd.h>

#include "mortise/base/error.h"

namespace mortise::mcap {

namespace {

constexpr std::uint64_t kBlockHead = 3, kBlock = std::uint64_t{1} << 17;
/// Real logs are packed to a hundredth at best; still images of one color to less.
constexpr std::uint64_t kMaxExpansion = 1000;

}  // namespace

std::uint64_t maxUnpackedZstd(std::size_t packedBytes) { return packedBytes / kBlockHead * kBlock; }

void checkUnpackedSize(std::uint64_t size, std::uint64_t maximum, std::size_t packedBytes, std::uint64_t allowance) {
  if (size > maximum)
    throw Error("it claims to hold " + std::to_string(size) + " bytes, and can hold " + std::to_string(maximum) +
                " at most");
  const std::uint64_t limit = std::max<std::uint64_t>(allowance, kMaxExpansion * packedBytes);
  if (size > limit)
    throw Error("its " + std::to_string(packedBytes) + " bytes would unpack to " + std::to_string(size) +
                "; more than " + std::to_string(limit) + " are not unpacked");
}

std::string unpackZstd(std::string_view packed, std::uint64_t size, std::uint64_t allowance) {
  const unsigned long long known = ZSTD_getFrameContentSize(packed.data(), packed.size());
  const bool oneFrame = ZSTD_findFrameCompressedSize(packed.data(), packed.size()) == packed.size();
  if (known == ZSTD_CONTENTSIZE_ERROR) throw Error("zstd: it is no frame");
  // The size in the frame is a claim as well.
  std::uint64_t maximum = maxUnpackedZstd(packed.size());
  if (oneFrame && known != ZSTD_CONTENTSIZE_UNKNOWN) maximum = std::min<std::uint64_t>(maximum, known);
  checkUnpackedSize(size, maximum, packed.size(), allowance);
  std::string bytes(size, '\0');
  const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(got)) throw Error(std::string("zstd: ") + ZSTD_getErrorName(got));
  if (got != size) throw Error("unpacks to " + std::to_string(got) + " bytes instead of " + std::to_string(size));
  return bytes;
}

}  // namespace mortise::mcap
