#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/define.h"
#include "common/environment.h"
#include "common/values.h"
#include "ik/ik_goals.h"
#include "model/models.h"
#include "model/worlds.h"
#include "mortise/base/error.h"
#include "mortise/collision/world_collider.h"
#include "mortise/planning/plan_request_settings.h"
#include "mortise/planning/plan_run.h"
#include "planning/plan_result.h"

namespace mortise::python {

namespace {

/// True: the defaults; a dict; for `retime` also the name of a method. None and False: without the step.
std::optional<Value> stepFrom(py::handle given, const char* name, const char* key) {
  if (given.is_none() || given.ptr() == Py_False) return std::nullopt;
  if (given.ptr() == Py_True) return Value::map();
  if (PyDict_Check(given.ptr()) != 0) return settingsFrom(given, name);
  if (key != nullptr && PyUnicode_Check(given.ptr()) != 0) {
    Value settings = Value::map();
    settings.set(key, valueFrom(given, name));
    return settings;
  }
  throw py::type_error(std::string(name) + ": expected True, a dict of settings or None, found " + shapeText(given));
}

/// As valueFrom; what stands under `ik` may be written as `solve_ik` takes it.
Value goalFrom(py::handle goal) {
  if (PyDict_Check(goal.ptr()) == 0 || !py::reinterpret_borrow<py::dict>(goal).contains("ik"))
    return valueFrom(goal, "goal");
  const py::dict rest = py::reinterpret_steal<py::dict>(PyDict_Copy(goal.ptr()));
  const Value goals = ikGoalsFrom(rest["ik"], "goal.ik");
  PyDict_DelItemString(rest.ptr(), "ik");
  Value all = valueFrom(rest, "goal");
  all.set("ik", goals);
  return all;
}

PlanRequestSettings settingsOf(py::handle goal, py::handle start, py::handle planner, py::handle settings,
                               const py::kwargs& more) {
  PlanRequestSettings given;
  given.plan = settingsFrom(py::none(), more, "plan");
  given.plan.set("goal", goalFrom(goal));
  if (!start.is_none()) given.plan.set("start", valueFrom(start, "start"));
  if (!planner.is_none()) given.plan.set("planner", valueFrom(planner, "planner"));
  if (!settings.is_none()) given.plan.set("settings", settingsFrom(settings, "settings"));
  return given;
}

std::shared_ptr<const World> worldFrom(py::handle of) {
  if (py::isinstance<World>(of)) return of.cast<WorldPtr>();
  if (py::isinstance<Robot>(of)) return worldOf(of.cast<std::shared_ptr<Robot>>());
  throw py::type_error("world: expected a World or a Robot, found " + shapeText(of));
}

PlanResult planInWorld(py::handle world, py::handle goal, py::handle start, py::handle planner, py::handle settings,
                       py::handle shortcut, py::handle retime, bool check, py::handle roadmap, const py::kwargs& more) {
  const std::shared_ptr<const World> own = worldFrom(world);
  PlanRequestSettings given = settingsOf(goal, start, planner, settings, more);
  given.shortcut = stepFrom(shortcut, "shortcut", nullptr);
  given.retime = stepFrom(retime, "retime", "method");
  given.check = check;
  if (!roadmap.is_none()) given.roadmap = pathFrom(roadmap, "roadmap");
  SignalCheck signals;
  bool interrupted = false;
  PlanResult result;
  withLoader("the plan cannot be made", [&](FormatLoader& loader, Diagnostics& diagnostics) {
    const EnvironmentPtr of = environment();
    const PlanRequest request =
        readPlanRequest(given, planSchema(), PlanSources{*own, loader, &of->registry, {}, {}, {}}, diagnostics);
    diagnostics.throwIfErrors("the plan cannot be made");
    result = runPlan(own, request, of->registry, of->log, nullptr, [&] {
      interrupted = interrupted || signals.interrupted();
      return interrupted;
    });
  });
  if (interrupted) throw py::error_already_set();
  return result;
}

}  // namespace

void bindWorldPlanning(py::module_& m) {
  define(m, "plan", &planInWorld, py::arg("world"), py::arg("goal"), py::arg("start") = py::none(),
         py::arg("planner") = py::none(), py::arg("settings") = py::none(), py::arg("shortcut") = py::none(),
         py::arg("retime") = py::none(), py::arg("check") = false, py::arg("roadmap") = py::none(),
         "plan(world: World | Robot, goal: Any, start: Any = None, planner: str | None = None, settings: Mapping[str, "
         "Any] | None = None, shortcut: bool | str | Mapping[str, Any] | None = None, retime: bool | str | "
         "Mapping[str, Any] | None = None, check = False, roadmap: PathLike | None = None, **more: Any) -> "
         "PlanResult\n\nA collision-free motion of robots, or of a rigid object, in a World (or of a Robot alone), as "
         "`mortise plan` makes it. goal: (num_links,) or one number a driver, a list of these, a file, a dict of "
         "coordinates by name, {'ik': goals}, ...; start: the same, as the world has it if None. planner: a name of "
         "components('planner'), settings: its own. Everything else that a plan's YAML may say is a keyword: robot, "
         "links, object, margin, keep, stance, objective, time_limit (s), iterations, optimize, seed, ... shortcut, "
         "retime: True or a dict of settings ({'method': 'blend'}), or the method's name; check: checks the result. "
         "roadmap: a file for what the planner knows, .tgf or .json. Raises Error for what cannot be planned; without "
         "a path the result is False. Without the GIL; Ctrl-C ends it.");
}

}  // namespace mortise::python
