#include "mortise/loading/format_loader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "mortise/base/article.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/suggest.h"
#include "mortise/base/text.h"
#include "mortise/geometry/mass_properties.h"
#include "mortise/loading/foreign_model.h"
#include "mortise/loading/geometry_cache.h"
#include "mortise/loading/resource_path.h"
#include "mortise/model/world_description.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/plugin/name_list.h"

namespace mortise {

namespace {

/// Bytes of a file that a format sees when it is asked whether the file is its own.
constexpr std::size_t kProbeSize = 4096;
constexpr int kMaxMounts = 2000;  ///< Of one robot, those of its mounts included.

std::vector<std::string> attribute(const ComponentInfo& info, std::string_view name) {
  const Value* value = info.attributes.find(name);
  return value == nullptr ? std::vector<std::string>() : value->asStrings();
}

/// A folder, there already or to be made, has the extension "/".
bool claimsExtension(const ComponentInfo& info, const std::string& path) {
  if (std::error_code ec; path.ends_with("/") || std::filesystem::is_directory(path, ec)) {
    const auto extensions = attribute(info, "extensions");
    return std::find(extensions.begin(), extensions.end(), "/") != extensions.end();
  }
  const std::string name = lowerCase(std::filesystem::path(path).filename().string());
  for (const auto& extension : attribute(info, "extensions"))
    if (name.ends_with("." + lowerCase(extension))) return true;
  return false;
}

std::string shownExtension(const std::string& extension) { return extension == "/" ? "a folder" : "." + extension; }

/// As many as hints list.
constexpr std::size_t kMostExtensions = 40;

/// The extensions of a format for a hint, but for those that it refuses unless asked for.
void addOffered(const ComponentInfo& info, std::vector<std::string>& extensions) {
  const auto refused = attribute(info, "extensions_on_request");
  for (const auto& extension : attribute(info, "extensions"))
    if (std::find(refused.begin(), refused.end(), extension) == refused.end())
      extensions.push_back(shownExtension(extension));
}

bool handles(const ComponentInfo& info, std::string_view action, std::string_view content) {
  const auto contents = attribute(info, action);
  return std::find(contents.begin(), contents.end(), content) != contents.end();
}

bool reads(const ComponentInfo& info, std::string_view content) { return handles(info, "reads", content); }

std::string headOf(const std::string& path) {
  std::error_code ec;
  if (!std::filesystem::is_regular_file(path, ec)) return {};  // Whatever is read from a pipe is gone.
  std::ifstream file(path, std::ios::binary);
  std::string head(kProbeSize, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  if (head.starts_with("\xef\xbb\xbf")) head.erase(0, 3);  // A byte order mark of UTF-8 says nothing of the format.
  return head;
}

/// "rigid_object" as a person reads it.
std::string spoken(std::string_view content) {
  std::string text(content);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// What a format may ask for while it reads a file.
class FormatHost final : public Host {
 public:
  FormatHost(std::string name, LogSink& log, const ResourcePath& paths)
      : name_(std::move(name)), log_(log), paths_(paths), random_(0, name_) {}
  std::string_view name() const override { return name_; }
  void log(LogLevel level, std::string_view message) override { log_.write(level, name_, message); }
  std::string findResource(std::string_view reference) const override { return paths_.find(reference); }
  RandomStream& random() override { return random_; }
  std::string runDirectory() const override { return {}; }
  void publish(std::string_view, std::span<const double>) override {}  // Nothing runs yet that could listen.

 private:
  std::string name_;
  LogSink& log_;
  const ResourcePath& paths_;
  RandomStream random_;
};

struct OpenFormat {
  std::unique_ptr<FormatHost> host;
  ComponentPtr<FileFormat> format;  // After the host, so that it goes first.
};

}  // namespace

struct FormatLoader::State {
  Registry& registry;
  LogSink& log;
  ResourcePath paths;
  std::map<std::string, OpenFormat> formats;      ///< By component name.
  std::map<std::string, GeometryPtr> geometries;  ///< By path, links resolved.
  std::vector<std::string> reading;               ///< Files being read, outermost first.
  std::set<std::string> filesRead;
  int filesFound = 0;         ///< How often a file was looked up.
  int geometriesLoading = 0;  ///< Nested.
  int robotsMounted = 0;      ///< Read for the sake of the outermost robot being read.

  State(Registry& registryToUse, LogSink& logToUse, ResourcePath pathsToUse)
      : registry(registryToUse), log(logToUse), paths(std::move(pathsToUse)) {}

  std::vector<const ComponentInfo*> candidates(const std::string& path, std::string_view content) const;
  FileFormat& open(const ComponentInfo& info);
  const ComponentInfo* choose(const std::vector<const ComponentInfo*>& candidates, const std::string& path);
  const ComponentInfo& require(const std::string& path, std::string_view content, std::string_view referringFile);

  const ComponentInfo& requireWriter(const std::string& path, std::string_view content);
  std::set<std::string> contents(const std::string& path, std::string_view action);

  template <typename Write>
  void write(const std::string& path, std::string_view content, Write write);

  template <typename Result, typename Reader>
  Result read(FormatLoader& loader, const std::string& path, std::string_view content, std::string_view referringFile,
              Diagnostics& diagnostics, Reader reader, std::shared_ptr<const std::string> bytes = nullptr);
};

/// Formats that claim the file's extension and read `content`; any content when that is empty.
std::vector<const ComponentInfo*> FormatLoader::State::candidates(const std::string& path,
                                                                  std::string_view content) const {
  std::vector<const ComponentInfo*> found;
  for (const auto& info : registry.components())
    if (info.kind == Kind::format && claimsExtension(info, path) && (content.empty() || reads(info, content)))
      found.push_back(&info);
  return found;
}

FileFormat& FormatLoader::State::open(const ComponentInfo& info) {
  const auto at = formats.find(info.name);
  if (at != formats.end()) return *at->second.format;
  Diagnostics diagnostics;
  const Value settings = registry.completeSettings(info, Value::map(), diagnostics);
  diagnostics.throwIfErrors("format '" + info.name + "' has no usable default settings");
  OpenFormat opened;
  opened.host = std::make_unique<FormatHost>(info.name, log, paths);
  opened.format = registry.create<FileFormat>(info, settings, *opened.host);
  return *formats.emplace(info.name, std::move(opened)).first->second.format;
}

/// The candidate that recognises the file best; nullptr when none does. The first wins a tie.
const ComponentInfo* FormatLoader::State::choose(const std::vector<const ComponentInfo*>& candidates,
                                                 const std::string& path) {
  if (candidates.size() == 1) return candidates.front();
  const std::string head = headOf(path);
  const ComponentInfo* best = nullptr;
  double bestLikelihood = 0;
  for (const auto* info : candidates) {
    const double likelihood = open(*info).probe(path, head);
    if (likelihood > bestLikelihood) {
      best = info;
      bestLikelihood = likelihood;
    }
  }
  return best;
}

const ComponentInfo& FormatLoader::State::require(const std::string& path, std::string_view content,
                                                  std::string_view referringFile) {
  if (content == "robot" || content == "world" || content == "rigid_object" || content == "terrain" ||
      content == "geometry")
    refuseForeignModel(path);
  auto matching = candidates(path, content);
  if (matching.empty()) {
    registry.describeRemaining();
    matching = candidates(path, content);
  }
  const SourcePosition where = inFile(std::string(referringFile));
  if (!matching.empty()) {
    if (const auto* chosen = choose(matching, path)) return *chosen;
    std::vector<std::string> names;
    for (const auto* info : matching) names.push_back(info->name);
    throw Error(
        "'" + path + "' is not recognized as " + withArticle(spoken(content)) + " by any format of its extension",
        where, "tried: " + nameList(names));
  }
  std::string message = "no format reads '" + path + "' as " + withArticle(spoken(content));
  std::vector<std::string> otherwise;
  for (const auto* info : candidates(path, {}))
    for (const auto& other : attribute(*info, "reads")) otherwise.push_back(spoken(other) + " (" + info->name + ")");
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec))
    message = "'" + path + "' is a folder, not " + withArticle(spoken(content));
  else if (!otherwise.empty())
    message += "; its extension belongs to: " + nameList(otherwise);
  std::vector<std::string> extensions;
  for (const auto& info : registry.components()) {
    if (info.kind != Kind::format || !reads(info, content)) continue;
    addOffered(info, extensions);
  }
  throw Error(message, where,
              extensions.empty()
                  ? "no plugin that reads " + withArticle(spoken(content)) + " is installed; see `mortise plugins list`"
                  : withArticle(spoken(content)) + " is read from: " + nameList(extensions, kMostExtensions));
}

const ComponentInfo& FormatLoader::State::requireWriter(const std::string& path, std::string_view content) {
  registry.describeRemaining();
  std::vector<std::string> extensions;
  for (const auto& info : registry.components()) {
    if (info.kind != Kind::format || !handles(info, "writes", content)) continue;
    if (claimsExtension(info, path)) return info;
    addOffered(info, extensions);
  }
  throw Error("no format writes " + withArticle(spoken(content)) + " to '" + path + "'", {},
              extensions.empty()
                  ? "no plugin that writes " + withArticle(spoken(content)) + " is installed"
                  : withArticle(spoken(content)) + " can be written to: " + nameList(extensions, kMostExtensions));
}

std::set<std::string> FormatLoader::State::contents(const std::string& path, std::string_view action) {
  registry.describeRemaining();
  std::set<std::string> found;
  for (const auto& info : registry.components())
    if (info.kind == Kind::format && claimsExtension(info, path))
      for (const auto& content : attribute(info, action)) found.insert(content);
  return found;
}

template <typename Write>
void FormatLoader::State::write(const std::string& path, std::string_view content, Write write) {
  const ComponentInfo& info = requireWriter(path, content);
  std::string problem;
  try {
    return write(open(info));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    problem = e.what();
  } catch (...) {
    problem = "it threw something that is not a std::exception";
  }
  throw Error("format '" + info.name + "' failed to write this file: " + problem, inFile(path));
}

template <typename Result, typename Reader>
Result FormatLoader::State::read(FormatLoader& loader, const std::string& path, std::string_view content,
                                 std::string_view referringFile, Diagnostics& diagnostics, Reader reader,
                                 std::shared_ptr<const std::string> bytes) {
  const ComponentInfo& info = require(path, content, referringFile);
  const std::string key = std::string(content) + ":" + path;
  if (std::find(reading.begin(), reading.end(), key) != reading.end()) {
    std::string chain;
    for (const auto& outer : reading) chain += outer.substr(outer.find(':') + 1) + " -> ";
    throw Error("'" + path + "' refers to itself: " + chain + path, inFile(std::string(referringFile)),
                "remove one of these references");
  }
  if (content == "robot") {
    const auto isRobot = [](const std::string& outer) { return outer.starts_with("robot:"); };
    if (std::none_of(reading.begin(), reading.end(), isRobot)) robotsMounted = 0;
    // Files that each mount the next one twice would not end in anybody's lifetime.
    else if (++robotsMounted > kMaxMounts)
      throw Error("the robot mounts more than " + std::to_string(kMaxMounts) + " others",
                  inFile(std::string(referringFile)), "see whether files mount each other again and again");
  }
  struct Entry {
    std::vector<std::string>& list;
    Entry(std::vector<std::string>& stack, const std::string& name) : list(stack) { list.push_back(name); }
    ~Entry() { list.pop_back(); }
  } entry(reading, key);

  filesRead.insert(path);
  FileFormat& format = open(info);
  ReadContext context{path, loader, diagnostics, std::move(bytes)};
  std::string problem;
  try {
    return std::invoke(reader, format, context);
  } catch (const Error&) {
    throw;  // The kernel's own type; libraries stay loaded, so it outlives nothing.
  } catch (const std::exception& e) {
    problem = e.what();
  } catch (...) {
    problem = "it threw something that is not a std::exception";
  }
  throw Error("format '" + info.name + "' failed to read this file: " + problem, inFile(path));
}

FormatLoader::FormatLoader(Registry& registry, LogSink& log, ResourcePath paths)
    : state_(std::make_unique<State>(registry, log, std::move(paths))) {}

FormatLoader::~FormatLoader() = default;

const std::set<std::string>& FormatLoader::filesRead() const { return state_->filesRead; }

std::string FormatLoader::find(std::string_view reference, std::string_view referringFile) {
  ++state_->filesFound;
  std::string path = state_->paths.find(reference, referringFile);
  state_->filesRead.insert(path);  // Also what formats open on their own: sensors, images, buffers.
  return path;
}

GeometryPtr FormatLoader::geometry(std::string_view reference, std::string_view referringFile,
                                   Diagnostics& diagnostics) {
  const std::string path = find(reference, referringFile);
  std::error_code ec;
  const std::string key = std::filesystem::canonical(path, ec).string();
  if (const auto at = state_->geometries.find(key); at != state_->geometries.end()) return at->second;
  state_->filesRead.insert(path);
  const ComponentInfo& info = state_->require(path, "geometry", referringFile);
  const auto changed = std::filesystem::last_write_time(path, ec);
  // Read once, for the key and for the reader.
  auto bytes = std::make_shared<const std::string>(readFile(path));
  const GeometryKey content =
      geometryKeyOf(*bytes, lowerCase(std::filesystem::path(path).extension().string()), info.name);
  const auto load = [&] {
    LoadedGeometry loaded;
    const int found = state_->filesFound;
    ++state_->geometriesLoading;
    try {
      loaded.geometry = state_->read<GeometryPtr>(*this, path, "geometry", referringFile, loaded.diagnostics,
                                                  &FileFormat::readGeometry, bytes);
    } catch (...) {
      --state_->geometriesLoading;
      for (const Diagnostic& entry : loaded.diagnostics.all()) diagnostics.add(entry);
      throw;
    }
    --state_->geometriesLoading;
    // What other files had a part in, or what changed meanwhile, does not follow from the bytes.
    loaded.cacheable = found == state_->filesFound && std::filesystem::last_write_time(path, ec) == changed;
    return loaded;
  };
  const int errorsBefore = diagnostics.errorCount();
  GeometryPtr geometry = cachedGeometry(content, path, diagnostics, state_->geometriesLoading == 0, load);
  // A file with errors is read again, so that everyone who refers to it hears of them.
  if (diagnostics.errorCount() == errorsBefore) state_->geometries.emplace(key, geometry);
  return geometry;
}

RobotDescription FormatLoader::robot(std::string_view reference, std::string_view referringFile,
                                     Diagnostics& diagnostics) {
  return state_->read<RobotDescription>(*this, find(reference, referringFile), "robot", referringFile, diagnostics,
                                        &FileFormat::readRobot);
}

RigidObject FormatLoader::rigidObject(std::string_view reference, std::string_view referringFile,
                                      Diagnostics& diagnostics) {
  const std::string path = find(reference, referringFile);
  if (!state_->candidates(path, "rigid_object").empty() || state_->candidates(path, "geometry").empty())
    return state_->read<RigidObject>(*this, path, "rigid_object", referringFile, diagnostics,
                                     &FileFormat::readRigidObject);
  // A bare shape is an object of one kilogram, its inertia that of the shape's surface (as Klamp't has it).
  RigidObject object;
  object.name = std::filesystem::path(path).stem().string();
  object.file = std::string(reference);
  object.geometryFile = path;
  object.geometry = geometry(reference, referringFile, diagnostics);
  if (object.geometry) object.inertia = klamptMassProperties(*object.geometry, 1.0);
  return object;
}

Terrain FormatLoader::terrain(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) {
  const std::string path = find(reference, referringFile);
  if (!state_->candidates(path, "terrain").empty() || state_->candidates(path, "geometry").empty())
    return state_->read<Terrain>(*this, path, "terrain", referringFile, diagnostics, &FileFormat::readTerrain);
  Terrain terrain;
  terrain.name = std::filesystem::path(path).stem().string();
  terrain.file = std::string(reference);
  terrain.geometryFile = path;
  terrain.geometry = geometry(reference, referringFile, diagnostics);
  terrain.friction = {terrain.surface.friction};
  return terrain;
}

World FormatLoader::world(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) {
  return state_->read<World>(*this, find(reference, referringFile), "world", referringFile, diagnostics,
                             &FileFormat::readWorld);
}

VectorXd FormatLoader::configuration(std::string_view reference, std::string_view referringFile,
                                     Diagnostics& diagnostics) {
  return state_->read<VectorXd>(*this, find(reference, referringFile), "configuration", referringFile, diagnostics,
                                &FileFormat::readConfiguration);
}

Trajectory FormatLoader::trajectory(std::string_view reference, std::string_view referringFile,
                                    Diagnostics& diagnostics) {
  return state_->read<Trajectory>(*this, find(reference, referringFile), "trajectory", referringFile, diagnostics,
                                  &FileFormat::readTrajectory);
}

Resource FormatLoader::resource(std::string_view kind, std::string_view reference, std::string_view referringFile,
                                Diagnostics& diagnostics) {
  const std::string path = find(reference, referringFile);
  const auto readAs = [&](const std::string& held) -> Resource {
    if (held == "geometry") return geometry(reference, referringFile, diagnostics);
    if (held == "robot" || held == "rigid_object" || held == "terrain" || held == "world")
      return FileResource{held, path};
    return state_->read<Resource>(
        *this, path, held, referringFile, diagnostics,
        [&held](FileFormat& format, ReadContext& context) { return format.readResource(held, context); });
  };
  const std::string held = contentOf(path);
  const auto possible = convertibleKinds(held);
  if (held == kind || std::find(possible.begin(), possible.end(), kind) == possible.end())
    return readAs(std::string(kind));
  Diagnostics losses;
  losses.setStrict(diagnostics.strict());
  const Resource converted = convertResource(readAs(held), kind, losses);
  for (Diagnostic loss : losses.all()) {
    loss.where.file = path;
    diagnostics.add(std::move(loss));
  }
  return converted;
}

ResourceLibrary FormatLoader::library(std::string_view reference, std::string_view referringFile,
                                      Diagnostics& diagnostics) {
  return state_->read<ResourceLibrary>(*this, find(reference, referringFile), "library", referringFile, diagnostics,
                                       &FileFormat::readLibrary);
}

void FormatLoader::writeGeometry(const Geometry& geometry, const std::string& path) {
  state_->write(path, "geometry", [&](FileFormat& format) { format.writeGeometry(geometry, path); });
}

void FormatLoader::writeConfiguration(const VectorXd& q, const std::string& path) {
  state_->write(path, "configuration", [&](FileFormat& format) { format.writeConfiguration(q, path); });
}

void FormatLoader::writeTrajectory(const Trajectory& trajectory, const std::string& path) {
  state_->write(path, "trajectory", [&](FileFormat& format) { format.writeTrajectory(trajectory, path); });
}

void FormatLoader::writeRobot(const RobotDescription& robot, const std::string& path, Diagnostics& diagnostics) {
  WriteContext context{path, *this, diagnostics};
  state_->write(path, "robot", [&](FileFormat& format) { format.writeRobot(robot, context); });
}

void FormatLoader::writeResource(const Resource& resource, const std::string& path, Diagnostics& diagnostics) {
  WriteContext context{path, *this, diagnostics};
  state_->write(path, kindOf(resource), [&](FileFormat& format) { format.writeResource(resource, context); });
}

void FormatLoader::writeLibrary(const ResourceLibrary& library, const std::string& path, Diagnostics& diagnostics) {
  WriteContext context{path, *this, diagnostics};
  state_->write(path, "library", [&](FileFormat& format) { format.writeLibrary(library, context); });
}

WorldDescription FormatLoader::worldDescription(std::string_view reference, std::string_view referringFile,
                                                Diagnostics& diagnostics) {
  return state_->read<WorldDescription>(*this, find(reference, referringFile), "world", referringFile, diagnostics,
                                        &FileFormat::readWorldDescription);
}

void FormatLoader::writeWorld(const WorldDescription& world, const std::string& path, Diagnostics& diagnostics) {
  WriteContext context{path, *this, diagnostics};
  state_->write(path, "world", [&](FileFormat& format) { format.writeWorld(world, context); });
}

void FormatLoader::writeRigidObject(const RigidObject& object, const std::string& path, Diagnostics& diagnostics) {
  WriteContext context{path, *this, diagnostics};
  state_->write(path, "rigid_object", [&](FileFormat& format) { format.writeRigidObject(object, context); });
}

void FormatLoader::writeTerrain(const Terrain& terrain, const std::string& path, Diagnostics& diagnostics) {
  WriteContext context{path, *this, diagnostics};
  state_->write(path, "terrain", [&](FileFormat& format) { format.writeTerrain(terrain, context); });
}

std::set<std::string> FormatLoader::readableContents(const std::string& path) {
  return state_->contents(path, "reads");
}

std::set<std::string> FormatLoader::writableContents(const std::string& path) {
  return state_->contents(path, "writes");
}

std::string FormatLoader::contentOf(const std::string& path) {
  auto matching = state_->candidates(path, {});
  if (matching.empty()) {
    state_->registry.describeRemaining();
    matching = state_->candidates(path, {});
  }
  if (matching.empty()) return {};
  const ComponentInfo* info = state_->choose(matching, path);
  if (info == nullptr) return {};
  const auto contents = attribute(*info, "reads");
  if (contents.size() > 1) {
    const std::string content = state_->open(*info).contentOf(path);
    if (!content.empty()) return content;
  }
  return contents.empty() ? std::string() : contents.front();
}

}  // namespace mortise
