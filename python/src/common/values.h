#pragma once

/// Settings, schemas and other typed trees (`Value`) as what Python has for them: dict, list, str, int, float, bool,
/// None.

#include <map>
#include <pybind11/pybind11.h>
#include <string>

#include "mortise/base/schema.h"
#include "mortise/base/value.h"

namespace mortise::python {

namespace py = pybind11;

/// A TypeError for something of which no setting can be made.
struct NoSetting : py::type_error {
  NoSetting(std::string where, std::string found);
  std::string place;  ///< Which part of the value: "name", "name[2]".
  std::string given;  ///< "the class int".
};

/// Arrays become lists. Throws `NoSetting`, with the key that is meant, for what no setting can be.
Value valueFrom(py::handle from, const std::string& name = "value");
/// None becomes an empty map, anything but a dict is a TypeError.
Value settingsFrom(py::handle from, const std::string& name = "settings");
py::object toPython(const Value& value);
py::list toPython(const Schema& schema);
/// Entries of dicts become keyword arguments of settings: `a_b=1` after those of `settings`.
Value settingsFrom(py::handle settings, const py::kwargs& more, const std::string& name = "settings");

}  // namespace mortise::python
