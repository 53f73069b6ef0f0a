#pragma once

/// A scene's shapes as ODE geoms.

#include <map>
#include <memory>
#include <ode/ode.h>
#include <string>
#include <vector>

#include "mortise/component/physics.h"

namespace mortise::ode {

/// Triangles in the layout that ODE keeps pointers into; shared by every collider made of the same geometry.
class MeshData {
 public:
  explicit MeshData(const TriangleMesh& mesh);
  ~MeshData();
  MeshData(const MeshData&) = delete;
  MeshData& operator=(const MeshData&) = delete;

  dTriMeshDataID id() const { return id_; }

 private:
  std::vector<double> vertices_;
  std::vector<dTriIndex> indices_;
  dTriMeshDataID id_;
};

/// One ODE geom. Its shape frame S has the origin and axes that ODE gives the shape (center, z along the axis).
struct Collider {
  enum class Kind { sphere, box, capsule, cylinder, mesh };
  Kind kind = Kind::sphere;
  dGeomID geom = nullptr;
  int body = -1;
  int id = -1;           ///< World id of the shape.
  bool dynamic = false;  ///< Has a body that forces can move.
  bool moves = false;    ///< Follows a body: dynamic or kinematic.
  RigidTransform X_BS;
  std::shared_ptr<const MeshData> mesh;
};

/// Owns the geoms and the space that they are in.
class ColliderSet {
 public:
  ColliderSet();
  ~ColliderSet();
  ColliderSet(const ColliderSet&) = delete;
  ColliderSet& operator=(const ColliderSet&) = delete;

  /// Adds the shapes of a body. `odeBody` is null for fixed bodies; `surfaces` go by world id. Throws `Error` for a
  /// shape that cannot be held.
  void add(const SceneBody& body, int index, dBodyID odeBody, const std::vector<Surface>& surfaces);

  /// Orders by world id, so that pairs come out with the lower id first, and gives each geom its index in `all` as
  /// data. Call once, after the last `add`.
  void finish();
  /// Moves the geoms of a fixed body.
  void placeFixed(int body, const RigidTransform& X_WB);
  /// The body of colliders that move has its ODE body at `com` now, and moves under forces or not.
  void changeMotion(int body, const Vector3d& com, bool dynamic);
  /// Gives ODE's mesh colliders, which may read the pose of the step before, the present one for it, so that a step
  /// depends on nothing but the state.
  void forgetMotion();

  dSpaceID space() const { return space_; }
  const std::vector<Collider>& all() const { return colliders_; }
  /// Returns how shapes that ODE does not have were replaced: "12 ellipsoids as meshes".
  std::vector<std::string> substitutions() const;
  int count(Collider::Kind kind) const;

 private:
  struct Target;
  void addGeometry(const Target& target, const GeometryPtr& geometry, const RigidTransform& X_BG);
  void addMesh(const Target& target, const TriangleMesh& mesh, const void* key, const RigidTransform& X_BG);
  void addParts(const Target& target, const TriangleMesh& mesh, const void* key, const RigidTransform& X_BG);
  void addSphere(const Target& target, const Vector3d& center, double radius, const RigidTransform& X_BG);
  void addCapsule(const Target& target, const CapsuleShape& capsule, const RigidTransform& X_BG);
  void addBox(const Target& target, const RigidTransform& X_BS, const Vector3d& size);
  void place(Collider collider, const Target& target, const RigidTransform& X_BS);
  static void setOffset(const Collider& collider, const Vector3d& com);
  static void putFixed(const Collider& collider, const RigidTransform& X_WB);

  dSpaceID space_ = nullptr;  ///< Made with the first shape, when the library is ready.
  std::vector<Collider> colliders_;
  std::map<const void*, std::shared_ptr<const MeshData>> meshes_;
  std::vector<GeometryPtr> kept_;  ///< Keeps the keys of `meshes_` unique.
  std::map<std::string, int> substituted_;
};

}  // namespace mortise::ode
