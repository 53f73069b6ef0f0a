#include "mortise/inspect/world_save.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/model/world_description.h"

namespace mortise {

namespace {

namespace fs = std::filesystem;

/// Absolute, without dots; links stay, because what lies beside a link is meant by files that refer to it.
fs::path plainPath(const std::string& file) { return fs::absolute(file).lexically_normal(); }

/// Pictures of terrains, objects and robots; the textures that Klamp't makes itself are not among them.
void visitTextures(WorldDescription& world, const std::function<void(std::string&)>& visit) {
  static const std::set<std::string> kMade = {"", "checker", "noise", "gradient", "colorgradient"};
  const auto take = [&visit](std::vector<Value>& display) {
    for (Value& attributes : display) {
      const Value* texture = attributes.find("texture");
      std::string reference = texture == nullptr ? std::string() : texture->text();
      if (kMade.count(reference) > 0) continue;
      visit(reference);
      attributes.set("texture", Value(reference));
    }
  };
  for (TerrainEntry& entry : world.terrains) take(entry.display);
  for (ObjectEntry& entry : world.objects) take(entry.display);
  for (RobotEntry& entry : world.robots) take(entry.display);
}

/// Calls `visit` with every reference to a file that must be there.
void visitReferences(WorldDescription& world, const std::function<void(std::string&)>& visit) {
  const auto take = [&visit](std::string& reference) {
    if (!reference.empty()) visit(reference);
  };
  for (TerrainEntry& entry : world.terrains) take(entry.file);
  for (ObjectEntry& entry : world.objects) {
    take(entry.file);
    for (ObjectGeometry& geometry : entry.geometry) take(geometry.file);
  }
  for (RobotEntry& entry : world.robots) {
    take(entry.file);
    take(entry.configurationFile);
    take(entry.sensorsFile);
  }
  for (EntitySettings& settings : world.simulation.entities)
    for (SensorSet& set : settings.sensors) take(set.file);
}

bool sameContent(const fs::path& a, const fs::path& b) { return readFile(a.string()) == readFile(b.string()); }

/// The deepest folder that holds all of them.
fs::path commonFolder(const std::vector<fs::path>& files) {
  fs::path common = files.front().parent_path();
  for (const fs::path& file : files) {
    fs::path shared;
    auto a = common.begin();
    for (auto b = file.begin(); a != common.end() && b != file.end() && *a == *b; ++a, ++b) shared /= *a;
    common = shared;
  }
  return common;
}

class Saver {
 public:
  Saver(Registry& registry, LogSink& log, const ResourcePath& paths, Diagnostics& diagnostics)
      : registry_(registry), log_(log), paths_(paths), loader_(registry, log, paths), diagnostics_(diagnostics) {}

  SavedWorld save(const std::string& in, const std::string& out, const WorldSaveOptions& options) {
    WorldDescription world = loader_.load<WorldDescription>(in, {}, diagnostics_);
    diagnostics_.throwIfErrors("'" + in + "' cannot be saved");
    SavedWorld saved;
    saved.file = out;
    // Viewers look for pictures, reading does not; one that is missing stays as it is written.
    visitTextures(world, [&](std::string& reference) { pictureFound(reference, world.file); });
    if (options.copyFiles) {
      copy(world, out, saved);
    } else if (options.references != ReferenceStyle::keep) {
      const fs::path folder = plainPath(out).parent_path();
      visitReferences(world, [&](std::string& reference) {
        if (reference.find("://") != std::string::npos) return;
        const fs::path found = plainPath(loader_.find(reference, world.file));
        reference =
            options.references == ReferenceStyle::absolute ? found.string() : found.lexically_relative(folder).string();
      });
      world.file = out;  // The references are those of the new file already.
    }
    loader_.write(world, out, diagnostics_);
    if (options.copyFiles) findOutside(out, saved);
    return saved;
  }

 private:
  bool pictureFound(const std::string& reference, const std::string& worldFile) {
    try {
      loader_.find(reference, worldFile);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void visitAll(WorldDescription& world, const std::function<void(std::string&)>& visit) {
    visitReferences(world, visit);
    visitTextures(world, [&](std::string& reference) {
      if (pictureFound(reference, world.file)) visit(reference);
    });
  }

  void copy(WorldDescription& world, const std::string& out, SavedWorld& saved) {
    const fs::path target = plainPath(out).replace_extension();
    const fs::path own = plainPath(world.file);
    std::vector<fs::path> files;
    for (const std::string& file : loader_.filesRead())
      if (const fs::path path = plainPath(file); path != own) files.push_back(path);
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    if (files.empty()) return;
    const fs::path root = commonFolder(files);
    for (const fs::path& file : files) {
      const fs::path to = target / file.lexically_relative(root);
      saved.copied.push_back(to.string());
      if (fs::exists(to)) {
        if (!sameContent(file, to))
          throw Error("'" + to.string() + "' is there already and holds something else than '" + file.string() + "'",
                      {}, "save under another name, or remove the folder '" + target.string() + "'");
        continue;
      }
      std::error_code problem;
      fs::create_directories(to.parent_path(), problem);
      if (!problem) fs::copy_file(file, to, problem);
      if (problem) throw Error("cannot copy '" + file.string() + "' to '" + to.string() + "': " + problem.message());
    }
    visitAll(world, [&](std::string& reference) {
      const fs::path found = plainPath(loader_.find(reference, world.file));
      reference = (target.filename() / found.lexically_relative(root)).string();
    });
    world.file = out;
  }

  /// Reads the copy and looks what it needs from elsewhere.
  void findOutside(const std::string& out, SavedWorld& saved) {
    FormatLoader loader(registry_, log_, paths_);
    Diagnostics ignored;  // The same as of the original.
    loader.load<WorldDescription>(out, {}, ignored);
    const fs::path own = plainPath(out), folder = plainPath(out).replace_extension();
    for (const std::string& file : loader.filesRead()) {
      const fs::path path = plainPath(file);
      const fs::path inside = path.lexically_relative(folder);
      if (path != own && (inside.empty() || *inside.begin() == "..")) saved.outside.push_back(path.string());
    }
    if (!saved.outside.empty())
      diagnostics_.warning("the copy needs " + std::to_string(saved.outside.size()) +
                               " files that lie elsewhere, such as '" + saved.outside.front() + "'",
                           inFile(out), "files that refer to packages or absolute paths keep doing so");
  }

  Registry& registry_;
  LogSink& log_;
  const ResourcePath& paths_;
  FormatLoader loader_;
  Diagnostics& diagnostics_;
};

}  // namespace

SavedWorld saveWorld(Registry& registry, LogSink& log, const ResourcePath& paths, const std::string& in,
                     const std::string& out, const WorldSaveOptions& options, Diagnostics& diagnostics) {
  return Saver(registry, log, paths, diagnostics).save(in, out, options);
}

}  // namespace mortise
