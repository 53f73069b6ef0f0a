#include <cmath>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/collected.h"
#include "common/define.h"
#include "common/environment.h"
#include "common/values.h"
#include "mortise/base/error.h"
#include "mortise/planning/goals/goals.h"
#include "mortise/planning/plan_report.h"
#include "mortise/planning/planning_run.h"
#include "mortise/planning/request/default_planner.h"
#include "mortise/planning/request/required_planner.h"
#include "mortise/simulation/context/component_host.h"
#include "planning/function_calls.h"
#include "planning/plan_result.h"

namespace mortise::python {

namespace {

py::object functionFrom(py::handle from, const char* name, bool required = false) {
  if (from.is_none() && !required) return py::none();
  if (PyCallable_Check(from.ptr()) == 0)
    throw py::type_error(std::string(name) + ": expected a function, found " + shapeText(from));
  return py::reinterpret_borrow<py::object>(from);
}

std::unique_ptr<SpaceHandle> makeSpace(py::handle low, py::handle high, py::handle feasible, py::handle visible,
                                       py::handle sampler, py::handle distance, double resolution, py::handle weights,
                                       py::handle names) {
  auto space = std::make_unique<SpaceHandle>();
  space->low = vectorFrom(low, "low");
  space->high = vectorFrom(high, "high", space->low.size());
  if (!std::isfinite(resolution) || resolution < 0)
    throw py::value_error("resolution: expected a distance of at least 0 (0: a thousandth of the extent)");
  space->resolution = resolution;
  if (!weights.is_none()) space->weights = vectorFrom(weights, "weights", space->low.size());
  if (!names.is_none()) {
    if (PyUnicode_Check(names.ptr()) != 0 || PySequence_Check(names.ptr()) == 0)
      throw py::type_error("names: expected a list of names, found " + shapeText(names));
    for (const auto name : names) space->names.push_back(py::str(name));
  }
  space->feasible = functionFrom(feasible, "feasible", true);
  space->visible = functionFrom(visible, "visible");
  space->sampler = functionFrom(sampler, "sampler");
  space->distance = functionFrom(distance, "distance");
  space->plain();  // Throws where the numbers make no space.
  return space;
}

/// Everything that one run of a planner needs.
class SpaceRun {
 public:
  SpaceRun(const SpaceHandle& handle, std::uint64_t seed)
      : handle_(handle),
        calls_(static_cast<int>(handle.low.size())),
        numbers_(py::module_::import("numpy").attr("random").attr("default_rng")(seed)),
        space_(handle, calls_, numbers_),
        seed_(seed),
        environment_(environment()) {}

  /// A configuration, several, or a function.
  void setGoal(py::handle goal, py::handle sampler, double tolerance) {
    if (PyCallable_Check(goal.ptr()) != 0) {
      goal_ = std::make_unique<PythonGoal>(space_, calls_, py::reinterpret_borrow<py::object>(goal),
                                           functionFrom(sampler, "goal_sampler"), numbers_);
      return;
    }
    if (!sampler.is_none()) throw py::value_error("goal_sampler: it needs a goal that is a function");
    if (!(tolerance >= 0)) throw py::value_error("tolerance: expected a distance of at least 0");
    goal_ = std::make_unique<ConfigurationGoal>(space_, configurations(goal, "goal"), tolerance);
  }

  std::vector<VectorXd> configurations(py::handle from, const char* name) const {
    const auto size = static_cast<py::ssize_t>(handle_.low.size());
    const py::array array = py::array::ensure(from);
    if (!array) PyErr_Clear();
    if (array && array.ndim() == 2) return configurationList(from, name, size);
    VectorXd q = vectorFrom(from, name, size);
    if (!q.allFinite()) throw py::value_error(std::string(name) + ": expected finite numbers");
    return {std::move(q)};
  }

  PlanResult run(py::handle start, const std::string& planner, const Value& settings, const StopConditions& stop) {
    Registry& registry = environment_->registry;
    const ComponentInfo& info = requirePlanner(registry, planner);
    Diagnostics diagnostics;
    const Value complete = registry.completeSettings(info, settings, diagnostics);
    diagnostics.throwIfErrors("the planner's settings cannot be used");
    const PlanningProblem problem{space_, configurations(start, "start"), *goal_, nullptr};
    if (problem.starts.empty()) throw py::value_error("start: expected at least one configuration");
    ChannelTable channels;
    ComponentHost host("planner", seed_, environment_->log, nullptr, channels, std::string(), std::string());
    const ComponentPtr<Planner> made = registry.create<Planner>(info, complete, host);
    SignalCheck signals;
    bool interrupted = false;
    StopClock clock(stop, [&] {
      interrupted = interrupted || signals.interrupted();
      return interrupted || calls_.failed();
    });
    RandomStream random(seed_, "plan");
    PlanResult result;
    try {
      result.run = runPlanner(*made, problem, random, clock);
    } catch (const Error& error) {
      if (interrupted) throw py::error_already_set();
      calls_.rethrow();
      throw Error(info.name + ": " + error.message(), error.where(), error.hint());
    }
    if (interrupted) throw py::error_already_set();
    calls_.rethrow();
    result.planner = info.name;
    result.dimension = space_.dimension();
    result.path = result.run.outcome.path;
    result.report = planReport(result, length(result.path), seed_);
    Roadmap roadmap;
    if (made->roadmap(roadmap)) result.roadmap = std::move(roadmap);
    calls_.rethrow();
    return result;
  }

