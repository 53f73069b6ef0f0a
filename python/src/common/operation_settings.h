#pragma once

/// Keyword arguments of an operation that follow from its settings struct: the same names, defaults, bounds and units
/// as in pipelines and on the command line.

#include <pybind11/pybind11.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/schema.h"
#include "mortise/settings/settings.h"

namespace mortise::python {

namespace py = pybind11;

/// Names of keyword arguments of earlier releases and today's; they work with a DeprecationWarning.
using FormerNames = std::vector<std::pair<std::string, std::string>>;

/// Returns the map of settings that `given` says, not yet completed. None stands for the default. Throws TypeError for
/// a keyword that `operation` does not have.
Value givenArguments(const char* operation, const Schema& schema, const py::dict& given,
                     const FormerNames& former = {});

/// Returns the map of settings that `given` says, completed by `schema`. None stands for the default. Throws TypeError
/// for a keyword that `operation` does not have, and ValueError for a value that it refuses.
Value completeArguments(const char* operation, const Schema& schema, const py::dict& given, const FormerNames& former);

/// Returns the keyword arguments and, by the names in `names`, the positional ones. Throws TypeError for too many, and
/// for one that is given twice.
py::dict withPositional(const char* operation, const py::args& positional, const py::kwargs& more,
                        std::span<const char* const> names);

/// Returns the schema without these settings.
Schema schemaWithout(const Schema& schema, const std::vector<std::string>& names);

/// Throws ValueError with the text of `error`.
[[noreturn]] void refuseArguments(const Error& error);

/// `without`: settings that the operation does not take as keywords.
template <typename S>
S operationSettings(const char* operation, const py::dict& given, const S& defaults = S(),
                    const FormerNames& former = {}, const std::vector<std::string>& without = {}) {
  const Value complete = completeArguments(operation, schemaWithout(schemaOf<S>(defaults), without), given, former);
  S settings = settingsFrom<S>(complete, defaults);
  try {
    checkSettings(settings, complete);
  } catch (const Error& error) {
    refuseArguments(error);
  }
  return settings;
}

/// Returns the settings as they stand in a signature: "torque: bool = False, jerk: float = 0.0". `without`: those that
/// stand elsewhere.
std::string signatureText(const Schema& schema, const std::vector<std::string>& without = {});
/// Returns a line of a docstring for each setting.
std::string argumentsText(const Schema& schema, const std::vector<std::string>& without = {});

}  // namespace mortise::python
