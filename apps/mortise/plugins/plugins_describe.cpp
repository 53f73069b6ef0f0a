#include "command_line/command_line.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/plugin/abi.h"
#include "mortise/plugin/library.h"
#include "mortise/plugin/side_car.h"
#include "plugins/plugins_commands.h"

namespace mortise::app {

int pluginsDescribe(const Arguments& arguments) {
  CommandLine line("mortise plugins describe",
                   "print or write the side-car manifest of a plugin library (YAML, with --json JSON)");
  line.positional("LIBRARY", "a plugin library, such as libacme.so");
  line.flag("write", "write it beside the library, as LIBRARY's name with .mortise.yaml for .so");
  if (!line.parse(arguments)) return 0;

  const std::string& given = line.positionals().front();
  const SideCar sideCar = describe(Library::open(given));
  for (const auto& info : sideCar.components) {
    const std::string differences = compareInterfaces(info.kind, interfaceVersion(info.kind), info.interface);
    if (!differences.empty())
      throw Error(std::string(kindName(info.kind)) + " '" + info.name + "' cannot be used; " + differences);
  }
  requireSound(sideCar);
  const std::string text = sideCarText(sideCar);
  if (!line.has("write")) {
    print(line.json() ? toJson(parseYaml(text, sideCarPath(given))) + "\n" : text);
    return 0;
  }
  const std::string path = sideCarPath(given);
  writeFile(path, text);
  if (line.json()) {
    Value written = Value::map();
    written.set("written", path);
    print(toJson(written) + "\n");
  }
  line.log().write(LogLevel::info, "plugins", "wrote " + path);
  return 0;
}

}  // namespace mortise::app
