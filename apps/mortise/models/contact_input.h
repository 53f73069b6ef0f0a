#pragma once

/// A robot's contacts and what they bear, as the commands of `mortise robot` take them.

#include <memory>
#include <optional>

#include "command_line/command_line.h"
#include "models/robot_input.h"
#include "mortise/mechanics/contact_file.h"
#include "mortise/mechanics/world_touch.h"

namespace mortise::app {

/// Declares --stance, --contacts, --world, --touch and --friction.
void declareContactSources(CommandLine& line);

/// Declares --dq and --ddq.
void declareRates(CommandLine& line);

/// The contacts that the options name, of the robot at `q`. `dynamics` is there. Throws `Error` or `UsageError`;
/// without
/// --stance, --contacts and --world nothing is returned unless one is `required`.
ContactFile readContacts(const CommandLine& line, RobotInput& input, const RobotDynamics& dynamics, const VectorXd& q,
                         bool required = true);

/// The world of --world with the robot in it; null without the option.
std::unique_ptr<RobotInWorld> worldOption(const CommandLine& line, RobotInput& input);

}  // namespace mortise::app
