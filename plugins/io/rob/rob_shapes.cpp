#include "rob/rob_shapes.h"

#include <filesystem>

#include "common/references.h"
#include "mesh/shape_reference.h"

namespace mortise::io {

ShapeFiles::ShapeFiles(const RobotDescription& robot, WriteContext& context) : context_(context) {
  for (const Link& link : robot.links) collectFiles(link.geometry, taken_);
}

WrittenShape ShapeFiles::write(const Link& link) {
  WrittenShape shape;
  if (!link.geometry || link.geometry->empty()) return shape;
  const Geometry& geometry = *link.geometry;
  if (fileHolds(context_.loader, geometry.file(), link.geometryScale, link.geometryTransform, geometry)) {
    shape.reference = referenceFrom(context_.path, geometry.file());
    shape.placed = true;
    return shape;
  }
  const auto* group = geometry.as<GeometryGroup>();
  if (group == nullptr) {
    shape.reference = writePart(geometry, link.name);
    return shape;
  }
  for (const GeometryPtr& part : group->parts) {
    if (!part || part->empty()) continue;
    std::string file = fileHolds(context_.loader, part->file(), 1, AffineMap(), *part)
                           ? referenceFrom(context_.path, part->file())
                           : writePart(*part, link.name);
    if (shape.reference.empty())
      shape.reference = std::move(file);
    else
      shape.mounts.push_back(std::move(file));
  }
  return shape;
}

std::string ShapeFiles::writePart(const Geometry& geometry, const std::string& link) {
  const std::filesystem::path folder = std::filesystem::path(context_.path).parent_path();
  const std::string base = plainFileName(stemOf(context_.path)) + "_" + plainFileName(link);
  return std::filesystem::path(writeShape(geometry, (folder / base).string(), taken_)).filename().string();
}

}  // namespace mortise::io
