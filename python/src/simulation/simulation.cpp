#include "simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/bindings.h"
#include "common/collected.h"
#include "common/define.h"
#include "common/operation_settings.h"
#include "common/values.h"
#include "geometry/shapes.h"
#include "model/models.h"
#include "mortise/logs/log_file.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/simulation/context/simulation_request.h"
#include "mortise/simulation/scene/overlaps.h"
#include "mortise/simulation/summary.h"

namespace mortise::python {

namespace {

std::string statusText(StepStatus status) { return std::string(stepStatusName(status)); }

py::dict contactsOf(Simulation& simulation) {
  const auto contacts = simulation.contacts();
  const auto count = static_cast<py::ssize_t>(contacts.size());
  py::array_t<int> ids({count, py::ssize_t{2}});
  py::array_t<double> points({count, py::ssize_t{3}}), normals({count, py::ssize_t{3}}),
      forces({count, py::ssize_t{3}});
  auto depths = arrayOfSize<double>(count);
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

void bindHooks(SimulationClass& type) {
  type.def(
          "add_hook_before",
          [](SimulationHandle& h, py::function hook) {
            h.hooksBefore.append(std::move(hook));
            h.install(true);
          },
          py::arg("hook"),
          "add_hook_before(hook: Callable[[Simulation], Any])\n\nhook(simulation) is called before every step of "
          "`step`, `advance` and `settle`. The GIL is then held all the time.")
      .def(
          "add_hook_after",
          [](SimulationHandle& h, py::function hook) {
            h.hooksAfter.append(std::move(hook));
            h.install(false);
          },
          py::arg("hook"),
          "add_hook_after(hook: Callable[[Simulation], Any])\n\nAs `add_hook_before`, after every step.")
      .def(
          "remove_hooks",
          [](SimulationHandle& h) {
            h.hooksBefore = py::list();
            h.hooksAfter = py::list();
          },
          "remove_hooks()");
}

void bindSaving(SimulationClass& type) {
  type.def(
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
          "reset", [](SimulationHandle& h) { h.reset(); }, "reset()\n\nBack to the state after construction.")
      .def(
          "state_hash", [](SimulationHandle& h) { return formatHash(h.simulation().stateHash()); },
          "state_hash() -> str\n\n16 hexadecimal digits over the tick, raw poses and twists of all bodies, joint and "
          "component "
          "state: the same for the same world, options and seed, here and in `mortise sim`.");
}

void bindSettling(SimulationClass& type) {
  type.def(
      "settle",
      [](SimulationHandle& h, double maxSeconds, double speed) {
        requireNumber(speed, "speed", 0);
        return h.settle(maxSeconds, speed);
      },
      py::arg("max_seconds"), py::arg("speed") = 1e-3,
      "settle(max_seconds, speed = 1e-3) -> bool\n\nSteps until nothing has moved faster than speed (m/s, rad/s) "
      "for 0.1 s; whether everything came to rest. The world's commands wait, and count their times from its end where "
      "it is called first.");
}

void bindLog(SimulationClass& type) {
  type.def(
      "log",
      [](SimulationHandle& h, py::handle path, py::handle what, py::handle rate) {
        const std::string file = pathFrom(path);
        logs::LogFileOptions options;
        const ComponentInfo* recorder = logs::recorderOfFile(h.core->environment->registry, file);
        const bool mcap = logs::isMcapFile(file), motion = recorder != nullptr && logs::recordsOneRobot(*recorder);
        if (!what.is_none())
          for (const auto name : what) options.what.push_back(textFrom(name, "what"));
        else if (motion)
          options.what = {"robots"};
        else if (mcap)
          options.what = {"robots", "objects", "contacts", "sensors"};
        else
          options.what = {"robots", "objects", "sensors"};
        Simulation& simulation = h.simulation();
        // Viewers need no more than 100 states a second.
        if (mcap) options.interval = std::max(1, static_cast<int>(std::lround(0.01 / simulation.timeStep())));
        if (!rate.is_none()) {
          const double hertz = numberFrom(rate, "rate");
          if (!(hertz > 0)) throw py::value_error("rate: expected a rate above 0 Hz");
          options.interval = recordingInterval(hertz, simulation.timeStep(), h.core->environment->log);
        }
        SimulationCore& core = *h.core;
        core.recorderHosts.push_back(std::make_unique<ComponentHost>("recorder", 0, core.environment->log,
                                                                     core.loader.get(), core.channels, "", ""));
        logs::addLogFile(core.environment->registry, *core.recorderHosts.back(), simulation, file, options);
      },
      py::arg("path"), py::arg("what") = py::none(), py::arg("rate") = py::none(),
      "log(path: PathLike, what: str | Sequence[str] | None = None, rate: float | None = None)\n\nWrites every "
      "step from now on into a file: .csv (a row a step), .jsonl, .path (motions) or .mcap (what `mortise view` "
      "and Foxglove show, 100 states a second). what: a list out of 'robots', 'objects', 'contacts', 'sensors', "
      "names of sensors; by default all but contacts, of .mcap all. rate: Hz, at most one row a step. The file is "
      "complete after `close_logs`, or once the simulation is gone; `load` reads it.");
  type.def(
      "close_logs", [](SimulationHandle& h) { h.simulation().closeRecorders(); },
      "close_logs()\n\nEnds all logs. Raises Error where something could not be written.");
}

void bindRunning(SimulationClass& type) {
  type.def(
          "step",
          [](SimulationHandle& h, int count) {
            if (count < 0)
              throw py::value_error("count: expected a number of steps of at least 0, found " + std::to_string(count));
            return statusText(h.run([count](Simulation& s, const std::function<bool()>& keepGoing) {
              StepStatus worst = StepStatus::normal;
              for (int i = 0; i < count && keepGoing(); ++i) worst = std::max(worst, s.step());
              return worst;
            }));
          },
          py::arg("count") = 1,
          "step(count = 1) -> str\n\nPhysics steps; the worst status of them: 'normal', 'adaptive', "
          "'contact_unreliable', 'unstable' or 'error'. Runs without the GIL unless there are hooks; Ctrl-C ends it "
          "between two steps.")
      .def(
          "advance",
          [](SimulationHandle& h, double seconds) {
            if (!(seconds >= 0))
              throw py::value_error("seconds: expected a time of at least 0, found " + std::to_string(seconds));
            return statusText(
                h.run([seconds](Simulation& s,
                                const std::function<bool()>& keepGoing) { return s.advance(seconds, keepGoing); },
                      seconds));
          },
          py::arg("seconds"),
          "advance(seconds) -> str\n\nSteps until so much time has passed, or an error; the worst status of the call, "
          "as of "
          "`step`. An exception of a hook, and Ctrl-C, end the call between two steps; the simulation can go on.");
  bindLog(type);
  bindSettling(type);
  bindHooks(type);
  bindSaving(type);
}

void bindReports(SimulationClass& type) {
  type.def(
          "contacts", [](SimulationHandle& h) { return contactsOf(h.simulation()); },
          "contacts() -> dict[str, Any]\n\nOf the last step: ids (n, 2), points (n, 3) m, normals (n, 3) from the "
          "second to the first, depths (n,) m, forces (n, 3) on the first, N; world axes.")
      .def("contact_summary", &contactSummary, py::arg("a"), py::arg("b") = py::none(),
           "contact_summary(a: int | str | WorldObject, b: int | str | WorldObject | None = None) -> dict[str, "
           "Any]\n\nBetween two things (ids or names; a robot stands for its links), or a and all others, in the last "
           "call of `step` or `advance`: in_contact, had_contact, had_separation, had_penetration, count, force, "
           "torque (on a, last step), mean_force, mean_torque (over the call), origin.")
      .def(
          "energy",
          [](SimulationHandle& h) {
            const Energy energy = h.simulation().energy();
            return std::make_pair(energy.kinetic, energy.potential);
          },
          "energy() -> tuple[float, float]\n\nKinetic and potential. J")
      .def(
          "overlaps",
          [](SimulationHandle& h) { return toPython(overlapList(h.simulation().overlaps().bodies, h.world())); },
          "overlaps() -> list[dict[str, Any]]\n\nBodies that are inside each other now.")
      .def(
          "summary", [](SimulationHandle& h) { return toPython(summarize(h.simulation())); },
          "summary() -> dict[str, Any]\n\nWhat `mortise sim --json` prints: status counts, poses, state hash, ...")
      .def(
          "effective_settings", [](SimulationHandle& h) { return toPython(h.simulation().effectiveSettings()); },
          "effective_settings() -> dict[str, Any]\n\nSettings of the backend in force, and what was substituted.")
      .def("sensor", &sensorOf, py::arg("name"), py::arg("robot") = 0,
           "sensor(name, robot: int | str = 0) -> SimulatedSensor")
      .def(
          "sensors",
          [](SimulationHandle& h, py::handle robot) {
            const int index = robotIndex(h.world(), robot);
            py::list list;
            for (const SensorReading& reading : h.simulation().sensorReadings(index))
              list.append(SensorView{h.core, index, std::string(reading.name)});
            return list;
          },
          py::arg("robot") = 0, "sensors(robot: int | str = 0) -> list[SimulatedSensor]")
      .def(
          "controller",
          [](SimulationHandle& h, py::handle robot) {
            return ControllerView{h.core, robotIndex(h.world(), robot)};
          },
          py::arg("robot") = 0, "controller(robot: int | str = 0) -> SimulatedController");
}

void bindReadings(SimulationClass& type) {
  type.def(
          "configuration",
          [](SimulationHandle& h, py::handle robot) {
            return arrayOf(h.simulation().configuration(robotIndex(h.world(), robot)));
          },
          py::arg("robot") = 0, "configuration(robot: int | str = 0) -> ndarray (num_links,)\n\nA copy.")
      .def(
          "velocity",
          [](SimulationHandle& h, py::handle robot) {
            return arrayOf(h.simulation().velocity(robotIndex(h.world(), robot)));
          },
          py::arg("robot") = 0, "velocity(robot: int | str = 0) -> ndarray (num_links,)\n\nA copy.")
      .def(
          "object_pose",
          [](SimulationHandle& h, py::handle object) {
            return h.simulation().objectState(objectIndex(h.world(), object)).X_WB;
          },
          py::arg("object"), "object_pose(object: int | str | WorldObject) -> RigidTransform\n\nX_WO")
      .def(
          "object_velocity",
          [](SimulationHandle& h, py::handle object) {
            const BodyState& state = h.simulation().objectState(objectIndex(h.world(), object));
            return py::make_tuple(arrayOf(state.v_WB), arrayOf(state.w_WB));
          },
          py::arg("object"),
          "object_velocity(object: int | str | WorldObject) -> tuple[ndarray, ndarray]\n\nv, w. Of the object's "
          "origin, m/s, and rad/s, world axes.")
      .def(
          "driver_torques",
          [](SimulationHandle& h, py::handle robot) {
            const int index = robotIndex(h.world(), robot);
            const SimulationView view = h.simulation().view();
            const auto torques = view.robots[static_cast<std::size_t>(index)].driverTorques;
            return arrayOf(std::vector<double>(torques.begin(), torques.end()));
          },
          py::arg("robot") = 0,
          "driver_torques(robot: int | str = 0) -> ndarray (num_drivers,)\n\nOf the last step, N m or N.");
}

void bindReading(SimulationClass& type) {
  type.def_property_readonly(
          "time", [](SimulationHandle& h) { return h.simulation().time(); }, "Simulated seconds.")
      .def_property_readonly(
          "tick", [](SimulationHandle& h) { return h.simulation().tick(); }, "Physics steps since the start.")
      .def_property(
          "time_step", [](SimulationHandle& h) { return h.simulation().timeStep(); },
          [](SimulationHandle& h, double seconds) { h.simulation().setTimeStep(seconds); }, "s")
      .def_property_readonly(
          "backend", [](SimulationHandle& h) { return h.simulation().backend(); }, "Name of the physics backend.")
      .def_property_readonly(
          "world", [](SimulationHandle& h) { return h.core->world; }, "The world as it was at the start.")
      .def_property_readonly(
          "status", [](SimulationHandle& h) { return statusText(h.simulation().status()); }, "Of the last step.")
      .def_property_readonly(
          "worst_status", [](SimulationHandle& h) { return statusText(h.simulation().worstStatus()); },
          "The worst status of all steps so far.")
      .def_property_readonly(
          "unstable",
          [](SimulationHandle& h) {
            Value list = Value::list();
            for (const UnstableBody& body : h.simulation().unstableBodies()) list.push_back(unstableBodyValue(body));
            return toPython(list);
          },
          "unstable: list[dict[str, Any]]\n\nBodies that gained energy that nothing gave them, since the start: a list "
          "of dicts {body, steps, first_time, energy, largest: {time, energy, cause}}; J and s.")
      .def_property_readonly(
          "fault", [](SimulationHandle& h) { return h.simulation().fault(); },
          "Of the first component that failed, or of what stopped the simulation; '' when nothing did.");
  bindReadings(type);
  bindReports(type);
}

void bindPushes(SimulationClass& type) {
  type.def(
          "set_robot_state",
          [](SimulationHandle& h, py::handle robot, py::handle q, py::handle dq) {
            const int index = robotIndex(h.world(), robot);
            const Eigen::Index size = h.world().robots[static_cast<std::size_t>(index)].robot->numLinks();
            const VectorXd rates = dq.is_none() ? VectorXd(VectorXd::Zero(size)) : vectorFrom(dq, "dq", size);
            h.simulation().setRobotState(index, vectorFrom(q, "q", size), rates);
          },
          py::arg("robot"), py::arg("q"), py::arg("dq") = py::none(),
          "set_robot_state(robot: int | str, q: ArrayLike, dq: ArrayLike | None = None)\n\n(num_links,) each; "
          "velocities are zero if None.")
      .def(
          "set_dynamics",
          [](SimulationHandle& h, py::handle object, bool on) {
            h.simulation().setDynamics(objectIndex(h.world(), object), on);
          },
          py::arg("object"), py::arg("on"),
          "set_dynamics(object: int | str | WorldObject, on)\n\nOff: the object keeps its velocity, whatever pushes "
          "it.")
      .def(
          "set_collision",
          [](SimulationHandle& h, py::handle a, py::handle b, bool on) {
            h.simulation().setCollision(worldId(h.world(), a), b.is_none() ? -1 : worldId(h.world(), b), on);
          },
          py::arg("a"), py::arg("b"), py::arg("on"),
          "set_collision(a: int | str | WorldObject, b: int | str | WorldObject, on)\n\nContacts between two things "
          "(ids or names), or a and all others if b is None.");
}

void bindChanging(SimulationClass& type) {
  type.def(
          "set_gravity",
          [](SimulationHandle& h, py::handle g) { h.simulation().setGravity(vector3From(g, "gravity")); },
          py::arg("gravity"), "set_gravity(gravity: ArrayLike)\n\nm/s^2, world axes.")
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
          "apply_wrench(body: int | str | WorldObject, force: ArrayLike | None = None, torque: ArrayLike | None = "
          "None, point: ArrayLike | None = None)\n\nA force (N) at a point (m, world; of objects the center of mass if "
          "None) and a torque (N m) on an object or link, by id or name, during the next call of `step` or `advance`; "
          "in a hook, during the next step alone.")
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
          "set_object_state(object: int | str | WorldObject, pose: Pose | None = None, v: ArrayLike | None = None, w: "
          "ArrayLike | None = None)\n\nWhat is None stays. v: of the object's origin, m/s; w: rad/s.");
  bindPushes(type);
  bindEdits(type);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (instance->simple_layout && instance->simple_holder_constructed) {
    auto* handle = static_cast<SimulationHandle*>(instance->simple_value_holder[0]);
    if (handle != nullptr) {
      Py_VISIT(handle->hooksBefore.ptr());
      Py_VISIT(handle->hooksAfter.ptr());
      for (const ScriptObject* script : handle->core->scripts)
        if (const int stop = script->visit(visit, arg); stop != 0) return stop;
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
      for (ScriptObject* script : handle->core->scripts) script->letGo();
    }
  }
  return 0;
}

}  // namespace

