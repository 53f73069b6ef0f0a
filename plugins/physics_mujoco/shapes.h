#pragma once

/// Geoms in the words of MJCF.

#include <string>
#include <utility>
#include <vector>

#include "mortise/component/physics.h"
#include "mortise/geometry/convex/mesh_recognition.h"
#include "mujoco_settings.h"

namespace mortise::mujoco {

/// `name="value"` with 17 digits.
std::string attribute(const char* name, std::initializer_list<double> numbers);
std::string attribute(const char* name, const Vector3d& v);
/// `pos` and `quat`.
std::string poseAttributes(const RigidTransform& X);

/// Writes the shapes of bodies as geoms and meshes. Boxes, spheres, capsules, cylinders and ellipsoids are MuJoCo's
/// own; meshes are taken apart into boxes and convex pieces where they are such, and become convex hulls otherwise.
class ShapeWriter {
 public:
  ShapeWriter(const SceneDescription& description, const MujocoSettings& settings);

  /// The geoms of a body, whose frame in MuJoCo is M. Throws `Error` for what MuJoCo cannot collide.
  std::string geoms(int body, const RigidTransform& X_BM);
  /// Planes, which stand in the world itself: MuJoCo 2.2.2 finds contacts with planes of other fixed bodies twice.
  struct Plane {
    int geom;
    int body;
    RigidTransform X_BS;
  };
  const std::vector<Plane>& planes() const { return planes_; }
  const std::string& planeGeoms() const { return planeGeoms_; }
  /// The meshes of all geoms so far.
  const std::string& assets() const { return assets_; }
  /// World id and body of each geom; geom number i is named "g<i>".
  struct Owner {
    int body = -1, id = -1;
  };
  const std::vector<Owner>& owners() const { return owners_; }
  /// Returns how many shapes became which kind of geom.
  const std::vector<std::pair<std::string, int>>& counts() const { return counts_; }
  /// Elevations of height field number i, named "h<i>", between 0 and 1.
  const std::vector<std::vector<float>>& heights() const { return heights_; }

 private:
  void addGeometry(const Geometry& geometry, const RigidTransform& X_MG, double margin);
  void addMesh(const TriangleMesh& mesh, const RigidTransform& X_MG, double margin);
  void addPart(const TriangleMesh& mesh, const RigidTransform& X_MG, double margin);
  void addPatch(const FlatPatch& patch, const RigidTransform& X_MG, double margin);
  void addHull(const std::vector<Vector3d>& points, const RigidTransform& X_MG, double margin);
  void addHeights(const HeightmapShape& heights, const RigidTransform& X_MG, double margin);
  void addCapsule(const Vector3d& a, const Vector3d& b, double radius, const RigidTransform& X_MG);
  void addBox(const RigidTransform& X_MS, const Vector3d& halfExtents, double margin);
  std::string geom(const char* type, const RigidTransform& X_MS, const std::string& attributes, const char* kind);
  void add(const char* type, const RigidTransform& X_MS, const std::string& attributes, const char* kind);
  bool carriesAll(const FlatPatch& patch, const RigidTransform& X_WG) const;

  const SceneDescription& description_;
  const MujocoSettings& settings_;
  int body_ = -1, id_ = -1;  ///< Being written.
  RigidTransform X_WM_;
  std::string geoms_, assets_, planeGeoms_;
  std::vector<Plane> planes_;
  int meshes_ = 0;
  std::vector<Owner> owners_;
  std::vector<std::pair<std::string, int>> counts_;
  std::vector<std::vector<float>> heights_;
};

}  // namespace mortise::mujoco
