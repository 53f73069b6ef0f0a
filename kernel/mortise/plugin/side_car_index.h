#pragma once

/// Contents of the side-cars of a folder, in a form that is read without parsing text: an entry holds while side-car
/// and library have the size, the time of change and the inode that they had, else the side-car itself is read. A
/// damaged or foreign index is as good as none.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mortise/plugin/side_car.h"
#include "mortise/plugin/side_car_bytes.h"

namespace mortise {

class SideCarIndex {
 public:
  /// Reads what is kept for a folder: `plugins.index` in it, as installing writes it, and what earlier commands of this
  /// user kept in `$XDG_CACHE_HOME/mortise/plugins` (or the same below `~/.cache`).
  explicit SideCarIndex(std::string folder);

  /// Returns the side-car's contents, if the index knows it and it describes that very library; both are paths. Of
  /// components what lists need, and where the rest is.
  std::optional<SideCarOutline> outline(const std::string& sideCar, const std::string& library) const;
  /// All of it.
  std::optional<SideCar> find(const std::string& sideCar, const std::string& library) const;
  /// `content` was read from the side-car and is not stale.
  void add(const std::string& sideCar, const std::string& library, const SideCar& content);

  /// Keeps what was added for this user's next command. Does nothing when nothing was added or the place cannot be
  /// written: it is a cache.
  void keep() const;
  /// Writes all entries that hold as `plugins.index` into the folder. Throws `Error` with the system's reason.
  void writeToFolder() const;
  bool inFolder() const { return inFolder_; }  ///< The folder has an index of its own.

 private:
  struct FileStamp {
    std::uint64_t size = 0, inode = 0;
    std::int64_t changed = 0;  ///< ns since the epoch.
    bool operator==(const FileStamp&) const = default;
  };
  struct Entry {
    FileStamp sideCar, library;
    std::shared_ptr<const std::string> text;
    std::string_view content;  ///< A part of `text`.
  };
  using Entries = std::map<std::string, Entry>;  ///< By path of the side-car.

  static std::optional<FileStamp> stampOf(const std::string& path);
  static std::optional<Entries> read(const std::string& file);
  static void write(const std::string& file, const Entries& entries);
  std::string cacheFile() const;

  std::string folder_;
  bool inFolder_ = false;
  Entries shipped_, kept_;
  bool changed_ = false;
};

}  // namespace mortise
