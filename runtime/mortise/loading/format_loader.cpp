#include "mortise/loading/format_loader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/interruption.h"
#include "mortise/base/position.h"
#include "mortise/geometry/klampt_automass.h"
#include "mortise/loading/foreign_model.h"
#include "mortise/loading/format_list.h"
#include "mortise/loading/geometry_cache.h"
#include "mortise/loading/resource_path.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/modeling/world_compiler.h"
#include "mortise/text/article.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// Bytes of a file that a format sees when it is asked whether the file is its own.
constexpr std::size_t kProbeSize = 4096;
constexpr int kMaxMounts = 2000;  ///< Mounts of one robot, those of its mounts included.

std::vector<std::string> attribute(const ComponentInfo& info, std::string_view name) {
  const Value* value = info.attributes.find(name);
  return value == nullptr ? std::vector<std::string>() : value->asStrings();
}

/// A folder, there already or to be made, has the extension "/".
bool claimsExtension(const ComponentInfo& info, const std::string& path) {
  const std::vector<std::string> extensions = attribute(info, "extensions");
  const std::string name = lowerCase(path.substr(path.rfind('/') + 1));  // npos + 1 is 0.
  const bool folders = std::find(extensions.begin(), extensions.end(), "/") != extensions.end();
  const bool matches = std::any_of(extensions.begin(), extensions.end(), [&](const std::string& extension) {
    return name.ends_with("." + lowerCase(extension));
  });
  if (folders == matches) return matches;  // The system need not be asked, which worlds of ten thousands of files do.
  std::error_code ec;
  const bool isFolder = path.ends_with("/") || std::filesystem::is_directory(path, ec);
  return isFolder ? folders : matches;
}

std::string shownExtension(const std::string& extension) { return extension == "/" ? "a folder" : "." + extension; }

/// The number of extensions that hints list.
constexpr std::size_t kMaxExtensions = 40;

/// The extensions of a format for a hint, but for those that it refuses unless asked for.
void addOffered(const ComponentInfo& info, std::vector<std::string>& extensions) {
  const auto refused = attribute(info, "extensions_on_request");
  for (const auto& extension : attribute(info, "extensions"))
    if (std::find(refused.begin(), refused.end(), extension) == refused.end())
      extensions.push_back(shownExtension(extension));
}

/// Returns the contents that a format "reads" or "writes".
std::vector<FileContent> contentsOf(const ComponentInfo& info, std::string_view action) {
  std::vector<FileContent> contents;
  for (const std::string& name : attribute(info, action))
    if (const auto content = contentFromName(name)) contents.push_back(*content);
  return contents;
}

bool handles(const ComponentInfo& info, std::string_view action, FileContent content) {
  const auto contents = contentsOf(info, action);
  return std::find(contents.begin(), contents.end(), content) != contents.end();
}

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

/// "rigid object", and "a rigid object".
std::string spoken(FileContent content) {
  std::string text(contentName(content));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}
std::string oneOf(FileContent content) { return withArticle(spoken(content)); }

bool isModel(FileContent content) {
  return content == FileContent::robot || content == FileContent::world || content == FileContent::rigidObject ||
         content == FileContent::terrain || content == FileContent::geometry;
}

std::string stemOf(const std::string& path) { return std::filesystem::path(path).stem().string(); }

/// The host of a format while it reads a file.
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

/// Files that are being read, and as what.
using Reading = std::vector<std::pair<FileContent, std::string>>;

/// The value as that kind of content. What the conversion loses, and its errors, concern the file as a whole.
Resource converted(Resource value, FileContent content, const std::string& path, Diagnostics& diagnostics) {
  if (contentOf(value) == content) return value;
  Diagnostics losses;
  losses.setStrict(diagnostics.strict());
  try {
    value = convertResource(value, content, losses);
  } catch (const Error& error) {
    throw Error(error.message(), inFile(path), error.hint());
  }
  for (Diagnostic loss : losses.all()) {
    loss.where = inFile(path);
    diagnostics.add(std::move(loss));
  }
  return value;
}

/// A bare shape is an object of one kilogram, its inertia that of the shape's surface (as in Klamp't).
RigidObject objectOf(GeometryPtr geometry, const std::string& path, std::string_view reference) {
  RigidObject object;
  object.name = stemOf(path);
  object.file = std::string(reference);
  object.geometryFile = path;
  object.geometry = std::move(geometry);
  if (object.geometry) object.inertia = klamptMassProperties(*object.geometry, 1.0);
  return object;
}

