#pragma once

#include <pybind11/pybind11.h>

namespace mortise::python {

/// RealTimePlanner.
void bindRealTimePlanning(pybind11::module_& m);

}  // namespace mortise::python
