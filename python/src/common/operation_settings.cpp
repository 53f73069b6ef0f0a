#include "common/operation_settings.h"

#include <algorithm>

#include "common/values.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/schema_check.h"
#include "mortise/text/suggest.h"

namespace mortise::python {

namespace {

std::string typeText(const Parameter& parameter) {
  std::string type;
  switch (parameter.type) {
    case ParameterType::boolean:
      type = "bool";
      break;
    case ParameterType::integer:
      type = "int";
      break;
    case ParameterType::real:
      type = "float | str";
      break;
    case ParameterType::string:
      type = "str";
      break;
    case ParameterType::realList:
      type = "ArrayLike";
      break;
    case ParameterType::integerList:
      type = "Sequence[int]";
      break;
    case ParameterType::stringList:
      type = "Sequence[str]";
      break;
    case ParameterType::map:
      type = "Mapping[str, Any]";
      break;
    case ParameterType::any:
      return "Any";
  }
  return parameter.isOptional() ? type + " | None" : type;
}

bool isLeftOut(const Parameter& parameter, const std::vector<std::string>& without) {
  return std::find(without.begin(), without.end(), parameter.name) != without.end();
}

/// Converts an argument. Throws TypeError that says what this one takes.
Value argumentFrom(const Parameter& parameter, py::handle item, const std::string& name) {
  try {
    return valueFrom(item, name);
  } catch (const NoSetting& refused) {
    const auto& choices = parameter.options.choices;
    const std::string wanted = choices.empty() ? expectation(parameter) : "one of " + nameList(choices, choices.size());
    throw py::type_error(name + ": expected " + wanted + ", found " + refused.given +
                         (refused.place == name ? "" : " at " + refused.place));
  }
}

}  // namespace

py::dict withPositional(const char* operation, const py::args& positional, const py::kwargs& more,
                        std::span<const char* const> names) {
  if (positional.size() > names.size())
    throw py::type_error(std::string(operation) + "() takes at most " + std::to_string(names.size()) +
                         " settings without a name, found " + std::to_string(positional.size()));
  py::dict given = more.attr("copy")();
  for (std::size_t i = 0; i < positional.size(); ++i) {
    if (given.contains(names[i])) throw py::type_error(std::string(operation) + "() got '" + names[i] + "' twice");
    given[names[i]] = positional[i];
  }
  return given;
}

Schema schemaWithout(const Schema& schema, const std::vector<std::string>& names) {
  Schema result;
  for (const Parameter& parameter : schema.parameters())
    if (!isLeftOut(parameter, names)) result.parameter(parameter);
  return result;
}

Value givenArguments(const char* operation, const Schema& schema, const py::dict& given, const FormerNames& former) {
  Value settings = Value::map();
  const auto warn = [&](const std::string& old, const std::string& name) {
    const std::string text = std::string(operation) + "(): '" + old + "' is called '" + name + "' now";
    if (PyErr_WarnEx(PyExc_DeprecationWarning, text.c_str(), 1) != 0) throw py::error_already_set();
  };
  for (const auto& [key, item] : given) {
    std::string name = py::str(key);
    if (item.is_none()) continue;
    for (const auto& [old, today] : former)
      if (name == old) {
        warn(old, today);
        name = today;
        break;
      }
    const Parameter* parameter = schema.find(name);
    if (parameter == nullptr) {
      std::vector<std::string> names, all;
      for (const Parameter& known : schema.parameters()) names.push_back(known.name);
      all = names;
      for (const auto& [old, today] : former) all.push_back(old);
      std::string nearest = nearestName(name, all);
      for (const auto& [old, today] : former)
        if (nearest == old) nearest = today;
      throw py::type_error(std::string(operation) + "() has no argument '" + name + "'" +
                           (nearest.empty() ? "." : "; did you mean '" + nearest + "'?") + " It takes " +
                           nameList(names, names.size()));
    }
    if (parameter->wasCalled(name)) warn(name, parameter->name);
    if (settings.contains(parameter->name))
      throw py::type_error(std::string(operation) + "() got '" + parameter->name + "' twice");
    settings.set(parameter->name, argumentFrom(*parameter, item, name));
  }
  return settings;
}

Value completeArguments(const char* operation, const Schema& schema, const py::dict& given, const FormerNames& former) {
  const Value settings = givenArguments(operation, schema, given, former);
  Diagnostics diagnostics;
  Value complete = schema.complete(settings, std::string(operation) + "()", diagnostics);
  for (const Diagnostic& problem : diagnostics.all())
    if (problem.severity == Severity::error)
      throw py::value_error(problem.message + (problem.hint.empty() ? "" : " (" + problem.hint + ")"));
  return complete;
}

void refuseArguments(const Error& error) {
  throw py::value_error(error.message() + (error.hint().empty() ? "" : " (" + error.hint() + ")"));
}

std::string signatureText(const Schema& schema, const std::vector<std::string>& without) {
  std::string text;
  for (const Parameter& parameter : schema.parameters()) {
    if (isLeftOut(parameter, without)) continue;
    text += (text.empty() ? "" : ", ") + parameter.name + ": " + typeText(parameter);
    if (!parameter.options.required) text += " = " + std::string(py::str(py::repr(toPython(parameter.defaultValue))));
  }
  return text;
}

std::string argumentsText(const Schema& schema, const std::vector<std::string>& without) {
  std::string text;
  for (const Parameter& parameter : schema.parameters()) {
    if (isLeftOut(parameter, without)) continue;
    std::string summary = parameter.summary;
    std::erase(summary, '`');
    text += "    " + parameter.name + ": " + summary;
    if (!parameter.options.unit.empty()) text += " Unit: " + parameter.options.unit + ".";
    if (!parameter.options.choices.empty())
      text += " One of " + nameList(parameter.options.choices, parameter.options.choices.size()) + ".";
    text += "\n";
  }
  return text;
}

}  // namespace mortise::python
