#pragma once

#include "common/define.h"
#include "robotsim/model/convert.h"
#include "robotsim/model/robot_model.h"
#include "robotsim/model/shape.h"
#include "robotsim/model/world.h"

namespace mortise::robotsim {

void bindShapes(py::module_& m);
void bindRobots(py::module_& m);
void bindRobotDynamics(Class<RobotModel, RobotModelPtr>& robot);
void bindSensors(py::module_& m);
void bindWorldModels(py::module_& m);
void bindInverseKinematics(py::module_& m);
void bindSimulators(py::module_& m);
void bindMechanics(py::module_& m);
void bindPlanners(py::module_& m);

}  // namespace mortise::robotsim
