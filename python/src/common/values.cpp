#include "common/values.h"

#include "common/arrays.h"
#include "mortise/settings/permissions.h"

namespace mortise::python {

namespace {

constexpr int kDeepest = 200;  ///< Lists within lists; what is deeper refers to itself.

std::string textOf(py::handle from) { return py::reinterpret_borrow<py::str>(from); }

Value convert(py::handle from, const std::string& name, int depth) {
  if (depth > kDeepest) throw py::value_error(name + ": the value is nested too deeply");
  PyObject* object = from.ptr();
  if (object == Py_None) return {};
  if (PyBool_Check(object)) return Value(object == Py_True);
  if (PyLong_Check(object)) {
    const long long number = PyLong_AsLongLong(object);
    if (number == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw py::value_error(name + ": the integer is too large");
    }
    return Value(static_cast<std::int64_t>(number));
  }
  if (PyFloat_Check(object)) return Value(PyFloat_AS_DOUBLE(object));
  if (PyUnicode_Check(object)) return Value(textOf(from));
  if (PyDict_Check(object)) {
    Value map = Value::map();
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(from)) {
      if (!PyUnicode_Check(key.ptr())) throw py::type_error(name + ": keys are texts, not " + shapeText(key));
      const std::string text = textOf(key);
      map.set(text, convert(item, name + "." + text, depth + 1));
    }
    return map;
  }
  if (PyList_Check(object) || PyTuple_Check(object)) {
    Value list = Value::list();
    int index = 0;
    for (const auto item : from) list.push_back(convert(item, name + "[" + std::to_string(index++) + "]", depth + 1));
    return list;
  }
  // Arrays and numbers of numpy, paths.
  if (py::hasattr(from, "tolist")) return convert(from.attr("tolist")(), name, depth + 1);
  if (py::hasattr(from, "__fspath__")) return Value(textOf(from.attr("__fspath__")()));
  throw NoSetting(name, shapeText(from));
}

}  // namespace

NoSetting::NoSetting(std::string where, std::string found)
    : py::type_error(where + ": expected numbers, texts, lists or dicts of them, found " + found),
      place(std::move(where)),
      given(std::move(found)) {}

Value valueFrom(py::handle from, const std::string& name) {
  Value value = convert(from, name, 0);
  setOrigin(value, Origin::commandLine);  // A program says it.
  return value;
}

Value settingsFrom(py::handle from, const std::string& name) {
  if (!from || from.is_none()) return Value::map();
  if (!PyDict_Check(from.ptr())) throw py::type_error(name + ": expected a dict, found " + shapeText(from));
  return valueFrom(from, name);
}

Value settingsFrom(py::handle settings, const py::kwargs& more, const std::string& name) {
  Value map = settingsFrom(settings, name);
  for (const auto& [key, item] : more) map.set(textOf(key), valueFrom(item, textOf(key)));
  return map;
}

py::object toPython(const Value& value) {
  switch (value.type()) {
    case Value::Type::null:
      return py::none();
    case Value::Type::boolean:
      return py::bool_(value.asBool());
    case Value::Type::integer:
      return py::int_(value.asInteger());
    case Value::Type::real:
      return py::float_(value.asReal());
    case Value::Type::string:
      return py::str(value.asString());
    case Value::Type::list: {
      py::list list(value.size());
      for (std::size_t i = 0; i < value.size(); ++i) list[i] = toPython(value[i]);
      return list;
    }
    case Value::Type::map: {
      py::dict map;
      for (const auto& entry : value.entries()) map[py::str(entry.key)] = toPython(entry.value);
      return map;
    }
  }
  return py::none();
}

py::list toPython(const Schema& schema) {
  py::list list;
  for (const Parameter& parameter : schema.parameters()) {
    py::dict entry;
    entry["name"] = parameter.name;
    entry["type"] = std::string(parameterTypeName(parameter.type));
    entry["default"] = toPython(parameter.defaultValue);
    entry["summary"] = parameter.summary;
    entry["min"] = parameter.options.min;
    entry["max"] = parameter.options.max;
    entry["unit"] = parameter.options.unit;
    py::list choices, aliases;
    for (const std::string& choice : parameter.options.choices) choices.append(choice);
    for (const std::string& alias : parameter.options.aliases) aliases.append(alias);
    entry["choices"] = choices;
    entry["aliases"] = aliases;
    entry["required"] = parameter.options.required;
    entry["size"] = parameter.options.size;
    entry["changeable"] = parameter.options.changeable;
    list.append(entry);
  }
  return list;
}

}  // namespace mortise::python
