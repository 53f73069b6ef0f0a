#include "shapes.h"

#include <BulletCollision/CollisionShapes/btConvexPolyhedron.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "convert.h"
#include "mortise/base/error.h"
#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/geometry/tessellate.h"

namespace mortise::bullet {

namespace {

/// Points, segments and sheets get at least this thickness.
constexpr double kThinnest = 1e-3;
/// A mesh of more pieces is taken whole.
constexpr std::size_t kMaxParts = 64;
/// A hull of more corners is simplified, so that no contact takes long.
constexpr int kMaxCorners = 120;

RigidTransform alongZ(const Vector3d& center, const Vector3d& axis) {
  return {Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix(), center};
}

/// A convex patch with `depth` under it, closed. Vertices 2 i and 2 i + 1 are corner i above and below.
TriangleMesh slabBelow(const FlatPatch& patch, double depth) {
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
  return slab;
}

}  // namespace

struct ShapeLibrary::Owner {
  const SceneBody& body;
  MovingMeshes movingMeshes;
  bool fixed() const { return body.motion == BodyMotion::fixed; }
};

ShapeLibrary::ShapeLibrary(const SceneDescription& description, const std::vector<MassFrame>& frames,
                           const BulletSettings& settings)
    : settings_(settings) {
  if (description.contactSource == ContactSource::external) return;
  for (std::size_t b = 0; b < description.bodies.size(); ++b) {
    const SceneBody& body = description.bodies[b];
    const Owner owner{body, body.robot >= 0 ? settings.robotMeshes : settings.objectMeshes};
    parts_.clear();
    for (const SceneShape& shape : body.shapes) {
      if (shape.geometry == nullptr) continue;
      id_ = shape.id;
      try {
        const Surface& surface = description.surfaces[shape.id];
        // A shape that is shrunk by its padding first ends up at its own size.
        const double padding = surface.standout();
        if (!(padding >= 0) || !std::isfinite(padding)) throw Error("padding must be finite and not negative");
        addGeometry(owner, *shape.geometry, frames[b].X_BC.inverse() * cleaned(shape.X_BG), padding);
      } catch (const Error& error) {
        throw Error("body '" + body.name + "': " + error.message(), error.where(), error.hint());
      }
    }
    bodies_.push_back(assemble(parts_));
  }
}

ShapeLibrary::~ShapeLibrary() {
  // A compound refers to its children, a mesh shape to its data: the last made goes first.
  while (!shapes_.empty()) shapes_.pop_back();
}

void ShapeLibrary::count(const char* kind) {
  const auto at = std::find_if(counts_.begin(), counts_.end(), [&](const auto& entry) { return entry.first == kind; });
  if (at == counts_.end())
    counts_.emplace_back(kind, 1);
  else
    ++at->second;
}

template <typename Shape>
Shape* ShapeLibrary::add(std::unique_ptr<Shape> shape, const RigidTransform& X_CS, const char* kind) {
  shape->setUserIndex(id_);
  Shape* raw = shape.get();
  shapes_.push_back(std::move(shape));
  parts_.push_back({raw, X_CS});
  count(kind);
  return raw;
}

btCollisionShape* ShapeLibrary::assemble(const std::vector<Part>& parts) {
  if (parts.empty()) {
    shapes_.push_back(std::make_unique<btEmptyShape>());
    return shapes_.back().get();
  }
  const Part& first = parts.front();
  const bool plain = parts.size() == 1 && first.X_CS.p.cwiseAbs().maxCoeff() < 1e-12 &&
                     (first.X_CS.R - Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-12;
  if (plain) return first.shape;
  auto compound = std::make_unique<btCompoundShape>(parts.size() > 1, static_cast<int>(parts.size()));
  for (const Part& part : parts) compound->addChildShape(toBullet(part.X_CS), part.shape);
  compound->setMargin(settings_.margin);
  compound->setUserIndex(first.shape->getUserIndex());
  btCollisionShape* raw = compound.get();
  shapes_.push_back(std::move(compound));
  return raw;
}

void ShapeLibrary::addGeometry(const Owner& owner, const Geometry& geometry, const RigidTransform& X_CG,
                               double margin) {
  margin += geometry.margin();
  if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const GeometryPtr& part : group->parts)
      if (part != nullptr) addGeometry(owner, *part, X_CG, margin);
  } else if (const auto* sphere = geometry.as<SphereShape>()) {
    add(std::make_unique<btSphereShape>(sphere->radius + margin), X_CG * RigidTransform::translation(sphere->center),
        "sphere");
  } else if (const auto* box = geometry.as<AxisAlignedBoxShape>()) {
    addBox(X_CG * RigidTransform::translation(0.5 * (box->min + box->max)), 0.5 * (box->max - box->min), margin);
  } else if (const auto* oriented = geometry.as<BoxShape>()) {
    addBox(X_CG * cleaned(oriented->X) * RigidTransform::translation(0.5 * oriented->size), 0.5 * oriented->size,
           margin);
  } else if (const auto* cylinder = geometry.as<CylinderShape>()) {
    const Vector3d axis = cylinder->axis.normalized();
    const double half = 0.5 * cylinder->height + margin, radius = cylinder->radius + margin;
    auto* shape = add(std::make_unique<btCylinderShapeZ>(btVector3(radius, radius, half)),
                      X_CG * alongZ(cylinder->base + 0.5 * cylinder->height * axis, axis), "cylinder");
    shape->setMargin(std::min(settings_.margin, 0.1 * std::min(half, radius)));
  } else if (const auto* capsule = geometry.as<CapsuleShape>()) {
    const Vector3d along = capsule->b - capsule->a;
    const Vector3d axis = along.norm() > 0 ? Vector3d(along.normalized()) : Vector3d::UnitZ();
    add(std::make_unique<btCapsuleShapeZ>(capsule->radius + margin, along.norm()),
        X_CG * alongZ(0.5 * (capsule->a + capsule->b), axis), "capsule");
  } else if (const auto* ellipsoid = geometry.as<EllipsoidShape>()) {
    // Bullet has none: a hull, fine enough for its corners to be the limit.
    const EllipsoidShape bare{{}, ellipsoid->radii};
    addHull(tessellated(Geometry(bare), 0.2 * ellipsoid->radii.minCoeff()).vertices, X_CG * cleaned(ellipsoid->X),
            margin);
  } else if (const auto* point = geometry.as<PointShape>()) {
    add(std::make_unique<btSphereShape>(std::max(margin, kThinnest)), X_CG * RigidTransform::translation(point->point),
        "sphere");
  } else if (const auto* segment = geometry.as<SegmentShape>()) {
    const Vector3d along = segment->b - segment->a;
    const Vector3d axis = along.norm() > 0 ? Vector3d(along.normalized()) : Vector3d::UnitZ();
    add(std::make_unique<btCapsuleShapeZ>(std::max(margin, kThinnest), along.norm()),
        X_CG * alongZ(0.5 * (segment->a + segment->b), axis), "capsule");
  } else if (const auto* triangle = geometry.as<TriangleShape>()) {
    addMesh(owner, {{triangle->a, triangle->b, triangle->c}, {{0, 1, 2}}}, X_CG, margin);
  } else if (const auto* polygon = geometry.as<PolygonShape>()) {
    TriangleMesh fan{polygon->vertices, {}};
    for (int i = 2; i < static_cast<int>(polygon->vertices.size()); ++i) fan.triangles.push_back({0, i - 1, i});
    addMesh(owner, fan, X_CG, margin);
  } else if (const auto* mesh = geometry.as<TriangleMesh>()) {
    addMesh(owner, *mesh, X_CG, margin);
  } else if (const auto* hull = geometry.as<ConvexHullShape>()) {
    if (!hull->points.empty()) addHull(hull->points, X_CG, margin);
  } else if (const auto* heights = geometry.as<HeightmapShape>()) {
    addMesh(owner, heights->surface(), X_CG, margin);
  } else if (geometry.as<PointCloud>() != nullptr) {
    throw Error("the Bullet backend does not collide point clouds", {}, "use a mesh or primitives for this body");
  } else if (geometry.as<ImplicitSurfaceShape>() != nullptr || geometry.as<OccupancyGridShape>() != nullptr) {
    throw Error("the Bullet backend does not collide volume grids", {}, "use a mesh or primitives for this body");
  }
}

