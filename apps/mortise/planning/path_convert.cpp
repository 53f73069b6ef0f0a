#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/settings/motion_settings.h"
#include "mortise/settings/parse_setting.h"
#include "planning/path_file.h"

namespace mortise::app {

namespace {

/// Returns the settings of --read.
Value readingOf(const CommandLine& line) {
  Value reading = Value::map();
  for (const std::string& text : line.texts("read")) {
    AssignedSetting setting = parseSetting(text, "--read");
    reading.setPath(setting.path, std::move(setting.value));
  }
  return reading;
}

}  // namespace

int pathConvert(const Arguments& arguments) {
  CommandLine line("mortise path convert", "write a motion as another kind of motion");
  line.positional("IN", "motion file: .path, .traj, .milestones, .configs, MultiPath XML, or JSON of these")
      .positional("OUT", "file to write; its extension says what it holds")
      .option("robot", "FILE",
              "the robot that moves: its freely turning angles go the short way round, and joints of bags go by name")
      .repeatedOption("read", "KEY=VALUE",
                      "a setting of the format that reads IN, such as topic=joint_states of a bag; may be repeated")
      .flag("strict", "treat warnings about files, and about what is lost, as errors")
      .withPlugins();
  addResourceOptions(line);
  declareSettings(line, ConvertSettings());
  line.epilog(
      "Examples:\n"
      "  mortise path convert steps.configs steps.path --duration 5s\n"
      "  mortise path convert walk.path walk.milestones        a smooth curve through the milestones\n"
      "  mortise path convert walk.xml walk.path --every 20ms  evenly sampled\n"
      "  mortise path convert run.bag run.path --robot arm.urdf --read topic=joint_states\n"
      "A path without times takes 1 s as in Klamp't where OUT needs times; `mortise path retime` finds times within\n"
      "the robot's limits. With --json it prints {input, output, from, to, warnings}.\n");
  if (!line.parse(arguments)) return 0;
  auto settings = settingsOf<ConvertSettings>(line);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front(), readingOf(line));
  const std::string& out = line.positionals()[1];
  const FileContent from = opened.motion.kind(), to = motionKindFor(loader, from, out, settings.as.value_or(""));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  settings.options.robot = opened.robot;
  const Resource result = convertMotion(opened.motion.resource(), to, settings.options, diagnostics);
  diagnostics.throwIfErrors("'" + opened.file + "' cannot be converted");
  const InterruptGuard writing;
  loader.write(result, out, diagnostics);
  diagnostics.throwIfErrors("'" + out + "' was written, but does not hold everything");
  printWarnings(line, diagnostics);
  if (line.json()) {
    Value done = Value::map();
    done.set("input", opened.file);
    done.set("output", out);
    done.set("from", contentName(from));
    done.set("to", contentName(to));
    done.set("warnings", diagnosticsValue(diagnostics));
    print(toJson(done) + "\n");
  }
  return writing.signal() != 0 ? writing.exitCode() : 0;
}

}  // namespace mortise::app
