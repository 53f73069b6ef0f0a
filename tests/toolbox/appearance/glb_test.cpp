// Scenes as binary glTF: materials, images and numbers that are stored once.

#include "mortise/appearance/glb.h"

#include <cstring>
#include <gtest/gtest.h>

#include "mortise/appearance/texture.h"
#include "mortise/images/png_image.h"
#include "mortise/json/json_reader.h"

namespace mortise {
namespace {

struct Parsed {
  Value json;
  std::string binary;

  explicit Parsed(const std::string& file) {
    std::uint32_t length = 0, rest = 0;
    std::memcpy(&length, file.data() + 12, 4);
    json = JsonReader(std::string_view(file).substr(20, length)).value();
    if (file.size() <= 20 + length) return;
    std::memcpy(&rest, file.data() + 20 + length, 4);
    binary = file.substr(28 + length, rest);
  }
  std::string bytesOf(const Value& view) const {
    return binary.substr(static_cast<std::size_t>(view.integer("byteOffset", 0)),
                         static_cast<std::size_t>(view.integer("byteLength", 0)));
  }
};

VisualMeshDataPtr triangle() {
  auto data = std::make_shared<VisualMeshData>();
  data->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  data->triangles = {{0, 1, 2}};
  data->textureCoordinates = {{0, 0}, {1, 0}, {0, 1}};
  data->colors = {{1, 0.5f, 0, 1}, {1, 0.5f, 0, 1}, {1, 0.5f, 0, 1}};
  return data;
}

GlbNode nodeOf(const VisualMeshDataPtr& data, const VisualMaterial& material, int id) {
  GlbNode node;
  node.name = "body" + std::to_string(id);
  node.id = id;
  node.shape = {{data, material}};
  return node;
}

TEST(GlbFiles, HoldMaterialsNormalsColorsAndImages) {
  const std::string image = colorPng(1, 1, std::vector<std::uint32_t>{0x336699});
  VisualMaterial material{{0.5f, 1, 0, 0.25f}, textureFrom(image)};
  GlbNode node = nodeOf(triangle(), material, 7);
  node.roughness = 0.42f;
  node.collision = false;
  node.edges = 1.5;
  const Parsed file(glbOf(std::span<const GlbNode>(&node, 1)));
  const Value& primitive = file.json.at("meshes")[0].at("primitives")[0];
  for (const char* name : {"POSITION", "NORMAL", "COLOR_0", "TEXCOORD_0"})
    EXPECT_TRUE(primitive.at("attributes").contains(name)) << name;
  const Value& written = file.json.at("materials")[0];
  const std::vector<double> factor = written.at("pbrMetallicRoughness").at("baseColorFactor").asReals();
  EXPECT_NEAR(factor[0], 0.21404, 1e-5) << "linear";
  EXPECT_EQ(factor[3], 0.25);
  EXPECT_EQ(written.string("alphaMode", ""), "BLEND");
  EXPECT_EQ(written.at("pbrMetallicRoughness").real("roughnessFactor", 0), 0.42);
  EXPECT_EQ(file.json.at("images")[0].string("mimeType", ""), "image/png");
  const auto view = static_cast<std::size_t>(file.json.at("images")[0].integer("bufferView", -1));
  EXPECT_EQ(file.bytesOf(file.json.at("bufferViews")[view]), image) << "the file's own bytes";
  const Value& extras = file.json.at("nodes")[0].at("extras");
  EXPECT_EQ(extras.integer("id", -1), 7);
  EXPECT_TRUE(extras.at("mortise").boolean("visual", false));
  EXPECT_FALSE(extras.at("mortise").boolean("collision", true));
  EXPECT_FALSE(extras.at("mortise").boolean("defaultColor", true));
  EXPECT_EQ(extras.at("mortise").real("edges", 0), 1.5);
}

TEST(GlbFiles, StoreWhatIsSharedOnce) {
  const VisualMeshDataPtr data = triangle();
  const VisualMaterial red{{1, 0, 0, 1}, nullptr}, blue{{0, 0, 1, 1}, nullptr};
  const std::vector<GlbNode> nodes = {nodeOf(data, red, 1), nodeOf(data, red, 2), nodeOf(data, blue, 3)};
  const Parsed file(glbOf(nodes));
  EXPECT_EQ(file.json.at("nodes").size(), 3U);
  EXPECT_EQ(file.json.at("meshes").size(), 2U) << "one a color";
  EXPECT_EQ(file.json.at("materials").size(), 2U);
  EXPECT_EQ(file.json.at("accessors").size(), 5U) << "one set of numbers";
  EXPECT_EQ(glbOf(nodes), glbOf(nodes));
}

TEST(GlbFiles, OfNothingAreWhole) {
  const Parsed file(glbOf({}));
  EXPECT_EQ(file.json.at("asset").string("version", ""), "2.0");
  EXPECT_FALSE(file.json.contains("nodes"));
}

}  // namespace
}  // namespace mortise
