#pragma once

/// A component's settings as a struct:
///
///   struct DamperSettings {
///     double gain = 1;
///     void bind(SettingBinder& b) {
///       b.add("gain", gain, "Torque for each rad/s.", {.min = 0, .unit = "N*m*s/rad", .changeable = true});
///     }
///   };
///
///   plugin.controller<Damper>("acme.Damper").settings<DamperSettings>();  // The schema.
///
///   class Damper final : public Configured<Controller, DamperSettings> {
///     using Configured::Configured;
///     ... settings_->gain ...
///   };

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "mortise/component/host.h"
#include "mortise/plugin/settings_of.h"
#include "mortise/settings/setting_binder.h"

namespace mortise {

/// For errors that `check` throws: where the setting of this name was written.
inline SourcePosition settingPosition(std::string name) {
  SourcePosition where;
  where.path = std::move(name);
  return where;
}

/// Calls `S::check`, if there is one, and gives its `Error` the position at which the setting stands in `given`.
template <typename S>
void checkSettings(const S& settings, const Value& given) {
  if constexpr (requires { settings.check(); }) try {
      settings.check();
    } catch (const Error& error) {
      const Value* value = given.find(error.where().path);
      if (!error.where().file.empty() || value == nullptr || !value->position().known()) throw;
      throw Error(error.message(), value->position(), error.hint());
    }
}

/// The current values of a settings struct `S`, which has `void bind(SettingBinder&)` and may have `void check()
/// const`: that throws `Error` for values that are each allowed but do not go together.
template <typename S>
class Settings {
 public:
  using Check = std::function<void(const S&)>;

  /// `complete`: completed by the schema that `S` declares. `defaults` is what was declared, for structs that bind
  /// according to members. Throws `Error` with positions.
  explicit Settings(const Value& complete, S defaults = S()) : values_(std::move(defaults)), given_(complete) {
    values_.bind(binder_);
    binder_.read(complete);
    initial_ = values_;
    check();
  }
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;

  const S& operator*() const { return values_; }
  const S* operator->() const { return &values_; }
  /// For values that change by other means than `change`; what is set is not checked.
  S& edit() { return values_; }
  /// Returns the place where a setting was written; for messages.
  SourcePosition position(std::string_view name) const {
    const Value* value = given_.find(name);
    return value != nullptr ? value->position() : SourcePosition();
  }

  /// A check that needs more than the values, such as the robot; it holds from now on, and for the present values.
  void setCheck(Check checkMore) {
    checkMore_ = std::move(checkMore);
    check();
  }
  /// Back to the values that the component was created with.
  void reset() { values_ = initial_; }

  Value values() const { return binder_.values(); }
  bool has(std::string_view nameOrAlias) const { return binder_.find(nameOrAlias) != nullptr; }
  /// The name behind an alias; `name` itself where no setting is called so.
  std::string nameOf(std::string_view name) const {
    const Parameter* parameter = binder_.find(name);
    return parameter != nullptr ? parameter->name : std::string(name);
  }
  /// False for a setting that does not exist or does not change. Changes nothing when it throws `Error`.
  bool change(std::string_view nameOrAlias, const Value& value) {
    std::string name;
    guarded([&] {
      name = binder_.change(nameOrAlias, value);
      if (!name.empty()) given_.set(name, value);
    });
    return !name.empty();
  }
  void save(ByteWriter& out) const { binder_.save(out); }
  void restore(ByteReader& in) {
    guarded([&] { binder_.restore(in); });
  }

 private:
  void check() const {
    checkSettings(values_, given_);
    if (!checkMore_) return;
    try {
      checkMore_(values_);
    } catch (const Error& error) {
      const SourcePosition written = position(error.where().path);
      if (!error.where().file.empty() || !written.known()) throw;
      throw Error(error.message(), written, error.hint());
    }
  }
  template <typename Action>
  void guarded(Action&& action) {
    const S before = values_;
    const Value givenBefore = given_;
    try {
      action();
      check();
    } catch (...) {
      values_ = before;
      given_ = givenBefore;
      throw;
    }
  }

  S values_, initial_;
  SettingBinder binder_;  ///< Points into `values_`.
  Value given_;
  Check checkMore_;
};

/// A controller or sensor (`Interface`) with the settings `S`: what `Interface` asks about settings is answered here.
/// Override `save` and `restore` for more state, and call these first.
template <typename Interface, typename S>
class Configured : public Interface {
 public:
  explicit Configured(const ComponentContext& context, S defaults = S())
      : host_(context.host), settings_(context.settings, std::move(defaults)) {}

  Value settings() const override { return settings_.values(); }
  bool hasSetting(std::string_view name) const override { return settings_.has(name); }
  bool changeSetting(std::string_view name, const Value& value) override { return settings_.change(name, value); }
  void save(ByteWriter& out) const override { settings_.save(out); }
  void restore(ByteReader& in) override { settings_.restore(in); }

 protected:
  Host& host_;
  Settings<S> settings_;
};

/// Returns the schema that the settings struct `S` declares, with the values of `defaults` as defaults.
template <typename S>
Schema schemaOf(S defaults = S()) {
  SettingBinder binder;
  defaults.bind(binder);
  Schema schema;
  binder.declare(schema);
  return schema;
}
/// The same for `ComponentBuilder::settings`.
template <typename S>
Schema schemaOf(SettingsOf<S>, S defaults) {
  return schemaOf<S>(std::move(defaults));
}

/// A struct from a map that its schema has completed; keys that are missing keep their defaults, others are ignored.
/// `S::check` is not called. Throws `Error` with positions.
template <typename S>
S settingsFrom(const Value& complete, S defaults = S()) {
  SettingBinder binder;
  defaults.bind(binder);
  binder.read(complete);
  return defaults;
}
/// The same, with all problems in `diagnostics`; what can be set is set.
template <typename S>
S settingsFrom(const Value& complete, Diagnostics& diagnostics, S defaults = S()) {
  SettingBinder binder;
  defaults.bind(binder);
  try {
    binder.read(complete);
  } catch (const Error& error) {
    diagnostics.error(error);
  }
  return defaults;
}

/// A struct from a map of a file, completed and checked. `what` names the owner in messages. Throws `Error` with all
/// problems and their positions.
template <typename S>
S readSettings(const Value& given, std::string_view what, S defaults = S()) {
  Diagnostics diagnostics;
  const Value complete = schemaOf<S>(defaults).complete(given, what, diagnostics);
  diagnostics.throwIfErrors();
  S settings = settingsFrom<S>(complete, std::move(defaults));
  checkSettings(settings, complete);
  return settings;
}
/// The same, with all problems in `diagnostics`; nothing is returned where there is one.
template <typename S>
std::optional<S> readSettings(const Value& given, std::string_view what, Diagnostics& diagnostics, S defaults = S()) {
  try {
    return readSettings<S>(given, what, std::move(defaults));
  } catch (const Error& error) {
    diagnostics.error(error);
    return std::nullopt;
  }
}

}  // namespace mortise
