#include "model/worlds.h"

#include <cmath>
#include <pybind11/stl.h>
#include <sstream>
#include <string_view>
#include <utility>

#include "common/arrays.h"
#include "common/bindings.h"
#include "common/define.h"
#include "common/environment.h"
#include "common/values.h"
#include "geometry/shapes.h"
#include "model/models.h"
#include "model/robots_and_worlds.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/text/suggest.h"

namespace mortise::python {

namespace {

template <typename Things>
int indexOf(const Things& things, py::handle which, const char* kind) {
  if (PyUnicode_Check(which.ptr()) != 0) {
    const std::string name = py::reinterpret_borrow<py::str>(which);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < things.size(); ++i) {
      if (things[i].name == name) return static_cast<int>(i);
      names.push_back(things[i].name);
    }
    throw py::key_error("the world has no " + std::string(kind) + " '" + name + "'; " + suggestFrom(name, names));
  }
  if (PyIndex_Check(which.ptr()) == 0)
    throw py::type_error(std::string(kind) + ": expected an index or a name, found " + shapeText(which));
  const Py_ssize_t index = PyNumber_AsSsize_t(which.ptr(), nullptr);
  if (index < 0 || index >= static_cast<Py_ssize_t>(things.size()))
    throw py::index_error(std::string(kind) + " " + std::to_string(index) + " is out of range: the world has " +
                          std::to_string(things.size()));
  return static_cast<int>(index);
}

py::list displayOf(const std::vector<Value>& display) {
  py::list list;
  for (const Value& entry : display) list.append(toPython(entry));
  return list;
}

py::dict surfaceOf(const Surface& surface) {
  py::dict entry;
  entry["friction"] = surface.friction;
  entry["restitution"] = surface.restitution;
  entry["stiffness"] = surface.stiffness;
  entry["damping"] = surface.damping;
  entry["padding"] = surface.padding ? py::cast(*surface.padding) : py::none();
  entry["preshrink"] = surface.preshrink;
  entry["rolling"] = surface.rolling;
  return entry;
}

Surface surfaceFrom(py::handle given, Surface surface) {
  const Value value = settingsFrom(given, "surface");
  for (const Value::Entry& entry : value.entries()) {
    if (entry.key == "friction")
      surface.friction = entry.value.asReal();
    else if (entry.key == "restitution")
      surface.restitution = entry.value.asReal();
    else if (entry.key == "stiffness")
      surface.stiffness = entry.value.asReal();
    else if (entry.key == "damping")
      surface.damping = entry.value.asReal();
    else if (entry.key == "padding")
      surface.padding = entry.value.isNull() ? std::nullopt : std::optional(entry.value.asReal());
    else if (entry.key == "preshrink")
      surface.preshrink = static_cast<int>(entry.value.asInteger());
    else if (entry.key == "rolling")
      surface.rolling = entry.value.asReal();
    else
      throw py::key_error("surface: there is no '" + entry.key +
                          "'; there are friction, restitution, stiffness, damping, padding, preshrink, rolling");
  }
  requireSurface(surface);
  return surface;
}

/// A thing of a world that keeps it alive.
struct WorldObject {
  WorldPtr world;
  std::size_t index = 0;
  const RigidObject& get() const { return world->objects[index]; }
};
struct WorldTerrain {
  WorldPtr world;
  std::size_t index = 0;
  const Terrain& get() const { return world->terrains[index]; }
};
struct WorldRobotView {
  WorldPtr world;
  std::size_t index = 0;
  const WorldRobot& get() const { return world->robots[index]; }
};

/// From what a pickle holds: a world, and which of its things.
template <typename View, typename Things>
View thingFrom(const py::tuple& state, Things World::*things) {
  const auto world = state[0].cast<WorldPtr>();
  const auto index = state[1].cast<std::size_t>();
  if (!world || index >= ((*world).*things).size()) throw py::value_error("a pickle's state names nothing of a world");
  return {world, index};
}

template <typename View, typename Things>
py::tuple viewsOf(const WorldPtr& world, const Things& things) {
  py::tuple views(things.size());
  for (std::size_t i = 0; i < things.size(); ++i) views[i] = View{world, i};
  return views;
}

int idOf(const WorldObject& o) { return o.world->objectId(static_cast<int>(o.index)); }
int idOf(const WorldTerrain& t) { return t.world->terrainId(static_cast<int>(t.index)); }
int idOf(const WorldRobotView& r) { return r.world->robotId(static_cast<int>(r.index)); }

/// Binds the properties that all things of a world have. `among`: the docstring of the index.
template <typename View>
void bindNames(Class<View>& type, const char* among, const char* id) {
  type.def_property_readonly(
          "name", [](const View& v) { return v.get().name; }, "As the world's file says.")
      .def_property_readonly(
          "index", [](const View& v) { return v.index; }, among)
      .def_property_readonly(
          "id", [](const View& v) { return idOf(v); }, id);
}

/// `geometry`: the docstring of the shape.
template <typename View>
void bindGeometry(Class<View>& type, const char* geometry) {
  type.def_property_readonly(
          "geometry", [](const View& v) { return held(v.get().geometry); }, geometry)
      .def_property_readonly(
          "geometry_file", [](const View& v) { return v.get().geometryFile; },
          "As the world's file says; may be empty.");
}

template <typename View>
void bindSurface(Class<View>& type) {
  type.def_property_readonly(
          "surface", [](const View& v) { return surfaceOf(v.get().surface); },
          "friction, restitution, stiffness (N/m), damping (N s/m), padding (m), preshrink, rolling (m).")
      .def_property_readonly(
          "display", [](const View& v) { return displayOf(v.get().display); },
          "display: list[Any]\n\nHow it looks, a dict.");
}

template <typename View, typename Things>
void bindPickle(Class<View>& type, Things World::*things) {
  type.def(pickled([](const View& v) { return py::make_tuple(v.world, v.index); },
                   [things](const py::tuple& state) { return thingFrom<View>(state, things); }));
}

/// "WorldObject(0, 'cup'", without what follows.
template <typename View>
std::string textOf(const char* type, const View& view) {
  return std::string(type) + "(" + std::to_string(view.index) + ", '" + view.get().name + "'";
}

void bindObjects(py::module_& m) {
  Class<WorldObject> type(m, "WorldObject", "A rigid object of a World. Read-only.");
  bindNames(type, "Among the objects.", "In the world.");
  bindGeometry(type, "geometry: Geometry | None\n\nIn the object's frame; None where there is none.");
  type.def_property_readonly(
          "pose", [](const WorldObject& o) { return o.get().X_WO; }, "X_WO")
      .def_property_readonly(
          "velocity", [](const WorldObject& o) { return py::make_tuple(arrayOf(o.get().v_WO), arrayOf(o.get().w_WO)); },
          "velocity: tuple[ndarray, ndarray]\n\n(v, w): of the origin, m/s, and rad/s.")
      .def_property_readonly(
          "inertia", [](const WorldObject& o) { return o.get().inertia; }, "A BodyInertia in the object's frame.")
      .def_property_readonly(
          "mass", [](const WorldObject& o) { return o.get().inertia.mass; }, "kg");
  bindSurface(type);
  bindPickle(type, &World::objects);
  type.def("__repr__", [](const WorldObject& o) { return textOf("WorldObject", o) + ")"; });
}

void bindTerrains(py::module_& m) {
  Class<WorldTerrain> type(m, "WorldTerrain", "A terrain of a World: what never moves. Read-only.");
  bindNames(type, "Among the terrains.", "In the world.");
  bindGeometry(type, "geometry: Geometry | None\n\nIn the world frame.");
  type.def_property_readonly(
      "friction", [](const WorldTerrain& t) { return std::vector<double>{t.get().surface.friction}; },
      "The coefficient of all elements of the shape.");
  bindSurface(type);
  bindPickle(type, &World::terrains);
  type.def("__repr__", [](const WorldTerrain& t) { return textOf("WorldTerrain", t) + ")"; });
}

void bindWorldRobots(py::module_& m) {
  Class<WorldRobotView> type(m, "WorldRobot", "A robot of a World, and the state it starts in. Read-only.");
  bindNames(type, "Among the robots.", "In the world; those of its links follow.");
  type.def_property_readonly(
          "robot", [](const WorldRobotView& r) { return held(r.get().robot); },
          "Its model, with the placement in the world in its root links.")
      .def_property_readonly(
          "q", [](const WorldRobotView& r) { return readOnly(arrayOf(r.get().q)); }, "(num_links,)")
      .def_property_readonly(
          "dq", [](const WorldRobotView& r) { return readOnly(arrayOf(r.get().dq)); }, "(num_links,)")
      .def(
          "state",
          [](const WorldRobotView& r) {
            auto handle = std::make_unique<StateHandle>(r.get().robot);
            handle->state().q = r.get().q;
            if (r.get().dq.size() == r.get().q.size()) handle->state().dq = r.get().dq;
            updateFrames(handle->robot(), handle->state());
            return handle;
          },
          "state() -> RobotState\n\nA new state, as the world has it.")
      .def(
          "link_id",
          [](const WorldRobotView& r, py::handle link) {
            return r.world->linkId(static_cast<int>(r.index), linkIndex(*r.get().robot, link));
          },
          py::arg("link"), "link_id(link: int | str | RobotLink) -> int\n\nWorld id of a link, by index or name.");
  bindPickle(type, &World::robots);
  type.def("__repr__", [](const WorldRobotView& r) {
    return textOf("WorldRobot", r) + ", " + std::to_string(r.get().robot->numLinks()) + " links)";
  });
}

void bindThings(py::module_& m) {
  bindObjects(m);
  bindTerrains(m);
  bindWorldRobots(m);
}

WorldPtr copied(const WorldPtr& world) { return std::make_shared<World>(*world); }

void bindWorldsWithMore(Class<World, WorldPtr>& type) {
  type.def(
          "with_new_object",
          [](const WorldPtr& w, const std::string& name, const std::shared_ptr<Geometry>& geometry,
             const BodyInertia& inertia, py::handle pose, py::handle surface) {
            WorldPtr result = copied(w);
            RigidObject entry;
            entry.name = ownName(w->objects, name);
            entry.geometry = geometry;
            entry.inertia = inertia;
            if (!pose.is_none()) entry.X_WO = transformFrom(pose, "pose");
            entry.surface = surfaceFrom(surface, entry.surface);
            result->objects.push_back(std::move(entry));
            // Ids in the settings count robots' links after all objects.
            const int first = w->objectId(static_cast<int>(w->objects.size()));
            for (auto& [id, change] : result->simulation.surfaces)
              if (id >= first) ++id;
            for (WorldJoint& joint : result->simulation.joints) {
              if (joint.idA >= first) ++joint.idA;
              if (joint.idB >= first) ++joint.idB;
            }
            return result;
          },
          py::arg("name"), py::arg("geometry"), py::arg("inertia"), py::arg("pose") = py::none(),
          py::arg("surface") = py::none(),
          "with_new_object(name: str, geometry: Geometry, inertia: BodyInertia, pose: Pose | None = None, surface: "
          "Mapping[str, float] | None = None) -> World\n\nWith one more rigid object.")
      .def(
          "with_simulation",
          [](const WorldPtr& w, py::handle gravity, py::handle timeStep, py::handle backend) {
            WorldPtr result = copied(w);
            if (!gravity.is_none()) result->simulation.gravity = vector3From(gravity, "gravity");
            if (!timeStep.is_none()) {
              const double step = numberFrom(timeStep, "time_step");
              if (!(step > 0) || !std::isfinite(step))
                throw py::value_error("time_step: expected a finite number of seconds above 0");
              result->simulation.timeStep = step;
            }
            if (!backend.is_none()) result->simulation.backend = textFrom(backend, "backend");
            return result;
          },
          py::arg("gravity") = py::none(), py::arg("time_step") = py::none(), py::arg("backend") = py::none(),
          "with_simulation(gravity: ArrayLike | None = None, time_step: float | None = None, backend: str | None = "
          "None) -> World\n\nOther settings of the simulation.");
}

void bindWorldCopies(Class<World, WorldPtr>& type) {
  type.def(
          pickled([](const World& w) { return worldState(w); }, [](const py::list& state) { return worldFrom(state); }))
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, py::arg("memo"))
      .def("__repr__", [](const World& w) { return worldText(w); });
}

