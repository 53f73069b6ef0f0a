#include "mechanics/contacts.h"

#include <cmath>
#include <sstream>

#include "common/arrays.h"
#include "common/define.h"
#include "geometry/shapes.h"
#include "model/models.h"
#include "model/worlds.h"
#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/mechanics/contact_formation.h"
#include "mortise/mechanics/forces/friction_cone.h"
#include "mortise/mechanics/world_contacts.h"
#include "mortise/mechanics/world_touch.h"

namespace mortise::python {

namespace {

ContactPoint pointOf(const Vector3d& p, const Vector3d& n, double friction, const std::string& what) {
  const double length = n.norm();
  if (!p.allFinite() || !std::isfinite(length)) throw py::value_error(what + ": expected finite numbers");
  if (!(length > 1e-9)) throw py::value_error(what + ": the normal has no length");
  if (!(friction >= 0)) throw py::value_error(what + ": expected a friction of at least 0");
  return {p, unitNormal(n), friction};
}

int linkFrom(const Robot* robot, py::handle link, const std::string& what) {
  if (!link || link.is_none()) return -1;
  if (PyLong_Check(link.ptr()) != 0 && PyLong_AsLong(link.ptr()) == -1) {
    PyErr_Clear();
    return -1;
  }
  if (robot != nullptr) return linkIndex(*robot, link);
  if (PyIndex_Check(link.ptr()) == 0)
    throw py::type_error(what + ": without a robot, links are given by index, found " + shapeText(link));
  const Py_ssize_t index = PyNumber_AsSsize_t(link.ptr(), nullptr);
  if (index < 0 || index > 1000000)
    throw py::index_error(what + ": link " + std::to_string(index) + " is out of range");
  return static_cast<int>(index);
}

py::handle entryOf(const py::dict& dict, const char* name, const char* other) {
  for (const char* key : {name, other})
    if (PyObject* value = PyDict_GetItemString(dict.ptr(), key); value != nullptr) return value;
  return {};
}

LinkContact contactFromDict(const py::dict& dict, const std::string& what, const Robot* robot) {
  const py::handle p = entryOf(dict, "p_WC", "point"), n = entryOf(dict, "n_W", "normal");
  if (!p || !n) throw py::value_error(what + ": expected the keys p_WC and n_W");
  const py::handle friction = entryOf(dict, "friction", "friction");
  LinkContact contact;
  contact.point = pointOf(vector3From(p, (what + "['p_WC']").c_str()), vector3From(n, (what + "['n_W']").c_str()),
                          friction ? numberFrom(friction, (what + "['friction']").c_str()) : 0, what);
  contact.link = linkFrom(robot, entryOf(dict, "link", "link"), what + "['link']");
  contact.target = linkFrom(robot, entryOf(dict, "target", "target"), what + "['target']");
  return contact;
}

/// A LinkContact is made without a robot, so its links may be none of this one's.
LinkContact contactObject(py::handle from, const std::string& what, const Robot* robot) {
  const auto contact = from.cast<LinkContact>();
  for (const int link : {contact.link, contact.target})
    if (robot != nullptr && link >= robot->numLinks())
      throw py::index_error(what + ": link " + std::to_string(link) + " is out of range: the robot has " +
                            std::to_string(robot->numLinks()));
  return contact;
}

}  // namespace

std::vector<LinkContact> contactsFrom(py::handle from, const char* name, const Robot* robot) {
  std::vector<LinkContact> contacts;
  InterruptionPoints interruptions;
  if (py::isinstance<LinkContact>(from)) return {contactObject(from, name, robot)};
  const bool list = PyList_Check(from.ptr()) != 0 || PyTuple_Check(from.ptr()) != 0;
  const bool objects = list && PySequence_Size(from.ptr()) > 0 && [&] {
    const py::object first = py::reinterpret_steal<py::object>(PySequence_GetItem(from.ptr(), 0));
    return py::isinstance<LinkContact>(first) || PyDict_Check(first.ptr()) != 0;
  }();
  if (!objects) {
    if (list && PySequence_Size(from.ptr()) == 0) return contacts;
    const auto rows = rowsFrom(from, name, 7);
    for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
      interruptions.pass();
      const double* r = rows.data(i, 0);
      LinkContact contact;
      contact.point = pointOf(Vector3d(r[0], r[1], r[2]), Vector3d(r[3], r[4], r[5]), r[6],
                              std::string(name) + "[" + std::to_string(i) + "]");
      contacts.push_back(contact);
    }
    return contacts;
  }
  for (const auto item : from) {
    interruptions.pass();
    const std::string what = std::string(name) + "[" + std::to_string(contacts.size()) + "]";
    if (py::isinstance<LinkContact>(item))
      contacts.push_back(contactObject(item, what, robot));
    else if (PyDict_Check(item.ptr()) != 0)
      contacts.push_back(contactFromDict(py::reinterpret_borrow<py::dict>(item), what, robot));
    else
      throw py::type_error(what + ": expected a LinkContact or a dict, found " + shapeText(item));
  }
  return contacts;
}

