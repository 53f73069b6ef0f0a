#include "common/grey_image.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <zlib.h>

#include "common/text_file.h"
#include "mortise/base/files.h"

namespace mortise::io {

namespace {

constexpr int kLargest = 1 << 15;
/// An image of one color packs a thousand times smaller than the heights that it becomes.
constexpr std::int64_t kMostPixels = 25'000'000;

/// Puts samples of all channels of each pixel together to one brightness.
GreyImage fromSamples(const std::string& path, int width, int height, int channels, bool alpha, int largest,
                      const std::vector<std::uint16_t>& samples) {
  GreyImage image{width, height, {}};
  image.pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const int colours = channels - (alpha ? 1 : 0);
  for (std::size_t i = 0; i < samples.size(); i += static_cast<std::size_t>(channels)) {
    for (int c = 1; c < colours; ++c)
      if (samples[i + static_cast<std::size_t>(c)] != samples[i])
        throw Error("the image has colours; heights are shades of grey", fileOnly(path), "save it as a grey image");
    image.pixels.push_back(static_cast<float>(samples[i]) / static_cast<float>(largest));
  }
  return image;
}

void checkSize(const std::string& path, std::int64_t width, std::int64_t height) {
  if (width < 1 || height < 1 || width > kLargest || height > kLargest)
    throw Error("an image of " + std::to_string(width) + " x " + std::to_string(height) + " pixels cannot be read",
                fileOnly(path), "images have 1 to 32768 rows and columns");
  if (width * height > kMostPixels)
    throw Error("an image of " + std::to_string(width) + " x " + std::to_string(height) +
                    " pixels is too large for a heightmap",
                fileOnly(path), "it may have 25 million pixels; scale it down");
}

/// PGM and PPM: P2 and P3 are text, P5 and P6 binary.
GreyImage readNetpbm(const TextFile& file) {
  Cursor cursor(file);
  const char kind = file.text()[1];
  const bool text = kind == '2' || kind == '3';
  const int channels = kind == '3' || kind == '6' ? 3 : 1;
  cursor.skip(2);
  const int width = cursor.integer("the width of the image"), height = cursor.integer("the height of the image");
  checkSize(file.path(), width, height);
  cursor.skipSpace();
  const std::size_t at = cursor.offset();
  const int largest = cursor.integer("the brightness of white");
  if (largest < 1 || largest > 65535) throw Error("the brightness of white must be 1 to 65535", file.position(at));
  const std::size_t count =
      static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * static_cast<std::size_t>(channels);
  const std::size_t each = text ? 2 : (largest > 255 ? 2 : 1);
  if (!text) cursor.skip(1);
  if (count > cursor.remaining() / each + (text ? 1 : 0))
    throw Error("the image ends too early", fileOnly(file.path()), "it may have been cut off");
  std::vector<std::uint16_t> samples;
  samples.reserve(count);
  const auto* bytes = reinterpret_cast<const unsigned char*>(file.text().data()) + cursor.offset();
  for (std::size_t i = 0; i < count; ++i) {
    const int value = text ? cursor.integer("a pixel") : each == 2 ? bytes[2 * i] * 256 + bytes[2 * i + 1] : bytes[i];
    if (value < 0 || value > largest)
      throw Error("pixel " + std::to_string(i) + " is brighter than white", fileOnly(file.path()));
    samples.push_back(static_cast<std::uint16_t>(value));
  }
  return fromSamples(file.path(), width, height, channels, false, largest, samples);
}

class PngReader {
 public:
  PngReader(const std::string& path, const std::string& bytes) : path_(path), bytes_(bytes) {}