Terrain terrainOf(GeometryPtr geometry, const std::string& path, std::string_view reference) {
  Terrain terrain;
  terrain.name = stemOf(path);
  terrain.file = std::string(reference);
  terrain.geometryFile = path;
  terrain.geometry = std::move(geometry);
  return terrain;
}

struct OpenFormat {
  std::unique_ptr<FormatHost> host;
  ComponentPtr<FileFormat> format;  // After the host, so that it goes first.
};

}  // namespace

struct FormatLoader::State {
  Registry& registry;
  FormatList formatList;
  LogSink& log;
  ResourcePath paths;
  std::map<std::string, OpenFormat> formats;      ///< By component name.
  std::map<std::string, GeometryPtr> geometries;  ///< By path, links resolved.
  Reading reading;                                ///< Outermost first.
  std::set<std::string> filesRead;
  int filesFound = 0;         ///< Number of look-ups of files.
  int geometriesLoading = 0;  ///< Nested.
  int robotsMounted = 0;      ///< Read for the sake of the outermost robot being read.

  State(Registry& registryToUse, LogSink& logToUse, ResourcePath pathsToUse)
      : registry(registryToUse), formatList(registryToUse), log(logToUse), paths(std::move(pathsToUse)) {}

  std::vector<const ComponentInfo*> candidates(const std::string& path, std::optional<FileContent> content = {}) const;
  FileFormat& open(const ComponentInfo& info);
  OpenFormat create(const ComponentInfo& info, const Value& settings);
  const ComponentInfo* choose(const std::vector<const ComponentInfo*>& candidates, const std::string& path);
  const ComponentInfo& require(const std::string& path, FileContent content, std::string_view referringFile);
  const ComponentInfo& requireWriter(const std::string& path, FileContent content);
  std::set<FileContent> contents(const std::string& path, std::string_view action);
  bool isBareShape(const std::string& path, FileContent content) const;

  /// Calls a format; what it throws that is not an `Error` becomes one.
  template <typename Call>
  auto guarded(const ComponentInfo& info, FileFormat& format, const char* action, const std::string& path, Call call);

  /// The file as that kind of content, or as what its format makes of it.
  Resource read(FormatLoader& loader, const std::string& path, FileContent content, std::string_view referringFile,
                Diagnostics& diagnostics, std::shared_ptr<const std::string> bytes = nullptr);
  GeometryPtr readGeometry(FormatLoader& loader, const std::string& path, std::string_view referringFile,
                           Diagnostics& diagnostics);
};

/// Formats that claim the file's extension and read `content`, or anything.
std::vector<const ComponentInfo*> FormatLoader::State::candidates(const std::string& path,
                                                                  std::optional<FileContent> content) const {
  std::vector<const ComponentInfo*> found;
  for (const ComponentInfo* info : formatList.all())
    if (claimsExtension(*info, path) && (!content || handles(*info, "reads", *content))) found.push_back(info);
  return found;
}

FileFormat& FormatLoader::State::open(const ComponentInfo& info) {
  const auto at = formats.find(info.name);
  if (at != formats.end()) return *at->second.format;
  Diagnostics diagnostics;
  const Value settings = registry.completeSettings(info, Value::map(), diagnostics);
  diagnostics.throwIfErrors("format '" + info.name + "' has no usable default settings");
  return *formats.emplace(info.name, create(info, settings)).first->second.format;
}

OpenFormat FormatLoader::State::create(const ComponentInfo& info, const Value& settings) {
  OpenFormat opened;
  opened.host = std::make_unique<FormatHost>(info.name, log, paths);
  opened.format = registry.create<FileFormat>(info, settings, *opened.host);
  return opened;
}

/// The candidate that recognizes the file best; nullptr when none does. The first wins a tie.
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

const ComponentInfo& FormatLoader::State::require(const std::string& path, FileContent content,
                                                  std::string_view referringFile) {
  if (isModel(content)) refuseForeignModel(path);
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
    throw Error("'" + path + "' is not recognized as " + oneOf(content) + " by any format of its extension", where,
                "tried: " + nameList(names));
  }
  std::string message = "no format reads '" + path + "' as " + oneOf(content);
  std::vector<std::string> otherwise;
  for (const auto* info : candidates(path))
    for (const FileContent other : contentsOf(*info, "reads"))
      otherwise.push_back(spoken(other) + " (" + info->name + ")");
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec))
    message = "'" + path + "' is a folder, not " + oneOf(content);
  else if (!otherwise.empty())
    message += "; its extension belongs to: " + nameList(otherwise);
  std::vector<std::string> extensions;
  for (const ComponentInfo* info : formatList.all())
    if (handles(*info, "reads", content)) addOffered(*info, extensions);
  throw Error(message, where,
              extensions.empty()
                  ? "no plugin that reads " + oneOf(content) + " is installed; see `mortise plugins list`"
                  : oneOf(content) + " is read from: " + nameList(extensions, kMaxExtensions));
}

