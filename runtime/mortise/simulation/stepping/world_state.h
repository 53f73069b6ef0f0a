#pragma once

#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"
#include "mortise/component/simulation_view.h"
#include "mortise/model/robot_state.h"
#include "mortise/model/world.h"
#include "mortise/simulation/scene/scene_builder.h"

namespace mortise {

/// Poses of everything: bodies and joints as the engine has them, and from them the objects and robots of the world.
class WorldState {
 public:
  /// Robots as the world has them; bodies and joints are not known before `read`. Both outlive this.
  WorldState(const World& world, const SceneMap& map);

  std::span<const BodyState> bodies() const { return bodies_; }    ///< By body of the scene.
  std::span<const JointState> joints() const { return joints_; }   ///< By joint of the scene.
  std::span<const BodyState> objects() const { return objects_; }  ///< By rigid object of the world.
  std::span<const RobotState> robots() const { return robots_; }   ///< By robot; frames as `updateFrames` left them.
  /// Velocities of a robot's links; after `updateFrames`.
  std::span<const LinkTwist> twists(int robot) const { return twists_[robot]; }

  /// Everything, after a step.
  void read(const Scene& scene);
  void readBodies(const Scene& scene) { scene.readBodies(bodies_); }
  void readJoints(const Scene& scene) { scene.readJoints(joints_); }
  /// Bodies, joints and objects; coordinates of robots stay.
  void readScene(const Scene& scene);
  /// Frames and twists of all links, unless they are up to date.
  void updateFrames();
  /// One entry a link; the scene is not changed.
  void setCoordinates(int robot, const VectorXd& q, const VectorXd& dq);
  /// Coordinates of all robots as the world has them.
  void setInitialCoordinates();

  /// Poses and twists of the bodies, positions and velocities of the joints.
  void hash(ByteWriter& out) const;
  /// The coordinates of the robots; the rest is the engine's.
  void saveRobots(ByteWriter& out) const;
  void restoreRobots(ByteReader& in);
  /// Throws `Error` for numbers that are not finite and orientations that are not rotations.
  void requireSound() const;
  /// Bodies, joints and objects of a copy made before.
  void putBack(const std::vector<BodyState>& bodies, const std::vector<JointState>& joints);

 private:
  void readObjects();
  void readRobot(std::size_t robot);

  const World& world_;
  const SceneMap& map_;
  std::vector<BodyState> bodies_;
  std::vector<JointState> joints_;
  std::vector<BodyState> objects_;
  std::vector<RobotState> robots_;
  std::vector<std::vector<LinkTwist>> twists_;  ///< By robot.
  bool framesFresh_ = false;
};

}  // namespace mortise
