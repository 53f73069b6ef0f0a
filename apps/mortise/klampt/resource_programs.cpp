#include <filesystem>
#include <map>

#include "command_line/resource_options.h"
#include "klampt/programs.h"
#include "models/resource_packs.h"
#include "mortise/base/error.h"
#include "mortise/loading/format_loader.h"
#include "mortise/modeling/resource_packing.h"

namespace mortise::app {

namespace {

namespace fs = std::filesystem;

/// Klamp't's options have one dash.
Arguments withPackOptions(Arguments arguments) {
  for (std::string& argument : arguments)
    if (argument == "-u")
      argument = "--unpack";
    else if (argument == "-o")
      argument = "--output";
    else if (argument == "-t")
      argument = "--type";
  return arguments;
}

const std::map<std::string, FileContent>& klamptTypes() {
  static const std::map<std::string, FileContent> kTypes = {{"Configs", FileContent::configurations},
                                                            {"LinearPath", FileContent::trajectory},
                                                            {"MultiPath", FileContent::multipath},
                                                            {"Hold", FileContent::hold},
                                                            {"Stance", FileContent::stance},
                                                            {"Grasp", FileContent::grasp},
                                                            {"xml", FileContent::library}};
  return kTypes;
}

void declarePackOptions(CommandLine& line) {
  line.positional("FILE", "resources in their order, or one folder or library of them", 1, -1)
      .flag("unpack", "(-u) unpack these files")
      .option("output", "NAME",
              "(-o) name of what is written, to which the extension of its type is added (default: of one folder or "
              "file its name, else out); with -u the folder in which files are made (default: that of each file)")
      .option("type", "TYPE",
              "(-t) Configs, LinearPath, MultiPath, Hold, Stance, Grasp, or xml for a library "
              "(default: auto, the first that takes all)")
      .flag("strict", "treat warnings about files, and about what is lost, as errors")
      .values("type", {"auto", "Configs", "LinearPath", "MultiPath", "Hold", "Stance", "Grasp", "xml"})
      .withPlugins()
      .epilog("`mortise resource pack` and `mortise resource unpack` do the same; see docs/klampt_programs.md.\n");
  addResourceOptions(line);
}

std::string outputName(const CommandLine& line) {
  if (line.has("output")) return line.text("output");
  if (line.positionals().size() != 1) return "out";
  std::string name = line.positionals()[0];
  while (name.size() > 1 && name.ends_with("/")) name.pop_back();
  return fs::is_directory(name) ? name : fs::path(name).replace_extension("").string();
}

int pack(const CommandLine& line, FormatLoader& loader, Diagnostics& diagnostics) {
  const std::string type = line.text("type", "auto");
  const auto wanted = klamptTypes().find(type);
  if (type != "auto" && wanted == klamptTypes().end())
    throw UsageError("-t is auto, Configs, LinearPath, MultiPath, Hold, Stance, Grasp or xml, not '" + type + "'");
  const ResourceLibrary library = readResources(loader, line.positionals(), diagnostics);
  const Resource full = type == "auto" ? packed(library, diagnostics) : packed(library, wanted->second, diagnostics);
  const FileContent kind = contentOf(full);
  std::string out = outputName(line);
  const std::string extension = extensionOfPack(kind);
  if (!out.ends_with(extension)) out += extension;
  refuseToReplace(line.positionals(), out);
  loader.write(full, out, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors("'" + out + "' was written, but does not hold everything");
  if (!line.quiet()) print("Saving to " + out + "\n");
  return 0;
}

int unpack(const CommandLine& line, FormatLoader& loader, Diagnostics& diagnostics) {
  for (const std::string& file : line.positionals()) {
    const fs::path path(file);
    const fs::path folder = line.has("output") ? fs::path(line.text("output")) : path.parent_path();
    for (const std::string& part : unpackFile(loader, file, (folder / path.stem()).string(), diagnostics))
      if (!line.quiet()) print("Extracted item " + fs::path(part).stem().string() + ", saving to " + part + "\n");
  }
  printWarnings(line, diagnostics);
  return 0;
}

int runPack(const char* name, const Arguments& arguments) {
  CommandLine line(std::string("mortise ") + name, "put resources together, or take them apart, as Klamp't's Pack");
  declarePackOptions(line);
  if (!line.parse(arguments)) return 0;
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  return line.has("unpack") ? unpack(line, loader, diagnostics) : pack(line, loader, diagnostics);
}

}  // namespace

int packCommand(const Arguments& arguments) {
  return runPack("Pack", arguments.empty() ? Arguments{"--help"} : withPackOptions(arguments));
}

int unpackCommand(const Arguments& arguments) {
  Arguments given = arguments.empty() ? Arguments{"--help"} : withPackOptions(arguments);
  given.insert(given.begin(), "--unpack");
  return runPack("Unpack", given);
}

}  // namespace mortise::app