void bindWorldVariants(Class<World, WorldPtr>& type) {
  type.def(
          "with_configuration",
          [](const WorldPtr& w, py::handle robot, py::handle q, py::handle dq) {
            WorldPtr result = copied(w);
            WorldRobot& entry = result->robots[static_cast<std::size_t>(robotIndex(*w, robot))];
            entry.q = vectorFrom(q, "q", entry.robot->numLinks());
            entry.dq = dq.is_none() ? VectorXd(VectorXd::Zero(entry.robot->numLinks()))
                                    : vectorFrom(dq, "dq", entry.robot->numLinks());
            return result;
          },
          py::arg("robot"), py::arg("q"), py::arg("dq") = py::none(),
          "with_configuration(robot: int | str, q: ArrayLike, dq: ArrayLike | None = None) -> World\n\nWhere a robot "
          "starts; (num_links,) each.")
      .def(
          "with_object",
          [](const WorldPtr& w, py::handle object, py::handle pose, py::handle v, py::handle omega, py::handle inertia,
             py::handle surface) {
            WorldPtr result = copied(w);
            RigidObject& entry = result->objects[static_cast<std::size_t>(objectIndex(*w, object))];
            if (!pose.is_none()) entry.X_WO = transformFrom(pose, "pose");
            if (!v.is_none()) entry.v_WO = vector3From(v, "v");
            if (!omega.is_none()) entry.w_WO = vector3From(omega, "w");
            if (!inertia.is_none()) entry.inertia = boundFrom<BodyInertia>(inertia, "inertia");
            if (!surface.is_none()) entry.surface = surfaceFrom(surface, entry.surface);
            return result;
          },
          py::arg("object"), py::arg("pose") = py::none(), py::arg("v") = py::none(), py::arg("w") = py::none(),
          py::arg("inertia") = py::none(), py::arg("surface") = py::none(),
          "with_object(object: int | str | WorldObject, pose: Pose | None = None, v: ArrayLike | None = None, w: "
          "ArrayLike | None = None, inertia: BodyInertia | None = None, surface: Mapping[str, float] | None = None) -> "
          "World\n\nWhere an object starts and what it is; None stays.")
      .def(
          "with_robot",
          [](const WorldPtr& w, const std::shared_ptr<Robot>& robot, const std::string& name, py::handle q) {
            WorldPtr result = copied(w);
            WorldRobot entry;
            entry.name = ownName(w->robots, name.empty() ? robot->name() : name);
            entry.robot = robot;
            entry.q = q.is_none() ? robot->initialConfiguration() : vectorFrom(q, "q", robot->numLinks());
            entry.dq = VectorXd::Zero(robot->numLinks());
            result->robots.push_back(std::move(entry));
            return result;
          },
          py::arg("robot").none(false), py::arg("name") = "", py::arg("q") = py::none(),
          "with_robot(robot, name: str = '', q: ArrayLike | None = None) -> World\n\nWith one more robot; a name that "
          "is taken gets a number.");
  bindWorldsWithMore(type);
  bindWorldCopies(type);
}

