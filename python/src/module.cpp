#include "common/bindings.h"
#include "components/script_library.h"
#include "view/bind_views.h"

PYBIND11_MODULE(_mortise, m) {
  using namespace mortise::python;
  py::options options;
  options.disable_function_signatures();  // They would show types of C++; docstrings begin with those of Python.
  m.doc() = "The compiled part of the package mortise.";
  m.attr("__version__") = MORTISE_VERSION;
  const py::object ownName = m.attr("__name__");
  m.attr("__name__") = "mortise";  // Where people import from: messages name types and functions so.
  bindErrors(m);
  bindMath(m);
  bindGeometry(m);
  bindModels(m);
  bindStates(m);
  bindDynamics(m);
  bindWorlds(m);
  bindCollision(m);
  bindResources(m);
  bindPlugins(m);
  bindIK(m);
  bindPipelines(m);
  bindPlanning(m);
  bindSimulation(m);
  bindViews(m);
  bindComponents(m);
  m.attr("__name__") = ownName;
  bindRobotsim(m);
  bindPickles();
}
