#include "mortise/pipeline/simulate/simulation_run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "mortise/base/files.h"
#include "mortise/base/interruption.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/format_loader.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/loading/world_configuration.h"
#include "mortise/logs/log_sensors.h"
#include "mortise/model/on_unstable.h"
#include "mortise/pipeline/compare/motion_record.h"
#include "mortise/pipeline/context/milestones.h"
#include "mortise/pipeline/context/pipeline_context.h"
#include "mortise/pipeline/context/plan_context.h"
#include "mortise/pipeline/file/pipeline.h"
#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/pipeline/record/run_summary.h"
#include "mortise/pipeline/simulate/command_check.h"
#include "mortise/pipeline/simulate/component_check.h"
#include "mortise/pipeline/simulate/run_origin.h"
#include "mortise/pipeline/simulate/simulation_doubts.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/plugin/registry.h"
#include "mortise/settings/output_path.h"
#include "mortise/simulation/saving/saved_state.h"

namespace mortise {

namespace {

/// A robot and the file of its motion.
struct Followed {
  int robot = 0;
  std::string file;
};

/// Saved trajectories become files in the run directory, where controllers can read them. Results of plans name the
/// robots that their coordinates belong to.
std::vector<Followed> followedMotions(StageContext& context, const SimulationPlan& plan) {
  const World& world = context.world();
  const SavedMotion* saved = context.findMotion(plan.follow.text);
  if (saved == nullptr && context.findOutput(plan.follow.text) != nullptr)
    throw Error(
        "'" + plan.follow.text + "' is a result of an earlier stage, but not a motion that a robot could follow",
        plan.follow.where, "follow what a stage saves as a trajectory, or a motion file");
  if (saved == nullptr) return {{findRobot(world, plan.followRobot), plan.follow.text}};
  const auto write = [&](const std::string& name, const Trajectory& trajectory) {
    return std::filesystem::absolute(context.runDirectory() + "/" + writeRunFile(context, name, trajectory)).string();
  };
  const Trajectory& motion = saved->trajectory;
  if (saved->parts.empty()) return {{findRobot(world, plan.followRobot), write(plan.follow.text, motion)}};
  const int wanted = plan.followRobot.isNull() ? -1 : findRobot(world, plan.followRobot);
  std::vector<Followed> list;
  for (const MotionPart& part : saved->parts) {
    const World::Entity entity = world.entity(part.id);
    if (entity.kind == World::Kind::object)
      throw Error("in '" + plan.follow.text + "' object '" + world.nameOf(part.id) + "' moves, which follows nothing",
                  plan.follow.where, "follow the motion of a robot");
    if (wanted >= 0 && entity.index != wanted) continue;
    if (saved->parts.size() == 1) {
      list.push_back({entity.index, write(plan.follow.text, motion)});
      continue;
    }
    Trajectory own;
    own.times = motion.times;
    for (const VectorXd& whole : motion.configurations)
      own.configurations.emplace_back(whole.segment(part.first, part.size));
    list.push_back({entity.index, write(plan.follow.text + "_" + world.nameOf(part.id), own)});
  }
  if (list.empty())
    throw Error("robot '" + world.robots[static_cast<std::size_t>(wanted)].name + "' does not move in '" +
                    plan.follow.text + "'",
                plan.follow.where, "leave 'robot' out: the robots that move in it follow it");
  return list;
}

/// Sets the robots' start configurations from the stage's `config`. Before the run, results of earlier stages are
/// accepted by name: false where they will say it. Warnings go to the log when the stage runs.
bool placeRobots(StageContext& context, const Value& config, bool running, World& world, Diagnostics& diagnostics) {
  bool promised = false;
  const auto files = [&](const std::string& name) {
    if (const Trajectory* saved = context.findTrajectory(name)) return ConfigurationFile{saved->configurations, true};
    if (requireResultOrFile(context, name, ResultKind::motion, config.position())) {
      promised = !running;
      throw Error("'" + name + "' is a result of an earlier stage, but not a motion", config.position(),
                  "name what a stage saves as a motion, or a .config file");
    }
    return readConfigurationFile(context.loader(), name, context.pipeline().string("file", ""), diagnostics);
  };
  try {
    Diagnostics found;
    setConfigurations(world, config, files, found);
    for (const Diagnostic& problem : found.all()) {
      if (!running || problem.severity == Severity::error)
        diagnostics.add(problem);
      else
        context.log().write(LogLevel::warning, "simulation",
                            Error(problem.message, problem.where, problem.hint).what());
    }
  } catch (const Error&) {
    if (!promised) throw;
  }
  return !promised;
}

/// Recorders of one simulation, with what they refer to; it must outlive the simulation.
class RecorderSet {
 public:
  RecorderSet(StageContext& context, std::string prefix) : context_(context), prefix_(std::move(prefix)) {}

