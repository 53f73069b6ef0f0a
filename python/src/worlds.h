#pragma once

#include <memory>
#include <pybind11/pybind11.h>

#include "mortise/model/world.h"

namespace mortise::python {

namespace py = pybind11;

/// Python's World. What it holds never changes; `with_...` makes others.
using WorldPtr = std::shared_ptr<World>;

/// A robot, object or terrain by index or name. Throws IndexError or KeyError.
int robotIndex(const World& world, py::handle which);
int objectIndex(const World& world, py::handle which);
int terrainIndex(const World& world, py::handle which);
/// A world id: an int, or the name of something, "robot[link]" for links. Throws IndexError or KeyError.
int worldId(const World& world, py::handle which);

/// "World('blocks.xml', 1 robot, 3 objects, 1 terrain)"
std::string worldText(const World& world);

}  // namespace mortise::python
