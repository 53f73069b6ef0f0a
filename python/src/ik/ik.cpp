#include <optional>
#include <pybind11/stl.h>
#include <type_traits>

#include "common/arrays.h"
#include "common/bindings.h"
#include "common/define.h"
#include "common/environment.h"
#include "common/operation_settings.h"
#include "common/threads.h"
#include "common/values.h"
#include "geometry/shapes.h"
#include "ik/ik_goals.h"
#include "model/models.h"
#include "mortise/goals/ik_report.h"
#include "mortise/goals/ik_settings.h"
#include "mortise/goals/terms_setting.h"
#include "mortise/ik/ik_solver.h"

namespace mortise::python {

namespace {

std::vector<IKTerm> termsFrom(const Robot& robot, py::handle goals) {
  const Value value = ikGoalsFrom(goals, "goals");
  std::vector<IKTerm> terms;
  withLoader("the goals cannot be used", [&](FormatLoader& loader, Diagnostics& diagnostics) {
    terms = ikTermsFromSetting(value, robot, loader, diagnostics);
  });
  return terms;
}

struct SolverHandle {
  RobotPtr robot;
  std::unique_ptr<IKSolver> solver;
};

std::unique_ptr<SolverHandle> makeSolver(const std::shared_ptr<Robot>& robot, py::handle goals, py::handle active,
                                         bool limits) {
  if (!robot) throw py::type_error("robot: expected a Robot, found None");
  IKProblem problem;
  problem.robot = robot;
  problem.terms = termsFrom(*robot, goals);
  problem.limits = limits;
  if (!active.is_none()) {
    if (PyUnicode_Check(active.ptr()) != 0 || PySequence_Check(active.ptr()) == 0)
      throw py::type_error("active: expected a list of links, found " + shapeText(active));
    for (const auto link : active) problem.active.push_back(linkIndex(*robot, link));
  }
  auto handle = std::make_unique<SolverHandle>();
  handle->robot = robot;
  py::gil_scoped_release release;
  handle->solver = std::make_unique<IKSolver>(std::move(problem));
  return handle;
}

IKOptions optionsFrom(const Robot& robot, py::handle start, const py::kwargs& more) {
  IKOptions options;
  if (py::len(more) > 0) {
    py::dict given = more.attr("copy")();
    const py::object bias = given.contains("bias") ? py::object(given.attr("pop")("bias")) : py::object(py::none());
    options = operationSettings<IKSolveSettings>("solve", given).options();
    if (!bias.is_none()) options.bias = vectorFrom(bias, "bias", robot.numLinks());
  }
  if (!start.is_none()) options.start = vectorFrom(start, "start", robot.numLinks());
  return options;
}

/// Solves without the GIL; Ctrl-C ends it.
template <typename Solve>
auto interruptible(IKOptions options, Solve&& solve) {
  SignalCheck signals;
  bool interrupted = false;
  options.stop = [&] { return interrupted = interrupted || signals.interrupted(); };
  std::optional<std::invoke_result_t<Solve, const IKOptions&>> found;
  {
    const py::gil_scoped_release release;
    found = solve(options);
  }
  if (interrupted) throw py::error_already_set();
  return *std::move(found);
}

const std::string& optionsText() {
  static const std::string text = "\n\nOptions:\n    start: (num_links,).\n    bias: (num_links,), as of IKOptions.\n" +
                                  argumentsText(schemaOf<IKSolveSettings>({}));
  return text;
}

/// Returns the options as they stand in a signature.
std::string optionsInSignature() {
  return "bias: ArrayLike | None = None, " + signatureText(schemaOf<IKSolveSettings>({}));
}

constexpr const char* kGoals =
    "goals: a dict or a list of them, as `mortise robot ik` takes them: {'link': 'hand', 'position': [x, y, z], 'rpy': "
    "[..]}, with 'rotation' (3 x 3, or a rotation vector, rad) or 'pose' (a RigidTransform, X_WL) as well, "
    "{'link': ..., 'local_points': ..., 'points': ...}, {'com': [0, 0, None]}, {'joints': {'elbow': 1.2}}, {'look_at': "
    "...}, "
    "{'distance': [low, high], ...}; each with 'priority' and 'weight'.";

}  // namespace

namespace {

void bindSolutions(py::module_& m) {
  Class<IKSolution>(m, "IKSolution", "What inverse kinematics found.")
      .def_readonly("solved", &IKSolution::solved, "Whether all goals hold within their tolerances.")
      .def_property_readonly(
          "q", [](const IKSolution& s) { return arrayOf(s.q); },
          "(num_links,); where it is not solved, the nearest that was found.")
      .def_readonly("residual", &IKSolution::residual, "Length of the errors, m and rad.")
      .def_readonly("restarts", &IKSolution::restarts, "Which try it is from; 0: from the start.")
      .def_readonly("iterations", &IKSolution::iterations, "Of all tries up to this one.")
      .def_property_readonly(
          "method", [](const IKSolution& s) { return std::string(ikMethodName(s.method)); },
          "Whose answer it is: 'analytic', of the closed form, or 'numeric'.")
      .def_readonly("levels", &IKSolution::levels,
                    "Length of the errors of each priority, in order; empty where there is one.")
      .def("__bool__", [](const IKSolution& s) { return s.solved; })
      .def("__repr__", [](const IKSolution& s) {
        return std::string("IKSolution(") + (s.solved ? "solved" : "not solved") + ", residual " +
               std::to_string(s.residual) + ")";
      });
}

void bindOneSolution(py::module_& m) {
  static const std::string oneDoc =
      std::string(
          "solve_ik(robot, goals: Goals, start: ArrayLike | None = None, active: Sequence[int | str | RobotLink] | "
          "None = None, limits: bool = True, ") +
      optionsInSignature() + ") -> IKSolution\n\nOne problem. " + kGoals + optionsText();
  define(
      m, "solve_ik",
      [](const std::shared_ptr<Robot>& robot, py::handle goals, py::handle start, py::handle active, bool limits,
         const py::kwargs& more) {
        const auto handle = makeSolver(robot, goals, active, limits);
        return interruptible(optionsFrom(*robot, start, more),
                             [&](const IKOptions& options) { return handle->solver->solve(options); });
      },
      py::arg("robot"), py::arg("goals"), py::arg("start") = py::none(), py::arg("active") = py::none(),
      py::arg("limits") = true, oneDoc.c_str());
}

}  // namespace

void bindIK(py::module_& m) {
  bindSolutions(m);
  static const std::string solverDoc =
      std::string(
          "IKSolver(robot, goals: Goals, active: Sequence[int | str | RobotLink] | None = None, limits: bool = "
          "True)\n\nSolves problems of one structure again and again. ") +
      kGoals + " active: links that may move (None: all that matter); limits: whether joint limits hold.";
  static const std::string solveDoc =
      "solve(start: ArrayLike | None = None, " + optionsInSignature() +
      ") -> IKSolution\n\nFrom the start, then from random configurations until a try succeeds; without the GIL." +
      optionsText();
  Class<SolverHandle>(m, "IKSolver", solverDoc.c_str())
      .def(constructor(&makeSolver), py::arg("robot"), py::arg("goals"), py::arg("active") = py::none(),
           py::arg("limits") = true)
      .def_property_readonly(
          "robot", [](const SolverHandle& h) { return held(h.robot); }, "The Robot that is solved for.")
      .def_property_readonly(
          "closed_form", [](const SolverHandle& h) { return std::string(h.solver->closedForm()); },
          "Name of the closed form; '' where there is none.")
      .def("__repr__",
           [](const SolverHandle& h) {
             const std::size_t terms = h.solver->problem().terms.size();
             return "IKSolver('" + h.robot->name() + "', " + std::to_string(terms) +
                    (terms == 1 ? " goal)" : " goals)");
           })
      .def(
          "set_goals", [](SolverHandle& h, py::handle goals) { h.solver->setTerms(termsFrom(*h.robot, goals)); },
          py::arg("goals"), "set_goals(goals: Goals)\n\nOther targets of the same links and kinds.")
      .def(
          "solve",
          [](SolverHandle& h, py::handle start, const py::kwargs& more) {
            return interruptible(optionsFrom(*h.robot, start, more),
                                 [&](const IKOptions& options) { return h.solver->solve(options); });
          },
          py::arg("start") = py::none(), solveDoc.c_str())
      .def(
          "solve_local",
          [](SolverHandle& h, py::handle start, const py::kwargs& more) {
            return interruptible(optionsFrom(*h.robot, start, more),
                                 [&](const IKOptions& options) { return h.solver->solveLocal(options); });
          },
          py::arg("start") = py::none(),
          "solve_local(start: ArrayLike | None = None, " + optionsInSignature() +
              ") -> IKSolution\n\nFrom the start alone.")
      .def(
          "solve_all",
          [](SolverHandle& h, py::handle start, const py::kwargs& more) {
            return interruptible(optionsFrom(*h.robot, start, more),
                                 [&](const IKOptions& options) { return h.solver->solveAll(options); });
          },
          py::arg("start") = py::none(),
          "solve_all(start: ArrayLike | None = None, " + optionsInSignature() +
              ") -> list[IKSolution]\n\nAll different solutions, the nearest to the start first.");
  bindOneSolution(m);
}

}  // namespace mortise::python
