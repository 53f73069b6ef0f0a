#pragma once

/// Types that components written in Python are handed, a function a file.

#include <pybind11/pybind11.h>

namespace mortise::python {

void bindScriptHost(pybind11::module_& m);
void bindScriptView(pybind11::module_& m);
void bindScriptStage(pybind11::module_& m);
void bindScriptRecorder(pybind11::module_& m);

}  // namespace mortise::python
