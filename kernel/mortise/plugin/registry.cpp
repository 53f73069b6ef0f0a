#include "mortise/plugin/registry.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <list>
#include <map>
#include <mutex>
#include <numeric>
#include <type_traits>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/base/position.h"
#include "mortise/plugin/abi.h"
#include "mortise/plugin/declaration_check.h"
#include "mortise/plugin/discovery.h"
#include "mortise/plugin/library.h"
#include "mortise/plugin/role_search.h"
#include "mortise/plugin/side_car.h"
#include "mortise/plugin/side_car_bytes.h"
#include "mortise/text/article.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

constexpr const char* kBuiltIn = "built-in";

using Key = std::pair<Kind, std::string>;

static_assert(std::is_nothrow_move_constructible_v<ComponentInfo>, "growing lists of components would copy them");

struct Place {
  std::string path;
  std::string origin;
  bool folder = false;
  bool examined = false;
};

struct BuiltIn {
  const MortisePluginManifest* manifest;
  std::vector<ComponentDeclaration> declarations;
};

/// Result of a search over all places. Kept until the registry dies, because callers hold pointers into it.
struct Table {
  std::vector<ComponentInfo> components;
  std::vector<UnreadComponent> unread;  ///< By component. Only in the table in use, and before it is handed out.
  std::vector<ShadowedComponent> shadowed;
  std::vector<Registry::LibraryInfo> libraries;
  std::map<Key, std::vector<std::string>> duplicates;          ///< Libraries of one place that offer the same name.
  std::map<Key, std::pair<std::string, std::string>> refused;  ///< Library and reason, for names that cannot be used.
};

std::string inQuotes(const std::string& text) { return "'" + text + "'"; }

void sortComponents(Table& table) {
  std::vector<std::size_t> order(table.components.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const ComponentInfo &a = table.components[i], &b = table.components[j];
    return a.kind != b.kind ? a.kind < b.kind : a.name < b.name;
  });
  std::vector<ComponentInfo> components;
  std::vector<UnreadComponent> unread;
  components.reserve(order.size());
  unread.reserve(order.size());
  for (const std::size_t i : order) {
    components.push_back(std::move(table.components[i]));
    unread.push_back(std::move(table.unread[i]));
  }
  table.components = std::move(components);
  table.unread = std::move(unread);
}

}  // namespace

struct Registry::State {
  LogSink& log;
  std::vector<Place> files, folders;
  std::map<int, std::vector<FoundLibrary>> found;  ///< By place: files count up from 0, folders from kFirstFolder.
  std::vector<BuiltIn> builtIns;
  Diagnostics findings;  ///< Messages from examining places and opening libraries.
  Diagnostics problems;  ///< `findings` and what the table came to.
  std::list<Table> tables = {Table()};
  std::vector<std::string> searched;
  std::vector<std::string> loaded;
  std::mutex completing;

  static constexpr int kFirstFolder = 1 << 20;

  explicit State(LogSink& sink) : log(sink) {}
  const Table& table() const { return tables.back(); }
  void complete(std::size_t component);
  void complete(const ComponentInfo& info) { complete(static_cast<std::size_t>(&info - table().components.data())); }
  void completeAll();

  void examine(bool openNamedFiles);
  void rebuild();
  void giveBack();
  void list(Table& table, std::map<Key, std::pair<std::size_t, int>>& taken, FoundLibrary& library, int place,
            Registry::LibraryInfo& info);
  void enter(Table& table, std::map<Key, std::pair<std::size_t, int>>& taken, ComponentInfo info,
             UnreadComponent unread, int place);
  bool describeRemaining();
  void noteLoaded(const std::string& path) {
    if (std::find(loaded.begin(), loaded.end(), path) == loaded.end()) loaded.push_back(path);
  }
  const ComponentInfo* lookup(Kind kind, std::string_view name) const;
  const ComponentInfo* byLastPart(Kind kind, std::string_view name) const;
};

