#include "mortise/appearance/texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/images/png_image.h"

namespace mortise {

namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
constexpr std::uint32_t kMaxSide = 8192;

std::uint32_t bigEndian(std::string_view bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return value;
}

void checkSize(std::uint32_t width, std::uint32_t height) {
  if (width == 0 || height == 0) throw Error("the image has no pixels");
  if (width > kMaxSide || height > kMaxSide)
    throw Error("the image has " + std::to_string(width) + " x " + std::to_string(height) +
                    " pixels, more than textures may have",
                {}, "make it smaller: " + std::to_string(kMaxSide) + " pixels a side at most");
}

void checkPng(std::string_view bytes) {
  constexpr std::size_t kHeader = 8 + 8 + 8;
  if (bytes.size() < kHeader || bytes.substr(12, 4) != "IHDR" || bytes.find("IEND") == std::string_view::npos)
    throw Error("the image is cut off");
  checkSize(bigEndian(bytes, 16, 4), bigEndian(bytes, 20, 4));
}

/// Walks through the segments to the one that tells the size.
void checkJpeg(std::string_view bytes) {
  std::size_t at = 2;
  while (at + 9 <= bytes.size() && static_cast<unsigned char>(bytes[at]) == 0xff) {
    const auto marker = static_cast<unsigned char>(bytes[at + 1]);
    if (marker == 0xff) {
      ++at;  // Filling.
      continue;
    }
    const bool sized = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (sized) return checkSize(bigEndian(bytes, at + 7, 2), bigEndian(bytes, at + 5, 2));
    const std::uint32_t length = bigEndian(bytes, at + 2, 2);
    if (length < 2) break;
    at += 2 + length;
  }
  throw Error("the image is cut off");
}

std::uint32_t packed(double r, double g, double b) {
  const auto level = [](double x) { return static_cast<std::uint32_t>(std::clamp(x, 0.0, 1.0) * 255); };
  return level(r) << 16 | level(g) << 8 | level(b);
}

/// Full saturation; the hue in degrees.
std::uint32_t hueColor(double hue, double value) {
  const double sector = hue / 60, x = value * (1 - std::abs(std::fmod(sector, 2.0) - 1));
  switch (static_cast<int>(sector) % 6) {
    case 0:
      return packed(value, x, 0);
    case 1:
      return packed(x, value, 0);
    case 2:
      return packed(0, value, x);
    case 3:
      return packed(0, x, value);
    case 4:
      return packed(x, 0, value);
    default:
      return packed(value, 0, x);
  }
}

TexturePtr pngTexture(int width, int height, const std::vector<std::uint32_t>& pixels) {
  return std::make_shared<const Texture>(Texture{"image/png", colorPng(width, height, pixels)});
}

TexturePtr rainbow(bool hashmarks) {
  constexpr int kSize = 256, kFirst = 3;
  std::vector<std::uint32_t> pixels = {packed(1, 0, 1), packed(1, 0, 1), packed(1, 0, 0)};
  for (int i = kFirst; i < kSize; ++i)
    pixels.push_back(
        hueColor(static_cast<double>(i - kFirst) / (kSize - kFirst) * 240, hashmarks && i % 16 == 0 ? 0.5 : 1));
  return pngTexture(kSize, 1, pixels);
}

constexpr int kSide = 64;

TexturePtr checker() {
  std::vector<std::uint32_t> pixels;
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) pixels.push_back((i <= 32) != (j <= 32) ? 0x808080 : 0xa0a0a0);
  return pngTexture(kSide, kSide, pixels);
}

TexturePtr noise() {
  RandomStream random(0, "noise");
  std::vector<std::uint32_t> pixels;
  for (int i = 0; i < kSide * kSide; ++i) {
    const double offset = 0.2 * random.gaussian();
    const double gray = 0.5 + std::copysign(offset * offset, offset) * 0.3;
    pixels.push_back(packed(gray, gray, gray));
  }
  return pngTexture(kSide, kSide, pixels);
}

TexturePtr grayGradient() {
  std::vector<std::uint32_t> pixels;
  for (std::uint32_t i = 0; i < 64; ++i) pixels.push_back((i << 2) * 0x010101);
  return pngTexture(64, 1, pixels);
}

}  // namespace

TexturePtr textureFrom(std::string bytes) {
  if (bytes.size() > kMaxBytes)
    throw Error("the image has " + std::to_string(bytes.size() >> 20) + " MB, more than textures may have", {},
                "make it smaller: 64 MB at most");
  Texture texture;
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) {
    checkPng(bytes);
    texture.mime = "image/png";
  } else if (bytes.starts_with("\xff\xd8\xff")) {
    checkJpeg(bytes);
    texture.mime = "image/jpeg";
  } else {
    throw Error("the image is neither PNG nor JPEG", {}, "convert it to one of them");
  }
  texture.bytes = std::move(bytes);
  return std::make_shared<const Texture>(std::move(texture));
}

TexturePtr klamptTexture(std::string_view name) {
  static const std::array<std::pair<std::string_view, TexturePtr>, 5> kTextures = {
      {{"checker", checker()},
       {"noise", noise()},
       {"gradient", grayGradient()},
       {"colorgradient", rainbow(false)},
       {"colorgradient_hashmarks", rainbow(true)}}};
  for (const auto& [known, texture] : kTextures)
    if (known == name) return texture;
  return nullptr;
}

VisualShape projected(const VisualShape& shape, TextureProjection projection, bool fit) {
  const AxisAlignedBounds bounds = boundsOf(shape);
  if (bounds.empty()) return shape;
  Vector3d scale = Vector3d::Ones(), offset = Vector3d::Zero();
  if (fit)
    for (int k = 0; k < 3; ++k) {
      const double extent = bounds.max[k] - bounds.min[k];
      scale[k] = extent > 0 ? 1 / extent : 0;
      offset[k] = -bounds.min[k] * scale[k];
    }
  VisualShape result;
  for (const VisualMesh& mesh : shape) {
    auto data = std::make_shared<VisualMeshData>(*mesh.data);
    data->textureCoordinates.clear();
    for (const Vector3d& vertex : data->vertices) {
      const Vector3d at = vertex.cwiseProduct(scale) + offset;
      // Images begin in the upper left corner, Klamp't's in the lower left one.
      const Eigen::Vector2d uv =
          projection == TextureProjection::z ? Eigen::Vector2d(at.z(), 0.5) : Eigen::Vector2d(at.x(), 1 - at.y());
      data->textureCoordinates.push_back(uv.cast<float>());
    }
    result.push_back({std::move(data), mesh.material});
  }
  return result;
}

}  // namespace mortise
