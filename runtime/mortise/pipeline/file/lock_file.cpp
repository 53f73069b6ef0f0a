#include "mortise/pipeline/file/lock_file.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "mortise/base/files.h"
#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/plugin/abi.h"
#include "mortise/settings/permissions.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

namespace fs = std::filesystem;

namespace {

fs::path real(const fs::path& path) {
  std::error_code code;
  fs::path result = fs::weakly_canonical(fs::absolute(path), code);
  return code ? fs::absolute(path).lexically_normal() : result;
}

std::string relativeTo(const std::string& path, const fs::path& folder) {
  const fs::path relative = real(path).lexically_relative(folder);
  return relative.empty() ? real(path).string() : relative.string();
}

std::string hashOf(const std::string& content) { return formatHash(hashBytes(content.data(), content.size())); }

Value abiValue() {
  const MortiseAbiTag tag = currentAbiTag();
  Value value = Value::map();
  value.set("cxx_abi", tag.cxxAbi);
  value.set("standard_library", tag.standardLibrary);
  value.set("pointer_size", static_cast<std::int64_t>(tag.pointerSize));
  value.set("scalar_size", static_cast<std::int64_t>(tag.scalarSize));
  value.set("eigen_max_align", static_cast<std::int64_t>(tag.eigenMaxAlign));
  value.set("eigen_version", static_cast<std::int64_t>(tag.eigenVersion));
  value.set("sanitizers", tag.sanitizers);
  value.set("kernel_major", static_cast<std::int64_t>(tag.kernelMajor));
  Value interfaces = Value::map();
  for (int i = 0; i < kNumKinds; ++i)
    interfaces.set(kindName(static_cast<Kind>(i)),
                   std::to_string(tag.interfaces[i].major) + "." + std::to_string(tag.interfaces[i].minor));
  value.set("interfaces", std::move(interfaces));
  return value;
}

/// Packages of the libraries opened in this process, by name.
std::map<std::string, std::string> packagesInUse(const Registry& registry) {
  const std::vector<std::string> loaded = registry.loadedLibraries();
  std::map<std::string, std::string> packages;
  for (const ComponentInfo& info : registry.components())
    if (std::find(loaded.begin(), loaded.end(), info.library) != loaded.end()) packages[info.package] = info.version;
  return packages;
}

/// The stages as they are repeated: what ran for a time runs for as many rounds (`replay` in a stage's result).
Value replayedStages(const Pipeline& pipeline, const Value& results) {
  Value stages = pipeline.resolved.at("stages");
  for (std::size_t i = 0; i < pipeline.stages.size() && i < stages.size(); ++i) {
    const PipelineStage& stage = pipeline.stages[i];
    const Value* save = stage.settings.find("save");
    const Value* result = results.find(save != nullptr && save->isString() ? save->asString() : stage.label);
    const Value* replay = result != nullptr && result->isMap() ? result->find("replay") : nullptr;
    if (replay == nullptr || !stages.items()[i].isMap() || stages[i].size() != 1) continue;
    for (const Value::Entry& entry : replay->entries())
      stages.items()[i].entries().front().value.set(entry.key, entry.value);
  }
  return stages;
}

/// The hashes in a result, of states and of paths, by key path.
void collectHashes(const Value& value, const std::string& path, Value& hashes) {
  if (value.isMap()) {
    const Value* hash = value.find("state_hash");
    if (hash == nullptr) hash = value.find("path_hash");
    const Value* backend = value.find("backend");
    if (hash != nullptr && hash->isString())
      hashes.set(backend != nullptr && backend->isString() ? path + "." + backend->asString() : path, *hash);
    for (const Value::Entry& entry : value.entries())
      if (entry.value.isList() || entry.value.isMap())
        collectHashes(entry.value, entry.key == "backends" ? path : path + "." + entry.key, hashes);
  } else if (value.isList()) {
    for (const Value& item : value.items())
      if (item.isMap()) collectHashes(item, path, hashes);
  }
}

Value stateHashes(const Value& results) {
  Value hashes = Value::map();
  for (const Value::Entry& entry : results.entries()) collectHashes(entry.value, entry.key, hashes);
  return hashes;
}

void collectEffective(const Value& value, const std::string& path, Value& effective) {
  if (value.isMap()) {
    if (const Value* settings = value.find("effective")) {
      const Value* backend = value.find("backend");
      effective.set(backend != nullptr && backend->isString() ? path + "." + backend->asString() : path, *settings);
    }
    for (const Value::Entry& entry : value.entries())
      if (entry.key == "backends") collectEffective(entry.value, path, effective);
  } else if (value.isList()) {
    for (const Value& item : value.items()) collectEffective(item, path, effective);
  }
}

/// The plain text of what a person wrote: quantities stay in SI units, as completed.
Value pluginsFrom(const Pipeline& pipeline) {
  const Value* plugins = pipeline.file.root.find("plugins");
  return plugins == nullptr ? Value() : *plugins;
}

}  // namespace

