#include <cstdint>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/define.h"
#include "common/values.h"
#include "simulation/simulation.h"

namespace mortise::python {

SensorView sensorOf(SimulationHandle& handle, const std::string& name, py::handle robot) {
  const int index = robotIndex(handle.world(), robot);
  const auto readings = handle.simulation().sensorReadings(index);
  if (findReading(readings, name) == nullptr) {
    std::string names;
    for (const SensorReading& reading : readings) names += (names.empty() ? "" : ", ") + std::string(reading.name);
    throw py::key_error("robot '" + handle.world().robots[static_cast<std::size_t>(index)].name + "' has no sensor '" +
                        name + "'; it has " + (names.empty() ? "none" : names));
  }
  return {handle.core, index, name};
}

namespace {

py::array depthsOf(const SensorView& view) {
  const SensorReading& reading = view.reading();
  const CameraModel* camera = reading.camera;
  if (camera == nullptr || !camera->depth) throw py::value_error("sensor '" + view.name + "' has no depth image");
  const double* data = reading.values.data();
  if (camera->color) data += static_cast<std::ptrdiff_t>(camera->width) * camera->height;
  return viewOf(data, {camera->height, camera->width}, {8 * static_cast<py::ssize_t>(camera->width), 8},
                ownerOf(view.core), false);
}

/// Eight bits for red, green and blue each.
py::array colorsOf(const SensorView& view) {
  const SensorReading& reading = view.reading();
  const CameraModel* camera = reading.camera;
  if (camera == nullptr || !camera->color) throw py::value_error("sensor '" + view.name + "' has no color image");
  const py::ssize_t width = camera->width, height = camera->height;
  py::array_t<std::uint8_t> image({height, width, py::ssize_t{3}});
  std::uint8_t* to = image.mutable_data();
  for (const double value : reading.values.first(static_cast<std::size_t>(width * height))) {
    const std::uint32_t packed = value >= 0 && value < 16777216 ? static_cast<std::uint32_t>(value) : 0;
    for (int shift = 16; shift >= 0; shift -= 8) *to++ = static_cast<std::uint8_t>(packed >> shift);
  }
  return image;
}

void bindSensorPictures(Class<SensorView>& sensor) {
  sensor
      .def_property_readonly("depth_image", &depthsOf,
                             "(height, width), float64: m along the optical axis; a read-only view.")
      .def_property_readonly(
          "color_image", &colorsOf,
          "color_image: NDArray[np.uint8]\n\n(height, width, 3), uint8: red, green and blue, row by row from the top "
          "left; a new array. `values` has the same as one number 0xrrggbb a pixel.")
      .def_property_readonly(
          "settings",
          [](const SensorView& s) { return toPython(s.core->simulation->sensor(s.robot, s.name)->settings()); },
          "settings: dict[str, Any]\n\nNames and values, a dict.")
      .def(
          "set",
          [](const SensorView& s, const std::string& setting, py::handle value) {
            if (!s.core->simulation->sensor(s.robot, s.name)->changeSetting(setting, valueFrom(value, setting)))
              throw py::key_error("sensor '" + s.name + "' has no setting '" + setting + "' that can be changed");
          },
          py::arg("setting"), py::arg("value"),
          "set(setting, value: Any)\n\nChanges a setting while the simulation runs.")
      .def(
          "enable", [](const SensorView& s, bool on) { s.core->simulation->setSensorEnabled(s.robot, s.name, on); },
          py::arg("on") = true, "enable(on = True)\n\nA sensor that is off keeps its values.")
      .def(
          "set_rate",
          [](const SensorView& s, double rate) { s.core->simulation->setSensorRate(s.robot, s.name, rate); },
          py::arg("rate"), "set_rate(rate)\n\nHz, from the next step on.")
      .def("__repr__", [](const SensorView& s) {
        const SensorReading& reading = s.reading();
        return "SimulatedSensor('" + s.name + "', " + std::string(reading.type) + ", " +
               std::to_string(reading.values.size()) + " values)";
      });
}

void bindSensor(py::module_& m) {
  Class<SensorView> sensor(m, "SimulatedSensor",
                           "A sensor of a Simulation. Its arrays are views of what it measured last, and change as the "
                           "simulation goes on; copy what you want to keep.");
  sensor
      .def_property_readonly(
          "name", [](const SensorView& s) { return s.name; }, "As the robot's file says.")
      .def_property_readonly(
          "type", [](const SensorView& s) { return std::string(s.reading().type); }, "Name of the component.")
      .def_property_readonly(
          "channels",
          [](const SensorView& s) {
            const auto channels = s.reading().channels;
            return std::vector<std::string>(channels.begin(), channels.end());
          },
          "Names of the values.")
      .def_property_readonly(
          "values",
          [](const SensorView& s) {
            const auto values = s.reading().values;
            return viewOf(values.data(), {static_cast<py::ssize_t>(values.size())}, {8}, ownerOf(s.core), false);
          },
          "(number of channels,); a read-only view.")
      .def_property_readonly(
          "camera",
          [](const SensorView& s) -> py::object {
            const CameraModel* camera = s.reading().camera;
            if (camera == nullptr) return py::none();
            py::dict model;
            model["width"] = camera->width;
            model["height"] = camera->height;
            model["fx"] = camera->fx;
            model["fy"] = camera->fy;
            model["cx"] = camera->cx;
            model["cy"] = camera->cy;
            model["color"] = camera->color;
            model["depth"] = camera->depth;
            model["min_depth"] = camera->minDepth;
            model["max_depth"] = camera->maxDepth;
            model["link"] = camera->link;
            model["X_LS"] = camera->X_LS;
            return model;
          },
          "camera: dict[str, Any] | None\n\nOf a camera: width, height, fx, fy, cx, cy (pixels), color, depth, "
          "min_depth, max_depth (m), link, X_LS; else None.");
  bindSensorPictures(sensor);
}

void bindController(py::module_& m) {
  Class<ControllerView>(m, "SimulatedController", "The controller of a robot in a Simulation.")
      .def(
          "commands",
          [](const ControllerView& c) {
            py::dict list;
            for (const auto& [name, help] : c.controller().commands()) list[py::str(name)] = help;
            return list;
          },
          "commands() -> dict[str, Any]\n\nWhat `command` takes, with a line of help each.")
      .def(
          "command",
          [](const ControllerView& c, const std::string& name, const py::args& arguments) {
            Value value;
            if (arguments.size() == 1) value = valueFrom(arguments[0], name);
            if (arguments.size() > 1) value = valueFrom(arguments, name);
            if (!c.controller().command(name, value)) {
              std::string names;
              for (const auto& [known, help] : c.controller().commands()) names += (names.empty() ? "" : ", ") + known;
              throw py::key_error("the controller has no command '" + name + "'; it has " +
                                  (names.empty() ? "none" : names));
            }
          },
          py::arg("name"), "command(name: str, *arguments: Any)\n\nA named command, such as command('set_q', q).")
      .def_property_readonly(
          "settings", [](const ControllerView& c) { return toPython(c.controller().settings()); },
          "settings: dict[str, Any]\n\nNames and values, a dict.")
      .def(
          "set",
          [](const ControllerView& c, const std::string& setting, py::handle value) {
            if (!c.controller().changeSetting(setting, valueFrom(value, setting)))
              throw py::key_error("the controller has no setting '" + setting + "' that can be changed");
          },
          py::arg("setting"), py::arg("value"),
          "set(setting, value: Any)\n\nChanges a setting while the simulation runs.")
      .def("__repr__", [](const ControllerView& c) {
        return "SimulatedController(robot '" + c.core->world->robots[static_cast<std::size_t>(c.robot)].name + "', " +
               std::to_string(c.controller().commands().size()) + " commands)";
      });
}

}  // namespace

void bindSimulatedComponents(py::module_& m) {
  bindSensor(m);
  bindController(m);
}

}  // namespace mortise::python