void ShapeLibrary::addBox(const RigidTransform& X_CS, const Vector3d& halfExtents, double margin) {
  const Vector3d half = (halfExtents + Vector3d::Constant(margin)).cwiseMax(0.5 * kThinnest);
  auto* box = add(std::make_unique<btBoxShape>(toBullet(half)), X_CS, "box");
  box->setMargin(std::min(1e-3, 0.1 * half.minCoeff()));  // Lies within the box.
  box->initializePolyhedralFeatures();
}

void ShapeLibrary::addHull(const std::vector<Vector3d>& points, const RigidTransform& X_CG, double margin) {
  std::vector<Vector3d> corners = hullCorners(points, kMaxCorners);
  // Flat or straight: the margin is all there is of it, and the hull is rounded.
  const bool thin = thickness(corners) < 0.1 * kThinnest;
  if (!thin && margin > 0) corners = grownHull(corners, margin);
  Vector3d center = Vector3d::Zero();
  for (const Vector3d& p : corners) center += p / static_cast<double>(corners.size());
  auto hull = std::make_unique<btConvexHullShape>();
  for (const Vector3d& p : corners) hull->addPoint(toBullet(Vector3d(p - center)), false);
  hull->recalcLocalAabb();
  btConvexHullShape* shape = add(std::move(hull), X_CG * RigidTransform::translation(center), "convex hull");
  shape->setMargin(thin ? std::max(margin, 0.5 * kThinnest) : settings_.margin);
  // Makes contacts of whole faces at once; between polyhedra Bullet also takes the margin off again.
  if (!thin) shape->initializePolyhedralFeatures();
}

