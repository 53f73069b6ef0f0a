#include "resource/motion_formats.h"

#include <filesystem>

#include "common/contact_text.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/json/json_writer.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/modeling/xml_root.h"
#include "mortise/text/article.h"
#include "resource/motion_xml.h"
#include "resource/resource_json.h"
#include "resource/resource_library.h"
#include "resource/resource_text.h"

namespace mortise::io {

namespace {

void refuseEmpty(const Resource& resource, const std::string& path) {
  const auto* list = std::get_if<ConfigurationList>(&resource);
  const auto* trajectory = std::get_if<Trajectory>(&resource);
  const auto* milestones = std::get_if<HermiteTrajectory>(&resource);
  if ((list != nullptr && list->configurations.empty()) || (trajectory != nullptr && trajectory->empty()) ||
      (milestones != nullptr && milestones->empty()))
    throw Error("'" + std::filesystem::path(path).filename().string() + "' holds no configurations", inFile(path));
}

[[noreturn]] void wrongRoot(const XmlFile& file, const char* expected) {
  throw Error("expected <" + std::string(expected) + ">, found <" + file.root().Name() + ">",
              file.position(file.root()));
}

template <typename T>
const T& expect(const Resource& resource, const char* format) {
  if (const auto* value = std::get_if<T>(&resource)) return *value;
  throw Error(std::string(format) + " does not hold " + withArticle(contentName(contentOf(resource))));
}

}  // namespace

void ResourceFormat::write(const Resource& value, WriteContext& context) {
  writeFile(context.path, content(value, context.diagnostics));
}

Resource TextFormat::read(FileContent, ReadContext& context) {
  Resource resource = readResourceText(kind_, TextFile(context.path, context.content()), context.diagnostics);
  refuseEmpty(resource, context.path);
  return resource;
}

std::string TextFormat::content(const Resource& resource, Diagnostics& diagnostics) {
  const FileContent kind = mortise::contentOf(resource);
  if (kind != kind_)
    throw Error(withArticle(contentName(kind_)) + " file does not hold " + withArticle(contentName(kind)));
  return resourceText(resource, diagnostics);
}

double MultiPathFormat::probe(std::string_view, std::string_view head) const {
  const std::string_view root = xmlRootName(head);
  return root == "multipath" || root == "MultiPath" ? 1 : 0;
}

Resource MultiPathFormat::read(FileContent, ReadContext& context) {
  const XmlFile file(TextFile(context.path, context.content()));
  if (probe({}, "<" + std::string(file.root().Name()) + ">") == 0) wrongRoot(file, "multipath");
  return readMultiPath(file, file.root(), context.diagnostics);
}

std::string MultiPathFormat::content(const Resource& resource, Diagnostics& diagnostics) {
  return multiPathFile(expect<MultiPath>(resource, "MultiPath XML"), diagnostics);
}

double GraspFormat::probe(std::string_view, std::string_view head) const {
  return xmlRootName(head) == "Grasp" ? 1 : 0;
}

Resource GraspFormat::read(FileContent, ReadContext& context) {
  TextFile text(context.path, context.content());
  if (const auto kind = blockKind(text.text()))
    return convertResource(readResourceText(*kind, text, context.diagnostics), FileContent::grasp, context.diagnostics);
  const XmlFile file(std::move(text));
  if (std::string_view(file.root().Name()) != "Grasp") wrongRoot(file, "Grasp");
  return readGrasp(file, file.root(), context.diagnostics);
}

std::string GraspFormat::content(const Resource& resource, Diagnostics&) {
  return graspFile(expect<Grasp>(resource, "a grasp file"));
}

double JsonFormat::probe(std::string_view, std::string_view head) const {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '[' || head[first] == '{') ? 0.5 : 0.1;
}

std::optional<FileContent> JsonFormat::contentOf(const std::string& path) {
  try {
    return jsonKind(JsonFile(TextFile(path)).root());
  } catch (const Error&) {
    return std::nullopt;  // The reader says why.
  }
}

Resource JsonFormat::read(FileContent content, ReadContext& context) {
  if (content == FileContent::library) return readLibraryJson(context);
  const JsonFile file(TextFile(context.path, context.content()));
  return readJsonResource(file, file.root(), context.diagnostics);
}

void JsonFormat::write(const Resource& value, WriteContext& context) {
  if (const auto* library = std::get_if<ResourceLibrary>(&value)) return writeLibraryJson(*library, context);
  writeFile(context.path, toJson(jsonValue(value, false, context.diagnostics)));
}

double LibraryFormat::probe(std::string_view, std::string_view head) const {
  return xmlRootName(head) == "resource_library" ? 1 : 0;
}

Resource LibraryFormat::read(FileContent, ReadContext& context) { return readLibraryXml(context); }

void LibraryFormat::write(const Resource& value, WriteContext& context) {
  writeLibraryXml(std::get<ResourceLibrary>(value), context);
}

