#include "planning/plan_result.h"

#include <cmath>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/define.h"
#include "common/values.h"
#include "geometry/shapes.h"

namespace mortise::python {

py::array configurationRows(const std::vector<VectorXd>& rows, int columns) {
  py::array_t<double> array({static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(columns)});
  double* to = array.mutable_data();
  for (const VectorXd& row : rows) to = std::copy_n(row.data(), columns, to);
  return array;
}

std::vector<VectorXd> configurationList(py::handle from, const char* name, py::ssize_t columns) {
  const auto rows = rowsFrom(from, name, columns);
  std::vector<VectorXd> list;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    list.emplace_back(Eigen::Map<const VectorXd>(rows.data(i, 0), rows.shape(1)));
    if (!list.back().allFinite())
      throw py::value_error(std::string(name) + ": expected finite numbers, found others in row " + std::to_string(i));
  }
  return list;
}

double timeLimitFrom(py::handle seconds) {
  if (seconds.is_none()) return std::numeric_limits<double>::infinity();
  const double limit = numberFrom(seconds, "time_limit");
  if (!(limit > 0)) throw py::value_error("time_limit: expected seconds above 0, or None");
  return limit;
}

std::int64_t iterationsFrom(py::handle iterations) {
  if (iterations.is_none()) return std::numeric_limits<std::int64_t>::max();
  if (PyIndex_Check(iterations.ptr()) == 0)
    throw py::type_error("iterations: expected a whole number or None, found " + shapeText(iterations));
  const long long number = PyLong_AsLongLong(iterations.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (number < 1) throw py::value_error("iterations: expected a number of at least 1, or None");
  return number;
}

namespace {

double realOf(const PlanResult& o, const char* key) {
  const Value* value = o.report.find(key);
  return value != nullptr && value->isNumber() ? value->asReal() : std::numeric_limits<double>::infinity();
}

py::object roadmapOf(const PlanResult& o) {
  if (!o.roadmap) return py::none();
  const Roadmap& map = *o.roadmap;
  const auto count = static_cast<py::ssize_t>(map.edges.size());
  py::array_t<int> edges({count, py::ssize_t{2}});
  auto costs = arrayOfSize<double>(count);
  auto checked = arrayOfSize<bool>(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    const Roadmap::Edge& edge = map.edges[static_cast<std::size_t>(i)];
    edges.mutable_data(i, 0)[0] = edge.a;
    edges.mutable_data(i, 0)[1] = edge.b;
    costs.mutable_data()[i] = edge.cost;
    checked.mutable_data()[i] = edge.checked;
  }
  py::dict result;
  result["vertices"] = configurationRows(
      map.configurations, map.configurations.empty() ? o.dimension : static_cast<int>(map.configurations[0].size()));
  result["edges"] = edges;
  result["costs"] = costs;
  result["checked"] = checked;
  result["starts"] = arrayOfSize(static_cast<py::ssize_t>(map.starts.size()), map.starts.data());
  result["goals"] = arrayOfSize(static_cast<py::ssize_t>(map.goals.size()), map.goals.data());
  return result;
}

std::string resultText(const PlanResult& o) {
  if (o.path.empty()) return "PlanResult(" + o.report.string("status", "no path") + ")";
  std::string text =
      "PlanResult(solved, " + std::to_string(o.path.size()) + " configurations of " + std::to_string(o.dimension);
  if (o.motion) text += ", " + std::to_string(o.motion->endTime() - o.motion->startTime()) + " s";
  return text + ")";
}

}  // namespace

void bindPlanResult(py::module_& m) {
  Class<PlanResult>(m, "PlanResult", "What a planner found. False where there is no path.")
      .def_property_readonly(
          "solved", [](const PlanResult& o) { return !o.path.empty(); }, "Whether there is a path.")
      .def_property_readonly(
          "path", [](const PlanResult& o) { return configurationRows(o.path, o.dimension); },
          "(n, dof), rad and m; (0, dof) where there is none.")
      .def_property_readonly(
          "motion", [](const PlanResult& o) { return o.motion; }, "HermiteTrajectory, where times were asked for.")
      .def_property_readonly(
          "status", [](const PlanResult& o) { return o.report.string("status", ""); },
          "'solved', 'stopped', 'start infeasible', 'goal infeasible', ...")
      .def_property_readonly(
          "message", [](const PlanResult& o) { return o.report.string("message", ""); }, "Why there is no path.")
      .def_property_readonly(
          "path_hash", [](const PlanResult& o) { return o.report.string("path_hash", ""); },
          "Of every bit of the path before it was shortened or timed, as `mortise plan` prints it; '' without a path.")
      .def_property_readonly(
          "cost", [](const PlanResult& o) { return realOf(o, "cost"); }, "Of the objective; infinite without a path.")
      .def_property_readonly(
          "length", [](const PlanResult& o) { return realOf(o, "length"); }, "In the space's metric.")
      .def_property_readonly(
          "seconds", [](const PlanResult& o) { return realOf(o, "seconds"); }, "Wall time of planning.")
      .def_property_readonly(
          "iterations", [](const PlanResult& o) { return o.report.integer("iterations", 0); },
          "Rounds that the planner made.")
      .def_property_readonly(
          "statistics",
          [](const PlanResult& o) {
            const Value* value = o.report.find("statistics");
            return value == nullptr ? py::object(py::dict()) : toPython(*value);
          },
          "statistics: dict[str, Any]\n\ndict: what the planner counted.")
      .def_property_readonly(
          "report", [](const PlanResult& o) { return toPython(o.report); },
          "report: dict[str, Any]\n\ndict: everything that `mortise plan --json` says of a run.")
      .def_property_readonly(
          "roadmap", &roadmapOf,
          "roadmap: dict[str, ndarray] | None\n\ndict of vertices (n, dof), edges (m, 2), costs (m,), checked (m,), "
          "starts and goals (indices of vertices), where the planner keeps one and it was asked for; else None.")
      .def("__bool__", [](const PlanResult& o) { return !o.path.empty(); })
      .def("__repr__", &resultText);
}

}  // namespace mortise::python
