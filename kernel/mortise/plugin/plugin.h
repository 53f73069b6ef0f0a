#pragma once

/// Header that a plugin's author includes:
///
///   #include "mortise/plugin/plugin.h"
///   #include "mortise/settings/settings.h"  // for settings structs
///
///   struct DamperSettings {
///     double gain = 1;
///     void bind(mortise::SettingBinder& b) {
///       b.add("gain", gain, "Torque for each rad/s.", {.min = 0, .unit = "N*m*s/rad", .changeable = true});
///     }
///   };
///
///   class Damper final : public mortise::Controller { ... mortise::Settings<DamperSettings> settings_; };
///
///   MORTISE_PLUGIN("acme_controllers", "1.2.0") {
///     plugin.controller<Damper>("acme.Damper").summary("Opposes motion of every driver.").settings<DamperSettings>();
///   }
///
/// It needs the kernel alone; components without settings structs declare theirs by `parameter`.

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "mortise/base/schema.h"
#include "mortise/component/controller.h"
#include "mortise/component/estimator.h"
#include "mortise/component/file_format.h"
#include "mortise/component/hardware.h"
#include "mortise/component/host.h"
#include "mortise/component/kind.h"
#include "mortise/component/metric.h"
#include "mortise/component/physics.h"
#include "mortise/component/planner.h"
#include "mortise/component/recorder.h"
#include "mortise/component/role.h"
#include "mortise/component/sensor.h"
#include "mortise/component/stage.h"
#include "mortise/plugin/abi.h"
#include "mortise/plugin/manifest.h"
#include "mortise/plugin/settings_of.h"

namespace mortise {

/// A component as its plugin describes it.
struct ComponentDeclaration {
  Kind kind = Kind::controller;
  std::string name;
  std::vector<std::string> aliases;
  InterfaceVersion interface;
  std::string summary;
  std::string documentation;  ///< Longer text, Markdown.
  Schema schema;
  Value attributes = Value::map();  ///< Facts that are known without loading: a format's extensions and contents, ...
  void* (*create)(const ComponentContext&) = nullptr;  ///< Returns a pointer to the kind's interface class.
  void (*destroy)(void*) = nullptr;
};

/// Fluent part of a declaration; a reference stays valid until the next component is declared.
class ComponentBuilder {
 public:
  explicit ComponentBuilder(ComponentDeclaration& declaration) : declaration_(declaration) {}
  ComponentBuilder& alias(std::string name);
  ComponentBuilder& summary(std::string text);
  ComponentBuilder& documentation(std::string markdown);
  /// The settings that the struct `S` binds. Include `mortise/settings/settings.h`, which knows how.
  template <typename S>
  ComponentBuilder& settings(S defaults = S()) {
    static_assert(
        requires { schemaOf(SettingsOf<S>(), std::declval<S>()); }, "include mortise/settings/settings.h");
    const Schema schema = schemaOf(SettingsOf<S>(), std::move(defaults));
    for (const Parameter& parameter : schema.parameters()) declaration_.schema.parameter(parameter);
    return *this;
  }
  /// A single setting that the component reads from its `ComponentContext` itself.
  ComponentBuilder& parameter(std::string name, Value defaultValue, std::string summary, ParameterOptions options = {});
  ComponentBuilder& parameter(std::string name, ParameterType type, std::string summary, ParameterOptions options = {});
  ComponentBuilder& allowOtherKeys();
  /// For formats: extensions without dot, and what their files hold.
  ComponentBuilder& extensions(std::vector<std::string> extensions);
  ComponentBuilder& reads(const std::vector<FileContent>& contents);
  ComponentBuilder& writes(const std::vector<FileContent>& contents);
  /// For stages: the kinds of what they leave for later ones. A state only where the setting `save_state` is given, if
  /// there is one.
  ComponentBuilder& saves(const std::vector<ResultKind>& kinds);
  /// Gives the component a role (`role.h`), or one of your own, whose name has a dot. `calledAs`: which of its names it
  /// goes by in runs that chose it for this role; by default the one that people write.
  ComponentBuilder& role(std::string_view role, std::string_view calledAs = {});
  ComponentBuilder& attribute(std::string name, Value value);

