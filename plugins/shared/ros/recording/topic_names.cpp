#include "ros/recording/topic_names.h"

namespace mortise::ros {

TopicNames::TopicNames(const World& world, Naming naming, const std::string& prefix)
    : world_(world), naming_(naming), prefix_(prefix.empty() && naming == Naming::klampt ? "klampt" : prefix) {}

std::string TopicNames::ofRobot(std::size_t robot, std::string_view name) const {
  const std::string own = world_.robots.size() > 1 ? joinNames(world_.robots[robot].name, name) : std::string(name);
  return topicName(joinNames(prefix_, own));
}

std::string TopicNames::jointState(std::size_t robot) const {
  return ofRobot(robot, naming_ == Naming::klampt ? "joint_state" : "joint_states");
}

std::string TopicNames::commandedState(std::size_t robot) const {
  return ofRobot(robot, naming_ == Naming::klampt ? "joint_state_commanded" : "joint_states_commanded");
}

std::string TopicNames::sensedState(std::size_t robot) const {
  return ofRobot(robot, naming_ == Naming::klampt ? "joint_state_sensed" : "joint_states_sensed");
}

std::string TopicNames::robotDescription(std::size_t robot) const {
  // This name is fixed: who looks for a robot looks there.
  if (world_.robots.size() == 1 && naming_ == Naming::klampt) return "robot_description";
  return ofRobot(robot, "robot_description");
}

std::string TopicNames::sensor(std::size_t robot, std::string_view name) const {
  return ofRobot(robot, naming_ == Naming::klampt ? joinNames("sensor", name) : std::string(name));
}

std::string TopicNames::linkFrame(std::size_t robot, int link) const {
  const std::string& name = world_.robots[robot].robot->link(link).name;
  if (naming_ == Naming::klampt) return joinNames(prefix_, joinNames(world_.robots[robot].name, name));
  return joinNames(prefix_, world_.robots.size() > 1 ? joinNames(world_.robots[robot].name, name) : name);
}

std::string TopicNames::sensorFrame(std::size_t robot, std::string_view name) const {
  if (naming_ == Naming::klampt) return joinNames(prefix_, joinNames(world_.robots[robot].name, name));
  const std::string own = std::string(name) + "_frame";
  return joinNames(prefix_, world_.robots.size() > 1 ? joinNames(world_.robots[robot].name, own) : own);
}

std::string TopicNames::objectFrame(std::size_t object) const {
  return joinNames(prefix_, world_.objects[object].name);
}

}  // namespace mortise::ros
