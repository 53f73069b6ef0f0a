#include "common/gray_png.h"

#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <png.h>
#include <string_view>
#include <vector>

#include "common/gray_pixels.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"

namespace mortise::io {

namespace {

/// The bytes that libpng reads from, and its last words. It is C: no exception may pass through it.
struct PngSource {
  const char* bytes = nullptr;
  std::size_t left = 0;
  bool endsEarly = false, endsInChunk = false;
  char message[160] = {};
};

void onPngError(png_structp png, png_const_charp message) {
  auto* source = static_cast<PngSource*>(png_get_error_ptr(png));
  std::strncpy(source->message, message, sizeof(source->message) - 1);
  png_longjmp(png, 1);
}

void onPngWarning(png_structp, png_const_charp) {}

void onPngRead(png_structp png, png_bytep data, png_size_t size) {
  auto* source = static_cast<PngSource*>(png_get_io_ptr(png));
  if (size > source->left) {
    source->endsEarly = true;
    source->endsInChunk = (png_get_io_state(png) & PNG_IO_MASK_LOC) != PNG_IO_CHUNK_HDR;
    png_error(png, "the end of the file");
  }
  std::memcpy(data, source->bytes, size);
  source->bytes += size;
  source->left -= size;
}

// libpng leaves these by longjmp, so nothing in them has a destructor. They return false on an error.

bool readPngHeader(png_structp png, png_infop info, PngSource* source) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, source, onPngRead);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  // Texts and color profiles are passed over, so that they cannot take memory.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_read_info(png, info);
  png_set_packing(png);
  png_read_update_info(png, info);
  return true;
}

bool readPngRow(png_structp png, unsigned char* row) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_read_row(png, row, nullptr);
  return true;
}

bool readPngEnd(png_structp png) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_read_end(png, nullptr);
  return true;
}

class PngReader {
 public:
  PngReader(const std::string& path, const std::string& bytes)
      : path_(path), bytes_(bytes), source_{bytes.data(), bytes.size()} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source_, onPngError, onPngWarning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  GrayImage read() {
    checkHeader();
    if (info_ == nullptr) fail("cannot be read: there is not enough memory");
    if (!readPngHeader(png_, info_, &source_)) explain();
    GrayImage image{width_, height_, {}};
    // Of one row: the pixels grow with what the file really holds, not with what its header announces.
    const std::size_t count = static_cast<std::size_t>(width_) * static_cast<std::size_t>(layout_.channels);
    const std::size_t bytesEach = depth_ == 16 ? 2 : 1;
    std::vector<unsigned char> row(std::max(count * bytesEach, png_get_rowbytes(png_, info_)));
    std::vector<std::uint16_t> samples(count);
    for (int i = 0; i < height_; ++i) {
      if (!readPngRow(png_, row.data())) explain();
      for (std::size_t k = 0; k < count; ++k)
        samples[k] = static_cast<std::uint16_t>(bytesEach == 2 ? row[2 * k] * 256 + row[2 * k + 1] : row[k]);
      appendPixels(image, path_, layout_, samples);
    }
    if (!readPngEnd(png_)) explain();
    return image;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const {
    throw Error("the PNG image " + what, inFile(path_), hint);
  }

  /// The error of libpng in our words.
  [[noreturn]] void explain() const {
    const std::string_view message = source_.message;
    constexpr const char* kCutOff = "it may have been cut off";
    if (source_.endsEarly) fail(source_.endsInChunk ? "ends within a chunk" : "ends too early", kCutOff);
    if (message == "Not enough image data") fail("ends too early", kCutOff);
    // The message begins with the type of the chunk.
    if (message.ends_with(": CRC error")) fail("is damaged: chunk " + std::string(message.substr(0, 4)));
    if (message == "bad adaptive filter value") fail("is damaged: a row has a filter that does not exist");
    if (message.starts_with("IDAT: ")) fail("is damaged: its pixels cannot be unpacked");
    fail("is damaged: " + std::string(message));
  }

  std::uint32_t word(std::size_t at) const { return png_get_uint_32(reinterpret_cast<png_const_bytep>(&bytes_[at])); }

  /// Refuses kinds of images that libpng would read, and sizes before it makes room for them.
  void checkHeader() {
    constexpr std::size_t kStart = 8, kData = kStart + 8, kSize = 13;
    if (bytes_.size() < kData + 4) fail("ends too early", "it may have been cut off");
    if (bytes_.compare(kStart + 4, 4, "IHDR") != 0) fail("does not begin with its header");
    if (word(kStart) != kSize) fail("has a header of the wrong size");
    if (bytes_.size() < kData + kSize + 4) fail("ends within a chunk", "it may have been cut off");
    checkImageSize(path_, word(kData), word(kData + 4));
    width_ = static_cast<int>(word(kData));
    height_ = static_cast<int>(word(kData + 4));
    depth_ = static_cast<unsigned char>(bytes_[kData + 8]);
    const int color = static_cast<unsigned char>(bytes_[kData + 9]);
    if (color == PNG_COLOR_TYPE_PALETTE) fail("has a palette", "save it as a gray image");
    if (bytes_[kData + 12] != PNG_INTERLACE_NONE) fail("is interlaced", "save it without");
    const bool known = color == PNG_COLOR_TYPE_GRAY || color == PNG_COLOR_TYPE_RGB ||
                       color == PNG_COLOR_TYPE_GRAY_ALPHA || color == PNG_COLOR_TYPE_RGB_ALPHA;
    const bool packed = color == PNG_COLOR_TYPE_GRAY && (depth_ == 1 || depth_ == 2 || depth_ == 4);
    if (!known || (depth_ != 8 && depth_ != 16 && !packed)) fail("has a kind of pixels that does not exist");
    layout_.alpha = (color & PNG_COLOR_MASK_ALPHA) != 0;
    layout_.channels = ((color & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1) + (layout_.alpha ? 1 : 0);
    layout_.white = (1 << depth_) - 1;
  }

  const std::string& path_;
  const std::string& bytes_;
  PngSource source_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int width_ = 0, height_ = 0, depth_ = 0;
  PixelLayout layout_;
};

}  // namespace

GrayImage readPng(const std::string& path, const std::string& bytes) { return PngReader(path, bytes).read(); }

}  // namespace mortise::io
