#include "common/gray_image.h"

#include <cstdint>
#include <zlib.h>

#include "common/gray_pixels.h"
#include "common/gray_png.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "text/text_file.h"

namespace mortise::io {

namespace {

/// PGM and PPM: P2 and P3 are text, P5 and P6 binary.
GrayImage readNetpbm(const TextFile& file) {
  Cursor cursor(file);
  const char kind = file.text()[1];
  const bool text = kind == '2' || kind == '3';
  const int channels = kind == '3' || kind == '6' ? 3 : 1;
  cursor.skip(2);
  const int width = cursor.integer("the width of the image"), height = cursor.integer("the height of the image");
  checkImageSize(file.path(), width, height);
  cursor.skipSpace();
  const std::size_t at = cursor.offset();
  const int largest = cursor.integer("the brightness of white");
  if (largest < 1 || largest > 65535) throw Error("the brightness of white must be 1 to 65535", file.position(at));
  const std::size_t count =
      static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * static_cast<std::size_t>(channels);
  const std::size_t each = text ? 2 : (largest > 255 ? 2 : 1);
  if (!text) cursor.skip(1);
  if (count > cursor.remaining() / each + (text ? 1 : 0))
    throw Error("the image ends too early", inFile(file.path()), "it may have been cut off");
  std::vector<std::uint16_t> samples;
  samples.reserve(count);
  const auto* bytes = reinterpret_cast<const unsigned char*>(file.text().data()) + cursor.offset();
  for (std::size_t i = 0; i < count; ++i) {
    const int value = text ? cursor.integer("a pixel") : each == 2 ? bytes[2 * i] * 256 + bytes[2 * i + 1] : bytes[i];
    if (value < 0 || value > largest)
      throw Error("pixel " + std::to_string(i) + " is brighter than white", inFile(file.path()));
    samples.push_back(static_cast<std::uint16_t>(value));
  }
  GrayImage image{width, height, {}};
  image.pixels.reserve(count / static_cast<std::size_t>(channels));
  appendPixels(image, file.path(), {channels, false, largest}, samples);
  return image;
}

std::string bigEndian(std::uint32_t word) {
  word = __builtin_bswap32(word);
  return {reinterpret_cast<const char*>(&word), sizeof(word)};
}

void appendChunk(const std::string& type, const std::string& content, std::string& image) {
  const std::string body = type + content;
  const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  image += bigEndian(static_cast<std::uint32_t>(content.size())) + body + bigEndian(static_cast<std::uint32_t>(crc));
}

}  // namespace

GrayImage readGrayImage(const std::string& path) {
  std::string bytes = readFile(path);
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return readPng(path, bytes);
  if (bytes.size() > 2 && bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '3' || bytes[1] == '5' || bytes[1] == '6'))
    return readNetpbm(TextFile(path, std::move(bytes)));
  throw Error("this is not an image that heights can be read from", inFile(path), "images are PNG or PGM");
}

std::string grayPng(int width, int height, const std::vector<std::uint16_t>& samples) {
  std::string rows;
  rows.reserve((2 * static_cast<std::size_t>(width) + 1) * static_cast<std::size_t>(height));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i % static_cast<std::size_t>(width) == 0) rows += '\0';  // The row has no filter.
    rows += static_cast<char>(samples[i] >> 8);
    rows += static_cast<char>(samples[i] & 0xff);
  }
  std::string packed(::compressBound(rows.size()), '\0');
  uLongf size = packed.size();
  if (::compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                 rows.size()) != Z_OK)
    throw Error("cannot pack the image");
  packed.resize(size);
  std::string image = "\x89PNG\r\n\x1a\n";
  const std::string kind("\x10\0\0\0\0", 5);  // 16 bits, gray, the usual packing and filters, not interlaced.
  appendChunk("IHDR",
              bigEndian(static_cast<std::uint32_t>(width)) + bigEndian(static_cast<std::uint32_t>(height)) + kind,
              image);
  appendChunk("IDAT", packed, image);
  appendChunk("IEND", "", image);
  return image;
}

}  // namespace mortise::io
