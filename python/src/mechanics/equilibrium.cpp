#include "mortise/mechanics/equilibrium.h"

#include <cmath>
#include <pybind11/stl.h>
#include <sstream>

#include "common/arrays.h"
#include "common/define.h"
#include "common/operation_settings.h"
#include "geometry/shapes.h"
#include "mechanics/contacts.h"
#include "model/models.h"
#include "mortise/mechanics/mechanics_settings.h"
#include "mortise/mechanics/support_polygon.h"

namespace mortise::python {

namespace {

py::array flatOf(const std::vector<Eigen::Vector2d>& corners) {
  py::array_t<double> array({static_cast<py::ssize_t>(corners.size()), py::ssize_t{2}});
  double* to = array.mutable_data();
  for (const Eigen::Vector2d& corner : corners) to = std::copy_n(corner.data(), 2, to);
  return array;
}

Equilibrium equilibriumOf(py::handle contacts, py::handle com, double mass, py::handle gravity, int edges,
                          py::handle forceLimit, double robustness) {
  requireNumber(mass, "mass", 0);
  if (!(mass > 0)) throw py::value_error("mass: expected kilograms above 0");
  const std::vector<ContactPoint> points = contactPointsFrom(contacts, "contacts");
  const Vector3d center = pointFrom(com, "com", Vector3d::Zero());
  EquilibriumOptions options;
  options.gravity_W = gravityFrom(gravity);
  options.coneEdges = edges;
  options.limits = forceLimitsFrom(points, forceLimit, robustness);
  py::gil_scoped_release release;
  return testEquilibrium(points, mass, center, options);
}

std::unique_ptr<SupportPolygon> polygonOf(py::handle contacts, py::handle gravity, int edges, double tolerance,
                                          double mass, py::handle forceLimit, double robustness) {
  const std::vector<ContactPoint> points = contactPointsFrom(contacts, "contacts");
  requireNumber(tolerance, "tolerance", 0);
  if (!(tolerance > 0)) throw py::value_error("tolerance: expected a distance above 0");
  requireNumber(mass, "mass", 0);
  SupportPolygonOptions options;
  options.gravity_W = gravityFrom(gravity);
  options.coneEdges = edges;
  options.tolerance = tolerance;
  options.limits = forceLimitsFrom(points, forceLimit, robustness);
  options.mass = mass;
  py::gil_scoped_release release;
  return std::make_unique<SupportPolygon>(points, options);
}

/// One center of mass (3,), or many (n, 3).
py::object marginsOf(const SupportPolygon& polygon, py::handle com) {
  const py::array array = py::array::ensure(com);
  if (!array) PyErr_Clear();
  if (!array || array.ndim() != 2) return py::float_(polygon.signedDistance(pointFrom(com, "com", Vector3d::Zero())));
  const std::vector<Vector3d> points = pointsFrom(com, "com");
  auto result = arrayOfSize<double>(static_cast<py::ssize_t>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) result.mutable_data()[i] = polygon.signedDistance(points[i]);
  return result;
}

std::unique_ptr<Balance> balanceOf(const std::shared_ptr<Robot>& robot, py::handle q, py::handle contacts,
                                   const BalanceOptions& options) {
  const VectorXd configuration = vectorFrom(q, "q", robot->numLinks());
  if (!configuration.allFinite()) throw py::value_error("q: expected finite numbers");
  const std::vector<LinkContact> points = contactsFrom(contacts, "contacts", robot.get());
  py::gil_scoped_release release;
  RobotDynamics dynamics(robot);
  dynamics.setPosition(configuration);
  return std::make_unique<Balance>(testBalance(dynamics, points, options));
}

void bindPolygon(py::module_& m) {
  Class<SupportPolygon>(
      m, "SupportPolygon",
      "SupportPolygon(contacts: Contacts, gravity: ArrayLike | None = None, cone_edges = 0, tolerance = 1e-6, mass = "
      "1, force_limit: float | None = None, robustness = 0)\n\nWhere the center of mass of a body at rest on contacts "
      "may be, seen along gravity (Bretl and Lall, 2008). cone_edges: of pyramids inside the friction cones; 0: the "
      "cones themselves, to the tolerance (m). force_limit: N along each normal; robustness: N that each force keeps "
      "from the sides of its cone; both need the mass (kg).")
      .def(constructor(&polygonOf), py::arg("contacts"), py::arg("gravity") = py::none(),
           py::arg("cone_edges") = SupportPolygonOptions().coneEdges,
           py::arg("tolerance") = SupportPolygonOptions().tolerance, py::arg("mass") = 1.0,
           py::arg("force_limit") = py::none(), py::arg("robustness") = 0.0)
      .def_property_readonly("empty", &SupportPolygon::empty, "Nothing balances.")
      .def_property_readonly("bounded", &SupportPolygon::bounded,
                             "Whether the polygon is finite; otherwise it goes on along the rays.")
      .def_property_readonly(
          "corners", [](const SupportPolygon& p) { return flatOf(p.corners()); },
          "(n, 2), m, counter-clockwise seen against gravity, along the axes. Strips, half a plane and the whole plane "
          "have none.")
      .def_property_readonly(
          "rays", [](const SupportPolygon& p) { return flatOf(p.rays()); },
          "(n, 2), unit: directions in which the polygon never ends; sums of them with weights of at least 0 do not, "
          "either. Empty where it is bounded.")
      .def_property_readonly(
          "half_planes",
          [](const SupportPolygon& p) {
            py::array_t<double> rows({static_cast<py::ssize_t>(p.halfPlanes().size()), py::ssize_t{3}});
            double* at = rows.mutable_data();
            for (const SupportPolygon::HalfPlane& side : p.halfPlanes())
              for (const double x : {side.normal.x(), side.normal.y(), side.offset}) *at++ = x;
            return rows;
          },
          "(n, 3), rows nx, ny, offset: a center at p is inside where nx p[0] + ny p[1] <= offset for all of them. "
          "None "
          "where the polygon is empty or the whole plane.")
      .def_property_readonly(
          "axes", [](const SupportPolygon& p) { return py::make_tuple(arrayOf(p.x_W()), arrayOf(p.y_W())); },
          "axes: tuple[ndarray, ndarray]\n\n(x, y), each (3,): x and y of the world where gravity points down.")
      .def_property_readonly("area", &SupportPolygon::area, "m^2; inf where it is infinite.")
      .def("margin", &marginsOf, py::arg("com"),
           "margin(com: ArrayLike) -> Any\n\nDistance (m) of a center of mass (3,) from the edge, negative "
           "outside, -inf where the polygon is empty, inf where it is the whole plane; of many (n, 3) an array (n,).")
      .def(
          "contains",
          [](const SupportPolygon& p, py::handle com, double margin) {
            return p.contains(pointFrom(com, "com", Vector3d::Zero()), margin);
          },
          py::arg("com"), py::arg("margin") = 0.0, "contains(com: ArrayLike, margin = 0) -> bool")
      .def("__repr__", [](const SupportPolygon& p) {
        std::ostringstream text;
        text << "SupportPolygon(" << p.corners().size() << " corners, ";
        if (p.bounded())
          text << p.area() << " m^2)";
        else
          text << p.rays().size() << " rays, unbounded)";
        return text.str();
      });
}

void bindBalance(py::module_& m) {
  Class<Balance>(m, "Balance", "Whether a robot at rest balances on its contacts, and by how much.")
      .def_readonly("balanced", &Balance::balanced, "Whether the robot stands.")
      .def_readonly("margin", &Balance::margin, "m inside the support polygon, negative outside, -inf if it is empty.")
      .def_property_readonly(
          "com_W", [](const Balance& b) { return arrayOf(b.com_W); }, "Center of mass (3,), m.")
      .def_property_readonly(
          "forces_W", [](const Balance& b) { return forcesOf(b.balanced, b.forces_W); },
          "forces_W: ndarray | None\n\n(n, 3), N, on the robot, one a contact with the world; None when not balanced.")
      .def_property_readonly(
          "polygon", [](const Balance& b) { return b.polygon; }, "SupportPolygon")
      .def("__bool__", [](const Balance& b) { return b.balanced; })
      .def("__repr__", [](const Balance& b) {
        std::ostringstream text;
        text << "Balance(" << (b.balanced ? "balanced" : "not balanced") << ", margin " << b.margin << " m)";
        return text.str();
      });
  const Schema settings = schemaOf<BalanceSettings>({});
  const std::string text =
      "balance(robot: Robot, q: ArrayLike, contacts: Contacts, " + signatureText(settings) +
      ") -> Balance\n\nThe robot at q (num_links,) as one body with all joints locked, held by its contacts with the "
      "world alone.\n\nArguments:\n" +
      argumentsText(settings);
  define(
      m, "balance",
      [](const std::shared_ptr<Robot>& robot, py::handle q, py::handle contacts, const py::args& positional,
         const py::kwargs& more) {
        // In the order that they had when they were listed one by one.
        static constexpr const char* kNames[] = {"gravity", "cone_edges",   "force_limit", "robustness",
                                                 "torques", "torque_scale", "com"};
        const auto given = withPositional("balance", positional, more, kNames);
        return balanceOf(robot, q, contacts, operationSettings<BalanceSettings>("balance", given).options());
      },
      py::arg("robot").none(false), py::arg("q"), py::arg("contacts"), text.c_str());
}

}  // namespace

void bindEquilibrium(py::module_& m) {
  Class<Equilibrium>(m, "Equilibrium", "Whether forces at contacts keep a body at rest, and such forces.")
      .def_readonly("balanced", &Equilibrium::balanced, "Whether forces at the contacts can hold the body.")
      .def_property_readonly(
          "forces_W", [](const Equilibrium& e) { return forcesOf(e.balanced, e.forces_W); },
          "forces_W: ndarray | None\n\n(n, 3), N, on the body, one a contact; None when not balanced.")
      .def("__bool__", [](const Equilibrium& e) { return e.balanced; })
      .def("__repr__", [](const Equilibrium& e) {
        return std::string("Equilibrium(") + (e.balanced ? "balanced)" : "not balanced)");
      });
  define(m, "equilibrium", &equilibriumOf, py::arg("contacts"), py::arg("com"), py::arg("mass") = 1.0,
         py::arg("gravity") = py::none(), py::arg("cone_edges") = EquilibriumOptions().coneEdges,
         py::arg("force_limit") = py::none(), py::arg("robustness") = 0.0,
         "equilibrium(contacts: Contacts, com: ArrayLike, mass = 1, gravity: ArrayLike | None = None, cone_edges = 0, "
         "force_limit: float | None = None, robustness = 0) -> Equilibrium\n\nWhether forces within the friction cones "
         "keep a body of mass (kg) with its center of mass at com (3,), m, at rest; a linear program that makes the "
         "sum of normal forces least. gravity: (0, 0, -9.8) if None. cone_edges: of the pyramids inside the cones; 0: "
         "the cones themselves. force_limit: N along each normal; robustness: N that each force keeps from the sides "
         "of its cone.");
  bindPolygon(m);
  bindBalance(m);
}

}  // namespace mortise::python
