#include "mortise/appearance/glb.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "mortise/json/json_writer.h"

namespace mortise {

namespace {

/// glTF's colors are linear, ours are as screens show them.
double linear(float channel) {
  return channel <= 0.04045f ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Value numbersOf(const Rgba& color) { return std::vector<double>(color.begin(), color.end()); }

/// The properties of a node besides its shape that the page needs.
Value extrasOf(const GlbNode& node) {
  Value extras = Value::map(), own = Value::map();
  extras.set("id", node.id);
  own.set("visual", node.visual);
  own.set("collision", node.collision);
  own.set("defaultColor", node.defaultColor);
  if (node.edges > 0) {
    own.set("edges", node.edges);
    own.set("edgeColor", numbersOf(node.edgeColor));
  }
  if (node.silhouette > 0) {
    own.set("silhouette", node.silhouette);
    own.set("silhouetteColor", numbersOf(node.silhouetteColor));
  }
  if (node.pointSize > 0) own.set("pointSize", node.pointSize);
  extras.set("mortise", std::move(own));
  return extras;
}

class GlbBuilder {
 public:
  void add(const GlbNode& node) {
    if (node.shape.empty()) return;
    Value out = Value::map();
    out.set("name", node.name);
    out.set("mesh", meshOf(node));
    Value matrix = Value::list();
    for (int c = 0; c < 3; ++c) {
      for (int r = 0; r < 3; ++r) matrix.push_back(node.X_WN.R(r, c));
      matrix.push_back(0);
    }
    for (int r = 0; r < 3; ++r) matrix.push_back(node.X_WN.p[r]);
    matrix.push_back(1);
    out.set("matrix", std::move(matrix));
    out.set("extras", extrasOf(node));
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
      if (textures_.size() > 0) {
        Value sampler = Value::map(), samplers = Value::list();
        sampler.set("magFilter", 9729);
        sampler.set("minFilter", 9987);
        sampler.set("wrapS", 10497);
        sampler.set("wrapT", 10497);
        samplers.push_back(std::move(sampler));
        gltf.set("samplers", std::move(samplers));
        gltf.set("images", images_);
        gltf.set("textures", textures_);
      }
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
  /// The mesh of a node; the same for nodes that share all numbers and materials.
  int meshOf(const GlbNode& node) {
    std::vector<std::pair<const void*, int>> key;
    for (const VisualMesh& part : node.shape)
      key.emplace_back(part.data.get(), materialOf(part.material.value_or(VisualMaterial()), node.roughness,
                                                   !part.data->colors.empty()));
    const auto [known, isNew] = meshIndex_.try_emplace(key, static_cast<int>(meshes_.size()));
    if (!isNew) return known->second;
    Value list = Value::list();
    for (std::size_t i = 0; i < key.size(); ++i) {
      auto [primitive, isNewPart] = primitives_.try_emplace(key[i].first);
      if (isNewPart) primitive->second = store(node.shape[i].data);
      Value value = primitive->second;
      value.set("material", key[i].second);
      list.push_back(std::move(value));
    }
    Value mesh = Value::map();
    mesh.set("primitives", std::move(list));
    meshes_.push_back(std::move(mesh));
    return known->second;
  }

  int materialOf(const VisualMaterial& from, float roughness, bool ownColors) {
    const MaterialKey key{from.color, from.texture.get(), roughness, ownColors};
    const auto [known, isNew] = materialIndex_.try_emplace(key, static_cast<int>(materials_.size()));
    if (!isNew) return known->second;
    Value factor = Value::list(), surface = Value::map(), material = Value::map();
    for (std::size_t k = 0; k < 3; ++k) factor.push_back(linear(from.color[k]));
    factor.push_back(static_cast<double>(from.color[3]));
    surface.set("baseColorFactor", std::move(factor));
    if (from.texture != nullptr) {
      Value texture = Value::map();
      texture.set("index", textureOf(from.texture));
      surface.set("baseColorTexture", std::move(texture));
    }
    surface.set("metallicFactor", 0);
    // Four digits: single precision has no more worth writing.
    surface.set("roughnessFactor", std::round(1e4 * static_cast<double>(roughness)) / 1e4);
    material.set("pbrMetallicRoughness", std::move(surface));
    material.set("doubleSided", true);
    if (from.color[3] < 1) material.set("alphaMode", "BLEND");
    materials_.push_back(std::move(material));
    return known->second;
  }

  int textureOf(const TexturePtr& texture) {
    const auto [known, isNew] = textureIndex_.try_emplace(texture.get(), static_cast<int>(textures_.size()));
    if (!isNew) return known->second;
    const std::size_t start = binary_.size();
    binary_ += texture->bytes;
    Value view = Value::map(), image = Value::map(), entry = Value::map();
    view.set("buffer", 0);
    view.set("byteOffset", static_cast<std::int64_t>(start));
    view.set("byteLength", static_cast<std::int64_t>(texture->bytes.size()));
    views_.push_back(std::move(view));
    binary_.resize((binary_.size() + 3) / 4 * 4, '\0');
    image.set("bufferView", static_cast<int>(views_.size()) - 1);
    image.set("mimeType", texture->mime);
    images_.push_back(std::move(image));
    entry.set("sampler", 0);
    entry.set("source", static_cast<int>(images_.size()) - 1);
    textures_.push_back(std::move(entry));
    return known->second;
  }

  /// A primitive without material.
  Value store(const VisualMeshDataPtr& data) {
    kept_.push_back(data);
    const bool surface = !data->triangles.empty();
    const bool smooth = !surface || data->normals.size() == data->vertices.size();
    const VisualMeshData mesh = smooth ? *data : withNormals(*data, kCreaseAngle);
    Value attributes = Value::map(), primitive = Value::map();
    attributes.set("POSITION", positions(mesh.vertices));
    if (surface) attributes.set("NORMAL", vectors(mesh.normals, "VEC3"));
    if (!mesh.colors.empty()) attributes.set("COLOR_0", colors(mesh.colors));
    if (!mesh.textureCoordinates.empty()) attributes.set("TEXCOORD_0", vectors(mesh.textureCoordinates, "VEC2"));
    primitive.set("attributes", std::move(attributes));
    if (surface)
      primitive.set("indices", indices(mesh));
    else
      primitive.set("mode", 0);
    return primitive;
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

  template <typename Vector>
  int vectors(const std::vector<Vector>& list, const char* type) {
    const std::size_t start = binary_.size();
    for (const Vector& vector : list)
      for (Eigen::Index i = 0; i < vector.size(); ++i) put(vector[i]);
    return accessor(start, 34962, 5126, type, list.size(), Value::map());
  }

  int colors(const std::vector<Rgba>& colors) {
    const bool seeThrough = std::any_of(colors.begin(), colors.end(), [](const Rgba& c) { return c[3] < 1; });
    const std::size_t start = binary_.size();
    for (const Rgba& color : colors) {
      for (std::size_t k = 0; k < 3; ++k) put(static_cast<float>(linear(color[k])));
      if (seeThrough) put(color[3]);
    }
    return accessor(start, 34962, 5126, seeThrough ? "VEC4" : "VEC3", colors.size(), Value::map());
  }

  int indices(const VisualMeshData& mesh) {
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
        views_ = Value::list(), images_ = Value::list(), textures_ = Value::list();
  // By addresses; looked up, never walked through. What they belong to is kept.
  using MaterialKey = std::tuple<Rgba, const void*, float, bool>;
  std::map<const void*, Value> primitives_;
  std::map<std::vector<std::pair<const void*, int>>, int> meshIndex_;
  std::map<MaterialKey, int> materialIndex_;
  std::map<const void*, int> textureIndex_;
  std::vector<VisualMeshDataPtr> kept_;
  std::string binary_;
};

}  // namespace

std::string glbOf(std::span<const GlbNode> nodes) {
  GlbBuilder builder;
  for (const GlbNode& node : nodes) builder.add(node);
  return builder.file();
}

}  // namespace mortise
