#include "resource/resource_library.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "common/geometry_text.h"
#include "common/references.h"
#include "mesh/geom_format.h"
#include "mesh/off_format.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/json/json_writer.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/text/article.h"
#include "mortise/text/suggest.h"
#include "resource/motion_xml.h"
#include "resource/resource_json.h"
#include "resource/resource_text.h"

namespace mortise::io {

namespace {

namespace fs = std::filesystem;
using tinyxml2::XMLElement;

constexpr std::string_view kPrimitive = "GeometricPrimitive3D";
constexpr std::array<std::string_view, 2> kItemAttributes = {"name", "file"};

template <typename... Shapes>
bool isOneOf(const Geometry& geometry) {
  return (... || (geometry.as<Shapes>() != nullptr));
}

bool isPrimitive(const Geometry& geometry) {
  return isOneOf<PointShape, SegmentShape, TriangleShape, PolygonShape, SphereShape, AxisAlignedBoxShape, BoxShape,
                 EllipsoidShape, CylinderShape, CapsuleShape>(geometry);
}

/// The file that holds a robot, world or shape; empty for everything else.
std::string fileOf(const Resource& resource) {
  if (const auto* file = std::get_if<FileResource>(&resource)) return file->path;
  if (const auto* geometry = std::get_if<GeometryPtr>(&resource))
    return *geometry ? (*geometry)->file() : std::string();
  return {};
}

/// A file, as a library in another place refers to it.
std::string reference(const std::string& file, const std::string& library) {
  std::error_code ec;
  const fs::path base = fs::absolute(fs::path(library), ec).parent_path();
  const fs::path relative = fs::absolute(file, ec).lexically_normal().lexically_relative(base.lexically_normal());
  return ec || relative.empty() ? file : relative.string();
}

std::string requireFile(const ResourceItem& item) {
  std::string file = fileOf(item.value);
  if (file.empty()) throw Error("'" + item.name + "' is a shape that no file holds", {}, "save the shape first");
  return file;
}

/// Calls `read`; what it throws becomes an error of the item, and the others are still read.
template <typename Read>
void readItem(ResourceItem item, ResourceLibrary& library, Diagnostics& diagnostics, Read read) {
  Diagnostics own;
  own.setStrict(diagnostics.strict());
  try {
    item.value = read(own);
    own.throwIfErrors();
    library.items.push_back(std::move(item));
  } catch (const DiagnosticsError&) {  // They are all in `own`.
  } catch (const Error& error) {
    own.error(error);
  }
  diagnostics.append(own);
}

/// A resource in a file of its own. Models are not read: they are passed on as files.
Resource referredItem(FileContent kind, const std::string& reference, ReadContext& context, Diagnostics& diagnostics) {
  const bool isModel = kind == FileContent::robot || kind == FileContent::rigidObject || kind == FileContent::terrain ||
                       kind == FileContent::world;
  if (isModel) return FileResource{kind, context.loader.find(reference, context.path)};
  return context.loader.load(kind, reference, context.path, diagnostics);
}

std::vector<std::string> knownTypes() {
  return {"Config",         "Configs", "LinearPath", "MultiPath", "IKGoal",
          "Hold",           "Stance",  "Grasp",      "Vector3",   "Matrix3",
          "RigidTransform", "Matrix",  "ints",       "floats",    std::string(kPrimitive)};
}

Stance readStanceElement(const XmlFile& file, const XMLElement& element, Diagnostics& diagnostics) {
  if (element.FirstChildElement() == nullptr)
    return std::get<Stance>(
        readEmbeddedText(FileContent::stance, textOf(element), file.position(element), diagnostics));
  Stance stance;
  for (const XMLElement* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    if (std::string_view(child->Name()) != "Hold") {
      warnAboutElement(file, *child, {"Hold"}, diagnostics);
      continue;
    }
    const SourcePosition where = file.position(*child);
    Hold hold = std::get<Hold>(readEmbeddedText(FileContent::hold, textOf(*child), where, diagnostics));
    for (const Hold& other : stance.holds)
      if (other.link == hold.link) throw Error("link " + std::to_string(hold.link) + " has two holds", where);
    stance.holds.push_back(std::move(hold));
  }
  return stance;
}

Resource readElement(FileContent kind, const XmlFile& file, const XMLElement& element, Diagnostics& diagnostics) {
  if (kind == FileContent::multipath) return readMultiPath(file, element, diagnostics, kItemAttributes);
  if (kind == FileContent::grasp) return readGrasp(file, element, diagnostics, kItemAttributes);
  XmlElement attributes(file, element, diagnostics);
  attributes.expect({"name", "file"});
  attributes.warnAboutOthers();
  if (kind == FileContent::stance) return readStanceElement(file, element, diagnostics);
  if (std::string_view(element.Name()) == kPrimitive) {
    const TextFile text(file.path(), textOf(element));
    Cursor cursor(text);
    try {
      return GeometryPtr(std::make_shared<Geometry>(readPrimitive(text, cursor)));
    } catch (const Error& error) {
      throw Error(error.message(), file.position(element), error.hint());
    }
  }
  if (!hasText(kind))
    throw Error("a <" + std::string(element.Name()) + "> needs the attribute 'file'", file.position(element));
  return readEmbeddedText(kind, textOf(element), file.position(element), diagnostics);
}

/// Milestones whose times their text does not hold are kept as a MultiPath.
Resource storable(const Resource& resource, Diagnostics& diagnostics) {
  const auto* path = std::get_if<HermiteTrajectory>(&resource);
  if (path == nullptr) return resource;
  for (std::size_t i = 0; i < path->times.size(); ++i)
    if (path->times[i] != static_cast<double>(i)) {
      diagnostics.note("milestones that are not one second apart are kept as a MultiPath");
      return convertResource(resource, FileContent::multipath, diagnostics);
    }
  return resource;
}

void writeItem(const ResourceItem& item, const std::string& path, XmlText& xml, Diagnostics& diagnostics) {
  const Resource value = storable(item.value, diagnostics);
  const FileContent kind = contentOf(value);
  const auto* shape = std::get_if<GeometryPtr>(&value);
  if (shape != nullptr && *shape && isPrimitive(**shape)) {
    GeometryText text;
    text.primitive(**shape, path);
    xml.open(kPrimitive).attribute("name", item.name).text(text.take()).close();
    return;
  }
  if (shape != nullptr || std::holds_alternative<FileResource>(value)) {
    const bool cloud = shape != nullptr && *shape && (*shape)->as<PointCloud>() != nullptr;
    xml.open(shape == nullptr ? klamptType(kind) : cloud ? "PointCloud" : "TriMesh").attribute("name", item.name);
    xml.attribute("file", reference(requireFile(item), path)).close();
    return;
  }
  // As Klamp't does it: a path's element has the name of the root of its own files.
  xml.open(kind == FileContent::multipath  ? "multipath"
           : kind == FileContent::integers ? "ints"
           : kind == FileContent::numbers  ? "floats"
                                           : klamptType(kind));
  xml.attribute("name", item.name);
  if (const auto* multiPath = std::get_if<MultiPath>(&value)) {
    writeMultiPath(*multiPath, xml, diagnostics);
  } else if (const auto* grasp = std::get_if<Grasp>(&value)) {
    writeGrasp(*grasp, xml);
  } else if (const auto* stance = std::get_if<Stance>(&value)) {
    for (const Hold& hold : stance->holds) xml.open("Hold").text(resourceText(hold, diagnostics)).close();
  } else {
    xml.text(resourceText(value, diagnostics));
  }
  xml.close();
}

std::string extensionOfKind(FileContent kind) {
  using enum FileContent;
  static const std::map<FileContent, std::string> kExtensions = {{configuration, ".config"},
                                                                 {configurations, ".configs"},
                                                                 {trajectory, ".path"},
                                                                 {multipath, ".xml"},
                                                                 {hermiteTrajectory, ".milestones"},
                                                                 {ikGoal, ".ikgoal"},
                                                                 {hold, ".hold"},
                                                                 {stance, ".stance"},
                                                                 {grasp, ".grasp"},
                                                                 {vector3, ".vector3"},
                                                                 {matrix3, ".matrix3"},
                                                                 {transform, ".xform"},
                                                                 {matrix, ".matrix"},
                                                                 {integers, ".ints"},
                                                                 {numbers, ".floats"},
                                                                 {contactPoint, ".json"}};
  const auto at = kExtensions.find(kind);
  return at == kExtensions.end() ? std::string() : at->second;
}

std::string fileContent(const Resource& value, Diagnostics& diagnostics) {
  if (const auto* path = std::get_if<MultiPath>(&value)) return multiPathFile(*path, diagnostics);
  if (const auto* grasp = std::get_if<Grasp>(&value)) return graspFile(*grasp);
  if (std::holds_alternative<ContactPoint>(value)) return toJson(jsonValue(value, false, diagnostics));
  return resourceText(value, diagnostics);
}

/// A name as a path below the folder. Throws `Error` for one that would lead out of it.
fs::path pathOfName(const std::string& name, FileContent kind) {
  const fs::path path = name.empty() ? fs::path(contentName(kind)) : fs::path(name);
  bool safe = path.is_relative() && !path.filename().empty() && name.find('\0') == std::string::npos;
  for (const fs::path& part : path) safe = safe && part != ".." && part != "." && !part.empty();
  if (!safe) throw Error("the resource '" + name + "' cannot become a file of that name", {}, "rename it");
  return path;
}

}  // namespace

ResourceLibrary readLibraryXml(ReadContext& context) {
  const XmlFile file(TextFile(context.path, context.content()));
  const XMLElement& root = file.root();
  if (std::string_view(root.Name()) != "resource_library")
    throw Error("expected <resource_library>, found <" + std::string(root.Name()) + ">", file.position(root),
                "a library is <resource_library> with resources in it, such as configurations and paths");
  ResourceLibrary library;
  for (const XMLElement* child = root.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    const std::string type = child->Name();
    const std::optional<FileContent> kind = type == kPrimitive ? FileContent::geometry
                                            : type == "ints"   ? FileContent::integers
                                            : type == "floats" ? FileContent::numbers
                                                               : kindOfKlamptType(type);
    if (!kind) {
      context.diagnostics.warning("there is no resource of type <" + type + ">; it is passed over",
                                  file.position(*child), didYouMean(type, knownTypes()));
      continue;
    }
    ResourceItem item;
    if (const char* name = child->Attribute("name")) item.name = name;
    if (const char* reference = child->Attribute("file")) item.file = reference;
    const std::string written = item.file;
    readItem(std::move(item), library, context.diagnostics, [&](Diagnostics& diagnostics) {
      return written.empty() ? readElement(*kind, file, *child, diagnostics)
                             : referredItem(*kind, written, context, diagnostics);
    });
  }
  return library;
}

void writeLibraryXml(const ResourceLibrary& library, WriteContext& context) {
  XmlText xml;
  xml.open("resource_library");
  for (const ResourceItem& item : library.items) writeItem(item, context.path, xml, context.diagnostics);
  xml.close();
  writeFile(context.path, xml.take());
}

ResourceLibrary readLibraryJson(ReadContext& context) {
  const JsonFile file(TextFile(context.path, context.content()));
  ResourceLibrary library;
  for (const JsonValue& entry : file.list(file.root())) {
    const std::string& type = file.string(file.at(entry, "type"));
    const auto kind = kindOfKlamptType(type);
    if (!kind) {
      context.diagnostics.warning("there is no resource of type '" + type + "'; it is passed over",
                                  file.position(entry), didYouMean(type, knownTypes()));
      continue;
    }
    ResourceItem item;
    if (const JsonValue* name = entry.find("name")) item.name = file.string(*name);
    if (const JsonValue* reference = entry.find("file")) item.file = file.string(*reference);
    const std::string written = item.file;
    readItem(std::move(item), library, context.diagnostics, [&](Diagnostics& diagnostics) {
      return written.empty() ? readJsonResource(file, entry, diagnostics)
                             : referredItem(*kind, written, context, diagnostics);
    });
  }
  return library;
}

void writeLibraryJson(const ResourceLibrary& library, WriteContext& context) {
  Value list = Value::list();
  for (const ResourceItem& item : library.items) {
    Value entry = Value::map();
    const bool byFile =
        std::holds_alternative<GeometryPtr>(item.value) || std::holds_alternative<FileResource>(item.value);
    if (byFile) {
      entry.set("type", Value(klamptType(contentOf(item.value))));
      entry.set("file", Value(reference(requireFile(item), context.path)));
    } else {
      entry = jsonValue(item.value, true, context.diagnostics);
    }
    entry.set("name", Value(item.name));
    list.push_back(std::move(entry));
  }
  writeFile(context.path, toJson(list));
}

ResourceLibrary readLibraryFolder(ReadContext& context) {
  std::vector<fs::path> files;
  std::error_code ec;
  const fs::path folder(context.path);
  for (fs::recursive_directory_iterator at(folder, ec), end; !ec && at != end; at.increment(ec)) {
    const bool hidden = at->path().filename().string().starts_with(".");
    if (hidden && at->is_directory(ec)) at.disable_recursion_pending();
    if (!hidden && at->is_regular_file(ec)) files.push_back(at->path());
  }
  if (ec) throw Error("the folder cannot be read: " + ec.message(), inFile(context.path));
  std::sort(files.begin(), files.end());
  ResourceLibrary library;
  for (const fs::path& file : files) {
    const auto kind = context.loader.contentOf(file.string());
    if (!kind || *kind == FileContent::library) {
      context.diagnostics.warning(
          !kind ? "no format reads this file; it is passed over" : "a library inside a folder is passed over",
          inFile(file.string()));
      continue;
    }
    ResourceItem item;
    const fs::path relative = file.lexically_relative(folder);
    item.file = relative.generic_string();
    item.name = (relative.parent_path() / relative.stem()).generic_string();
    readItem(std::move(item), library, context.diagnostics,
             [&](Diagnostics& diagnostics) { return referredItem(*kind, file.string(), context, diagnostics); });
  }
  return library;
}

void writeLibraryFolder(const ResourceLibrary& library, WriteContext& context) {
  const fs::path folder(context.path);
  std::vector<std::pair<fs::path, std::string>> contents;
  for (const ResourceItem& item : library.items) {
    const Resource value = storable(item.value, context.diagnostics);
    if (const auto* file = std::get_if<FileResource>(&value)) {
      context.diagnostics.warning("'" + item.name + "' is left out: " + withArticle(contentName(file->content)) +
                                      " refers to other files and is not copied",
                                  inFile(file->path));
      continue;
    }
    std::string extension = extensionOfKind(contentOf(value)), content;
    if (const auto* shape = std::get_if<GeometryPtr>(&value)) {
      if (*shape && isPrimitive(**shape)) {
        GeometryText text;
        content = text.primitive(**shape, context.path).endLine().take();
        extension = ".geom";
      } else if (const auto* mesh = *shape && (*shape)->file().empty() ? (*shape)->as<TriangleMesh>() : nullptr) {
        // Made in memory: what came from a file is copied as it is.
        content = offText(*mesh);
        extension = ".off";
      } else {
        const std::string source = requireFile(item);
        content = readFile(source);
        extension = fs::path(source).extension().string();
      }
    } else {
      content = fileContent(value, context.diagnostics);
    }
    const fs::path stem = folder / pathOfName(item.name, contentOf(value));
    fs::path path = stem;
    path += extension;
    const auto taken = [&] {
      return std::any_of(contents.begin(), contents.end(), [&](const auto& other) { return other.first == path; });
    };
    for (int number = 2; taken(); ++number) {
      path = stem;
      path += "_" + std::to_string(number) + extension;
    }
    if (path.stem() != stem.filename())
      context.diagnostics.warning("the name '" + item.name + "' is there twice; the second one is in '" +
                                  path.filename().string() + "'");
    contents.emplace_back(std::move(path), std::move(content));
  }
  for (const auto& [path, content] : contents) {
    std::error_code ec;
    fs::create_directories(path.parent_path(), ec);
    if (ec) throw Error("cannot make the folder: " + ec.message(), inFile(path.parent_path().string()));
    writeFile(path.string(), content);
  }
}

}  // namespace mortise::io
