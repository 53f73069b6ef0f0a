#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/foreign_model.h"
#include "mortise/loading/format_loader.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/text/article.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

namespace {

/// Everything that files can hold, in the order of preference where a file could hold several.
const std::vector<FileContent>& contentKinds() {
  using enum FileContent;
  static const std::vector<FileContent> kKinds = {
      robot,          world,         rigidObject, terrain,  geometry, multipath, hermiteTrajectory, trajectory,
      configurations, configuration, stance,      grasp,    hold,     ikGoal,    contactPoint,      transform,
      matrix3,        vector3,       matrix,      integers, numbers,  library};
  return kKinds;
}

std::vector<std::string> namesOf(const std::vector<FileContent>& kinds) {
  std::vector<std::string> names;
  for (const FileContent kind : kinds) names.emplace_back(contentName(kind));
  return names;
}

std::string listed(const std::set<FileContent>& kinds) {
  std::vector<std::string> names = namesOf({kinds.begin(), kinds.end()});
  std::sort(names.begin(), names.end());
  return names.empty() ? "nothing" : nameList(names);
}

struct Plan {
  FileContent from;
  FileContent to;
  bool library = false;  ///< OUT is a library, which holds nothing else.
};

bool isModel(FileContent kind) {
  return kind == FileContent::robot || kind == FileContent::world || kind == FileContent::rigidObject ||
         kind == FileContent::terrain || kind == FileContent::geometry;
}

/// Says whether a library can hold it by itself, without other files.
bool isLibraryItem(FileContent kind) { return !isModel(kind) && kind != FileContent::library; }

/// A folder is a library of resources, which holds no models. Throws `Error` that says what to write instead.
void refuseModelInFolder(const std::string& in, const std::string& out, FileContent held) {
  if (!isModel(held)) return;
  std::string kind(contentName(held));
  std::replace(kind.begin(), kind.end(), '_', ' ');
  const std::filesystem::path file = std::filesystem::path(out) / std::filesystem::path(in).filename();
  throw Error("'" + in + "' holds " + withArticle(kind) +
                  ", which does not become a folder: folders hold libraries of resources, such as configurations and "
                  "paths",
              {},
              held == FileContent::world ? "`mortise world save " + in + " " + file.string() +
                                               " --copy` writes the world, and the files it needs, into it"
                                         : "name a file, such as " + file.string());
}

/// Finds what IN holds and what OUT takes of it: the same, or what that can be turned into with the least loss. A
/// folder takes whatever IN holds as one resource of its own. Throws `Error` that says what each could be when they
/// have nothing in common.
Plan plan(FormatLoader& loader, const std::string& in, const std::string& out, std::optional<FileContent> wanted) {
  const std::set<FileContent> readable = loader.readableContents(in), writable = loader.writableContents(out);
  // Several formats share an extension: what is in the file decides.
  std::vector<FileContent> sources;
  if (const auto held = loader.contentOf(in)) sources.push_back(*held);
  for (const FileContent kind : contentKinds())
    if (readable.contains(kind)) sources.push_back(kind);
  std::set<FileContent> possible;
  std::error_code ec;
  const bool folder = out.ends_with("/") || std::filesystem::is_directory(out, ec);
  if (folder && !sources.empty()) refuseModelInFolder(in, out, sources.front());
  if (folder && writable.contains(FileContent::library) && !sources.empty() && isLibraryItem(sources.front()))
    for (const FileContent target : convertibleKinds(sources.front())) {
      if (!wanted || target == wanted) return {sources.front(), target, true};
      possible.insert(target);
    }
  for (const FileContent source : sources)
    for (const FileContent target : convertibleKinds(source)) {
      if (!writable.contains(target)) continue;
      if (!wanted || target == wanted) return {source, target};
      possible.insert(target);
    }
  if (wanted)
    throw Error("'" + in + "' cannot be converted to '" + out + "' as " + std::string(contentName(*wanted)), {},
                possible.empty() ? std::string() : "possible: " + listed(possible));
  throw Error("'" + in + "' cannot be converted to '" + out + "': files of the first kind can be read as: " +
                  listed(readable) + "; files of the second can be written from: " + listed(writable),
              {}, "choose another extension; `mortise plugins list` shows the formats");
}

/// A resource as another kind. What is lost concerns the file as a whole.
Resource convertedResource(const Resource& held, FileContent kind, const std::string& in, Diagnostics& diagnostics) {
  Diagnostics losses;
  losses.setStrict(diagnostics.strict());
  const auto convertHeld = [&] {
    try {
      return convertResource(held, kind, losses);
    } catch (const Error& error) {
      throw Error(error.message(), {in, error.where().line, error.where().column, error.where().path}, error.hint());
    }
  };
  Resource resource = convertHeld();
  for (Diagnostic loss : losses.all()) {
    loss.where.file = in;
    diagnostics.add(std::move(loss));
  }
  return resource;
}

/// `writing` exists from the first write on: what is written, a folder with all its files too, is written whole.
void convert(FormatLoader& loader, const Plan& plan, const std::string& in, const std::string& out,
             Diagnostics& diagnostics, std::optional<InterruptGuard>& writing) {
  Resource value = convertedResource(loader.load(plan.from, in, {}, diagnostics), plan.to, in, diagnostics);
  diagnostics.throwIfErrors("'" + in + "' cannot be converted");
  if (plan.library) {
    ResourceLibrary library;
    library.items.push_back({std::filesystem::path(in).stem().string(), {}, std::move(value)});
    value = std::move(library);
  }
  writing.emplace();
  loader.write(value, out, diagnostics);
  diagnostics.throwIfErrors("'" + out + "' was written, but does not hold everything");
}

}  // namespace

