#include "mortise/images/png_image.h"

#include <csetjmp>
#include <cstring>
#include <png.h>
#include <vector>

#include "mortise/base/error.h"

namespace mortise {

namespace {

/// The place where libpng puts its bytes and its last words. It is C: no exception may pass through it.
struct PngSink {
  std::vector<unsigned char> bytes;
  std::size_t used = 0;
  char message[160] = {};
};

void onPngError(png_structp png, png_const_charp message) {
  auto* sink = static_cast<PngSink*>(png_get_error_ptr(png));
  std::strncpy(sink->message, message, sizeof(sink->message) - 1);
  png_longjmp(png, 1);
}

void onPngWarning(png_structp, png_const_charp) {}

void onPngWrite(png_structp png, png_bytep data, png_size_t size) {
  auto* sink = static_cast<PngSink*>(png_get_io_ptr(png));
  if (size > sink->bytes.size() - sink->used) png_error(png, "the image is larger than it can be");
  std::memcpy(sink->bytes.data() + sink->used, data, size);
  sink->used += size;
}

void onPngFlush(png_structp) {}

/// Nothing in here has a destructor: libpng leaves by longjmp.
bool encode(PngSink& sink, const unsigned char* samples, std::size_t stride, int width, int height, int depth,
            int type) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, onPngError, onPngWarning);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  if (info == nullptr) {
    png_destroy_write_struct(&png, nullptr);
    return false;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, &sink, onPngWrite, onPngFlush);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), depth, type,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  // Simulated images have few colors and large even areas: quick compression comes close to the best.
  png_set_compression_level(png, 2);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_write_info(png, info);
  for (int row = 0; row < height; ++row) png_write_row(png, samples + static_cast<std::size_t>(row) * stride);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}

std::string encoded(const std::vector<unsigned char>& samples, std::size_t stride, int width, int height, int depth,
                    int type) {
  PngSink sink;
  // What does not compress grows by a filter byte a row and a few bytes a block of the compressor.
  sink.bytes.resize(samples.size() + samples.size() / 100 + static_cast<std::size_t>(height) + 4096);
  if (!encode(sink, samples.data(), stride, width, height, depth, type))
    throw Error(std::string("an image cannot be written as PNG: ") +
                (sink.message[0] != '\0' ? sink.message : "there is not enough memory"));
  return {reinterpret_cast<const char*>(sink.bytes.data()), sink.used};
}

void requirePixels(int width, int height, std::size_t count) {
  if (width <= 0 || height <= 0 || count != static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
    throw Error("an image of " + std::to_string(width) + " x " + std::to_string(height) + " pixels has " +
                std::to_string(count) + " values");
}

}  // namespace

std::string colorPng(int width, int height, std::span<const std::uint32_t> pixels) {
  requirePixels(width, height, pixels.size());
  std::vector<unsigned char> samples;
  samples.reserve(3 * pixels.size());
  for (const std::uint32_t pixel : pixels)
    for (const int shift : {16, 8, 0}) samples.push_back(static_cast<unsigned char>(pixel >> shift & 0xff));
  return encoded(samples, 3 * static_cast<std::size_t>(width), width, height, 8, PNG_COLOR_TYPE_RGB);
}

std::string colorPng(int width, int height, std::span<const std::uint32_t> pixels,
                     std::span<const std::uint8_t> opacities) {
  requirePixels(width, height, pixels.size());
  requirePixels(width, height, opacities.size());
  std::vector<unsigned char> samples;
  samples.reserve(4 * pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    for (const int shift : {16, 8, 0}) samples.push_back(static_cast<unsigned char>(pixels[i] >> shift & 0xff));
    samples.push_back(opacities[i]);
  }
  return encoded(samples, 4 * static_cast<std::size_t>(width), width, height, 8, PNG_COLOR_TYPE_RGB_ALPHA);
}

std::string depthPng(int width, int height, std::span<const std::uint16_t> pixels) {
  requirePixels(width, height, pixels.size());
  std::vector<unsigned char> samples;
  samples.reserve(2 * pixels.size());
  for (const std::uint16_t pixel : pixels) {
    samples.push_back(static_cast<unsigned char>(pixel >> 8));
    samples.push_back(static_cast<unsigned char>(pixel & 0xff));
  }
  return encoded(samples, 2 * static_cast<std::size_t>(width), width, height, 16, PNG_COLOR_TYPE_GRAY);
}

}  // namespace mortise
