// Images on surfaces: what is taken, and what is refused before anything decodes it.

#include "mortise/appearance/texture.h"

#include <gtest/gtest.h>

#include "mortise/images/image_reader.h"
#include "mortise/images/png_image.h"
#include "tests/support/error_text.h"

namespace mortise {
namespace {

using test::errorText;

std::string smallPng() { return colorPng(2, 1, std::vector<std::uint32_t>{0xff0000, 0x0000ff}); }

TEST(Textures, KeepTheBytesOfTheirFile) {
  const std::string bytes = smallPng();
  const TexturePtr texture = textureFrom(bytes);
  EXPECT_EQ(texture->mime, "image/png");
  EXPECT_EQ(texture->bytes, bytes);
  const ColorImage image = readColorImage(texture->bytes);
  EXPECT_EQ(image.pixels, (std::vector<std::uint32_t>{0xff0000, 0x0000ff}));
}

TEST(Textures, OthersAreRefused) {
  const std::string png = smallPng();
  EXPECT_NE(errorText([] { textureFrom("BM not an image of ours"); }).find("neither PNG nor JPEG"), std::string::npos);
  EXPECT_NE(errorText([] { textureFrom(""); }).find("neither PNG nor JPEG"), std::string::npos);
  for (const std::size_t length : {8U, 20U, 30U})
    EXPECT_NE(errorText([&] { textureFrom(png.substr(0, length)); }).find("cut off"), std::string::npos) << length;
  std::string large = png;
  large[18] = '\x7f';  // The width in the header.
  const std::string said = errorText([&] { textureFrom(large); });
  EXPECT_NE(said.find("more than textures may have"), std::string::npos) << said;
  EXPECT_NE(errorText([] { textureFrom("\xff\xd8\xff\xe0 cut"); }).find("cut off"), std::string::npos);
}

TEST(Textures, DamagedOnesAreErrorsAndNoCrashes) {
  const std::string png = smallPng();
  for (std::size_t i = 8; i < png.size(); ++i) {
    std::string damaged = png;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    try {
      readColorImage(damaged, 1 << 20);
    } catch (const Error&) {
    }
  }
  EXPECT_NE(errorText([] { readColorImage("\xff\xd8\xff\xe0 cut"); }), "");
  EXPECT_NE(errorText([&] { readColorImage(png, 1); }).find("too many"), std::string::npos);
}

TEST(Textures, KlamptsAreTheSameEveryTime) {
  for (const char* name : {"checker", "noise", "gradient", "colorgradient", "colorgradient_hashmarks"}) {
    const TexturePtr texture = klamptTexture(name);
    ASSERT_NE(texture, nullptr) << name;
    EXPECT_EQ(texture, klamptTexture(name));
    EXPECT_GT(readColorImage(texture->bytes).pixels.size(), 60U);
  }
  EXPECT_EQ(klamptTexture("wood.png"), nullptr);
  const ColorImage rainbow = readColorImage(klamptTexture("colorgradient")->bytes);
  EXPECT_EQ(rainbow.pixels[3], 0xff0000U) << "from red";
  EXPECT_EQ(rainbow.pixels.back() & 0xff, 0xffU) << "to blue";
}

TEST(Textures, AreLaidByPlace) {
  auto data = std::make_shared<VisualMeshData>();
  data->vertices = {{1, 2, 3}, {3, 2, 3}, {1, 6, 7}};
  data->triangles = {{0, 1, 2}};
  const VisualShape shape = {{data, std::nullopt}};
  using Coordinates = std::vector<Eigen::Vector2f>;
  EXPECT_EQ(projected(shape, TextureProjection::xy, false).front().data->textureCoordinates,
            (Coordinates{{1, -1}, {3, -1}, {1, -5}}));
  EXPECT_EQ(projected(shape, TextureProjection::xy, true).front().data->textureCoordinates,
            (Coordinates{{0, 1}, {1, 1}, {0, 0}}));
  EXPECT_EQ(projected(shape, TextureProjection::z, true).front().data->textureCoordinates,
            (Coordinates{{0, 0.5f}, {0, 0.5f}, {1, 0.5f}}));
}

}  // namespace
}  // namespace mortise
