#include "mortise/inspect/world_check.h"

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/configuration_options.h"
#include "command_line/diagnostics_output.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/format_loader.h"
#include "mortise/settings/permissions.h"

namespace mortise::app {

int worldCheckCommand(const Arguments& arguments) {
  CommandLine line("mortise world check",
                   "say what is doubtful about a world before it is simulated; exit code 1 when something is wrong");
  line.positional("FILE", "world file");
  declareConfigurations(line, "where the world has it");
  line.flag("strict", "treat warnings as errors").withPlugins();
  addResourceOptions(line);
  line.epilog(
      "Errors: files that are missing or wrong, names that nothing has, backends that no plugin has, settings of\n"
      "controllers and sensors and commands that a run would refuse before its first step. Warnings: bodies that\n"
      "overlap at the start, and by how much; robots of the same name; links that move but have no mass; objects\n"
      "without mass or shape; configurations outside of joint limits; controllers and sensors that no plugin has, or\n"
      "two of one name.\n"
      "Notes: bodies that start nearer than the padding that a simulation puts around them.\n"
      "`mortise robot check` checks one robot more closely.\n\nExample:\n"
      "  mortise world check data/worlds/blocks.xml --json\n");
  if (!line.parse(arguments)) return 0;
  const std::string& file = line.positionals().front();
  const auto registry = line.makeRegistry();
  checkOnly(true);
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  StartOverlaps overlaps;
  World world;
  try {
    world = loader.world(file, {}, diagnostics);
    if (!diagnostics.hasErrors()) readConfigurations(line, loader, world, diagnostics);
    if (!diagnostics.hasErrors() || world.numIds() > 0) overlaps = checkWorld(world, *registry, &loader, diagnostics);
  } catch (const DiagnosticsError& error) {
    for (const Diagnostic& problem : error.list()) diagnostics.add(problem);
  } catch (const Error& error) {
    diagnostics.error(error);
  }
  if (line.json()) {
    Value result = Value::map();
    result.set("file", file);
    result.set("valid", !diagnostics.hasErrors());
    result.set("errors", diagnostics.errorCount());
    result.set("warnings", diagnostics.warningCount());
    result.set("problems", diagnosticsValue(diagnostics));
    result.set("overlaps", overlapList(overlaps.bodies, world));
    result.set("padding_overlaps", overlapList(overlaps.paddings, world));
    print(toJson(result) + "\n");
  } else {
    print(problemText(diagnostics, file));
  }
  return diagnostics.hasErrors() ? 1 : 0;
}

}  // namespace mortise::app
