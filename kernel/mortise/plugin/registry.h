#pragma once

/// Finds plugins, knows every component by name without loading anything, loads a library when one of its components is
/// first created, and never unloads it.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/log.h"
#include "mortise/base/schema.h"
#include "mortise/component/component_ptr.h"
#include "mortise/component/host.h"
#include "mortise/component/kind.h"
#include "mortise/plugin/manifest.h"

namespace mortise {

class Physics;
class Controller;
class Sensor;
class FileFormat;
class Stage;
class Estimator;
class Planner;
class Recorder;
class Hardware;
class Metric;

/// A component as listed: from the side-car manifest, without loading its library.
struct ComponentInfo {
  Kind kind = Kind::controller;
  std::string name;
  std::vector<std::string> aliases;
  std::string summary;
  std::string documentation;
  Schema schema;
  Value attributes;
  InterfaceVersion interface;
  std::string library;  ///< Absolute path; "built-in" for components linked into the program.
  std::string package;
  std::string version;
  /// Rule that found it: "--plugin", "pipeline", "--plugin-path", "MORTISE_PLUGIN_PATH", "user", "install",
  /// "built-in".
  std::string origin;
  int place = 0;  ///< In the search order; what is found in one folder shares it.
};

/// The component's roles (`role.h`).
std::vector<std::string> rolesOf(const ComponentInfo& info);
bool hasRole(const ComponentInfo& info, std::string_view role);
/// Returns the name that people write: without the package where that will do, else the first alias.
std::string writtenName(const ComponentInfo& info);
/// The name that it goes by in runs that chose it for this role.
std::string nameInRole(const ComponentInfo& info, std::string_view role);

/// A component of an earlier place in the search order hides one of a later place.
struct ShadowedComponent {
  ComponentInfo hidden;
  std::string by;          ///< Library of the one in use.
  bool duplicate = false;  ///< Both lie in the same place, so nothing but a file name decides between them.
};

class Registry {
 public:
  explicit Registry(LogSink& log);
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Search order: files, then folders, in the order of the calls; built-ins last. `origin` is what listings show.
  void addFile(const std::string& library, std::string origin = "--plugin");
  void addFolder(const std::string& folder, std::string origin);
  /// Adding the same one again changes nothing.
  void addBuiltIn(const MortisePluginManifest& manifest);
  /// MORTISE_PLUGIN_PATH, the user's folder, and `lib/mortise/plugins` beside the running program or library.
  void addStandardFolders();

  /// Reads the side-cars of everything added since the last call. Opens no library that has a fresh side-car. What is
  /// wrong (unreadable, stale, missing side-car, duplicate name, shadowed component) goes to `problems()`.
  /// `openNamedFiles`: a library added as a file that has no usable side-car is opened at once; without this it stays
  /// undescribed until a name is found nowhere else.
  void discover(bool openNamedFiles = true);
  const Diagnostics& problems() const;

  const std::vector<ComponentInfo>& components() const;  ///< Sorted by kind, then name.
  const std::vector<ShadowedComponent>& shadowed() const;
  const std::vector<std::string>& placesSearched() const;
  std::vector<std::string> namesOf(Kind kind) const;
  /// Why a component of this name was found but cannot be used (its ABI or interface differs); empty when there is none
  /// such.
  std::string refusalOf(Kind kind, std::string_view name) const;

  /// By name or alias, exact; names come before aliases. nullptr when there is none. When the name is unknown,
  /// libraries without a usable side-car are opened and asked. What this returned stays valid as long as the registry.
  /// Throws `Error` only when several components claim the name.
  const ComponentInfo* find(Kind kind, std::string_view name) const;
  /// Throws `Error` that names where it was looked for, what is available and the nearest name; or, when an alias is
  /// claimed by several components, the candidates. `where`: who asked.
  const ComponentInfo& require(Kind kind, std::string_view name, const SourcePosition& where = {}) const;

  /// The component that the program uses for a role: of the first place in the search order that has one with it.
  /// nullptr when there is none. Throws `Error` when several of one place have it.
  const ComponentInfo* findRole(std::string_view role) const;
  /// Throws `Error` that says where it was looked for when no component has the role.
  const ComponentInfo& requireRole(std::string_view role, const SourcePosition& where = {}) const;

  /// Checks settings against the component's schema; problems go to `diagnostics`.
  Value completeSettings(const ComponentInfo& info, const Value& settings, Diagnostics& diagnostics) const;

  /// Loads the library if needed and creates a component. `settings` must be complete. Throws `Error` when the library
  /// cannot be used (with the loader's own words) or the constructor throws.
  template <typename T>
  ComponentPtr<T> create(const ComponentInfo& info, const Value& completeSettings, Host& host) {
    Instance instance = createInstance(info, kindOf<T>(), completeSettings, host);
    return ComponentPtr<T>(static_cast<T*>(instance.component), {instance.destroy});
  }

  /// Opens and describes the libraries that have no usable side-car, once. `find` and `require` do so when a name is
  /// found nowhere else.
  void describeRemaining() const;

  /// Every library found, usable or not, in search order; each once, whatever number of links lead to it.
  struct LibraryInfo {
    std::string path;     ///< Absolute, symbolic links resolved.
    std::string shownAs;  ///< Path that was found.
    std::string origin;
    std::string sideCar;    ///< Empty when there is none.
    std::string staleness;  ///< Why the side-car cannot be used; empty when it can.
    std::string unusable;   ///< Why the library, or some of its components, cannot be used; empty when all can.
    bool described;         ///< Its components are known.
    std::vector<std::string> links;  ///< Symbolic links through which it was found as well.
  };
  const std::vector<LibraryInfo>& libraries() const;

  /// Absolute paths of the libraries opened so far.
  std::vector<std::string> loadedLibraries() const;

 private:
  struct Instance {
    void* component;
    void (*destroy)(void*);
  };
  template <typename T>
  static constexpr Kind kindOf() {
    if constexpr (std::is_same_v<T, Physics>) return Kind::physics;
    if constexpr (std::is_same_v<T, Controller>) return Kind::controller;
    if constexpr (std::is_same_v<T, Sensor>) return Kind::sensor;
    if constexpr (std::is_same_v<T, FileFormat>) return Kind::format;
    if constexpr (std::is_same_v<T, Stage>) return Kind::stage;
    if constexpr (std::is_same_v<T, Planner>) return Kind::planner;
    if constexpr (std::is_same_v<T, Estimator>) return Kind::estimator;
    if constexpr (std::is_same_v<T, Recorder>) return Kind::recorder;
    if constexpr (std::is_same_v<T, Hardware>) return Kind::hardware;
    if constexpr (std::is_same_v<T, Metric>) return Kind::metric;
  }
  Instance createInstance(const ComponentInfo& info, Kind kind, const Value& settings, Host& host);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mortise
