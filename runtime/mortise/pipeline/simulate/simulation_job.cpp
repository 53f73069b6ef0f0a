#include "mortise/pipeline/simulate/simulation_job.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>

#include "mortise/appearance/three_js.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/pipeline/record/run_summary.h"
#include "mortise/pipeline/simulate/command_schedule.h"
#include "mortise/simulation/realtime_pacer.h"
#include "mortise/simulation/saving/world_export.h"
#include "mortise/simulation/scene/overlaps.h"
#include "mortise/simulation/scene/substitution.h"
#include "mortise/simulation/summary.h"

namespace mortise {

namespace {

Value energyValue(const Energy& energy) {
  Value value = Value::map();
  value.set("kinetic", energy.kinetic);
  value.set("potential", energy.potential);
  value.set("total", energy.total());
  return value;
}

/// A result that cannot be written does not affect the others.
void keepFault(Value& result, const std::string& message) {
  result.set("status", "error");
  if (!result.contains("fault")) result.set("fault", message);
}

/// Files are replaced as a whole, which would replace a device or a pipe as well.
void mustBeAFile(const std::string& file) {
  std::error_code code;
  const auto status = std::filesystem::status(file, code);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error("'" + file + "' exists and is not a file", {}, "choose another name");
}

void save(Simulation& simulation, const SimulationJob& job, FormatLoader& loader, LogSink& log, bool atRest,
          Value& result) {
  std::vector<std::string> saved;
  const auto attempt = [&](const std::string& file, const auto& write) {
    if (file.empty()) return;
    try {
      write();
      saved.push_back(file);
    } catch (const Error& error) {
      keepFault(result, error.what());
    }
  };
  attempt(job.saveState, [&] {
    mustBeAFile(job.saveState);
    writeFile(job.saveState, stateText(simulation, job.stateFormat));
  });
  attempt(job.saveWorld, [&] {
    mustBeAFile(job.saveWorld);
    Diagnostics diagnostics;
    exportWorld(simulation, job.worldFiles, job.saveWorld, loader, atRest, diagnostics);
    for (const Diagnostic& problem : diagnostics.all())
      if (problem.severity == Severity::error) throw Error(problem.message, problem.where, problem.hint);
      // Problems of the world's files were reported when they were read for the simulation.
      else if (problem.where.file == job.saveWorld)
        log.write(LogLevel::warning, "simulation", Error(problem.message, problem.where, problem.hint).what());
  });
  attempt(job.saveScene, [&] {
    mustBeAFile(job.saveScene);
    World world = simulation.world();
    for (std::size_t r = 0; r < world.robots.size(); ++r)
      world.robots[r].q = simulation.configuration(static_cast<int>(r));
    for (std::size_t i = 0; i < world.objects.size(); ++i)
      world.objects[i].X_WO = simulation.objectState(static_cast<int>(i)).X_WB;
    writeFile(job.saveScene, threeJsScene(world));
  });
  if (!saved.empty()) result.set("saved", saved);
}

/// The overlaps before the first step, as messages and for the result.
StartOverlaps tellOverlaps(const Simulation& simulation, LogSink& log) {
  StartOverlaps overlaps;
  try {
    overlaps = simulation.overlaps();
  } catch (const Error&) {
    return {};  // Shapes that only the engine itself can use.
  }
  if (!overlaps.bodies.empty())
    log.write(LogLevel::warning, "simulation",
              overlapTitle(overlaps.bodies) + ":\n" + overlapTable(overlaps.bodies, simulation.world()) +
                  "\n  hint: move them apart; `mortise world check` lists all that overlap as the world is loaded");
  if (const std::string more = unmeasuredText(overlaps); !more.empty())
    log.write(LogLevel::warning, "simulation", more);
  if (!overlaps.paddings.empty() && simulation.contactSource() == ContactSource::external)
    log.write(LogLevel::debug, "simulation", overlapSummary(overlaps.paddings, simulation.world()));
  return overlaps;
}

}  // namespace

void requireWritable(const std::string& file) {
  mustBeAFile(file);
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code code;
  if (!folder.empty() && !std::filesystem::is_directory(folder, code))
    throw Error("'" + file + "' cannot be written: there is no folder '" + folder.string() + "'", {},
                "create the folder");
}

void requireWorldFormat(FormatLoader& loader, const std::string& file) {
  if (!loader.writableContents(file).contains(FileContent::world))
    throw Error("no installed format writes worlds to '" + file + "'", {}, "choose a name that ends in .xml");
}

int recordingInterval(double rate, double timeStep, LogSink& log) {
  if (!(rate > 0)) return 1;
  const double steps = 1 / (rate * timeStep);
  const int interval = static_cast<int>(std::lround(std::clamp(steps, 1.0, 1e9)));
  const double real = 1 / (interval * timeStep);
  if (std::abs(real - rate) > 0.01 * rate)
    substitute(log, {SubstitutionKind::recordingRate, "",
                     "logs have " + formatReal(real) + " rows a second in place of " + formatReal(rate) +
                         ": a row is written every whole number of steps"});
  return interval;
}

namespace {

using MakeSimulation = std::function<std::unique_ptr<Simulation>(const World&)>;

/// From the job's state. Where only poses and velocities of it count, `world` and its components start there, and it
/// does not matter whether a component refuses to start where the world has its robots.
std::unique_ptr<Simulation> continuedJob(World& world, const SimulationJob& job, LogSink& log,
                                         const MakeSimulation& make) {
  SourcePosition where = job.statePosition;
  if (!where.known()) where.file = job.state;
  const std::string content = readFile(job.state);
  std::unique_ptr<Simulation> simulation;
  std::exception_ptr refused;
  try {
    simulation = make(world);
  } catch (const Error&) {
    refused = std::current_exception();
  }
  std::string reason;
  if (simulation && !fitsInPosesOnly(*simulation, content, reason)) {
    loadState(*simulation, content, where, job.request);
    return simulation;
  }
  simulation.reset();  // Before its world changes.
  takePoses(content, world, where);
  simulation = make(world);
  if (refused && !fitsInPosesOnly(*simulation, content, reason)) std::rethrow_exception(refused);
  if (job.posesExpected)
    log.write(LogLevel::info, "simulation",
              "continued from the positions and velocities of the state; time, controllers and sensors start anew: " +
                  reason);
  else
    substitute(log,
               {SubstitutionKind::state, "", Error(reason + ". Only poses and velocities are taken", where).what()});
  return simulation;
}

std::unique_ptr<Simulation> startedJob(World& world, const SimulationJob& job, LogSink& log,
                                       const MakeSimulation& make) {
  if (job.state.empty()) {
    std::unique_ptr<Simulation> simulation = make(world);
    if (!job.useWorldState || world.simulation.stateData.empty()) return simulation;
    if (job.startGiven)
      substitute(log, {SubstitutionKind::state, "",
                       Error("<state> is left out, because another start is given", inFile(world.file)).what()});
    else
      loadWorldState(*simulation, log, job.request);
    return simulation;
  }
  if (job.startGiven)
    substitute(log, {SubstitutionKind::state, "",
                     Error("configurations that are given have no effect: the state says where robots are",
                           inFile(job.state), "leave out the state or the configurations")
                         .what()});
  return continuedJob(world, job, log, make);
}

}  // namespace

std::unique_ptr<Simulation> startJob(World& world, const SimulationJob& job, LogSink& log,
                                     const std::function<std::unique_ptr<Simulation>(const World&)>& make) {
  std::unique_ptr<Simulation> simulation = startedJob(world, job, log, make);
  simulation->setStateWriter([](const Simulation& now) { return stateText(now, StateFormat::raw); });
  Diagnostics diagnostics;
  checkCommands(*simulation, job.commands, diagnostics);
  diagnostics.throwIfErrors();
  return simulation;
}

Value runJob(Simulation& simulation, const SimulationJob& job, FormatLoader& loader, LogSink& log, Progress& progress,
             const std::string& task, const std::function<bool()>& stopRequested) {
  const std::int64_t startTick = simulation.tick();
  simulation.beginRecord();
  const StartOverlaps overlaps = startTick == 0 ? tellOverlaps(simulation, log) : StartOverlaps{};
  const Energy start = simulation.energy();
  const double startTime = simulation.time();
  RealtimePacer pace(job.realtime, log);
  bool interrupted = false, settling = true;
  double from = startTime;
  CommandSchedule commands(job.commands, startTime);
  const auto keepGoing = [&] {
    if (stopRequested && stopRequested()) {
      interrupted = true;
      return false;
    }
    pace.keep(simulation.time(), stopRequested);
    progress.advanceTo(simulation.time() - from);
    if (!settling && job.observe) job.observe(simulation, simulation.time() - from);
    return settling || commands.run(simulation);
  };

  const auto wallStart = std::chrono::steady_clock::now();
  const CpuTimer cpu;
  bool rests = false;
  if (job.settle > 0) {
    progress.begin(task + ", settling", job.settle);
    const double most = job.end ? std::clamp(*job.end - startTime, 0.0, job.settle) : job.settle;
    rests = simulation.settle(most, 1e-3, keepGoing);
    progress.end();
  }
  const double settledAt = simulation.time();
  double duration = job.duration;
  if (job.end) duration = std::min(duration, std::max(0.0, *job.end - settledAt));
  if (!interrupted && duration > 0) {
    progress.begin(task, duration);
    from = settledAt;
    commands.setStart(from);
    settling = false;
    const std::int64_t before = simulation.tick();
    if (job.advance)
      job.advance(simulation, duration, keepGoing);
    else
      simulation.advance(duration, keepGoing);
    if (job.observe) job.observe(simulation, simulation.time() - from);
    if (!interrupted && commands.fault().empty() && simulation.tick() == before && simulation.fault().empty())
      log.write(LogLevel::warning, "simulation",
                formatReal(duration) + " s are too little beside a step of " + formatReal(simulation.timeStep()) +
                    " s: nothing is simulated");
    progress.end();
  }
  const double cpuSeconds = cpu.seconds();
  const double wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - wallStart).count();

