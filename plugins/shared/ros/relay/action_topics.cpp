#include "ros/relay/action_topics.h"

#include <cmath>

#include "ros/codec/codec.h"

namespace mortise::ros {

namespace {

constexpr double kTickSlack = 1e-9;   // Times are sums of steps.
constexpr std::size_t kPlaces = 512;  // More than goals end between two turns of the sending thread in earnest.

/// Says whether the next period of a rate has begun, and notes it.
bool isDue(double rate, double now, std::int64_t& last) {
  if (rate == 0) return false;
  const auto periods = static_cast<std::int64_t>(std::floor(now * rate + kTickSlack));
  if (periods == last) return false;
  last = periods;
  return true;
}

Quality qualityOf(int depth) {
  Quality quality;
  quality.depth = depth;
  return quality;
}

}  // namespace

Incoming incomingOf(const std::string& topic, const std::string& trajectories) {
  if (topic == trajectories) return Incoming::trajectory;
  if (topic.ends_with("/goal")) return Incoming::goal;
  return topic.ends_with("/cancel") ? Incoming::cancel : Incoming::trajectory;
}

ActionTopics::ActionTopics(Transport& transport, Inbox& inbox, const std::string& name, const ActionSettings& settings)
    : transport_(transport),
      settings_(settings),
      status_(transport.advertise(name + "/status", messageType<GoalStatusArray>(), kLatchedQuality)),
      feedback_(
          transport.advertise(name + "/feedback", messageType<FollowJointTrajectoryActionFeedback>(), qualityOf(50))),
      result_(transport.advertise(name + "/result", messageType<FollowJointTrajectoryActionResult>(), qualityOf(50))),
      sender_(transport, kPlaces) {
  transport.subscribe(name + "/goal", messageType<FollowJointTrajectoryActionGoal>(), qualityOf(100), inbox);
  transport.subscribe(name + "/cancel", messageType<GoalID>(), qualityOf(100), inbox);
}

template <class M>
void ActionTopics::send(int publication, M& message) {
  encode(message, transport_.encoding(), bytes_);
  sender_.send(publication, bytes_);
  ++message.header.seq;
}

void ActionTopics::publish(double now, TrajectoryAction& action, const JointPoint& desired, const JointPoint& actual) {
  for (GoalEnd& end : action.takeEnds()) {
    resultMessage_.header.stamp = timeFrom(now);
    resultMessage_.status = std::move(end.status);
    resultMessage_.result = std::move(end.result);
    send(result_, resultMessage_);
  }
  const bool due = isDue(settings_.statusRate, now, lastStatus_);
  if (action.takeChanged() || due) {
    action.fillStatus(now, statusMessage_);
    send(status_, statusMessage_);
  }
  if (action.activeId().empty()) {
    lastFeedback_ = -1;
  } else if (isDue(settings_.feedbackRate, now, lastFeedback_) && transport_.hasSubscribers(feedback_)) {
    action.fillFeedback(now, desired, actual, feedbackMessage_);
    send(feedback_, feedbackMessage_);
  }
}

}  // namespace mortise::ros
