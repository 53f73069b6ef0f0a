#pragma once

/// Commands to controllers, changes of settings and actions on bodies at given times of a run.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/model/world.h"
#include "mortise/pipeline/simulate/body_action.h"
#include "mortise/simulation/editing/world_edit.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

struct TimedCommand {
  /// command: `name` with the arguments `value`, to the controller. setting: `name` gets `value`, of the controller or,
  /// where one is named, of a sensor; a name with dots that the controller does not have may be SENSOR.SETTING.
  /// enabled, rate: of a sensor. body: `action`. edit: `edit`.
  enum class What { command, setting, enabled, rate, body, edit };
  double at = 0;  ///< s, counted from where the run starts, after settling.
  int robot = 0;  ///< Index in the world; not of an action on a body, and not of an edit.
  What what = What::command;
  std::string name;
  std::string sensor;  ///< Empty: the controller.
  /// Written SENSOR.NAME=VALUE, which is also how settings of controllers inside a controller are called: the
  /// controller's setting of this name where it has one.
  bool dotted = false;
  Value value;
  std::shared_ptr<const BodyAction> action = {};  ///< Action of `What::body`; `name` has its text.
  std::shared_ptr<const WorldEdit> edit = {};     ///< Change of `What::edit`; `name` has its text.
  SourcePosition position;
  /// The command in words, for messages: "set_q 0 1 2", "wrist.enabled = false", "block: impulse [1, 0, 0]".
  std::string text() const;
};

/// A list of maps as stages have it: {at, robot, command, arguments}, {at, robot, setting, value}, {at, robot, sensor,
/// setting, value}, {at, robot, sensor, enabled}, {at, robot, sensor, rate}, `BodyKeys`: {at, body, force, for}, and
/// `WorldEdit`: {at, edit: {body, mass}}.
/// Sorted by time; entries of one time keep their order. Whatever is wrong goes to `diagnostics`.
std::vector<TimedCommand> timedCommandsFrom(const Value& list, const World& world, Diagnostics& diagnostics);

/// Reads a command as one argument of a command line: "TIME [ROBOT:] COMMAND ARGUMENTS", "TIME [ROBOT:] SETTING=VALUE",
/// "TIME [ROBOT:] SENSOR.SETTING=VALUE" (`enabled` and `rate` are settings of every sensor). A first word that ends in
/// a colon is a robot, by name or id. Arguments are words, or one map or list in YAML; a single word that is no number
/// arrives as itself, anything else as a list. A text that begins with a brace is an entry as stages have it. Throws
/// `Error`.
TimedCommand timedCommandFromText(const std::string& text, const World& world);
/// Returns the commands that the world's file has, as entries of a stage; texts of several words are arguments.
std::vector<TimedCommand> worldCommands(const World& world, Diagnostics& diagnostics);
void sortByTime(std::vector<TimedCommand>& commands);

/// Reports all errors that can be found before the first step: commands, settings and sensors that do not exist, and
/// what `checkVelocities` does. Edits are tried on the world, one after another.
void checkCommands(Simulation& simulation, const std::vector<TimedCommand>& commands, Diagnostics& diagnostics);

/// Reports velocities that commands give to one body at the same time, of which one alone could hold. Where a condition
/// decides whether they meet, the run says it (`BodyActions`).
void checkVelocities(const std::vector<TimedCommand>& commands, const World& world, Diagnostics& diagnostics);

/// Carries out one command. Returns the command as resolved, for the record: a name with dots belongs to the controller
/// or to a sensor. Throws `Error` with the command's position.
TimedCommand carryOut(Simulation& simulation, const TimedCommand& command);

/// For the record: {time, robot, command, arguments}, {time, robot, setting, value}, {time, body, force, for}, ...
Value recordOf(const TimedCommand& command, const World& world, double time);

/// An entry for each robot: {id, name, controller, rate, commands [{name, help}], settings {}, sensors [{name, type,
/// rate, channels [], settings {}}]}.
Value listCommands(Simulation& simulation);

}  // namespace mortise
