#include "mesh/ply_format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "common/geometry_text.h"
#include "mesh/appearance_builder.h"
#include "mesh/mesh_builder.h"
#include "mesh/ply_header.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/text/normalize.h"
#include "text/text_file.h"

namespace mortise::io {

namespace {

/// Numbers as text.
class TextSource {
 public:
  static constexpr bool text = true;
  TextSource(const TextFile& file, std::size_t begin) : cursor_(file, begin, file.text().size()) {}

  double real(PlyType) { return cursor_.real("a number"); }
  std::int64_t integer(PlyType) { return cursor_.integer("a whole number"); }
  void skip(PlyType) {
    if (cursor_.word().empty()) throw Error("expected a number, found the end of the file", cursor_.position());
  }
  std::size_t remaining() const { return cursor_.remaining(); }
  SourcePosition position() {
    cursor_.skipSpace();
    return cursor_.position();
  }

 private:
  Cursor cursor_;
};

/// Numbers as bytes.
template <bool kSwap>
class BinarySource {
 public:
  static constexpr bool text = false;
  BinarySource(const TextFile& file, std::size_t begin) : path_(&file.path()), bytes_(file.text()), at_(begin) {}

  double real(PlyType type) {
    switch (type) {
      case PlyType::float32:
        return static_cast<double>(take<float, std::uint32_t>());
      case PlyType::float64:
        return take<double, std::uint64_t>();
      default:
        return static_cast<double>(integer(type));
    }
  }
  std::int64_t integer(PlyType type) {
    switch (type) {
      case PlyType::int8:
        return take<std::int8_t, std::uint8_t>();
      case PlyType::uint8:
        return take<std::uint8_t, std::uint8_t>();
      case PlyType::int16:
        return take<std::int16_t, std::uint16_t>();
      case PlyType::uint16:
        return take<std::uint16_t, std::uint16_t>();
      case PlyType::int32:
        return take<std::int32_t, std::uint32_t>();
      case PlyType::uint32:
        return take<std::uint32_t, std::uint32_t>();
      default:
        throw Error("expected a property of whole numbers, found one of real numbers", position());
    }
  }
  void skip(PlyType type) {
    need(sizeOf(type));
    at_ += sizeOf(type);
  }
  /// A list of three indices of four bytes, each below `limit`; its length has one byte. Stays before anything else.
  bool triangle(std::size_t limit, std::array<int, 3>& corners) {
    constexpr std::size_t kSize = 1 + 3 * sizeof(std::uint32_t);
    if (remaining() < kSize || bytes_[at_] != 3) return false;
    std::array<std::uint32_t, 3> bits;
    std::memcpy(bits.data(), bytes_.data() + at_ + 1, sizeof(bits));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t index = kSwap ? __builtin_bswap32(bits[k]) : bits[k];
      if (index >= limit) return false;
      corners[k] = static_cast<int>(index);
    }
    at_ += kSize;
    return true;
  }
  std::size_t remaining() const { return bytes_.size() - at_; }
  /// Lines mean nothing here.
  SourcePosition position() {
    SourcePosition where = inFile(*path_);
    where.path = "byte " + std::to_string(at_);
    return where;
  }

 private:
  void need(std::size_t count) {
    if (remaining() < count) throw Error("the file ends too early", position(), "it may be cut off");
  }
  template <typename T, typename Bits>
  T take() {
    need(sizeof(T));
    Bits bits;
    std::memcpy(&bits, bytes_.data() + at_, sizeof(bits));
    at_ += sizeof(bits);
    if constexpr (kSwap && sizeof(Bits) > 1) {
      if constexpr (sizeof(Bits) == 2)
        bits = __builtin_bswap16(bits);
      else if constexpr (sizeof(Bits) == 4)
        bits = __builtin_bswap32(bits);
      else
        bits = __builtin_bswap64(bits);
    }
    return std::bit_cast<T>(bits);
  }

  const std::string* path_;
  std::string_view bytes_;
  std::size_t at_;
};

template <typename Source>
class Body {
 public:
  Body(const TextFile& file, const PlyHeader& header) : file_(file), header_(header), source_(file, header.body) {}

  Geometry::Data read() {
    const bool haveFaces = readElements();
    if (haveFaces) return weld();
    return std::move(cloud_);
  }

  /// The faces with the colors and texture coordinates of their vertices; nothing for a cloud.
  std::vector<VisualPart> appearances() {
    keep_ = true;
    if (!readElements()) return {};
    VisualPart part;
    part.data.vertices = std::move(cloud_.points);
    part.data.triangles = std::move(mesh_.triangles);
    addColors(part.data);
    addCoordinates(part.data);
    return {std::move(part)};
  }

