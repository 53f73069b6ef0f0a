#pragma once

/// moveit_msgs/PlanningScene and what it is made of, as plain data.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "messages/message.h"
#include "mortise/component/file_format.h"
#include "mortise/geometry/geometry.h"

namespace mortise::io_moveit {

/// moveit_msgs/CollisionObject.
struct ObjectMessage {
  enum class Operation { add, remove, append, move };
  std::string id;
  std::string frame;                                              ///< Frame of `header`; empty: the planning frame.
  RigidTransform X_FO;                                            ///< The object's frame in that.
  std::vector<GeometryPtr> shapes;                                ///< In the object's frame.
  std::vector<std::pair<std::string, RigidTransform>> subframes;  ///< In the object's frame.
  Operation operation = Operation::add;
  SourcePosition position;
};

/// moveit_msgs/AttachedCollisionObject.
struct AttachedMessage {
  std::string link;
  ObjectMessage object;
  std::vector<std::string> touchLinks;
  SourcePosition position;
};

/// moveit_msgs/RobotState.
struct StateMessage {
  struct Joint {
    std::string name;
    double value = 0;
  };
  struct Pose {
    std::string joint;
    RigidTransform X;
  };
  bool given = false;
  std::vector<Joint> joints;
  std::vector<Pose> poses;  ///< Poses of joints with several degrees of freedom.
  std::vector<AttachedMessage> attached;
  SourcePosition position;
};

/// moveit_msgs/AllowedCollisionMatrix. An entry that is true allows two bodies to touch.
struct CollisionMatrixMessage {
  std::vector<std::string> names;
  std::vector<std::vector<bool>> values;  ///< A row a name.
  std::vector<std::pair<std::string, bool>> defaults;
  bool empty() const { return names.empty() && defaults.empty(); }

  /// Says whether a pair may touch, as in MoveIt: the pair's entry, else what the defaults of the two say (both must
  /// allow it where both have one), else no.
  bool allows(const std::string& a, const std::string& b) const;
};

struct FrameMessage {
  std::string parent, child;
  RigidTransform X;
  SourcePosition position;
};

struct SceneMessage {
  std::string name, robotModel;
  StateMessage state;
  std::vector<FrameMessage> frames;
  CollisionMatrixMessage matrix;
  std::vector<std::pair<std::string, double>> padding, scale;  ///< By link.
  std::vector<ObjectMessage> objects;
  SourcePosition position;
};

/// `file` may hold a PlanningScene, or only its `world`. Meshes of other files are loaded. Everything wrong goes to the
/// diagnostics.
SceneMessage readScene(const Value& value, const std::string& file, ResourceLoader& loader, Diagnostics& diagnostics);

StateMessage readState(Message message, const std::string& file, ResourceLoader& loader);

/// shape_msgs/SolidPrimitive around its own origin; null when it is not right, which is then reported.
GeometryPtr readPrimitive(Message& primitive);

}  // namespace mortise::io_moveit
