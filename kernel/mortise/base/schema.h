#pragma once

/// Parameters that a component accepts: each parameter's type, unit, default, bounds, choices and documentation.
/// XML attributes, YAML maps and `--set` are all checked against the same schema.

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"

namespace mortise {

enum class ParameterType { boolean, integer, real, string, realList, integerList, stringList, map, any };

/// Everything optional about a parameter; use designated initializers: `{.min = 0, .max = 1, .unit = "m"}`.
struct ParameterOptions {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  /// SI unit of the stored number: "s", "Hz", "m", "rad", "kg", "N", "N*m", "m/s", "rad/s", "N/m", ... People may
  /// write other units of the same dimension ("1 ms", "90 deg"), which are converted.
  std::string unit = {};
  std::vector<std::string> choices = {};
  bool required = false;
  int size = -1;  ///< Number of entries of a list; -1 for any.
  std::vector<std::string> aliases = {};
  std::vector<std::string> formerly = {};  ///< Names of earlier releases: they work, with a note.
  bool infinite = false;                   ///< Numbers may be infinite.
  bool changeable = false;                 ///< Can be changed while the component runs.
  /// Choices of earlier releases, and what they are called now: they work, with a note.
  std::vector<std::pair<std::string, std::string>> formerChoices = {};
};

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::any;
  Value defaultValue;  ///< Null: no default; the completed value then holds null.
  std::string summary;
  ParameterOptions options;

  /// Says whether it may be absent, which is null.
  bool isOptional() const { return defaultValue.isNull() && !options.required; }
  /// Says whether this is its name, an alias or a former name.
  bool isCalled(std::string_view name) const;
  /// Says whether it had this name in earlier releases.
  bool wasCalled(std::string_view name) const;
};

/// `given` in the parameter's type and unit, or nullopt after reporting what is wrong with it. `what` names the owner
/// in messages. Null stays null where the parameter has no default.
std::optional<Value> convertSetting(const Parameter& parameter, const Value& given, std::string_view what,
                                    Diagnostics& diagnostics);

class Schema {
 public:
  /// Throws `Error` for a default that breaks its own bounds or choices, and for a name given twice.
  Schema& parameter(Parameter parameter);
  /// The type comes from the default: bool, integer, real, string, list of reals or strings, map.
  Schema& parameter(std::string name, Value defaultValue, std::string summary, ParameterOptions options = {});
  /// For parameters without default.
  Schema& parameter(std::string name, ParameterType type, std::string summary, ParameterOptions options = {});
  /// Keys that the schema does not name are kept as they are instead of being refused.
  Schema& allowOtherKeys(bool allow = true);

  const std::vector<Parameter>& parameters() const { return parameters_; }
  const Parameter* find(std::string_view nameOrAlias) const;
  bool otherKeysAllowed() const { return otherKeysAllowed_; }
  bool empty() const { return parameters_.empty(); }

  /// Checks `given` (a map or null) and returns it complete, defaults filled in, texts converted, in schema
  /// order. Every problem goes to `diagnostics`, with position: unknown key (and the nearest name), wrong
  /// type, wrong unit, out of bounds, not a choice, missing. Former names get a note. `what`: the owner, for messages.
  Value complete(const Value& given, std::string_view what, Diagnostics& diagnostics) const;

  Value toValue() const;
  static Schema fromValue(const Value& value);

 private:
  std::vector<Parameter> parameters_;
  bool otherKeysAllowed_ = false;
};

std::string_view parameterTypeName(ParameterType type);

}  // namespace mortise
