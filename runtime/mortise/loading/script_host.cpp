#include "mortise/loading/script_host.h"

#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/plugin/discovery.h"
#include "mortise/settings/permissions.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

namespace fs = std::filesystem;

constexpr const char* kHost = "mortise_python_host.so";
constexpr const char* kRunIt = "read the file; a run, such as `mortise sim`, runs it";

const Library& openByHost(const std::string& path) {
  std::string places;
  for (const std::string& folder : installFolders()) {
    const fs::path host = fs::path(folder) / kHost;
    places += (places.empty() ? "" : ", ") + folder;
    std::error_code code;
    if (!fs::exists(host, code)) continue;
    const MortisePluginManifest& manifest = Library::open(host.string()).manifest();
    if (manifest.size < sizeof(ScriptHostManifest))
      throw Error("'" + host.string() + "' is no host of plugins written in Python");
    return reinterpret_cast<const ScriptHostManifest&>(manifest).open(path);
  }
  throw Error(
      "plugin '" + path + "' is written in Python, and " + kHost + ", which runs such plugins, is not installed", {},
      "looked in " + places + "; Debian's package is mortise-plugin-python-host");
}

/// File and name of "damper.py:acme.Damper".
std::pair<std::string, std::string> parts(std::string_view type) {
  const auto colon = type.rfind(".py:");
  if (colon == std::string_view::npos) return {std::string(type), {}};
  return {std::string(type.substr(0, colon + 3)), std::string(type.substr(colon + 4))};
}

/// Which of the components of one kind that a file offers is meant.
std::string chosenName(Kind kind, const std::string& type, const std::vector<std::string>& names,
                       const SourcePosition& where) {
  const auto [file, name] = parts(type);
  const std::string what = std::string(kindName(kind));
  if (names.empty()) throw Error("'" + file + "' offers no " + what, where);
  if (name.empty() && names.size() > 1)
    throw Error("'" + file + "' offers several components of kind " + what + ": " + nameList(names), where,
                "write " + file + ":" + names.front());
  const auto last = [&](const std::string& full) { return full.substr(full.rfind('.') + 1); };
  std::string found;
  for (const std::string& candidate : names)
    if (name.empty() || candidate == name || last(candidate) == name) found = candidate;
  if (found.empty())
    throw Error("'" + file + "' offers no " + what + " '" + name + "'; " + listNames(names), where,
                didYouMean(name, names));
  return found;
}

std::string findFile(const std::string& file, const std::string& referringFile, const SourcePosition& where) {
  std::vector<fs::path> candidates;
  if (fs::path(file).is_relative() && !referringFile.empty())
    candidates.push_back(fs::path(referringFile).parent_path() / file);
  candidates.push_back(file);
  std::string tried;
  for (const fs::path& candidate : candidates) {
    std::error_code code;
    if (fs::is_regular_file(candidate, code)) return fs::absolute(candidate).lexically_normal().string();
    tried += (tried.empty() ? "'" : ", '") + fs::absolute(candidate).lexically_normal().string() + "'";
  }
  throw Error("there is no file '" + file + "'", where, "looked for " + tried);
}

/// Components of one kind that the registry knows of a file.
std::vector<std::string> namesIn(const Registry& registry, Kind kind, const std::string& path) {
  std::vector<std::string> names;
  for (const std::string& name : registry.namesOf(kind)) {
    std::error_code code;
    if (fs::equivalent(registry.find(kind, name)->library, path, code)) names.push_back(name);
  }
  return names;
}

/// Throws `Error` for a file whose components are not known.
void requireOpened(const Registry& registry, const std::string& file, const std::string& path,
                   const SourcePosition& where) {
  for (const Registry::LibraryInfo& library : registry.libraries()) {
    std::error_code code;
    if (!fs::equivalent(library.path, path, code)) continue;
    if (!library.unusable.empty()) throw Error("'" + file + "' cannot be used: " + library.unusable, where);
    if (library.described) return;
  }
  throw Error("'" + file +
                  "' was not opened, because a check runs no Python that a file names: what it offers is not "
                  "known",
              where, "if you trust it, `--plugin " + path + "` opens it for the check; a run opens it, too");
}

}  // namespace

void enableScripts() { Library::setScriptOpener(&openByHost); }

bool namesScript(std::string_view type) { return Library::isScript(parts(type).first); }

std::string scriptComponent(Registry& registry, Kind kind, const std::string& type, const std::string& referringFile,
                            const SourcePosition& where) {
  if (!namesScript(type)) return type;
  if (!permissionsOf(where.origin).runs)
    throw Error("'" + type + "' is not run: " + std::string(originName(where.origin)) +
                    " names it, and a check runs no Python that a file names",
                where, kRunIt);
  const std::string path = findFile(parts(type).first, referringFile, where);
  std::vector<std::string> names;
  try {
    for (const ComponentDeclaration& declaration : Library::open(path).components())
      if (declaration.kind == kind) names.push_back(declaration.name);
  } catch (const Error& error) {
    throw Error(error.message(), error.where().known() ? error.where() : where, error.hint());
  }
  const std::string found = chosenName(kind, type, names, where);
  const ComponentInfo* known = registry.find(kind, found);
  std::error_code code;
  if (known != nullptr && fs::equivalent(known->library, path, code)) return found;
  registry.addFile(path, "file");
  registry.discover();
  return found;
}

std::string scriptFile(std::string_view type) { return parts(type).first; }

std::string discoveredScript(const Registry& registry, Kind kind, const std::string& type,
                             const std::string& referringFile, const SourcePosition& where) {
  if (!namesScript(type)) return type;
  const std::string path = findFile(scriptFile(type), referringFile, where);
  std::vector<std::string> names = namesIn(registry, kind, path);
  if (names.empty() && !Library::isKeptClosed(path)) {
    (void)registry.find(kind, type);  // A name that is found nowhere opens what has no description.
    names = namesIn(registry, kind, path);
  }
  if (names.empty()) requireOpened(registry, scriptFile(type), path, where);
  return chosenName(kind, type, names, where);
}

void noteClosedScript(Kind kind, const std::string& type, const std::string& referringFile, const SourcePosition& where,
                      Diagnostics& diagnostics) {
  try {
    (void)findFile(scriptFile(type), referringFile, where);
  } catch (const Error& error) {
    diagnostics.warning(std::string(kindName(kind)) + " '" + type + "': " + error.message(), where, error.hint());
    return;
  }
  diagnostics.note("'" + scriptFile(type) +
                       "' was not opened, because a check runs no Python that a file names: whether it offers this " +
                       std::string(kindName(kind)) + " is not known",
                   where, "read the file; a run, such as `mortise sim`, opens it");
}

}  // namespace mortise
