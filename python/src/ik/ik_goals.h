#pragma once

/// Goals of inverse kinematics as programs write them.

#include <pybind11/pybind11.h>
#include <string>

#include "mortise/base/value.h"

namespace mortise::python {

/// Reads goals as those of files are read (`ikTermsFromSetting`), and beyond those: `rotation` as a 3 x 3 array, `pose`
/// in place of position and rotation, and links as RobotLink. Throws TypeError and ValueError with the place in
/// `goals`.
Value ikGoalsFrom(pybind11::handle goals, const std::string& name);

}  // namespace mortise::python