 private:
  /// Returns whether there are faces.
  bool readElements() {
    bool haveVertices = false, haveFaces = false;
    for (const PlyElement& element : header_.elements) {
      if (element.properties.empty()) continue;
      if (element.count > source_.remaining() / element.shortest(Source::text) + 1)
        throw Error("the header promises " + std::to_string(element.count) + " of '" + element.name.substr(0, 40) +
                        "', more than the file can hold",
                    file_.position(element.offset), "the file may have been cut off, or the header is wrong");
      const int indices = std::max(element.find("vertex_indices"), element.find("vertex_index"));
      if (element.name == "vertex") {
        if (haveVertices) throw Error("there are two elements 'vertex'", file_.position(element.offset));
        readVertices(element);
        haveVertices = true;
      } else if ((element.name == "face" || element.name == "tristrips") && indices >= 0) {
        if (!haveVertices) throw Error("faces stand before the vertices", file_.position(element.offset));
        readFaces(element, indices, element.name == "tristrips");
        haveFaces = haveFaces || element.count > 0;
      } else {
        for (std::size_t i = 0; i < element.count; ++i)
          for (const PlyProperty& property : element.properties) skip(property);
      }
    }
    if (!haveVertices) throw Error("the file has no element 'vertex'", file_.position(0));
    return haveFaces;
  }

  const PointCloud::Property* first(std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (const PointCloud::Property* property = cloud_.property(name)) return property;
    return nullptr;
  }

  /// True for the properties that count to 255.
  bool isInteger(const std::string& name) const {
    for (const PlyElement& element : header_.elements)
      if (const int at = element.find(name); element.name == "vertex" && at >= 0)
        return !isReal(element.properties[static_cast<std::size_t>(at)].type);
    return false;
  }

  void addColors(VisualMeshData& data) const {
    const PointCloud::Property *red = first({"red", "diffuse_red", "r"}),
                               *green = first({"green", "diffuse_green", "g"}),
                               *blue = first({"blue", "diffuse_blue", "b"}), *alpha = first({"alpha", "a"});
    if (red == nullptr || green == nullptr || blue == nullptr) return;
    const bool integers = isInteger(red->name);
    for (std::size_t i = 0; i < data.vertices.size(); ++i) {
      const double numbers[4] = {red->values[i], green->values[i], blue->values[i],
                                 alpha == nullptr ? (integers ? 255 : 1) : alpha->values[i]};
      data.colors.push_back(colorFromNumbers(numbers, integers));
    }
  }

  /// Images begin in the lower left corner here.
  void addCoordinates(VisualMeshData& data) const {
    const PointCloud::Property *u = first({"s", "u", "texture_u"}), *v = first({"t", "v", "texture_v"});
    if (u == nullptr || v == nullptr) return;
    for (std::size_t i = 0; i < data.vertices.size(); ++i) {
      const Eigen::Vector2d at(u->values[i], 1 - v->values[i]);
      data.textureCoordinates.push_back(at.allFinite() ? Eigen::Vector2f(at.cast<float>())
                                                       : Eigen::Vector2f(Eigen::Vector2f::Zero()));
    }
  }

  void skip(const PlyProperty& property) {
    if (!property.isList) return source_.skip(property.type);
    const std::size_t count = listLength(property);
    for (std::size_t i = 0; i < count; ++i) source_.skip(property.type);
  }

  std::size_t listLength(const PlyProperty& property) {
    const Source before = source_;
    const std::int64_t count = source_.integer(property.countType);
    const std::size_t each = Source::text ? 2 : sizeOf(property.type);
    if (count < 0 || static_cast<std::size_t>(count) > source_.remaining() / each + 1)
      throw Error("a list claims " + std::to_string(count) + " entries, more than the file can hold",
                  Source(before).position());
    return static_cast<std::size_t>(count);
  }