void ShapeLibrary::addMesh(const Owner& owner, const TriangleMesh& original, const RigidTransform& X_CG,
                           double margin) {
  const TriangleMesh mesh = weldedMesh(original);
  if (mesh.triangles.empty()) return;
  // Several solids in one mesh are better than their common hull, and convex ones better than triangles.
  const std::vector<TriangleMesh> parts = connectedParts(mesh);
  if (parts.size() > 1 && parts.size() <= kMaxParts && std::all_of(parts.begin(), parts.end(), isClosed))
    for (const TriangleMesh& part : parts) addPart(owner, part, X_CG, margin);
  else
    addPart(owner, mesh, X_CG, margin);
}

void ShapeLibrary::addPart(const Owner& owner, const TriangleMesh& mesh, const RigidTransform& X_CG, double margin) {
  if (const auto box = recognizeBox(mesh)) return addBox(X_CG * box->X_MB, 0.5 * box->size, margin);
  if (const auto patch = recognizeFlatPatch(mesh)) {
    if (!owner.fixed()) return addHull(patch->outline, X_CG, margin);
    if (patch->convex) return addPatch(*patch, X_CG, margin);
  }
  if (isConvex(mesh)) return addHull(mesh.vertices, X_CG, margin);
  if (!owner.fixed() && owner.movingMeshes == MovingMeshes::hull) return addHull(mesh.vertices, X_CG, margin);

  meshData_.push_back(std::make_unique<TriangleMesh>(mesh));
  TriangleMesh& data = *meshData_.back();
  btIndexedMesh indexed;
  indexed.m_numTriangles = static_cast<int>(data.triangles.size());
  indexed.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(data.triangles.data());
  indexed.m_triangleIndexStride = sizeof(data.triangles[0]);
  indexed.m_numVertices = static_cast<int>(data.vertices.size());
  indexed.m_vertexBase = reinterpret_cast<const unsigned char*>(data.vertices.data());
  indexed.m_vertexStride = sizeof(data.vertices[0]);
  indexed.m_indexType = PHY_INTEGER;
  indexed.m_vertexType = PHY_DOUBLE;
  auto interface = std::make_unique<btTriangleIndexVertexArray>();
  interface->addIndexedMesh(indexed, PHY_INTEGER);
  meshes_.push_back(std::move(interface));
  const double thick = margin > 0 ? margin : settings_.margin;
  if (owner.fixed()) {
    auto* shape = add(std::make_unique<btBvhTriangleMeshShape>(meshes_.back().get(), true), X_CG, "triangle mesh");
    shape->setMargin(thick);
  } else {
    auto* shape = add(std::make_unique<btGImpactMeshShape>(meshes_.back().get()), X_CG, "gimpact mesh");
    shape->setMargin(thick);
    shape->updateBound();
    for (int i = 0; i < shape->getMeshPartCount(); ++i) shape->getMeshPart(i)->setUserIndex(id_);
  }
}

/// A sheet has no inside; what falls through one side of it in a step would never come back. So a fixed one becomes a
/// slab below its face.
void ShapeLibrary::addPatch(const FlatPatch& patch, const RigidTransform& X_CG, double margin) {
  double size = 0;
  for (const Vector3d& p : patch.outline) size = std::max(size, (p - patch.outline[0]).norm());
  const double depth = std::max(0.1, 0.05 * size);
  const TriangleMesh slab = slabBelow(patch, depth);
  if (const auto box = recognizeBox(slab)) return addBox(X_CG * box->X_MB, 0.5 * box->size, margin);
  addHull(slab.vertices, X_CG, margin);
}

}  // namespace mortise::bullet
