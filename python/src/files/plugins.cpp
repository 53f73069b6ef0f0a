#include <filesystem>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/bindings.h"
#include "common/define.h"
#include "common/environment.h"
#include "common/values.h"
#include "mortise/base/error.h"
#include "mortise/component/kind.h"
#include "mortise/text/suggest.h"

namespace mortise::python {

namespace {

/// A path that is there. Throws `Error`.
std::string existing(py::handle path, const char* name, bool folder) {
  const std::string text = pathFrom(path, name);
  std::error_code none;
  if (!std::filesystem::exists(text, none))
    throw Error(std::string("there is no ") + (folder ? "folder" : "file") + " '" + text + "'", {},
                "paths are relative to '" + std::filesystem::current_path(none).string() + "'");
  if (folder && !std::filesystem::is_directory(text, none)) throw Error("'" + text + "' is no folder");
  return text;
}

Kind kindFrom(const std::string& name) {
  if (const auto kind = kindFromName(name)) return *kind;
  std::vector<std::string> names;
  std::string list;
  for (int i = 0; i < kNumKinds; ++i) {
    names.emplace_back(kindName(static_cast<Kind>(i)));
    list += (i == 0 ? "" : ", ") + names.back();
  }
  const std::string near = didYouMean(name, names);
  throw py::value_error("kind: expected one of " + list + ", found '" + name + "'" + (near.empty() ? "" : "; " + near));
}

py::dict describe(const ComponentInfo& info) {
  py::dict entry;
  entry["kind"] = std::string(kindName(info.kind));
  entry["name"] = info.name;
  entry["aliases"] = info.aliases;
  entry["summary"] = info.summary;
  entry["documentation"] = info.documentation;
  entry["settings"] = toPython(info.schema);
  entry["attributes"] = toPython(info.attributes);
  entry["library"] = info.library;
  entry["package"] = info.package;
  entry["version"] = info.version;
  entry["origin"] = info.origin;
  return entry;
}

}  // namespace

void bindPlugins(py::module_& m) {
  define(
      m, "components",
      [](py::handle kind) {
        const EnvironmentPtr own = environment();
        py::list list;
        for (const ComponentInfo& info : own->registry.components())
          if (kind.is_none() || info.kind == kindFrom(textFrom(kind, "kind"))) list.append(describe(info));
        return list;
      },
      py::arg("kind") = py::none(),
      "components(kind: str | None = None) -> list[dict[str, Any]]\n\nWhat plugins offer: kind ('physics', "
      "'controller', 'sensor', 'planner', 'format', 'stage', 'estimator', 'recorder'), name, aliases, summary, "
      "documentation, settings (list of {name, type, default, summary, unit, min, max, choices, ...}), library, "
      "package, version, origin. Opens no library.");
  define(
      m, "component",
      [](const std::string& kind, const std::string& name) {
        return describe(environment()->registry.require(kindFrom(kind), name));
      },
      py::arg("kind"), py::arg("name"),
      "component(kind, name) -> dict[str, Any]\n\nOne of `components`, by name or alias. Raises Error with the nearest "
      "name.");
  define(
      m, "plugin_problems",
      [] {
        py::list list;
        for (const Diagnostic& problem : environment()->registry.problems().all()) list.append(problem.format());
        return list;
      },
      "plugin_problems() -> list[str]\n\nWhat is wrong with plugins that were found.");
  define(
      m, "add_plugin", [](py::handle path) { addPluginFile(existing(path, "path", false)); }, py::arg("path"),
      "add_plugin(path: PathLike)\n\nA plugin's library, used before all that are found elsewhere.");
  define(
      m, "add_plugin_folder", [](py::handle path) { addPluginFolder(existing(path, "path", true)); }, py::arg("path"),
      "add_plugin_folder(path: PathLike)\n\nA folder of plugins, used before those that are found elsewhere.");
  define(
      m, "add_resource_folder", [](py::handle path) { addResourceFolder(existing(path, "path", true)); },
      py::arg("path"),
      "add_resource_folder(path: PathLike)\n\nA folder in which files are looked for that other files refer to.");
  define(
      m, "add_package",
      [](const std::string& name, py::handle folder) { addPackage(name, existing(folder, "folder", true)); },
      py::arg("name"), py::arg("folder"), "add_package(name, folder: PathLike)\n\nWhere package://NAME/... is.");
}

}  // namespace mortise::python