Resource FolderFormat::read(FileContent, ReadContext& context) { return readLibraryFolder(context); }

void FolderFormat::write(const Resource& value, WriteContext& context) {
  writeLibraryFolder(std::get<ResourceLibrary>(value), context);
}

namespace {

void declareMotions(PluginBuilder& plugin) {
  using enum FileContent;
  plugin.format<ConfigurationFormat>("mortise.Configuration")
      .summary("One configuration (.config).")
      .extensions({"config"})
      .reads({configuration})
      .writes({configuration});
  plugin.format<PathFormat>("mortise.Path")
      .summary("Timed configurations (.path, .traj), also from .txt.")
      .extensions({"path", "traj", "txt"})
      .reads({trajectory})
      .writes({trajectory});
  plugin.format<ConfigurationListFormat>("mortise.Configurations")
      .summary("Configurations without times (.configs), as a trajectory one second apart.")
      .extensions({"configs"})
      .reads({configurations, trajectory})
      .writes({configurations});
  plugin.format<MilestoneFormat>("mortise.Milestones")
      .summary("Configurations and velocities without times (.milestones), one second apart.")
      .extensions({"milestones"})
      .reads({hermiteTrajectory, trajectory})
      .writes({hermiteTrajectory});
  plugin.format<MultiPathFormat>("mortise.MultiPath")
      .summary("Klamp't's MultiPath: sections of milestones with goals and holds (.xml).")
      .extensions({"xml", "multipath"})
      .reads({multipath, trajectory})
      .writes({multipath});
}

void declareContacts(PluginBuilder& plugin) {
  using enum FileContent;
  plugin.format<IKGoalFormat>("mortise.IKGoal")
      .summary("Where a link shall be (.ikgoal).")
      .extensions({"ikgoal"})
      .reads({ikGoal})
      .writes({ikGoal});
  plugin.format<HoldFormat>("mortise.Hold")
      .summary("A link in contact (.hold).")
      .extensions({"hold"})
      .reads({hold})
      .writes({hold});
  plugin.format<StanceFormat>("mortise.Stance")
      .summary("Several links in contact (.stance).")
      .extensions({"stance"})
      .reads({stance})
      .writes({stance});
  plugin.format<GraspFormat>("mortise.Grasp")
      .summary("Contacts of a hand with an object (.grasp, .xml).")
      .extensions({"grasp", "xml"})
      .reads({grasp})
      .writes({grasp});
}

void declareNumbers(PluginBuilder& plugin) {
  using enum FileContent;
  plugin.format<Vector3Format>("mortise.Vector3")
      .summary("Three numbers (.vector3).")
      .extensions({"vector3"})
      .reads({vector3})
      .writes({vector3});
  plugin.format<Matrix3Format>("mortise.Matrix3")
      .summary("A 3 by 3 matrix, row by row (.matrix3).")
      .extensions({"matrix3"})
      .reads({matrix3})
      .writes({matrix3});
  plugin.format<TransformFormat>("mortise.Transform")
      .summary("A rotation matrix, row by row, and a translation (.xform).")
      .extensions({"xform"})
      .reads({transform})
      .writes({transform});
  plugin.format<MatrixFormat>("mortise.Matrix")
      .summary("A matrix with its size first (.matrix).")
      .extensions({"matrix"})
      .reads({matrix})
      .writes({matrix});
  plugin.format<IntegersFormat>("mortise.Integers")
      .summary("Integers with their number first (.ints).")
      .extensions({"ints"})
      .reads({integers})
      .writes({integers});
  plugin.format<NumbersFormat>("mortise.Numbers")
      .summary("Numbers with their number first (.floats).")
      .extensions({"floats"})
      .reads({numbers})
      .writes({numbers});
}

}  // namespace

void declareResourceFormats(PluginBuilder& plugin) {
  using enum FileContent;
  declareMotions(plugin);
  declareContacts(plugin);
  declareNumbers(plugin);
  const std::vector<FileContent> kinds = {
      configuration, configurations, trajectory, hermiteTrajectory, multipath, ikGoal,   contactPoint, hold,   stance,
      grasp,         vector3,        matrix3,    transform,         matrix,    integers, numbers,      library};
  plugin.format<JsonFormat>("mortise.Json")
      .summary("Motions, contacts and other small data, and libraries of them, as JSON (.json).")
      .extensions({"json"})
      .reads(kinds)
      .writes(kinds);
  plugin.format<LibraryFormat>("mortise.ResourceLibrary")
      .summary("Klamp't's resource libraries (.xml).")
      .extensions({"xml"})
      .reads({library})
      .writes({library});
  plugin.format<FolderFormat>("mortise.ResourceFolder")
      .summary("A folder of resources, one a file.")
      .extensions({"/"})
      .reads({library})
      .writes({library});
}

}  // namespace mortise::io
