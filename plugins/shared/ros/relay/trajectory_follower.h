#pragma once

#include <string>
#include <vector>

#include "mortise/model/robot.h"
#include "ros/messages/joints.h"
#include "ros/relay/joint_motion.h"

namespace mortise::ros {

/// Bounds on stamps of messages against the simulation's time.
struct StampLimits {
  double ahead = 600;    ///< s
  double late = 1;       ///< s between the end of a trajectory and now.
  bool ignored = false;  ///< Trajectories start when they come.
};

/// Follows the trajectories that a robot is sent. A trajectory starts at its stamp, at once where that is 0 or
/// past, and replaces from there on what was told to the joints that it names; the others go on. From where its joints
/// are told to be then, they move to the first point that is still to come.
class TrajectoryFollower {
 public:
  TrajectoryFollower(const Robot& robot, StampLimits limits);

  /// Rests at `q`.
  void reset(const VectorXd& q);
  /// `qSensed`: where torques alone moved a joint, motion begins. `remarks` gets what is not done and why. Returns
  /// false where the message tells nothing to the robot's motors. Throws `Error` for a message that cannot be followed,
  /// which changes nothing.
  bool accept(const JointTrajectory& message, double now, const VectorXd& qSensed, std::vector<std::string>& remarks);

  /// The link that ROS calls so; -1: none.
  int findLink(const std::string& name) const;
  /// The time that points of a message count from. Throws `Error` for stamps out of bounds.
  double startOf(const JointTrajectory& message, double now) const;

  /// Sizes must match; allocates nothing.
  void evaluate(double time, VectorXd& q, VectorXd& dq, VectorXd& effort) const;
  /// Says whether the torque alone counts for this link.
  bool torqueOnly(int link, double time) const { return motions_[static_cast<std::size_t>(link)].at(time).torque; }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct Part;
  /// The links that a message names, with the place of each in its lists.
  std::vector<std::pair<int, std::size_t>> linksOf(const JointTrajectory& message,
                                                   std::vector<std::string>& remarks) const;
  void replace(const Part& part, int link, std::size_t index, double qSensed);

  const Robot* robot_;
  StampLimits limits_;
  std::vector<std::pair<std::string, int>> names_;  ///< Sorted by name: links, drivers and joints as ROS knows them.
  std::vector<JointMotion> motions_;                ///< One a link.
};

}  // namespace mortise::ros
