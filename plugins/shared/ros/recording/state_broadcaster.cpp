#include "ros/recording/state_broadcaster.h"

#include <utility>

#include "mortise/configuration/drivers.h"
#include "ros/conversion/joints.h"
#include "ros/conversion/spatial.h"
#include "ros/messages/plain.h"

namespace mortise::ros {

namespace {

/// A stage of a floating base that carries nothing: robot_state_publisher knows no such links.
bool isStageOfBase(const Robot& robot, int link) { return link < robot.floatingBaseLink(); }

}  // namespace

StateBroadcaster::StateBroadcaster(Outbox& outbox, const BroadcastSettings& settings, const World& world,
                                   const SnapshotSelection& selection, const TopicNames& names,
                                   const std::vector<std::string>& descriptions, std::vector<FixedFrame> sensorFrames)
    : world_(world), selection_(selection), names_(names), sensorFrames_(std::move(sensorFrames)) {
  if (settings.broadcasts("clock")) clock_.emplace(outbox, "clock", settings.quality);
  if (settings.broadcasts("tf")) frames_.emplace(outbox, "tf", settings.quality);
  for (const std::size_t r : selection.robots) {
    const Robot& robot = *world.robots[r].robot;
    robots_.push_back(
        {r, namesOfJoints(robot, names.naming()), RobotState(robot), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}});
    RobotTopics& topics = robots_.back();
    addFrames(topics);
    if (settings.broadcasts("state")) topics.measured.emplace(outbox, names.jointState(r), settings.quality);
    if (settings.broadcasts("commands")) topics.commanded.emplace(outbox, names.commandedState(r), settings.quality);
    if (!settings.broadcasts("robot_description") || descriptions[r].empty()) continue;
    Publication<String> description(outbox, names.robotDescription(r), kLatchedQuality);
    description.message.data = descriptions[r];
    description.send();
  }
}

void StateBroadcaster::addFrames(RobotTopics& topics) const {
  const Robot& robot = *world_.robots[topics.robot].robot;
  for (int i = 0; i < robot.numLinks(); ++i) {
    topics.names.push_back(names_.linkFrame(topics.robot, i));
    int parent = robot.link(i).parent;
    if (names_.naming() == Naming::rosControl && parent >= 0 && isStageOfBase(robot, parent)) parent = -1;
    topics.parentLinks.push_back(parent);
    topics.parents.push_back(parent < 0 ? "world" : topics.names[static_cast<std::size_t>(parent)]);
    if (names_.naming() == Naming::klampt || !isStageOfBase(robot, i)) topics.frames.push_back(i);
  }
}

void StateBroadcaster::send(const Snapshot& snapshot) {
  const Time stamp = timeFrom(snapshot.time);
  if (clock_ && clock_->wanted()) {
    clock_->message.clock = stamp;
    clock_->send();
  }
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    if (robots_[i].measured && robots_[i].measured->wanted()) sendState(stamp, snapshot.robots[i], robots_[i]);
    if (robots_[i].commanded && robots_[i].commanded->wanted()) sendCommands(stamp, snapshot.robots[i], robots_[i]);
  }
  if (frames_ && frames_->wanted()) sendFrames(stamp, snapshot);
}

void StateBroadcaster::sendState(const Time& stamp, const RobotSnapshot& snapshot, RobotTopics& topics) {
  const Robot& robot = *world_.robots[topics.robot].robot;
  topics.torques = VectorXd::Map(snapshot.torques.data(), static_cast<Eigen::Index>(snapshot.torques.size()));
  setDriverTorques(robot, topics.torques, topics.effort);
  fillJointState(topics.joints, stamp, snapshot.q, snapshot.dq, topics.effort, topics.measured->message);
  topics.measured->send();
}

void StateBroadcaster::sendCommands(const Time& stamp, const RobotSnapshot& snapshot, RobotTopics& topics) {
  using Mode = ActuatorCommand::Mode;
  const Robot& robot = *world_.robots[topics.robot].robot;
  // Links without a position command are where they are, those without a velocity stand still.
  topics.q = snapshot.q;
  topics.dq.setZero(robot.numLinks());
  topics.rates.setZero(robot.numDrivers());
  topics.torques.setZero(robot.numDrivers());
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const ActuatorCommand& command = snapshot.commands[static_cast<std::size_t>(d)];
    if (command.mode == Mode::pid) setDriverValue(robot, d, command.position, topics.q);
    if (command.mode == Mode::pid || command.mode == Mode::velocity) topics.rates[d] = command.velocity;
    if (command.mode == Mode::pid || command.mode == Mode::torque) topics.torques[d] = command.torque;
  }
  setDriverVelocities(robot, topics.rates, topics.dq);
  setDriverTorques(robot, topics.torques, topics.effort);
  fillJointState(topics.joints, stamp, topics.q, topics.dq, topics.effort, topics.commanded->message);
  topics.commanded->send();
}

void StateBroadcaster::sendFrames(const Time& stamp, const Snapshot& snapshot) {
  std::vector<TransformStamped>& transforms = frames_->message.transforms;
  transforms.clear();
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    RobotTopics& topics = robots_[i];
    topics.state.q = snapshot.robots[i].q;
    updateFrames(*world_.robots[topics.robot].robot, topics.state);
    for (const int link : topics.frames) {
      const auto at = static_cast<std::size_t>(link);
      const int parent = topics.parentLinks[at];
      const RigidTransform& X_WL = topics.state.X_WL[at];
      transforms.push_back(
          transformStamped(stamp, topics.parents[at], topics.names[at],
                           parent < 0 ? X_WL : topics.state.X_WL[static_cast<std::size_t>(parent)].inverse() * X_WL));
    }
    for (const FixedFrame& frame : sensorFrames_)
      if (frame.robot == topics.robot)
        transforms.push_back(
            transformStamped(stamp, frame.link < 0 ? "world" : topics.names[static_cast<std::size_t>(frame.link)],
                             frame.name, frame.X_LF));
  }
  for (std::size_t i = 0; i < snapshot.objects.size(); ++i)
    transforms.push_back(
        transformStamped(stamp, "world", names_.objectFrame(selection_.objects[i]), snapshot.objects[i]));
  if (!transforms.empty()) frames_->send();
}

}  // namespace mortise::ros
