#include <algorithm>
#include <filesystem>
#include <set>

#include "command_line/command_line.h"
#include "command_line/resource_options.h"
#include "commands.h"
#include "mortise/base/article.h"
#include "mortise/base/error.h"
#include "mortise/base/suggest.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/foreign_model.h"
#include "mortise/loading/format_loader.h"
#include "mortise/model/world_description.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/plugin/name_list.h"

namespace mortise::app {

namespace {

/// Everything that files can hold, in the order of preference where a file could hold several.
const std::vector<std::string> kContentKinds = {
    "robot",         "world",          "rigid_object",  "terrain", "geometry", "multipath", "hermite_trajectory",
    "trajectory",    "configurations", "configuration", "stance",  "grasp",    "hold",      "ik_goal",
    "contact_point", "transform",      "matrix3",       "vector3", "matrix",   "integers",  "numbers",
    "library"};

std::string listed(const std::set<std::string>& kinds) {
  return kinds.empty() ? "nothing" : nameList({kinds.begin(), kinds.end()});
}

struct Plan {
  std::string from;
  std::string to;
  bool library = false;  ///< OUT is a library, which holds nothing else.
};

/// Whether a library can hold it by itself, without other files.
bool isLibraryItem(const std::string& kind) {
  static const std::set<std::string> kOthers = {"robot", "world", "rigid_object", "terrain", "geometry", "library"};
  return !kind.empty() && kOthers.count(kind) == 0;
}

/// A folder is a library of resources, which holds no models. Throws `Error` that says what to write instead.
void refuseModelInFolder(const std::string& in, const std::string& out, const std::string& held) {
  if (held.empty() || held == "library" || isLibraryItem(held)) return;
  std::string kind = held;
  std::replace(kind.begin(), kind.end(), '_', ' ');
  const std::filesystem::path file = std::filesystem::path(out) / std::filesystem::path(in).filename();
  throw Error("'" + in + "' holds " + withArticle(kind) +
                  ", which does not become a folder: folders hold libraries of resources, such as configurations and "
                  "paths",
              {},
              held == "world" ? "`mortise world save " + in + " " + file.string() +
                                    " --copy` writes the world, and the files it needs, into it"
                              : "name a file, such as " + file.string());
}

/// What IN holds and what OUT takes of it: the same, or what that can be turned into with the least loss. A folder
/// takes whatever IN holds as one resource of its own. Throws `Error` that says what each could be when they have
/// nothing in common.
Plan plan(FormatLoader& loader, const std::string& in, const std::string& out, const std::string& wanted) {
  const std::set<std::string> readable = loader.readableContents(in), writable = loader.writableContents(out);
  // Several formats share an extension: what is in the file decides.
  std::vector<std::string> sources;
  if (const std::string held = loader.contentOf(in); !held.empty()) sources.push_back(held);
  for (const std::string& kind : kContentKinds)
    if (readable.count(kind) > 0) sources.push_back(kind);
  std::set<std::string> possible;
  std::error_code ec;
  const bool folder = out.ends_with("/") || std::filesystem::is_directory(out, ec);
  if (folder && !sources.empty()) refuseModelInFolder(in, out, sources.front());
  if (folder && writable.count("library") > 0 && !sources.empty() && isLibraryItem(sources.front()))
    for (const std::string& target : convertibleKinds(sources.front())) {
      if (wanted.empty() || target == wanted) return {sources.front(), target, true};
      possible.insert(target);
    }
  for (const std::string& source : sources)
    for (const std::string& target : convertibleKinds(source)) {
      if (writable.count(target) == 0) continue;
      if (wanted.empty() || target == wanted) return {source, target};
      possible.insert(target);
    }
  if (!wanted.empty())
    throw Error("'" + in + "' cannot be converted to '" + out + "' as " + wanted, {},
                possible.empty() ? std::string() : "possible: " + listed(possible));
  throw Error("'" + in + "' cannot be converted to '" + out + "': files of the first kind can be read as: " +
                  listed(readable) + "; files of the second can be written from: " + listed(writable),
              {}, "choose another extension; `mortise plugins list` shows the formats");
}

/// A resource as another kind. What is lost concerns the file as a whole.
Resource convertedResource(const Resource& held, const std::string& kind, const std::string& in,
                           Diagnostics& diagnostics) {
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

void convert(FormatLoader& loader, const Plan& plan, const std::string& in, const std::string& out,
             Diagnostics& diagnostics) {
  const std::string summary = "'" + in + "' cannot be converted";
  if (plan.from == "robot") {
    const RobotDescription robot = loader.robot(in, {}, diagnostics);
    diagnostics.throwIfErrors(summary);
    loader.writeRobot(robot, out, diagnostics);
  } else if (plan.from == "world") {
    const WorldDescription world = loader.worldDescription(in, {}, diagnostics);
    diagnostics.throwIfErrors(summary);
    loader.writeWorld(world, out, diagnostics);
  } else if (plan.from == "rigid_object") {
    const RigidObject object = loader.rigidObject(in, {}, diagnostics);
    diagnostics.throwIfErrors(summary);
    loader.writeRigidObject(object, out, diagnostics);
  } else if (plan.from == "terrain") {
    const Terrain terrain = loader.terrain(in, {}, diagnostics);
    diagnostics.throwIfErrors(summary);
    loader.writeTerrain(terrain, out, diagnostics);
  } else if (plan.from == "geometry") {
    const GeometryPtr geometry = loader.geometry(in, {}, diagnostics);
    diagnostics.throwIfErrors(summary);
    loader.writeGeometry(*geometry, out);
  } else if (plan.from == "library") {
    const ResourceLibrary library = loader.library(in, {}, diagnostics);
    diagnostics.throwIfErrors(summary);
    loader.writeLibrary(library, out, diagnostics);
  } else {
    const Resource held = loader.resource(plan.from, in, {}, diagnostics);
    Resource resource = convertedResource(held, plan.to, in, diagnostics);
    diagnostics.throwIfErrors(summary);
    if (plan.library) {
      ResourceLibrary library;
      library.items.push_back({std::filesystem::path(in).stem().string(), {}, std::move(resource)});
      loader.writeLibrary(library, out, diagnostics);
    } else {
      loader.writeResource(resource, out, diagnostics);
    }
  }
  diagnostics.throwIfErrors("'" + out + "' was written, but does not hold everything");
}

}  // namespace

int convertCommand(const Arguments& arguments) {
  CommandLine line("mortise convert", "convert a file; extensions say from what and to what");
  line.positional("IN", "file to read; a folder is a library of resources")
      .positional("OUT", "file to write; a name that ends in '/' is a folder")
      .option("as", "KIND", "what OUT shall hold where it could be several things: " + nameList(kContentKinds, 40))
      .values("as", kContentKinds)
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
      "said on the way as {severity, message, where, hint}.\n");
  if (!line.parse(arguments)) return 0;
  const std::string kind = line.text("as");
  if (!kind.empty() && std::find(kContentKinds.begin(), kContentKinds.end(), kind) == kContentKinds.end()) {
    const std::string near = didYouMean(kind, kContentKinds);
    throw UsageError("--as takes one of " + nameList(kContentKinds, 40) + ", not '" + kind + "'" +
                     (near.empty() ? "" : "; " + near));
  }
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const std::string in = loader.find(line.positionals()[0], {});
  const std::string& out = line.positionals()[1];
  refuseForeignModel(in);
  const Plan chosen = plan(loader, in, out, kind);
  convert(loader, chosen, in, out, diagnostics);
  printWarnings(line, diagnostics);
  if (line.json()) {
    Value done = Value::map();
    done.set("input", in);
    done.set("output", out);
    done.set("from", chosen.from);
    done.set("to", chosen.to);
    done.set("warnings", diagnosticsValue(diagnostics));
    print(toJson(done) + "\n");
  }
  return 0;
}

}  // namespace mortise::app
