#include "mortise/loading/robot_export.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "mortise/base/error.h"
#include "mortise/geometry/convert.h"

namespace mortise {

namespace {

namespace fs = std::filesystem;

std::string canonical(const std::string& path) {
  std::error_code none;
  return fs::weakly_canonical(fs::absolute(path, none), none).string();
}

void collectSources(const GeometryPtr& geometry, std::set<std::string>& files) {
  if (!geometry) return;
  if (!geometry->file().empty()) files.insert(canonical(geometry->file()));
  if (const auto* group = geometry->as<GeometryGroup>())
    for (const GeometryPtr& part : group->parts) collectSources(part, files);
}

/// Links are called anything; letters, digits and a few signs make files that every system can have.
std::string fileNameOf(const std::string& link) {
  std::string name;
  for (const char c : link)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_' ? c : '_';
  return name.empty() || name.front() == '.' ? "link" + name : name;
}

/// The file of a link; two names may come out alike.
fs::path freeFile(const fs::path& folder, const std::string& base, const std::string& extension,
                  std::set<std::string>& written) {
  fs::path file = folder / (base + "." + extension);
  for (int number = 2; !written.insert(canonical(file.string())).second; ++number)
    file = folder / (base + "_" + std::to_string(number) + "." + extension);
  return file;
}

/// Returns the shape as the format holds it; null when it cannot.
GeometryPtr asHeld(const GeometryPtr& geometry, const std::string& link, Diagnostics& diagnostics) {
  if (geometry->as<TriangleMesh>() != nullptr) return geometry;
  try {
    return converted(geometry, GeometryKind::mesh);
  } catch (const Error& error) {
    diagnostics.warning("the shape of link '" + link + "' stays where it is: " + error.message());
    return nullptr;
  }
}

}  // namespace

std::vector<std::string> exportShapes(RobotDescription& robot, const std::string& robotFile, const ShapeExport& target,
                                      FormatLoader& loader, Diagnostics& diagnostics) {
  if (!loader.writableContents("shape." + target.extension).contains(FileContent::geometry))
    throw Error("no format writes shapes to ." + target.extension + " files", {}, "off, stl, obj and ply hold meshes");
  std::set<std::string> sources, written;
  for (const Link& link : robot.links) collectSources(link.geometry, sources);
  const fs::path folder = fs::path(robotFile).parent_path();
  std::vector<std::string> files;
  for (Link& link : robot.links) {
    if (!link.geometry || link.geometry->empty()) continue;
    const GeometryPtr shape = asHeld(link.geometry, link.name, diagnostics);
    if (!shape) continue;
    const fs::path base = target.prefix + fileNameOf(link.name);
    const fs::path file = freeFile(folder / base.parent_path(), base.filename().string(), target.extension, written);
    if (sources.contains(canonical(file.string())))
      throw Error(
          "the shape of link '" + link.name + "' would replace '" + file.string() + "', from which the robot was read",
          {}, "choose another prefix for the shapes, such as " + robot.name + "/");
    fs::create_directories(file.parent_path().empty() ? "." : file.parent_path());
    loader.write(shape->withMargin(0), file.string(), diagnostics);
    const double margin = link.geometry->margin();
    link.geometry = loader.load<GeometryPtr>(file.string(), {}, diagnostics)->withMargin(margin);
    link.geometryFile = file.string();
    link.geometryScale = 1;
    link.geometryTransform = AffineMap();
    files.push_back(file.string());
  }
  return files;
}

}  // namespace mortise
