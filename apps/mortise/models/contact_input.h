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
/// The same, and --edges, --gravity and --up.
void declareContacts(CommandLine& line);

/// Declares --dq and --ddq.
void declareRates(CommandLine& line);

/// The contacts that the options name, of the robot at `q`. `dynamics` is there. Throws `Error` or `UsageError`;
/// without
/// --stance, --contacts and --world nothing is returned unless one is `required`.
ContactFile readContacts(const CommandLine& line, RobotInput& input, const RobotDynamics& dynamics, const VectorXd& q,
                         bool required = true);

/// The world of --world with the robot in it; null without the option.
std::unique_ptr<RobotInWorld> worldOption(const CommandLine& line, RobotInput& input);

/// --gravity and --up, in the world's axes.
Vector3d gravityOption(const CommandLine& line);
/// --edges.
int coneEdgesOption(const CommandLine& line);
/// A number above 0 with a unit, when the option is there.
std::optional<double> positiveOption(const CommandLine& line, const std::string& option, const std::string& unit);
/// --robustness: newton, at least 0.
double robustnessOption(const CommandLine& line);
/// Three numbers: "0,0,1", "0 0 1" or "[0, 0, 1]".
Vector3d vectorOption(const CommandLine& line, const std::string& option);

}  // namespace mortise::app
