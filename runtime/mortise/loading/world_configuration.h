#pragma once

/// Initial configurations of a world's robots, as people write them.

#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/model/world.h"

namespace mortise {

/// Sets the configuration of one robot: anything that `ConfigurationReader` reads. Links that are not mentioned stay. A
/// configuration outside of joint limits is a warning. Throws `Error`.
void setConfiguration(World& world, int robot, const Value& value, const ConfigurationFiles& files,
                      Diagnostics& diagnostics);

/// Says whether this is a map from names (or ids) of robots to configurations.
bool isByRobot(const World& world, const Value& value);

/// Sets the configurations of all robots: a configuration of the only one; a map by robot, {left: ..., right: ...}; or
/// a list with a configuration for the first, the second, ... robot, where null leaves one as it is. Throws `Error`.
void setConfigurations(World& world, const Value& value, const ConfigurationFiles& files, Diagnostics& diagnostics);

/// "robot 'arm' starts outside of its joint limits: 'elbow' at 3, not in 0 to 1", or ends there; empty where all links
/// are within.
std::string outsideOfLimits(const WorldRobot& robot, const std::string& does = "starts");

/// Warns, once a robot, where the world has robots start outside of their limits; what the diagnostics say already (of
/// a configuration that was given) is not said again.
void warnOfStarts(const World& world, Diagnostics& diagnostics);

}  // namespace mortise
