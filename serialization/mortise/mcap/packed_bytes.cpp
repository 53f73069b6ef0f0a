#include "mortise/mcap/packed_bytes.h"

#include <zstd.h>

#include "mortise/base/error.h"
#include "mortise/mcap/unpacking.h"

namespace mortise::mcap {

std::string pack(std::string_view bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1);
  if (ZSTD_isError(size)) throw Error(std::string("zstd: ") + ZSTD_getErrorName(size));
  packed.resize(size);
  packed.shrink_to_fit();
  return packed;
}

std::string unpack(std::string_view packed) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    throw Error("zstd: these are no packed bytes");
  return unpackZstd(packed, size, kAttachmentAllowance);
}

}  // namespace mortise::mcap
