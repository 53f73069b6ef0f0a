#pragma once

#include <btBulletCollisionCommon.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bullet_settings.h"
#include "mortise/component/physics.h"
#include "mortise/dynamics/scene_bodies.h"
#include "mortise/geometry/convex/mesh_recognition.h"

namespace mortise::bullet {

/// Collision shapes of all bodies of a scene, in their center-of-mass frames; none when contacts come from outside.
/// They hold no state, so worlds built anew from one scene share them.
class ShapeLibrary {
 public:
  ShapeLibrary(const SceneDescription& description, const std::vector<MassFrame>& frames,
               const BulletSettings& settings);
  ~ShapeLibrary();
  ShapeLibrary(const ShapeLibrary&) = delete;
  ShapeLibrary& operator=(const ShapeLibrary&) = delete;

  /// An empty shape for a body without geometry; `isEmpty` tells.
  btCollisionShape& body(int index) const { return *bodies_[index]; }
  bool isEmpty(int index) const { return bodies_[index]->getShapeType() == EMPTY_SHAPE_PROXYTYPE; }
  /// Returns how many geometries became which kind of shape, for the record.
  const std::vector<std::pair<std::string, int>>& counts() const { return counts_; }

 private:
  struct Part {
    btCollisionShape* shape;
    RigidTransform X_CS;
  };
  struct Owner;  ///< Motion, padding and names while one body's parts are made.

  void addGeometry(const Owner& owner, const Geometry& geometry, const RigidTransform& X_CG, double margin);
  void addMesh(const Owner& owner, const TriangleMesh& mesh, const RigidTransform& X_CG, double margin);
  void addPart(const Owner& owner, const TriangleMesh& mesh, const RigidTransform& X_CG, double margin);
  void addBox(const RigidTransform& X_CS, const Vector3d& halfExtents, double margin);
  void addHull(const std::vector<Vector3d>& points, const RigidTransform& X_CG, double margin);
  void addPatch(const FlatPatch& patch, const RigidTransform& X_CG, double margin);
  template <typename Shape>
  Shape* add(std::unique_ptr<Shape> shape, const RigidTransform& X_CS, const char* kind);
  btCollisionShape* assemble(const std::vector<Part>& parts);
  void count(const char* kind);

  const BulletSettings& settings_;
  std::vector<std::unique_ptr<btStridingMeshInterface>> meshes_;
  std::vector<std::unique_ptr<TriangleMesh>> meshData_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<btCollisionShape*> bodies_;
  std::vector<Part> parts_;  ///< Parts of the body being built.
  int id_ = -1;              ///< World id of the shape being built.
  std::vector<std::pair<std::string, int>> counts_;
};

}  // namespace mortise::bullet
