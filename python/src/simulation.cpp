#include "simulation.h"

#include <pybind11/stl.h>

#include "arrays.h"
#include "bindings.h"
#include "models.h"
#include "mortise/pipeline/simulate/saved_state.h"
#include "mortise/simulation/actuation/drive_limits.h"
#include "mortise/simulation/scene/overlaps.h"
#include "mortise/simulation/summary.h"
#include "values.h"

namespace mortise::python {

Simulation& SimulationHandle::simulation() {
  if (running && runner != std::this_thread::get_id())
    throw Error("another thread runs this simulation", {}, "wait until its call of step or advance returns");
  return *core->simulation;
}

void SimulationHandle::install(bool before) {
  bool& installed = before ? beforeInstalled : afterInstalled;
  if (installed) return;
  installed = true;
  const auto call = [this, before](Simulation&) {
    if (!running || failure) return;  // A step of the backend's own, or after a hook that failed.
    py::gil_scoped_acquire gil;
    try {
      const py::list hooks = before ? hooksBefore : hooksAfter;
      const py::object self = py::cast(this, py::return_value_policy::reference);
      for (std::size_t i = 0; i < hooks.size(); ++i) hooks[i](self);
    } catch (py::error_already_set& error) {
      failure.emplace(std::move(error));
    }
  };
  if (before)
    core->simulation->addHookBefore(call);
  else
    core->simulation->addHookAfter(call);
}

/// Without hooks the GIL is released once; with them it is kept, since taking it back for every step costs more than
/// the steps. Exceptions of hooks end the call, and the simulation goes on from there at the next one.
StepStatus SimulationHandle::run(const std::function<StepStatus(Simulation&, const std::function<bool()>&)>& work) {
  Simulation& own = simulation();
  if (running) throw Error("a hook cannot step the simulation that runs it", {}, "step it after the call returned");
  struct Running {
    SimulationHandle& handle;
    explicit Running(SimulationHandle& h) : handle(h) {
      handle.running = true;
      handle.runner = std::this_thread::get_id();
      handle.core->stop = false;
    }
    ~Running() { handle.running = false; }
  } guard(*this);
  const std::shared_ptr<SimulationCore> keep = core;
  SignalCheck signals;
  bool interrupted = false;
  const bool hooks = hooksBefore.size() > 0 || hooksAfter.size() > 0;
  const auto keepGoing = [&] {
    if (failure || interrupted) return false;
    if (signals.interrupted()) interrupted = keep->stop = true;
    return !interrupted;
  };
  StepStatus status;
  try {
    if (hooks) {
      status = work(own, keepGoing);
    } else {
      py::gil_scoped_release release;
      status = work(own, keepGoing);
    }
  } catch (...) {
    failure.reset();
    throw;
  }
  if (failure) {
    py::error_already_set error = std::move(*failure);
    failure.reset();
    throw error;
  }
  if (interrupted) throw py::error_already_set();
  return status;
}

namespace {

std::string statusText(StepStatus status) { return std::string(stepStatusName(status)); }

ComponentOptions componentFrom(const World& world, Kind kind, py::handle robot, py::handle given) {
  ComponentOptions options;
  options.kind = kind;
  options.robot = robotIndex(world, robot);
  if (PyUnicode_Check(given.ptr()) != 0) {
    options.type = given.cast<std::string>();
    return options;
  }
  const Value value = settingsFrom(given, std::string(kindName(kind)));
  for (const Value::Entry& entry : value.entries()) {
    if (entry.key == "type") {
      options.type = entry.value.asString();
    } else if (entry.key == "name") {
      options.name = entry.value.asString();
    } else if (entry.key == "rate") {
      options.rate = entry.value.asReal();
    } else if (entry.key == "enabled") {
      options.enabled = entry.value.asBool();
    } else if (entry.key == "on_error") {
      const std::string& word = entry.value.asString();
      if (word != "stop" && word != "hold" && word != "disable")
        throw py::value_error("on_error: expected 'stop', 'hold' or 'disable', found '" + word + "'");
      options.onError = word == "stop" ? OnError::stop : word == "hold" ? OnError::hold : OnError::disable;
    } else if (entry.key == "estimator") {
      options.estimator = entry.value.asString();
    } else {
      options.settings.set(entry.key, entry.value);
    }
  }
  if (options.type.empty())
    throw py::value_error(std::string(kindName(kind)) + ": expected a name, or a dict with the key 'type'");
  return options;
}

void addComponents(const World& world, Kind kind, py::handle given, SimulationOptions& options) {
  if (given.is_none()) return;
  if (PyDict_Check(given.ptr()) == 0)
    throw py::type_error(std::string(kindName(kind)) + "s: expected a dict by robot, found " + shapeText(given));
  for (const auto& [robot, entry] : py::reinterpret_borrow<py::dict>(given)) {
    if (PyList_Check(entry.ptr()) != 0 || PyTuple_Check(entry.ptr()) != 0)
      for (const auto one : entry) options.components.push_back(componentFrom(world, kind, robot, one));
    else
      options.components.push_back(componentFrom(world, kind, robot, entry));
  }
}

std::unique_ptr<SimulationHandle> makeSimulation(const WorldPtr& world, const std::string& backend, py::handle settings,
                                                 py::handle timeStep, py::handle contacts, py::handle adaptive,
                                                 double controlRate, std::uint64_t seed, py::handle controllers,
                                                 py::handle sensors, py::handle actuatorLimits, bool useWorldState,
                                                 bool strict) {
  if (!world) throw py::type_error("world: expected a World, found None");
  SimulationOptions options;
  options.backend = backend;
  options.backendPosition.file = "backend";
  options.backendSettings = settingsFrom(settings);
  if (!timeStep.is_none()) options.timeStep = timeStep.cast<double>();
  if (!contacts.is_none()) {
    const auto word = contacts.cast<std::string>();
    if (word != "boundary_layer" && word != "engine")
      throw py::value_error("contacts: expected 'boundary_layer' or 'engine', found '" + word + "'");
    options.contacts = word == "engine" ? ContactSource::engine : ContactSource::external;
  }
  if (!adaptive.is_none()) options.adaptiveTimeStepping = adaptive.cast<bool>();
  options.controlRate = controlRate;
  options.seed = seed;
  options.strict = strict;
  options.referringFile = world->file;
  if (!actuatorLimits.is_none())
    options.actuatorLimits = actuatorLimitsFrom(valueFrom(actuatorLimits, "actuator_limits"));
  addComponents(*world, Kind::controller, controllers, options);
  addComponents(*world, Kind::sensor, sensors, options);

  auto handle = std::make_unique<SimulationHandle>();
  handle->core = std::make_shared<SimulationCore>();
  SimulationCore* core = handle->core.get();
  options.stopRequested = [core] { return core->stop.load(); };
  py::gil_scoped_release release;
  core->environment = environment();
  core->world = std::make_shared<World>(*world);
  core->loader = std::make_unique<FormatLoader>(core->environment->registry, core->environment->log, resourcePath());
  core->simulation = std::make_unique<Simulation>(*core->world, core->environment->registry, core->loader.get(),
                                                  core->environment->log, options);
  if (useWorldState && !core->world->simulation.stateData.empty()) {
    StateRequest request;
    request.timeStep = options.timeStep;
    loadWorldState(*core->simulation, core->environment->log, request);
  }
  return handle;
}

py::dict contactsOf(Simulation& simulation) {
  const auto contacts = simulation.contacts();
  const auto count = static_cast<py::ssize_t>(contacts.size());
  py::array_t<int> ids({count, py::ssize_t{2}});
  py::array_t<double> points({count, py::ssize_t{3}}), normals({count, py::ssize_t{3}}),
      forces({count, py::ssize_t{3}});
  py::array_t<double> depths(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    const ContactForce& contact = contacts[static_cast<std::size_t>(i)];
    *ids.mutable_data(i, 0) = contact.idA;
    *ids.mutable_data(i, 1) = contact.idB;
    *depths.mutable_data(i) = contact.depth;
    for (int k = 0; k < 3; ++k) {
      *points.mutable_data(i, k) = contact.point[k];
      *normals.mutable_data(i, k) = contact.normal[k];
      *forces.mutable_data(i, k) = contact.force[k];
    }
  }
  py::dict result;
  result["ids"] = ids;
  result["points"] = points;
  result["normals"] = normals;
  result["depths"] = depths;
  result["forces"] = forces;
  return result;
}

py::dict contactSummary(SimulationHandle& handle, py::handle a, py::handle b) {
  const int idA = worldId(handle.world(), a), idB = b.is_none() ? -1 : worldId(handle.world(), b);
  const ContactSummary summary = handle.simulation().contactSummary(idA, idB);
  py::dict result;
  result["in_contact"] = summary.inContact;
  result["had_contact"] = summary.hadContact;
  result["had_separation"] = summary.hadSeparation;
  result["had_penetration"] = summary.hadPenetration;
  result["count"] = summary.count;
  result["force"] = arrayOf(summary.force);
  result["torque"] = arrayOf(summary.torque);
  result["mean_force"] = arrayOf(summary.meanForce);
  result["mean_torque"] = arrayOf(summary.meanTorque);
  result["origin"] = arrayOf(summary.origin);
  return result;
}

/// A sensor's readings as Python sees them.
struct SensorView {
  std::shared_ptr<SimulationCore> core;
  int robot = 0;
  std::string name;
  const SensorReading& reading() const {
    const SensorReading* found = findReading(core->simulation->sensorReadings(robot), name);
    if (found == nullptr) throw py::key_error("the sensor '" + name + "' is no longer there");
    return *found;
  }
};

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

py::array imageOf(const SensorView& view, bool depth) {
  const SensorReading& reading = view.reading();
  const CameraModel* camera = reading.camera;
  if (camera == nullptr || !(depth ? camera->depth : camera->color))
    throw py::value_error("sensor '" + view.name + "' has no " + (depth ? "depth" : "color") + " image");
  const double* data = reading.values.data();
  if (depth && camera->color) data += static_cast<std::ptrdiff_t>(camera->width) * camera->height;
  return viewOf(data, {camera->height, camera->width}, {8 * static_cast<py::ssize_t>(camera->width), 8},
                ownerOf(view.core), false);
}

void bindSensor(py::module_& m) {
  py::class_<SensorView>(m, "SimulatedSensor",
                         "A sensor of a Simulation. Its arrays are views of what it measured last, and change as the "
                         "simulation goes on; copy what you want to keep.")
      .def_property_readonly("name", [](const SensorView& s) { return s.name; })
      .def_property_readonly("type", [](const SensorView& s) { return std::string(s.reading().type); })
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
          "Of a camera: width, height, fx, fy, cx, cy (pixels), color, depth, min_depth, max_depth (m), link, X_LS; "
          "else None.")
      .def_property_readonly(
          "depth_image", [](const SensorView& s) { return imageOf(s, true); },
          "(height, width), m along the optical axis; a read-only view.")
      .def_property_readonly(
          "color_image", [](const SensorView& s) { return imageOf(s, false); },
          "(height, width), numbers 0xrrggbb; a read-only view.")
      .def_property_readonly(
          "settings",
          [](const SensorView& s) { return toPython(s.core->simulation->sensor(s.robot, s.name)->settings()); })
      .def(
          "set",
          [](const SensorView& s, const std::string& setting, py::handle value) {
            if (!s.core->simulation->sensor(s.robot, s.name)->changeSetting(setting, valueFrom(value, setting)))
              throw py::key_error("sensor '" + s.name + "' has no setting '" + setting + "' that can be changed");
          },
          py::arg("setting"), py::arg("value"), "set(setting, value)\n\nChanges a setting while the simulation runs.")
      .def(
          "enable", [](const SensorView& s, bool on) { s.core->simulation->setSensorEnabled(s.robot, s.name, on); },
          py::arg("on") = true, "enable(on=True)\n\nA sensor that is off keeps its values.")
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

struct ControllerView {
  std::shared_ptr<SimulationCore> core;
  int robot = 0;
  Controller& controller() const {
    Controller* found = core->simulation->controller(robot);
    if (found == nullptr) throw py::value_error("the robot has no controller");
    return *found;
  }
};

void bindController(py::module_& m) {
  py::class_<ControllerView>(m, "SimulatedController", "The controller of a robot in a Simulation.")
      .def(
          "commands",
          [](const ControllerView& c) {
            py::dict list;
            for (const auto& [name, help] : c.controller().commands()) list[py::str(name)] = help;
            return list;
          },
          "commands() -> dict\n\nWhat `command` takes, with a line of help each.")
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
          py::arg("name"), "command(name, *arguments)\n\nA named command, such as command('set_q', q).")
      .def_property_readonly("settings", [](const ControllerView& c) { return toPython(c.controller().settings()); })
      .def(
          "set",
          [](const ControllerView& c, const std::string& setting, py::handle value) {
            if (!c.controller().changeSetting(setting, valueFrom(value, setting)))
              throw py::key_error("the controller has no setting '" + setting + "' that can be changed");
          },
          py::arg("setting"), py::arg("value"), "set(setting, value)\n\nChanges a setting while the simulation runs.");
}

using SimulationClass = py::class_<SimulationHandle>;

void bindRunning(SimulationClass& type) {
  type.def(
          "step",
          [](SimulationHandle& h, int count) {
            return statusText(h.run([count](Simulation& s, const std::function<bool()>& keepGoing) {
              StepStatus worst = StepStatus::normal;
              for (int i = 0; i < count && keepGoing(); ++i) worst = std::max(worst, s.step());
              return worst;
            }));
          },
          py::arg("count") = 1,
          "step(count=1) -> str\n\nPhysics steps; the worst status of them: 'normal', 'adaptive', "
          "'contact_unreliable', "
          "'unstable' or 'error'. Runs without the GIL unless there are hooks; Ctrl-C ends it between two steps.")
      .def(
          "advance",
          [](SimulationHandle& h, double seconds) {
            if (!(seconds >= 0))
              throw py::value_error("seconds: expected a time of at least 0, found " + std::to_string(seconds));
            return statusText(h.run([seconds](Simulation& s, const std::function<bool()>& keepGoing) {
              return s.advance(seconds, keepGoing);
            }));
          },
          py::arg("seconds"),
          "advance(seconds) -> str\n\nSteps until so much time has passed, or an error; the worst status of the call, "
          "as of "
          "`step`. An exception of a hook, and Ctrl-C, end the call between two steps; the simulation can go on.")
      .def(
          "settle",
          [](SimulationHandle& h, double maxSeconds, double speed) {
            bool rests = false;
            h.run([&](Simulation& s, const std::function<bool()>& keepGoing) {
              rests = s.settle(maxSeconds, speed, keepGoing);
              return s.status();
            });
            return rests;
          },
          py::arg("max_seconds"), py::arg("speed") = 1e-3,
          "settle(max_seconds, speed=1e-3) -> bool\n\nSteps until nothing has moved faster than speed (m/s, rad/s) for "
          "0.1 s; "
          "whether everything came to rest.")
      .def(
          "add_hook_before",
          [](SimulationHandle& h, py::function hook) {
            h.hooksBefore.append(std::move(hook));
            h.install(true);
          },
          py::arg("hook"),
          "add_hook_before(hook)\n\nhook(simulation) is called before every step of `step`, `advance` and "
          "`settle`. The GIL is then held all the time.")
      .def(
          "add_hook_after",
          [](SimulationHandle& h, py::function hook) {
            h.hooksAfter.append(std::move(hook));
            h.install(false);
          },
          py::arg("hook"), "add_hook_after(hook)\n\nAs `add_hook_before`, after every step.")
      .def(
          "remove_hooks",
          [](SimulationHandle& h) {
            h.hooksBefore = py::list();
            h.hooksAfter = py::list();
          },
          "remove_hooks()")
      .def(
          "save",
          [](SimulationHandle& h) {
            const std::vector<std::byte> bytes = h.simulation().save();
            return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
          },
          "save() -> bytes\n\nEverything that the next steps depend on; for `restore` of a simulation of the same "
          "world with the "
          "same options on this machine.")
      .def(
          "restore",
          [](SimulationHandle& h, const py::bytes& snapshot) {
            if (h.running) throw Error("a hook cannot restore the simulation that runs it");
            const std::string_view bytes = snapshot;
            h.simulation().restore({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
          },
          py::arg("snapshot"),
          "restore(snapshot)\n\nBack to a state of `save`; bit for bit where the backend restores so.")
      .def(
          "reset",
          [](SimulationHandle& h) {
            if (h.running) throw Error("a hook cannot reset the simulation that runs it");
            h.simulation().reset();
          },
          "reset()\n\nBack to the state after construction.")
      .def(
          "state_hash", [](SimulationHandle& h) { return formatHash(h.simulation().stateHash()); },
          "state_hash() -> str\n\n16 hexadecimal digits over the tick, raw poses and twists of all bodies, joint and "
          "component "
          "state: the same for the same world, options and seed, here and in `mortise sim`.");
}

void bindReading(SimulationClass& type) {
  type.def_property_readonly(
          "time", [](SimulationHandle& h) { return h.simulation().time(); }, "Simulated seconds.")
      .def_property_readonly(
          "tick", [](SimulationHandle& h) { return h.simulation().tick(); }, "Physics steps since the start.")
      .def_property(
          "time_step", [](SimulationHandle& h) { return h.simulation().timeStep(); },
          [](SimulationHandle& h, double seconds) { h.simulation().setTimeStep(seconds); }, "s")
      .def_property_readonly("backend", [](SimulationHandle& h) { return h.simulation().backend(); })
      .def_property_readonly(
          "world", [](SimulationHandle& h) { return h.core->world; }, "The world as it was at the start.")
      .def_property_readonly(
          "status", [](SimulationHandle& h) { return statusText(h.simulation().status()); }, "Of the last step.")
      .def_property_readonly("worst_status",
                             [](SimulationHandle& h) { return statusText(h.simulation().worstStatus()); })
      .def_property_readonly(
          "fault", [](SimulationHandle& h) { return h.simulation().fault(); },
          "Of the first component that failed, or of what stopped the simulation; '' when nothing did.")
      .def(
          "configuration",
          [](SimulationHandle& h, py::handle robot) {
            return arrayOf(h.simulation().configuration(robotIndex(h.world(), robot)));
          },
          py::arg("robot") = 0, "configuration(robot=0) -> ndarray (num_links,)\n\nA copy.")
      .def(
          "velocity",
          [](SimulationHandle& h, py::handle robot) {
            return arrayOf(h.simulation().velocity(robotIndex(h.world(), robot)));
          },
          py::arg("robot") = 0, "velocity(robot=0) -> ndarray (num_links,)\n\nA copy.")
      .def(
          "object_pose",
          [](SimulationHandle& h, py::handle object) {
            return h.simulation().objectState(objectIndex(h.world(), object)).X_WB;
          },
          py::arg("object"), "object_pose(object) -> RigidTransform\n\nX_WO")
      .def(
          "object_velocity",
          [](SimulationHandle& h, py::handle object) {
            const BodyState& state = h.simulation().objectState(objectIndex(h.world(), object));
            return py::make_tuple(arrayOf(state.v_WB), arrayOf(state.w_WB));
          },
          py::arg("object"), "object_velocity(object) -> (v, w)\n\nOf the object's origin, m/s, and rad/s, world axes.")
      .def(
          "driver_torques",
          [](SimulationHandle& h, py::handle robot) {
            const int index = robotIndex(h.world(), robot);
            const SimulationView view = h.simulation().view();
            const auto torques = view.robots[static_cast<std::size_t>(index)].driverTorques;
            return arrayOf(std::vector<double>(torques.begin(), torques.end()));
          },
          py::arg("robot") = 0, "driver_torques(robot=0) -> ndarray (num_drivers,)\n\nOf the last step, N m or N.")
      .def(
          "contacts", [](SimulationHandle& h) { return contactsOf(h.simulation()); },
          "contacts() -> dict\n\nOf the last step: ids (n, 2), points (n, 3) m, normals (n, 3) from the second to the "
          "first, "
          "depths (n,) m, forces (n, 3) on the first, N; world axes.")
      .def("contact_summary", &contactSummary, py::arg("a"), py::arg("b") = py::none(),
           "contact_summary(a, b=None) -> dict\n\nBetween two things (ids or names; a robot stands for its links), or "
           "a and all "
           "others, in the last call of `step` or `advance`: in_contact, had_contact, had_separation, had_penetration, "
           "count, "
           "force, torque (on a, last step), mean_force, mean_torque (over the call), origin.")
      .def(
          "energy",
          [](SimulationHandle& h) {
            const Energy energy = h.simulation().energy();
            return std::make_pair(energy.kinetic, energy.potential);
          },
          "energy() -> (kinetic, potential)\n\nJ")
      .def(
          "overlaps",
          [](SimulationHandle& h) { return toPython(overlapList(h.simulation().overlaps().bodies, h.world())); },
          "overlaps() -> list of {ids, names, depth}\n\nBodies that are inside each other now.")
      .def(
          "summary", [](SimulationHandle& h) { return toPython(summarize(h.simulation())); },
          "summary() -> dict\n\nWhat `mortise sim --json` prints: status counts, poses, state hash, ...")
      .def(
          "effective_settings", [](SimulationHandle& h) { return toPython(h.simulation().effectiveSettings()); },
          "effective_settings() -> dict\n\nSettings of the backend in force, and what was substituted.")
      .def("sensor", &sensorOf, py::arg("name"), py::arg("robot") = 0, "sensor(name, robot=0) -> SimulatedSensor")
      .def(
          "sensors",
          [](SimulationHandle& h, py::handle robot) {
            const int index = robotIndex(h.world(), robot);
            py::list list;
            for (const SensorReading& reading : h.simulation().sensorReadings(index))
              list.append(SensorView{h.core, index, std::string(reading.name)});
            return list;
          },
          py::arg("robot") = 0, "sensors(robot=0) -> list of SimulatedSensor")
      .def(
          "controller",
          [](SimulationHandle& h, py::handle robot) {
            return ControllerView{h.core, robotIndex(h.world(), robot)};
          },
          py::arg("robot") = 0, "controller(robot=0) -> SimulatedController");
}

void bindChanging(SimulationClass& type) {
  type.def(
          "set_gravity",
          [](SimulationHandle& h, py::handle g) { h.simulation().setGravity(vector3From(g, "gravity")); },
          py::arg("gravity"), "set_gravity(gravity)\n\nm/s^2, world axes.")
      .def(
          "apply_wrench",
          [](SimulationHandle& h, py::handle body, py::handle force, py::handle torque, py::handle point) {
            const int id = worldId(h.world(), body);
            Simulation& s = h.simulation();
            const Vector3d f = force.is_none() ? Vector3d(Vector3d::Zero()) : vector3From(force, "force");
            const Vector3d t = torque.is_none() ? Vector3d(Vector3d::Zero()) : vector3From(torque, "torque");
            Vector3d p = Vector3d::Zero();
            if (!point.is_none()) {
              p = vector3From(point, "point");
            } else {
              const World::Entity entity = h.world().entity(id);
              if (entity.kind == World::Kind::object) {
                p = s.objectState(entity.index).X_WB *
                    h.world().objects[static_cast<std::size_t>(entity.index)].inertia.com;
              } else if (!force.is_none() && f.norm() > 0) {
                throw py::value_error(
                    "point: a force on a link needs the point where it attacks (3 numbers, m, world)");
              }
            }
            s.applyWrench(id, f, t, p);
          },
          py::arg("body"), py::arg("force") = py::none(), py::arg("torque") = py::none(), py::arg("point") = py::none(),
          "apply_wrench(body, force=None, torque=None, point=None)\n\nA force (N) at a point (m, world; of objects the "
          "center of "
          "mass if None) and a torque (N m) on an object or link, by id or name, during the next call of `step` or "
          "`advance`.")
      .def(
          "set_object_state",
          [](SimulationHandle& h, py::handle object, py::handle pose, py::handle v, py::handle w) {
            const int index = objectIndex(h.world(), object);
            BodyState state = h.simulation().objectState(index);
            if (!pose.is_none()) state.X_WB = transformFrom(pose, "pose");
            if (!v.is_none()) state.v_WB = vector3From(v, "v");
            if (!w.is_none()) state.w_WB = vector3From(w, "w");
            h.simulation().setObjectState(index, state);
          },
          py::arg("object"), py::arg("pose") = py::none(), py::arg("v") = py::none(), py::arg("w") = py::none(),
          "set_object_state(object, pose=None, v=None, w=None)\n\nWhat is None stays. v: of the object's origin, m/s; "
          "w: rad/s.")
      .def(
          "set_robot_state",
          [](SimulationHandle& h, py::handle robot, py::handle q, py::handle dq) {
            const int index = robotIndex(h.world(), robot);
            const Eigen::Index size = h.world().robots[static_cast<std::size_t>(index)].robot->numLinks();
            const VectorXd rates = dq.is_none() ? VectorXd(VectorXd::Zero(size)) : vectorFrom(dq, "dq", size);
            h.simulation().setRobotState(index, vectorFrom(q, "q", size), rates);
          },
          py::arg("robot"), py::arg("q"), py::arg("dq") = py::none(),
          "set_robot_state(robot, q, dq=None)\n\n(num_links,) each; velocities are zero if None.")
      .def(
          "set_dynamics",
          [](SimulationHandle& h, py::handle object, bool on) {
            h.simulation().setDynamics(objectIndex(h.world(), object), on);
          },
          py::arg("object"), py::arg("on"),
          "set_dynamics(object, on)\n\nOff: the object keeps its velocity, whatever pushes it.")
      .def(
          "set_collision",
          [](SimulationHandle& h, py::handle a, py::handle b, bool on) {
            h.simulation().setCollision(worldId(h.world(), a), b.is_none() ? -1 : worldId(h.world(), b), on);
          },
          py::arg("a"), py::arg("b"), py::arg("on"),
          "set_collision(a, b, on)\n\nContacts between two things (ids or names), or a and all others if b is None.");
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (instance->simple_layout && instance->simple_holder_constructed) {
    auto* handle = static_cast<SimulationHandle*>(instance->simple_value_holder[0]);
    if (handle != nullptr) {
      Py_VISIT(handle->hooksBefore.ptr());
      Py_VISIT(handle->hooksAfter.ptr());
    }
  }
  return 0;
}

int clear(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (instance->simple_layout && instance->simple_holder_constructed) {
    auto* handle = static_cast<SimulationHandle*>(instance->simple_value_holder[0]);
    if (handle != nullptr) {
      handle->hooksBefore = py::list();
      handle->hooksAfter = py::list();
    }
  }
  return 0;
}

}  // namespace

void bindSimulation(py::module_& m) {
  bindSensor(m);
  bindController(m);
  // Hooks that refer to their simulation make cycles, which the garbage collector must see.
  SimulationClass type(
      m, "Simulation",
      "Simulation(world, backend='', settings=None, time_step=None, contacts=None, adaptive=None, "
      "control_rate=100, seed=0, controllers=None, sensors=None, actuator_limits=None, use_world_state=True, "
      "strict=False)\n\n"
      "A world in motion. backend: name of a physics plugin ('' for what the world names, else 'mortise'); "
      "settings: dict for it; time_step: s; contacts: 'boundary_layer' or 'engine'; controllers and sensors: "
      "dict by robot (index or name) of a type, or a dict {type, name, rate, on_error, ... settings}, or a list "
      "of them, instead of what files name; actuator_limits: as of `mortise sim --actuator-limits`. Raises "
      "Error with everything that is wrong.",
      py::custom_type_setup([](PyHeapTypeObject* heap) {
        heap->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
        heap->ht_type.tp_traverse = traverse;
        heap->ht_type.tp_clear = clear;
      }));
  type.def(py::init(&makeSimulation), py::arg("world"), py::arg("backend") = "", py::arg("settings") = py::none(),
           py::arg("time_step") = py::none(), py::arg("contacts") = py::none(), py::arg("adaptive") = py::none(),
           py::arg("control_rate") = 100.0, py::arg("seed") = 0, py::arg("controllers") = py::none(),
           py::arg("sensors") = py::none(), py::arg("actuator_limits") = py::none(), py::arg("use_world_state") = true,
           py::arg("strict") = false)
      .def("__repr__", [](SimulationHandle& h) {
        return "Simulation(" + worldText(h.world()) + ", backend '" + h.core->simulation->backend() +
               "', t = " + std::to_string(h.core->simulation->time()) + " s)";
      });
  bindRunning(type);
  bindReading(type);
  bindChanging(type);
}

}  // namespace mortise::python
