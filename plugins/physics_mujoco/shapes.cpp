#include "shapes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mortise/base/error.h"
#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/math/rotation.h"

namespace mortise::mujoco {

namespace {

/// Points, segments and sheets get at least this thickness.
constexpr double kThinnest = 1e-3;
/// A mesh of more pieces is taken whole.
constexpr std::size_t kMaxParts = 64;
/// A hull of more corners is simplified, so that no contact takes long.
constexpr int kMaxCorners = 120;
/// With the normalized profile contacts are found this far ahead.
constexpr double kAhead = 1e-3;

RigidTransform cleanTransform(const RigidTransform& X) { return {orthonormalized(X.R), X.p}; }

RigidTransform alongZ(const Vector3d& center, const Vector3d& axis) {
  return {Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix(), center};
}

}  // namespace

std::string attribute(const char* name, std::initializer_list<double> numbers) {
  std::string text = " " + std::string(name) + "=\"";
  for (const double number : numbers) {
    char buffer[32];
    std::snprintf(buffer, sizeof(buffer), "%s%.17g", text.back() == '"' ? "" : " ", number);
    text += buffer;
  }
  return text + "\"";
}

std::string attribute(const char* name, const Vector3d& v) { return attribute(name, {v.x(), v.y(), v.z()}); }

std::string poseAttributes(const RigidTransform& X) {
  const Eigen::Quaterniond q(X.R);
  return attribute("pos", X.p) + attribute("quat", {q.w(), q.x(), q.y(), q.z()});
}

ShapeWriter::ShapeWriter(const SceneDescription& description, const MujocoSettings& settings)
    : description_(description), settings_(settings) {}

std::string ShapeWriter::geoms(int body, const RigidTransform& X_BM) {
  const SceneBody& from = description_.bodies[body];
  body_ = body;
  X_WM_ = cleanTransform(from.X_WB) * X_BM;
  geoms_.clear();
  for (const SceneShape& shape : from.shapes) {
    if (shape.geometry == nullptr) continue;
    id_ = shape.id;
    try {
      const Surface& surface = description_.surfaces.at(shape.id);
      // A shape that is shrunk by its padding first ends up at its own size.
      const double padding = surface.standout();
      if (!(padding >= 0) || !std::isfinite(padding)) throw Error("padding must be finite and not negative");
      addGeometry(*shape.geometry, X_BM.inverse() * cleanTransform(shape.X_BG), padding);
    } catch (const Error& error) {
      throw Error("body '" + from.name + "': " + error.message(), error.where(), error.hint());
    }
  }
  return geoms_;
}

std::string ShapeWriter::geom(const char* type, const RigidTransform& X, const std::string& attributes,
                              const char* kind) {
  const std::string name = "g" + std::to_string(owners_.size());
  owners_.push_back({body_, id_});
  const auto at = std::find_if(counts_.begin(), counts_.end(), [&](const auto& entry) { return entry.first == kind; });
  if (at == counts_.end())
    counts_.emplace_back(kind, 1);
  else
    ++at->second;
  return "<geom name=\"" + name + "\" type=\"" + type + "\"" + poseAttributes(X) + attributes +
         attribute("friction", {description_.surfaces[id_].friction, 0.005, 0.0001}) + " condim=\"3\" mass=\"0\"" +
         attribute("margin", {settings_.normalized() ? kAhead : 0.0}) + "/>\n";
}

void ShapeWriter::add(const char* type, const RigidTransform& X_MS, const std::string& attributes, const char* kind) {
  geoms_ += geom(type, X_MS, attributes, kind);
}

void ShapeWriter::addGeometry(const Geometry& geometry, const RigidTransform& X_MG, double margin) {
  margin += geometry.margin();
  if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const GeometryPtr& part : group->parts)
      if (part != nullptr) addGeometry(*part, X_MG, margin);
  } else if (const auto* sphere = geometry.as<SphereShape>()) {
    add("sphere", X_MG * RigidTransform::translation(sphere->center), attribute("size", {sphere->radius + margin}),
        "sphere");
  } else if (const auto* box = geometry.as<AxisAlignedBoxShape>()) {
    addBox(X_MG * RigidTransform::translation(0.5 * (box->min + box->max)), 0.5 * (box->max - box->min), margin);
  } else if (const auto* oriented = geometry.as<BoxShape>()) {
    addBox(X_MG * cleanTransform(oriented->X) * RigidTransform::translation(0.5 * oriented->size), 0.5 * oriented->size,
           margin);
  } else if (const auto* cylinder = geometry.as<CylinderShape>()) {
    const Vector3d axis = cylinder->axis.normalized();
    add("cylinder", X_MG * alongZ(cylinder->base + 0.5 * cylinder->height * axis, axis),
        attribute("size", {cylinder->radius + margin, 0.5 * cylinder->height + margin}), "cylinder");
  } else if (const auto* capsule = geometry.as<CapsuleShape>()) {
    addCapsule(capsule->a, capsule->b, capsule->radius + margin, X_MG);
  } else if (const auto* ellipsoid = geometry.as<EllipsoidShape>()) {
    add("ellipsoid", X_MG * cleanTransform(ellipsoid->X),
        attribute("size", Vector3d(ellipsoid->radii + Vector3d::Constant(margin))), "ellipsoid");
  } else if (const auto* point = geometry.as<PointShape>()) {
    add("sphere", X_MG * RigidTransform::translation(point->point), attribute("size", {std::max(margin, kThinnest)}),
        "sphere");
  } else if (const auto* segment = geometry.as<SegmentShape>()) {
    addCapsule(segment->a, segment->b, std::max(margin, kThinnest), X_MG);
  } else if (const auto* triangle = geometry.as<TriangleShape>()) {
    addMesh({{triangle->a, triangle->b, triangle->c}, {{0, 1, 2}}}, X_MG, margin);
  } else if (const auto* polygon = geometry.as<PolygonShape>()) {
    TriangleMesh fan{polygon->vertices, {}};
    for (int i = 2; i < static_cast<int>(polygon->vertices.size()); ++i) fan.triangles.push_back({0, i - 1, i});
    addMesh(fan, X_MG, margin);
  } else if (const auto* mesh = geometry.as<TriangleMesh>()) {
    addMesh(*mesh, X_MG, margin);
  } else if (const auto* hull = geometry.as<ConvexHullShape>()) {
    if (!hull->points.empty()) addHull(hull->points, X_MG, margin);
  } else if (const auto* heights = geometry.as<HeightmapShape>()) {
    addHeights(*heights, X_MG, margin);
  } else if (!geometry.empty()) {
    throw Error("the MuJoCo backend does not collide a " + std::string(geometry.typeName()), {},
                "use a mesh or primitives for this body, or contacts of the boundary layer");
  }
}

