#include <functional>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/define.h"
#include "common/environment.h"
#include "geometry/shapes.h"
#include "model/worlds.h"
#include "mortise/modeling/world_compiler.h"

namespace mortise::python {

namespace {

/// Behind Python's WorldDescription: what is edited, and what it was compiled to last.
struct DescriptionHandle {
  WorldDescription description;
  WorldCompiler compiler;
};

template <typename Entries>
std::vector<std::string> namesOf(const Entries& entries, const std::function<std::string(int)>& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < entries.size(); ++i) names.push_back(name(static_cast<int>(i)));
  return names;
}

}  // namespace

using Handle = DescriptionHandle;

std::vector<std::string> robots(const Handle& h) {
  return namesOf(h.description.robots, [&](int i) { return h.description.robotName(i); });
}

std::vector<std::string> objects(const Handle& h) {
  return namesOf(h.description.objects, [&](int i) { return h.description.objectName(i); });
}

std::vector<std::string> terrains(const Handle& h) {
  return namesOf(h.description.terrains, [&](int i) { return h.description.terrainName(i); });
}

void bindAdditions(Class<Handle>& type) {
  type.def(
          "add_robot",
          [](Handle& h, py::handle path, const std::string& name, py::handle pose) {
            const std::string file = pathFrom(path);
            RobotDescription robot;
            withLoader("'" + file + "' cannot be used", [&](FormatLoader& loader, Diagnostics& diagnostics) {
              robot = loader.load<RobotDescription>(file, {}, diagnostics);
            });
            const std::string own = name.empty() ? robot.name : name;
            const int index = h.description.addRobot(std::move(robot), own, file);
            if (!pose.is_none())
              h.description.robots[static_cast<std::size_t>(index)].placement =
                  Placement::of(transformFrom(pose, "pose"));
            return index;
          },
          py::arg("path"), py::arg("name") = "", py::arg("pose") = py::none(),
          "add_robot(path: PathLike, name = '', pose: Pose | None = None) -> int\n\nReads a robot and places its "
          "roots; its index.")
      .def(
          "add_object",
          [](Handle& h, py::handle path, const std::string& name, py::handle pose) {
            const std::string file = pathFrom(path);
            RigidObject object;
            withLoader("'" + file + "' cannot be used", [&](FormatLoader& loader, Diagnostics& diagnostics) {
              object = loader.load<RigidObject>(file, {}, diagnostics);
            });
            if (!name.empty()) object.name = name;
            const int index = h.description.addObject(std::move(object), file);
            auto& entry = h.description.objects[static_cast<std::size_t>(index)];
            if (!name.empty()) entry.name = name;
            if (!pose.is_none()) entry.setPose(transformFrom(pose, "pose"));
            return index;
          },
          py::arg("path"), py::arg("name") = "", py::arg("pose") = py::none(),
          "add_object(path: PathLike, name = '', pose: Pose | None = None) -> int\n\nA rigid object, or a shape as "
          "one; its index.")
      .def(
          "add_terrain",
          [](Handle& h, py::handle path, const std::string& name, py::handle pose) {
            const std::string file = pathFrom(path);
            Terrain terrain;
            withLoader("'" + file + "' cannot be used", [&](FormatLoader& loader, Diagnostics& diagnostics) {
              terrain = loader.load<Terrain>(file, {}, diagnostics);
            });
            if (!name.empty()) terrain.name = name;
            const int index = h.description.addTerrain(std::move(terrain), file);
            auto& entry = h.description.terrains[static_cast<std::size_t>(index)];
            if (!name.empty()) entry.name = name;
            if (!pose.is_none()) entry.placement = Placement::of(transformFrom(pose, "pose"));
            return index;
          },
          py::arg("path"), py::arg("name") = "", py::arg("pose") = py::none(),
          "add_terrain(path: PathLike, name = '', pose: Pose | None = None) -> int\n\nA terrain, or a shape as one; "
          "its index.");
}

