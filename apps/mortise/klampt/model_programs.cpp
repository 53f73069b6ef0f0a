#include <cstdlib>
#include <filesystem>

#include "command_line/resource_options.h"
#include "klampt/programs.h"
#include "models/robot_save.h"
#include "models/robot_trace.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/settings/klampt_text.h"

namespace mortise::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultUrdfSettings =
    "{\n"
    "  \"flipYZ\": false,\n"
    "  \"outputGeometryExtension\": \"off\",\n"
    "  \"outputGeometryPrefix\": \"\",\n"
    "  \"packageRootPath\": \"\",\n"
    "  \"useVisGeom\": false\n"
    "}\n";

/// The settings file that counts: the one that is named, the current folder's, or the user's. Empty: none.
std::string urdfSettingsFile(const CommandLine& line) {
  if (line.has("settings")) return line.text("settings");
  const char* home = std::getenv("HOME");
  for (const fs::path& folder : {fs::path(), fs::path(home != nullptr ? home : "") / ".Klampt"}) {
    const fs::path file = folder / "urdftorob.settings";
    std::error_code none;
    if (fs::is_regular_file(file, none)) return file.string();
  }
  return {};
}

struct UrdfToRob {
  Value format = Value::map();  ///< Settings of the URDF reader.
  std::optional<ShapeExport> shapes;
};

/// Klamp't's keys; it writes flags as false and true, or as 0 and 1.
UrdfToRob urdfSettings(const std::string& file) {
  Value settings = parseKlamptText(kDefaultUrdfSettings, "the default settings");
  if (!file.empty()) {
    const Value given = parseKlamptText(readFile(file), file);
    if (!given.isMap()) throw Error("the settings are a map", {file, 1, 1, {}}, kDefaultUrdfSettings);
    for (const Value::Entry& entry : given.entries()) {
      if (!settings.contains(entry.key))
        throw Error("there is no setting '" + entry.key + "'", entry.value.position(),
                    "the settings are flipYZ, outputGeometryExtension, outputGeometryPrefix, packageRootPath and "
                    "useVisGeom");
      settings.set(entry.key, entry.value);
    }
  }
  const auto flag = [&](const char* key) {
    const Value& value = settings.at(key);
    return value.isInteger() ? value.asInteger() != 0 : value.asBool();
  };
  UrdfToRob result;
  result.format.set("use_vis_geom", flag("useVisGeom"));
  result.format.set("flip_yz", flag("flipYZ"));
  if (const std::string root = settings.at("packageRootPath").text(); !root.empty())
    result.format.set("package_root", fs::absolute(root).string());
  if (const std::string extension = settings.at("outputGeometryExtension").text(); !extension.empty())
    result.shapes = ShapeExport{settings.at("outputGeometryPrefix").text(), extension};
  return result;
}

}  // namespace

int urdfToRobCommand(const Arguments& arguments) {
  CommandLine line("mortise URDFtoRob", "convert a URDF robot to a .rob file with meshes, as Klamp't's URDFtoRob");
  line.positional("URDF", "robot_file.urdf", 0, 1)
      .positional("ROB", "file to write (default: the same name with .rob)", 0, 1)
      .option("settings", "FILE",
              "settings as Klamp't writes them (default: urdftorob.settings here, else in ~/.Klampt, if there is one)")
      .flag("write-settings", "write the default settings to urdftorob.settings, and nothing else")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins()
      .epilog(
          "The settings are useVisGeom, flipYZ, packageRootPath, outputGeometryExtension (off; empty: shapes stay "
          "where "
          "they\n"
          "are) and outputGeometryPrefix: each link's shape goes to PREFIX + its name + extension beside the .rob "
          "file.\n"
          "`mortise robot save` does the same with options.\n");
  addResourceOptions(line);
  if (!line.parse(arguments.empty() ? Arguments{"--help"} : arguments)) return 0;
  if (line.has("write-settings")) {
    writeFile("urdftorob.settings", kDefaultUrdfSettings);
    if (!line.quiet()) print("urdftorob.settings\n");
    return 0;
  }
  if (line.positionals().empty()) throw UsageError("missing robot_file.urdf");
  const fs::path in = line.positionals()[0];
  if (in.extension() != ".urdf")
    throw Error("'" + in.string() + "' is no .urdf file", {}, "`mortise convert` converts other files");
  const std::string out =
      line.positionals().size() > 1 ? line.positionals()[1] : fs::path(in).replace_extension(".rob").string();
  const std::string file = urdfSettingsFile(line);
  if (!file.empty()) line.log().write(LogLevel::info, "URDFtoRob", "settings are those of '" + file + "'");
  const UrdfToRob settings = urdfSettings(file);
  const SavedRobot saved = saveRobot(line, in.string(), out, settings.format, settings.shapes);
  reportSaved(line, in.string(), saved, "Converted " + in.string() + " to " + out + "\n");
  return 0;
}

int mergeCommand(const Arguments& arguments) {
  CommandLine line("mortise Merge", "make one robot of several robots and rigid objects, as Klamp't's Merge");
  line.positional("FILE", "robots, rigid objects, or a world of them", 1, -1)
      .flag("strict", "treat warnings about files as errors")
      .withPlugins()
      .epilog(
          "Writes merged.rob, and shapes to the folder merged. Links are called arm[elbow]. Terrains are left out.\n"
          "`mortise robot merge` does the same with options.\n");
  addResourceOptions(line);
  if (!line.parse(arguments.empty() ? Arguments{"--help"} : arguments)) return 0;
  const SavedRobot saved =
      saveMergedRobot(line, line.positionals(), "merged.rob", MergedNames::bracketed, ShapeExport{"merged/", "off"});
  reportSaved(line, line.positionals(), saved,
              "merged.rob: " + std::to_string(saved.links) + " links, " + std::to_string(saved.drivers) +
                  " drivers; shapes in merged/\n");
  return 0;
}

int posMeasureCommand(const Arguments& arguments) {
  CommandLine line("mortise PosMeasure", "positions and orientations of a robot's links as it follows a trajectory");
  declareRobotInput(line);
  line.positional("PATH", "the trajectory").positional("LINK", "links, by name or number (default: all)", 0, -1);
  declareTraceOptions(line);
  line.epilog("Prints what `mortise robot trace` does; see docs/klampt_programs.md.\n");
  if (!line.parse(arguments.empty() ? Arguments{"--help"} : arguments)) return 0;
  RobotInput input(line);
  return traceMotion(line, input, line.positionals()[1], {line.positionals().begin() + 2, line.positionals().end()});
}

}  // namespace mortise::app