  /// How the simulation was made; null where a log cannot say that.
  void setOrigin(Value origin) { origin_ = std::move(origin); }

  void addTo(Simulation& simulation, const SimulationPlan& plan) {
    if (!plan.record.list.empty())
      add(simulation, plan.recorder.text, Value::map(), "recorder", plan.record.texts(),
          plan.recordRate.value_or(Placed<double>()).value, plan.recordPosition());
    for (const Value& entry : context_.pipeline().at("components").items()) {
      const Value* type = entry.find("recorder");
      if (type == nullptr || context_.registry().find(Kind::recorder, type->text()) == nullptr) continue;
      const ComponentEntry settings = settingsFrom(entry, ComponentEntry(Kind::recorder));
      add(simulation, settings.type.text, settings.settings,
          settings.name.empty() ? settings.type.text : settings.name.text, settings.record.texts(),
          settings.rate.value_or(0), settings.type.where);
    }
  }

 private:
  void add(Simulation& simulation, const std::string& type, const Value& settings, const std::string& name,
           const std::vector<std::string>& what, double rate, const SourcePosition& position) {
    Registry& registry = context_.registry();
    const ComponentInfo& info = registry.require(Kind::recorder, type, position);
    hosts_.push_back(std::make_unique<ComponentHost>(name, context_.seed(), simulation.componentLog(),
                                                     &context_.loader(), channels_,
                                                     context_.pipeline().string("file", ""), context_.runDirectory()));
    Diagnostics diagnostics;
    Value told = settings;
    if (info.schema.find("run") != nullptr) told.set("run", logs::runDescription(simulation, origin_));
    const Value complete = registry.completeSettings(info, told, diagnostics);
    diagnostics.throwIfErrors();
    ComponentPtr<Recorder> recorder = registry.create<Recorder>(info, complete, *hosts_.back());
    try {
      recorder->open({context_.world(), context_.runDirectory(), prefix_, what});
      simulation.addRecorder(std::move(recorder),
                             recordingInterval(rate, simulation.timeStep(), simulation.componentLog()));
    } catch (const Error& error) {
      if (error.where().known()) throw;
      throw Error(error.message(), position, error.hint());
    }
  }