const ComponentInfo& FormatLoader::State::requireWriter(const std::string& path, FileContent content) {
  registry.describeRemaining();
  std::vector<std::string> extensions;
  for (const ComponentInfo* info : formatList.all()) {
    if (!handles(*info, "writes", content)) continue;
    if (claimsExtension(*info, path)) return *info;
    addOffered(*info, extensions);
  }
  throw Error("no format writes " + oneOf(content) + " to '" + path + "'", {},
              extensions.empty() ? "no plugin that writes " + oneOf(content) + " is installed"
                                 : oneOf(content) + " can be written to: " + nameList(extensions, kMaxExtensions));
}

std::set<FileContent> FormatLoader::State::contents(const std::string& path, std::string_view action) {
  registry.describeRemaining();
  std::set<FileContent> found;
  for (const ComponentInfo* info : formatList.all())
    if (claimsExtension(*info, path))
      for (const FileContent content : contentsOf(*info, action)) found.insert(content);
  return found;
}

/// Says whether a rigid object or a terrain has to be made of the shape that the file holds.
bool FormatLoader::State::isBareShape(const std::string& path, FileContent content) const {
  return (content == FileContent::rigidObject || content == FileContent::terrain) &&
         candidates(path, content).empty() && !candidates(path, FileContent::geometry).empty();
}

template <typename Call>
auto FormatLoader::State::guarded(const ComponentInfo& info, FileFormat& format, const char* action,
                                  const std::string& path, Call call) {
  std::string problem;
  try {
    return call(format);
  } catch (const Error&) {
    throw;  // The kernel's own type; libraries stay loaded, so it outlives nothing.
  } catch (const Interrupted&) {
    throw;
  } catch (const std::bad_alloc&) {
    problem = "it takes more memory than there is";
  } catch (const std::exception& e) {
    problem = e.what();
  } catch (...) {
    problem = "it threw something that is not a std::exception";
  }
  throw Error("format '" + info.name + "' failed to " + action + " this file: " + problem, inFile(path));
}

Resource FormatLoader::State::read(FormatLoader& loader, const std::string& path, FileContent content,
                                   std::string_view referringFile, Diagnostics& diagnostics,
                                   std::shared_ptr<const std::string> bytes) {
  const ComponentInfo& info = require(path, content, referringFile);
  const std::pair<FileContent, std::string> key(content, path);
  if (std::find(reading.begin(), reading.end(), key) != reading.end()) {
    std::string chain;
    for (const auto& outer : reading) chain += outer.second + " -> ";
    throw Error("'" + path + "' refers to itself: " + chain + path, inFile(std::string(referringFile)),
                "remove one of these references");
  }
  if (content == FileContent::robot) {
    const auto isRobot = [](const auto& outer) { return outer.first == FileContent::robot; };
    if (std::none_of(reading.begin(), reading.end(), isRobot)) robotsMounted = 0;
    // Files that each mount the next one twice would take forever.
    else if (++robotsMounted > kMaxMounts)
      throw Error("the robot mounts more than " + std::to_string(kMaxMounts) + " others",
                  inFile(std::string(referringFile)), "see whether files mount each other again and again");
  }
  struct Entry {
    Reading& list;
    Entry(Reading& stack, const Reading::value_type& file) : list(stack) { list.push_back(file); }
    ~Entry() { list.pop_back(); }
  } entry(reading, key);

  filesRead.insert(path);
  ReadContext context{path, loader, diagnostics, std::move(bytes)};
  return guarded(info, open(info), "read", path, [&](FileFormat& format) { return format.read(content, context); });
}

