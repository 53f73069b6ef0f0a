#include "mortise/pipeline/record/written_files.h"

#include <filesystem>
#include <sys/stat.h>

#include "mortise/base/error.h"
#include "mortise/settings/output_path.h"

namespace mortise {

namespace {

namespace fs = std::filesystem;

SourcePosition recordOf(const std::string& folder) {
  SourcePosition where;
  where.file = (fs::path(folder) / "result.json").string();
  where.origin = Origin::log;
  return where;
}

/// Says whether the entry of a result.json describes the file as it is.
bool describes(const Value& stamp, const struct stat& file, bool mayHaveGrown) {
  if (!stamp.isList() || stamp.size() != 3) return false;
  for (const Value& number : stamp.items())
    if (!number.isInteger()) return false;
  const std::int64_t size = stamp[0].asInteger(), modified = stamp[1].asInteger(), inode = stamp[2].asInteger();
  const std::int64_t now = file.st_mtim.tv_sec * std::int64_t{1'000'000'000} + file.st_mtim.tv_nsec;
  if (size == file.st_size && modified == now) return true;
  return mayHaveGrown && static_cast<std::uint64_t>(inode) == file.st_ino && size <= file.st_size && modified <= now;
}

}  // namespace

Value toValue(const WrittenFiles& files) {
  Value map = Value::map();
  for (const auto& [name, stamp] : files) {
    Value entry = Value::list();
    entry.push_back(stamp.size);
    entry.push_back(stamp.modified);
    entry.push_back(static_cast<std::int64_t>(stamp.inode));
    map.entries().push_back({name, std::move(entry), {}});
  }
  return map;
}

std::vector<std::string> unchangedFiles(const std::string& folder, const Value& result) {
  std::vector<std::string> files;
  const Value* written = result.find("written");
  if (written == nullptr || !written->isMap()) return files;
  const bool ended = result.string("status", "") != "running";
  for (const Value::Entry& entry : written->entries()) {
    try {
      const std::string path = outputPath(folder, entry.key, recordOf(folder));
      struct stat status {};
      if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && describes(entry.value, status, !ended))
        files.push_back(entry.key);
    } catch (const Error&) {
      // Outside of the folder: not the run's own, whatever the record says.
    }
  }
  return files;
}

std::vector<std::string> listedFiles(const Value& result) {
  std::vector<std::string> files;
  const Value* listed = result.find("files");
  if (listed == nullptr || !listed->isList()) return files;
  for (const Value& item : listed->items())
    if (item.isString() && !item.asString().empty()) files.push_back(item.asString());
  return files;
}

}  // namespace mortise
