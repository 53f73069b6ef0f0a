#include "mortise/appearance/glb.h"

#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "mortise/appearance/drawn_shape.h"
#include "mortise/json/json_writer.h"

namespace mortise {

namespace {

class GlbBuilder {
 public:
  void add(const GlbNode& node) {
    if (node.geometry == nullptr || node.geometry->empty()) return;
    const std::optional<int> mesh = meshOf(*node.geometry, node.color);
    if (!mesh) return;
    Value out = Value::map();
    out.set("name", node.name);
    out.set("mesh", *mesh);
    Value matrix = Value::list();
    for (int c = 0; c < 3; ++c) {
      for (int r = 0; r < 3; ++r) matrix.push_back(node.X_WN.R(r, c));
      matrix.push_back(0);
    }
    for (int r = 0; r < 3; ++r) matrix.push_back(node.X_WN.p[r]);
    matrix.push_back(1);
    out.set("matrix", std::move(matrix));
    Value extras = Value::map();
    extras.set("id", node.id);
    out.set("extras", std::move(extras));
    nodes_.push_back(std::move(out));
  }

  std::string file() {
    Value gltf = Value::map(), asset = Value::map(), scene = Value::map(), indices = Value::list();
    asset.set("version", "2.0");
    asset.set("generator", "Mortise");
    for (std::size_t i = 0; i < nodes_.size(); ++i) indices.push_back(static_cast<int>(i));
    gltf.set("asset", std::move(asset));
    gltf.set("scene", 0);
    if (indices.size() > 0) scene.set("nodes", std::move(indices));
    Value scenes = Value::list();
    scenes.push_back(std::move(scene));
    gltf.set("scenes", std::move(scenes));
    if (nodes_.size() > 0) {
      gltf.set("nodes", nodes_);
      gltf.set("meshes", meshes_);
      gltf.set("materials", materials_);
      gltf.set("accessors", accessors_);
      gltf.set("bufferViews", views_);
      Value buffer = Value::map(), buffers = Value::list();
      buffer.set("byteLength", static_cast<std::int64_t>(binary_.size()));
      buffers.push_back(std::move(buffer));
      gltf.set("buffers", std::move(buffers));
    }
    std::string json = toJson(gltf, -1);
    json.resize((json.size() + 3) / 4 * 4, ' ');
    binary_.resize((binary_.size() + 3) / 4 * 4, '\0');
    std::string out;
    const auto word = [&](std::uint32_t value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
    word(0x46546c67);  // "glTF"
    word(2);
    word(static_cast<std::uint32_t>(12 + 8 + json.size() + (binary_.empty() ? 0 : 8 + binary_.size())));
    word(static_cast<std::uint32_t>(json.size()));
    word(0x4e4f534a);  // "JSON"
    out += json;
    if (!binary_.empty()) {
      word(static_cast<std::uint32_t>(binary_.size()));
      word(0x004e4942);  // "BIN"
      out += binary_;
    }
    return out;
  }

 private:
  /// The mesh of a shape in a color, made when it is new; its numbers are stored once for all colors.
  std::optional<int> meshOf(const Geometry& geometry, const Color& color) {
    const auto key = std::make_pair(static_cast<const void*>(&geometry.data()), color);
    if (const auto known = meshIndex_.find(key); known != meshIndex_.end()) return known->second;
    auto [parts, isNew] = primitives_.try_emplace(&geometry.data());
    if (isNew) store(geometry, parts->second);
    if (parts->second.empty()) return std::nullopt;
    const int material = materialOf(color);
    Value list = Value::list();
    for (Value primitive : parts->second) {
      primitive.set("material", material);
      list.push_back(std::move(primitive));
    }
    Value mesh = Value::map();
    mesh.set("primitives", std::move(list));
    meshes_.push_back(std::move(mesh));
    return meshIndex_[key] = static_cast<int>(meshes_.size()) - 1;
  }

  int materialOf(const Color& color) {
    const auto [known, isNew] = materialIndex_.try_emplace(color, static_cast<int>(materials_.size()));
    if (!isNew) return known->second;
    Value factor = Value::list(), surface = Value::map(), material = Value::map();
    // glTF's colors are linear, ours are as screens show them.
    for (const float channel : color)
      factor.push_back(channel <= 0.04045f ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4));
    factor.push_back(1);
    surface.set("baseColorFactor", std::move(factor));
    surface.set("metallicFactor", 0);
    surface.set("roughnessFactor", 0.7);
    material.set("pbrMetallicRoughness", std::move(surface));
    material.set("doubleSided", true);
    materials_.push_back(std::move(material));
    return known->second;
  }

