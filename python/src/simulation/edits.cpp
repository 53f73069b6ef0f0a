// Edits of a simulation's world, from Python.

#include <pybind11/stl.h>

#include "common/values.h"
#include "mortise/json/json_reader.h"
#include "mortise/simulation/editing/world_edit.h"
#include "simulation/simulation.h"

namespace mortise::python {

void bindEdits(SimulationClass& type) {
  type.def(
          "edit",
          [](SimulationHandle& h, const py::kwargs& changes) {
            if (h.running) throw Error("a hook cannot edit the simulation that runs it", {}, "edit it between steps");
            Value keys = settingsFrom(py::none(), changes, "changes");
            const WorldEdit edit = worldEditFrom(keys);
            Simulation& s = h.simulation();
            {
              py::gil_scoped_release release;
              s.edit(edit);
            }
            Value entry = Value::map();
            entry.set("at", s.time());
            entry.set("edit", edit.record());
            return toPython(entry);
          },
          "edit(**changes: Any) -> dict[str, Any]\n\nChanges the world between two steps, under the keys of `edit` in "
          "pipelines: edit(body='block', mass=2, friction=0.1, position=[0, 0, 1]), edit(body='arm', driver='elbow', "
          "servo_p=100), edit(add='ball', sphere=0.1, mass=1, position=[0, 0, 1]), edit(remove='ball'). Where the "
          "engine cannot change it in place, its scene is built anew and goes on from the present state. Returns the "
          "entry of `commands` that does the same.")
      .def_property_readonly(
          "edits",
          [](SimulationHandle& h) {
            Value list = Value::list();
            for (const std::string& edit : h.simulation().edits()) list.push_back(JsonReader(edit).value());
            return toPython(list);
          },
          "edits: list[dict[str, Any]]\n\nThe edits that made the world of the initial one, but for those that only "
          "moved things.");
}

}  // namespace mortise::python