void Registry::State::examine(bool openNamedFiles) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    Place& place = files[i];
    if (place.examined) continue;
    place.examined = true;
    const int index = static_cast<int>(i);
    try {
      FoundLibrary library = examineLibrary(place.path, place.origin, index, true, findings);
      if (!library.described && openNamedFiles) {
        // The person named this very file, so look into it at once.
        describeInProcess(library, findings);
        if (library.unusable.empty()) noteLoaded(library.path);
      }
      found[index].push_back(std::move(library));
    } catch (const Error& error) {
      findings.error(error.message(), inFile(place.origin), error.hint());
    }
  }
  for (std::size_t i = 0; i < folders.size(); ++i) {
    Place& place = folders[i];
    if (place.examined) continue;
    place.examined = true;
    const int index = kFirstFolder + static_cast<int>(i);
    found[index] = examineFolder(place.path, place.origin, index, findings);
  }
  searched.clear();
  for (const auto& place : files) searched.push_back(place.path + " (" + place.origin + ")");
  for (const auto& place : folders) searched.push_back(place.path + " (" + place.origin + ")");
}

void Registry::State::enter(Table& table, std::map<Key, std::pair<std::size_t, int>>& taken, ComponentInfo info,
                            UnreadComponent unread, int place) {
  const Key key(info.kind, info.name);
  info.place = place;
  const auto [at, isNew] = taken.try_emplace(key, table.components.size(), place);
  if (isNew) {
    table.components.push_back(std::move(info));
    table.unread.push_back(std::move(unread));
    return;
  }
  readUnread(unread, info);
  const ComponentInfo& used = table.components[at->second.first];
  const std::string what = std::string(kindName(info.kind)) + " " + inQuotes(info.name);
  if (at->second.second == place) {
    auto& libraries = table.duplicates[key];
    if (libraries.empty()) libraries.push_back(used.library);
    libraries.push_back(info.library);
    problems.warning(what + " is offered by two libraries of the same folder: " + inQuotes(used.library) + " and " +
                         inQuotes(info.library),
                     {}, "remove one of them, or choose with --plugin FILE");
  } else {
    problems.note(what + " of " + inQuotes(info.library) + " (" + info.origin + ") is hidden by " +
                  inQuotes(used.library) + " (" + used.origin + ")");
  }
  table.shadowed.push_back({std::move(info), used.library, at->second.second == place});
}

/// Gives libraries copies of the components that the table in use took over: callers hold pointers into it.
void Registry::State::giveBack() {
  completeAll();
  for (auto& [place, libraries] : found) {
    for (auto& library : libraries) {
      if (!std::exchange(library.listed, false)) continue;
      for (const auto& info : table().components)
        if (info.library == library.path) library.components.push_back(info);
      for (const auto& shadowed : table().shadowed)
        if (shadowed.hidden.library == library.path) library.components.push_back(shadowed.hidden);
    }
  }
}

/// Enters a library's components into `table`, and why some cannot be used into `info`.
void Registry::State::list(Table& table, std::map<Key, std::pair<std::size_t, int>>& taken, FoundLibrary& library,
                           int place, Registry::LibraryInfo& info) {
  std::vector<ComponentInfo> refused;
  library.unread.resize(library.components.size());
  for (std::size_t i = 0; i < library.components.size(); ++i) {
    ComponentInfo& component = library.components[i];
    component.library = library.path;
    component.origin = library.origin;
    std::string reason = library.unusable;
    if (reason.empty()) {
      reason = compareInterfaces(component.kind, interfaceVersion(component.kind), component.interface);
      if (!reason.empty()) {
        const std::string message =
            std::string(kindName(component.kind)) + " " + inQuotes(component.name) + " cannot be used; " + reason;
        if (library.explicitly)
          problems.error(message, inFile(library.shownAs));
        else
          problems.warning(message, inFile(library.shownAs));
        info.unusable += (info.unusable.empty() ? "" : "; ") + message;
      }
    }
    if (reason.empty()) {
      enter(table, taken, std::move(component), std::move(library.unread[i]), place);
      continue;
    }
    readUnread(library.unread[i], component);
    table.refused.try_emplace(Key(component.kind, component.name), component.library, reason);
    refused.push_back(std::move(component));
  }
  library.components = std::move(refused);
  library.unread.clear();
  library.listed = true;
}