  GreyImage read() {
    readChunks();
    const std::vector<unsigned char> rows = inflateRows();
    return unpack(rows);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const {
    throw Error("the PNG image " + what, fileOnly(path_), hint);
  }

  std::uint32_t word(std::size_t at) const {
    std::uint32_t bits;
    std::memcpy(&bits, bytes_.data() + at, sizeof(bits));
    return __builtin_bswap32(bits);
  }

  void readChunks() {
    for (std::size_t at = 8;;) {
      if (bytes_.size() - at < 12) fail("ends too early", "it may have been cut off");
      const std::size_t length = word(at);
      if (bytes_.size() - at - 12 < length) fail("ends within a chunk", "it may have been cut off");
      const std::string type = bytes_.substr(at + 4, 4);
      const auto* begin = reinterpret_cast<const Bytef*>(bytes_.data() + at + 4);
      if (::crc32(0, begin, static_cast<uInt>(length + 4)) != word(at + 8 + length)) fail("is damaged: chunk " + type);
      if (at == 8 && type != "IHDR") fail("does not begin with its header");
      if (type == "IHDR") readHeader(at + 8, length);
      if (type == "IDAT") packed_.append(bytes_, at + 8, length);
      if (type == "IEND") return;
      at += length + 12;
    }
  }

  void readHeader(std::size_t at, std::size_t length) {
    if (length != 13) fail("has a header of the wrong size");
    checkSize(path_, word(at), word(at + 4));
    width_ = static_cast<int>(word(at));
    height_ = static_cast<int>(word(at + 4));
    depth_ = static_cast<unsigned char>(bytes_[at + 8]);
    const int colour = static_cast<unsigned char>(bytes_[at + 9]);
    const bool interlaced = bytes_[at + 12] != 0;
    if (colour == 3) fail("has a palette", "save it as a grey image");
    if (interlaced) fail("is interlaced", "save it without");
    const bool known = colour == 0 || colour == 2 || colour == 4 || colour == 6;
    if (!known || (depth_ != 8 && depth_ != 16 && !(colour == 0 && (depth_ == 1 || depth_ == 2 || depth_ == 4))))
      fail("has a kind of pixels that does not exist");
    channels_ = colour == 0 ? 1 : colour == 2 ? 3 : colour == 4 ? 2 : 4;
    alpha_ = colour >= 4;
  }

  std::size_t bytesPerRow() const {
    return (static_cast<std::size_t>(width_) * static_cast<std::size_t>(channels_ * depth_) + 7) / 8;
  }

  /// Undoes the compression and the filter of each row.
  std::vector<unsigned char> inflateRows() const {
    const std::size_t stride = bytesPerRow() + 1, size = stride * static_cast<std::size_t>(height_);
    if (size / 1032 > packed_.size()) fail("ends too early", "it may have been cut off");  // Deflate packs no tighter.
    std::vector<unsigned char> rows(size);
    uLongf written = size;
    if (::uncompress(rows.data(), &written, reinterpret_cast<const Bytef*>(packed_.data()), packed_.size()) != Z_OK ||
        written != size)
      fail("is damaged: its pixels cannot be unpacked");
    const std::size_t back = static_cast<std::size_t>(std::max(1, channels_ * depth_ / 8));
    for (int row = 0; row < height_; ++row) {
      unsigned char* line = rows.data() + static_cast<std::size_t>(row) * stride + 1;
      const int filter = line[-1];
      for (std::size_t i = 0; i + 1 < stride; ++i) {
        const int left = i >= back ? line[i - back] : 0;
        const int up = row > 0 ? *(line + i - stride) : 0;
        const int upLeft = row > 0 && i >= back ? *(line + i - stride - back) : 0;
        int predicted = 0;
        switch (filter) {
          case 0:
            break;
          case 1:
            predicted = left;
            break;
          case 2:
            predicted = up;
            break;
          case 3:
            predicted = (left + up) / 2;
            break;
          case 4: {
            const int sum = left + up - upLeft;
            const int a = std::abs(sum - left), b = std::abs(sum - up), c = std::abs(sum - upLeft);
            predicted = a <= b && a <= c ? left : b <= c ? up : upLeft;
            break;
          }
          default:
            fail("is damaged: a row has a filter that does not exist");
        }
        line[i] = static_cast<unsigned char>(line[i] + predicted);
      }
    }
    return rows;
  }

  GreyImage unpack(const std::vector<unsigned char>& rows) const {
    const std::size_t stride = bytesPerRow() + 1,
                      perRow = static_cast<std::size_t>(width_) * static_cast<std::size_t>(channels_);
    std::vector<std::uint16_t> samples;
    samples.reserve(perRow * static_cast<std::size_t>(height_));
    for (int row = 0; row < height_; ++row) {
      const unsigned char* line = rows.data() + static_cast<std::size_t>(row) * stride + 1;
      for (std::size_t i = 0; i < perRow; ++i) {
        if (depth_ == 16) {
          samples.push_back(static_cast<std::uint16_t>(line[2 * i] * 256 + line[2 * i + 1]));
        } else {
          const std::size_t bit = i * static_cast<std::size_t>(depth_);
          const int shift = 8 - depth_ - static_cast<int>(bit % 8);
          samples.push_back(static_cast<std::uint16_t>((line[bit / 8] >> shift) & ((1 << depth_) - 1)));
        }
      }
    }
    return fromSamples(path_, width_, height_, channels_, alpha_, (1 << depth_) - 1, samples);
  }

  const std::string& path_;
  const std::string& bytes_;
  int width_ = 0, height_ = 0, depth_ = 0, channels_ = 0;
  bool alpha_ = false;
  std::string packed_;
};

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

GreyImage readGreyImage(const std::string& path) {
  std::string bytes = readFile(path);
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return PngReader(path, bytes).read();
  if (bytes.size() > 2 && bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '3' || bytes[1] == '5' || bytes[1] == '6'))
    return readNetpbm(TextFile(path, std::move(bytes)));
  throw Error("this is not an image that heights can be read from", fileOnly(path), "images are PNG or PGM");
}

std::string greyPng(int width, int height, const std::vector<std::uint16_t>& samples) {
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
  const std::string kind("\x10\0\0\0\0", 5);  // 16 bits, grey, the usual packing and filters, not interlaced.
  appendChunk("IHDR",
              bigEndian(static_cast<std::uint32_t>(width)) + bigEndian(static_cast<std::uint32_t>(height)) + kind,
              image);
  appendChunk("IDAT", packed, image);
  appendChunk("IEND", "", image);
  return image;
}

}  // namespace mortise::io
