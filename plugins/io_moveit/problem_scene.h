#pragma once

/// A robot and a scene message put together: the world in which a request is planned.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "messages/request_message.h"
#include "messages/scene_message.h"
#include "mortise/base/diagnostics.h"
#include "mortise/collision/world_collider.h"
#include "mortise/model/world.h"
#include "robot_joints.h"
#include "srdf.h"

namespace mortise::io_moveit {

/// The content of the robot's files.
struct ProblemRobot {
  RobotDescription description;  ///< Limits as the files have them.
  NamedJoints joints;
  Srdf srdf;
  bool hasSrdf = false;
  StateMessage state;  ///< State of the robot unless scenes and requests say otherwise.
};

/// Something that a pose may be given in.
struct ProblemFrame {
  int link = -1;        ///< Link that the frame moves with; -1: none.
  RigidTransform X_LF;  ///< In that link's frame, or in the world.
};

/// Robot and scene at the start of a request. The world's only robot is the problem's; what is attached to it is a
/// link of its own, welded and called by the object's id; objects are terrains. The world frame is the planning frame.
class ProblemScene {
 public:
  /// Everything wrong goes to the diagnostics; with errors, the scene is not to be used.
  ProblemScene(const ProblemRobot& robot, const SceneMessage& scene, const RequestMessage& request,
               Diagnostics& diagnostics);

  std::shared_ptr<const World> world() const { return world_; }
  const Robot& robot() const { return *world_->robots.front().robot; }
  const VectorXd& start() const { return start_; }
  /// Links that the group moves, without those that follow others.
  const std::vector<int>& links() const { return links_; }
  /// Pairs of world ids that may touch.
  const std::vector<IdPair>& ignored() const { return ignored_; }
  /// Link whose coordinate has this name: a joint, or one of the virtual joint's variables (NAME/x, NAME/trans_x).
  /// -1 when there is none.
  int linkOf(const std::string& variable) const;
  std::vector<std::string> variables() const;
  /// Says whether the group moves a link of the robot.
  bool moves(int link) const;
  /// Null, after saying so, when there is no such frame.
  const ProblemFrame* frame(const std::string& name, const SourcePosition& where);
  /// At the start.
  RigidTransform poseOf(const ProblemFrame& frame) const;
  /// Followers of other joints follow.
  void settle(VectorXd& q) const;

 private:
  void chooseGroup(const std::string& group, const SourcePosition& where);
  void placeBase(const SceneMessage& scene, const RequestMessage& request);
  void narrow(const ConstraintsMessage& path);
  void scaleLinks(const SceneMessage& scene);
  void setState(const StateMessage& state);
  void addFrames(const SceneMessage& scene);
  void addObjects(const SceneMessage& scene);
  void attach(const StateMessage& state);
  void padLinks(const SceneMessage& scene);
  void chooseCollisions(const SceneMessage& scene);
  void buildWorld();
  RigidTransform planningPose(const std::string& frame, const SourcePosition& where);
  void updateLinkFrames();

  struct Object {
    std::string id;
    RigidTransform X_WO;
    std::vector<GeometryPtr> shapes;  ///< In the object's frame.
    std::vector<std::pair<std::string, RigidTransform>> subframes;
    SourcePosition position;
  };
  struct Attached {
    int link = -1;
    std::vector<std::string> touch;
  };

  const ProblemRobot& given_;
  Diagnostics& out_;
  RobotDescription description_;
  RobotPtr compiled_;  ///< Before anything is attached.
  const SrdfVirtualJoint* virtual_ = nullptr;
  bool baseMoves_ = false;
  bool hasBase_ = false;  ///< True if the robot has the six links of a floating root.
  std::string planningFrame_;
  std::vector<int> links_;
  VectorXd start_;
  std::vector<RigidTransform> X_WL_;
  std::vector<std::pair<std::string, ProblemFrame>> frames_;
  std::vector<Object> objects_;
  std::vector<Attached> attached_;
  double objectMargin_ = 0;
  std::vector<IdPair> ignored_;
  std::shared_ptr<const World> world_;
};

}  // namespace mortise::io_moveit
