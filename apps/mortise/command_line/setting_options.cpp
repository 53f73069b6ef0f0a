#include "command_line/setting_options.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "command_line/configuration_options.h"
#include "mortise/configuration/value_position.h"
#include "mortise/settings/permissions.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

namespace {

bool isLeftOut(const Parameter& parameter, const std::vector<std::string>& without) {
  return std::find(without.begin(), without.end(), parameter.name) != without.end();
}

/// Flags that are on by default are turned off by `--no-NAME`.
bool isOnByDefault(const Parameter& parameter) {
  return parameter.type == ParameterType::boolean && !parameter.defaultValue.isNull() &&
         parameter.defaultValue.asBool();
}

/// Flags without default have an opposite.
bool mayBeTurnedOff(const Parameter& parameter) {
  return parameter.type == ParameterType::boolean && parameter.defaultValue.isNull();
}

/// A list of any number of entries: its option may be repeated, and takes several entries with commas, too.
bool mayBeRepeated(const Parameter& parameter) {
  const bool list = parameter.type == ParameterType::realList || parameter.type == ParameterType::integerList ||
                    parameter.type == ParameterType::stringList;
  return list && parameter.options.size < 0;
}

/// The type of an entry where the option may be repeated.
ParameterType shownType(const Parameter& parameter) {
  if (!mayBeRepeated(parameter)) return parameter.type;
  return parameter.type == ParameterType::realList      ? ParameterType::real
         : parameter.type == ParameterType::integerList ? ParameterType::integer
                                                        : ParameterType::string;
}

std::string valueNameOf(const Parameter& parameter) {
  if (!parameter.options.choices.empty()) return "KIND";
  switch (shownType(parameter)) {
    case ParameterType::boolean:
      return "";
    case ParameterType::integer:
      return "N";
    case ParameterType::real:
      return parameter.options.unit == "s"     ? "TIME"
             : parameter.options.unit == "m"   ? "LENGTH"
             : parameter.options.unit == "rad" ? "ANGLE"
             : parameter.options.unit == "Hz"  ? "RATE"
                                               : "X";
    case ParameterType::string:
      return "NAME";
    case ParameterType::realList:
    case ParameterType::integerList:
    case ParameterType::stringList:
      return "LIST";
    case ParameterType::map:
      return "MAP";
    case ParameterType::any:
      return "WHAT";
  }
  return "WHAT";
}

/// Returns the entries of an option that may be repeated. Commas separate entries, blanks do not: `2 s`, `left arm`.
Value listOf(const CommandLine& line, const Parameter& parameter, const std::string& option) {
  Value list = Value::list();
  for (const std::string& text : line.texts(option)) {
    if (text.starts_with("[")) {
      const Value given = configurationOption(option, text);
      for (const Value& item : given.items()) list.push_back(item);
      continue;
    }
    if (text.empty()) list.push_back(text);
    std::istringstream entries(text);
    for (std::string entry; std::getline(entries, entry, ',');)
      list.push_back(Value::fromText(std::string(trimmed(entry)), parameter.type == ParameterType::stringList));
  }
  return list;
}

Value valueOf(const CommandLine& line, const Parameter& parameter, const std::string& option) {
  if (mayBeRepeated(parameter)) return listOf(line, parameter, option);
  switch (parameter.type) {
    case ParameterType::boolean:
      return Value(!isOnByDefault(parameter));
    case ParameterType::string:
      return Value(line.text(option));
    case ParameterType::integer:
    case ParameterType::real:
      return Value::fromText(line.text(option));
    default:
      break;
  }
  // "0,0,1" is a list as "[0, 0, 1]" is.
  const std::string text = line.text(option);
  const bool yaml = text.starts_with("[") || text.starts_with("{");
  if (yaml) return configurationOption(option, text);
  const bool list = parameter.type != ParameterType::any || text.find(',') != std::string::npos;
  if (!list || parameter.type == ParameterType::map) return Value::fromText(text);
  if (parameter.type != ParameterType::any) return Value(text);  // The schema takes lists apart.
  return configurationOption(option, "[" + text + "]");
}

std::string shownName(const Parameter& parameter) {
  return (isOnByDefault(parameter) ? "no-" : "") + optionName(parameter.name);
}

}  // namespace

