#include "scene_appearance.h"

#include <Eigen/LU>
#include <algorithm>
#include <assimp/material.h>
#include <cmath>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "scene_meshes.h"

namespace mortise::io_assimp {

namespace {

float asShown(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

class AppearanceReader {
 public:
  AppearanceReader(const aiScene& scene, const std::string& path, bool linear)
      : scene_(scene), path_(path), linear_(linear) {}

  VisualPart partOf(const aiMesh& from, const AffineMap& map) const {
    VisualPart part;
    const bool colored = from.HasVertexColors(0);
    unsigned channel = 0;
    if (from.mMaterialIndex < scene_.mNumMaterials) channel = paint(*scene_.mMaterials[from.mMaterialIndex], part);
    const bool textured = channel < AI_MAX_NUMBER_OF_TEXTURECOORDS && from.HasTextureCoords(channel);
    VisualMeshData& data = part.data;
    for (unsigned i = 0; i < from.mNumVertices; ++i) {
      const aiVector3D& v = from.mVertices[i];
      const Vector3d p = map * Vector3d(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
      if (!p.allFinite()) throw Error("a vertex has a coordinate that is not finite", inFile(path_));
      data.vertices.push_back(p);
      if (textured) {
        const aiVector3D& uv = from.mTextureCoords[channel][i];
        const Eigen::Vector2f at(static_cast<float>(uv.x), 1 - static_cast<float>(uv.y));
        data.textureCoordinates.push_back(at.allFinite() ? at : Eigen::Vector2f(Eigen::Vector2f::Zero()));
      }
      if (colored) data.colors.push_back(rgbaOf(from.mColors[0][i]));
    }
    addTriangles(from, map.A.determinant() < 0, data);
    return part;
  }

 private:
  static void addTriangles(const aiMesh& from, bool mirrored, VisualMeshData& data) {
    for (unsigned i = 0; i < from.mNumFaces; ++i) {
      const aiFace& face = from.mFaces[i];
      if (face.mNumIndices != 3) continue;  // Points and lines.
      std::array<int, 3> corners;
      bool inside = true;
      for (std::size_t k = 0; k < 3; ++k) {
        inside = inside && face.mIndices[k] < from.mNumVertices;
        corners[k] = static_cast<int>(face.mIndices[k]);
      }
      if (!inside) continue;
      if (mirrored) std::swap(corners[1], corners[2]);
      data.triangles.push_back(corners);
    }
  }

  Rgba rgbaOf(const aiColor4D& color) const {
    Rgba rgba;
    const ai_real channels[4] = {color.r, color.g, color.b, color.a};
    for (std::size_t k = 0; k < 4; ++k) {
      const float value = static_cast<float>(channels[k]);
      const float inside = std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 0;
      rgba[k] = linear_ && k < 3 ? asShown(inside) : inside;
    }
    return rgba;
  }

  /// Returns the channel of the texture coordinates.
  unsigned paint(const aiMaterial& material, VisualPart& part) const {
    aiString name;
    // The library gives this one to meshes without any.
    if (material.Get(AI_MATKEY_NAME, name) == AI_SUCCESS && name == aiString(AI_DEFAULT_MATERIAL_NAME)) return 0;
    aiColor4D color;
    if (material.Get(AI_MATKEY_BASE_COLOR, color) == AI_SUCCESS ||
        material.Get(AI_MATKEY_COLOR_DIFFUSE, color) == AI_SUCCESS) {
      ai_real opacity = 1;
      material.Get(AI_MATKEY_OPACITY, opacity);
      part.color = rgbaOf(color);
      // Nobody models what cannot be seen; exporters turn transparency round.
      (*part.color)[3] *= opacity > 0 && opacity <= 1 ? static_cast<float>(opacity) : 1;
      if ((*part.color)[3] == 0) (*part.color)[3] = 1;
    }
    unsigned channel = 0;
    for (const aiTextureType type : {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE}) {
      aiString file;
      if (material.GetTexture(type, 0, &file, nullptr, &channel) != AI_SUCCESS) continue;
      if (const aiTexture* embedded = scene_.GetEmbeddedTexture(file.C_Str()))
        addBytes(*embedded, part);
      else
        part.textureFile = file.C_Str();
      // A map replaces the color in COLLADA; programs leave that at white or black then.
      if (part.color && !linear_) part.color = Rgba{1, 1, 1, (*part.color)[3]};
      break;
    }
    return channel;
  }

  /// Only images as files have them; bare pixels (height above 0) are of formats that textures do not come from.
  static void addBytes(const aiTexture& texture, VisualPart& part) {
    if (texture.mHeight != 0 || texture.pcData == nullptr) return;
    part.textureBytes.assign(reinterpret_cast<const char*>(texture.pcData), texture.mWidth);
  }

  const aiScene& scene_;
  const std::string& path_;
  bool linear_;
};

template <typename T>
void putList(const std::vector<T>& list, ByteWriter& out) {
  out.put(static_cast<std::uint64_t>(list.size()));
  for (const T& item : list) out.append(&item, sizeof(T));
}

/// `length`: numbers of type `Scalar` in an item.
template <typename Scalar, typename T>
void getList(std::vector<T>& list, std::size_t length, std::size_t size, ByteReader& in) {
  const auto count = in.get<std::uint64_t>();
  if (count > (size - in.position()) / (length * sizeof(Scalar))) throw Error("a count is larger than what follows");
  list.resize(count);
  for (T& item : list)
    for (std::size_t k = 0; k < length; ++k) item[static_cast<int>(k)] = in.get<Scalar>();
}

}  // namespace

std::vector<VisualPart> appearancesOf(const aiScene& scene, const std::string& path, const AffineMap& toOurs,
                                      bool linear) {
  std::vector<VisualPart> parts;
  const AppearanceReader reader(scene, path, linear);
  forEachMesh(scene, path, toOurs, [&](const aiMesh& mesh, const AffineMap& map) {
    VisualPart part = reader.partOf(mesh, map);
    if (!part.data.triangles.empty()) parts.push_back(std::move(part));
  });
  return parts;
}

void putAppearances(const std::vector<VisualPart>& parts, ByteWriter& out) {
  out.put(static_cast<std::uint64_t>(parts.size()));
  for (const VisualPart& part : parts) {
    putList(part.data.vertices, out);
    putList(part.data.textureCoordinates, out);
    putList(part.data.colors, out);
    putList(part.data.triangles, out);
    out.put(part.color.has_value());
    out.put(part.color.value_or(Rgba()));
    out.put(std::string_view(part.textureFile));
    out.put(std::string_view(part.textureBytes));
  }
}

std::vector<VisualPart> getAppearances(ByteReader& in, std::size_t size) {
  const auto count = in.get<std::uint64_t>();
  if (count > (size - in.position()) / sizeof(std::uint64_t)) throw Error("a count is larger than what follows");
  std::vector<VisualPart> parts(count);
  for (VisualPart& part : parts) {
    getList<double>(part.data.vertices, 3, size, in);
    getList<float>(part.data.textureCoordinates, 2, size, in);
    getList<float>(part.data.colors, 4, size, in);
    getList<int>(part.data.triangles, 3, size, in);
    const bool colored = in.get<bool>();
    const Rgba color = in.get<Rgba>();
    if (colored) part.color = color;
    part.textureFile = in.getString();
    part.textureBytes = in.getString();
  }
  return parts;
}

}  // namespace mortise::io_assimp