 private:
  ComponentDeclaration& declaration_;
};

class PluginBuilder {
 public:
  template <typename T>
  ComponentBuilder physics(std::string name) {
    return add<T, Physics>(Kind::physics, std::move(name));
  }
  template <typename T>
  ComponentBuilder controller(std::string name) {
    return add<T, Controller>(Kind::controller, std::move(name));
  }
  template <typename T>
  ComponentBuilder sensor(std::string name) {
    return add<T, Sensor>(Kind::sensor, std::move(name));
  }
  template <typename T>
  ComponentBuilder format(std::string name) {
    return add<T, FileFormat>(Kind::format, std::move(name));
  }
  template <typename T>
  ComponentBuilder stage(std::string name) {
    return add<T, Stage>(Kind::stage, std::move(name));
  }
  template <typename T>
  ComponentBuilder planner(std::string name) {
    return add<T, Planner>(Kind::planner, std::move(name));
  }
  template <typename T>
  ComponentBuilder estimator(std::string name) {
    return add<T, Estimator>(Kind::estimator, std::move(name));
  }
  template <typename T>
  ComponentBuilder recorder(std::string name) {
    return add<T, Recorder>(Kind::recorder, std::move(name));
  }
  template <typename T>
  ComponentBuilder hardware(std::string name) {
    return add<T, Hardware>(Kind::hardware, std::move(name));
  }
  template <typename T>
  ComponentBuilder metric(std::string name) {
    return add<T, Metric>(Kind::metric, std::move(name));
  }

  const std::vector<ComponentDeclaration>& declarations() const { return declarations_; }

 private:
  template <typename T, typename Interface>
  ComponentBuilder add(Kind kind, std::string name) {
    static_assert(std::is_base_of_v<Interface, T>, "the class does not implement the interface of this kind");
    static_assert(std::is_constructible_v<T, const ComponentContext&> || std::is_default_constructible_v<T>,
                  "a component is constructed from (const mortise::ComponentContext&) or without arguments");
    return declare(
        kind, std::move(name),
        [](const ComponentContext& context) -> void* {
          if constexpr (std::is_constructible_v<T, const ComponentContext&>)
            return static_cast<Interface*>(new T(context));
          else
            return static_cast<Interface*>(new T());
        },
        [](void* component) { delete static_cast<Interface*>(component); });
  }
  ComponentBuilder declare(Kind kind, std::string name, void* (*create)(const ComponentContext&),
                           void (*destroy)(void*));

  std::vector<ComponentDeclaration> declarations_;
};

}  // namespace mortise

#ifndef MORTISE_PLUGIN_LICENSE
#define MORTISE_PLUGIN_LICENSE ""
#endif

/// Followed by a block that declares components on `plugin`. Once a library.
#define MORTISE_PLUGIN(package, version) \
  MORTISE_PLUGIN_AS(mortise_plugin, __attribute__((visibility("default"))), package, version)

/// For components linked into a program: gives the table another name, to be handed to `Registry::addBuiltIn`.
#define MORTISE_PLUGIN_AS(symbol, visibility_, package, version)                                                 \
  static void symbol##_describe(::mortise::PluginBuilder& plugin);                                               \
  extern "C" {                                                                                                   \
  visibility_ extern const MortisePluginManifest symbol;                                                         \
  const MortisePluginManifest symbol = {{'M', 'O', 'R', 'T', 'I', 'S', 'E', 0},                                  \
                                        sizeof(MortisePluginManifest),                                           \
                                        MORTISE_MANIFEST_VERSION,                                                \
                                        ::mortise::currentAbiTag(),                                              \
                                        package,                                                                 \
                                        version,                                                                 \
                                        MORTISE_PLUGIN_LICENSE,                                                  \
                                        [](::mortise::PluginBuilder* builder) { symbol##_describe(*builder); }}; \
  }                                                                                                              \
  static void symbol##_describe([[maybe_unused]] ::mortise::PluginBuilder& plugin)
