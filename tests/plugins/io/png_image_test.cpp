#include <cstdint>
#include <zlib.h>

#include "io_test.h"

// PNG images that heights are read from: every kind of pixels and filter, and what is refused.

namespace mortise::test {
namespace {

std::string bigEndian(std::uint32_t word) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(word >> shift & 0xff);
  return bytes;
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return bigEndian(static_cast<std::uint32_t>(data.size())) + body + bigEndian(static_cast<std::uint32_t>(crc));
}

std::string packed(const std::string& rows) {
  std::string bytes(::compressBound(rows.size()), '\0');
  uLongf size = bytes.size();
  ::compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(rows.data()), rows.size());
  bytes.resize(size);
  return bytes;
}

const std::string kSignature = "\x89PNG\r\n\x1a\n";
const std::string kEnd = chunk("IEND", "");

std::string header(std::uint32_t width, std::uint32_t height, int depth, int color, int interlaced = 0) {
  return chunk("IHDR", bigEndian(width) + bigEndian(height) + static_cast<char>(depth) + static_cast<char>(color) +
                           std::string(2, '\0') + static_cast<char>(interlaced));
}

/// Rows begin with the number of their filter.
std::string image(std::uint32_t width, std::uint32_t height, int depth, int color, const std::string& rows) {
  return kSignature + header(width, height, depth, color) + chunk("IDAT", packed(rows)) + kEnd;
}

std::string bytesOf(std::initializer_list<int> values) {
  std::string bytes;
  for (const int value : values) bytes += static_cast<char>(value);
  return bytes;
}

class Heights : public IoTest {
 protected:
  std::string heightmap(const std::string& png) {
    const std::string name = std::to_string(++images_);  // The loader remembers files.
    write(name + "/h.png", png);
    return write(name + "/h.json",
                 "{\"type\": \"Heightmap\", \"xsize\": 1, \"ysize\": 1, \"height_range\": [0, 1], \"heights\": "
                 "\"h.png\"}");
  }
  /// From the upper row down, as the image has them.
  std::vector<double> heightsOf(const std::string& png) {
    const GeometryPtr g = geometry(heightmap(png));
    const auto* map = g->as<HeightmapShape>();
    if (map == nullptr) return {};
    std::vector<double> heights;
    for (int row = map->rows - 1; row >= 0; --row)
      for (int column = 0; column < map->columns; ++column)
        heights.push_back(map->heights[static_cast<std::size_t>(row * map->columns + column)]);
    return heights;
  }
  void expectHeights(const std::string& png, const std::vector<double>& expected) {
    const std::vector<double> heights = heightsOf(png);
    ASSERT_EQ(heights.size(), expected.size());
    for (std::size_t i = 0; i < heights.size(); ++i) EXPECT_NEAR(heights[i], expected[i], 1e-6) << i;
  }
  std::string refusalOf(const std::string& png) {
    const std::string file = heightmap(png);
    return errorText([&] { loader.load<GeometryPtr>(file, {}, diagnostics); });
  }
  void expectRefused(const std::string& png, const std::string& text) {
    const std::string error = refusalOf(png);
    EXPECT_NE(error.find(text), std::string::npos) << text << "\n" << error;
  }

 private:
  int images_ = 0;
};

TEST_F(Heights, OfEveryDepthOfGray) {
  expectHeights(image(4, 2, 1, 0, bytesOf({0, 0b10100000, 0, 0b01100000})), {1, 0, 1, 0, 0, 1, 1, 0});
  expectHeights(image(3, 2, 2, 0, bytesOf({0, 0b00011000, 0, 0b11000000})), {0, 1 / 3., 2 / 3., 1, 0, 0});
  expectHeights(image(3, 2, 4, 0, bytesOf({0, 0x0f, 0x70, 0, 0x12, 0x30})), {0, 1, 7 / 15., 1 / 15., 2 / 15., 3 / 15.});
  expectHeights(image(2, 2, 8, 0, bytesOf({0, 0, 255, 0, 51, 102})), {0, 1, 0.2, 0.4});
  expectHeights(image(2, 2, 16, 0, bytesOf({0, 0, 1, 255, 255, 0, 1, 0, 0, 0})), {1 / 65535., 1, 256 / 65535., 0});
}

