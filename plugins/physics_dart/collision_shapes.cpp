#include "collision_shapes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <assimp/scene.h>

#include "mortise/base/error.h"
#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/geometry/tessellate.h"

namespace mortise::dart {

namespace {

/// Points, segments and sheets get at least this thickness.
constexpr double kThinnestShape = 1e-3;
/// Edges of capsules, for each meter of radius.
constexpr double kFacet = 0.25;

RigidTransform alongZ(const Vector3d& center, const Vector3d& axis) {
  return {Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix(), center};
}

/// DART's meshes are Assimp's; the shape deletes it.
aiScene* assimpScene(const TriangleMesh& from) {
  auto* mesh = new aiMesh;
  mesh->mPrimitiveTypes = aiPrimitiveType_TRIANGLE;
  mesh->mNumVertices = static_cast<unsigned>(from.vertices.size());
  mesh->mVertices = new aiVector3D[mesh->mNumVertices];
  for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
    const Vector3d& v = from.vertices[i];
    mesh->mVertices[i] =
        aiVector3D(static_cast<ai_real>(v.x()), static_cast<ai_real>(v.y()), static_cast<ai_real>(v.z()));
  }
  mesh->mNumFaces = static_cast<unsigned>(from.triangles.size());
  mesh->mFaces = new aiFace[mesh->mNumFaces];
  for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
    mesh->mFaces[i].mNumIndices = 3;
    mesh->mFaces[i].mIndices = new unsigned[3];
    for (int k = 0; k < 3; ++k) mesh->mFaces[i].mIndices[k] = static_cast<unsigned>(from.triangles[i][k]);
  }
  auto* scene = new aiScene;
  scene->mNumMeshes = 1;
  scene->mMeshes = new aiMesh*[1];
  scene->mMeshes[0] = mesh;
  scene->mNumMaterials = 1;
  scene->mMaterials = new aiMaterial*[1];
  scene->mMaterials[0] = new aiMaterial;
  scene->mRootNode = new aiNode;
  scene->mRootNode->mNumMeshes = 1;
  scene->mRootNode->mMeshes = new unsigned[1]{0};
  return scene;
}

class Shapes {
 public:
  explicit Shapes(bool boxesAndBalls) : boxesAndBalls_(boxesAndBalls) {}
  std::vector<CollisionShape> made;

  void add(const Geometry& geometry, double margin) {
    margin += geometry.margin();
    if (const auto* group = geometry.as<GeometryGroup>()) {
      for (const GeometryPtr& part : group->parts)
        if (part != nullptr) add(*part, margin);
    } else if (const auto* sphere = geometry.as<SphereShape>()) {
      put(std::make_shared<dyn::SphereShape>(sphere->radius + margin), RigidTransform::translation(sphere->center));
    } else if (const auto* box = geometry.as<AxisAlignedBoxShape>()) {
      addBox(RigidTransform::translation(0.5 * (box->min + box->max)), box->max - box->min, margin);
    } else if (const auto* oriented = geometry.as<BoxShape>()) {
      addBox(cleaned(oriented->X) * RigidTransform::translation(0.5 * oriented->size), oriented->size, margin);
    } else {
      if (boxesAndBalls_)
        throw Error("DART's own collision detector knows boxes and spheres only", {}, "set collision_detector: fcl");
      if (!addRound(geometry, margin)) addTriangles(geometry);
    }
  }

 private:
  void put(const dyn::ShapePtr& shape, const RigidTransform& X_GS) { made.push_back({shape, X_GS}); }

  void addBox(const RigidTransform& X_GS, const Vector3d& size, double margin) {
    const Vector3d grown = (size + Vector3d::Constant(2 * margin)).cwiseMax(kThinnestShape);
    put(std::make_shared<dyn::BoxShape>(grown), X_GS);
  }
  void addCapsule(const Vector3d& a, const Vector3d& b, double radius) {
    const Vector3d along = b - a;
    const Vector3d axis = along.norm() > 0 ? Vector3d(along.normalized()) : Vector3d::UnitZ();
    // DART's way to FCL has no capsules.
    CapsuleShape capsule;
    capsule.a = a;
    capsule.b = a + std::max(along.norm(), 1e-6) * axis;
    capsule.radius = radius;
    addMesh(tessellated(Geometry(capsule), kFacet * radius));
  }
  bool addRound(const Geometry& geometry, double margin) {
    if (const auto* cylinder = geometry.as<CylinderShape>()) {
      const Vector3d axis = cylinder->axis.normalized();
      put(std::make_shared<dyn::CylinderShape>(cylinder->radius + margin, cylinder->height + 2 * margin),
          alongZ(cylinder->base + 0.5 * cylinder->height * axis, axis));
    } else if (const auto* capsule = geometry.as<CapsuleShape>()) {
      addCapsule(capsule->a, capsule->b, capsule->radius + margin);
    } else if (const auto* ellipsoid = geometry.as<EllipsoidShape>()) {
      put(std::make_shared<dyn::EllipsoidShape>(2 * (ellipsoid->radii + Vector3d::Constant(margin))),
          cleaned(ellipsoid->X));
    } else if (const auto* point = geometry.as<PointShape>()) {
      put(std::make_shared<dyn::SphereShape>(std::max(margin, kThinnestShape)),
          RigidTransform::translation(point->point));
    } else if (const auto* segment = geometry.as<SegmentShape>()) {
      addCapsule(segment->a, segment->b, std::max(margin, kThinnestShape));
    } else {
      return false;
    }
    return true;
  }
  void addTriangles(const Geometry& geometry) {
    TriangleMesh mesh;
    if (const auto* triangle = geometry.as<TriangleShape>()) {
      mesh = {{triangle->a, triangle->b, triangle->c}, {{0, 1, 2}}};
    } else if (const auto* polygon = geometry.as<PolygonShape>()) {
      mesh.vertices = polygon->vertices;
      for (int i = 2; i < static_cast<int>(mesh.vertices.size()); ++i) mesh.triangles.push_back({0, i - 1, i});
    } else if (const auto* triangles = geometry.as<TriangleMesh>()) {
      mesh = *triangles;
    } else if (const auto* hull = geometry.as<ConvexHullShape>()) {
      if (auto closed = convexHull(hull->points)) mesh = std::move(*closed);
    } else if (const auto* heights = geometry.as<HeightmapShape>()) {
      mesh = heights->surface();
    } else if (!geometry.empty()) {
      throw Error("DART does not collide point clouds and volume grids", {},
                  "use a mesh or primitives for this body, or contacts: boundary_layer");
    }
    addMesh(mesh);
  }
  void addMesh(const TriangleMesh& mesh) {
    if (!mesh.triangles.empty()) put(std::make_shared<dyn::MeshShape>(Vector3d::Ones(), assimpScene(mesh)), {});
  }

  bool boxesAndBalls_;
};

}  // namespace

std::vector<CollisionShape> collisionShapes(const Geometry& geometry, double padding, bool boxesAndBalls) {
  Shapes shapes(boxesAndBalls);
  shapes.add(geometry, padding);
  return std::move(shapes.made);
}

}  // namespace mortise::dart