  void store(const Geometry& geometry, std::vector<Value>& primitives) {
    const DrawnShape drawn = drawnShape(geometry);
    if (!drawn.mesh.triangles.empty()) {
      Value attributes = Value::map(), primitive = Value::map();
      attributes.set("POSITION", positions(drawn.mesh.vertices));
      primitive.set("attributes", std::move(attributes));
      primitive.set("indices", indices(drawn.mesh));
      primitives.push_back(std::move(primitive));
    }
    if (!drawn.points.empty()) {
      Value attributes = Value::map(), primitive = Value::map();
      attributes.set("POSITION", positions(drawn.points));
      if (drawn.colors.size() == drawn.points.size()) attributes.set("COLOR_0", colors(drawn.colors));
      primitive.set("attributes", std::move(attributes));
      primitive.set("mode", 0);
      primitives.push_back(std::move(primitive));
    }
  }

  int accessor(std::size_t start, int target, int componentType, const char* type, std::size_t count, Value extra) {
    Value view = Value::map();
    view.set("buffer", 0);
    view.set("byteOffset", static_cast<std::int64_t>(start));
    view.set("byteLength", static_cast<std::int64_t>(binary_.size() - start));
    view.set("target", target);
    views_.push_back(std::move(view));
    extra.set("bufferView", static_cast<int>(views_.size()) - 1);
    extra.set("componentType", componentType);
    extra.set("type", type);
    extra.set("count", static_cast<std::int64_t>(count));
    accessors_.push_back(std::move(extra));
    binary_.resize((binary_.size() + 3) / 4 * 4, '\0');
    return static_cast<int>(accessors_.size()) - 1;
  }

  template <typename T>
  void put(T value) {
    binary_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  int positions(const std::vector<Vector3d>& points) {
    const std::size_t start = binary_.size();
    Eigen::Vector3f low = points.front().cast<float>(), high = low;
    for (const Vector3d& p : points) {
      const Eigen::Vector3f f = p.cast<float>();
      low = low.cwiseMin(f);
      high = high.cwiseMax(f);
      for (int i = 0; i < 3; ++i) put(f[i]);
    }
    Value extra = Value::map(), min = Value::list(), max = Value::list();
    for (int i = 0; i < 3; ++i) {
      min.push_back(static_cast<double>(low[i]));
      max.push_back(static_cast<double>(high[i]));
    }
    extra.set("min", std::move(min));
    extra.set("max", std::move(max));
    return accessor(start, 34962, 5126, "VEC3", points.size(), std::move(extra));
  }

  int colors(const std::vector<Color>& colors) {
    const std::size_t start = binary_.size();
    for (const Color& color : colors)
      for (const float channel : color) put(channel);
    return accessor(start, 34962, 5126, "VEC3", colors.size(), Value::map());
  }

  int indices(const TriangleMesh& mesh) {
    const std::size_t start = binary_.size();
    const bool small = mesh.vertices.size() < 65535;
    for (const auto& t : mesh.triangles)
      for (const int vertex : t) {
        if (small)
          put(static_cast<std::uint16_t>(vertex));
        else
          put(static_cast<std::uint32_t>(vertex));
      }
    return accessor(start, 34963, small ? 5123 : 5125, "SCALAR", 3 * mesh.triangles.size(), Value::map());
  }

  Value nodes_ = Value::list(), meshes_ = Value::list(), materials_ = Value::list(), accessors_ = Value::list(),
        views_ = Value::list();
  std::map<const void*, std::vector<Value>> primitives_;  ///< By shape; looked up, never walked through.
  std::map<std::pair<const void*, Color>, int> meshIndex_;
  std::map<Color, int> materialIndex_;
  std::string binary_;
};

}  // namespace

std::string glbOf(std::span<const GlbNode> nodes) {
  GlbBuilder builder;
  for (const GlbNode& node : nodes) builder.add(node);
  return builder.file();
}

}  // namespace mortise
