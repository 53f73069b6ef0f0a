#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/configuration_options.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/inspect/collisions.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/format_loader.h"

namespace mortise::app {

int worldCollisionsCommand(const Arguments& arguments) {
  CommandLine line("mortise world collisions", "what collides in a world, as loaded or with robots elsewhere");
  line.positional("FILE", "world file");
  declareConfigurations(line, "where the world has it");
  line.option("tolerance", "LENGTH", "bodies this near count as colliding; default 0")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  addResourceOptions(line);
  line.epilog(
      "Checked are everything that can move against everything else, and the links of a robot against each other as\n"
      "its file says. Touching counts as colliding.\n");
  if (!line.parse(arguments)) return 0;
  const double tolerance = line.quantity("tolerance", "m", 0);
  if (!(tolerance >= 0)) throw UsageError("--tolerance is a length of at least 0");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const std::string& file = line.positionals().front();
  World loaded = loader.world(file, {}, diagnostics);
  if (!diagnostics.hasErrors()) readConfigurations(line, loader, loaded, diagnostics);
  const auto world = std::make_shared<const World>(std::move(loaded));
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  printWarnings(line, diagnostics);
  std::size_t count = 0;
  const Value collisions = inspect::worldCollisions(world, tolerance, count);
  if (line.json()) {
    Value result = Value::map();
    result.set("file", file);
    result.set("tolerance", tolerance);
    result.set("num_collisions", static_cast<std::int64_t>(count));
    result.set("collisions", collisions);
    print(toJson(result) + "\n");
    return 0;
  }
  std::string text = file + ": " + std::to_string(count) + (count == 1 ? " pair collides\n" : " pairs collide\n");
  for (std::size_t i = 0; i < collisions.size(); ++i) {
    const Value &pair = collisions[i], &ids = pair.at("ids"), &names = pair.at("names");
    text += "  " + ids[0].text() + " " + names[0].asString() + ", " + ids[1].text() + " " + names[1].asString() + ": " +
            formatReal(pair.at("distance").asReal()) + " m, " + pair.at("num_element_pairs").text() +
            (pair.at("num_element_pairs").asInteger() == 1 ? " pair" : " pairs") + " of elements\n";
  }
  if (count > collisions.size()) text += "  and " + std::to_string(count - collisions.size()) + " more\n";
  print(text);
  return 0;
}

}  // namespace mortise::app
