#include "urdf/urdf_shape_writer.h"

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <optional>

#include "common/pose_xml.h"
#include "common/references.h"
#include "mesh/shape_reference.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"

namespace mortise::io {

namespace {

struct ScaledPose {
  RigidTransform X;
  Vector3d scale = Vector3d::Ones();
};

/// The map as a scale along the axes and then a pose, when it is one.
std::optional<ScaledPose> scaledPose(const AffineMap& map) {
  ScaledPose pose;
  pose.X.p = map.t;
  if (map.A == Matrix3d::Identity()) return pose;
  for (int k = 0; k < 3; ++k) pose.scale[k] = map.A.col(k).norm();
  if (!(pose.scale.minCoeff() > 0)) return std::nullopt;
  if (map.A.determinant() < 0) pose.scale[2] = -pose.scale[2];
  for (int k = 0; k < 3; ++k) pose.X.R.col(k) = map.A.col(k) / pose.scale[k];
  if ((pose.X.R.transpose() * pose.X.R - Matrix3d::Identity()).cwiseAbs().maxCoeff() > 1e-12) return std::nullopt;
  // Rotations come with scales that are 1 but for rounding.
  for (double& s : pose.scale)
    if (std::abs(s - 1) < 1e-14) s = 1;
  return pose;
}

/// Turns z into `axis`.
Matrix3d along(const Vector3d& axis) {
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix();
}

}  // namespace

UrdfShapeWriter::UrdfShapeWriter(const RobotDescription& robot, WriteContext& context)
    : robot_(robot), context_(context) {
  for (const Link& link : robot.links) collectFiles(link.geometry, taken_);
}

std::vector<UrdfWrittenShape> UrdfShapeWriter::write(const Link& link) {
  if (!link.geometry || link.geometry->empty()) return {};
  const Geometry& geometry = *link.geometry;
  const AffineMap map = link.geometryTransform * AffineMap::scaling(Vector3d::Constant(link.geometryScale));
  const auto pose = scaledPose(map);
  if (pose && fileHolds(context_.loader, geometry.file(), link.geometryScale, link.geometryTransform, geometry)) {
    UrdfWrittenShape shape;
    shape.X_LS = pose->X;
    shape.attributes = {{"filename", referenceFrom(context_.path, geometry.file())}};
    if (pose->scale != Vector3d::Ones()) shape.attributes.emplace_back("scale", vectorText(pose->scale));
    return {shape};
  }
  const auto* group = geometry.as<GeometryGroup>();
  if (group == nullptr) return {part(geometry, link)};
  std::vector<UrdfWrittenShape> shapes;
  for (const GeometryPtr& each : group->parts)
    if (each && !each->empty()) shapes.push_back(part(*each, link));
  return shapes;
}

std::vector<UrdfWrittenShape> UrdfShapeWriter::visuals(int link) {
  std::vector<UrdfWrittenShape> shapes;
  const std::string& name = robot_.links[static_cast<std::size_t>(link)].name;
  try {
    for (const LinkVisual& each : linkVisuals(robot_, link)) {
      if (each.kind == LinkVisual::Kind::collision) {
        for (UrdfWrittenShape& shape : write(robot_.links[static_cast<std::size_t>(link)]))
          shapes.push_back(std::move(shape));
      } else if (auto shape = visual(each, name)) {
        shapes.push_back(std::move(*shape));
      }
    }
  } catch (const Error& error) {
    context_.diagnostics.warning("the visual shapes of link '" + name + "' are not written: " + error.message(),
                                 inFile(context_.path));
  }
  return shapes;
}

std::optional<UrdfWrittenShape> UrdfShapeWriter::visual(const LinkVisual& visual, const std::string& link) {
  const bool mesh = visual.kind == LinkVisual::Kind::mesh;
  const auto pose = scaledPose(visual.map);
  const bool even = pose && (pose->scale.array() - pose->scale[0]).abs().maxCoeff() < 1e-12 && pose->scale[0] > 0;
  if (!pose || (!mesh && !even && visual.kind != LinkVisual::Kind::box)) {
    context_.diagnostics.warning(
        "a visual shape of link '" + link + "' is scaled as URDF cannot say it; it is left out", inFile(context_.path));
    return std::nullopt;
  }
  UrdfWrittenShape shape;
  shape.X_LS = pose->X;
  shape.color = visual.color;
  if (!visual.texture.empty()) shape.texture = visualReference(visual.texture, visual, context_.path, context_.loader);
  const Vector3d size = visual.kind == LinkVisual::Kind::box
                            ? Vector3d(visual.size.cwiseProduct(pose->scale.cwiseAbs()))
                            : Vector3d(visual.size * pose->scale[0]);
  switch (visual.kind) {
    case LinkVisual::Kind::collision:
      return std::nullopt;  // The caller writes it.
    case LinkVisual::Kind::mesh:
      shape.attributes = {{"filename", visualReference(visual.mesh, visual, context_.path, context_.loader)}};
      if (pose->scale != Vector3d::Ones()) shape.attributes.emplace_back("scale", vectorText(pose->scale));
      break;
    case LinkVisual::Kind::box:
      shape.kind = "box";
      shape.attributes = {{"size", vectorText(size)}};
      break;
    case LinkVisual::Kind::sphere:
      shape.kind = "sphere";
      shape.attributes = {{"radius", formatReal(size[0])}};
      break;
    case LinkVisual::Kind::cylinder:
    case LinkVisual::Kind::capsule:
      shape.kind = visual.kind == LinkVisual::Kind::cylinder ? "cylinder" : "capsule";
      shape.attributes = {{"radius", formatReal(size[0])}, {"length", formatReal(size[1])}};
      break;
  }
  return shape;
}

UrdfWrittenShape UrdfShapeWriter::part(const Geometry& geometry, const Link& link) {
  UrdfWrittenShape shape;
  if (const auto* sphere = geometry.as<SphereShape>()) {
    shape.kind = "sphere";
    shape.X_LS.p = sphere->center;
    shape.attributes = {{"radius", formatReal(sphere->radius)}};
  } else if (const auto* aligned = geometry.as<AxisAlignedBoxShape>()) {
    shape.kind = "box";
    shape.X_LS.p = 0.5 * (aligned->min + aligned->max);
    shape.attributes = {{"size", vectorText(aligned->max - aligned->min)}};
  } else if (const auto* box = geometry.as<BoxShape>()) {
    shape.kind = "box";
    shape.X_LS = {box->X.R, box->X * Vector3d(0.5 * box->size)};
    shape.attributes = {{"size", vectorText(box->size)}};
  } else if (const auto* cylinder = geometry.as<CylinderShape>()) {
    shape.kind = "cylinder";
    shape.X_LS = {along(cylinder->axis), cylinder->base + 0.5 * cylinder->height * cylinder->axis};
    shape.attributes = {{"radius", formatReal(cylinder->radius)}, {"length", formatReal(cylinder->height)}};
  } else if (const auto* capsule = geometry.as<CapsuleShape>(); capsule != nullptr && capsule->a != capsule->b) {
    shape.kind = "capsule";
    const Vector3d between = capsule->b - capsule->a;
    shape.X_LS = {along(between.normalized()), 0.5 * (capsule->a + capsule->b)};
    shape.attributes = {{"radius", formatReal(capsule->radius)}, {"length", formatReal(between.norm())}};
  } else {
    std::string file = geometry.file();
    if (!fileHolds(context_.loader, file, 1, AffineMap(), geometry)) {
      const std::filesystem::path folder = std::filesystem::path(context_.path).parent_path();
      const std::string base = plainFileName(stemOf(context_.path)) + "_" + plainFileName(link.name);
      file = writeShape(geometry, (folder / base).string(), taken_);
    }
    shape.attributes = {{"filename", referenceFrom(context_.path, file)}};
  }
  return shape;
}

}  // namespace mortise::io
