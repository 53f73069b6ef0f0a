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
#include "mortise/json/json_writer.h"
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
StartOverlaps reportOverlaps(const Simulation& simulation, LogSink& log) {
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

namespace {

/// One run of a job: settling, then the time that is asked for.
class JobRun {
 public:
  JobRun(Simulation& simulation, const SimulationJob& job, LogSink& log, Progress& progress, const std::string& task,
         const std::function<bool()>& stopRequested)
      : simulation_(simulation),
        job_(job),
        log_(log),
        progress_(progress),
        task_(task),
        stopRequested_(stopRequested),
        startTick_(simulation.tick()),
        overlaps_(startTick_ == 0 ? reportOverlaps(simulation, log) : StartOverlaps{}),
        start_(simulation.energy()),
        startTime_(simulation.time()),
        pace_(job.realtime, log),
        from_(startTime_),
        commands_(job.commands, startTime_) {}

  void run() {
    const auto wallStart = std::chrono::steady_clock::now();
    const CpuTimer cpu;
    if (job_.settle > 0) settle();
    settledAt_ = simulation_.time();
    double duration = job_.duration;
    if (job_.end) duration = std::min(duration, std::max(0.0, *job_.end - settledAt_));
    if (!interrupted_ && duration > 0) advance(duration);
    cpuSeconds_ = cpu.seconds();
    wallSeconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - wallStart).count();
  }

  Value report() const {
    Value result = summarize(simulation_);
    addEndings(result, simulation_);
    if (!overlaps_.bodies.empty()) result.set("overlaps", overlapList(overlaps_.bodies, simulation_.initialWorld()));
    if (!overlaps_.paddings.empty())
      result.set("padding_overlaps", overlapList(overlaps_.paddings, simulation_.initialWorld()));
    result.set("contact_source", simulation_.contactSource() == ContactSource::external ? "boundary_layer" : "engine");
    result.set("steps", simulation_.tick() - startTick_);
    if (startTime_ != 0) result.set("start_time", startTime_);
    if (interrupted_) result.set("interrupted", true);
    result.set("wall_s", wallSeconds_);
    result.set("realtime_factor", cpuSeconds_ > 0 ? (simulation_.time() - startTime_) / cpuSeconds_ : 0.0);
    Value energy = Value::map();
    energy.set("start", energyValue(start_));
    energy.set("end", energyValue(simulation_.energy()));
    result.set("energy", std::move(energy));
    result.set("contacts", static_cast<int>(simulation_.contacts().size()));
    if (job_.settle > 0) {
      Value settled = Value::map();
      settled.set("rests", rests_);
      settled.set("time", settledAt_ - startTime_);
      result.set("settled", std::move(settled));
    }
    if (Value done = commands_.done(simulation_); !job_.commands.empty() || done.size() > 0)
      result.set("commands", std::move(done));
    if (!commands_.fault().empty()) keepFault(result, commands_.fault());
    return result;
  }

  void warnOfCommands() {
    if (const TimedCommand* left = commands_.next();
        left != nullptr && commands_.fault().empty() && simulation_.fault().empty() && !interrupted_)
      log_.write(LogLevel::warning, "simulation",
                 "the run ended before all commands were carried out: the first that is left is '" + left->text() +
                     "' at " + formatReal(left->at) + " s");
    for (const std::string& idle : commands_.bodies().idle(simulation_.initialWorld()))
      log_.write(LogLevel::warning, "simulation", "'" + idle + "' never acted: its condition did not hold in any step");
    commands_.warnOfReplaced(simulation_.initialWorld(), log_);
  }

  /// Hands the log what people commanded while it ran, from which the run can be repeated.
  void keepAdded() {
    if (const Value added = commands_.added(simulation_); added.size() > 0)
      simulation_.addToEnding("commands", toJson(added, -1));
  }

  /// Says whether everything came to rest, and nothing was simulated after that.
  bool rests() const { return rests_ && simulation_.time() == settledAt_; }

 private:
  bool keepGoing() {
    if (stopRequested_ && stopRequested_()) {
      interrupted_ = true;
      return false;
    }
    pace_.keep(simulation_.time(), stopRequested_);
    progress_.advanceTo(simulation_.time() - from_);
    if (!settling_ && job_.observe) job_.observe(simulation_, simulation_.time() - from_);
    return settling_ || commands_.run(simulation_);
  }

  void settle() {
    progress_.begin(task_ + ", settling", job_.settle);
    const double maximum = job_.end ? std::clamp(*job_.end - startTime_, 0.0, job_.settle) : job_.settle;
    rests_ = simulation_.settle(maximum, 1e-3, [this] { return keepGoing(); });
    progress_.end();
  }

  void advance(double duration) {
    progress_.begin(task_, duration);
    from_ = settledAt_;
    commands_.setStart(from_);
    commands_.setEnd(from_ + duration);
    settling_ = false;
    const std::int64_t before = simulation_.tick();
    const auto going = [this] { return keepGoing(); };
    if (job_.advance)
      job_.advance(simulation_, commands_, duration, going);
    else
      simulation_.advance(duration, going);
    if (job_.observe) job_.observe(simulation_, simulation_.time() - from_);
    if (!interrupted_ && commands_.fault().empty() && simulation_.tick() == before && simulation_.fault().empty())
      log_.write(LogLevel::warning, "simulation",
                 formatReal(duration) + " s are too little beside a step of " + formatReal(simulation_.timeStep()) +
                     " s: nothing is simulated");
    progress_.end();
  }

  Simulation& simulation_;
  const SimulationJob& job_;
  LogSink& log_;
  Progress& progress_;
  const std::string& task_;
  const std::function<bool()>& stopRequested_;
  const std::int64_t startTick_;
  const StartOverlaps overlaps_;
  const Energy start_;
  const double startTime_;
  RealtimePacer pace_;
  bool interrupted_ = false, settling_ = true, rests_ = false;
  double from_, settledAt_ = 0, cpuSeconds_ = 0, wallSeconds_ = 0;
  CommandSchedule commands_;
};

}  // namespace

Value runJob(Simulation& simulation, const SimulationJob& job, FormatLoader& loader, LogSink& log, Progress& progress,
             const std::string& task, const std::function<bool()>& stopRequested) {
  simulation.beginRecord();
  JobRun run(simulation, job, log, progress, task, stopRequested);
  run.run();
  Value result = run.report();
  run.warnOfCommands();
  run.keepAdded();
  try {
    simulation.closeRecorders();
  } catch (const Error& error) {
    keepFault(result, error.what());
  }
  save(simulation, job, loader, log, run.rests(), result);
  return result;
}

}  // namespace mortise
