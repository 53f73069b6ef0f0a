#pragma once

#include <memory>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

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

/// Throws ValueError for what no surface has: friction, restitution, stiffness, damping, padding or rolling below 0 or
/// not a number, a restitution or padding without end, a `preshrink` other than 0, 1 and 2.
void requireSurface(const Surface& surface);
/// The index of a name or number among these. Throws IndexError or KeyError.
int indexAmong(const std::vector<std::string>& names, py::handle which, const char* kind);
/// "3 robots"
std::string counted(std::size_t number, const char* what);

/// WorldDescription and `load_world_description`.
void bindWorldDescriptions(py::module_& m);

/// "World('blocks.xml', 1 robot, 3 objects, 1 terrain)"
std::string worldText(const World& world);

}  // namespace mortise::python