  Value result = summarize(simulation);
  addEndings(result, simulation);
  if (!overlaps.bodies.empty()) result.set("overlaps", overlapList(overlaps.bodies, simulation.world()));
  if (!overlaps.paddings.empty()) result.set("padding_overlaps", overlapList(overlaps.paddings, simulation.world()));
  result.set("contact_source", simulation.contactSource() == ContactSource::external ? "boundary_layer" : "engine");
  result.set("steps", simulation.tick() - startTick);
  if (startTime != 0) result.set("start_time", startTime);
  if (interrupted) result.set("interrupted", true);
  result.set("wall_s", wallSeconds);
  result.set("realtime_factor", cpuSeconds > 0 ? (simulation.time() - startTime) / cpuSeconds : 0.0);
  Value energy = Value::map();
  energy.set("start", energyValue(start));
  energy.set("end", energyValue(simulation.energy()));
  result.set("energy", std::move(energy));
  result.set("contacts", static_cast<int>(simulation.contacts().size()));
  if (job.settle > 0) {
    Value settled = Value::map();
    settled.set("rests", rests);
    settled.set("time", settledAt - startTime);
    result.set("settled", std::move(settled));
  }
  if (!job.commands.empty()) result.set("commands", commands.done());
  if (!commands.fault().empty()) keepFault(result, commands.fault());
  if (const TimedCommand* left = commands.next();
      left != nullptr && commands.fault().empty() && simulation.fault().empty() && !interrupted)
    log.write(LogLevel::warning, "simulation",
              "the run ended before all commands were carried out: the first that is left is '" + left->text() +
                  "' at " + formatReal(left->at) + " s");
  try {
    simulation.closeRecorders();
  } catch (const Error& error) {
    keepFault(result, error.what());
  }
  save(simulation, job, loader, log, rests && simulation.time() == settledAt, result);
  return result;
}

}  // namespace mortise
