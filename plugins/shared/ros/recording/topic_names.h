#pragma once

/// Topics and frames of what a recorder broadcasts.

#include <string>

#include "mortise/model/world.h"
#include "ros/conversion/naming.h"

namespace mortise::ros {

class TopicNames {
 public:
  /// `prefix` empty: the naming's own. Names tell robots apart only where the world has several.
  TopicNames(const World& world, Naming naming, const std::string& prefix);

  Naming naming() const { return naming_; }
  /// klampt/joint_state, klampt/ROBOT/joint_state; joint_states, ROBOT/joint_states.
  std::string jointState(std::size_t robot) const;
  std::string commandedState(std::size_t robot) const;
  std::string sensedState(std::size_t robot) const;
  std::string robotDescription(std::size_t robot) const;
  /// Topics of a sensor stand below this one, or are this one: klampt/sensor/NAME; NAME.
  std::string sensor(std::size_t robot, std::string_view name) const;
  /// klampt/ROBOT/LINK; LINK, or ROBOT/LINK.
  std::string linkFrame(std::size_t robot, int link) const;
  /// klampt/ROBOT/SENSOR; SENSOR_frame.
  std::string sensorFrame(std::size_t robot, std::string_view name) const;
  std::string objectFrame(std::size_t object) const;

 private:
  std::string ofRobot(std::size_t robot, std::string_view name) const;

  const World& world_;
  Naming naming_;
  std::string prefix_;
};

}  // namespace mortise::ros
