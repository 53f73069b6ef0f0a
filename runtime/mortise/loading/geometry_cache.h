#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "mortise/base/diagnostics.h"
#include "mortise/geometry/geometry.h"

namespace mortise {

/// The key of the geometry that a file gives: its bytes, and who reads them.
struct GeometryKey {
  std::uint64_t hash[2] = {0, 0};
  std::uint64_t size = 0;
  std::string extension;  ///< In lower case.
  std::string format;     ///< The component that reads it.

  bool operator<(const GeometryKey& other) const;
};

/// The key of a file's bytes.
GeometryKey geometryKeyOf(std::string_view bytes, std::string extension, std::string format);

struct LoadedGeometry {
  GeometryPtr geometry;
  Diagnostics diagnostics;  ///< Messages of reading, not strict.
  /// False when it followed from more than the bytes of the file (other files it refers to); then it is not kept.
  bool cacheable = true;
};

/// Geometry that this process has loaded, by content: a file that is known under any name is not read again as long as
/// somebody holds what it gave. Safe to use from many threads; when several want the same file at once, one reads it
/// and the others wait.
///
/// Returns what `load` gave, now or before, with `file` as its file. Warnings are given again to everyone who loads.
/// With `wait` false (for a thread that is inside another load) it reads itself rather than wait.
GeometryPtr cachedGeometry(const GeometryKey& key, const std::string& file, Diagnostics& diagnostics, bool wait,
                           const std::function<LoadedGeometry()>& load);

}  // namespace mortise
