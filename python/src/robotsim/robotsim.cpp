#include "common/bindings.h"
#include "robotsim/bind.h"

namespace mortise::python {

void bindRobotsim(py::module_& m) {
  py::module_ s = m.def_submodule("robotsim", "What stands behind the package klampt.robotsim; programs use that.");
  robotsim::bindShapes(s);
  robotsim::bindSensors(s);
  robotsim::bindRobots(s);
  robotsim::bindWorldModels(s);
  robotsim::bindInverseKinematics(s);
  robotsim::bindSimulators(s);
  robotsim::bindMechanics(s);
  robotsim::bindPlanners(s);
}

}  // namespace mortise::python
