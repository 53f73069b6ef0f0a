#include "mortise/images/image_reader.h"

#include <cstring>
#include <png.h>

#include "mortise/base/error.h"

#if MORTISE_HAVE_JPEG
#include <csetjmp>
#include <cstdio>  // Before jpeglib.h, which needs it.
#include <jpeglib.h>
#endif

namespace mortise {

namespace {

void checkSize(std::size_t width, std::size_t height, std::size_t maxPixels) {
  if (width == 0 || height == 0) throw Error("the image has no pixels");
  if (width > maxPixels / height)
    throw Error("the image has " + std::to_string(width) + " x " + std::to_string(height) + " pixels, too many");
}

void pack(const std::vector<unsigned char>& samples, ColorImage& image) {
  image.pixels.resize(samples.size() / 3);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<std::uint32_t>(samples[3 * i]) << 16 |
                      static_cast<std::uint32_t>(samples[3 * i + 1]) << 8 | samples[3 * i + 2];
}

ColorImage readPng(std::string_view bytes, std::size_t maxPixels) {
  struct Reader {
    png_image image = {};
    ~Reader() { png_image_free(&image); }
  } reader;
  reader.image.version = PNG_IMAGE_VERSION;
  const auto fail = [&] { throw Error("the PNG image cannot be read: " + std::string(reader.image.message)); };
  if (png_image_begin_read_from_memory(&reader.image, bytes.data(), bytes.size()) == 0) fail();
  checkSize(reader.image.width, reader.image.height, maxPixels);
  // Transparent pixels keep their color: it is blended with itself.
  reader.image.format = PNG_FORMAT_RGBA;
  std::vector<unsigned char> samples(PNG_IMAGE_SIZE(reader.image));
  if (png_image_finish_read(&reader.image, nullptr, samples.data(), 0, nullptr) == 0) fail();
  ColorImage image{static_cast<int>(reader.image.width), static_cast<int>(reader.image.height), {}};
  std::vector<unsigned char> opaque;
  opaque.reserve(samples.size() / 4 * 3);
  for (std::size_t i = 0; i < samples.size(); i += 4)
    opaque.insert(opaque.end(), samples.begin() + static_cast<std::ptrdiff_t>(i),
                  samples.begin() + static_cast<std::ptrdiff_t>(i) + 3);
  pack(opaque, image);
  return image;
}

#if MORTISE_HAVE_JPEG

struct JpegFailure {
  jpeg_error_mgr manager;
  std::jmp_buf leave;
  char message[JMSG_LENGTH_MAX] = {};
};

void onJpegError(j_common_ptr info) {
  auto* failure = reinterpret_cast<JpegFailure*>(info->err);
  info->err->format_message(info, failure->message);
  std::longjmp(failure->leave, 1);
}

void onJpegWarning(j_common_ptr, int) {}

/// Reads the head, then the pixels into `samples` once it has room for them. Nothing in here has a destructor: libjpeg
/// leaves by longjmp.
bool decodeJpeg(std::string_view bytes, JpegFailure& failure, std::vector<unsigned char>* samples, ColorImage& image) {
  jpeg_decompress_struct info = {};
  info.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = onJpegError;
  failure.manager.emit_message = onJpegWarning;
  if (setjmp(failure.leave)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  image.width = static_cast<int>(info.image_width);
  image.height = static_cast<int>(info.image_height);
  if (samples != nullptr) {
    jpeg_start_decompress(&info);
    while (info.output_scanline < info.output_height) {
      unsigned char* row = samples->data() + std::size_t{3} * info.output_scanline * info.output_width;
      jpeg_read_scanlines(&info, &row, 1);
    }
  }
  jpeg_destroy_decompress(&info);
  return true;
}

ColorImage readJpeg(std::string_view bytes, std::size_t maxPixels) {
  JpegFailure failure;
  ColorImage image;
  const auto fail = [&] { throw Error("the JPEG image cannot be read: " + std::string(failure.message)); };
  if (!decodeJpeg(bytes, failure, nullptr, image)) fail();
  checkSize(static_cast<std::size_t>(image.width), static_cast<std::size_t>(image.height), maxPixels);
  std::vector<unsigned char> samples(std::size_t{3} * static_cast<std::size_t>(image.width) *
                                     static_cast<std::size_t>(image.height));
  if (!decodeJpeg(bytes, failure, &samples, image)) fail();
  pack(samples, image);
  return image;
}

#else

ColorImage readJpeg(std::string_view, std::size_t) {
  throw Error("this build reads no JPEG images", {}, "build it with libjpeg-dev, or convert the image to PNG");
}

#endif

}  // namespace

ColorImage readColorImage(std::string_view bytes, std::size_t maxPixels) {
  if (bytes.starts_with("\x89PNG")) return readPng(bytes, maxPixels);
  if (bytes.starts_with("\xff\xd8")) return readJpeg(bytes, maxPixels);
  throw Error("the image is neither PNG nor JPEG", {}, "convert it to one of them");
}

}  // namespace mortise