std::string optionName(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string optionHelp(const Parameter& parameter) {
  std::string text = parameter.summary;
  std::erase(text, '`');
  while (!text.empty() && text.back() == '.') text.pop_back();
  const bool word = text.size() < 2 || std::islower(static_cast<unsigned char>(text[1])) != 0 || text[1] == ' ';
  if (!text.empty() && word) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  if (isOnByDefault(parameter)) text = "turn off: " + text;
  if (!parameter.options.choices.empty())
    text += " (" + nameList(parameter.options.choices, parameter.options.choices.size()) + ")";
  if (!parameter.options.unit.empty()) text += ", in " + parameter.options.unit;
  const Value& otherwise = parameter.defaultValue;
  if (!otherwise.isNull() && otherwise.isScalar() && parameter.type != ParameterType::boolean &&
      !otherwise.text().empty())
    text += " (default " + otherwise.text() + ")";
  return text + (mayBeRepeated(parameter) ? "; may be repeated" : "");
}

void declareSettings(CommandLine& line, const Schema& schema, const std::vector<std::string>& without,
                     const Placeholders& placeholders) {
  for (const Parameter& parameter : schema.parameters()) {
    if (isLeftOut(parameter, without)) continue;
    const std::string name = shownName(parameter), prefix = isOnByDefault(parameter) ? "no-" : "";
    const auto given = placeholders.find(parameter.name);
    const std::string placeholder = given != placeholders.end() ? given->second : valueNameOf(parameter);
    if (parameter.type == ParameterType::boolean)
      line.flag(name, optionHelp(parameter));
    else if (mayBeRepeated(parameter))
      line.repeatedOption(name, placeholder, optionHelp(parameter));
    else
      line.option(name, placeholder, optionHelp(parameter));
    for (const std::string& alias : parameter.options.aliases) line.synonym(prefix + optionName(alias));
    if (mayBeTurnedOff(parameter)) line.flag("no-" + name, "the opposite of --" + name);
    if (!parameter.options.choices.empty()) line.values(name, parameter.options.choices);
    for (const std::string& former : parameter.options.formerly) line.formerly(prefix + optionName(former), name);
  }
}

Value givenSettings(const CommandLine& line, const Schema& schema, const std::vector<std::string>& without) {
  Value given = Value::map();
  for (const Parameter& parameter : schema.parameters()) {
    if (isLeftOut(parameter, without)) continue;
    std::string option = shownName(parameter);
    Value value;
    if (line.has(option)) {
      value = valueOf(line, parameter, option);
    } else if (mayBeTurnedOff(parameter) && line.has("no-" + option)) {
      option = "no-" + option;
      value = Value(false);
    } else {
      continue;
    }
    setPositions(value, onCommandLine("--" + option));
    given.set(parameter.name, std::move(value));
  }
  return given;
}

void throwIfWrongOptions(const Diagnostics& diagnostics) {
  std::string text;
  bool options = diagnostics.hasErrors();
  for (const Diagnostic& problem : diagnostics.all()) {
    if (problem.severity != Severity::error) continue;
    options = options && problem.where.origin == Origin::commandLine;
    text += (text.empty() ? "" : "\n") + problem.where.describe() + ": " + problem.message +
            (problem.hint.empty() ? "" : "\n  hint: " + problem.hint);
  }
  if (options) throw UsageError(text);
  diagnostics.throwIfErrors();
}

Value completeSettings(const Value& given, const Schema& schema) {
  Diagnostics diagnostics;
  Value complete = schema.complete(given, "", diagnostics);
  throwIfWrongOptions(diagnostics);
  return complete;
}

}  // namespace mortise::app
