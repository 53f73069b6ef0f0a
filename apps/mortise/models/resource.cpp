#include <algorithm>
#include <filesystem>
#include <optional>

#include "command_line/command_group.h"
#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "models/resource_packs.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/format_loader.h"
#include "mortise/modeling/resource_packing.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

namespace {

namespace fs = std::filesystem;

bool isFolder(const std::string& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

std::string plural(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// Returns the text for a resource in a list: its kind and its size.
std::string sizeOf(const Resource& value) {
  if (const auto* q = std::get_if<VectorXd>(&value)) return plural(static_cast<std::size_t>(q->size()), "number");
  if (const auto* list = std::get_if<ConfigurationList>(&value))
    return plural(list->configurations.size(), "configuration");
  if (const auto* path = std::get_if<Trajectory>(&value)) return plural(path->configurations.size(), "milestone");
  if (const auto* path = std::get_if<HermiteTrajectory>(&value))
    return plural(path->configurations.size(), "milestone");
  if (const auto* path = std::get_if<MultiPath>(&value)) return plural(path->sections.size(), "section");
  if (const auto* hold = std::get_if<Hold>(&value)) return plural(hold->contacts.size(), "contact");
  if (const auto* stance = std::get_if<Stance>(&value)) return plural(stance->holds.size(), "hold");
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) return plural(numbers->size(), "number");
  if (const auto* library = std::get_if<ResourceLibrary>(&value)) return plural(library->items.size(), "resource");
  return {};
}

std::vector<std::string> kindNames() {
  std::vector<std::string> names;
  for (const FileContent kind : packableKinds()) names.emplace_back(contentName(kind));
  for (const FileContent kind : {FileContent::grasp, FileContent::library}) names.emplace_back(contentName(kind));
  return names;
}

int resourceInfo(const Arguments& arguments) {
  CommandLine line("mortise resource info", "list the resources in a library or folder, or what one is made of");
  line.positional("FILE", "a library (.xml, .json), a folder, or one resource")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  ResourceLibrary library = readResources(loader, {line.positionals()[0]}, diagnostics);
  if (library.items.size() == 1 && library.items[0].file == line.positionals()[0])
    library = unpacked(library.items[0].value, diagnostics);
  printWarnings(line, diagnostics);
  Value list = Value::list();
  std::string text;
  for (const ResourceItem& item : library.items) {
    Value entry = Value::map();
    entry.set("name", item.name);
    entry.set("kind", contentName(contentOf(item.value)));
    if (!item.file.empty()) entry.set("file", item.file);
    text += std::string(contentName(contentOf(item.value))) + "  " + item.name + "  " + sizeOf(item.value) + "\n";
    list.push_back(std::move(entry));
  }
  print(line.json() ? toJson(list) + "\n" : text);
  return 0;
}

int resourcePack(const Arguments& arguments) {
  const std::vector<std::string> kinds = kindNames();
  CommandLine line("mortise resource pack", "put resources together as one: configurations, a path, a stance, ...");
  line.positional("FILE", "resources in their order, or one folder or library of them", 1, -1)
      .option("output,o", "FILE", "file to write; without an extension it gets the usual one")
      .option("as", "KIND", "what to make: " + nameList(kinds, 40) + " (default: the first that takes them all)")
      .values("as", kinds)
      .flag("strict", "treat warnings about files, and about what is lost, as errors")
      .withPlugins()
      .epilog(
          "Configurations make up configurations; an IK goal and contacts a hold; holds or IK goals a stance; times "
          "and\n"
          "configurations a path (trajectory); configurations, paths or MultiPaths, with a stance for each or without, "
          "a\n"
          "MultiPath. A folder is packed in the order of names, config[2] before config[10].\n"
          "Examples:\n"
          "  mortise resource pack a.config b.config c.config -o steps.configs\n"
          "  mortise resource pack walk/ -o walk.xml       the reverse of `mortise resource unpack walk.xml`\n"
          "  mortise resource pack climb/ -o climb.xml --as library\n");
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  if (!line.has("output")) throw UsageError("missing --output FILE");
  const std::optional<FileContent> kind = contentOption(line, kinds);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const ResourceLibrary library = readResources(loader, line.positionals(), diagnostics);
  const Resource full = kind ? packed(library, *kind, diagnostics) : packed(library, diagnostics);
  std::string out = line.text("output");
  if (fs::path(out).extension().empty() && !out.ends_with("/")) out += extensionOfPack(contentOf(full));
  diagnostics.throwIfErrors();
  refuseToReplace(line.positionals(), out);
  loader.write(full, out, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors("'" + out + "' was written, but does not hold everything");
  if (line.json()) {
    Value done = Value::map();
    done.set("output", out);
    done.set("kind", contentName(contentOf(full)));
    done.set("items", static_cast<std::int64_t>(library.items.size()));
    done.set("warnings", diagnosticsValue(diagnostics));
    print(toJson(done) + "\n");
  } else if (!line.quiet()) {
    print(out + ": " + std::string(contentName(contentOf(full))) + " of " + plural(library.items.size(), "resource") +
          "\n");
  }
  return 0;
}

int resourceUnpack(const Arguments& arguments) {
  CommandLine line("mortise resource unpack", "take a resource apart into files of its parts");
  line.positional("FILE", "configurations, a path, a MultiPath, a hold, a stance, a grasp, or a library")
      .option("output,o", "DIR", "folder to write to (default: the file's name without its extension)")
      .flag("strict", "treat warnings about files, and about what is lost, as errors")
      .withPlugins()
      .epilog(
          "A MultiPath becomes section[0].path, ... or, without times, configs[0].configs, ..., and stance[0].stance, "
          "...;\n"
          "`mortise resource pack DIR -o FILE` puts them together again. With --json it prints {input, output, "
          "files}.\n"
          "Example:\n"
          "  mortise resource unpack walk.xml -o walk\n");
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const std::string file = line.positionals()[0];
  const std::string folder = line.text("output", fs::path(file).replace_extension("").string());
  const std::vector<std::string> files = unpackFile(loader, file, folder, diagnostics);
  printWarnings(line, diagnostics);
  if (line.json()) {
    Value done = Value::map();
    done.set("input", file);
    done.set("output", folder);
    done.set("files", files);
    done.set("warnings", diagnosticsValue(diagnostics));
    print(toJson(done) + "\n");
  } else if (!line.quiet()) {
    std::string text;
    for (const std::string& name : files) text += name + "\n";
    print(text);
  }
  return 0;
}

}  // namespace

ResourceLibrary readResources(FormatLoader& loader, const std::vector<std::string>& files, Diagnostics& diagnostics) {
  ResourceLibrary all;
  for (const std::string& file : files) {
    const std::string path = loader.find(file, {});
    const std::optional<FileContent> content = isFolder(path) ? FileContent::library : loader.contentOf(path);
    if (!content) throw Error("'" + file + "' holds nothing that any format knows");
    if (content == FileContent::library) {
      ResourceLibrary library = loader.load<ResourceLibrary>(path, {}, diagnostics);
      if (isFolder(path)) sortByName(library);
      for (ResourceItem& item : library.items) all.items.push_back(std::move(item));
    } else {
      all.items.push_back({fs::path(path).stem().string(), file, loader.load(*content, path, {}, diagnostics)});
    }
    diagnostics.throwIfErrors("'" + file + "' cannot be used");
  }
  return all;
}

void refuseToReplace(const std::vector<std::string>& files, const std::string& out) {
  for (const std::string& file : files)
    if (std::error_code none; fs::equivalent(file, out, none))
      throw Error("'" + out + "' would replace what is packed", {}, "choose another name with -o");
}

std::string extensionOfPack(FileContent kind) {
  switch (kind) {
    case FileContent::configurations:
      return ".configs";
    case FileContent::hold:
      return ".hold";
    case FileContent::stance:
      return ".stance";
    case FileContent::grasp:
      return ".xml";
    case FileContent::trajectory:
      return ".path";
    default:
      return ".xml";
  }
}

std::vector<std::string> unpackFile(FormatLoader& loader, const std::string& file, const std::string& folder,
                                    Diagnostics& diagnostics) {
  const std::string path = loader.find(file, {});
  const std::optional<FileContent> content = loader.contentOf(path);
  if (!content) throw Error("'" + file + "' holds nothing that any format knows");
  if (std::error_code none; fs::equivalent(path, folder, none))
    throw Error("'" + file + "' is a folder, and its parts would replace its own files", {},
                "name another folder with --output");
  if (*content == FileContent::world)
    throw Error("'" + file + "' is a world", {},
                "`mortise world save " + file + " DIR/" + fs::path(file).filename().string() +
                    " --copy` writes it with everything it needs");
  const Resource full = loader.load(*content, path, {}, diagnostics);
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  const ResourceLibrary parts = unpacked(full, diagnostics);
  std::error_code none;
  if (fs::exists(folder, none) && !isFolder(folder)) throw Error("'" + folder + "' is there already, and is no folder");
  loader.write(parts, folder + "/", diagnostics);
  diagnostics.throwIfErrors();
  std::vector<std::string> files;
  // What was written is known by its names; the extension is the writer's.
  for (const ResourceItem& item : parts.items)
    for (const fs::directory_entry& entry : fs::directory_iterator((fs::path(folder) / item.name).parent_path()))
      if (entry.path().stem() == fs::path(item.name).filename()) files.push_back(entry.path().string());
  return files;
}

int resourceCommand(const Arguments& arguments) {
  static const CommandGroup group(
      "mortise resource", "list resources, put them together and take them apart",
      {{"info", resourceInfo, "FILE", "list the resources in a library, or what one is made of"},
       {"pack", resourcePack, "FILE...", "put resources together as one"},
       {"unpack", resourceUnpack, "FILE", "take a resource apart into files of its parts"}});
  return group.run(arguments);
}

}  // namespace mortise::app