  StageContext& context_;
  std::string prefix_;
  Value origin_;
  ChannelTable channels_;
  std::vector<std::unique_ptr<ComponentHost>> hosts_;
};

/// Stages and backends would overwrite each other's files under a single name.
std::string prefixed(const std::string& name, const std::string& prefix) { return prefix + name; }

/// Files that a recorder wrote, as opposed to those that existed before.
std::vector<std::string> filesWithPrefix(const std::string& folder, const std::string& prefix) {
  std::vector<std::string> names;
  std::error_code code;
  for (std::filesystem::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
    if (std::string name = it->path().filename().string(); name.starts_with(prefix)) names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

/// Reports commands, settings and sensors that are wrong, and commands after the end of the run.
void checkTimedCommands(StageContext& context, const SimulationPlan& plan, Diagnostics& diagnostics) {
  const World& world = context.world();
  const std::vector<TimedCommand> commands = timedCommandsFrom(plan.commands, world, diagnostics);
  for (const TimedCommand& command : commands)
    if (command.at >= plan.duration)
      diagnostics.warning("'commands': at " + formatReal(command.at) + " s the run of " + formatReal(plan.duration) +
                              " s is over: '" + command.text() + "' would never be carried out",
                          command.position, "make 'duration' longer, or 'at' earlier");
  Diagnostics found;  // Of the components, which are reported once for the whole pipeline.
  try {
    const SimulationOptions options = makeSimulationOptions(context, {}, found);
    tryCommands(commands, world, context.registry(), &context.loader(), options, diagnostics);
  } catch (const Error&) {
  }
}

/// Motions by milestones: the file, who follows, and whether its controller takes milestones.
void addMilestones(StageContext& context, const SimulationPlan& plan, SimulationOptions& options,
                   Diagnostics& diagnostics) {
  Diagnostics read;
  Value milestones =
      milestonesFrom(context.loader(), plan.milestones.text, context.pipeline().string("file", ""), read);
  read.throwIfErrors();
  diagnostics.append(read);
  followMilestones(options, context.registry(), findRobot(context.world(), plan.followRobot), std::move(milestones),
                   plan.milestones.where);
}

/// Where a robot is when the stage begins; empty where only the run knows.
VectorXd startOf(StageContext& context, const SimulationPlan& plan, int robot) {
  const World& world = context.world();
  if (!plan.state.empty() || plan.settle > 0 || (plan.config.isNull() && !world.simulation.stateData.empty()))
    return {};
  World copy = world;
  Diagnostics found;  // Of the configuration, which is checked on its own.
  try {
    if (!plan.config.isNull()) placeRobots(context, plan.config, false, copy, found);
  } catch (const Error&) {
    return {};
  }
  const auto isResult = [&](const Value& name) {
    return name.isString() && context.findResult(name.asString()) != nullptr;
  };
  bool later = isResult(plan.config);
  if (plan.config.isMap())
    for (const Value::Entry& entry : plan.config.entries()) later = later || isResult(entry.value);
  if (found.hasErrors() || later) return {};
  return copy.robots[static_cast<std::size_t>(robot)].q;
}

void checkMilestones(StageContext& context, const SimulationPlan& plan, Diagnostics& diagnostics) {
  if (!plan.follow.empty())
    diagnostics.error("'milestones' and 'follow' exclude each other", plan.milestones.where, "keep one of the two");
  try {
    SimulationOptions options;
    addMilestones(context, plan, options, diagnostics);
  } catch (const Error& error) {
    diagnostics.error("'milestones': " + error.message(),
                      error.where().line > 0 ? error.where() : plan.milestones.where, error.hint());
  }
}

}  // namespace

void SimulationPlan::bind(SettingBinder& b) {
  // A plan that has a duration already needs none from people.
  b.add("duration", duration, "Simulated time.", {.min = 0, .max = 1e9, .unit = "s", .required = duration == 0});
  b.add("follow", follow, "Motion that a robot follows: a saved result, or a motion file.");
  b.add("milestones", milestones,
        "File of milestones that a robot moves through, as fast as its limits allow; in place of 'follow'.");
  b.add("robot", followRobot, "The robot that follows; may be left out when there is only one.");
  b.add("step", timeStep, "Physics time step, in place of simulation.step.", {.min = 1e-6, .max = 1, .unit = "s"});
  b.add("record", record,
        "What goes into the log: robots, objects, contacts, wrenches, sensors (all but cameras), or names of robots, "
        "objects and sensors.");
  b.add("recorder", recorder, "Recorder that writes the log.");
  b.add("record_rate", recordRate, "Rows of the log per simulated second; by default one for each step.",
        {.min = 1e-3, .max = 1e6, .unit = "Hz"});
  b.choice("contacts", contacts, {{"boundary_layer", ContactSource::external}, {"engine", ContactSource::engine}},
           "Source of contacts, in place of simulation.contacts.");
  b.choice("on_unstable", onUnstable, onUnstableWords(),
           "What follows when a body gains energy that nothing gave it, in place of simulation.on_unstable.");
  b.add("commands", commands,
        "Commands by time, a list: {at: 1 s, robot: NAME, command: NAME, arguments: [...]} to a controller, "
        "{at, robot, setting, value} and {at, robot, sensor, setting, value} for settings, {at, robot, sensor, "
        "enabled: false} and {at, robot, sensor, rate: 50 Hz}.");
  b.add("config", config,
        "Start configuration of the robot: [0, 90 deg], {elbow: 90 deg}, a .config file, or the end of a "
        "saved motion; of "
        "several robots {left: ..., right: ...}. By default that of the world.",
        {.aliases = {"start"}});
  b.add("settle", settle, "Maximum time before the run in which all bodies come to rest.",
        {.min = 0, .max = 1e9, .unit = "s"});
  b.add("state", state,
        "Saved state to continue from: a file, or the result of an earlier stage with 'save_state'; by default the "
        "state in the world's file, if it has one that fits.");
  b.add("save_state", saveState, "File, in the run directory, for the state at the end.");
  b.add("save_world", saveWorld,
        "World file, in the run directory, for the world as it is at the end, its state included.");
}

void SimulationPlan::check(StageContext& context, Diagnostics& diagnostics) const {
  const World& world = context.world();
  const bool known = world.numIds() > 0;  // A world that could not be read was reported already.
  if (!follow.empty() && known) {
    try {
      // Whose motion an earlier stage will leave is known when it has run.
      const bool later = followRobot.isNull() && world.robots.size() > 1 && context.findOutput(follow.text) != nullptr;
      const int robot = later ? 0 : findRobot(world, followRobot);
      if (!requireResultOrFile(context, follow.text, ResultKind::motion, follow.where)) {
        const Trajectory motion =
            context.loader().load<Trajectory>(follow.text, context.pipeline().string("file", ""), diagnostics);
        const WorldRobot& its = world.robots[static_cast<std::size_t>(robot)];
        if (!motion.empty()) {
          requireLinks(motion.configurations.front().size(), its, follow);
          doubtMotion(motion, its, startOf(context, *this, robot), follow, diagnostics);
        }
      }
      SimulationOptions options;
      for (const Value& entry : context.pipeline().at("components").items()) {
        const Value* type = entry.find("controller");
        if (type == nullptr || context.registry().find(Kind::controller, type->text()) == nullptr) continue;
        ComponentOptions controller;
        controller.type = type->text();
        controller.robot = findRobot(world, entry.at("robot"));
        controller.position = type->position();
        options.components.push_back(std::move(controller));
      }
      if (!later) followMotion(options, context.registry(), robot, follow.text, follow.where);
    } catch (const Error& error) {
      const bool placed = error.where().line > 0 || error.where().origin == Origin::commandLine;
      diagnostics.error("'follow': " + error.message(), placed ? error.where() : follow.where, error.hint());
    }
  }
  const Value& given = context.pipeline().at("simulation");
  if (known)
    doubtSettings(*this, timeStep.value_or(given.isMap() ? given.real("step", world.simulation.timeStep) : 1e-3),
                  diagnostics);
  if (known && !milestones.empty()) checkMilestones(context, *this, diagnostics);
  if (known) checkTimedCommands(context, *this, diagnostics);
  if (known && (!config.isNull() || state.empty())) {
    try {
      World start = world;
      const bool placed = config.isNull() || placeRobots(context, config, false, start, diagnostics);
      if (placed && state.empty() && (!config.isNull() || world.simulation.stateData.empty()))
        warnOfStarts(start, diagnostics);
    } catch (const Error& error) {
      diagnostics.error("'config': " + error.message(), error.where().line > 0 ? error.where() : config.position(),
                        error.hint());
    }
  }
  if (!state.empty()) {
    try {
      if (outputWithState(context, state.text) == nullptr || context.findOutput(state.text) != nullptr)
        if (!requireResultOrFile(context, state.text, ResultKind::state, state.where))
          checkState(readFile(context.loader().find(state.text, context.pipeline().string("file", ""))), state.where);
    } catch (const Error& error) {
      diagnostics.error("'state': " + error.message(), state.where, error.hint());
    }
  }
  const auto inRunDirectory = [&](const char* setting, const std::string& name, const SourcePosition& position) {
    if (name.find('/') != std::string::npos)
      diagnostics.error("'" + std::string(setting) + "' is a name in the run directory, not '" + name + "'", position,
                        "leave the folder out");
  };
  inRunDirectory("save_state", saveState.text, saveState.where);
  inRunDirectory("save_world", saveWorld.text, saveWorld.where);
  if (!saveState.empty() && saveState.text == saveWorld.text)
    diagnostics.error("'save_state' and 'save_world' name the same file", saveWorld.where, "give it another name");
  if (!saveWorld.empty()) {
    try {
      FormatLoader loader(context.registry(), context.log());
      requireWorldFormat(loader, saveWorld.text);
    } catch (const Error& error) {
      diagnostics.error("'save_world': " + error.message(), saveWorld.where, error.hint());
    }
  }
  if (record.list.empty()) return;
  try {
    (void)context.registry().require(Kind::recorder, recorder.text, recordPosition());
  } catch (const Error& error) {
    diagnostics.error(error);
  }
  checkRecordNames(context, record, recordPosition(), diagnostics);
  checkOneRobot(context.registry(), recorder, record.texts(), world, recordPosition(), diagnostics);
}

SimulationOutcome runSimulation(StageContext& context, const SimulationPlan& plan, const BackendChoice& choice,
                                const std::string& shownBackend, const std::string& prefix, const std::string& task,
                                const RunVariation& variation) {
  NullLog nothing;
  LogSink& log = variation.silent ? nothing : context.log();
  Diagnostics diagnostics;
  SimulationOptions options = makeSimulationOptions(context, choice, diagnostics);
  if (!plan.follow.empty())
    for (const Followed& motion : followedMotions(context, plan))
      followMotion(options, context.registry(), motion.robot, motion.file, plan.follow.where);
  if (!plan.milestones.empty()) addMilestones(context, plan, options, diagnostics);
  if (plan.timeStep) options.timeStep = plan.timeStep;
  if (variation.stepFactor != 1)
    options.timeStep = variation.stepFactor * options.timeStep.value_or(context.world().simulation.timeStep);
  if (plan.contacts) options.contacts = plan.contacts;
  if (plan.onUnstable) options.onUnstable = plan.onUnstable;
  diagnostics.throwIfErrors();
  const std::vector<std::string> before = filesWithPrefix(context.runDirectory(), prefix);
  RecorderSet recorders(context, prefix);
  SimulationJob job;
  job.duration = plan.duration;
  job.settle = plan.settle;
  if (!variation.silent) job.realtime = settingsFrom<SimulationRequest>(context.pipeline().at("simulation")).realtime;
  job.observe = variation.observe;
  job.commands = timedCommandsFrom(plan.commands, context.world(), diagnostics);
  diagnostics.throwIfErrors();
  job.request.timeStep = options.timeStep;
  if (context.pipeline().at("seed").position().known()) job.request.seed = context.seed();
  const std::string& pipelineFile = context.pipeline().string("file", "");
  if (!plan.state.empty()) {
    job.statePosition = plan.state.where;
    if (const StageOutput* earlier = outputWithState(context, plan.state.text)) {
      const SavedState* state = context.findState(earlier->name);
      if (state == nullptr)
        throw Error("'" + plan.state.text + "' is the result of an earlier stage that saved no state", plan.state.where,
                    "give that stage a 'save_state'");
      job.state = state->file;
      // Stages of one file share world and components: what differs is what this stage itself says.
      job.posesExpected = true;
    } else {
      job.state = context.loader().find(plan.state.text, pipelineFile);
    }
  }
  const auto inRunDirectory = [&](const std::string& name) {
    return name.empty() ? name : outputPath(context.runDirectory(), prefixed(name, prefix));
  };
  if (!variation.silent) {
    job.saveState = inRunDirectory(plan.saveState.text);
    job.saveWorld = inRunDirectory(plan.saveWorld.text);
  }
  if (const Value& files = context.pipeline().at("world"); files.isList() || files.isString())
    for (const std::string& file : files.asStrings())
      job.worldFiles.push_back(context.loader().find(file, pipelineFile));
  World world = context.world();
  if (!plan.config.isNull()) {
    placeRobots(context, plan.config, true, world, diagnostics);
    diagnostics.throwIfErrors();
    job.startGiven = true;
  }
  const std::unique_ptr<Simulation> simulation = [&] {
    const InterruptionScope preparing([&context] { return context.stopRequested(); });
    return startJob(world, job, log, [&](const World& start) {
      return std::make_unique<Simulation>(start, context.registry(), &context.loader(), log, options);
    });
  }();
  if (variation.disturbance > 0) disturb(*simulation, variation.disturbance, context.seed());
  const std::vector<std::string> unopened = filesWithPrefix(context.runDirectory(), prefix);
  if (!variation.silent) {
    // What is counted from the end of settling is known only then.
    const bool settles = job.settle > 0 && !job.commands.empty();
    if (!settles && !job.worldFiles.empty())
      recorders.setOrigin(runOriginValue({job.worldFiles, options, job.commands, simulation->time()}, world));
    recorders.addTo(*simulation, plan);
  }
  const auto alsoALog = [&](const char* setting, const std::string& file, const SourcePosition& position) {
    const std::string name = prefixed(file, prefix);
    if (file.empty() || std::find(unopened.begin(), unopened.end(), name) != unopened.end()) return;
    if (std::filesystem::exists(context.runDirectory() + "/" + name))
      throw Error("'" + std::string(setting) + "' names the file that a recorder of this stage writes: " + name,
                  position, "give it another name");
  };
  if (!variation.silent) {
    alsoALog("save_state", plan.saveState.text, plan.saveState.where);
    alsoALog("save_world", plan.saveWorld.text, plan.saveWorld.where);
  }

  if (const void* watch = context.extension(kSimulationWatch); watch != nullptr && !variation.silent)
    job.advance = (*static_cast<const SimulationWatch*>(watch))(*simulation, task, std::exchange(job.realtime, 0));

  FormatLoader loader(context.registry(), log);
  SimulationOutcome outcome;
  Value& result = outcome.report;
  result = runJob(*simulation, job, loader, log, context.progress(), task, [&] { return context.stopRequested(); });
  result.set("component", result.at("backend"));
  result.set("backend", shownBackend);
  result.set("duration", plan.duration);
  if (!job.saveState.empty()) {
    result.set("save_state", plan.saveState.text);
    result.set("state_file", job.saveState);
    outcome.state = SavedState{job.saveState, plan.saveState.text};
  }
  result.set("effective", simulation->effectiveSettings());
  if (variation.silent) return outcome;
  std::vector<std::string> logs = filesWithPrefix(context.runDirectory(), prefix);
  std::erase_if(logs, [&](const std::string& name) {
    return name == prefixed(plan.saveState.text, prefix) || name == prefixed(plan.saveWorld.text, prefix);
  });
  if (!before.empty())
    std::erase_if(logs, [&](const std::string& name) {
      return plan.record.list.empty() && std::find(before.begin(), before.end(), name) != before.end();
    });
  if (!logs.empty()) {
    result.set("logs", logs);
    result.set("log_files", writtenFiles(logs, context.runDirectory()));
  }
  return outcome;
}

}  // namespace mortise