std::vector<ContactPoint> contactPointsFrom(py::handle from, const char* name) {
  std::vector<ContactPoint> points;
  for (const LinkContact& contact : contactsFrom(from, name)) points.push_back(contact.point);
  return points;
}

ContactForceLimits forceLimitsFrom(const std::vector<ContactPoint>& contacts, py::handle forceLimit,
                                   double robustness) {
  requireNumber(robustness, "robustness", 0);
  ContactForceLimits limits;
  limits.robustness = robustness;
  if (!forceLimit.is_none()) limits.bounds = normalForceBounds(contacts, numberFrom(forceLimit, "force_limit"));
  return limits;
}

Vector3d gravityFrom(py::handle gravity) { return pointFrom(gravity, "gravity", Vector3d(0, 0, -9.8)); }

py::object forcesOf(bool found, const std::vector<Vector3d>& forces) {
  if (!found) return py::none();
  return arrayOf(forces);
}

namespace {

std::string contactText(const LinkContact& c) {
  std::ostringstream text;
  text << "LinkContact((" << c.point.p_WC.x() << ", " << c.point.p_WC.y() << ", " << c.point.p_WC.z() << "), ("
       << c.point.n_W.x() << ", " << c.point.n_W.y() << ", " << c.point.n_W.z() << "), friction=" << c.point.friction;
  if (c.link >= 0) text << ", link=" << c.link;
  if (c.target >= 0) text << ", target=" << c.target;
  text << ")";
  return text.str();
}

LinkContact makeContact(py::handle p_WC, py::handle n_W, double friction, int link, int target) {
  LinkContact contact;
  contact.point = pointOf(vector3From(p_WC, "p_WC"), vector3From(n_W, "n_W"), friction, "LinkContact");
  if (link < -1 || target < -1) throw py::index_error("link, target: expected an index, or -1 for none and the world");
  contact.link = link;
  contact.target = target;
  return contact;
}

void bindContactClass(py::module_& m) {
  Class<LinkContact>(m, "LinkContact",
                     "LinkContact(p_WC: ArrayLike, n_W: ArrayLike, friction = 0, link = -1, target = -1)\n\nA point "
                     "where a link touches something. p_WC: (3,), m; n_W: (3,), out of what is touched, into the link, "
                     "made unit; friction: Coulomb's coefficient. link: index, -1 where it does not matter; target: "
                     "the link of the same robot that is touched, -1: the world.")
      .def(constructor(&makeContact), py::arg("p_WC"), py::arg("n_W"), py::arg("friction") = 0.0, py::arg("link") = -1,
           py::arg("target") = -1)
      .def_property_readonly(
          "p_WC", [](const LinkContact& c) { return arrayOf(c.point.p_WC); }, "(3,), m (a copy).")
      .def_property_readonly(
          "n_W", [](const LinkContact& c) { return arrayOf(c.point.n_W); }, "Unit (3,) (a copy).")
      .def_property_readonly(
          "friction", [](const LinkContact& c) { return c.point.friction; }, "Coefficient of friction.")
      .def_readonly("link", &LinkContact::link, "Index of the link that touches; -1: none.")
      .def_readonly("target", &LinkContact::target,
                    "Index of the link of the same robot that is touched; -1: the world.")
      .def(
          "__eq__",
          [](const LinkContact& a, const LinkContact& b) {
            return a.point == b.point && a.link == b.link && a.target == b.target;
          },
          py::is_operator())
      .def("__repr__", &contactText)
      .def(pickled(
          [](const LinkContact& c) {
            return py::make_tuple(arrayOf(c.point.p_WC), arrayOf(c.point.n_W), c.point.friction, c.link, c.target);
          },
          [](const py::tuple& state) {
            return makeContact(state[0], state[1], state[2].cast<double>(), state[3].cast<int>(), state[4].cast<int>());
          }));
}

py::list listOf(const std::vector<LinkContact>& contacts) {
  py::list list;
  for (const LinkContact& contact : contacts) list.append(contact);
  return list;
}

py::list worldContactsOf(const WorldPtr& world, py::handle robot, py::handle q, py::handle links, double touch,
                         py::handle friction, int max) {
  const int index = robotIndex(*world, robot);
  const WorldRobot& thing = world->robots[static_cast<std::size_t>(index)];
  const VectorXd configuration = q.is_none() ? thing.q : vectorFrom(q, "q", thing.robot->numLinks());
  if (!configuration.allFinite()) throw py::value_error("q: expected finite numbers");
  std::vector<int> of;
  if (!links.is_none()) {
    if (PyUnicode_Check(links.ptr()) != 0 || PySequence_Check(links.ptr()) == 0)
      throw py::type_error("links: expected a list of links, found " + shapeText(links));
    for (const auto link : links) of.push_back(linkIndex(*thing.robot, link));
  }
  requireNumber(touch, "touch", 0);
  WorldContactOptions options;
  options.touch = touch;
  options.maxContacts = max;
  if (!friction.is_none()) options.friction = numberFrom(friction, "friction");
  std::vector<LinkContact> contacts;
  {
    py::gil_scoped_release release;
    contacts = RobotInWorld(world, index, options).contacts(configuration, of);
  }
  return listOf(contacts);
}

py::list formationOf(py::handle contacts) {
  py::list result;
  for (const ContactPatch& patch : contactFormation(contactsFrom(contacts, "contacts"))) {
    py::list points;
    for (const ContactPoint& point : patch.contacts) points.append(LinkContact{patch.link, point, patch.target});
    result.append(py::make_tuple(patch.link, patch.target, points));
  }
  return result;
}

py::array frictionConesOf(py::handle contacts, int edges) {
  if (edges < 3 || edges > 1000) throw py::value_error("edges: expected a number from 3 to 1000");
  const std::vector<ContactPoint> points = contactPointsFrom(contacts, "contacts");
  py::array_t<double> result({static_cast<py::ssize_t>(points.size()), py::ssize_t{edges}, py::ssize_t{3}});
  std::vector<Vector3d> directions;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i].friction))
      throw py::value_error("contacts[" + std::to_string(i) + "]: infinite friction has no cone");
    frictionEdges(points[i], edges, directions);
    for (std::size_t k = 0; k < static_cast<std::size_t>(edges); ++k)
      std::copy_n(directions[std::min(k, directions.size() - 1)].data(), 3,
                  result.mutable_data(static_cast<py::ssize_t>(i), static_cast<py::ssize_t>(k), 0));
  }
  return result;
}

}  // namespace