  void readVertices(const PlyElement& element) {
    const int axes[3] = {element.find("x"), element.find("y"), element.find("z")};
    for (int i = 0; i < 3; ++i)
      if (axes[i] < 0 || element.properties[static_cast<std::size_t>(axes[i])].isList)
        throw Error(std::string("the vertices have no property '") + "xyz"[i] + "'", file_.position(element.offset));
    // Where each property goes: 0 to 2 the coordinates, from 3 on the properties of the cloud, -1 nowhere.
    std::vector<int> targets;
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const auto axis = std::find(axes, axes + 3, static_cast<int>(i));
      if (axis != axes + 3) {
        targets.push_back(static_cast<int>(axis - axes));
      } else if (element.properties[i].isList) {
        targets.push_back(-1);
      } else {
        targets.push_back(3 + static_cast<int>(cloud_.properties.size()));
        const std::string& name = element.properties[i].name;
        cloud_.properties.push_back({name == "nx"   ? "normal_x"
                                     : name == "ny" ? "normal_y"
                                     : name == "nz" ? "normal_z"
                                                    : name,
                                     {}});
      }
    }
    const bool keep = keep_ || !willHaveFaces();
    cloud_.points.reserve(element.count);
    if (keep)
      for (auto& property : cloud_.properties) property.values.reserve(element.count);
    for (std::size_t i = 0; i < element.count; ++i) {
      points_.pass();
      Vector3d p;
      for (std::size_t k = 0; k < element.properties.size(); ++k) {
        const PlyProperty& property = element.properties[k];
        const int target = targets[k];
        if (target < 0 || (target >= 3 && !keep)) {
          skip(property);
        } else {
          const double value = source_.real(property.type);
          if (target < 3)
            p[target] = value;
          else
            cloud_.properties[static_cast<std::size_t>(target - 3)].values.push_back(value);
        }
      }
      if (!p.allFinite())
        throw Error("vertex " + std::to_string(i) + " has a coordinate that is not finite", source_.position());
      cloud_.points.push_back(p);
    }
  }

  bool willHaveFaces() const {
    return std::any_of(header_.elements.begin(), header_.elements.end(), [](const PlyElement& element) {
      return (element.name == "face" || element.name == "tristrips") && element.count > 0 &&
             (element.find("vertex_indices") >= 0 || element.find("vertex_index") >= 0);
    });
  }

  int vertexIndex(PlyType type, std::size_t face, bool strip) {
    const std::int64_t index = source_.integer(type);
    if (strip && index == -1) return -1;
    if (index < 0 || index >= static_cast<std::int64_t>(cloud_.points.size()))
      throw Error("face " + std::to_string(face) + " names vertex " + std::to_string(index) + "; there are " +
                      std::to_string(cloud_.points.size()),
                  source_.position());
    return static_cast<int>(index);
  }

  void readFaces(const PlyElement& element, int indices, bool strips) {
    const PlyProperty& list = element.properties[static_cast<std::size_t>(indices)];
    if (!list.isList || isReal(list.type))
      throw Error("'" + list.name + "' must be a list of whole numbers", file_.position(element.offset));
    mesh_.triangles.reserve(mesh_.triangles.size() + element.count);
    std::vector<int> corners;
    for (std::size_t i = 0; i < element.count; ++i) {
      points_.pass();
      if constexpr (!Source::text) {
        // Triangles and nothing else, as nearly everybody writes them.
        const bool plain = element.properties.size() == 1 && !strips && sizeOf(list.countType) == 1 &&
                           (list.type == PlyType::int32 || list.type == PlyType::uint32);
        if (std::array<int, 3> triangle; plain && source_.triangle(cloud_.points.size(), triangle)) {
          addPolygon(triangle, mesh_);
          continue;
        }
      }
      for (std::size_t k = 0; k < element.properties.size(); ++k) {
        if (k != static_cast<std::size_t>(indices)) {
          skip(element.properties[k]);
          continue;
        }
        const std::size_t count = listLength(list);
        corners.clear();
        for (std::size_t c = 0; c < count; ++c) corners.push_back(vertexIndex(list.type, i, strips));
        if (strips)
          addStrips(corners);
        else
          addPolygon(corners, mesh_);
      }
    }
  }

  /// Each vertex from the third on makes a triangle with the two before, every other one turned over; -1 starts anew.
  void addStrips(const std::vector<int>& strip) {
    std::size_t start = 0;
    for (std::size_t i = 0; i < strip.size(); ++i) {
      if (strip[i] < 0) {
        start = i + 1;
      } else if (i >= start + 2) {
        const bool odd = (i - start) % 2 == 1;
        const std::array<int, 3> corners = {strip[i - 2], strip[odd ? i : i - 1], strip[odd ? i - 1 : i]};
        addPolygon(corners, mesh_);
      }
    }
  }

  TriangleMesh weld() {
    mesh_.vertices = std::move(cloud_.points);
    joinVertices(mesh_);
    return std::move(mesh_);
  }

