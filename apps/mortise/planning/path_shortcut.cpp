#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/settings/plan_schema.h"
#include "planning/path_in_world.h"

namespace mortise::app {

namespace {

/// Shortcuts lie between configurations of the path, and none is sampled elsewhere.
const std::vector<std::string> kNotSampled = {"workspace"};

/// The settings of the stage `shortcut`, as its command has them.
struct ShortcutCommandSettings : ShortcutSettings, PathObjectiveSettings {
  void bind(SettingBinder& b) {
    ShortcutSettings::bind(b);
    PathObjectiveSettings::bind(b);
  }
};

}  // namespace

int pathShortcut(const Arguments& arguments) {
  CommandLine line("mortise path shortcut", "a shorter path among what is in a world");
  declarePathInWorld(line, schemaOf<ShortcutCommandSettings>(), kNotSampled);
  line.epilog(
      "The same as the stage `shortcut` and `mortise plan --shortcut`, for a path that is there. It begins and ends\n"
      "where the path does, and has to be free: `mortise path optimize` moves a path out of collisions.\n");
  if (!line.parse(arguments)) return 0;
  const auto settings = settingsOf<ShortcutCommandSettings>(line);
  Value objective = Value::map();
  objective.set("objective", settings.objective);
  PathInWorld path(line, kNotSampled, objective);
  CheckSettings checking;
  checking.options.margin = path.space().margin;
  if (const Value check = path.work().check(checking); !check.at("valid").asBool())
    throw Error("the path itself is not free" + firstFault(check), {},
                "make it free with `mortise path optimize`, or plan another one with `mortise plan`");
  const InterruptGuard guard;
  const auto seed = static_cast<std::uint64_t>(settings.stop.seed.value_or(0));
  Value report = path.work().shortcut(settings, path.objective(), seed, guard.asked()).value;
  if (guard.signal() != 0) return guard.exitCode();
  path.write(report);
  print(line.json() ? toJson(report) + "\n" : shortcutText(report));
  return 0;
}

}  // namespace mortise::app
