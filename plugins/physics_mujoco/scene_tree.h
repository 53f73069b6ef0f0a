#pragma once

/// The tree of what moves relative to what. MuJoCo describes motion by the coordinates of a tree, so joints between
/// free bodies become part of the tree wherever they can; those that close loops become equality constraints.

#include <limits>
#include <vector>

#include "mortise/component/physics.h"

namespace mortise::mujoco {

/// The attachment of a body to its parent.
struct Attachment {
  enum class Kind { fixed, free, welded, hinge, slide };
  Kind kind = Kind::free;
  int parent = -1;                     ///< Body index; -1: the world.
  int joint = -1;                      ///< The `SceneJoint` it stands for, or -1.
  int constraint = -1;                 ///< The `SceneConstraint` it stands for, or -1.
  RigidTransform X_PB0;                ///< Pose in the parent's frame where the joint's position is 0.
  Vector3d anchor = Vector3d::Zero();  ///< A point of the axis, in the body's frame.
  Vector3d axis = Vector3d::UnitZ();   ///< Unit, in the body's frame.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double friction = 0;

  bool moves() const { return kind == Kind::hinge || kind == Kind::slide; }
};

struct SceneTree {
  std::vector<Attachment> bodies;          ///< One a body of the description.
  std::vector<std::vector<int>> children;  ///< Children of each body, and at the end those of the world.
  std::vector<int> loops;                  ///< Constraints that are not part of the tree.
  std::vector<int> ineffective;            ///< Constraints between bodies that never move relative to each other.

  /// Throws `Error` for joints of bodies that do not exist and for constraints that MuJoCo has nothing for.
  explicit SceneTree(const SceneDescription& description);

  /// Parents before children.
  std::vector<int> order() const;
};

}  // namespace mortise::mujoco
