#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "mortise/model/robot_state.h"
#include "ros/messages/geometry.h"
#include "ros/messages/joints.h"
#include "ros/recording/publication.h"
#include "ros/recording/recorder_settings.h"
#include "ros/recording/snapshot.h"
#include "ros/recording/topic_names.h"

namespace mortise::ros {

/// A frame that does not move in its link's.
struct FixedFrame {
  std::size_t robot = 0;
  int link = 0;
  std::string name;
  RigidTransform X_LF;
};

/// Makes the messages about joints, frames and the clock.
class StateBroadcaster {
 public:
  /// Advertises. `descriptions`: a robot's description each, empty where there is none. Everything but `sensorFrames`
  /// outlives the broadcaster.
  StateBroadcaster(Outbox& outbox, const BroadcastSettings& settings, const World& world,
                   const SnapshotSelection& selection, const TopicNames& names,
                   const std::vector<std::string>& descriptions, std::vector<FixedFrame> sensorFrames);

  void send(const Snapshot& snapshot);

 private:
  struct RobotTopics {
    std::size_t robot;
    JointNames joints;
    RobotState state;
    VectorXd torques, effort, q, dq, rates;
    std::optional<Publication<JointState>> measured, commanded;
    std::vector<int> frames;           ///< Links that are frames.
    std::vector<std::string> names;    ///< Frames of all links.
    std::vector<std::string> parents;  ///< Of the frames, by link.
    std::vector<int> parentLinks;      ///< -1: the world.
  };
  void addFrames(RobotTopics& topics) const;
  void sendState(const Time& stamp, const RobotSnapshot& snapshot, RobotTopics& topics);
  void sendCommands(const Time& stamp, const RobotSnapshot& snapshot, RobotTopics& topics);
  void sendFrames(const Time& stamp, const Snapshot& snapshot);

  const World& world_;
  const SnapshotSelection& selection_;
  const TopicNames& names_;
  std::vector<FixedFrame> sensorFrames_;
  std::deque<RobotTopics> robots_;
  std::optional<Publication<TFMessage>> frames_;
  std::optional<Publication<Clock>> clock_;
};

}  // namespace mortise::ros
