#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/define.h"
#include "common/environment.h"
#include "common/operation_settings.h"
#include "common/values.h"
#include "ik/ik_goals.h"
#include "model/models.h"
#include "model/worlds.h"
#include "mortise/base/error.h"
#include "mortise/collision/world_collider.h"
#include "mortise/planning/plan_request_settings.h"
#include "mortise/planning/plan_run.h"
#include "mortise/planning/settings/plan_schema.h"
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

/// Settings of a plan that are arguments of their own.
const std::vector<std::string>& namedSettings() {
  static const std::vector<std::string> names = {"goal", "start", "planner", "settings"};
  return names;
}

/// Converts a goal as `valueFrom` does; what stands under `ik` may be written as `solve_ik` takes it.
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
  given.plan = givenArguments("plan", schemaWithout(planSchema(), namedSettings()), more);
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
  static const std::string doc =
      "plan(world: World | Robot, goal: Any, start: Any = None, planner: str | None = None, settings: Mapping[str, "
      "Any] | None = None, shortcut: bool | str | Mapping[str, Any] | None = None, retime: bool | str | "
      "Mapping[str, Any] | None = None, check = False, roadmap: PathLike | None = None, " +
      signatureText(planSchema(), namedSettings()) +
      ") -> PlanResult\n\nA collision-free motion of robots, or of a rigid object, in a World (or of a Robot alone), "
      "as "
      "`mortise plan` makes it. Raises Error for what cannot be planned; without a path the result is False. Without "
      "the GIL; Ctrl-C ends it.\n\nArguments:\n    goal: (num_links,) or one number a driver, a list of these, a file, "
      "a dict of coordinates by name, {'ik': goals}, ...\n    start: the same; as the world has it if None.\n    "
      "planner: a name of components('planner').\n    settings: the planner's own.\n    shortcut: True, or a dict of "
      "settings (below).\n    retime: True, the name of a method, or a dict of settings (below).\n    check: whether "
      "the result is checked again.\n    roadmap: a file for what the planner knows, .tgf or .json.\n" +
      argumentsText(planSchema(), namedSettings()) + "\nSettings of shortcut:\n" +
      argumentsText(schemaOf<ShortcutSettings>({})) + "\nSettings of retime:\n" +
      argumentsText(schemaOf<RetimeSettings>({}));
  define(m, "plan", &planInWorld, py::arg("world"), py::arg("goal"), py::arg("start") = py::none(),
         py::arg("planner") = py::none(), py::arg("settings") = py::none(), py::arg("shortcut") = py::none(),
         py::arg("retime") = py::none(), py::arg("check") = false, py::arg("roadmap") = py::none(), doc.c_str());
}

}  // namespace mortise::python
