#include <algorithm>
#include <set>

#include "command_line.h"
#include "commands.h"
#include "mortise/base/error.h"
#include "mortise/plugin/format_loader.h"
#include "mortise/plugin/name_list.h"
#include "resource_options.h"

namespace mortise::app {

namespace {

/// What this command knows how to move from one format to another, in the order of preference.
const std::vector<std::string> kKinds = {"robot", "geometry", "trajectory", "configuration"};

std::string listed(const std::set<std::string>& kinds) {
  return kinds.empty() ? "nothing" : nameList({kinds.begin(), kinds.end()});
}

/// What IN holds and OUT can take. Throws `Error` that says what each could be when they have nothing in common.
std::string commonKind(FormatLoader& loader, const std::string& in, const std::string& out, const std::string& wanted) {
  const std::set<std::string> readable = loader.readableContents(in), writable = loader.writableContents(out);
  std::vector<std::string> common;
  for (const std::string& kind : kKinds)
    if (readable.count(kind) > 0 && writable.count(kind) > 0) common.push_back(kind);
  if (!wanted.empty()) {
    if (std::find(common.begin(), common.end(), wanted) != common.end()) return wanted;
    throw Error("'" + in + "' cannot be converted to '" + out + "' as " + wanted, {},
                common.empty() ? std::string() : "possible: " + nameList(common));
  }
  if (common.empty())
    throw Error("'" + in + "' cannot be converted to '" + out + "': files of the first kind can be read as: " +
                    listed(readable) + "; files of the second can be written from: " + listed(writable),
                {}, "choose another extension; `mortise plugins list` shows the formats");
  // Several formats share an extension: what is in the file decides.
  const std::string found = loader.contentOf(in);
  if (std::find(common.begin(), common.end(), found) != common.end()) return found;
  return common.front();
}

void convert(FormatLoader& loader, const std::string& kind, const std::string& in, const std::string& out,
             Diagnostics& diagnostics) {
  const std::string summary = "'" + in + "' cannot be converted";
  if (kind == "robot") {
    RobotDescription robot = loader.robot(in, {}, diagnostics);
    diagnostics.throwIfErrors(summary);
    loader.writeRobot(robot, out, diagnostics);
  } else if (kind == "geometry") {
    const GeometryPtr geometry = loader.geometry(in, {}, diagnostics);
    diagnostics.throwIfErrors(summary);
    loader.writeGeometry(*geometry, out);
  } else if (kind == "trajectory") {
    const Trajectory trajectory = loader.trajectory(in, {}, diagnostics);
    diagnostics.throwIfErrors(summary);
    loader.writeTrajectory(trajectory, out);
  } else {
    const VectorXd q = loader.configuration(in, {}, diagnostics);
    diagnostics.throwIfErrors(summary);
    loader.writeConfiguration(q, out);
  }
  diagnostics.throwIfErrors("'" + out + "' was written, but does not hold everything");
}

}  // namespace

int convertCommand(const Arguments& arguments) {
  CommandLine line("mortise convert", "convert a file; extensions say from what and to what");
  line.positional("IN", "file to read")
      .positional("OUT", "file to write")
      .option("as", "KIND", "what to take the file for where it could be several things: " + nameList(kKinds))
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  addResourceOptions(line);
  line.epilog(
      "Examples:\n"
      "  mortise convert robot.urdf robot.rob   shapes stay where they are and are referred to\n"
      "  mortise convert part.stl part.off\n"
      "  mortise convert steps.configs steps.path\n");
  if (!line.parse(arguments)) return 0;
  const std::string kind = line.text("as");
  if (!kind.empty() && std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end())
    throw UsageError("--as takes one of " + nameList(kKinds) + ", not '" + kind + "'");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const std::string& in = line.positionals()[0];
  const std::string& out = line.positionals()[1];
  convert(loader, commonKind(loader, in, out, kind), in, out, diagnostics);
  for (const Diagnostic& problem : diagnostics.all())
    if (problem.severity != Severity::error) line.log().write(LogLevel::warning, "mortise", problem.format());
  return 0;
}

}  // namespace mortise::app
