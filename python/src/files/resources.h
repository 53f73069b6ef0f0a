#pragma once

/// The content of files (`Resource`) as what Python has for it.

#include <pybind11/pybind11.h>
#include <string>

#include "mortise/component/resource.h"

namespace mortise::python {

namespace py = pybind11;

py::object resourceToPython(Resource&& resource);
/// `content`: the kind that is wanted, where the value could be several; may be empty. Throws TypeError.
Resource resourceFrom(py::handle value, const std::string& content);

}  // namespace mortise::python
