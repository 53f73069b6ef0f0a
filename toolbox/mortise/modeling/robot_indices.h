#pragma once

/// Inside of the editing functions: everything that names links and drivers by index.

#include <string>
#include <vector>

#include "mortise/model/robot.h"

namespace mortise::detail {

/// Makes a sensor's `link` and `indices` refer to new numbers: `links` and `drivers` map old indices, -1 for what is
/// gone. A link given by name becomes a number when `byNumber` is set. False, with the sensor unchanged, when it refers
/// to something that is gone.
bool renumberSensor(Value& sensor, const RobotDescription& before, const std::vector<int>& links,
                    const std::vector<int>& drivers, bool byNumber);

/// Rewrites joints, drivers, self-collision pairs and sensors. The links themselves, and their parents, are the
/// caller's: `robot.links` is still the old list. Returns where the drivers went; sensors that lost their link are
/// left out, and their names go to `droppedSensors` unless that is null.
std::vector<int> renumber(RobotDescription& robot, const std::vector<int>& links,
                          std::vector<std::string>* droppedSensors);

/// The links of a joint from the first to the last; for all but chains the one link.
std::vector<int> linksOf(const RobotDescription& robot, const Joint& joint);
bool isChain(JointType type);

bool hasShape(const Link& link);

/// Throws `Error` naming what refers to it.
void expectLink(const RobotDescription& robot, int link, bool worldToo = false);

}  // namespace mortise::detail
