#pragma once

/// The common part of the files about contacts.

#include <pybind11/pybind11.h>
#include <vector>

#include "mortise/mechanics/forces/contact_force_limits.h"
#include "mortise/mechanics/link_contact.h"

namespace mortise::python {

namespace py = pybind11;

/// Everything about contacts.
void bindMechanics(py::module_& m);
void bindContacts(py::module_& m);
void bindEquilibrium(py::module_& m);
void bindGrasps(py::module_& m);
void bindContactTorques(py::module_& m);

/// From an array (n, 7) of x, y, z, nx, ny, nz, friction, or a list of LinkContact and of dicts as `load` gives them.
/// Normals get length 1. `robot`, when not null, is that of links given by name.
std::vector<LinkContact> contactsFrom(py::handle from, const char* name, const Robot* robot = nullptr);
std::vector<ContactPoint> contactPointsFrom(py::handle from, const char* name);
/// Limits from the options `force_limit` (N, or None) and `robustness` (N).
ContactForceLimits forceLimitsFrom(const std::vector<ContactPoint>& contacts, py::handle forceLimit, double robustness);
Vector3d gravityFrom(py::handle gravity);
/// (n, 3), or None without forces.
py::object forcesOf(bool found, const std::vector<Vector3d>& forces);

}  // namespace mortise::python
