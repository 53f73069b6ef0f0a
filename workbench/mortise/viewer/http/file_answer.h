#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mortise::viewer {

/// Bytes of a file, from `first` to `last`, both included.
struct ByteRange {
  std::uint64_t first = 0, last = 0;
};

/// The range that a request wants of a file of `size` bytes, by its header `Range` (RFC 9110, 14.2).
struct WantedBytes {
  enum class Kind { full, part, none } kind = Kind::full;  ///< `none`: no byte of the file is in the range.
  ByteRange range;                                         ///< Of `part`.
};

/// Headers of other units, of several ranges and of no sense ask for the whole file, as if they were not there.
WantedBytes wantedBytes(std::string_view header, std::uint64_t size);

/// A file that is sent in parts.
struct ServedFile {
  std::string path;
  std::uint64_t size = 0;
  std::string tag;  ///< Another one where the file has changed: an ETag, with its quotes.

  /// Throws `Error` where there is no such file.
  explicit ServedFile(std::string file);
  /// Throws `Error` where the file is shorter by now.
  std::string bytes(const ByteRange& range) const;
};

/// A page that is sent compressed where that is understood, and not again where the browser has it.
struct ServedPage {
  std::string html, packed;  ///< `packed`: by gzip.
  std::string tag;           ///< By content: an ETag, with its quotes.

  explicit ServedPage(std::string page);
};

/// Says whether a list of header values, such as `gzip, deflate`, has an entry that is not refused by `q=0`.
bool listHas(std::string_view header, std::string_view entry);

}  // namespace mortise::viewer