void Registry::State::rebuild() {
  giveBack();
  problems = findings;
  Table table;
  std::map<Key, std::pair<std::size_t, int>> taken;  // Index in table.components and place.
  std::map<std::string, std::size_t> seen;           // Index in table.libraries.
  for (auto& [place, libraries] : found) {
    for (auto& library : libraries) {
      const auto [known, isNew] = seen.try_emplace(library.path, table.libraries.size());
      if (!isNew) {
        if (library.shownAs != library.path) table.libraries[known->second].links.push_back(library.shownAs);
        continue;
      }
      Registry::LibraryInfo info{library.path,      library.shownAs,  library.origin,    library.sideCar,
                                 library.staleness, library.unusable, library.described, {}};
      if (library.shownAs != library.path) info.links.push_back(library.shownAs);
      list(table, taken, library, place, info);
      table.libraries.push_back(std::move(info));
    }
  }
  for (std::size_t i = 0; i < builtIns.size(); ++i) {
    for (const auto& declaration : builtIns[i].declarations) {
      ComponentInfo info = componentInfo(declaration, *builtIns[i].manifest);
      info.library = kBuiltIn;
      info.origin = kBuiltIn;
      enter(table, taken, std::move(info), {}, 2 * kFirstFolder);
    }
  }
  sortComponents(table);
  noteRoles(table.components, problems);
  tables.push_back(std::move(table));
}

/// Reads what is left to read of a component, before it is handed out.
void Registry::State::complete(std::size_t component) {
  const std::lock_guard guard(completing);
  readUnread(tables.back().unread[component], tables.back().components[component]);
}

void Registry::State::completeAll() {
  for (std::size_t i = 0; i < table().components.size(); ++i) complete(i);
}

bool Registry::State::describeRemaining() {
  bool changed = false;
  for (auto& [place, libraries] : found) {
    for (auto& library : libraries) {
      if (library.described) continue;
      log.write(LogLevel::debug, "plugins", "opening " + library.path + ", which has no usable side-car");
      describeInProcess(library, findings);
      if (library.unusable.empty()) noteLoaded(library.path);
      changed = true;
    }
  }
  if (changed) rebuild();
  return changed;
}

/// The component of this kind whose name ends in "." and `name`; nullptr when there is none. Throws `Error` when other
/// names, or last parts of them, differ from `name` in upper and lower case only.
const ComponentInfo* Registry::State::byLastPart(Kind kind, std::string_view name) const {
  const ComponentInfo* found = nullptr;
  std::vector<std::string> alike;
  for (const auto& info : table().components) {
    if (info.kind != kind) continue;
    const std::string last = info.name.substr(info.name.rfind('.') + 1);
    if (last == name) found = &info;
    bool same = lowerCase(last) == lowerCase(name);
    for (const std::string& alias : info.aliases) same = same || lowerCase(alias) == lowerCase(name);
    if (same) alike.push_back(info.name);
  }
  if (found != nullptr && alike.size() > 1)
    throw Error(inQuotes(std::string(name)) + " is ambiguous: " + nameList(alike), {},
                "write the full name of the one that you mean");
  return found;
}

const ComponentInfo* Registry::State::lookup(Kind kind, std::string_view name) const {
  const ComponentInfo* found = nullptr;
  for (const auto& info : table().components)
    if (info.kind == kind && info.name == name) found = &info;
  if (found != nullptr) {
    const auto duplicate = table().duplicates.find(Key(kind, std::string(name)));
    if (duplicate == table().duplicates.end()) return found;
    throw Error(std::string(kindName(kind)) + " " + inQuotes(std::string(name)) +
                    " is offered by several libraries of the same folder: " + nameList(duplicate->second),
                {}, "remove all but one, or choose with --plugin FILE");
  }
  std::vector<std::string> claimants;
  for (const auto& info : table().components) {
    if (info.kind != kind || std::find(info.aliases.begin(), info.aliases.end(), name) == info.aliases.end()) continue;
    found = &info;
    claimants.push_back(info.name);
  }
  if (claimants.empty()) return byLastPart(kind, name);
  if (claimants.size() > 1)
    throw Error(inQuotes(std::string(name)) + " is another name of several components of kind " +
                    std::string(kindName(kind)) + ": " + nameList(claimants),
                {}, "write the full name of the one that you mean");
  return found;
}

