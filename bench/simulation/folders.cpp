/// Every world of some folders on every backend by the command itself: reports of energy from nowhere, when things
/// rest, how deep they stand in each other, the first step's and a simulated second's processor time; beside another
/// build of the command, run by turns with this one.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "simulation/bench.h"
#include "simulation/program_run.h"

namespace mortise::bench {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFirstStep = "0.001";  ///< Simulated seconds, of which loading takes most of the time.
constexpr const char* kRowsASecond = "100";

/// The results of one build for a world.
struct Outcome {
  std::string fault, hash, statuses, unstable;
  bool rests = false;
  double settled = 0;                 ///< s
  double deepest = 0, deepAtEnd = 0;  ///< m, of contacts that carry: ever, and in the last row.
  std::vector<double> first, full;    ///< Processor seconds of whole commands.
  double perSecond(double seconds) const { return std::max(0.0, median(full) - median(first)) / seconds; }
};

struct Build {
  std::string program;
  std::vector<std::string> options;  ///< For this build alone.
};

std::vector<std::string> worldFiles(const Options& options) {
  std::vector<std::string> files;
  for (const std::string& folder : options.folders) {
    if (!fs::is_directory(folder)) throw Error("'" + folder + "' is no folder", {}, "name folders of .xml files");
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().stem().string();
      const auto& asked = options.worlds;
      if (entry.path().extension() == ".xml" &&
          (asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end()))
        files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) throw Error("there are no worlds to run", {}, "name folders of .xml files, and worlds in them");
  return files;
}

std::vector<std::string> commandFor(const std::string& file, const std::string& backend, const Build& build) {
  std::vector<std::string> command = {"sim", file, "--backend", backend, "--json"};
  command.insert(command.end(), build.options.begin(), build.options.end());
  return command;
}

ProgramRun runFor(const Build& build, std::vector<std::string> command, const char* option, const std::string& time,
                  double limit) {
  command.insert(command.end(), {option, time});
  return runProgram(build.program, command, limit);
}

void noteState(const Value& printed, Outcome& outcome) {
  outcome.hash = printed.string("state_hash", "");
  outcome.statuses.clear();
  const Value& counts = printed.at("status_counts");
  for (const auto& entry : counts.entries())
    if (entry.key != "normal" && entry.value.asReal() > 0)
      outcome.statuses += " " + entry.key + " " + formatReal(entry.value.asReal());
  if (!printed.contains("unstable")) return;
  outcome.unstable.clear();
  for (const Value& body : printed.at("unstable").items()) {
    const Value& largest = body.at("largest");
    outcome.unstable += "\n    " + body.string("body", "") + ": " + formatReal(body.real("steps", 0)) +
                        " steps from t = " + formatReal(body.real("first_time", 0), 4) + " s, at most " +
                        formatReal(largest.real("energy", 0), 3) + " J at " + formatReal(largest.real("time", 0), 4) +
                        " s";
    if (largest.contains("cause")) outcome.unstable += ", " + largest.at("cause").asString();
  }
}

void noteDepths(const std::string& log, Outcome& outcome) {
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    const Value row = parseYaml(line, log);
    double depth = 0;
    for (const Value& contact : row.at("contacts").items()) {
      double force = 0;
      for (const Value& part : contact.at("force").items()) force += std::abs(part.asReal());
      if (force > 0) depth = std::max(depth, contact.real("depth", 0));
    }
    outcome.deepAtEnd = depth;
    outcome.deepest = std::max(outcome.deepest, depth);
  }
}

