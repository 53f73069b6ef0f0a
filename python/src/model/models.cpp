#include "model/models.h"

#include <pybind11/stl.h>
#include <sstream>

#include "common/arrays.h"
#include "common/bindings.h"
#include "common/define.h"
#include "common/environment.h"
#include "common/values.h"
#include "geometry/shapes.h"
#include "model/robots_and_worlds.h"
#include "mortise/text/suggest.h"

namespace mortise::python {

namespace {

template <typename Things>
int indexOf(const Things& things, py::handle which, const char* kind, const std::string& owner) {
  const auto size = static_cast<long long>(things.size());
  if (PyUnicode_Check(which.ptr()) != 0) {
    const std::string name = py::reinterpret_borrow<py::str>(which);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < things.size(); ++i) {
      if (things[i].name == name) return static_cast<int>(i);
      names.push_back(things[i].name);
    }
    const std::string near = nearestName(name, names);
    throw py::key_error(owner + " has no " + kind + " '" + name + "'" +
                        (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  if (PyIndex_Check(which.ptr()) == 0)
    throw py::type_error(std::string(kind) + ": expected an index or a name, found " + shapeText(which));
  const Py_ssize_t index = PyNumber_AsSsize_t(which.ptr(), nullptr);
  if (index < 0 || index >= size)
    throw py::index_error(std::string(kind) + " " + std::to_string(index) + " is out of range: " + owner + " has " +
                          std::to_string(size));
  return static_cast<int>(index);
}

/// One number of every link, as a read-only array.
template <typename Get>
py::array ofLinks(const Robot& robot, Get get) {
  VectorXd numbers(robot.numLinks());
  for (int i = 0; i < robot.numLinks(); ++i) numbers[i] = get(robot.link(i));
  return readOnly(arrayOf(numbers));
}

template <typename Get>
py::array ofDrivers(const Robot& robot, Get get) {
  VectorXd numbers(robot.numDrivers());
  for (int i = 0; i < robot.numDrivers(); ++i) numbers[i] = get(robot.driver(i));
  return readOnly(arrayOf(numbers));
}

std::string robotText(const Robot& robot) {
  return "Robot('" + robot.name() + "', " + std::to_string(robot.numLinks()) + " links, " +
         std::to_string(robot.numDrivers()) + " drivers)";
}

void bindLinkLimits(Class<RobotLink>& type) {
  type.def_property_readonly(
          "q_min", [](const RobotLink& l) { return l.link().qMin; }, "rad or m")
      .def_property_readonly(
          "q_max", [](const RobotLink& l) { return l.link().qMax; }, "rad or m")
      .def_property_readonly(
          "velocity_min", [](const RobotLink& l) { return l.link().velocityMin; }, "rad/s or m/s")
      .def_property_readonly(
          "velocity_max", [](const RobotLink& l) { return l.link().velocityMax; }, "rad/s or m/s")
      .def_property_readonly(
          "acceleration_max", [](const RobotLink& l) { return l.link().accelerationMax; }, "rad/s^2 or m/s^2")
      .def_property_readonly(
          "torque_max", [](const RobotLink& l) { return l.link().torqueMax; }, "N m or N")
      .def_property_readonly(
          "joint", [](const RobotLink& l) { return l.robot->jointOfLink(l.index); },
          "Index of the joint that moves it; -1: none.")
      .def_property_readonly(
          "driver", [](const RobotLink& l) { return l.robot->driverOfLink(l.index); },
          "Index of the driver that moves it; -1: none.")
      .def("__eq__",
           [](const RobotLink& a, py::handle other) {
             if (!py::isinstance<RobotLink>(other)) return false;
             const auto& b = objectOf<RobotLink>(other.ptr());
             return a.robot == b.robot && a.index == b.index;
           })
      .def("__hash__",
           [](const RobotLink& l) {
             return std::hash<const void*>()(l.robot.get()) ^ static_cast<std::size_t>(l.index);
           })
      .def(pickled([](const RobotLink& t) { return py::make_tuple(held(t.robot), t.index); },
                   [](const py::tuple& state) {
                     const auto robot = state[0].cast<std::shared_ptr<Robot>>();
                     const int index = state[1].cast<int>();
                     if (!robot || index < 0 || index >= robot->numLinks())
                       throw py::value_error("a pickle's state names no part of a robot");
                     return RobotLink{robot, index};
                   }))
      .def("__repr__", [](const RobotLink& l) {
        return "RobotLink(" + std::to_string(l.index) + ", '" + l.link().name + "' of '" + l.robot->name() + "')";
      });
}

void bindRobotDrivers(py::module_& m) {
  Class<RobotDriver>(m, "RobotDriver", "A motor of a Robot: moves one link, or several together. Read-only.")
      .def_property_readonly(
          "robot", [](const RobotDriver& d) { return held(d.robot); }, "The Robot.")
      .def_property_readonly(
          "index", [](const RobotDriver& d) { return d.index; }, "Among the drivers.")
      .def_property_readonly(
          "name", [](const RobotDriver& d) { return d.driver().name; }, "As the file says.")
      .def_property_readonly(
          "type", [](const RobotDriver& d) { return std::string(driverTypeName(d.driver().type)); },
          "'normal', 'affine', 'translation' or 'rotation'.")
      .def_property_readonly(
          "links", [](const RobotDriver& d) { return d.driver().links; }, "Indices of the links it moves.")
      .def_property_readonly(
          "scale", [](const RobotDriver& d) { return d.driver().scale; },
          "Of each link, for affine drivers: q = scale * value + offset.")
      .def_property_readonly(
          "offset", [](const RobotDriver& d) { return d.driver().offset; },
          "Of each link, for affine drivers, rad or m.")
      .def_property_readonly(
          "q_min", [](const RobotDriver& d) { return d.driver().qMin; }, "rad or m")
      .def_property_readonly(
          "q_max", [](const RobotDriver& d) { return d.driver().qMax; }, "rad or m")
      .def_property_readonly(
          "velocity_min", [](const RobotDriver& d) { return d.driver().velocityMin; }, "rad/s or m/s")
      .def_property_readonly(
          "velocity_max", [](const RobotDriver& d) { return d.driver().velocityMax; }, "rad/s or m/s")
      .def_property_readonly(
          "acceleration_min", [](const RobotDriver& d) { return d.driver().accelerationMin; }, "rad/s^2 or m/s^2")
      .def_property_readonly(
          "acceleration_max", [](const RobotDriver& d) { return d.driver().accelerationMax; }, "rad/s^2 or m/s^2")
      .def_property_readonly(
          "torque_min", [](const RobotDriver& d) { return d.driver().torqueMin; }, "N m or N")
      .def_property_readonly(
          "torque_max", [](const RobotDriver& d) { return d.driver().torqueMax; }, "N m or N")
      .def_property_readonly(
          "servo_gains",
          [](const RobotDriver& d) { return std::make_tuple(d.driver().servoP, d.driver().servoI, d.driver().servoD); },
          "(kP, kI, kD)")
      .def_property_readonly(
          "dry_friction", [](const RobotDriver& d) { return d.driver().dryFriction; }, "N m or N")
      .def_property_readonly(
          "viscous_friction", [](const RobotDriver& d) { return d.driver().viscousFriction; }, "N m s/rad or N s/m")
      .def(pickled([](const RobotDriver& t) { return py::make_tuple(held(t.robot), t.index); },
                   [](const py::tuple& state) {
                     const auto robot = state[0].cast<std::shared_ptr<Robot>>();
                     const int index = state[1].cast<int>();
                     if (!robot || index < 0 || index >= robot->numDrivers())
                       throw py::value_error("a pickle's state names no part of a robot");
                     return RobotDriver{robot, index};
                   }))
      .def("__repr__", [](const RobotDriver& d) {
        return "RobotDriver(" + std::to_string(d.index) + ", '" + d.driver().name + "' of '" + d.robot->name() + "')";
      });
}

void bindLinks(py::module_& m) {
  Class<RobotLink> type(m, "RobotLink", "A link of a Robot: one revolute or prismatic degree of freedom. Read-only.");
  type.def_property_readonly(
          "robot", [](const RobotLink& l) { return held(l.robot); }, "The Robot.")
      .def_property_readonly(
          "index", [](const RobotLink& l) { return l.index; }, "Among the links, and in configurations.")
      .def_property_readonly(
          "name", [](const RobotLink& l) { return l.link().name; }, "As the file says.")
      .def_property_readonly(
          "parent", [](const RobotLink& l) { return l.link().parent; }, "Index of the parent link; -1: the world.")
      .def_property_readonly(
          "children", [](const RobotLink& l) { return l.robot->children(l.index); },
          "Indices of the links whose parent it is.")
      .def_property_readonly(
          "prismatic", [](const RobotLink& l) { return l.link().motion == LinkMotion::prismatic; },
          "Whether the link slides along its axis rather than turns about it.")
      .def_property_readonly(
          "axis", [](const RobotLink& l) { return readOnly(arrayOf(l.link().axis)); },
          "(3,), in the link's frame; its length scales the motion.")
      .def_property_readonly(
          "X_PL0", [](const RobotLink& l) { return l.link().X_PL0; }, "Pose in the parent's frame at q = 0.")
      .def_property_readonly(
          "inertia", [](const RobotLink& l) { return l.link().inertia; }, "A BodyInertia in the link's frame.")
      .def_property_readonly(
          "mass", [](const RobotLink& l) { return l.link().inertia.mass; }, "kg")
      .def_property_readonly(
          "geometry", [](const RobotLink& l) { return held(l.link().geometry); },
          "geometry: Geometry | None\n\nIn the link's frame; None where there is none.")
      .def_property_readonly(
          "geometry_file", [](const RobotLink& l) { return l.link().geometryFile; },
          "As the robot's file says; may be empty.");
  bindLinkLimits(type);
  bindRobotDrivers(m);
}

void bindRobotNumbers(Class<Robot, std::shared_ptr<Robot>>& robot) {
  robot
      .def_property_readonly(
          "q_min", [](const Robot& r) { return ofLinks(r, [](const Link& l) { return l.qMin; }); },
          "(num_links,), rad or m. Read-only.")
      .def_property_readonly(
          "q_max", [](const Robot& r) { return ofLinks(r, [](const Link& l) { return l.qMax; }); },
          "(num_links,), rad or m. Read-only.")
      .def_property_readonly(
          "velocity_min", [](const Robot& r) { return ofLinks(r, [](const Link& l) { return l.velocityMin; }); },
          "(num_links,), rad/s or m/s. Read-only.")
      .def_property_readonly(
          "velocity_max", [](const Robot& r) { return ofLinks(r, [](const Link& l) { return l.velocityMax; }); },
          "(num_links,), rad/s or m/s. Read-only.")
      .def_property_readonly(
          "acceleration_max",
          [](const Robot& r) { return ofLinks(r, [](const Link& l) { return l.accelerationMax; }); },
          "(num_links,). Read-only.")
      .def_property_readonly(
          "torque_max", [](const Robot& r) { return ofLinks(r, [](const Link& l) { return l.torqueMax; }); },
          "(num_links,), N m or N. Read-only.")
      .def_property_readonly(
          "driver_torque_max", [](const Robot& r) { return ofDrivers(r, [](const Driver& d) { return d.torqueMax; }); },
          "(num_drivers,), N m or N. Read-only.")
      .def(
          "initial_configuration", [](const Robot& r) { return arrayOf(r.initialConfiguration()); },
          "initial_configuration() -> ndarray (num_links,)")
      .def(
          "driver_values",
          [](const Robot& r, py::handle q) {
            const VectorXd numbers = vectorFrom(q, "q", r.numLinks());
            VectorXd values(r.numDrivers());
            for (int i = 0; i < r.numDrivers(); ++i) values[i] = driverValue(r, i, numbers);
            return arrayOf(values);
          },
          py::arg("q"), "driver_values(q: ArrayLike) -> ndarray (num_drivers,)\n\nOf a configuration (num_links,).")
      .def(
          "driver_velocities",
          [](const Robot& r, py::handle dq) {
            const VectorXd numbers = vectorFrom(dq, "dq", r.numLinks());
            VectorXd values(r.numDrivers());
            for (int i = 0; i < r.numDrivers(); ++i) values[i] = driverVelocity(r, i, numbers);
            return arrayOf(values);
          },
          py::arg("dq"), "driver_velocities(dq: ArrayLike) -> ndarray (num_drivers,)")
      .def(
          "configuration_from_drivers",
          [](const Robot& r, py::handle values, py::handle q) {
            const VectorXd numbers = vectorFrom(values, "values", r.numDrivers());
            VectorXd result = q.is_none() ? r.initialConfiguration() : vectorFrom(q, "q", r.numLinks());
            for (int i = 0; i < r.numDrivers(); ++i) setDriverValue(r, i, numbers[i], result);
            return arrayOf(result);
          },
          py::arg("values"), py::arg("q") = py::none(),
          "configuration_from_drivers(values: ArrayLike, q: ArrayLike | None = None) -> ndarray (num_links,)\n\nDriver "
          "values (num_drivers,) as a configuration; links without driver are as in q, or as in the file.");
}

void bindRobotFile(Class<Robot, std::shared_ptr<Robot>>& robot) {
  robot
      .def_property_readonly(
          "self_collision_pairs", [](const Robot& r) { return r.description().selfCollisionPairs; },
          "Pairs of links that are checked, as tuples of indices.")
      .def_property_readonly(
          "properties", [](const Robot& r) { return r.description().properties; },
          "What its file says beyond the model: pairs of texts (name, value).")
      .def_property_readonly(
          "sensors", [](const Robot& r) { return toPython(r.description().sensors); },
          "sensors: Any\n\nWhat the robot's file says of sensors: list of dicts, or None.")
      .def_property_readonly(
          "controller", [](const Robot& r) { return toPython(r.description().controller); },
          "controller: Any\n\nWhat its file says of a controller, or None.")
      .def("__len__", &Robot::numLinks)
      .def(
          pickled([](const Robot& r) { return robotState(r); }, [](const py::list& state) { return robotFrom(state); }))
      .def("__repr__", &robotText);
}

void bindRobotParts(Class<Robot, std::shared_ptr<Robot>>& robot) {
  robot
      .def(
          "link",
          [](const std::shared_ptr<Robot>& r, py::handle which) {
            return RobotLink{r, linkIndex(*r, which)};
          },
          py::arg("which"), "link(which: int | str | RobotLink) -> RobotLink\n\nBy index or name.")
      .def(
          "driver",
          [](const std::shared_ptr<Robot>& r, py::handle which) {
            return RobotDriver{r, driverIndex(*r, which)};
          },
          py::arg("which"), "driver(which: int | str) -> RobotDriver\n\nBy index or name.")
      .def(
          "find_link", [](const Robot& r, const std::string& name) { return r.description().findLink(name); },
          py::arg("name"), "find_link(name: str) -> int\n\n-1 when there is none.")
      .def(
          "is_ancestor",
          [](const Robot& r, py::handle ancestor, py::handle link) {
            return r.isAncestor(linkIndex(r, ancestor), linkIndex(r, link));
          },
          py::arg("ancestor"), py::arg("link"),
          "is_ancestor(ancestor: int | str | RobotLink, link: int | str | RobotLink) -> bool\n\nWhether the first is "
          "the second or lies between it and the root.");
}

void bindRobot(py::module_& m) {
  Class<Robot, std::shared_ptr<Robot>> robot(
      m, "Robot",
      "A robot: a tree of links, each with one degree of freedom, as in Klamp't. Immutable, and shared between "
      "threads. "
      "What moves is a RobotState. `load_robot` reads one; RobotDescription.compile makes one.");
  robot
      .def_property_readonly(
          "name", [](const Robot& r) { return r.name(); }, "As its file says.")
      .def_property_readonly(
          "file", [](const Robot& r) { return r.description().file; },
          "Where it was read from; empty where it was made.")
      .def_property_readonly("num_links", &Robot::numLinks, "Links, and so numbers of a configuration.")
      .def_property_readonly("num_drivers", &Robot::numDrivers, "Motors.")
      .def_property_readonly("total_mass", &Robot::totalMass, "kg")
      .def_property_readonly("floating_base_link", &Robot::floatingBaseLink,
                             "Index of the last link of a floating base; -1: none.")
      .def_property_readonly(
          "links",
          [](const std::shared_ptr<Robot>& r) {
            py::tuple links(r->numLinks());
            for (int i = 0; i < r->numLinks(); ++i) links[i] = RobotLink{r, i};
            return links;
          },
          "links: tuple[RobotLink, ...]\n\nA tuple of RobotLink.")
      .def_property_readonly(
          "drivers",
          [](const std::shared_ptr<Robot>& r) {
            py::tuple drivers(r->numDrivers());
            for (int i = 0; i < r->numDrivers(); ++i) drivers[i] = RobotDriver{r, i};
            return drivers;
          },
          "drivers: tuple[RobotDriver, ...]\n\nA tuple of RobotDriver.")
      .def_property_readonly(
          "joints",
          [](const Robot& r) {
            py::list joints;
            for (const Joint& joint : r.joints()) {
              py::dict entry;
              entry["type"] = std::string(jointTypeName(joint.type));
              entry["link"] = joint.link;
              entry["base"] = joint.base;
              joints.append(entry);
            }
            return joints;
          },
          "joints: list[dict[str, Any]]\n\nList of {type, link, base}: how links group into joints, with Klamp't's "
          "names of types.");
  bindRobotParts(robot);
  bindRobotNumbers(robot);
  bindRobotFile(robot);
  robot.def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, py::arg("memo"));
}

}  // namespace

int linkIndex(const Robot& robot, py::handle link) {
  if (py::isinstance<RobotLink>(link)) {
    const auto& given = objectOf<RobotLink>(link.ptr());
    if (given.index < robot.numLinks()) return given.index;
  }
  return indexOf(robot.links(), link, "link", "robot '" + robot.name() + "'");
}

int driverIndex(const Robot& robot, py::handle driver) {
  return indexOf(robot.drivers(), driver, "driver", "robot '" + robot.name() + "'");
}

void bindModels(py::module_& m) {
  bindLinks(m);
  bindRobot(m);
  define(
      m, "load_robot",
      [](py::handle path) {
        const std::string file = pathFrom(path);
        RobotPtr robot;
        withLoader("'" + file + "' cannot be used", [&](FormatLoader& loader, Diagnostics& diagnostics) {
          RobotDescription description = loader.load<RobotDescription>(file, {}, diagnostics);
          diagnostics.throwIfErrors("'" + file + "' cannot be used");
          robot = Robot::compile(std::move(description));
        });
        return held(robot);
      },
      py::arg("path"),
      "load_robot(path: PathLike) -> Robot\n\nReads a robot in any format that a plugin reads (.rob, .urdf, ...). "
      "Raises Error with file, line and column.");
}

}  // namespace mortise::python