namespace {

void bindObjectEdits(Class<Handle>& type) {
  type.def(
          "set_object_pose",
          [](Handle& h, py::handle which, py::handle pose) {
            h.description.objects[static_cast<std::size_t>(indexAmong(objects(h), which, "object"))].setPose(
                transformFrom(pose, "pose"));
          },
          py::arg("which"), py::arg("pose"),
          "set_object_pose(which: int | str, pose: Pose)\n\nWhere an object is, X_WO; by index or name.")
      .def(
          "set_object_mass",
          [](Handle& h, py::handle which, double mass) {
            requireNumber(mass, "mass", 0);
            h.description.objects[static_cast<std::size_t>(indexAmong(objects(h), which, "object"))].setMass(mass);
          },
          py::arg("which"), py::arg("mass"), "set_object_mass(which: int | str, mass)\n\nkg")
      .def(
          "compile",
          [](Handle& h) {
            py::gil_scoped_release release;
            return std::make_shared<World>(h.compiler.compile(h.description));
          },
          "compile() -> World\n\nRaises Error with everything that is wrong.")
      .def(
          "save",
          [](Handle& h, py::handle path) {
            const std::string file = pathFrom(path);
            withLoader("'" + file + "' cannot be written", [&](FormatLoader& loader, Diagnostics& diagnostics) {
              loader.write(Resource(h.description), file, diagnostics);
            });
          },
          py::arg("path"), "save(path: PathLike)\n\nIn the format of the extension.")
      .def("__repr__", [](const Handle& h) {
        return "WorldDescription('" + h.description.file + "', " + counted(h.description.robots.size(), "robot") +
               ", " + counted(h.description.objects.size(), "object") + ", " +
               counted(h.description.terrains.size(), "terrain") + ")";
      });
}

}  // namespace

void bindEdits(Class<Handle>& type) {
  type.def(
          "remove_robot",
          [](Handle& h, py::handle which) { h.description.removeRobot(indexAmong(robots(h), which, "robot")); },
          py::arg("which"), "remove_robot(which: int | str)\n\nBy index or name.")
      .def(
          "remove_object",
          [](Handle& h, py::handle which) { h.description.removeObject(indexAmong(objects(h), which, "object")); },
          py::arg("which"), "remove_object(which: int | str)\n\nBy index or name.")
      .def(
          "remove_terrain",
          [](Handle& h, py::handle which) { h.description.removeTerrain(indexAmong(terrains(h), which, "terrain")); },
          py::arg("which"), "remove_terrain(which: int | str)\n\nBy index or name.")
      .def(
          "set_robot_configuration",
          [](Handle& h, py::handle which, py::handle q) {
            auto& entry = h.description.robots[static_cast<std::size_t>(indexAmong(robots(h), which, "robot"))];
            entry.configuration = vectorFrom(q, "q", static_cast<Eigen::Index>(entry.robot->links.size()));
            entry.configurationFile.clear();
            entry.fileConfiguration.reset();
          },
          py::arg("which"), py::arg("q"), "set_robot_configuration(which: int | str, q: ArrayLike)\n\n(num_links,)")
      .def(
          "set_robot_pose",
          [](Handle& h, py::handle which, py::handle pose) {
            h.description.robots[static_cast<std::size_t>(indexAmong(robots(h), which, "robot"))].placement =
                Placement::of(transformFrom(pose, "pose"));
          },
          py::arg("which"), py::arg("pose"),
          "set_robot_pose(which: int | str, pose: Pose)\n\nWhere a robot stands, X_WR; by index or name.");
  bindObjectEdits(type);
}

void bindWorldDescriptions(py::module_& m) {
  Class<Handle> type(
      m, "WorldDescription",
      "WorldDescription()\n\nA world as its file says it: edited, saved and compiled to a World, which shares with the "
      "last one what did not change. Comments and the way of writing stay.");
  type.def(constructor([] { return std::make_unique<Handle>(); }))
      .def_property_readonly(
          "file", [](const Handle& h) { return h.description.file; }, "Where it was read from.")
      .def_property_readonly("robot_names", &robots, "A list of texts.")
      .def_property_readonly("object_names", &objects, "A list of texts.")
      .def_property_readonly("terrain_names", &terrains, "A list of texts.");
  bindAdditions(type);
  bindEdits(type);
  define(
      m, "load_world_description",
      [](py::handle path) {
        const std::string file = pathFrom(path);
        auto handle = std::make_unique<Handle>();
        withLoader("'" + file + "' cannot be used", [&](FormatLoader& loader, Diagnostics& diagnostics) {
          handle->description = loader.load<WorldDescription>(file, {}, diagnostics);
        });
        return handle;
      },
      py::arg("path"), "load_world_description(path: PathLike) -> WorldDescription\n\nTo be edited and saved.");
}

}  // namespace mortise::python
