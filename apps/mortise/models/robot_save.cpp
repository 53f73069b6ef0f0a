#include "models/robot_save.h"

#include <filesystem>

#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/loading/foreign_model.h"
#include "mortise/loading/format_loader.h"

namespace mortise::app {

namespace {

/// Writes the robot and, before, its shapes.
SavedRobot written(RobotDescription robot, const std::string& out, const std::optional<ShapeExport>& shapes,
                   FormatLoader& loader, Diagnostics diagnostics) {
  SavedRobot saved;
  saved.file = out;
  saved.links = static_cast<int>(robot.links.size());
  saved.drivers = static_cast<int>(robot.drivers.size());
  if (!loader.writableContents(out).contains(FileContent::robot))
    throw Error("no format writes robots to '" + out + "'", {}, "name a .rob or .urdf file");
  if (shapes) saved.shapes = exportShapes(robot, out, *shapes, loader, diagnostics);
  (void)Robot::compile(robot);  // Nothing is written that could not be read again.
  loader.write(std::move(robot), out, diagnostics);
  diagnostics.throwIfErrors("'" + out + "' was written, but does not hold everything");
  saved.diagnostics = std::move(diagnostics);
  return saved;
}

void declareShapes(CommandLine& line, const std::string& otherwise) {
  line.option("shapes", "EXTENSION",
              "write each link's shape to a file of its own: off, stl, obj, ... (" + otherwise + ")")
      .option("shape-prefix", "PREFIX",
              "what comes before the names of links in these files; one that ends in '/' is a folder (default: the "
              "name of the file that is written, and '/')")
      .flag("strict", "treat warnings about files as errors")
      .values("shapes", {"off", "stl", "obj", "ply"})
      .withPlugins();
  addResourceOptions(line);
}

/// The folder beside the file that has its name.
std::string folderOf(const std::string& file) { return std::filesystem::path(file).stem().string() + "/"; }

std::optional<ShapeExport> shapesAsked(const CommandLine& line, const std::string& out) {
  if (!line.has("shapes")) {
    if (line.has("shape-prefix")) throw UsageError("--shape-prefix goes with --shapes EXTENSION");
    return std::nullopt;
  }
  return ShapeExport{line.text("shape-prefix", folderOf(out)), line.text("shapes")};
}

}  // namespace

SavedRobot saveRobot(const CommandLine& line, const std::string& in, const std::string& out, const Value& format,
                     const std::optional<ShapeExport>& shapes) {
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const std::string path = loader.find(in, {});
  refuseForeignModel(path);
  Resource robot = format.entries().empty() ? loader.load(FileContent::robot, path, {}, diagnostics)
                                            : loader.loadWith(loader.formatOf(path, FileContent::robot, {}), format,
                                                              FileContent::robot, path, diagnostics);
  diagnostics.throwIfErrors("'" + in + "' cannot be used");
  return written(std::get<RobotDescription>(std::move(robot)), out, shapes, loader, std::move(diagnostics));
}

SavedRobot saveMergedRobot(const CommandLine& line, const std::vector<std::string>& in, const std::string& out,
                           MergedNames names, const std::optional<ShapeExport>& shapes) {
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const World world = assembleWorld(loader, in, diagnostics);
  return written(mergedRobot(world, std::filesystem::path(out).stem().string(), names), out, shapes, loader,
                 std::move(diagnostics));
}

void reportSaved(const CommandLine& line, const Value& input, const SavedRobot& saved, const std::string& text) {
  printWarnings(line, saved.diagnostics);
  if (!line.json()) {
    if (!line.quiet()) print(text);
    return;
  }
  Value done = Value::map();
  done.set("input", input);
  done.set("output", saved.file);
  done.set("links", saved.links);
  done.set("drivers", saved.drivers);
  done.set("shapes", saved.shapes);
  done.set("warnings", diagnosticsValue(saved.diagnostics));
  print(toJson(done) + "\n");
}

int robotSaveCommand(const Arguments& arguments) {
  CommandLine line("mortise robot save", "write a robot to another file, its shapes with it if asked");
  line.positional("IN", "robot (.urdf, .rob)").positional("OUT", "file to write (.rob, .urdf)");
  line.flag("use-visuals", "of a URDF: shapes are those of <visual>, where its <klampt> does not say")
      .flag("flip-yz", "of a URDF: meshes have their y axis upwards, where its <klampt> does not say")
      .option("package-root", "DIR", "of a URDF: where package:// references are looked for first");
  declareShapes(line, "default: they stay where they are and are referred to");
  line.epilog(
      "Example:\n"
      "  mortise robot save heron.urdf arm/heron.rob --shapes off    arm/heron.rob and arm/heron/*.off\n");
  if (!line.parse(arguments)) return 0;
  const std::string &in = line.positionals()[0], &out = line.positionals()[1];
  Value format = Value::map();
  for (const auto& [option, setting] : {std::pair("use-visuals", "use_vis_geom"), std::pair("flip-yz", "flip_yz")})
    if (line.has(option)) format.set(setting, true);
  if (line.has("package-root"))
    format.set("package_root", std::filesystem::absolute(line.text("package-root")).string());
  const SavedRobot saved = saveRobot(line, in, out, format, shapesAsked(line, out));
  reportSaved(line, in, saved,
              out + ": " + std::to_string(saved.links) + " links, " + std::to_string(saved.drivers) + " drivers, " +
                  std::to_string(saved.shapes.size()) + " files of shapes\n");
  return 0;
}

int robotMergeCommand(const Arguments& arguments) {
  CommandLine line("mortise robot merge", "make one robot of several robots and rigid objects");
  line.positional("FILE", "robots, rigid objects, or a world of them", 1, -1)
      .option("output,o", "FILE", "file to write (default merged.rob)")
      .option("names", "STYLE", "names of links: prefixed, arm:elbow (default), or bracketed, arm[elbow]")
      .values("names", {"prefixed", "bracketed"});
  declareShapes(line, "default: they stay where they are and are referred to");
  line.epilog(
      "Rigid objects become floating bases of six links. Robots and objects keep where they start; several robots that "
      "are\n"
      "called alike get numbers. Terrains are left out, and so are controllers.\n"
      "Example:\n"
      "  mortise robot merge data/robots/reacher.rob data/robots/pincer.rob -o both.rob\n");
  if (!line.parse(arguments)) return 0;
  const std::string names = line.text("names", "prefixed"), out = line.text("output", "merged.rob");
  if (names != "prefixed" && names != "bracketed")
    throw UsageError("--names is prefixed or bracketed, not '" + names + "'");
  const SavedRobot saved =
      saveMergedRobot(line, line.positionals(), out,
                      names == "prefixed" ? MergedNames::prefixed : MergedNames::bracketed, shapesAsked(line, out));
  reportSaved(line, line.positionals(), saved,
              out + ": " + std::to_string(saved.links) + " links, " + std::to_string(saved.drivers) + " drivers\n");
  return 0;
}

}  // namespace mortise::app