/// Until it rests, at most for twice the time.
void settle(const Options& options, const Build& build, std::vector<std::string> command, Outcome& outcome) {
  const std::string log =
      (fs::temp_directory_path() / ("bench_simulation_" + std::to_string(getpid()) + ".jsonl")).string();
  command.insert(command.end(), {"--contact-log", log, "--log-rate", kRowsASecond});
  const ProgramRun run = runFor(build, std::move(command), "--settle", formatReal(2 * options.seconds), options.limit);
  if (run.fault.empty() && run.printed.contains("settled")) {
    outcome.rests = run.printed.at("settled").boolean("rests", false);
    outcome.settled = run.printed.at("settled").real("time", 0);
    noteDepths(log, outcome);
  } else {
    outcome.fault = run.fault.empty() ? "does not say when it rests" : run.fault;
  }
  fs::remove(log);
}

std::vector<Outcome> runCase(const Options& options, const std::string& file, const std::string& backend,
                             const std::vector<Build>& builds) {
  std::vector<Outcome> outcomes(builds.size());
  for (int i = 0; i < options.runs; ++i)
    for (std::size_t b = 0; b < builds.size(); ++b) {
      const std::vector<std::string> command = commandFor(file, backend, builds[b]);
      Outcome& outcome = outcomes[b];
      if (!outcome.fault.empty()) continue;
      outcome.first.push_back(runFor(builds[b], command, "--duration", kFirstStep, options.limit).cpu);
      const ProgramRun full = runFor(builds[b], command, "--duration", formatReal(options.seconds), options.limit);
      outcome.full.push_back(full.cpu);
      if (!full.fault.empty() || !full.printed.contains("status_counts"))
        outcome.fault = full.fault.empty() ? "no state was printed" : full.fault;
      else
        noteState(full.printed, outcome);
    }
  for (std::size_t b = 0; b < builds.size(); ++b)
    if (outcomes[b].fault.empty()) settle(options, builds[b], commandFor(file, backend, builds[b]), outcomes[b]);
  return outcomes;
}

Value valueOf(const Outcome& outcome, double seconds) {
  Value value = Value::map();
  if (!outcome.fault.empty()) value.set("fault", outcome.fault);
  value.set("state_hash", outcome.hash);
  value.set("statuses", outcome.statuses);
  if (!outcome.unstable.empty()) value.set("unstable", outcome.unstable);
  value.set("first_step_seconds", median(outcome.first));
  value.set("seconds_a_second", outcome.perSecond(seconds));
  value.set("rests", outcome.rests);
  value.set("settled", outcome.settled);
  value.set("deepest", outcome.deepest);
  value.set("deep_at_end", outcome.deepAtEnd);
  return value;
}

std::string restText(const Outcome& outcome) { return outcome.rests ? formatReal(outcome.settled, 4) : "moves"; }

/// More than a tenth and more than `least` beyond the other build's.
bool worse(double ours, double theirs, double minimum) { return ours > 1.1 * theirs + minimum; }

/// Names the figures in which this build is worse than the other.
std::string worseThan(const Outcome& ours, const Outcome& theirs, double seconds) {
  if (!ours.fault.empty()) return theirs.fault.empty() ? "failed: " + ours.fault : "both fail: " + ours.fault;
  if (!theirs.fault.empty()) return "";
  std::string text;
  const auto add = [&](const char* what) { text += std::string(text.empty() ? "" : ", ") + what; };
  if (worse(median(ours.first), median(theirs.first), 0.01)) add("first step");
  if (worse(ours.perSecond(seconds), theirs.perSecond(seconds), 0.005)) add("speed");
  if (theirs.rests && (!ours.rests || worse(ours.settled, theirs.settled, 0.05))) add("rest");
  if (worse(ours.deepest, theirs.deepest, 1e-4)) add("deepest");
  if (worse(ours.deepAtEnd, theirs.deepAtEnd, 1e-4)) add("deep at the end");
  return text;
}

