#pragma once

/// What planners give back to Python.

#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/planner.h"
#include "mortise/motion/hermite_trajectory.h"

namespace mortise::python {

namespace py = pybind11;

/// Behind Python's PlanResult.
struct PlanOutcome {
  std::vector<VectorXd> path;
  int columns = 0;  ///< Numbers in a configuration, also where there is no path.
  std::optional<HermiteTrajectory> motion;
  Value report = Value::map();
  std::optional<Roadmap> roadmap;
};

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