void ShapeWriter::addCapsule(const Vector3d& a, const Vector3d& b, double radius, const RigidTransform& X_MG) {
  const double length = (b - a).norm();
  const Vector3d center = X_MG * Vector3d(0.5 * (a + b));
  if (length < 1e-9) return add("sphere", RigidTransform::translation(center), attribute("size", {radius}), "sphere");
  add("capsule", alongZ(center, X_MG.R * (b - a) / length), attribute("size", {radius, 0.5 * length}), "capsule");
}

void ShapeWriter::addBox(const RigidTransform& X_MS, const Vector3d& halfExtents, double margin) {
  const Vector3d half = (halfExtents + Vector3d::Constant(margin)).cwiseMax(0.5 * kThinnest);
  add("box", X_MS, attribute("size", half), "box");
}

void ShapeWriter::addHull(const std::vector<Vector3d>& points, const RigidTransform& X_MG, double margin) {
  std::vector<Vector3d> corners = hullCorners(points, kMaxCorners);
  if (thickness(corners) < 0.1 * kThinnest) {
    // Flat or straight: MuJoCo's hulls need a volume.
    const double half = std::max(margin, 0.5 * kThinnest);
    std::vector<Vector3d> thick;
    for (const Vector3d& p : corners)
      for (int i = 0; i < 8; ++i) thick.push_back(p + half * Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    corners = hullCorners(thick, kMaxCorners);
  } else if (margin > 0) {
    corners = grownHull(corners, margin);
  }
  const std::string name = "m" + std::to_string(meshes_++);
  assets_ += "<mesh name=\"" + name + "\" vertex=\"";
  for (const Vector3d& p : corners) {
    char buffer[96];
    std::snprintf(buffer, sizeof(buffer), "%.9g %.9g %.9g ", p.x(), p.y(), p.z());
    assets_ += buffer;
  }
  assets_ += "\"/>\n";
  add("mesh", X_MG, " mesh=\"" + name + "\"", "convex hull");
}

void ShapeWriter::addMesh(const TriangleMesh& original, const RigidTransform& X_MG, double margin) {
  const TriangleMesh mesh = weldedMesh(original);
  if (mesh.triangles.empty()) return;
  // Several solids in one mesh are better than their common hull.
  const std::vector<TriangleMesh> parts = connectedParts(mesh);
  if (parts.size() > 1 && parts.size() <= kMaxParts && std::all_of(parts.begin(), parts.end(), isClosed))
    for (const TriangleMesh& part : parts) addPart(part, X_MG, margin);
  else
    addPart(mesh, X_MG, margin);
}

void ShapeWriter::addPart(const TriangleMesh& mesh, const RigidTransform& X_MG, double margin) {
  if (const auto box = recognizeBox(mesh)) return addBox(X_MG * box->X_MB, 0.5 * box->size, margin);
  const bool fixed = description_.bodies[body_].motion == BodyMotion::fixed;
  if (const auto patch = recognizeFlatPatch(mesh); patch && fixed && patch->convex)
    return addPatch(*patch, X_MG, margin);
  // A robot's base is no worse off than its other links.
  if (fixed && description_.bodies[body_].robot < 0 && !isConvex(mesh) &&
      settings_.fixedMeshes == MujocoSettings::FixedMeshes::refuse)
    throw Error("its mesh is not convex, and MuJoCo collides meshes as their convex hulls", {},
                "use contacts of the boundary layer, or fixed_meshes: hull if the hull will do");
  addHull(mesh.vertices, X_MG, margin);
}

/// Says whether all other shapes of the scene start above a patch and within its outline.
bool ShapeWriter::carriesAll(const FlatPatch& patch, const RigidTransform& X_WG) const {
  const std::size_t n = patch.outline.size();
  for (std::size_t b = 0; b < description_.bodies.size(); ++b)
    for (const SceneShape& shape : description_.bodies[b].shapes) {
      if (static_cast<int>(b) == body_ || shape.geometry == nullptr) continue;
      const AxisAlignedBounds bounds = shape.geometry->bounds();
      if (bounds.empty()) continue;
      const Vector3d middle = 0.5 * (bounds.min + bounds.max);
      const Vector3d center = X_WG.inverse() * (description_.bodies[b].X_WB * shape.X_BG * middle);
      if (patch.normal.dot(center - patch.outline[0]) < 0) return false;
      for (std::size_t i = 0; i < n; ++i) {
        const Vector3d along = (patch.outline[(i + 1) % n] - patch.outline[i]).normalized();
        const Vector3d inward = patch.normal.cross(along);
        if (inward.dot(center - patch.outline[i]) < 0.5 * (bounds.max - bounds.min).norm()) return false;
      }
    }
  return true;
}

/// A sheet has no inside; what falls through one side of it in a step would never come back. So a fixed one becomes a
/// plane where all of the scene is above it and within its outline, for planes are endless, or else a slab below its
/// face.
void ShapeWriter::addPatch(const FlatPatch& patch, const RigidTransform& X_MG, double margin) {
  const Vector3d normal = X_MG.R * patch.normal, face = X_MG * patch.outline[0] + margin * normal;
  if (carriesAll(patch, X_WM_ * X_MG)) {
    const RigidTransform X_MS = alongZ(face, normal);
    planes_.push_back({static_cast<int>(owners_.size()), body_, X_MS});  // M of a fixed body is its own frame.
    planeGeoms_ += geom("plane", X_WM_ * X_MS, attribute("size", {1, 1, 1}), "plane");
    return;
  }
  double size = 0;
  for (const Vector3d& p : patch.outline) size = std::max(size, (p - patch.outline[0]).norm());
  const double depth = std::max(0.1, 0.05 * size);
  TriangleMesh slab;
  const int n = static_cast<int>(patch.outline.size());
  for (int i = 0; i < n; ++i) {
    slab.vertices.push_back(patch.outline[i]);
    slab.vertices.push_back(patch.outline[i] - depth * patch.normal);
    const int a = 2 * i, b = 2 * ((i + 1) % n);
    slab.triangles.push_back({a, a + 1, b + 1});
    slab.triangles.push_back({a, b + 1, b});
    if (i < 2) continue;
    slab.triangles.push_back({0, a - 2, a});
    slab.triangles.push_back({1, a + 1, a - 1});
  }
  if (const auto box = recognizeBox(slab)) return addBox(X_MG * box->X_MB, 0.5 * box->size, margin);
  addHull(slab.vertices, X_MG, margin);
}

void ShapeWriter::addHeights(const HeightmapShape& map, const RigidTransform& X_MG, double margin) {
  if (description_.bodies[body_].motion != BodyMotion::fixed) return addMesh(map.surface(), X_MG, margin);
  const auto [low, high] = std::minmax_element(map.heights.begin(), map.heights.end());
  const double range = std::max(*high - *low, kThinnest);
  const std::string name = "h" + std::to_string(heights_.size());
  assets_ += "<hfield name=\"" + name + "\" nrow=\"" + std::to_string(map.rows) + "\" ncol=\"" +
             std::to_string(map.columns) + "\"" +
             attribute("size", {0.5 * map.size[0], 0.5 * map.size[1], range, 0.1}) + "/>\n";
  std::vector<float> values;
  for (const double height : map.heights) values.push_back(static_cast<float>((height - *low) / range));
  heights_.push_back(std::move(values));
  add("hfield", X_MG * cleanTransform(map.X) * RigidTransform::translation({0, 0, *low + margin}),
      " hfield=\"" + name + "\"", "height field");
}

}  // namespace mortise::mujoco
