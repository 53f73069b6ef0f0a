#pragma once

#include "robotsim/convert.h"
#include "robotsim/robot.h"
#include "robotsim/shape.h"
#include "robotsim/world.h"

namespace mortise::robotsim {

void bindShapes(py::module_& m);
void bindRobots(py::module_& m);
void bindRobotDynamics(py::class_<RobotModel, RobotModelPtr>& robot);
void bindSensors(py::module_& m);
void bindWorldModels(py::module_& m);
void bindInverseKinematics(py::module_& m);
void bindSimulators(py::module_& m);
void bindMechanics(py::module_& m);
void bindPlanners(py::module_& m);

}  // namespace mortise::robotsim
