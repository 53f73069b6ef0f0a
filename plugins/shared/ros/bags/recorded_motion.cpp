#include "ros/bags/recorded_motion.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "mortise/base/error.h"
#include "mortise/model/robot_state.h"
#include "mortise/modeling/joint_names.h"
#include "mortise/text/suggest.h"
#include "ros/bags/recorded_message.h"
#include "ros/codec/codec.h"
#include "ros/conversion/joints.h"
#include "ros/conversion/spatial.h"
#include "ros/messages/all_messages.h"

namespace mortise::ros {

namespace {

bool isOf(const RecordedTopic& topic, const MessageType& type) {
  return topic.type == type.ros1Name() || topic.type == type.ros2Name();
}

template <class M>
M messageOf(const RecordedMessage& recorded) {
  M message;
  try {
    decode(recorded.bytes, recorded.encoding, message);
  } catch (const Error& error) {
    throw Error("topic " + recorded.topic.topic + ": " + error.message());
  }
  return message;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string lastPart(const std::string& topic) { return topic.substr(topic.rfind('/') + 1); }

/// The topic to read. Among several, the one that is called as the state of the joints usually is.
std::string chosenTopic(const std::string& path, const RecordedMotionOptions& options, Diagnostics& diagnostics) {
  std::map<std::string, bool> found;  // True: of trajectories.
  const std::string damage = readRecordedMessages(path, [&found](const RecordedMessage& message) {
    const bool trajectory = isOf(message.topic, messageType<JointTrajectory>());
    if (trajectory || isOf(message.topic, messageType<JointState>())) found.emplace(message.topic.topic, trajectory);
    return true;
  });
  if (!damage.empty()) diagnostics.warning("'" + path + "' is read up to where it is damaged: " + damage);
  std::vector<std::string> states, all;
  for (const auto& [topic, trajectory] : found) {
    all.push_back(topic);
    if (!trajectory) states.push_back(topic);
  }
  if (!options.topic.empty()) {
    const std::string wanted = options.topic.starts_with('/') ? options.topic : "/" + options.topic;
    if (found.contains(wanted)) return wanted;
    throw Error("'" + path + "' has no JointState or JointTrajectory on " + wanted, {},
                all.empty() ? "it has none at all" : "it has them on " + listed(all));
  }
  if (all.empty())
    throw Error("'" + path + "' has no JointState and no JointTrajectory, and so no motion" +
                (damage.empty() ? "" : "; it is damaged: " + damage));
  const std::vector<std::string>& candidates = states.empty() ? all : states;
  if (candidates.size() == 1) return candidates.front();
  std::vector<std::string> usual;
  for (const std::string& topic : candidates)
    if (lastPart(topic) == "joint_state" || lastPart(topic) == "joint_states") usual.push_back(topic);
  if (usual.size() == 1) return usual.front();
  throw Error("'" + path + "' has several topics of joints: " + listed(candidates), {},
              "name one of them with 'topic'");
}

/// Everything that was recorded of one motion.
struct Recorded {
  std::vector<std::int64_t> times;  ///< ns
  std::vector<JointState> states;
  std::vector<std::pair<std::int64_t, RigidTransform>> base;  ///< By time, in the order of the file.
};

void addTrajectory(const JointTrajectory& trajectory, Recorded& recorded) {
  checkTrajectory(trajectory);
  recorded.times.clear();
  recorded.states.clear();
  for (const JointTrajectoryPoint& point : trajectory.points) {
    recorded.times.push_back(nanosecondsOf({point.time_from_start.sec, point.time_from_start.nanosec}));
    recorded.states.push_back({trajectory.header, trajectory.joint_names, point.positions, point.velocities, {}});
  }
}

Recorded readAll(const std::string& path, const std::string& topic, const RecordedMotionOptions& options) {
  Recorded recorded;
  readRecordedMessages(path, [&](const RecordedMessage& message) {
    if (message.topic.topic == topic && isOf(message.topic, messageType<JointTrajectory>())) {
      addTrajectory(messageOf<JointTrajectory>(message), recorded);
    } else if (message.topic.topic == topic) {
      recorded.states.push_back(messageOf<JointState>(message));
      const Time& stamp = recorded.states.back().header.stamp;
      recorded.times.push_back(options.stamps && nanosecondsOf(stamp) != 0 ? nanosecondsOf(stamp) : message.time);
    } else if (!options.baseFrame.empty() && isOf(message.topic, messageType<TFMessage>())) {
      for (const TransformStamped& frame : messageOf<TFMessage>(message).transforms)
        if (frame.child_frame_id == options.baseFrame)
          recorded.base.emplace_back(options.stamps ? nanosecondsOf(frame.header.stamp) : message.time,
                                     transformFrom(frame.transform));
    }
    return true;
  });
  return recorded;
}

/// Appends a configuration, unless time does not go on, as after a restart of the clock.
bool append(std::int64_t time, const VectorXd& q, std::int64_t start, Trajectory& motion) {
  const double seconds = static_cast<double>(time - start) / 1e9;
  if (!motion.times.empty() && seconds <= motion.times.back()) return false;
  motion.times.push_back(seconds);
  motion.configurations.push_back(q);
  return true;
}

void warnOfSkipped(std::size_t skipped, const std::string& topic, Diagnostics& diagnostics) {
  if (skipped > 0)
    diagnostics.warning(std::to_string(skipped) + " messages on " + topic +
                        " are left out because their times do not go on from those before");
}

/// Sets the floating base from the frame that is nearest in time.
void setBase(const Robot& robot, const Recorded& recorded, std::int64_t time, VectorXd& q) {
  const auto nearest = std::min_element(
      recorded.base.begin(), recorded.base.end(),
      [time](const auto& a, const auto& b) { return std::llabs(a.first - time) < std::llabs(b.first - time); });
  if (nearest != recorded.base.end()) setFloatingBasePose(robot, nearest->second, q);
}

void checkBase(const std::string& path, const Robot& robot, const RecordedMotionOptions& options,
               const Recorded& recorded) {
  if (options.baseFrame.empty()) return;
  if (robot.floatingBaseLink() < 0)
    throw Error("the robot '" + robot.name() + "' has no floating base that the frame '" + options.baseFrame +
                "' could move");
  if (recorded.base.empty()) throw Error("'" + path + "' has no frame '" + options.baseFrame + "' on tf");
}

}  // namespace

Trajectory readRecordedMotion(const std::string& path, const Robot& robot, const RecordedMotionOptions& options,
                              Diagnostics& diagnostics) {
  const std::string topic = chosenTopic(path, options, diagnostics);
  const Recorded recorded = readAll(path, topic, options);
  checkBase(path, robot, options, recorded);
  Trajectory motion;
  VectorXd q = robot.initialConfiguration();
  std::set<std::string> unknown;
  std::set<int> moved;
  std::size_t skipped = 0;
  std::map<std::string, int> links;
  for (std::size_t k = 0; k < recorded.states.size(); ++k) {
    const JointState& state = recorded.states[k];
    if (state.position.size() != state.name.size())
      throw Error("topic " + topic + ", message " + std::to_string(k) + ": expected " +
                  std::to_string(state.name.size()) + " positions, one a joint, found " +
                  std::to_string(state.position.size()));
    for (std::size_t i = 0; i < state.name.size(); ++i) {
      const auto [known, isNew] = links.emplace(state.name[i], -1);
      if (isNew) known->second = findLinkOrJoint(robot.description(), state.name[i]);
      if (known->second < 0) {
        unknown.insert(state.name[i]);
      } else {
        q[known->second] = state.position[i];
        moved.insert(known->second);
      }
    }
    setBase(robot, recorded, recorded.times[k], q);
    if (!append(recorded.times[k], q, recorded.times.front(), motion)) ++skipped;
  }
  if (moved.empty() && !unknown.empty())
    throw Error("'" + path + "': none of the joints on " + topic + " belongs to the robot '" + robot.name() + "'");
  if (!unknown.empty())
    diagnostics.warning("'" + robot.name() + "' has no joints called " + listed({unknown.begin(), unknown.end()}) +
                        ", which are left out");
  warnOfSkipped(skipped, topic, diagnostics);
  return motion;
}

Trajectory readRecordedMotion(const std::string& path, const RecordedMotionOptions& options, Diagnostics& diagnostics) {
  const std::string topic = chosenTopic(path, options, diagnostics);
  const Recorded recorded = readAll(path, topic, options);
  Trajectory motion;
  std::size_t skipped = 0;
  for (std::size_t k = 0; k < recorded.states.size(); ++k) {
    const JointState& state = recorded.states[k];
    if (state.name != recorded.states.front().name || state.position.size() != state.name.size())
      throw Error("topic " + topic + ", message " + std::to_string(k) +
                      ": expected a position for each of the joints of the first message",
                  {}, "say whose motion it is with the setting 'robot'");
    const VectorXd q = VectorXd::Map(state.position.data(), static_cast<Eigen::Index>(state.position.size()));
    if (!append(recorded.times[k], q, recorded.times.front(), motion)) ++skipped;
  }
  if (!recorded.states.empty()) diagnostics.note("coordinates of the motion: " + listed(recorded.states.front().name));
  warnOfSkipped(skipped, topic, diagnostics);
  return motion;
}

}  // namespace mortise::ros