void bindSimulation(py::module_& m) {
  bindSimulatedComponents(m);
  const Schema settings = schemaWithout(schemaOf<SimulationRequest>({}), settingsElsewhere());
  const std::string text =
      std::string(
          "Simulation(world: World, backend: str | None = None, settings: Mapping[str, Any] | None = None, step: float "
          "| str | None = None, contacts: str | None = None, adaptive: bool | None = None, control_rate: float | str | "
          "None = None, seed = 0, controllers: Mapping[int | str, Any] | None = None, sensors: Mapping[int | str, Any] "
          "| None = None, actuator_limits: str | None = None, use_world_state = True, strict = False, on_unstable: str "
          "| None = None, use_world_commands = True, ") +
      signatureText(settings,
                    {"backend", "step", "contacts", "adaptive", "control_rate", "actuator_limits", "on_unstable"}) +
      ")\n\n"
      "A world in motion.\n\nArguments:\n    settings: dict of the backend's own settings.\n    controllers, sensors: "
      "dict by robot "
      "(index or name) of a type, a class or object with @mortise.controller or @mortise.sensor, or a dict {type, "
      "name, rate, on_error, "
      "... settings}, or a list of them, instead of what files name.\n    use_world_commands: whether the world's "
      "<command> elements are carried out, as `mortise sim` does.\n" +
      argumentsText(settings) + "\nRaises Error with everything that is wrong.";
  // Hooks that refer to their simulation make cycles, which the garbage collector must see.
  SimulationClass type(m, "Simulation", text.c_str(), collected(traverse, clear));
  type.def(constructor(&makeSimulation), py::arg("world"), py::arg("backend") = py::none(),
           py::arg("settings") = py::none(), py::arg("step") = py::none(), py::arg("contacts") = py::none(),
           py::arg("adaptive") = py::none(), py::arg("control_rate") = py::none(), py::arg("seed") = 0,
           py::arg("controllers") = py::none(), py::arg("sensors") = py::none(),
           py::arg("actuator_limits") = py::none(), py::arg("use_world_state") = true, py::arg("strict") = false,
           py::arg("on_unstable") = py::none(), py::arg("use_world_commands") = true)
      .def("__repr__", [](SimulationHandle& h) {
        return "Simulation(" + worldText(h.world()) + ", backend '" + h.core->simulation->backend() +
               "', t = " + std::to_string(h.core->simulation->time()) + " s)";
      });
  bindRunning(type);
  bindReading(type);
  bindChanging(type);
}

}  // namespace mortise::python
