#include "ros/bags/bag_compression.h"

#include <algorithm>
#include <array>
#include <lz4frame.h>
#include <memory>

#include "mortise/base/error.h"

#ifdef MORTISE_HAS_BZ2
#include <bzlib.h>
#endif

namespace mortise::ros {

namespace {

constexpr std::size_t kStep = 1 << 18;
/// More than real chunks hold: rosbag begins a new one after 768 kB.
constexpr std::uint32_t kLargestChunk = 1u << 30;

void checkLz4(std::size_t code, const char* what) {
  if (LZ4F_isError(code)) throw Error(std::string(what) + ": LZ4 says " + LZ4F_getErrorName(code));
}

std::string packLz4(std::string_view bytes) {
  // roslz4 reads independent blocks with a checksum of the content and without its size.
  LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
  preferences.frameInfo.blockMode = LZ4F_blockIndependent;
  preferences.frameInfo.blockSizeID = LZ4F_max1MB;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string packed(LZ4F_compressFrameBound(bytes.size(), &preferences), '\0');
  const std::size_t size = LZ4F_compressFrame(packed.data(), packed.size(), bytes.data(), bytes.size(), &preferences);
  checkLz4(size, "a chunk cannot be packed");
  packed.resize(size);
  return packed;
}

struct Lz4Deleter {
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

/// Appends what `unpack(buffer)` gives, piece by piece, until it gives nothing.
template <class Unpack>
std::string gather(std::uint32_t size, Unpack&& unpack) {
  std::string bytes;
  std::string buffer(kStep, '\0');
  for (;;) {
    const std::size_t count = unpack(buffer);
    if (count == 0) break;
    if (count > size - bytes.size())
      throw Error("a chunk holds more than the " + std::to_string(size) + " bytes it says");
    bytes.append(buffer.data(), count);
  }
  if (bytes.size() != size)
    throw Error("a chunk: expected " + std::to_string(size) + " bytes, found " + std::to_string(bytes.size()));
  return bytes;
}

std::string unpackLz4(std::string_view packed, std::uint32_t size) {
  LZ4F_dctx* created = nullptr;
  checkLz4(LZ4F_createDecompressionContext(&created, LZ4F_VERSION), "a chunk cannot be unpacked");
  const std::unique_ptr<LZ4F_dctx, Lz4Deleter> context(created);
  return gather(size, [&](std::string& buffer) {
    for (;;) {
      std::size_t count = buffer.size(), taken = packed.size();
      checkLz4(LZ4F_decompress(context.get(), buffer.data(), &count, packed.data(), &taken, nullptr),
               "a chunk cannot be unpacked");
      packed.remove_prefix(taken);
      if (count > 0 || taken == 0) return count;
    }
  });
}

#ifdef MORTISE_HAS_BZ2

std::string packBz2(std::string_view bytes) {
  auto size = static_cast<unsigned>(bytes.size() + bytes.size() / 100 + 600);
  std::string packed(size, '\0');
  const int code = BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(bytes.data()),
                                            static_cast<unsigned>(bytes.size()), 9, 0, 30);
  if (code != BZ_OK) throw Error("a chunk cannot be packed: bzip2 says " + std::to_string(code));
  packed.resize(size);
  return packed;
}

std::string unpackBz2(std::string_view packed, std::uint32_t size) {
  bz_stream stream = {};
  if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw Error("a chunk cannot be unpacked: bzip2 does not start");
  const std::unique_ptr<bz_stream, int (*)(bz_stream*)> ending(&stream, &BZ2_bzDecompressEnd);
  stream.next_in = const_cast<char*>(packed.data());
  stream.avail_in = static_cast<unsigned>(packed.size());
  bool ended = false;
  return gather(size, [&](std::string& buffer) {
    if (ended) return std::size_t{0};
    stream.next_out = buffer.data();
    stream.avail_out = static_cast<unsigned>(buffer.size());
    const int code = BZ2_bzDecompress(&stream);
    if (code != BZ_OK && code != BZ_STREAM_END)
      throw Error("a chunk cannot be unpacked: bzip2 says " + std::to_string(code));
    ended = code == BZ_STREAM_END;
    return buffer.size() - stream.avail_out;
  });
}

#else

std::string packBz2(std::string_view) {
  throw Error("this build has no bzip2", {}, "install libbz2-dev and build again, or choose compression: lz4");
}

std::string unpackBz2(std::string_view, std::uint32_t) {
  throw Error("the bag is packed by bzip2, which this build does not have", {},
              "install libbz2-dev and build again, or unpack it with `rosbag decompress`");
}

#endif

}  // namespace

std::string_view bagCompressionName(BagCompression compression) {
  return std::array<std::string_view, 3>{"none", "lz4", "bz2"}[static_cast<std::size_t>(compression)];
}

BagCompression bagCompressionFrom(std::string_view name) {
  for (const BagCompression each : {BagCompression::none, BagCompression::lz4, BagCompression::bz2})
    if (bagCompressionName(each) == name) return each;
  throw Error("a chunk's compression: expected none, lz4 or bz2, found '" + std::string(name) + "'");
}

bool hasBz2() {
#ifdef MORTISE_HAS_BZ2
  return true;
#else
  return false;
#endif
}

std::string packBagChunk(std::string_view bytes, BagCompression compression) {
  if (compression == BagCompression::lz4) return packLz4(bytes);
  return compression == BagCompression::bz2 ? packBz2(bytes) : std::string(bytes);
}

std::string unpackBagChunk(std::string_view packed, BagCompression compression, std::uint32_t size) {
  if (size > kLargestChunk) throw Error("a chunk of " + std::to_string(size) + " bytes is more than is read at once");
  if (compression == BagCompression::lz4) return unpackLz4(packed, size);
  if (compression == BagCompression::bz2) return unpackBz2(packed, size);
  if (packed.size() != size)
    throw Error("a chunk: expected " + std::to_string(size) + " bytes, found " + std::to_string(packed.size()));
  return std::string(packed);
}

}  // namespace mortise::ros
