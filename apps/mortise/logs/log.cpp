#include <filesystem>
#include <limits>
#include <system_error>

#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/logs/log_copy.h"
#include "mortise/logs/log_export.h"
#include "mortise/logs/log_info.h"
#include "mortise/pipeline/simulate/log_playback.h"
#include "mortise/settings/parse_setting.h"

namespace mortise::app {

namespace {

void declareTimes(CommandLine& line) {
  line.option("start", "T", "leave out what is before this simulated time")
      .option("end", "T", "leave out what is after it")
      .repeatedOption("topic", "NAME", "this topic alone, such as /mortise/state; may be repeated");
}

double endTime(const CommandLine& line) {
  return line.has("end") ? line.quantity("end", "s", 0) : std::numeric_limits<double>::infinity();
}

int logInfoCommand(const Arguments& arguments) {
  CommandLine line("mortise log info", "print what an MCAP file holds");
  line.positional("FILE", "a log")
      .epilog(
          "A file whose writer was interrupted is read up to its last whole chunk, and `damage` says so.\n"
          "With --json: {start, end, channels: [{topic, messages, type, encoding}], attachments: [{name, media_type, "
          "size}],\n"
          "messages, chunks, library, damage, state_hash, status, ticks}; times in simulated seconds.\n");
  if (!line.parse(arguments)) return 0;
  mcap::Reader reader(line.positionals().front());
  const Value info = logs::logInfo(reader);
  print(line.json() ? toJson(info) + "\n" : line.positionals().front() + ": " + logs::logInfoText(info));
  return 0;
}

void declareExport(CommandLine& line) {
  line.positional("FILE", "a log")
      .positional("DIR", "folder for the files; or with --attachment and --to, a file's name");
  declareTimes(line);
  line.option("attachment", "NAME", "write this attachment alone, such as scene.glb or world.json")
      .option("to", "KIND",
              "write a file of ROS: bag (ROS 1) or mcap-ros2, with the topics of the recorders bag and "
              "mcap_ros2")
      .values("to", {"bag", "mcap-ros2"})
      .repeatedOption("set", "KEY=VALUE", "with --to: a setting of that recorder, such as naming=ros_control")
      .withPlugins()
      .epilog(
          "Series become CSV files (time, tick and a column a number), images PNG files, attachments files of their\n"
          "names. --to needs the files that the run was made of, and simulates nothing.\n\n"
          "Examples:\n"
          "  mortise log export run.mcap run\n"
          "  mortise log export run.mcap run --topic /mortise/state --start 1 --end 2\n"
          "  mortise log export run.mcap scene.glb --attachment scene.glb\n"
          "  mortise log export run.mcap run.bag --to bag --set naming=ros_control\n");
}

/// Writes the log as a file of ROS. Returns the exit code.
int exportToRos(const CommandLine& line, const std::string& log, const std::string& target) {
  const std::string kind = line.text("to");
  if (kind != "bag" && kind != "mcap-ros2") throw UsageError("--to takes bag or mcap-ros2, not '" + kind + "'");
  for (const char* other : {"attachment", "topic"})
    if (line.has(other)) throw UsageError(std::string("--") + other + " does not go with --to");
  PlaybackOptions options;
  options.start = line.quantity("start", "s", 0);
  options.end = endTime(line);
  const InterruptGuard guard;
  options.stopRequested = InterruptGuard::asked();
  for (const std::string& text : line.texts("set")) {
    AssignedSetting setting = parseSetting(text);
    options.settings.setPath(setting.path, std::move(setting.value));
  }
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  playLog(log, target, kind == "bag" ? "bag" : "mcap_ros2", *registry, loader, line.log(), options);
  return guard.signal() != 0 ? guard.exitCode() : 0;
}

int logExportCommand(const Arguments& arguments) {
  CommandLine line("mortise log export", "write what an MCAP file holds as files that other programs read");
  declareExport(line);
  if (!line.parse(arguments)) return 0;
  const std::string &log = line.positionals()[0], &target = line.positionals()[1];
  if (line.has("set") && !line.has("to")) throw UsageError("--set goes with --to");
  if (std::error_code code; std::filesystem::equivalent(log, target, code))
    throw Error("is the log that is read", inFile(target), "name another file for the result");
  std::vector<std::string> files;
  if (line.has("to")) {
    if (const int code = exportToRos(line, log, target); code != 0) return code;
    files.push_back(target);
  } else if (line.has("attachment")) {
    logs::exportAttachment(log, line.text("attachment"), target);
    files.push_back(target);
  } else {
    logs::LogExportOptions options;
    options.start = line.quantity("start", "s", 0);
    options.end = endTime(line);
    options.topics = line.texts("topic");
    options.attachments = options.topics.empty();
    files = logs::exportLog(log, target, options);
  }
  if (line.json()) {
    Value result = Value::map();
    result.set("files", Value(files));
    print(toJson(result) + "\n");
  } else if (!line.quiet()) {
    for (const std::string& file : files) print(file + "\n");
  }
  return 0;
}

int writeCopy(const CommandLine& line, const std::vector<std::string>& inputs, const logs::LogCopyOptions& options) {
  if (!line.has("output")) throw UsageError("missing --output FILE");
  const logs::LogCopyResult result = logs::copyLogs(inputs, line.text("output"), options);
  for (const std::string& notice : result.notices) line.log().write(LogLevel::warning, "mortise", notice);
  if (line.json()) {
    Value out = Value::map();
    out.set("file", line.text("output"));
    out.set("messages", static_cast<std::int64_t>(result.messages));
    out.set("start", result.messages > 0 ? Value(result.start) : Value());
    out.set("end", result.messages > 0 ? Value(result.end) : Value());
    print(toJson(out) + "\n");
  } else if (!line.quiet()) {
    print(line.text("output") + ": " + std::to_string(result.messages) + " messages" +
          (result.messages > 0
               ? ", from t = " + formatReal(result.start, 9) + " s to " + formatReal(result.end, 9) + " s"
               : std::string()) +
          "\n");
  }
  return 0;
}

int logCutCommand(const Arguments& arguments) {
  CommandLine line("mortise log cut", "write a part of an MCAP file");
  line.positional("FILE", "a log").option("output,o", "FILE", "the file to write");
  declareTimes(line);
  line.epilog("Example:\n  mortise log cut run.mcap --start 1 --end 2.5 -o part.mcap\n");
  if (!line.parse(arguments)) return 0;
  logs::LogCopyOptions options;
  options.start = line.quantity("start", "s", 0);
  options.end = endTime(line);
  if (options.end < options.start) throw UsageError("--end is before --start");
  options.topics = line.texts("topic");
  return writeCopy(line, line.positionals(), options);
}

int logJoinCommand(const Arguments& arguments) {
  CommandLine line("mortise log join", "write several MCAP files as one; of one that was cut short, a whole one");
  line.positional("FILE", "logs, in the order of their times", 1, -1)
      .option("output,o", "FILE", "the file to write")
      .flag("shift", "move each log behind the one before where their times overlap")
      .epilog("Example:\n  mortise log join first.mcap second.mcap -o both.mcap\n");
  if (!line.parse(arguments)) return 0;
  logs::LogCopyOptions options;
  options.shift = line.has("shift");
  return writeCopy(line, line.positionals(), options);
}

}  // namespace

int logCommand(const Arguments& arguments) {
  static const CommandGroup group(
      "mortise log", "look into an MCAP log, export, cut and join logs",
      {{"info", logInfoCommand, "FILE", "print channels, attachments, times and how the run ended"},
       {"export", logExportCommand, "FILE DIR", "write series as CSV, images as PNG, and attachments"},
       {"html", logHtmlCommand, "FILE...", "write logs as one page that any browser opens, without a server"},
       {"cut", logCutCommand, "FILE", "write a part of a log"},
       {"join", logJoinCommand, "FILE...", "write several logs as one, or mend one that was cut short"}});
  return group.run(arguments);
}

}  // namespace mortise::app