std::string lockFileText(const Pipeline& pipeline, const Registry& registry, const FormatLoader& loader,
                         const Value& results, const std::string& directory, const Value& made) {
  const fs::path folder = real(directory);
  const Value& resolved = pipeline.resolved;
  Value lock = Value::map();
  lock.set("mortise", 1);
  lock.set("name", resolved.at("name"));
  lock.set("seed", resolved.at("seed"));
  lock.set("relative_to", relativeTo(fs::path(pipeline.file.base).parent_path().empty()
                                         ? "."
                                         : fs::path(pipeline.file.base).parent_path().string(),
                                     folder));
  lock.set("world", resolved.at("world"));
  if (const Value plugins = pluginsFrom(pipeline); !plugins.isNull()) lock.set("plugins", plugins);
  lock.set("simulation", resolved.at("simulation"));
  lock.set("components", resolved.at("components"));
  lock.set("stages", replayedStages(pipeline, results));

  Value locked = Value::map();
  const Value* original = pipeline.file.root.findPath("locked.file");
  locked.set("file", original != nullptr ? *original : Value(fs::path(pipeline.file.path).filename().string()));
  locked.set("mortise", MORTISE_VERSION);
  locked.set("abi", abiValue());
  Value plugins = Value::map();
  for (const auto& [package, version] : packagesInUse(registry)) plugins.set(package, version);
  locked.set("plugins", std::move(plugins));
  Value inputs = Value::list();
  std::set<std::string> files = loader.filesRead();
  // A lock file is no input of the run that it repeats, and may be replaced by that run's own.
  if (!pipeline.file.root.contains("locked")) files.insert(pipeline.file.path);
  for (const std::string& file : files) {
    Value input = Value::map();
    input.set("file", relativeTo(file, folder));
    try {
      const std::string content = readFile(file);
      input.set("hash", hashOf(content));
      input.set("bytes", static_cast<std::int64_t>(content.size()));
    } catch (const Error& error) {
      input.set("hash", "unreadable");
    }
    inputs.push_back(std::move(input));
  }
  locked.set("inputs", std::move(inputs));
  Value effective = Value::map();
  for (const Value::Entry& entry : results.entries()) collectEffective(entry.value, entry.key, effective);
  locked.set("effective", std::move(effective));
  locked.set("state_hashes", stateHashes(results));
  Value where = made;
  where.set("folder", folder.string());
  locked.set("made", std::move(where));
  lock.set("locked", std::move(locked));
  return "# How this run was made: every setting with its default, versions, and hashes of what was read.\n"
         "# `mortise run` on this file repeats it.\n" +
         toYaml(lock);
}

std::string lockedFolder(const Value& root, const std::string& path) {
  const std::string own = fs::path(path).parent_path().string();
  const Value* inputs = root.findPath("locked.inputs");
  const Value* made = root.findPath("locked.made.folder");
  if (inputs == nullptr || !inputs->isList() || made == nullptr || !made->isString()) return own;
  const auto found = [&](const std::string& folder) {
    std::error_code code;
    return std::count_if(inputs->items().begin(), inputs->items().end(), [&](const Value& input) {
      // Without "..", which leads nowhere from a folder that is gone.
      return fs::exists((fs::path(folder) / input.string("file", "")).lexically_normal(), code);
    });
  };
  return found(made->asString()) > found(own) ? made->asString() : own;
}

std::vector<std::string> changesSinceLock(const Pipeline& pipeline, const Registry& registry) {
  std::vector<std::string> changes;
  const Value* locked = pipeline.file.root.find("locked");
  if (locked == nullptr || !locked->isMap()) return changes;
  const fs::path folder = lockedFolder(pipeline.file.root, pipeline.file.path);
  if (const Value* inputs = locked->find("inputs"); inputs != nullptr && inputs->isList()) {
    for (const Value& input : inputs->items()) {
      const std::string file = input.string("file", ""), hash = input.string("hash", "");
      const std::string path = (folder / file).lexically_normal().string();
      try {
        // The lock file names it, not the user.
        if (!permissionsOf(input.position().origin).readsStreams) refusePipe(path, pipeline.file.path);
        if (const std::string now = hashOf(readFile(path)); now != hash)
          changes.push_back("'" + path + "' has changed since (hash " + hash + " then, " + now + " now)");
      } catch (const Error& error) {
        changes.push_back("'" + path + "' was read then: " + error.message());
      }
    }
  }
  if (const std::string version = locked->string("mortise", MORTISE_VERSION); version != MORTISE_VERSION)
    changes.push_back("mortise was " + version + " then and is " MORTISE_VERSION " now");
  if (const Value* plugins = locked->find("plugins"); plugins != nullptr && plugins->isMap()) {
    for (const Value::Entry& plugin : plugins->entries())
      for (const ComponentInfo& info : registry.components())
        if (info.package == plugin.key && plugin.value.isScalar() && info.version != plugin.value.text()) {
          changes.push_back("plugin " + plugin.key + " was " + plugin.value.text() + " then and is " + info.version +
                            " now");
          break;
        }
  }
  return changes;
}

std::vector<std::string> differentStateHashes(const Pipeline& pipeline, const Value& results) {
  std::vector<std::string> different;
  const Value* before = pipeline.file.root.findPath("locked.state_hashes");
  if (before == nullptr || !before->isMap()) return different;
  const Value now = stateHashes(results);
  for (const Value::Entry& entry : before->entries()) {
    const Value* hash = now.find(entry.key);
    const std::string text = hash == nullptr ? "nothing" : hash->text();
    if (text != entry.value.text())
      different.push_back(entry.key + ": state hash " + entry.value.text() + " then, " + text + " now");
  }
  return different;
}

}  // namespace mortise