 private:
  double length(const std::vector<VectorXd>& path) const {
    double length = path.empty() ? std::numeric_limits<double>::infinity() : 0;
    for (std::size_t i = 1; i < path.size(); ++i) length += space_.distance(path[i - 1], path[i]);
    return length;
  }

  const SpaceHandle& handle_;
  FunctionCalls calls_;
  py::object numbers_;  ///< For samplers: numpy's generator.
  PythonSpace space_;
  std::uint64_t seed_;
  EnvironmentPtr environment_;
  std::unique_ptr<PlanningGoal> goal_;
};

/// Plans in a space of functions. The arguments are declared here and do not follow from `PlanSettings`: most of those
/// are about a world, which there is none of, goals may be functions, and limits of 0, which end a plan in a world at
/// once, are refused. Those that both have are called the same; tests/python/test_planning.py compares the names.
PlanResult planIn(const SpaceHandle& space, py::handle start, py::handle goal, const std::string& planner,
                  py::handle timeLimit, py::handle iterations, bool optimize, std::uint64_t seed,
                  py::handle goalSampler, double tolerance, py::handle settings) {
  StopConditions stop;
  stop.foundSolution = !optimize;
  stop.seconds = timeLimitFrom(timeLimit);
  stop.iterations = iterationsFrom(iterations);
  if (timeLimit.is_none() && iterations.is_none()) stop.seconds = 10;
  const Value given = settingsFrom(settings, "settings");
  SpaceRun run(space, seed);
  run.setGoal(goal, goalSampler, tolerance);
  return run.run(start, planner, given, stop);
}

/// Functions often refer to what holds them, so the collector has to see through a space.
int traverse(PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (!instance->simple_layout || instance->simple_value_holder[0] == nullptr) return 0;
  const auto& space = *static_cast<SpaceHandle*>(instance->simple_value_holder[0]);
  for (const py::object* function : {&space.feasible, &space.visible, &space.sampler, &space.distance})
    Py_VISIT(function->ptr());
  return 0;
}

int clearFunctions(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (!instance->simple_layout || instance->simple_value_holder[0] == nullptr) return 0;
  auto& space = *static_cast<SpaceHandle*>(instance->simple_value_holder[0]);
  for (py::object* function : {&space.feasible, &space.visible, &space.sampler, &space.distance}) {
    const py::object dropped = std::move(*function);
    *function = py::none();
  }
  return 0;
}

}  // namespace

void bindSpace(py::module_& m) {
  Class<SpaceHandle>(
      m, "Space",
      "Space(low: ArrayLike, high: ArrayLike, feasible: Callable[[NDArray[np.float64]], bool], visible: "
      "Callable[[NDArray[np.float64], NDArray[np.float64]], bool] | None = None, sampler: "
      "Callable[[np.random.Generator], ArrayLike | None] | None = None, distance: Callable[[NDArray[np.float64], "
      "NDArray[np.float64]], float] | None = None, resolution = 0, weights: ArrayLike | None = None, names: "
      "Sequence[str] | None = None)\n\nA space to plan in out of functions of Python. low, high: (d,), finite bounds. "
      "feasible(q) -> bool, q an array (d,) within the bounds. visible(a, b) -> bool: whether the straight way between "
      "two feasible ones is; without it, feasible is asked in steps of resolution (0: a thousandth of the extent). "
      "sampler(random) -> array (d,) or None, with a numpy Generator seeded by the run. distance(a, b) -> float: a "
      "metric; the Euclidean one, with weights (d,), if None. Exceptions of functions end the planner and arrive "
      "unchanged.",
      collected(traverse, clearFunctions))
      .def(constructor(&makeSpace), py::arg("low"), py::arg("high"), py::arg("feasible"),
           py::arg("visible") = py::none(), py::arg("sampler") = py::none(), py::arg("distance") = py::none(),
           py::arg("resolution") = 0.0, py::arg("weights") = py::none(), py::arg("names") = py::none())
      .def_property_readonly(
          "dimension", [](const SpaceHandle& s) { return s.low.size(); }, "Numbers of a configuration.")
      .def_property_readonly(
          "low", [](const SpaceHandle& s) { return readOnly(arrayOf(s.low)); }, "(d,)")
      .def_property_readonly(
          "high", [](const SpaceHandle& s) { return readOnly(arrayOf(s.high)); }, "(d,)")
      .def("plan", &planIn, py::arg("start"), py::arg("goal"), py::arg("planner") = kDefaultPlanner,
           py::arg("time_limit") = py::none(), py::arg("iterations") = py::none(), py::arg("optimize") = false,
           py::arg("seed") = 0, py::arg("goal_sampler") = py::none(), py::arg("tolerance") = 1e-9,
           py::arg("settings") = py::none(),
           "plan(start: ArrayLike, goal: ArrayLike | Callable[[NDArray[np.float64]], bool], planner = 'any', "
           "time_limit: float | None = None, iterations: int | None = None, optimize = False, seed = 0, goal_sampler: "
           "Callable[[np.random.Generator], ArrayLike | None] | None = None, tolerance = 1e-9, settings: Mapping[str, "
           "Any] | None = None) -> PlanResult\n\nstart: (d,), or several (n, d). goal: the same, or a function goal(q) "
           "-> bool, with goal_sampler(random) -> array (d,) or None where that is known. planner: a name of "
           "components('planner'); settings: its own, a dict. time_limit: s; iterations: rounds of the planner; 10 s "
           "without both. optimize: goes on after the first path. Equal seeds and iterations give equal paths.")
      .def("__repr__", [](const SpaceHandle& s) { return "Space(" + std::to_string(s.low.size()) + " dimensions)"; });
}

}  // namespace mortise::python
