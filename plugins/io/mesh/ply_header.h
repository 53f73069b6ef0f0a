#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/text_file.h"

namespace mortise::io {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
std::size_t sizeOf(PlyType type);
inline bool isReal(PlyType type) { return type >= PlyType::float32; }

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;  ///< Type of the value, or of each value of a list.
  bool isList = false;
  PlyType countType = PlyType::uint8;
};

struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;
  std::size_t offset = 0;  ///< Position of the declaration in the header.

  /// -1 when there is none.
  int find(std::string_view property) const;
  /// The fewest bytes that one of it takes in the file.
  std::size_t shortest(bool text) const;
};

struct PlyHeader {
  enum class Encoding { text, littleEndian, bigEndian };
  Encoding encoding = Encoding::text;
  std::vector<PlyElement> elements;
  std::size_t body = 0;  ///< Offset of what follows the header.
};

/// Throws `Error` with line and column.
PlyHeader readPlyHeader(const TextFile& file);

}  // namespace mortise::io
