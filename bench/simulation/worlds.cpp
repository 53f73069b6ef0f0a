/// Every world of the reference on every backend, beside what Klamp't computes.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/simulation/summary.h"
#include "simulation/bench.h"

namespace mortise::bench {
namespace {

/// Ten times Klamp't's real-time factor, as reference/anchors.md has it: what one backend must reach, half of which the
/// other must; hubo_plane must be faster than real time in any case.
const std::map<std::string, double> kTargets = {
    {"cuppile", 1.5},  {"stacktest", 3.6},         {"hubo_plane", 1.3},      {"tx90cuppile", 1.5},
    {"tx90cups", 6.5}, {"athlete_fractal_1", 2.6}, {"tx90cupscupboard", 6.4}};

/// The oracle's state at this time, or null.
const Value* referenceAt(const Value& oracle, double seconds) {
  for (const Value& checkpoint : oracle.at("checkpoints").items())
    if (std::abs(checkpoint.real("t", -1) - seconds) < 1e-3) return &checkpoint;
  return std::abs(seconds - oracle.at("steps").asReal() * oracle.at("sim_step").asReal()) < 1e-3 ? &oracle.at("final")
                                                                                                 : nullptr;
}

bool allFinite(const Simulation& simulation) {
  for (std::size_t i = 0; i < simulation.world().objects.size(); ++i) {
    const BodyState& state = simulation.objectState(static_cast<int>(i));
    if (!state.X_WB.allFinite() || !state.v_WB.allFinite() || !state.w_WB.allFinite()) return false;
  }
  for (std::size_t r = 0; r < simulation.world().robots.size(); ++r)
    if (!simulation.configuration(static_cast<int>(r)).allFinite() ||
        !simulation.velocity(static_cast<int>(r)).allFinite())
      return false;
  return true;
}

void compareWithReference(const Simulation& simulation, const Case& c, double seconds, Value& result) {
  const Value* reference = referenceAt(c.oracle, seconds);
  if (reference == nullptr) return;
  const World& world = simulation.world();
  const Value& objects = reference->at("objects");
  const auto& checkpoints = c.oracle.at("checkpoints").items();
  double worst = 0, movedThere = 0;
  std::string who, escaped;  // At rest there, elsewhere here.
  for (std::size_t i = 0; i < std::min(objects.size(), world.objects.size()); ++i) {
    const Vector3d theirs = poseOf(objects[i]).p, ours = simulation.objectState(static_cast<int>(i)).X_WB.p;
    const double off = ours.z() - theirs.z();
    const Vector3d before = poseOf(checkpoints[checkpoints.size() - 2].at("objects")[i]).p;
    const double moved = (before - poseOf(c.oracle.at("final").at("objects")[i]).p).norm();
    if (std::abs(off) > std::abs(worst) || who.empty()) {
      worst = off;
      who = world.objects[i].name;
      movedThere = moved;
    }
    if (moved < 1e-3 && !((ours - theirs).norm() < 0.5))
      escaped += (escaped.empty() ? "" : ", ") + world.objects[i].name;
  }
  if (!who.empty()) {
    result.set("height_difference", worst);
    result.set("height_of", who);
    result.set("moved_there", movedThere);
  }
  if (objects.size() != world.objects.size())
    result.set("note", "the oracle has " + std::to_string(objects.size()) + " objects, not " +
                           std::to_string(world.objects.size()));
  if (!escaped.empty()) result.set("escaped", escaped);
  double base = 0;
  bool floats = false;
  const Value& robots = reference->at("robots_q");
  for (std::size_t r = 0; r < std::min(robots.size(), world.robots.size()); ++r) {
    if (world.robots[r].robot->floatingBaseLink() < 0) continue;
    const double off = simulation.configuration(static_cast<int>(r))[2] - robots[r][2].asReal();
    if (std::abs(off) > std::abs(base) || !floats) base = off;
    floats = true;
  }
  if (floats) result.set("base_difference", base);
}

Value runCase(const Options& options, const Case& c, const std::string& backend) {
  Loaded loaded(options, c.file);
  CpuTimer building;
  const std::unique_ptr<Simulation> simulation = loaded.simulate(backend);
  Value result = Value::map();
  result.set("build_seconds", building.seconds());
  const auto steps = static_cast<std::int64_t>(std::llround(options.seconds / simulation->timeStep()));
  CpuTimer timer;
  bool finite = true;
  double deepest = 0, untimed = 0;
  for (std::int64_t i = 0; i < steps; ++i) {
    if (simulation->step() == StepStatus::error) break;
    if (i % 50 != 0) continue;
    CpuTimer examining;
    finite = finite && allFinite(*simulation);
    if (2 * i >= steps)
      for (const ContactForce& contact : simulation->contacts())
        if (contact.force.squaredNorm() > 0) deepest = std::max(deepest, contact.depth);
    untimed += examining.seconds();
    if (timer.seconds() > options.limit) {
      result.set("note", "stopped after " + formatReal(options.limit) + " CPU seconds");
      break;
    }
  }
  const double seconds = timer.seconds() - untimed;
  finite = finite && allFinite(*simulation);
  result.set("seconds", simulation->time());
  result.set("cpu_seconds", seconds);
  result.set("realtime_factor", simulation->time() / seconds);
  result.set("finite", finite);
  result.set("worst", stepStatusName(simulation->worstStatus()));
  Value counts = Value::map();
  for (int i = 0; i < kNumStepStatuses; ++i)
    counts.set(stepStatusName(static_cast<StepStatus>(i)), simulation->statusCounts()[i]);
  result.set("status_counts", counts);
  if (!simulation->fault().empty()) result.set("fault", simulation->fault());
  result.set("max_contacts", simulation->maxContacts());
  result.set("deepest", deepest);
  double fastest = 0;
  for (std::size_t i = 0; i < loaded.world.objects.size(); ++i)
    fastest = std::max(fastest, simulation->objectState(static_cast<int>(i)).v_WB.norm());
  result.set("fastest_object", fastest);
  result.set("state_hash", formatHash(simulation->stateHash()));
  if (finite) compareWithReference(*simulation, c, simulation->time(), result);
  return result;
}

/// Returns which demand a run does not meet, in few words; empty when all is well.
std::string complaint(const Value& run) {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (run.contains("fault")) add(run.at("fault").text());
  if (run.contains("note")) add(run.at("note").asString());
  if (!run.contains("status_counts")) return text;
  if (!run.boolean("finite", true)) add("not finite");
  if (run.contains("escaped")) add("escaped: " + run.at("escaped").asString());
  const Value& counts = run.at("status_counts");
  double all = 0;
  for (const auto& entry : counts.entries()) all += entry.value.asReal();
  if (counts.real("normal", 0) + counts.real("adaptive", 0) < 0.99 * all)
    add("fewer than 99 % of the steps are normal or adaptive");
  if (std::abs(run.real("height_difference", 0)) > 0.05) {
    const double moved = run.real("moved_there", 0);
    add(moved < 0.05 ? "off by more than 5 cm"
                     : "off by more than 5 cm, where the reference's moved by " +
                           formatReal(std::round(100 * moved) / 100) + " m in its last second");
  }
  return text;
}

void printRow(const Case& c, const std::string& backend, const Value& run) {
  const double theirs = c.oracle.real("realtime_factor", 0);
  std::printf("%-20s %-7s", c.name.c_str(), backend.c_str());
  if (run.contains("status_counts")) {
    const Value& counts = run.at("status_counts");
    double all = 0;
    for (const auto& entry : counts.entries()) all += entry.value.asReal();
    const auto percent = [&](const char* key) { return 100 * counts.real(key, 0) / all; };
    std::printf(" %-10.10s %6.2f %6.2f %5.0f %5.0f", run.at("worst").asString().c_str(), percent("normal"),
                percent("adaptive"), counts.real("contact_unreliable", 0), counts.real("unstable", 0));
    if (run.contains("height_difference"))
      std::printf(" %9.1f %-12.12s", 1e3 * run.real("height_difference", 0), run.at("height_of").text().c_str());
    else
      std::printf(" %9s %-12s", "", "");
    if (run.contains("base_difference"))
      std::printf(" %8.1f", 1e3 * run.real("base_difference", 0));
    else
      std::printf(" %8s", "");
    std::printf(" %7.2f %6.1f %5d %4d", 1e3 * run.real("deepest", 0), 1e3 * run.real("fastest_object", 0),
                static_cast<int>(run.integer("max_contacts", 0)),
                static_cast<int>(c.oracle.integer("max_contacts", 0)));
    const double ours = run.real("realtime_factor", 0);
    std::printf(" %8.2f %7.2f %7.1f", ours, theirs, ours / theirs);
    const auto target = kTargets.find(c.name);
    if (target != kTargets.end())
      std::printf(" %6.2f%s", target->second, ours >= target->second ? "+" : ours >= 0.5 * target->second ? "~" : "-");
    else
      std::printf(" %7s", "");
  }
  const std::string text = complaint(run);
  std::printf(" %s\n", text.empty() ? "ok" : text.c_str());
  std::fflush(stdout);
}

}  // namespace

int runWorlds(const Options& options) {
  const std::vector<Case> cases = findCases(options);
  std::printf("%g s of each world; times are thread CPU seconds; heights in mm against Klamp't's state then\n",
              options.seconds);
  std::printf("target: ten times Klamp't (reference/anchors.md): + reached, ~ half of it, - less\n\n");
  std::printf("%-20s %-7s %-10s %6s %6s %5s %5s %9s %-12s %8s %7s %6s %5s %4s %8s %7s %7s %7s %s\n", "world", "backend",
              "worst", "norm%", "adapt%", "unrel", "unst", "dz", "object", "base dz", "deepest", "mm/s", "cont", "Kl.",
              "factor", "Klamp't", "ratio", "target", "remarks");
  Value all = Value::list();
  int bad = 0;
  for (const Case& c : cases) {
    for (const std::string& backend : options.backends) {
      Value run = runIsolated(options.limit, [&] { return runCase(options, c, backend); });
      printRow(c, backend, run);
      bad += !complaint(run).empty();
      run.set("world", c.name);
      run.set("backend", backend);
      run.set("klampt_realtime_factor", c.oracle.real("realtime_factor", 0));
      all.push_back(std::move(run));
    }
  }
  std::printf("\n%d of %zu runs have a remark\n", bad, cases.size() * options.backends.size());
  writeJson(options, all);
  return 0;
}

}  // namespace mortise::bench