void printRow(const std::string& world, const std::string& backend, const std::vector<Outcome>& outcomes,
              double seconds) {
  const Outcome& ours = outcomes[0];
  std::printf("%-20s %-8s", world.c_str(), backend.c_str());
  const auto pair = [&](const char* format, auto of) {
    for (const Outcome& outcome : outcomes) std::printf(format, of(outcome));
  };
  pair(" %7.3f", [](const Outcome& o) { return median(o.first); });
  pair(" %8.4f", [&](const Outcome& o) { return o.perSecond(seconds); });
  for (const Outcome& outcome : outcomes) std::printf(" %7s", restText(outcome).c_str());
  pair(" %8.3f", [](const Outcome& o) { return 1e3 * o.deepest; });
  pair(" %8.3f", [](const Outcome& o) { return 1e3 * o.deepAtEnd; });
  std::printf("  %-16s", ours.hash.c_str());
  if (outcomes.size() > 1) {
    std::printf(" %-5s", ours.hash == outcomes[1].hash ? "same" : "other");
    const std::string text = worseThan(ours, outcomes[1], seconds);
    if (!text.empty()) std::printf(" worse: %s;", text.c_str());
  } else if (!ours.fault.empty()) {
    std::printf(" %s", ours.fault.c_str());
  }
  std::printf("%s%s\n", ours.statuses.c_str(), ours.unstable.c_str());
  std::fflush(stdout);
}

}  // namespace

int runFolders(const Options& options) {
  std::vector<Build> builds = {{ownProgram(), {}}};
  if (!options.onUnstable.empty()) builds[0].options = {"--on-unstable", options.onUnstable};
  if (!options.beside.empty()) builds.push_back({options.beside, {}});
  for (const Build& build : builds)
    if (access(build.program.c_str(), X_OK) != 0)
      throw Error("there is no program '" + build.program + "'", {}, "build the target 'program'");
  const std::vector<std::string> files = worldFiles(options);
  std::printf(
      "%g s of each world; processor seconds of the first step with loading, and of a simulated second; "
      "depths in mm\n",
      options.seconds);
  const auto heading = [&](const char* format, const char* text) {
    for (std::size_t b = 0; b < builds.size(); ++b) std::printf(format, b == 0 ? text : "");
  };
  if (builds.size() > 1) std::printf("of each two columns the second is %s\n", options.beside.c_str());
  std::printf("\n%-20s %-8s", "world", "backend");
  heading(" %7s", "first");
  heading(" %8s", "s/s");
  heading(" %7s", "rest");
  heading(" %8s", "deepest");
  heading(" %8s", "at end");
  std::printf("  %-16s\n", "state hash");
  Value all = Value::list();
  int unlike = 0, worseRuns = 0, reports = 0;
  std::vector<double> speeds, firsts;
  for (const std::string& file : files)
    for (const std::string& backend : options.backends) {
      const std::vector<Outcome> outcomes = runCase(options, file, backend, builds);
      printRow(fs::path(file).stem().string(), backend, outcomes, options.seconds);
      Value row = Value::map();
      row.set("world", file);
      row.set("backend", backend);
      row.set("ours", valueOf(outcomes[0], options.seconds));
      reports += !outcomes[0].unstable.empty();
      if (builds.size() > 1) {
        row.set("beside", valueOf(outcomes[1], options.seconds));
        unlike += outcomes[0].hash != outcomes[1].hash;
        worseRuns += !worseThan(outcomes[0], outcomes[1], options.seconds).empty();
        firsts.push_back(median(outcomes[0].first) / median(outcomes[1].first));
        const double theirs = outcomes[1].perSecond(options.seconds);
        if (theirs > 0) speeds.push_back(outcomes[0].perSecond(options.seconds) / theirs);
      }
      all.push_back(std::move(row));
    }
  std::printf("\n%zu runs, %d of them with energy from nowhere\n", all.size(), reports);
  if (builds.size() > 1)
    std::printf(
        "%d end elsewhere, %d are worse in something; medians of the ratios: first step %.3f, a simulated "
        "second %.3f\n",
        unlike, worseRuns, median(firsts), median(speeds));
  writeJson(options, all);
  return 0;
}

}  // namespace mortise::bench
