#include "mortise/loading/planning_problem_files.h"

#include <algorithm>
#include <filesystem>

#include "mortise/base/error.h"

namespace mortise {

namespace {

bool readsPlanningProblems(const ComponentInfo& info) {
  const Value* contents = info.kind == Kind::format ? info.attributes.find("reads") : nullptr;
  if (contents == nullptr) return false;
  const std::vector<std::string> names = contents->asStrings();
  return std::find(names.begin(), names.end(), contentName(FileContent::planningProblem)) != names.end();
}

/// The format whose settings name the files.
const ComponentInfo& formatOfSettings(const Value& settings, const Registry& registry) {
  const ComponentInfo* first = nullptr;
  for (const ComponentInfo& info : registry.components()) {
    if (!readsPlanningProblems(info)) continue;
    if (first == nullptr) first = &info;
    const auto known = [&](const Value::Entry& entry) { return info.schema.find(entry.key) != nullptr; };
    if (std::all_of(settings.entries().begin(), settings.entries().end(), known)) return info;
  }
  if (first == nullptr)
    throw Error("no plugin that reads a planning problem is installed", {}, "see `mortise plugins list`");
  return *first;
}

std::string besidesFile(const std::string& folder, const std::string& file) {
  return std::filesystem::path(folder).is_absolute() ? folder
                                                     : (std::filesystem::path(file).parent_path() / folder).string();
}

}  // namespace

const ComponentInfo* planningProblemFormat(std::string_view name, const Registry& registry) {
  const ComponentInfo* info = registry.find(Kind::format, name);
  return info != nullptr && readsPlanningProblems(*info) ? info : nullptr;
}

PlanningProblems loadPlanningProblems(const PlanningProblemFiles& files, Registry& registry, FormatLoader& loader,
                                      Diagnostics& diagnostics) {
  const std::string path = files.path.empty() ? std::string() : loader.find(files.path, files.referringFile);
  registry.describeRemaining();
  const ComponentInfo& format = !files.format.empty() ? registry.require(Kind::format, files.format)
                                : !path.empty()
                                    ? loader.formatOf(path, FileContent::planningProblem, files.referringFile)
                                    : formatOfSettings(files.settings, registry);
  // Errors that the caller has found so far are none of these files.
  Diagnostics own;
  own.setStrict(diagnostics.strict());
  const auto passWarnings = [&] {
    for (const Diagnostic& each : own.all())
      if (each.severity != Severity::error) diagnostics.add(each);
  };
  try {
    Resource problems = loader.loadWith(format, files.settings, FileContent::planningProblem, path, own);
    own.throwIfErrors("the planning problems cannot be used");
    passWarnings();
    return std::get<PlanningProblems>(std::move(problems));
  } catch (const Error&) {
    passWarnings();
    throw;
  }
}

PlanningProblems loadPlanningProblems(const std::string& format, const Value& setting, const std::string& referringFile,
                                      Registry& registry, LogSink& log, ResourcePath paths, Diagnostics& diagnostics) {
  PlanningProblemFiles files{format, {}, referringFile, Value::map()};
  if (setting.isMap()) {
    files.settings = setting;
    if (const Value* folder = setting.find("folder")) files.path = folder->asString();
    if (const Value* packages = setting.find("packages")) {
      if (!packages->isMap())
        throw Error("'packages' must be folders by name", packages->position(), "write packages: {NAME: FOLDER}");
      for (const Value::Entry& entry : packages->entries())
        paths.addPackage(entry.key, besidesFile(entry.value.asString(), referringFile));
    }
    for (const char* own : {"folder", "packages"}) files.settings.erase(own);
  } else {
    files.path = setting.asString();
  }
  FormatLoader loader(registry, log, std::move(paths));
  return loadPlanningProblems(files, registry, loader, diagnostics);
}

}  // namespace mortise
