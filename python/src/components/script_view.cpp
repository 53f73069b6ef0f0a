#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/define.h"
#include "components/script_types.h"
#include "components/script_views.h"
#include "model/models.h"
#include "model/worlds.h"

namespace mortise::python {

namespace {

const RobotView& robotOf(const ViewHandle& h, py::handle which) {
  const SimulationView& view = h.use();
  return view.robots[static_cast<std::size_t>(robotIndex(*view.world, which))];
}

py::array vectorOf(std::span<const double> numbers) {
  return arrayOf(std::vector<double>(numbers.begin(), numbers.end()));
}

}  // namespace

namespace {

void bindViewOfThings(Class<ViewHandle>& type) {
  type.def(
          "sensor",
          [](const ViewHandle& h, const std::string& name, py::handle robot) {
            const SensorReading* found = findReading(robotOf(h, robot).sensors, name);
            if (found == nullptr) throw py::key_error("the robot has no sensor '" + name + "'");
            return vectorOf(found->values);
          },
          py::arg("name"), py::arg("robot") = 0,
          "sensor(name, robot: int | str = 0) -> ndarray (channels,)\n\nLast values of another sensor.")
      .def(
          "object_pose",
          [](const ViewHandle& h, py::handle object) {
            const SimulationView& view = h.use();
            return view.objects[static_cast<std::size_t>(objectIndex(*view.world, object))].X_WB;
          },
          py::arg("object"), "object_pose(object: int | str | WorldObject) -> RigidTransform\n\nX_WO")
      .def(
          "object_velocity",
          [](const ViewHandle& h, py::handle object) {
            const SimulationView& view = h.use();
            const BodyState& state = view.objects[static_cast<std::size_t>(objectIndex(*view.world, object))];
            return py::make_tuple(arrayOf(state.v_WB), arrayOf(state.w_WB));
          },
          py::arg("object"),
          "object_velocity(object: int | str | WorldObject) -> tuple[ndarray, ndarray]\n\nv, w. Of the object's "
          "origin, m/s, and rad/s, world axes.")
      .def(
          "contacts",
          [](const ViewHandle& h) {
            py::list list;
            for (const ContactForce& contact : h.use().contacts) {
              py::dict entry;
              entry["ids"] = py::make_tuple(contact.idA, contact.idB);
              entry["point"] = arrayOf(contact.point);
              entry["normal"] = arrayOf(contact.normal);
              entry["depth"] = contact.depth;
              entry["force"] = arrayOf(contact.force);
              list.append(entry);
            }
            return list;
          },
          "contacts() -> list[dict[str, Any]]\n\nOf the last step: ids, point (m), normal (from the second to the "
          "first), depth (m), force on the first (N); world axes.");
}

}  // namespace

void bindScriptView(py::module_& m) {
  Class<ViewHandle> type(
      m, "SimulationView",
      "What a sensor sees of the simulated world at one tick; valid during the call only. Robots and "
      "objects by index or name; what it returns are copies.");
  type.def_property_readonly(
          "time", [](const ViewHandle& h) { return h.use().time; }, "s")
      .def_property_readonly(
          "tick", [](const ViewHandle& h) { return h.use().tick; }, "Physics steps since the start.")
      .def_property_readonly(
          "time_step", [](const ViewHandle& h) { return h.use().timeStep; }, "Of the last step, s.")
      .def_property_readonly(
          "gravity", [](const ViewHandle& h) { return arrayOf(h.use().gravity); }, "(3,), m/s^2")
      .def(
          "q", [](const ViewHandle& h, py::handle robot) { return arrayOf(robotOf(h, robot).state->q); },
          py::arg("robot") = 0, "q(robot: int | str = 0) -> ndarray (num_links,)")
      .def(
          "dq", [](const ViewHandle& h, py::handle robot) { return arrayOf(robotOf(h, robot).state->dq); },
          py::arg("robot") = 0, "dq(robot: int | str = 0) -> ndarray (num_links,)")
      .def(
          "driver_torques",
          [](const ViewHandle& h, py::handle robot) { return vectorOf(robotOf(h, robot).driverTorques); },
          py::arg("robot") = 0,
          "driver_torques(robot: int | str = 0) -> ndarray (num_drivers,)\n\nOf the last step, N m or N.")
      .def(
          "link_pose",
          [](const ViewHandle& h, py::handle link, py::handle robot) {
            const int index = robotIndex(*h.use().world, robot);
            const Robot& model = *h.use().world->robots[static_cast<std::size_t>(index)].robot;
            return robotOf(h, robot).state->X_WL[static_cast<std::size_t>(linkIndex(model, link))];
          },
          py::arg("link"), py::arg("robot") = 0,
          "link_pose(link: int | str | RobotLink, robot: int | str = 0) -> RigidTransform\n\nX_WL")
      .def(
          "link_velocity",
          [](const ViewHandle& h, py::handle link, py::handle robot) {
            const int index = robotIndex(*h.use().world, robot);
            const Robot& model = *h.use().world->robots[static_cast<std::size_t>(index)].robot;
            const LinkTwist& twist = robotOf(h, robot).twists[static_cast<std::size_t>(linkIndex(model, link))];
            return py::make_tuple(arrayOf(twist.v_WL), arrayOf(twist.w_WL));
          },
          py::arg("link"), py::arg("robot") = 0,
          "link_velocity(link: int | str | RobotLink, robot: int | str = 0) -> tuple[ndarray, ndarray]\n\nv, w. Of the "
          "link's origin, m/s, and rad/s, world axes.");
  bindViewOfThings(type);
}

}  // namespace mortise::python
