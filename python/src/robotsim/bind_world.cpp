#include "common/arrays.h"
#include "common/define.h"
#include "common/environment.h"
#include "common/values.h"
#include "model/worlds.h"
#include "mortise/appearance/display_color.h"
#include "robotsim/bind.h"
#include "robotsim/model/sensor.h"

namespace mortise::robotsim {

namespace {

py::list displayOf(const std::vector<Value>& display) {
  py::list list;
  for (const Value& attributes : display) list.append(python::toPython(attributes));
  return list;
}

py::tuple massOf(const BodyInertia& body) {
  return py::make_tuple(body.mass, listOf(body.com), listOf(Matrix3d(body.inertia)));
}

template <typename T>
T loaded(const std::string& path) {
  T result;
  python::withLoader("'" + path + "' cannot be read", [&](FormatLoader& loader, Diagnostics& diagnostics) {
    result = loader.load<T>(path, {}, diagnostics);
  });
  return result;
}

template <typename T>
void write(const T& value, const std::string& path) {
  python::withLoader("'" + path + "' cannot be written",
                     [&](FormatLoader& loader, Diagnostics& diagnostics) { loader.write(value, path, diagnostics); });
}

void bindTerrains(py::module_& m) {
  Class<TerrainModel, TerrainModelPtr>(m, "Terrain", "What stands behind a TerrainModel.")
      .def(constructor([](const std::string& name) {
        Terrain t;
        t.name = name;
        return std::make_shared<TerrainModel>(std::move(t));
      }))
      .def_property(
          "name", [](const TerrainModel& t) { return t.terrain.name; },
          [](TerrainModel& t, const std::string& name) { t.terrain.name = name; })
      .def_readwrite("appearance", &TerrainModel::appearance)
      .def("file", [](const TerrainModel& t) { return t.terrain.file; })
      .def("shape", [](const TerrainModel& t) { return t.shape; })
      .def("setFriction",
           [](TerrainModel& t, double friction) {
             python::requireSurface({.friction = friction});
             t.terrain.surface.friction = friction;
           })
      .def("display", [](const TerrainModel& t) { return displayOf(t.terrain.display); })
      .def("load",
           [](TerrainModel& t, const std::string& path) {
             Terrain terrain = loaded<Terrain>(path);
             t.terrain = terrain;
             t.shape->set(terrain.geometry);
           })
      .def("save", [](const TerrainModel& t, const std::string& path) { write(t.complete(), path); });
}

void bindObjects(py::module_& m) {
  Class<ObjectModel, ObjectModelPtr>(m, "RigidObject", "What stands behind a RigidObjectModel.")
      .def(constructor([](const std::string& name) {
        RigidObject o;
        o.name = name;
        o.inertia.mass = 1;
        o.inertia.inertia = Matrix3d::Identity();
        o.surface.restitution = 0;  // Of one that is made, as in Klamp't; 0.5 where a file does not say.
        return std::make_shared<ObjectModel>(std::move(o));
      }))
      .def_property(
          "name", [](const ObjectModel& o) { return o.object.name; },
          [](ObjectModel& o, const std::string& name) { o.object.name = name; })
      .def_readwrite("appearance", &ObjectModel::appearance)
      .def("file", [](const ObjectModel& o) { return o.object.file; })
      .def("shape", [](const ObjectModel& o) { return o.shape; })
      .def("display", [](const ObjectModel& o) { return displayOf(o.object.display); })
      .def("mass", [](const ObjectModel& o) { return massOf(o.object.inertia); })
      .def("setMass",
           [](ObjectModel& o, double mass, const Vec3& com, const Rot9& inertia) {
             o.object.inertia = bodyFrom(mass, com, inertia);
             o.object.file.clear();
           })
      .def("surface",
           [](const ObjectModel& o) {
             const Surface& s = o.object.surface;
             return py::make_tuple(s.friction, s.restitution, s.stiffness, s.damping);
           })
      .def("setSurface",
           [](ObjectModel& o, double friction, double restitution, double stiffness, double damping) {
             Surface s = o.object.surface;
             s.friction = friction;
             s.restitution = restitution;
             s.stiffness = stiffness;
             s.damping = damping;
             python::requireSurface(s);
             o.object.surface = s;
             o.object.file.clear();
           })
      .def("getTransform", [](const ObjectModel& o) { return pairOf(o.shape->X); })
      .def("setTransform", [](ObjectModel& o, const Rot9& R, const Vec3& t) { o.shape->X = poseFrom(R, t); })
      .def("getVelocity",
           [](const ObjectModel& o) { return py::make_tuple(listOf(o.object.w_WO), listOf(o.object.v_WO)); })
      .def("setVelocity",
           [](ObjectModel& o, const Vec3& w, const Vec3& v) {
             const Vector3d w_WO = finite(w, "angularVelocity");
             o.object.v_WO = finite(v, "velocity");
             o.object.w_WO = w_WO;
           })
      .def("load",
           [](ObjectModel& o, const std::string& path) {
             RigidObject object = loaded<RigidObject>(path);
             o.object = object;
             o.shape->set(object.geometry);
             o.shape->X = object.X_WO;
           })
      .def("save", [](const ObjectModel& o, const std::string& path) { write(o.complete(), path); });
}

template <typename T>
int indexOf(const std::vector<std::shared_ptr<T>>& list, const std::shared_ptr<T>& entry) {
  const auto found = std::find(list.begin(), list.end(), entry);
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

}  // namespace

void bindSensors(py::module_& m) {
  Class<SensorModel, SensorModelPtr>(m, "Sensor", "What stands behind a SensorModel.")
      .def_readwrite("name", &SensorModel::name)
      .def_readonly("type", &SensorModel::type)
      .def_readonly("enabled", &SensorModel::enabled)
      .def("settings", &settingNames)
      .def("setting", &settingOf)
      .def("setSetting", &changeSetting)
      .def("prepare", [](SensorModel& s, WorldModel& world, int robot) { prepare(s, world, robot, 0.01); })
      .def("measure",
           [](SensorModel& s, WorldModel& world, int robot, double period) { measure(s, world, robot, period); })
      .def("reset",
           [](SensorModel& s) {
             s.running.reset();
             s.values.clear();
             s.time = s.elapsed = 0;
           })
      .def("names",
           [](const SensorModel& s) {
             if (const auto simulation = s.simulation.lock())
               if (Sensor* running = simulation->sensor(s.robot, s.name))
                 return std::vector<std::string>(running->channels().begin(), running->channels().end());
             return s.channels;
           })
      .def("measurements", [](const SensorModel& s) {
        std::span<const double> values = s.values;
        const auto simulation = s.simulation.lock();
        if (simulation && s.values.empty())
          if (const SensorReading* reading = findReading(simulation->sensorReadings(s.robot), s.name))
            values = reading->values;
        auto array = python::arrayOfSize<double>(static_cast<py::ssize_t>(values.size()));
        std::copy(values.begin(), values.end(), array.mutable_data());
        return array;
      });
}

namespace {

void bindThingsOfWorlds(Class<WorldModel, WorldModelPtr>& world) {
  world
      .def("makeTerrain",
           [](WorldModel& w, const std::string& name) {
             Terrain t;
             t.name = name;
             return w.addTerrain(std::move(t));
           })
      .def("makeObject",
           [](WorldModel& w, const std::string& name) {
             RigidObject o;
             o.name = name;
             o.inertia.mass = 1;
             o.inertia.inertia = Matrix3d::Identity();
             o.surface.restitution = 0;  // Of one that is made, as in Klamp't; 0.5 where a file does not say.
             return w.addObject(std::move(o));
           })
      .def("makeRobot",
           [](WorldModel& w, const std::string& name) {
             RobotDescription r;
             r.name = name;
             return w.addRobot(std::move(r), name);
           })
      .def("addTerrain",
           [](WorldModel& w, const TerrainModel& t, const std::string& name) {
             Terrain terrain = t.complete();
             terrain.name = name;
             return w.addTerrain(std::move(terrain));
           })
      .def("addObject",
           [](WorldModel& w, const ObjectModel& o, const std::string& name) {
             RigidObject object = o.complete();
             object.name = name;
             return w.addObject(std::move(object));
           })
      .def("addRobot",
           [](WorldModel& w, const RobotModel& r, const std::string& name) {
             const int index = w.addRobot(r.complete(), name);
             w.robots.back()->display = r.display;
             w.robots.back()->setConfiguration(r.q());
             w.robots.back()->setVelocity(r.dq());
             return index;
           })
      .def("removeTerrain", &WorldModel::removeTerrain)
      .def("removeObject", &WorldModel::removeObject)
      .def("removeRobot", &WorldModel::removeRobot);
}

}  // namespace

void bindWorldModels(py::module_& m) {
  bindTerrains(m);
  bindObjects(m);
  Class<WorldModel, WorldModelPtr> world(m, "World", "What stands behind a WorldModel.");
  world.def(constructor([] { return std::make_shared<WorldModel>(); }))
      .def_readonly("terrains", &WorldModel::terrains)
      .def_readonly("objects", &WorldModel::objects)
      .def_readonly("robots", &WorldModel::robots)
      .def_readwrite("loadGeometry", &WorldModel::loadGeometry)
      .def_readonly("background", &WorldModel::background)
      .def_readonly("file", &WorldModel::file)
      .def("robotDisplay", [](const WorldModel&, const RobotModel& robot) { return displayOf(robot.display); })
      .def("numIds", &WorldModel::numIds)
      .def("robotId", &WorldModel::robotId)
      .def("terrainIndex", [](const WorldModel& w, const TerrainModelPtr& t) { return indexOf(w.terrains, t); })
      .def("objectIndex", [](const WorldModel& w, const ObjectModelPtr& o) { return indexOf(w.objects, o); })
      .def("robotIndex", [](const WorldModel& w, const RobotModelPtr& r) { return indexOf(w.robots, r); })
      .def("load",
           [](WorldModel& w, const std::string& path) {
             const LoadedElement e = w.load(path);
             return py::make_tuple(e.kind, e.index);
           })
      .def("loadAs",
           [](WorldModel& w, const std::string& kind, const std::string& path) {
             const LoadedElement e = w.loadAs(kind, path);
             return py::make_tuple(e.kind, e.index);
           })
      .def("save", &WorldModel::save)
      .def("assembled", [](const WorldModel& w) { return std::make_shared<World>(w.assembled()); })
      .def("copy", &WorldModel::copy);
  bindThingsOfWorlds(world);
}

}  // namespace mortise::robotsim