void bindContacts(py::module_& m) {
  bindContactClass(m);
  define(
      m, "world_contacts", &worldContactsOf, py::arg("world").none(false), py::arg("robot") = 0,
      py::arg("q") = py::none(), py::arg("links") = py::none(), py::arg("touch") = 0.005,
      py::arg("friction") = py::none(), py::arg("max") = 20,
      "world_contacts(world, robot: int | str = 0, q: ArrayLike | None = None, links: Sequence[int | str | RobotLink] "
      "| None = None, touch = 0.005, friction: float | None = None, max: int = 20) -> list[LinkContact]\n\nWhere a "
      "robot touches itself and everything else at q (num_links,), or where the world has it. Surfaces no farther "
      "apart than touch (m) touch; friction in place of the surfaces'; at most max contacts a pair.");
  define(m, "contact_formation", &formationOf, py::arg("contacts"),
         "contact_formation(contacts: Contacts) -> list[tuple[int, int, list[LinkContact]]]\n\nContacts by pairs of "
         "links: (link, target, list of LinkContact), in the order of links; of two links that touch the lower one is "
         "link. contacts: a list of LinkContact, of dicts as `load` gives them, or an array (n, 7) of x, y, z, nx, ny, "
         "nz, friction.");
  define(m, "friction_cones", &frictionConesOf, py::arg("contacts"), py::arg("edges") = 8,
         "friction_cones(contacts: Contacts, edges = 8) -> ndarray (n, edges, 3)\n\nEdges of the pyramids inside the "
         "friction cones, each with a part of 1 along the normal: what contacts bear are sums of them with factors >= "
         "0. Without friction all are the normal.");
  define(
      m, "wrench_matrix",
      [](py::handle contacts, py::handle about) {
        return matrixOf(
            wrenchMatrix(contactPointsFrom(contacts, "contacts"), pointFrom(about, "about", Vector3d::Zero())));
      },
      py::arg("contacts"), py::arg("about") = py::none(),
      "wrench_matrix(contacts: Contacts, about: ArrayLike | None = None) -> ndarray (6, 3 n)\n\nWhat forces at the "
      "contacts, three numbers each, do about a point (the origin if None): torque (N m) in the first three rows, "
      "force (N) in the others.");
}

}  // namespace mortise::python