void bindWorld(py::module_& m) {
  Class<World, WorldPtr> type(
      m, "World",
      "World()\n\n"
      "Robots, rigid objects and terrains, and how they are simulated, with Klamp't's ids: terrains first, then "
      "objects, then "
      "each robot followed by its links. Its things never change: `with_...` makes another world that shares the rest. "
      "`load_world` reads one; WorldDescription is what is edited and saved.");
  type.def(constructor([] { return std::make_shared<World>(); }))
      .def_property_readonly(
          "file", [](const World& w) { return w.file; }, "Where it was read from; empty where it was made.")
      .def_property_readonly(
          "robots", [](const WorldPtr& w) { return viewsOf<WorldRobotView>(w, w->robots); },
          "robots: tuple[WorldRobot, ...]\n\nA tuple of WorldRobot.")
      .def_property_readonly(
          "objects", [](const WorldPtr& w) { return viewsOf<WorldObject>(w, w->objects); },
          "objects: tuple[WorldObject, ...]\n\nA tuple of WorldObject.")
      .def_property_readonly(
          "terrains", [](const WorldPtr& w) { return viewsOf<WorldTerrain>(w, w->terrains); },
          "terrains: tuple[WorldTerrain, ...]\n\nA tuple of WorldTerrain.")
      .def_property_readonly("num_ids", &World::numIds, "Ids of everything, links among them.")
      .def(
          "robot",
          [](const WorldPtr& w, py::handle which) {
            return WorldRobotView{w, static_cast<std::size_t>(robotIndex(*w, which))};
          },
          py::arg("which") = 0, "robot(which: int | str = 0) -> WorldRobot\n\nBy index or name.")
      .def(
          "object",
          [](const WorldPtr& w, py::handle which) {
            return WorldObject{w, static_cast<std::size_t>(objectIndex(*w, which))};
          },
          py::arg("which"), "object(which: int | str) -> WorldObject\n\nBy index or name.")
      .def(
          "terrain",
          [](const WorldPtr& w, py::handle which) {
            return WorldTerrain{w, static_cast<std::size_t>(terrainIndex(*w, which))};
          },
          py::arg("which"), "terrain(which: int | str) -> WorldTerrain\n\nBy index or name.")
      .def(
          "id", [](const World& w, py::handle which) { return worldId(w, which); }, py::arg("which"),
          "id(which: int | str | WorldObject) -> int\n\nOf a name; 'robot[link]' for links.")
      .def(
          "name_of", [](const World& w, int id) { return w.nameOf(worldId(w, py::int_(id))); }, py::arg("id"),
          "name_of(id) -> str\n\n'robot[link]' for links.")
      .def_property_readonly(
          "gravity", [](const World& w) { return readOnly(arrayOf(w.simulation.gravity)); }, "m/s^2")
      .def_property_readonly(
          "time_step", [](const World& w) { return w.simulation.timeStep; }, "s")
      .def_property_readonly(
          "backend", [](const World& w) { return w.simulation.backend; }, "As the file names it; '' if none.")
      .def_property_readonly(
          "background", [](const World& w) { return w.background; }, "Color behind the world: red, green, blue, alpha.")
      .def(
          "surface", [](const World& w, py::handle which) { return surfaceOf(w.simulationSurface(worldId(w, which))); },
          py::arg("which"),
          "surface(which: int | str | WorldObject) -> dict[str, Any]\n\nOf a terrain, object or link as it is "
          "simulated.");
  bindWorldVariants(type);
}

}  // namespace