/// A file that this process has read before under any name is not read again.
GeometryPtr FormatLoader::State::readGeometry(FormatLoader& loader, const std::string& path,
                                              std::string_view referringFile, Diagnostics& diagnostics) {
  std::error_code ec;
  const std::string key = std::filesystem::canonical(path, ec).string();
  if (const auto at = geometries.find(key); at != geometries.end()) return at->second;
  filesRead.insert(path);
  const ComponentInfo& info = require(path, FileContent::geometry, referringFile);
  const auto changed = std::filesystem::last_write_time(path, ec);
  // Read once, for the key and for the reader.
  auto bytes = std::make_shared<const std::string>(readFile(path));
  const GeometryKey content =
      geometryKeyOf(*bytes, lowerCase(std::filesystem::path(path).extension().string()), info.name);
  const auto readShape = [&] {
    LoadedGeometry loaded;
    const int found = filesFound;
    ++geometriesLoading;
    try {
      loaded.geometry = std::get<GeometryPtr>(
          converted(read(loader, path, FileContent::geometry, referringFile, loaded.diagnostics, bytes),
                    FileContent::geometry, path, loaded.diagnostics));
    } catch (...) {
      --geometriesLoading;
      for (const Diagnostic& entry : loaded.diagnostics.all()) diagnostics.add(entry);
      throw;
    }
    --geometriesLoading;
    // What depends on other files, or what changed meanwhile, does not follow from the bytes.
    loaded.cacheable = found == filesFound && std::filesystem::last_write_time(path, ec) == changed;
    return loaded;
  };
  const int errorsBefore = diagnostics.errorCount();
  GeometryPtr geometry = cachedGeometry(content, path, diagnostics, geometriesLoading == 0, readShape);
  // A file with errors is read again, so that everyone who refers to it gets them.
  if (diagnostics.errorCount() == errorsBefore) geometries.emplace(key, geometry);
  return geometry;
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

Resource FormatLoader::load(FileContent content, std::string_view reference, std::string_view referringFile,
                            Diagnostics& diagnostics) {
  const std::string path = find(reference, referringFile);
  if (content == FileContent::geometry) return state_->readGeometry(*this, path, referringFile, diagnostics);
  if (state_->isBareShape(path, content)) {
    GeometryPtr shape = state_->readGeometry(*this, path, referringFile, diagnostics);
    if (content == FileContent::rigidObject) return objectOf(std::move(shape), path, reference);
    return terrainOf(std::move(shape), path, reference);
  }
  FileContent source = content;
  if (!isModel(content)) {
    const auto held = contentOf(path);
    if (held && isConvertible(*held, content)) source = *held;
  }
  return converted(state_->read(*this, path, source, referringFile, diagnostics), content, path, diagnostics);
}

World FormatLoader::world(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) {
  const int errorsBefore = diagnostics.errorCount();
  const auto description = load<WorldDescription>(reference, referringFile, diagnostics);
  // Half a world would only cause more errors.
  if (diagnostics.errorCount() > errorsBefore) return {};
  return WorldCompiler().compile(description, diagnostics);
}

void FormatLoader::write(const Resource& value, const std::string& path, Diagnostics& diagnostics) {
  if (const auto* geometry = std::get_if<GeometryPtr>(&value); geometry != nullptr && *geometry == nullptr)
    throw Error("there is no shape to write to '" + path + "'");
  const ComponentInfo& info = state_->requireWriter(path, mortise::contentOf(value));
  WriteContext context{path, *this, diagnostics};
  state_->guarded(info, state_->open(info), "write", path, [&](FileFormat& format) { format.write(value, context); });
}

const ComponentInfo& FormatLoader::formatOf(const std::string& path, FileContent content,
                                            std::string_view referringFile) {
  return state_->require(path, content, referringFile);
}

Resource FormatLoader::loadWith(const ComponentInfo& format, const Value& settings, FileContent content,
                                const std::string& path, Diagnostics& diagnostics) {
  Diagnostics own;
  const Value complete = state_->registry.completeSettings(format, settings, own);
  own.throwIfErrors();
  const OpenFormat opened = state_->create(format, complete);
  ReadContext context{path, *this, diagnostics};
  return converted(state_->guarded(format, *opened.format, "read", path,
                                   [&](FileFormat& reader) { return reader.read(content, context); }),
                   content, path, diagnostics);
}

std::set<FileContent> FormatLoader::readableContents(const std::string& path) {
  return state_->contents(path, "reads");
}

std::set<FileContent> FormatLoader::writableContents(const std::string& path) {
  return state_->contents(path, "writes");
}

std::optional<FileContent> FormatLoader::contentOf(const std::string& path) {
  auto matching = state_->candidates(path);
  if (matching.empty()) {
    state_->registry.describeRemaining();
    matching = state_->candidates(path);
  }
  if (matching.empty()) return std::nullopt;
  const ComponentInfo* info = state_->choose(matching, path);
  if (info == nullptr) return std::nullopt;
  const auto contents = contentsOf(*info, "reads");
  if (contents.size() > 1)
    if (const auto content = state_->open(*info).contentOf(path)) return content;
  return contents.empty() ? std::nullopt : std::optional(contents.front());
}

}  // namespace mortise
