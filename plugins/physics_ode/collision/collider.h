#pragma once

/// A scene's shapes as ODE geoms.

#include <map>
#include <memory>
#include <ode/ode.h>
#include <string>
#include <vector>

#include "mortise/component/physics.h"
#include "mortise/geometry/mesh_recognition.h"

namespace mortise::ode {

/// Triangles in the layout that ODE keeps pointers into; shared by every collider made of the same geometry.
class MeshData {
 public:
  explicit MeshData(const TriangleMesh& mesh);
  ~MeshData();
  MeshData(const MeshData&) = delete;
  MeshData& operator=(const MeshData&) = delete;

  dTriMeshDataID id() const { return id_; }
  /// Vertices that can touch a plane.
  const std::vector<Vector3d>& hullVertices() const { return hullVertices_; }
  const AxisAlignedBounds& bounds() const { return bounds_; }

 private:
  std::vector<double> vertices_;
  std::vector<dTriIndex> indices_;
  std::vector<Vector3d> hullVertices_;
  AxisAlignedBounds bounds_;
  dTriMeshDataID id_;
};

/// One ODE geom. Its shape frame S has the origin and axes that ODE gives the shape (center, z along the axis).
struct Collider {
  enum class Kind { sphere, box, capsule, cylinder, mesh, patch };
  Kind kind = Kind::sphere;
  dGeomID geom = nullptr;  ///< Belongs to no space.
  int body = -1;
  int id = -1;           ///< World id of the shape.
  bool dynamic = false;  ///< Has a body that forces can move.
  bool moves = false;    ///< Follows a body: dynamic or kinematic.
  RigidTransform X_BS;
  /// Layer around the shape that counts as solid. Already part of the geom, except for meshes and patches.
  double padding = 0;
  Vector3d halfSize = Vector3d::Zero();  ///< Boxes; padded.
  double radius = 0, length = 0;         ///< Round shapes; padded.
  std::shared_ptr<const MeshData> mesh;  ///< Meshes and patches.
  FlatPatch patch;                       ///< Patches: corners and normal in S.

  RigidTransform X_WS;       ///< Of the current step.
  AxisAlignedBounds bounds;  ///< In the world, of the current step.

  /// Gives the geom `layer` more on all sides than it has by itself. Meshes stay as they are.
  void grow(double layer) const;
};

/// Owns the geoms.
class ColliderSet {
 public:
  ColliderSet() = default;
  ~ColliderSet();
  ColliderSet(const ColliderSet&) = delete;
  ColliderSet& operator=(const ColliderSet&) = delete;

  /// Adds the shapes of a body. `odeBody` is null for fixed bodies; `surfaces` go by world id. Throws `Error` for a
  /// shape that cannot be held.
  void add(const SceneBody& body, int index, dBodyID odeBody, const std::vector<Surface>& surfaces);

  /// Orders by world id, so that pairs come out with the lower id first. Call once, after the last `add`.
  void finish();
  /// Moves the geoms of a fixed body.
  void placeFixed(int body, const RigidTransform& X_WB);
  /// The body of colliders that move has its ODE body at `com` now, and moves under forces or not.
  void changeMotion(int body, const Vector3d& com, bool dynamic);
  /// Brings poses and bounds of moving colliders up to date.
  void refresh();

  std::vector<Collider>& all() { return colliders_; }
  const std::vector<Collider>& all() const { return colliders_; }
  /// How shapes that ODE does not have were replaced: "12 ellipsoids as meshes".
  std::vector<std::string> substitutions() const;
  int count(Collider::Kind kind) const;

 private:
  struct Target;
  void addGeometry(const Target& target, const GeometryPtr& geometry, const RigidTransform& X_BG);
  void addMesh(const Target& target, const TriangleMesh& mesh, const void* key, int part, const RigidTransform& X_BG);
  void addParts(const Target& target, const TriangleMesh& mesh, const void* key, const RigidTransform& X_BG);
  void addSphere(const Target& target, const Vector3d& center, double radius, const RigidTransform& X_BG);
  void addCapsule(const Target& target, const CapsuleShape& capsule, const RigidTransform& X_BG);
  void addBox(const Target& target, const RigidTransform& X_BS, const Vector3d& size);
  void place(Collider collider, const Target& target, const RigidTransform& X_BS);
  static void setOffset(const Collider& collider, const Vector3d& com);
  void putFixed(Collider& collider, const RigidTransform& X_WB);
  void update(Collider& collider);

  std::vector<Collider> colliders_;
  std::map<std::pair<const void*, int>, std::shared_ptr<const MeshData>> meshes_;
  std::vector<GeometryPtr> kept_;  ///< Keeps the keys of `meshes_` unique.
  std::map<std::string, int> substituted_;
};

}  // namespace mortise::ode
