#pragma once

/// The interface of a file format. A format reads and writes one or more kinds of content; which ones, and for which
/// extensions, it says when it registers, so that files are matched without loading any library.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mortise/base/diagnostics.h"
#include "mortise/component/host.h"
#include "mortise/component/resource.h"

namespace mortise {

/// Loads what a file refers to, by whatever format can read it.
class ResourceLoader {
 public:
  virtual ~ResourceLoader();
  /// The path of a file, by its `reference` as written in `referringFile`. Throws `Error` that lists every path tried.
  virtual std::string find(std::string_view reference, std::string_view referringFile) = 0;
  /// Returns the content of a file, by its extension and its first bytes; nothing when no format reads it.
  virtual std::optional<FileContent> contentOf(const std::string& path) = 0;
  /// Reads a file as that kind of content. A file that holds another kind is converted where that is possible; what
  /// the conversion loses is a warning. Throws `Error` as `find` does, or the reader's own.
  virtual Resource load(FileContent content, std::string_view reference, std::string_view referringFile,
                        Diagnostics& diagnostics) = 0;

  /// The same by type: `load<RobotDescription>("arm.rob", context.path, context.diagnostics)`.
  template <typename T>
  T load(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) {
    return std::get<T>(load(contentOfType<T>(), reference, referringFile, diagnostics));
  }
};

struct ReadContext {
  std::string path;          ///< The file, as found.
  ResourceLoader& loader;    ///< For files it refers to.
  Diagnostics& diagnostics;  ///< Warnings and errors with positions; throw `Error` only where reading cannot go on.
  /// The bytes of the file where the caller has them already; otherwise null. Use `content`.
  std::shared_ptr<const std::string> bytes = nullptr;

  /// The whole file, read now unless it has been. Throws `Error` with the system's reason.
  std::shared_ptr<const std::string> content() const;
};

struct WriteContext {
  std::string path;          ///< The file to write.
  ResourceLoader& loader;    ///< To read files that the result may refer to.
  Diagnostics& diagnostics;  ///< Takes what the format cannot hold; throw `Error` where writing cannot go on.
};

class FileFormat {
 public:
  virtual ~FileFormat();

  /// Returns how likely this is the right reader, 0 to 1, from the first bytes of the file. Asked only when several
  /// formats claim an extension (`.obj`, `.xml`).
  virtual double probe(std::string_view path, std::string_view head) const;
  /// Returns the kind of content of the file, of those that this format reads; nothing: the first one it registered.
  /// Asked only of formats that read several kinds.
  virtual std::optional<FileContent> contentOf(const std::string& path);

  /// Reads a file. `content` is one of the kinds that the format registered; where the file turns out to hold another
  /// kind, return that, and the loader converts it. The default throws `Error`.
  virtual Resource read(FileContent content, ReadContext& context);
  /// Writes a value of one of the kinds that the format registered. Shapes whose file is known are written as
  /// references, relative to the new file where they can be. The default throws `Error`.
  virtual void write(const Resource& value, WriteContext& context);
};

}  // namespace mortise
