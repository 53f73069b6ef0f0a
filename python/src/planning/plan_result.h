#pragma once

/// Results of planners for Python.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <vector>

#include "mortise/planning/plan_result.h"

namespace mortise::python {

namespace py = pybind11;

void bindPlanResult(py::module_& m);
void bindSpace(py::module_& m);
void bindWorldPlanning(py::module_& m);
void bindTiming(py::module_& m);

/// (n, columns)
py::array configurationRows(const std::vector<VectorXd>& rows, int columns);
std::vector<VectorXd> configurationList(py::handle from, const char* name, py::ssize_t columns = -1);
/// None: absent. Seconds above 0, and a number of iterations of at least 1.
double timeLimitFrom(py::handle seconds);
std::int64_t iterationsFrom(py::handle iterations);

}  // namespace mortise::python
