#pragma once

#include <pybind11/pybind11.h>
#include <vector>

#include "mortise/base/value.h"

/// Colors that programs give to appearances, as what draws worlds reads them: `display` entries.
namespace mortise::robotsim {

/// `display` with the color of faces of an `Appearance`, if a program changed it.
std::vector<Value> shown(const std::vector<Value>& display, const pybind11::object& appearance);

/// The same for a dictionary of the appearances of a robot's links by index.
std::vector<Value> shownLinks(const std::vector<Value>& display, const pybind11::object& appearances);

}  // namespace mortise::robotsim
