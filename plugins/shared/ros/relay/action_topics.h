#pragma once

#include <memory>
#include <string>

#include "ros/relay/action_settings.h"
#include "ros/relay/sender.h"
#include "ros/relay/trajectory_action.h"
#include "ros/transport/transport.h"

namespace mortise::ros {

/// Kinds of messages that topics of a relay bring.
enum class Incoming : std::uint8_t { trajectory, goal, cancel };

/// `trajectories`: the topic of trajectories. Of any other, the last part tells: those of actions end with goal and
/// cancel. A log says no more of its topics than their names.
Incoming incomingOf(const std::string& topic, const std::string& trajectories);

/// The topics of an action server: status, feedback and result are published, goal and cancel subscribed.
class ActionTopics {
 public:
  /// `name` is that of the action; goals and cancellations go into `inbox`. `transport` and `inbox` outlive this.
  ActionTopics(Transport& transport, Inbox& inbox, const std::string& name, const ActionSettings& settings);

  /// Publishes how goals ended, and what is due. Called at every update.
  void publish(double now, TrajectoryAction& action, const JointPoint& desired, const JointPoint& actual);

 private:
  template <class M>
  void send(int publication, M& message);

  Transport& transport_;
  ActionSettings settings_;
  int status_, feedback_, result_;
  std::int64_t lastStatus_ = -1, lastFeedback_ = -1;  ///< Whole periods of the rates at the last messages.
  GoalStatusArray statusMessage_;
  FollowJointTrajectoryActionFeedback feedbackMessage_;
  FollowJointTrajectoryActionResult resultMessage_;
  std::vector<std::byte> bytes_;
  Sender sender_;  ///< Its own: a flood of states must not drop a result.
};

}  // namespace mortise::ros