  const TextFile& file_;
  const PlyHeader& header_;
  Source source_;
  bool keep_ = false;  ///< Properties of vertices are kept although there are faces.
  PointCloud cloud_;   ///< The vertices.
  TriangleMesh mesh_;  ///< The faces, in terms of those.
  InterruptionPoints points_;
};

void writeVertices(const std::vector<Vector3d>& points, const std::vector<PointCloud::Property>& properties,
                   std::string& bytes) {
  InterruptionPoints interruptions;
  for (std::size_t i = 0; i < points.size(); ++i) {
    interruptions.pass();
    for (int k = 0; k < 3; ++k) appendBytes(bytes, points[i][k]);
    for (const auto& property : properties) appendBytes(bytes, property.values[i]);
  }
}

}  // namespace

double PlyFormat::probe(std::string_view, std::string_view head) const { return head.starts_with("ply") ? 1 : 0.1; }

namespace {

/// Calls `read` with the body of the file as its encoding has it.
template <typename Read>
auto withBody(const TextFile& file, const PlyHeader& header, Read read) {
  static_assert(std::endian::native == std::endian::little);
  switch (header.encoding) {
    case PlyHeader::Encoding::littleEndian:
      return read(Body<BinarySource<false>>(file, header));
    case PlyHeader::Encoding::bigEndian:
      return read(Body<BinarySource<true>>(file, header));
    case PlyHeader::Encoding::text:
      break;
  }
  return read(Body<TextSource>(file, header));
}

/// The image that a comment names, as several programs write it: "comment TextureFile NAME".
std::string textureOf(const TextFile& file, const PlyHeader& header, ReadContext& context) {
  constexpr std::string_view kComment = "comment TextureFile ";
  const std::string_view head = std::string_view(file.text()).substr(0, header.body);
  const std::size_t at = head.find(kComment);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = head.substr(at + kComment.size());
  return findTexture(std::string(trimmed(rest.substr(0, rest.find('\n')))), context.path, file.position(at), context);
}

}  // namespace

GeometryPtr PlyFormat::readGeometry(ReadContext& context) {
  const TextFile file(context.path, context.content());
  const PlyHeader header = readPlyHeader(file);
  return std::make_shared<Geometry>(withBody(file, header, [](auto body) { return body.read(); }), 0, context.path);
}

std::vector<VisualPart> PlyFormat::readAppearance(ReadContext& context) {
  const TextFile file(context.path, context.content());
  const PlyHeader header = readPlyHeader(file);
  const auto saysMore = [](const PlyElement& element) {
    if (element.name != "vertex") return false;
    for (const char* name : {"red", "diffuse_red", "r", "s", "u", "texture_u"})
      if (element.find(name) >= 0) return true;
    return false;
  };
  if (std::none_of(header.elements.begin(), header.elements.end(), saysMore)) return {};
  std::vector<VisualPart> parts = withBody(file, header, [](auto body) { return body.appearances(); });
  for (VisualPart& part : parts) part.textureFile = textureOf(file, header, context);
  return parts;
}

void PlyFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  const auto* cloud = geometry.as<PointCloud>();
  const TriangleMesh mesh = cloud ? TriangleMesh() : meshToWrite(geometry, path);
  const std::vector<Vector3d>& points = cloud ? cloud->points : mesh.vertices;
  const std::vector<PointCloud::Property> none;
  const auto& properties = cloud ? cloud->properties : none;
  GeometryText header;
  header.line("ply").line("format binary_little_endian 1.0").word("element vertex").integer(points.size()).endLine();
  for (const char* axis : {"x", "y", "z"}) header.word("property double").word(axis).endLine();
  for (const auto& property : properties) {
    const std::string_view name = property.name == "normal_x"   ? std::string_view("nx")
                                  : property.name == "normal_y" ? std::string_view("ny")
                                  : property.name == "normal_z" ? std::string_view("nz")
                                                                : std::string_view(property.name);
    header.word("property double").word(name).endLine();
  }
  if (!cloud)
    header.word("element face").integer(mesh.triangles.size()).endLine().line("property list uchar int vertex_indices");
  header.line("end_header");
  std::string bytes = header.take();
  bytes.reserve(bytes.size() + points.size() * 8 * (3 + properties.size()) + 13 * mesh.triangles.size());
  writeVertices(points, properties, bytes);
  for (const auto& t : mesh.triangles) {
    appendBytes(bytes, std::uint8_t{3});
    for (const int corner : t) appendBytes(bytes, static_cast<std::int32_t>(corner));
  }
  writeFile(path, bytes);
}

}  // namespace mortise::io