TEST_F(Heights, OfColorsThatAreGrayAndWithOpacity) {
  expectHeights(image(2, 2, 8, 2, bytesOf({0, 0, 0, 0, 255, 255, 255, 0, 51, 51, 51, 0, 0, 0})), {0, 1, 0.2, 0});
  expectHeights(image(2, 2, 8, 4, bytesOf({0, 51, 0, 255, 9, 0, 0, 255, 102, 1})), {0.2, 1, 0, 0.4});
  expectHeights(image(2, 2, 8, 6, bytesOf({0, 51, 51, 51, 7, 0, 0, 0, 9, 0, 1, 1, 1, 2, 255, 255, 255, 255})),
                {0.2, 0, 1 / 255., 1});
  expectRefused(image(2, 2, 8, 2, bytesOf({0, 0, 1, 0, 255, 255, 255, 0, 51, 51, 51, 0, 0, 0})),
                "h.png: the image has colors; heights are shades of gray");
}

TEST_F(Heights, WithEveryFilter) {
  const double level = 1 / 255.;
  expectHeights(image(2, 5, 8, 0, bytesOf({0, 10, 20, 1, 10, 10, 2, 1, 1, 3, 6, 20, 4, 5, 5})),
                {10 * level, 20 * level, 10 * level, 20 * level, 11 * level, 21 * level, 11 * level, 36 * level,
                 16 * level, 41 * level});
}

TEST_F(Heights, WithDataInPiecesAndTextsThatArePassedOver) {
  const std::string data = packed(bytesOf({0, 0, 255, 0, 51, 102}));
  expectHeights(kSignature + header(2, 2, 8, 0) + chunk("tEXt", "Comment") + chunk("gAMA", bigEndian(100000)) +
                    chunk("IDAT", data.substr(0, 5)) + chunk("IDAT", data.substr(5)) + chunk("zzZz", "?") + kEnd,
                {0, 1, 0.2, 0.4});
}

TEST_F(Heights, RefuseOtherKindsOfPng) {
  const std::string rows = chunk("IDAT", packed(std::string(100, '\0'))) + kEnd;
  expectRefused(kSignature + header(2, 2, 8, 3) + rows, "h.png: the PNG image has a palette");
  expectRefused(kSignature + header(2, 2, 8, 0, 1) + rows, "the PNG image is interlaced");
  expectRefused(kSignature + header(2, 2, 3, 0) + rows, "the PNG image has a kind of pixels that does not exist");
  expectRefused(kSignature + header(2, 2, 4, 2) + rows, "the PNG image has a kind of pixels that does not exist");
  expectRefused(kSignature + header(0, 2, 8, 0) + rows, "an image of 0 x 2 pixels cannot be read");
  expectRefused(kSignature + header(40000, 2, 8, 0) + rows, "an image of 40000 x 2 pixels cannot be read");
  expectRefused(kSignature + header(0xffffffffu, 2, 8, 0) + rows, "an image of 4294967295 x 2 pixels cannot be read");
  expectRefused(kSignature + header(30000, 30000, 8, 0) + rows,
                "an image of 30000 x 30000 pixels is too large for a heightmap");
}

TEST_F(Heights, RefuseWhatIsDamaged) {
  const std::string full = image(2, 2, 8, 0, bytesOf({0, 0, 255, 0, 51, 102}));
  for (std::size_t size = kSignature.size(); size < full.size(); ++size)
    expectRefused(full.substr(0, size), "h.png: the PNG image ends ");
  for (std::size_t i = kSignature.size(); i < full.size(); ++i) {
    std::string damaged = full;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_NE(refusalOf(damaged).find("h.png"), std::string::npos) << i;
  }
  std::string checksum = full;
  checksum[full.size() - kEnd.size() - 1] ^= 1;
  expectRefused(checksum, "the PNG image is damaged: chunk IDAT");
  expectRefused(kSignature + chunk("tEXt", "Comment") + full.substr(kSignature.size()),
                "the PNG image does not begin with its header");
  expectRefused(kSignature + chunk("IHDR", "short") + kEnd, "the PNG image has a header of the wrong size");
  expectRefused(image(2, 2, 8, 0, bytesOf({0, 0, 255, 9, 51, 102})),
                "the PNG image is damaged: a row has a filter that does not exist");
  expectRefused(kSignature + header(2, 2, 8, 0) + chunk("IDAT", "this is not packed") + kEnd,
                "the PNG image is damaged: its pixels cannot be unpacked");
  expectRefused(image(2, 3, 8, 0, bytesOf({0, 0, 255, 0, 51, 102})), "the PNG image ");
  // The header announces a hundred megabytes of heights, and the file holds nothing.
  expectRefused(image(5000, 5000, 8, 0, bytesOf({0, 0, 255})), "the PNG image ");
}

}  // namespace
}  // namespace mortise::test
