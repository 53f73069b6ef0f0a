#include "mortise/pipeline/simulate/simulation_run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "mortise/base/files.h"
#include "mortise/base/interruption.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/followed_motion.h"
#include "mortise/loading/format_loader.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/loading/world_configuration.h"
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
#include "mortise/pipeline/simulate/stage_recorders.h"
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
    for (const VectorXd& full : motion.configurations)
      own.configurations.emplace_back(full.segment(part.first, part.size));
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

/// Reports commands, settings and sensors that are wrong, and commands after the end of the run.
void checkTimedCommands(StageContext& context, const SimulationPlan& plan, Diagnostics& diagnostics) {
  const World& world = context.world();
  std::vector<TimedCommand> commands = timedCommandsFrom(plan.commands, world, diagnostics);
  for (const TimedCommand& command : commands)
    if (command.at >= plan.duration)
      diagnostics.warning("'commands': at " + formatReal(command.at) + " s the run of " + formatReal(plan.duration) +
                              " s is over: '" + command.text() + "' would never be carried out",
                          command.position, "make 'duration' longer, or 'at' earlier");
  for (TimedCommand& command : worldCommands(world, diagnostics)) commands.push_back(std::move(command));
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

/// Returns the configuration of a robot when the stage begins; empty where only the run knows.
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
  b.add(
      "commands", commands,
      "Commands by time, a list: {at: 1 s, robot: NAME, command: NAME, arguments: [...]} to a controller, "
      "{at, robot, setting, value} and {at, robot, sensor, setting, value} for settings, {at, robot, sensor, "
      "enabled: false} and {at, robot, sensor, rate: 50 Hz}; {at, body: NAME, force: [1, 0, 0], for: 0.2 s}, impulse, "
      "velocity and others act on bodies from outside.");
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

namespace {

/// Checks the motion that a robot follows.
void checkFollowed(StageContext& context, const SimulationPlan& plan, Diagnostics& diagnostics) {
  try {
    // Whose motion an earlier stage will leave is known when it has run.
    const bool later = plan.followRobot.isNull() && context.world().robots.size() > 1 &&
                       context.findOutput(plan.follow.text) != nullptr;
    const int robot = later ? 0 : findRobot(context.world(), plan.followRobot);
    if (!requireResultOrFile(context, plan.follow.text, ResultKind::motion, plan.follow.where)) {
      const WorldRobot& its = context.world().robots[static_cast<std::size_t>(robot)];
      const Trajectory motion = followedMotion(context.loader(), plan.follow.text,
                                               context.pipeline().string("file", ""), its.robot, diagnostics);
      if (!motion.empty()) {
        requireLinks(motion.configurations.front().size(), its, plan.follow);
        doubtMotion(motion, its, startOf(context, plan, robot), plan.follow, diagnostics);
      }
    }
    SimulationOptions options;
    for (const Value& entry : context.pipeline().at("components").items()) {
      const Value* type = entry.find("controller");
      if (type == nullptr || context.registry().find(Kind::controller, type->text()) == nullptr) continue;
      ComponentOptions controller;
      controller.type = type->text();
      controller.robot = findRobot(context.world(), entry.at("robot"));
      controller.position = type->position();
      options.components.push_back(std::move(controller));
    }
    if (!later) followMotion(options, context.registry(), robot, plan.follow.text, plan.follow.where);
  } catch (const Error& error) {
    const bool placed = error.where().line > 0 || error.where().origin == Origin::commandLine;
    diagnostics.error("'follow': " + error.message(), placed ? error.where() : plan.follow.where, error.hint());
  }
}

/// Checks where robots start.
void checkStart(StageContext& context, const SimulationPlan& plan, Diagnostics& diagnostics) {
  try {
    World start = context.world();
    const bool placed = plan.config.isNull() || placeRobots(context, plan.config, false, start, diagnostics);
    if (placed && plan.state.empty() && (!plan.config.isNull() || context.world().simulation.stateData.empty()))
      warnOfStarts(start, diagnostics);
  } catch (const Error& error) {
    diagnostics.error("'config': " + error.message(), error.where().line > 0 ? error.where() : plan.config.position(),
                      error.hint());
  }
}

/// Checks the state that the run goes on from.
void checkSavedState(StageContext& context, const SimulationPlan& plan, Diagnostics& diagnostics) {
  try {
    if (outputWithState(context, plan.state.text) == nullptr || context.findOutput(plan.state.text) != nullptr)
      if (!requireResultOrFile(context, plan.state.text, ResultKind::state, plan.state.where))
        checkState(readFile(context.loader().find(plan.state.text, context.pipeline().string("file", ""))),
                   plan.state.where);
  } catch (const Error& error) {
    diagnostics.error("'state': " + error.message(), plan.state.where, error.hint());
  }
}

/// Checks the names of the files that the run leaves.
void checkOutputs(StageContext& context, const SimulationPlan& plan, Diagnostics& diagnostics) {
  const auto inRunDirectory = [&](const char* setting, const std::string& name, const SourcePosition& position) {
    if (name.find('/') != std::string::npos)
      diagnostics.error("'" + std::string(setting) + "' is a name in the run directory, not '" + name + "'", position,
                        "leave the folder out");
  };
  inRunDirectory("save_state", plan.saveState.text, plan.saveState.where);
  inRunDirectory("save_world", plan.saveWorld.text, plan.saveWorld.where);
  if (!plan.saveState.empty() && plan.saveState.text == plan.saveWorld.text)
    diagnostics.error("'save_state' and 'save_world' name the same file", plan.saveWorld.where, "give it another name");
  if (!plan.saveWorld.empty()) {
    try {
      FormatLoader loader(context.registry(), context.log());
      requireWorldFormat(loader, plan.saveWorld.text);
    } catch (const Error& error) {
      diagnostics.error("'save_world': " + error.message(), plan.saveWorld.where, error.hint());
    }
  }
}

/// Checks the recorder and what it keeps.
void checkRecord(StageContext& context, const SimulationPlan& plan, Diagnostics& diagnostics) {
  try {
    (void)context.registry().require(Kind::recorder, plan.recorder.text, plan.recordPosition());
  } catch (const Error& error) {
    diagnostics.error(error);
  }
  checkRecordNames(context, plan.record, plan.recordPosition(), diagnostics);
  checkOneRobot(context.registry(), plan.recorder, plan.record.texts(), context.world(), plan.recordPosition(),
                diagnostics);
}

}  // namespace

void SimulationPlan::check(StageContext& context, Diagnostics& diagnostics) const {
  const World& world = context.world();
  const bool known = world.numIds() > 0;  // A world that could not be read was reported already.
  if (known && !follow.empty()) checkFollowed(context, *this, diagnostics);
  const Value& given = context.pipeline().at("simulation");
  if (known) {
    doubtSettings(*this, timeStep.value_or(given.isMap() ? given.real("step", world.simulation.timeStep) : 1e-3),
                  diagnostics);
    if (!milestones.empty()) checkMilestones(context, *this, diagnostics);
    checkTimedCommands(context, *this, diagnostics);
    if (!config.isNull() || state.empty()) checkStart(context, *this, diagnostics);
  }
  if (!state.empty()) checkSavedState(context, *this, diagnostics);
  checkOutputs(context, *this, diagnostics);
  if (!record.list.empty()) checkRecord(context, *this, diagnostics);
}

namespace {

/// Says in the job which state it goes on from.
void continueFrom(StageContext& context, const SimulationPlan& plan, SimulationJob& job) {
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
    job.state = context.loader().find(plan.state.text, context.pipeline().string("file", ""));
  }
}

/// Returns what is to be done, without the time step.
SimulationJob jobOf(StageContext& context, const SimulationPlan& plan, const std::string& prefix,
                    const RunVariation& variation, Diagnostics& diagnostics) {
  const std::string& pipelineFile = context.pipeline().string("file", "");
  SimulationJob job;
  job.duration = plan.duration;
  job.settle = plan.settle;
  if (!variation.silent) job.realtime = settingsFrom<SimulationRequest>(context.pipeline().at("simulation")).realtime;
  job.observe = variation.observe;
  job.commands = worldCommands(context.world(), diagnostics);
  for (TimedCommand& command : timedCommandsFrom(plan.commands, context.world(), diagnostics))
    job.commands.push_back(std::move(command));
  sortByTime(job.commands);
  diagnostics.throwIfErrors();
  if (context.pipeline().at("seed").position().known()) job.request.seed = context.seed();
  if (!plan.state.empty()) continueFrom(context, plan, job);
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
  return job;
}

/// Returns the options of the pipeline as the stage changes them; time steps are `stepFactor` times as long.
SimulationOptions optionsOf(StageContext& context, const SimulationPlan& plan, const BackendChoice& choice,
                            double stepFactor, Diagnostics& diagnostics) {
  SimulationOptions options = makeSimulationOptions(context, choice, diagnostics);
  if (!plan.follow.empty())
    for (const Followed& motion : followedMotions(context, plan))
      followMotion(options, context.registry(), motion.robot, motion.file, plan.follow.where);
  if (!plan.milestones.empty()) addMilestones(context, plan, options, diagnostics);
  if (plan.timeStep) options.timeStep = plan.timeStep;
  if (stepFactor != 1) options.timeStep = stepFactor * options.timeStep.value_or(context.world().simulation.timeStep);
  if (plan.contacts) options.contacts = plan.contacts;
  if (plan.onUnstable) options.onUnstable = plan.onUnstable;
  diagnostics.throwIfErrors();
  return options;
}

}  // namespace

SimulationOutcome runSimulation(StageContext& context, const SimulationPlan& plan, const BackendChoice& choice,
                                const std::string& shownBackend, const std::string& prefix, const std::string& task,
                                const RunVariation& variation) {
  NullLog nothing;
  LogSink& log = variation.silent ? nothing : context.log();
  Diagnostics diagnostics;
  const SimulationOptions options = optionsOf(context, plan, choice, variation.stepFactor, diagnostics);
  const std::vector<std::string> before = filesWithPrefix(context.runDirectory(), prefix);
  StageRecorders recorders(context, prefix);
  SimulationJob job = jobOf(context, plan, prefix, variation, diagnostics);
  job.request.timeStep = options.timeStep;
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
  if (!variation.silent) requireOwnNames(context, plan, prefix, unopened);
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
  addLogs(context, plan, prefix, before, result);
  return outcome;
}

}  // namespace mortise
