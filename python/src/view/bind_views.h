#pragma once

#include <pybind11/pybind11.h>

namespace mortise::python {

/// Binds View and `show`; the only part of the extension that knows the workbench.
void bindViews(pybind11::module_& m);

}  // namespace mortise::python
