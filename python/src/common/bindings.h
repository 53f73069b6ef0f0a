#pragma once

/// The parts of the extension `_mortise`: a function a topic, each in a file of its name. Types are declared before the
/// functions that speak of them, so the order in `module.cpp` is from the simple to the composed.

#include <pybind11/pybind11.h>

namespace mortise::python {

namespace py = pybind11;

void bindErrors(py::module_& m);
void bindMath(py::module_& m);
void bindGeometry(py::module_& m);
void bindModels(py::module_& m);
void bindStates(py::module_& m);
void bindDynamics(py::module_& m);
void bindWorlds(py::module_& m);
void bindCollision(py::module_& m);
void bindResources(py::module_& m);
void bindPlugins(py::module_& m);
void bindIK(py::module_& m);
void bindPipelines(py::module_& m);
void bindPlanning(py::module_& m);
void bindSimulation(py::module_& m);
void bindRobotsim(py::module_& m);
/// Binds the pickles of classes that are bound.
void bindPickles();

}  // namespace mortise::python
