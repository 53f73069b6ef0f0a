#include "common/arrays.h"
#include "common/operation_settings.h"
#include "common/values.h"
#include "components/script_components.h"
#include "geometry/shapes.h"
#include "mortise/base/diagnostics.h"
#include "mortise/plugin/declaration_check.h"
#include "mortise/simulation/context/component_entry.h"
#include "mortise/simulation/context/simulation_request.h"
#include "mortise/simulation/saving/saved_state.h"
#include "simulation/simulation.h"

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

/// Without hooks and components in Python the GIL is released once; with them it is kept, since taking it back for
/// every step costs more than the steps. Exceptions of hooks end the call, and the simulation goes on from there at the
/// next one.
StepStatus SimulationHandle::run(const std::function<StepStatus(Simulation&, const std::function<bool()>&)>& work,
                                 double seconds) {
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
  CommandSchedule& commands = keep->commands;
  commands.setEnd(own.time() + seconds);
  commands.resumeAt(own);
  stepped = stepped || commandsOn;
  bool refused = false;
  const bool hooks = hooksBefore.size() > 0 || hooksAfter.size() > 0 || !core->scripts.empty();
  const auto keepGoing = [&] {
    if (failure || interrupted) return false;
    if (signals.interrupted()) interrupted = keep->stop = true;
    if (interrupted || refused) return false;
    return !(refused = commandsOn && !commands.run(own));
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
  commands.warnOfReplaced(world(), keep->environment->log);
  if (refused) throw Error(commands.fault());
  return status;
}

bool SimulationHandle::settle(double maxSeconds, double speed) {
  bool rests = false;
  commandsOn = false;
  try {
    run([&](Simulation& s, const std::function<bool()>& keepGoing) {
      rests = s.settle(maxSeconds, speed, keepGoing);
      return s.status();
    });
  } catch (...) {
    commandsOn = true;
    throw;
  }
  commandsOn = true;
  if (!stepped) core->commands.setStart(core->simulation->time());
  return rests;
}

void SimulationHandle::reset() {
  if (running) throw Error("a hook cannot reset the simulation that runs it");
  simulation().reset();
  stepped = false;
  core->commands.setStart(core->simulation->time());
}

namespace {

bool isScript(py::handle thing) { return py::hasattr(thing, "__mortise__"); }

/// A class or an object of one: its place in `objects` stands for it.
void useScript(py::handle thing, ScriptObjects& objects, ComponentOptions& options) {
  objects.push_back(GivenScript{scriptClass(thing), PyType_Check(thing.ptr()) != 0 ? nullptr : thing.ptr()});
  const ScriptClass& declared = objects.back().declared;
  if (declared.kind != options.kind)
    throw py::type_error("expected a " + std::string(kindName(options.kind)) + ", found the " +
                         std::string(kindName(declared.kind)) + " '" + declared.name + "'");
  options.type = kScriptObject;
  options.settings.set("object", static_cast<std::int64_t>(objects.size() - 1));
  ComponentInfo info;
  info.kind = declared.kind;
  info.name = declared.name;
  info.attributes = declared.attributes;
  for (const std::string& fault : declarationFaults(info)) throw py::value_error(fault);
  options.roles = rolesOf(info);
  if (options.name.empty()) options.name = declared.name;
}

ComponentOptions componentFrom(const World& world, Kind kind, py::handle robot, py::handle all,
                               ScriptObjects& objects) {
  ComponentOptions options;
  options.kind = kind;
  options.robot = robotIndex(world, robot);
  if (isScript(all)) {
    useScript(all, objects, options);
    return options;
  }
  py::object given = py::reinterpret_borrow<py::object>(all);
  py::object script;
  if (PyDict_Check(given.ptr()) != 0 && given.contains("type") && isScript(py::object(given["type"]))) {
    given = given.attr("copy")();
    script = given.attr("pop")("type");
  }
  if (PyUnicode_Check(given.ptr()) != 0) {
    options.type = given.cast<std::string>();
    return options;
  }
  if (PyDict_Check(given.ptr()) == 0) {
    const std::string word(kindName(kind));
    const bool code = PyType_Check(given.ptr()) != 0 || py::hasattr(given, "update") || py::hasattr(given, "simulate");
    throw py::type_error(word +
                         ": expected a name, a dict with the key 'type', or a class that is declared with @mortise." +
                         word + "(name), found " + shapeText(given) + (code ? " without that declaration" : ""));
  }
  Value value = settingsFrom(given, std::string(kindName(kind)));
  if (script) value.set("type", "script");
  if (const Value* type = value.find("type"); type == nullptr || type->isNull() || type->text().empty())
    throw py::value_error(std::string(kindName(kind)) + ": expected a name, or a dict with the key 'type'");
  Diagnostics diagnostics;
  options = componentOptions(componentEntry(kind, value, diagnostics));
  for (const Diagnostic& problem : diagnostics.all())
    if (problem.severity == Severity::error)
      throw py::value_error(problem.message + (problem.hint.empty() ? "" : " (" + problem.hint + ")"));
  options.robot = robotIndex(world, robot);
  if (script) useScript(script, objects, options);
  return options;
}

void addComponents(const World& world, Kind kind, py::handle given, SimulationOptions& options,
                   ScriptObjects& objects) {
  if (given.is_none()) return;
  if (PyDict_Check(given.ptr()) == 0)
    throw py::type_error(std::string(kindName(kind)) + "s: expected a dict by robot, found " + shapeText(given));
  for (const auto& [robot, entry] : py::reinterpret_borrow<py::dict>(given)) {
    if (PyList_Check(entry.ptr()) != 0 || PyTuple_Check(entry.ptr()) != 0)
      for (const auto one : entry) options.components.push_back(componentFrom(world, kind, robot, one, objects));
    else
      options.components.push_back(componentFrom(world, kind, robot, entry, objects));
  }
}

}  // namespace

const std::vector<std::string>& settingsElsewhere() {
  static const std::vector<std::string> names = {"realtime", "lockstep", "settings"};
  return names;
}

std::unique_ptr<SimulationHandle> makeSimulation(const WorldPtr& world, py::handle backend, py::handle settings,
                                                 py::handle step, py::handle contacts, py::handle adaptive,
                                                 py::handle controlRate, std::uint64_t seed, py::handle controllers,
                                                 py::handle sensors, py::handle actuatorLimits, bool useWorldState,
                                                 bool strict, py::handle onUnstable, bool useWorldCommands,
                                                 const py::kwargs& more) {
  if (!world) throw py::type_error("world: expected a World, found None");
  py::dict given = more;
  const std::pair<const char*, py::handle> named[] = {
      {"backend", backend},          {"step", step},
      {"contacts", contacts},        {"adaptive", adaptive},
      {"control_rate", controlRate}, {"actuator_limits", actuatorLimits},
      {"on_unstable", onUnstable}};
  for (const auto& [name, value] : named)
    if (!value.is_none()) given[name] = value;
  SimulationOptions options;
  Diagnostics diagnostics;
  applyRequest(
      operationSettings<SimulationRequest>("Simulation", given, {}, {{"time_step", "step"}}, settingsElsewhere()),
      *world, options, diagnostics);
  for (const Diagnostic& problem : diagnostics.all())
    if (problem.severity == Severity::error) refuseArguments(Error(problem.message, problem.where, problem.hint));
  options.backendPosition.file = "backend";
  options.backendSettings = settingsFrom(settings);
  options.seed = seed;
  options.strict = strict;
  options.referringFile = world->file;
  ScriptObjects objects;
  addComponents(*world, Kind::controller, controllers, options, objects);
  addComponents(*world, Kind::sensor, sensors, options, objects);

  auto handle = std::make_unique<SimulationHandle>();
  handle->core = std::make_shared<SimulationCore>();
  SimulationCore* core = handle->core.get();
  options.stopRequested = [core] { return core->stop.load(); };
  py::gil_scoped_release release;
  core->environment = environment();
  core->world = std::make_shared<World>(*world);
  core->loader = std::make_unique<FormatLoader>(core->environment->registry, core->environment->log, resourcePath());
  {
    const GivenScripts scripts(objects);
    CreatedScripts created;
    core->simulation = std::make_unique<Simulation>(*core->world, core->environment->registry, core->loader.get(),
                                                    core->environment->log, options);
    core->scripts = std::move(created.all);
  }
  if (useWorldState && !core->world->simulation.stateData.empty()) {
    StateRequest request;
    request.timeStep = options.timeStep;
    loadWorldState(*core->simulation, core->environment->log, request);
  }
  if (useWorldCommands) {
    Diagnostics wrong;
    std::vector<TimedCommand> commands = worldCommands(*core->world, wrong);
    checkCommands(*core->simulation, commands, wrong);
    wrong.throwIfErrors();
    core->commands = CommandSchedule(std::move(commands), core->simulation->time());
  }
  return handle;
}

}  // namespace mortise::python
