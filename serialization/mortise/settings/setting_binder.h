#pragma once

/// The one place that says what a setting is: a settings struct binds each of its members once, with name, text, unit
/// and bounds, and its schema, reading, changing, saving and restoring follow from that.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/schema.h"
#include "mortise/settings/setting_type.h"

namespace mortise {

namespace detail {

/// The type of what an optional variable holds.
template <typename T>
struct Present {
  using type = T;
};
template <typename T>
struct Present<std::optional<T>> {
  using type = T;
};

}  // namespace detail

class SettingBinder {
 public:
  /// Binds `variable`, which outlives the binder. Its present value is the default; an empty `std::optional` or list,
  /// and a `required` setting, have none.
  template <typename T>
  SettingBinder& add(std::string name, T& variable, std::string summary, ParameterOptions options = {}) {
    using Type = SettingType<T>;
    if (options.size < 0) options.size = Type::size;
    auto get = [&variable] { return Type::value(variable); };
    auto set = [&variable, name](const Value& value) { variable = Type::from(value, name); };
    return bind({std::move(name), Type::type, {}, std::move(summary), std::move(options)}, get, set);
  }

  /// Binds an enumeration, or a `std::optional` of one, by the names of its values, in the order in which help lists
  /// them.
  template <typename E>
  SettingBinder& choice(std::string name, E& variable,
                        std::vector<std::pair<std::string, typename detail::Present<E>::type>> values,
                        std::string summary, ParameterOptions options = {}) {
    for (const auto& [text, value] : values) options.choices.push_back(text);
    auto get = [&variable, values] {
      for (const auto& [text, value] : values)
        if (variable == value) return Value(text);
      return Value();
    };
    auto set = [&variable, values](const Value& given) {
      if (given.isNull()) variable = E();
      for (const auto& [text, value] : values)
        if (given.isString() && text == given.asString()) variable = value;
    };
    return bind({std::move(name), ParameterType::string, {}, std::move(summary), std::move(options)}, get, set);
  }

  /// Binds a map whose keys somebody else knows, such as the settings of another component. Null: not set.
  SettingBinder& map(std::string name, Value& variable, std::string summary, ParameterOptions options = {});
  /// Accepts all keys that are not bound, for somebody else, and puts them into the map `variable` as they are written,
  /// in their order. Entries of lists use it that name a component and hold its settings beside their own.
  SettingBinder& others(Value& variable);

  /// Adds all settings to `schema`, with their present values as defaults.
  void declare(Schema& schema) const;
  /// Sets every variable from `complete`, which a schema has completed; where a key is missing, the variable stays as
  /// it is. Throws `Error` with positions, for all variables at once, after it has set those that can be set.
  void read(const Value& complete);
  /// Null when there is no such setting.
  const Parameter* find(std::string_view nameOrAlias) const;
  /// All settings as they are now, by name.
  Value values() const;
  /// Sets the setting of this name or alias to `value`, checked as the schema checks it. Returns its name; empty when
  /// there is no such setting, or when it cannot change while its component runs. Throws `Error` for a wrong value.
  std::string change(std::string_view nameOrAlias, const Value& value);
  /// Those that can change.
  void save(ByteWriter& out) const;
  /// Throws `Error` for damaged bytes and for values that the schema would refuse.
  void restore(ByteReader& in);

 private:
  struct Bound {
    Parameter parameter;
    std::function<Value()> get;
    std::function<void(const Value&)> set;
  };
  SettingBinder& bind(Parameter parameter, std::function<Value()> get, std::function<void(const Value&)> set);

  std::vector<Bound> settings_;
  Value* others_ = nullptr;
};

}  // namespace mortise
