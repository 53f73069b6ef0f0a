#pragma once

/// The common part of queries between shapes and queries within worlds.

#include <pybind11/pybind11.h>
#include <vector>

#include "mortise/collision/query.h"

namespace mortise::python {

namespace py = pybind11;

void bindCollisionShapes(py::module_& m);

/// {points_a, points_b, normals, gaps, elements}
py::dict contactsDict(const std::vector<ElementContact>& contacts);
Ray rayFrom(py::handle origin, py::handle direction, py::handle max);
std::vector<Ray> raysFrom(py::handle origins, py::handle directions, py::handle max);
/// None: infinite.
double rayLength(py::handle max);
double distanceLimit(py::handle bound);
/// Writes what arrays say of a ray: t, and three numbers each of the point and the normal, NaN without a hit.
void rayRow(const RayHit& hit, bool found, double* t, double* point, double* normal);

}  // namespace mortise::python
