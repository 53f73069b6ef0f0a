#include <cmath>
#include <sstream>

#include "common/arrays.h"
#include "common/define.h"
#include "common/operation_settings.h"
#include "geometry/shapes.h"
#include "mechanics/contacts.h"
#include "model/models.h"
#include "mortise/mechanics/equilibrium.h"
#include "mortise/mechanics/mechanics_settings.h"
#include "mortise/mechanics/wrench_space.h"

namespace mortise::python {

namespace {

WrenchSpaceOptions spaceOptions(int edges, const std::string& budget, py::handle origin, double length,
                                py::handle plane) {
  WrenchSpaceOptions options;
  options.coneEdges = edges;
  if (budget != "total" && budget != "each")
    throw py::value_error("budget: expected 'total' or 'each', found '" + budget + "'");
  options.budget = budget == "each" ? WrenchBudget::each : WrenchBudget::total;
  if (!origin.is_none()) options.origin_W = pointFrom(origin, "origin", Vector3d::Zero());
  requireNumber(length, "length", 0);
  options.length = length;
  if (!plane.is_none()) options.planeNormal_W = pointFrom(plane, "plane_normal", Vector3d::UnitZ());
  return options;
}

void bindQuality(py::module_& m) {
  Class<GraspQuality>(m, "GraspQuality", "How good a grasp is (Ferrari and Canny, 1992).")
      .def_readonly("force_closure", &GraspQuality::forceClosure, "Any wrench can be exerted, given enough force.")
      .def_readonly("quality", &GraspQuality::quality,
                    "Radius of the largest ball of wrenches that can be exerted; 0 without force closure.")
      .def_readonly("upper", &GraspQuality::upper, "The truth is between quality and this.")
      .def_property_readonly(
          "weakest_force_W", [](const GraspQuality& q) { return arrayOf(q.weakestForce_W); },
          "Of the disturbance that is hardest to resist, (3,), N.")
      .def_property_readonly(
          "weakest_torque_W", [](const GraspQuality& q) { return arrayOf(q.weakestTorque_W); }, "(3,), N m")
      .def_property_readonly(
          "origin_W", [](const GraspQuality& q) { return arrayOf(q.origin_W); }, "What torques are about, (3,), m.")
      .def_readonly("length", &GraspQuality::length, "m, by which torques are divided.")
      .def("__repr__", [](const GraspQuality& q) {
        std::ostringstream text;
        text << "GraspQuality(" << q.quality << (q.forceClosure ? ")" : ", no force closure)");
        return text.str();
      });
  define(
      m, "grasp_quality",
      [](py::handle contacts, int cone_edges, const std::string& budget, py::handle origin, double length,
         py::handle plane_normal) {
        const std::vector<ContactPoint> points = contactPointsFrom(contacts, "contacts");
        const WrenchSpaceOptions options = spaceOptions(cone_edges, budget, origin, length, plane_normal);
        py::gil_scoped_release release;
        return graspQuality(points, options);
      },
      py::arg("contacts"), py::arg("cone_edges") = 0, py::arg("budget") = "total", py::arg("origin") = py::none(),
      py::arg("length") = 0.0, py::arg("plane_normal") = py::none(),
      "grasp_quality(contacts: Contacts, cone_edges = 0, budget = 'total', origin: ArrayLike | None = None, length = "
      "0, plane_normal: ArrayLike | None = None) -> GraspQuality\n\nThe largest wrench that can be exerted in every "
      "direction (Ferrari and Canny, 1992), with normal forces whose sum ('total') or each of which ('each') is at "
      "most 1. origin: what torques are about, the middle of the contacts if None; length (m): torques are divided by "
      "it, 0: the largest distance of a contact. plane_normal: for flat things, only forces across it and torques "
      "about it count. cone_edges: of pyramids inside the friction cones; 0: the cones themselves.");
  define(
      m, "force_closure",
      [](py::handle contacts, int cone_edges) {
        const std::vector<ContactPoint> points = contactPointsFrom(contacts, "contacts");
        py::gil_scoped_release release;
        return forceClosure(points, cone_edges);
      },
      py::arg("contacts"), py::arg("cone_edges") = EquilibriumOptions().coneEdges,
      "force_closure(contacts: Contacts, cone_edges = 0) -> bool\n\nWhether forces at the contacts can resist any "
      "force and torque. cone_edges: of pyramids inside the friction cones; 0: the cones themselves.\n\n>>> thirds = "
      "[2 * np.pi * i / 3 for i in range(3)]\n>>> mortise.force_closure([[np.cos(t), np.sin(t), 0, np.cos(t), "
      "np.sin(t), 0, 0.5] for t in thirds])\nTrue");
}

std::unique_ptr<ContactTorques> torquesOf(const std::shared_ptr<Robot>& robot, py::handle q, py::handle contacts,
                                          py::handle dq, py::handle ddq, const Vector3d& g,
                                          ContactTorqueOptions options) {
  const auto numbers = [&](py::handle from, const char* name) {
    VectorXd vector =
        from.is_none() ? VectorXd(VectorXd::Zero(robot->numLinks())) : vectorFrom(from, name, robot->numLinks());
    if (!vector.allFinite()) throw py::value_error(std::string(name) + ": expected finite numbers");
    return vector;
  };
  if (q.is_none()) throw py::type_error("q: expected " + std::to_string(robot->numLinks()) + " numbers, found None");
  const VectorXd position = numbers(q, "q"), velocity = numbers(dq, "dq"), acceleration = numbers(ddq, "ddq");
  const std::vector<LinkContact> points = contactsFrom(contacts, "contacts", robot.get());
  py::gil_scoped_release release;
  RobotDynamics dynamics(robot);
  dynamics.setState(position, velocity);
  VectorXd bias(robot->numLinks());
  dynamics.inverseDynamics(acceleration, g, bias);
  return std::make_unique<ContactTorques>(solveContactTorques(dynamics, points, bias, options));
}

}  // namespace

void bindGrasps(py::module_& m) { bindQuality(m); }

void bindContactTorques(py::module_& m) {
  Class<ContactTorques>(m, "ContactTorques", "Joint torques of a robot on its contacts, and the contact forces.")
      .def_readonly("balanced", &ContactTorques::balanced,
                    "Whether forces exist with which joints that have no motor need none; without them nothing else "
                    "means anything.")
      .def_readonly("within_limits", &ContactTorques::withinLimits, "Whether every torque is within its limit.")
      .def_property_readonly(
          "torques", [](const ContactTorques& t) { return arrayOf(t.torques); }, "(num_links,), N m or N.")
      .def_property_readonly(
          "forces_W", [](const ContactTorques& t) { return forcesOf(t.balanced, t.forces_W); },
          "forces_W: ndarray | None\n\n(n, 3), N, on the link; None when not balanced.")
      .def_property_readonly(
          "utilization", [](const ContactTorques& t) { return arrayOf(t.utilization); },
          "(num_links,): |torque| / limit, nan for links without a limit.")
      .def_readonly("largest_utilization", &ContactTorques::largestUtilization,
                    "Largest |torque| / limit; 1 is the limit itself.")
      .def_property_readonly(
          "shares", [](const ContactTorques& t) { return arrayOf(t.utilization); }, "Former name of utilization.")
      .def_readonly("largest_share", &ContactTorques::largestUtilization, "Former name of largest_utilization.")
      .def_readonly("largest_link", &ContactTorques::largestLink, "-1: no link has a limit.")
      .def("__bool__", [](const ContactTorques& t) { return t.balanced && t.withinLimits; })
      .def("__repr__", [](const ContactTorques& t) {
        std::ostringstream text;
        text << "ContactTorques(" << (t.balanced ? t.withinLimits ? "within limits" : "beyond limits" : "not balanced")
             << ", largest utilization " << t.largestUtilization << ")";
        return text.str();
      });
  const Schema settings = schemaOf<ContactTorqueSettings>({});
  const std::string text =
      "contact_torques(robot: Robot, q: ArrayLike, contacts: Contacts, dq: ArrayLike | None = None, ddq: ArrayLike | "
      "None = None, gravity: ArrayLike | None = None, limits: ArrayLike | None = None, " +
      signatureText(settings, {"gravity"}) +
      ") -> ContactTorques\n\nJoint torques with forces at the contacts within friction cones, of "
      "a robot at rest, or moving with dq and "
      "ddq (num_links,): tau = B ddq + C + G - sum J^T f. The forces are chosen by linear "
      "programs.\n\nArguments:\n    limits: "
      "(num_links,), N m or N, the robot's times torque_scale if None.\n" +
      argumentsText(settings);
  define(
      m, "contact_torques",
      [](const std::shared_ptr<Robot>& robot, py::handle q, py::handle contacts, py::handle dq, py::handle ddq,
         py::handle gravity, py::handle limits, const py::args& positional, const py::kwargs& more) {
        static constexpr const char* kNames[] = {"objective", "cone_edges", "force_limit", "robustness"};
        py::dict given = withPositional("contact_torques", positional, more, kNames);
        given["gravity"] = gravity;
        const auto asked = operationSettings<ContactTorqueSettings>("contact_torques", given);
        std::vector<ContactPoint> points;
        for (const LinkContact& contact : contactsFrom(contacts, "contacts", robot.get()))
          points.push_back(contact.point);
        ContactTorqueOptions options = asked.options(*robot, points);
        if (!limits.is_none()) options.limits = vectorFrom(limits, "limits", robot->numLinks(), Accept::any);
        return torquesOf(robot, q, contacts, dq, ddq, asked.gravity.vector_W(), std::move(options));
      },
      py::arg("robot").none(false), py::arg("q"), py::arg("contacts"), py::arg("dq") = py::none(),
      py::arg("ddq") = py::none(), py::arg("gravity") = py::none(), py::arg("limits") = py::none(), text.c_str());
}

}  // namespace mortise::python