namespace {

struct Named {
  std::string name;
};

}  // namespace

int indexAmong(const std::vector<std::string>& names, py::handle which, const char* kind) {
  std::vector<Named> named;
  for (const std::string& name : names) named.push_back({name});
  return indexOf(named, which, kind);
}

std::string counted(std::size_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

void requireSurface(const Surface& surface) {
  const std::pair<const char*, double> numbers[] = {
      {"friction", surface.friction}, {"restitution", surface.restitution}, {"stiffness", surface.stiffness},
      {"damping", surface.damping},   {"padding", surface.thickness()},     {"rolling", surface.rolling}};
  for (const auto& [name, number] : numbers) {
    const bool bounded = std::string_view(name) == "restitution" || std::string_view(name) == "padding" ||
                         std::string_view(name) == "rolling";
    if (number >= 0 && !(bounded && std::isinf(number))) continue;
    std::ostringstream found;
    found << number;
    throw py::value_error(std::string("surface.") + name + ": expected a number of at least 0, found " + found.str());
  }
  if (surface.preshrink < 0 || surface.preshrink > 2)
    throw py::value_error("surface.preshrink: expected 0, 1 or 2, found " + std::to_string(surface.preshrink));
}

int robotIndex(const World& world, py::handle which) { return indexOf(world.robots, which, "robot"); }
int objectIndex(const World& world, py::handle which) { return indexOf(world.objects, which, "object"); }
int terrainIndex(const World& world, py::handle which) { return indexOf(world.terrains, which, "terrain"); }

int worldId(const World& world, py::handle which) {
  if (py::isinstance<WorldObject>(which))
    return world.objectId(static_cast<int>(objectOf<WorldObject>(which.ptr()).index));
  if (PyUnicode_Check(which.ptr()) != 0) {
    std::vector<Named> names;
    for (int id = 0; id < world.numIds(); ++id) names.push_back({world.nameOf(id)});
    return indexOf(names, which, "thing called");
  }
  if (PyIndex_Check(which.ptr()) == 0) throw py::type_error("id: expected an id or a name, found " + shapeText(which));
  const Py_ssize_t id = PyNumber_AsSsize_t(which.ptr(), nullptr);
  if (id < 0 || id >= world.numIds())
    throw py::index_error("id " + std::to_string(id) + " is out of range: the world has " +
                          std::to_string(world.numIds()));
  return static_cast<int>(id);
}

std::string worldText(const World& world) {
  const std::string file = world.file.substr(world.file.rfind('/') + 1);
  return "World('" + file + "', " + counted(world.robots.size(), "robot") + ", " +
         counted(world.objects.size(), "object") + ", " + counted(world.terrains.size(), "terrain") + ")";
}

void bindWorlds(py::module_& m) {
  bindThings(m);
  bindWorld(m);
  bindWorldDescriptions(m);
  define(
      m, "load_world",
      [](const py::args& paths) {
        if (paths.empty()) throw py::type_error("load_world() needs a path");
        std::vector<std::string> files;
        for (const auto path : paths) files.push_back(pathFrom(path));
        WorldPtr world;
        withLoader("'" + files.front() + "' cannot be used", [&](FormatLoader& loader, Diagnostics& diagnostics) {
          world = std::make_shared<World>(assembleWorld(loader, files, diagnostics));
        });
        return world;
      },
      "load_world(*paths: PathLike) -> World\n\nA world file, or robots, rigid objects and terrains to put together. "
      "Raises Error with file, line and column of everything that is wrong.");
}

}  // namespace mortise::python
