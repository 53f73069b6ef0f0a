#pragma once

#include <memory>
#include <string>

#include "mortise/render/picture.h"

namespace mortise::render {

/// Takes pictures one after the other.
class PictureSink {
 public:
  virtual ~PictureSink() = default;
  virtual void add(const Picture& picture) = 0;
  /// Throws `Error` where something could not be written.
  virtual void close() = 0;
};

/// Writes `path` as PNG. Throws `Error` with the system's reason.
void writePng(const Picture& picture, const std::string& path);

/// A folder of 000000.png, 000001.png, ...; made where it is not there.
std::unique_ptr<PictureSink> pictureFolder(const std::string& folder);
/// The picture behind the first `count` ones of such a folder, which an earlier motion left; empty: there is none.
std::string pictureBehind(const std::string& folder, int count);

/// A movie, by the program ffmpeg: VP9 where the name ends in .webm, else H.264 in whatever container the ending says
/// (.mp4, .mkv, .mov). Throws `Error` with what ffmpeg says.
std::unique_ptr<PictureSink> movieFile(const std::string& path, int width, int height, double rate);

}  // namespace mortise::render
