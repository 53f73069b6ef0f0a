#pragma once

/// Checks of the bytes that a snapshot is restored from.

#include <string_view>

#include "mortise/base/bytes.h"

namespace mortise {

/// Throws `Error` "the snapshot is damaged: ..." unless `sound`.
inline void requireUndamaged(bool sound, std::string_view what) {
  if (!sound) throw Error("the snapshot is damaged: " + std::string(what));
}

/// A `bool` that was written by `ByteWriter::put`. Throws `Error` for a byte other than 0 and 1.
inline bool getFlag(ByteReader& in) {
  const auto flag = in.get<std::uint8_t>();
  if (flag > 1) throw Error("the snapshot is damaged: " + std::to_string(flag) + " where 0 or 1 was expected");
  return flag == 1;
}

}  // namespace mortise
