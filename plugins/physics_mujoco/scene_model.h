#pragma once

/// A scene as MuJoCo's compiled model, and where things are in it.

#include <string>
#include <utility>
#include <vector>

#include "mujoco_library.h"
#include "scene_tree.h"
#include "shapes.h"

namespace mortise::mujoco {

/// The place of a body in the model. Its frame there, M, is that of the scene, B, but for free bodies, which have
/// theirs at the center of mass along the principal axes: their inertia is then diagonal, and their momentum is kept.
struct BodyPlace {
  int body = 0;             ///< MuJoCo's number.
  int anchor = 0;           ///< A geom that touches nothing: contacts from outside name the body by it.
  int qpos = -1, dof = -1;  ///< Addresses of its joint; -1 when it has none.
  RigidTransform X_BM;
};

/// The place of a hinge or slider in the model.
struct JointPlace {
  int joint = -1, qpos = -1, dof = -1;
  double inertia0 = 0;  ///< Inertia of the coordinate in the model's first configuration.
};

class SceneModel {
 public:
  /// Throws `Error` for bodies, joints and shapes that MuJoCo has nothing for. Call within a `Session`.
  SceneModel(const SceneDescription& description, const MujocoSettings& settings);

  mjModel& model() { return *model_; }
  const mjModel& model() const { return *model_; }
  const SceneTree& tree() const { return tree_; }
  const std::vector<BodyPlace>& bodies() const { return bodies_; }
  const BodyPlace& body(int i) const { return bodies_[i]; }
  const std::vector<JointPlace>& joints() const { return joints_; }            ///< One a `SceneJoint`.
  const std::vector<JointPlace>& constraints() const { return constraints_; }  ///< One a `SceneConstraint`.
  /// Body and world id of each of MuJoCo's geoms; id -1 for anchors.
  const std::vector<ShapeWriter::Owner>& geoms() const { return geoms_; }
  /// Planes of fixed bodies, by MuJoCo's numbers of geoms; they stand in the world.
  const std::vector<ShapeWriter::Plane>& planes() const { return planes_; }
  const std::vector<std::pair<std::string, int>>& shapeCounts() const { return shapeCounts_; }

  /// Gives a free body so much inertia that nothing moves it, or takes that away again.
  void setUnmovable(int body, bool on);
  /// Inertia that is added to a robot's joint.
  void setArmature(int joint, double armature);
  /// Sets what depends on the length of a step.
  void setParameters(const ConstraintParameters& parameters, double dt);

 private:
  void checkBody(const SceneBody& body) const;
  std::string bodyText(const SceneDescription& description, ShapeWriter& shapes, int i);
  std::string inertiaText(const SceneBody& body, const RigidTransform& X_BM) const;
  std::string jointText(int i) const;
  std::string equalityText(const SceneDescription& description) const;
  void setOptions(const SceneDescription& description, const MujocoSettings& settings);
  void restoreInertias();
  void findPlaces(const SceneDescription& description, const ShapeWriter& shapes);
  void placeConnections(const SceneDescription& description);

  SceneTree tree_;
  std::vector<BodyPlace> bodies_;
  std::vector<JointPlace> joints_, constraints_;
  std::vector<ShapeWriter::Owner> geoms_;
  std::vector<ShapeWriter::Plane> planes_;
  std::vector<std::pair<std::string, int>> shapeCounts_;
  /// Bodies of which one principal moment is above the sum of the others, and their moments.
  std::vector<std::pair<int, Vector3d>> unbalanced_;
  ModelPtr model_;
  /// Inertias of a free body, as compiled.
  struct Inertias {
    double dofs[6], inverseDofs[6], inverseBody[2];
  };
  std::vector<Inertias> inertias_;
  double unmovable_ = 0;  ///< Armature of bodies that nothing moves.
};

}  // namespace mortise::mujoco
