#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

#include "mortise/base/interruption.h"
#include "mortise/geometry/geometry.h"

namespace mortise::io {

/// Builds text of words and numbers; a number is the shortest text that reads back equal. Words of a line are parted by
/// one blank.
class GeometryText {
 public:
  GeometryText& word(std::string_view text);
  GeometryText& real(double value);
  template <std::integral T>
  GeometryText& integer(T value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
    return word({digits, static_cast<std::size_t>(end - digits)});
  }
  GeometryText& vector(const Vector3d& v) { return real(v[0]).real(v[1]).real(v[2]); }
  GeometryText& endLine();
  GeometryText& line(std::string_view text) { return word(text).endLine(); }

  /// The primitive as Klamp't writes it, or `Capsule A B RADIUS`. Throws `Error` naming `path` for other shapes.
  GeometryText& primitive(const Geometry& geometry, const std::string& path);
  /// Vertices and triangles with their counts, the body of a .tri file.
  GeometryText& mesh(const TriangleMesh& mesh);
  /// A whole PCD file in text form.
  GeometryText& cloud(const PointCloud& cloud);

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  InterruptionPoints points_;
};

/// The triangles of a mesh or a heightmap, and of groups made of these. Throws `Error` that names `path` and the type
/// for other shapes: what has no triangles is not turned into some behind one's back.
TriangleMesh meshToWrite(const Geometry& geometry, const std::string& path);

template <typename T>
void appendBytes(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace mortise::io