int convertCommand(const Arguments& arguments) {
  const std::vector<std::string> kinds = namesOf(contentKinds());
  CommandLine line("mortise convert", "convert a file; extensions say from what and to what");
  line.positional("IN", "file to read; a folder is a library of resources")
      .positional("OUT", "file to write; a name that ends in '/' is a folder")
      .option("as", "KIND", "what OUT shall hold where it could be several things: " + nameList(kinds, 40))
      .values("as", kinds)
      .flag("strict", "treat warnings about files, and about what is lost, as errors")
      .withPlugins();
  addResourceOptions(line);
  line.epilog(
      "Examples:\n"
      "  mortise convert robot.urdf robot.rob    shapes stay where they are and are referred to\n"
      "  mortise convert part.stl part.off\n"
      "  mortise convert steps.configs steps.path\n"
      "  mortise convert walk.xml walk.path      a MultiPath; warns that its goals are lost\n"
      "  mortise convert walk.xml walk/ --as configurations     a folder with walk.configs in it\n"
      "  mortise convert climb/ climb.xml        a folder of resources becomes one file\n"
      "With --json it prints {input, output, from, to, warnings}: the kinds that were read and written, and what was\n"
      "reported as {severity, message, where, hint}.\n");
  if (!line.parse(arguments)) return 0;
  const std::optional<FileContent> kind = contentOption(line, kinds);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const std::string in = loader.find(line.positionals()[0], {});
  const std::string& out = line.positionals()[1];
  refuseForeignModel(in);
  const Plan chosen = plan(loader, in, out, kind);
  std::optional<InterruptGuard> writing;
  convert(loader, chosen, in, out, diagnostics, writing);
  printWarnings(line, diagnostics);
  if (line.json()) {
    Value done = Value::map();
    done.set("input", in);
    done.set("output", out);
    done.set("from", contentName(chosen.from));
    done.set("to", contentName(chosen.to));
    done.set("warnings", diagnosticsValue(diagnostics));
    print(toJson(done) + "\n");
  }
  return writing && writing->signal() != 0 ? writing->exitCode() : 0;
}

}  // namespace mortise::app
