#include <filesystem>

#include "command_line/command_line.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/plugin/abi.h"
#include "mortise/plugin/discovery.h"
#include "mortise/plugin/library.h"
#include "mortise/plugin/side_car.h"
#include "mortise/plugin/side_car_index.h"
#include "plugins/plugins_commands.h"

namespace mortise::app {

namespace {

/// An index of all side-cars of a folder, for listing them without parsing text.
int describeFolder(const CommandLine& line, const std::string& folder) {
  if (!line.has("write"))
    throw UsageError("'" + folder + "' is a folder: with --write, an index of its side-cars is written into it");
  Diagnostics problems;
  const std::vector<FoundLibrary> libraries = examineFolder(folder, "plugins describe", 0, problems);
  for (const Diagnostic& problem : problems.all()) line.log().write(LogLevel::warning, "plugins", problem.format());
  SideCarIndex index(folder);
  std::int64_t count = 0;
  for (const FoundLibrary& library : libraries) {
    if (!library.described) continue;
    index.add(library.sideCar, library.path, readSideCar(library.sideCar));
    ++count;
  }
  index.writeToFolder();
  if (line.json()) {
    Value written = Value::map();
    written.set("libraries", count);
    print(toJson(written) + "\n");
  }
  line.log().write(LogLevel::info, "plugins",
                   "wrote an index of " + std::to_string(count) + " side-car manifests to " + folder);
  return 0;
}

}  // namespace

int pluginsDescribe(const Arguments& arguments) {
  CommandLine line("mortise plugins describe",
                   "print or write the side-car manifest of a plugin library (YAML, with --json JSON)");
  line.positional("LIBRARY", "a plugin library, such as libacme.so, or a folder of libraries that have side-cars");
  line.flag("write",
            "write it beside the library, as LIBRARY's name with .mortise.yaml for .so; for a folder, write "
            "plugins.index, from "
            "which commands read all its side-cars at once");
  if (!line.parse(arguments)) return 0;

  const std::string& given = line.positionals().front();
  if (std::filesystem::is_directory(given)) return describeFolder(line, given);
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
  const std::string folder = std::filesystem::absolute(path).parent_path().string();
  if (SideCarIndex index(folder); index.inFolder()) {
    index.add(std::filesystem::absolute(path).string(), given, sideCar);
    index.writeToFolder();
  }
  if (line.json()) {
    Value written = Value::map();
    written.set("written", path);
    print(toJson(written) + "\n");
  }
  line.log().write(LogLevel::info, "plugins", "wrote " + path);
  return 0;
}

}  // namespace mortise::app