Registry::Registry(LogSink& log) : state_(std::make_unique<State>(log)) {}
Registry::~Registry() = default;

void Registry::addFile(const std::string& library, std::string origin) {
  state_->files.push_back({library, std::move(origin)});
}

void Registry::addFolder(const std::string& folder, std::string origin) {
  state_->folders.push_back({folder, std::move(origin), true});
}

void Registry::addBuiltIn(const MortisePluginManifest& manifest) {
  for (const auto& builtIn : state_->builtIns)
    if (builtIn.manifest == &manifest) return;
  const auto& accepted = acceptManifest(&manifest, sizeof(MortisePluginManifest), "a built-in plugin");
  state_->builtIns.push_back(
      {&accepted, describeComponents(accepted, "built-in plugin " + inQuotes(accepted.package))});
}

void Registry::addStandardFolders() {
  namespace fs = std::filesystem;
  if (const char* list = std::getenv("MORTISE_PLUGIN_PATH")) {
    std::string_view rest = list;
    while (!rest.empty()) {
      const auto end = std::min(rest.find(':'), rest.size());
      if (end > 0) addFolder(std::string(rest.substr(0, end)), "MORTISE_PLUGIN_PATH");
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::error_code ec;
  if (const std::string user = userFolder(); !user.empty() && fs::is_directory(user, ec)) addFolder(user, "user");
  for (const auto& folder : installFolders()) addFolder(folder, "install");
}

void Registry::discover(bool openNamedFiles) {
  state_->examine(openNamedFiles);
  state_->rebuild();
}

const Diagnostics& Registry::problems() const { return state_->problems; }
const std::vector<ComponentInfo>& Registry::components() const {
  state_->completeAll();
  return state_->table().components;
}
const std::vector<ShadowedComponent>& Registry::shadowed() const { return state_->table().shadowed; }
const std::vector<Registry::LibraryInfo>& Registry::libraries() const { return state_->table().libraries; }
const std::vector<std::string>& Registry::placesSearched() const { return state_->searched; }
std::vector<std::string> Registry::loadedLibraries() const { return state_->loaded; }
void Registry::describeRemaining() const { state_->describeRemaining(); }

std::vector<std::string> Registry::namesOf(Kind kind) const {
  std::vector<std::string> names;
  for (const auto& info : state_->table().components)
    if (info.kind == kind) names.push_back(info.name);
  return names;
}

std::string Registry::refusalOf(Kind kind, std::string_view name) const {
  const auto& refused = state_->table().refused;
  const auto at = refused.find(Key(kind, std::string(name)));
  if (at == refused.end()) return {};
  return std::string(kindName(kind)) + " " + inQuotes(at->first.second) + " is in '" + at->second.first +
         "', but cannot be used: " + at->second.second;
}

const ComponentInfo* Registry::findRole(std::string_view role) const {
  const ComponentInfo* found = roleHolder(state_->table().components, role);
  if (found == nullptr && state_->describeRemaining()) found = roleHolder(state_->table().components, role);
  if (found != nullptr) state_->complete(*found);
  return found;
}

const ComponentInfo* Registry::find(Kind kind, std::string_view name) const {
  const ComponentInfo* found = state_->lookup(kind, name);
  if (found == nullptr && state_->describeRemaining()) found = state_->lookup(kind, name);
  if (found != nullptr) state_->complete(*found);
  return found;
}

const ComponentInfo& Registry::require(Kind kind, std::string_view name, const SourcePosition& where) const {
  try {
    if (const ComponentInfo* found = find(kind, name)) return *found;
  } catch (const Error& error) {
    throw Error(error.message(), where, error.hint());
  }
  const std::string wanted = inQuotes(std::string(name));
  const std::string kindText(kindName(kind));
  if (const std::string refusal = refusalOf(kind, name); !refusal.empty())
    throw Error(refusal, where, "`mortise plugins doctor` examines every plugin");

  std::string message = "there is no " + kindText + " named " + wanted;
  const auto& places = placesSearched();
  message += "\n  looked in: " + (places.empty() ? std::string("no folder at all") : nameList(places));
  std::vector<std::string> names;
  for (const auto& info : components())
    if (info.kind == kind) names.push_back(writtenName(info));
  std::sort(names.begin(), names.end());
  message += "\n  " + (names.empty() ? std::string("available: none") : listNames(names));

  std::vector<std::string> candidates;
  std::vector<std::string> otherKinds;
  for (const auto& info : components()) {
    const bool same =
        info.name == name || std::find(info.aliases.begin(), info.aliases.end(), name) != info.aliases.end();
    if (info.kind != kind && same) otherKinds.push_back(std::string(kindName(info.kind)));
    if (info.kind != kind) continue;
    candidates.push_back(info.name);
    candidates.insert(candidates.end(), info.aliases.begin(), info.aliases.end());
  }
  for (const auto& library : libraries())
    if (!library.unusable.empty()) message += "\n  not used: " + library.path + ": " + library.unusable;
  std::string hint = didYouMean(name, candidates);
  if (hint.empty() && !otherKinds.empty()) hint = wanted + " exists as " + withArticle(nameList(otherKinds));
  if (hint.empty())
    hint = "`mortise plugins list` shows what is installed; --plugin FILE or MORTISE_PLUGIN_PATH adds to it";
  throw Error(message, where, hint);
}

Value Registry::completeSettings(const ComponentInfo& info, const Value& settings, Diagnostics& diagnostics) const {
  return info.schema.complete(settings, std::string(kindName(info.kind)) + " " + info.name, diagnostics);
}

Registry::Instance Registry::createInstance(const ComponentInfo& info, Kind kind, const Value& settings, Host& host) {
  const std::string what = std::string(kindName(info.kind)) + " " + inQuotes(info.name);
  if (info.kind != kind) throw Error(what + " is not " + withArticle(kindName(kind)));

  ComponentDeclaration declaration;
  if (info.library == kBuiltIn) {
    const ComponentDeclaration* found = nullptr;
    for (const auto& builtIn : state_->builtIns)
      for (const auto& candidate : builtIn.declarations)
        if (found == nullptr && candidate.kind == kind && candidate.name == info.name) found = &candidate;
    if (found == nullptr) throw Error(what + " is not built into this program");
    declaration = *found;
  } else {
    const Library& library = Library::open(info.library);
    state_->noteLoaded(library.path());
    const ComponentDeclaration* found = library.find(kind, info.name);
    if (found == nullptr)
      throw Error("plugin library '" + library.path() + "' does not offer " + what + ", although its side-car says so",
                  {}, "run: mortise plugins describe '" + library.path() + "' --write");
    declaration = *found;
    if (const std::string edited = descriptionDifferences(info, componentInfo(*found, library.manifest()));
        !edited.empty())
      throw Error("the side-car of '" + library.path() + "' describes " + what + " otherwise than the library does (" +
                      edited + ")",
                  {}, "run: mortise plugins describe '" + library.path() + "' --write");
    const std::string differences = compareInterfaces(kind, interfaceVersion(kind), declaration.interface);
    if (!differences.empty()) throw Error(what + " of '" + library.path() + "' cannot be used; " + differences);
  }

  // Exceptions of the plugin's own types are turned into text here; ours may carry a position worth keeping.
  Instance instance{nullptr, declaration.destroy};
  std::string problem;
  try {
    instance.component = declaration.create(ComponentContext{settings, host});
  } catch (const DiagnosticsError&) {
    throw;
  } catch (const Error& error) {
    throw Error(what + " cannot be created: " + error.message(), error.where(), error.hint());
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& e) {
    problem = e.what();
  } catch (...) {
    problem = "its constructor threw something that is not a std::exception";
  }
  if (instance.component == nullptr) {
    if (problem.empty()) problem = "its constructor returned nothing";
    throw Error(what + " of '" + info.library + "' cannot be created: " + problem, settings.position());
  }
  return instance;
}

}  // namespace mortise
