#pragma once

/// The content of pickles of robots and worlds: everything that their files said, so that they come back with the same
/// bits.

#include <memory>
#include <pybind11/pybind11.h>

#include "mortise/model/world.h"

namespace mortise::python {

namespace py = pybind11;

py::list robotState(const Robot& robot);
std::shared_ptr<Robot> robotFrom(const py::list& state);
py::list worldState(const World& world);
std::shared_ptr<World> worldFrom(const py::list& state);

}  // namespace mortise::python
