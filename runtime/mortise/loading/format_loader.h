#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "mortise/component/file_format.h"
#include "mortise/loading/resource_path.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Loads files through the registered formats. The format is chosen by extension and content; where several claim a
/// file, the one whose `probe` answers highest. A geometry file is read once a process, under whatever name it is
/// known (`geometry_cache.h`). A loader belongs to one thread; any number of them may work at once.
class FormatLoader final : public ResourceLoader {
 public:
  /// `registry`, `log` and `paths` outlive the loader.
  FormatLoader(Registry& registry, LogSink& log, ResourcePath paths = {});
  ~FormatLoader() override;

  std::string find(std::string_view reference, std::string_view referringFile) override;
  std::optional<FileContent> contentOf(const std::string& path) override;
  /// A bare shape is read as a rigid object or a terrain as well. A world is read to be edited and saved.
  Resource load(FileContent content, std::string_view reference, std::string_view referringFile,
                Diagnostics& diagnostics) override;
  using ResourceLoader::load;
  /// A world as it is simulated. With errors in `diagnostics` it is not to be used.
  World world(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics);

  /// The format that reads a file, or a folder, as that kind of content. Throws `Error` when there is none.
  const ComponentInfo& formatOf(const std::string& path, FileContent content, std::string_view referringFile);
  /// Reads with this format, given settings other than its defaults. `path`: as found; empty where the settings name
  /// all files.
  Resource loadWith(const ComponentInfo& format, const Value& settings, FileContent content, const std::string& path,
                    Diagnostics& diagnostics);

  /// Writes by the first format that claims the extension and writes that kind of content. Throws `Error` with the
  /// extensions that would work when there is none.
  void write(const Resource& value, const std::string& path, Diagnostics& diagnostics);

  /// Everything that formats of this file's extension read, or write.
  std::set<FileContent> readableContents(const std::string& path);
  std::set<FileContent> writableContents(const std::string& path);

  /// Every file that was read so far, as found; for the record of a run's inputs.
  const std::set<std::string>& filesRead() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mortise
