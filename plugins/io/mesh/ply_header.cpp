#include "mesh/ply_header.h"

#include <array>
#include <utility>

#include "mortise/text/suggest.h"

namespace mortise::io {

namespace {

constexpr std::array<std::pair<std::string_view, PlyType>, 16> kNumberTypes = {{{"char", PlyType::int8},
                                                                                {"uchar", PlyType::uint8},
                                                                                {"short", PlyType::int16},
                                                                                {"ushort", PlyType::uint16},
                                                                                {"int", PlyType::int32},
                                                                                {"uint", PlyType::uint32},
                                                                                {"float", PlyType::float32},
                                                                                {"double", PlyType::float64},
                                                                                {"int8", PlyType::int8},
                                                                                {"uint8", PlyType::uint8},
                                                                                {"int16", PlyType::int16},
                                                                                {"uint16", PlyType::uint16},
                                                                                {"int32", PlyType::int32},
                                                                                {"uint32", PlyType::uint32},
                                                                                {"float32", PlyType::float32},
                                                                                {"float64", PlyType::float64}}};

PlyType typeNamed(std::string_view name, const TextFile& file, std::size_t at) {
  std::vector<std::string> known;
  for (const auto& [candidate, type] : kNumberTypes) {
    if (candidate == name) return type;
    known.emplace_back(candidate);
  }
  const std::string text(name.substr(0, 40));
  throw Error("'" + text + "' is not a type of a property", file.position(at), suggestAndList(text, known));
}

}  // namespace

std::size_t sizeOf(PlyType type) {
  constexpr std::array<std::size_t, 8> kSizes = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

int PlyElement::find(std::string_view property) const {
  for (std::size_t i = 0; i < properties.size(); ++i)
    if (properties[i].name == property) return static_cast<int>(i);
  return -1;
}

namespace {

PlyHeader::Encoding readEncoding(const TextFile& file, Cursor& cursor) {
  const std::size_t at = cursor.offset();
  const std::string_view encoding = cursor.wordOnLine();
  if (encoding == "ascii") return PlyHeader::Encoding::text;
  if (encoding == "binary_little_endian") return PlyHeader::Encoding::littleEndian;
  if (encoding == "binary_big_endian") return PlyHeader::Encoding::bigEndian;
  throw Error("'" + std::string(encoding.substr(0, 40)) + "' is not a PLY format", file.position(at),
              "it is ascii, binary_little_endian or binary_big_endian");
}

/// Reads what stands behind the word `property`, which is at `begin`.
PlyProperty readProperty(const TextFile& file, Cursor& cursor, std::size_t begin) {
  PlyProperty property;
  cursor.skipBlank();
  std::size_t at = cursor.offset();
  std::string_view type = cursor.wordOnLine();
  if (type == "list") {
    property.isList = true;
    cursor.skipBlank();
    at = cursor.offset();
    property.countType = typeNamed(cursor.wordOnLine(), file, at);
    if (isReal(property.countType)) throw Error("a list cannot count in real numbers", file.position(at));
    cursor.skipBlank();
    at = cursor.offset();
    type = cursor.wordOnLine();
  }
  property.type = typeNamed(type, file, at);
  property.name = cursor.wordOnLine();
  if (property.name.empty()) throw Error("the property has no name", file.position(begin));
  return property;
}

}  // namespace

std::size_t PlyElement::shortest(bool text) const {
  if (text) return 2 * properties.size();  // A digit each and what parts it from the next.
  std::size_t sum = 0;
  for (const PlyProperty& p : properties) sum += sizeOf(p.isList ? p.countType : p.type);
  return sum;
}

PlyHeader readPlyHeader(const TextFile& file) {
  Cursor cursor(file);
  if (cursor.wordOnLine() != "ply") throw Error("not a PLY file: it does not begin with 'ply'", file.position(0));
  cursor.skipLine();
  PlyHeader header;
  bool haveFormat = false;
  for (;;) {
    if (cursor.remaining() == 0) throw Error("the header ends before 'end_header'", cursor.position());
    cursor.skipBlank();
    const std::size_t begin = cursor.offset();
    const std::string_view keyword = cursor.wordOnLine();
    if (keyword == "end_header") {
      cursor.skipLine();
      break;
    }
    if (keyword == "format") {
      cursor.skipBlank();
      header.encoding = readEncoding(file, cursor);
      haveFormat = true;
    } else if (keyword == "element") {
      PlyElement element;
      element.offset = begin;
      element.name = cursor.wordOnLine();
      cursor.skipBlank();
      const std::size_t at = cursor.offset();
      const auto count = parseInteger(cursor.wordOnLine());
      if (element.name.empty() || !count || *count < 0)
        throw Error("expected 'element', a name and how many there are", file.position(at));
      element.count = static_cast<std::size_t>(*count);
      header.elements.push_back(std::move(element));
    } else if (keyword == "property") {
      if (header.elements.empty()) throw Error("a property stands before any element", file.position(begin));
      header.elements.back().properties.push_back(readProperty(file, cursor, begin));
    } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
      throw Error("'" + std::string(keyword.substr(0, 40)) + "' is not a keyword of a PLY header",
                  file.position(begin));
    }
    cursor.skipLine();
  }
  if (!haveFormat) throw Error("the header names no format", file.position(0));
  header.body = cursor.offset();
  return header;
}

}  // namespace mortise::io
