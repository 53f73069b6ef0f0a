#include "mortise/pipeline/stages/compare_stage.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "mortise/pipeline/compare/reading.h"
#include "mortise/pipeline/text_table.h"
#include "mortise/text/suggest.h"

namespace mortise {

void CompareSettings::bind(SettingBinder& b) {
  b.add("backends", backends, "Physics backends; the others are compared with the first.", {.required = true});
  SimulationPlan::bind(b);
  b.add("metrics", metrics,
        "What is shown: energy at start and end, trajectory (final poses, the distances over time and what "
        "they mean), time.",
        {.choices = {"energy", "trajectory", "time"}});
  b.add("halve_step", halveStep,
        "Run each backend again with half the step: how far it moves says how much the step decides.");
  b.add("disturbance", disturbance,
        "Run each backend again from a start at which every object is moved by so many m and turned by so many "
        "rad, and every joint moved by so many rad or m; 0: do not.",
        {.min = 0, .max = 1});
  b.add("bound", bound, "Distances up to this are called equal; of joints in rad or m.", {.min = 0, .unit = "m"});
  b.map("settings", settings, "Parameters of each backend: {ode: {...}, bullet: {...}}.");
  b.add("save", save, "Name of the result; by default the stage's.");
}

CompareStage::CompareStage(const ComponentContext& context)
    : settings_(settingsFrom<CompareSettings>(context.settings)),
      resultName_(settings_.save.value_or(std::string(context.host.name()))) {
  for (const PlacedText& backend : settings_.backends.list) {
    const Value* settings = settings_.settings.find(backend.text);
    choices_.push_back({backend.text, backend.where, settings != nullptr ? *settings : Value()});
  }
}

void CompareStage::declare(PluginBuilder& plugin) {
  plugin.stage<CompareStage>("mortise.Compare")
      .alias("compare")
      .summary("Simulates the world on several backends from the same start and compares the results.")
      .settings<CompareSettings>();
}

void CompareStage::check(StageContext& context, Diagnostics& diagnostics) {
  settings_.check(context, diagnostics);
  std::vector<std::string> names;
  for (const BackendChoice& choice : choices_) {
    if (std::find(names.begin(), names.end(), choice.name) != names.end())
      diagnostics.error("backend '" + choice.name + "' is named twice", choice.position, "remove one of the two");
    names.push_back(choice.name);
    completeBackendSettings(context.registry(), context.world(), context.pipeline().at("simulation"), choice,
                            diagnostics);
  }
  if (settings_.backends.given && choices_.empty())
    diagnostics.error("'backends' of stage 'compare' is empty", settings_.backends.where,
                      "write backends: [ode, bullet]");
  for (const Value::Entry& entry : settings_.settings.entries()) {
    if (std::find(names.begin(), names.end(), entry.key) == names.end()) {
      diagnostics.error("'settings' of stage 'compare': '" + entry.key + "' is not one of its backends",
                        entry.keyPosition, suggestFrom(entry.key, names));
    } else if (!entry.value.isMap() && !entry.value.isNull()) {
      diagnostics.error("'settings." + entry.key + "' of stage 'compare': expected a map", entry.value.position());
    }
  }
}

namespace {

/// Where the motion of a run goes: the record is made when the run's step is known.
RunVariation observed(const RunVariation& variation, std::unique_ptr<MotionRecord>& motion, double duration,
                      double interval) {
  RunVariation watched = variation;
  watched.observe = [&motion, duration, interval](const Simulation& simulation, double time) {
    if (!motion)
      motion = std::make_unique<MotionRecord>(
          interval > 0 ? interval : MotionRecord::intervalFor(duration, simulation.timeStep()));
    motion->observe(simulation, time);
    if (time >= duration - 1e-6 * simulation.timeStep()) motion->finish(simulation, time);
  };
  return watched;
}

/// The largest distance over time of each backend, of one object or robot.
std::vector<double> largestOf(const std::vector<MotionDifference>& differences, bool robot, std::size_t index) {
  std::vector<double> largest;
  for (const MotionDifference& each : differences) largest.push_back((robot ? each.robots : each.objects)[index].max);
  return largest;
}

/// Of the joint that is farthest apart on any backend.
std::string unitOfWorstJoint(const Robot& robot, const std::vector<MotionDifference>& differences, std::size_t index) {
  const EntityDifference* worst = nullptr;
  for (const MotionDifference& each : differences)
    if (worst == nullptr || each.robots[index].max > worst->max) worst = &each.robots[index];
  const bool turns =
      worst == nullptr || worst->maxLink < 0 || robot.link(worst->maxLink).motion == LinkMotion::revolute;
  return turns ? "rad" : "m";
}

}  // namespace

MotionDifference CompareStage::runVariation(StageContext& context, const BackendChoice& choice,
                                            const RunVariation& variation, const std::string& what,
                                            const MotionRecord& motion, Value& list) {
  std::unique_ptr<MotionRecord> varied;
  const Value run =
      runSimulation(context, settings_, choice, choice.name, {}, resultName_ + " on " + choice.name + ", " + what,
                    observed(variation, varied, settings_.duration, motion.interval()));
  const MotionDifference difference =
      differenceOf(context.world(), motion, varied ? *varied : MotionRecord(motion.interval()), settings_.bound);
  Value value = differenceValue(context.world(), difference, choice.name, choice.name + ", " + what);
  if (run.contains("fault")) value.set("fault", run.at("fault"));
  list.push_back(std::move(value));
  return difference;
}

Value CompareStage::runBackend(StageContext& context, const BackendChoice& choice, Findings& findings, Value& result) {
  std::unique_ptr<MotionRecord> motion;
  Value run = runSimulation(context, settings_, choice, choice.name, resultName_ + "_" + choice.name + "_",
                            resultName_ + " on " + choice.name, observed({}, motion, settings_.duration, 0));
  if (run.contains("interrupted") || context.stopRequested()) return run;
  findings.backends.push_back(choice.name);
  findings.motions.push_back(motion ? std::move(*motion) : MotionRecord(1));
  const MotionRecord& own = findings.motions.back();
  RunVariation variation;
  variation.silent = true;
  if (settings_.halveStep) {
    variation.stepFactor = 0.5;
    findings.halved.push_back(
        runVariation(context, choice, variation, "half the step", own, *result.find("step_halved")));
    variation.stepFactor = 1;
  }
  if (settings_.disturbance > 0 && !context.stopRequested()) {
    variation.disturbance = settings_.disturbance;
    findings.disturbed.push_back(runVariation(context, choice, variation, "disturbed", own, *result.find("disturbed")));
  }
  return run;
}

Value CompareStage::readings(const World& world, const Findings& findings) const {
  Value list = Value::list();
  const auto add = [&](bool robot, std::size_t index, int id, const std::string& name) {
    ComparisonEvidence evidence;
    evidence.backends = findings.backends;
    evidence.bound = settings_.bound;
    evidence.disturbance = settings_.disturbance;
    evidence.apart = largestOf(findings.apart, robot, index);
    evidence.step = largestOf(findings.halved, robot, index);
    evidence.disturbed = largestOf(findings.disturbed, robot, index);
    if (robot) evidence.unit = unitOfWorstJoint(*world.robots[index].robot, findings.apart, index);
    const ComparisonReading reading = readComparison(evidence);
    Value entry = Value::map();
    entry.set("id", id);
    entry.set("name", name);
    entry.set("verdict", reading.verdict);
    entry.set("sentence", reading.sentence);
    list.push_back(std::move(entry));
  };
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    add(false, i, world.objectId(static_cast<int>(i)), world.objects[i].name);
  for (std::size_t i = 0; i < world.robots.size(); ++i)
    add(true, i, world.robotId(static_cast<int>(i)), world.robots[i].name);
  return list;
}

void CompareStage::run(StageContext& context) {
  Value result = Value::map();
  result.set("stage", "compare");
  result.set("duration", settings_.duration);
  result.set("metrics", settings_.metrics);
  result.set("bound", settings_.bound);
  result.set("disturbance", settings_.disturbance);
  for (const char* list : {"backends", "differences", "step_halved", "disturbed"}) result.set(list, Value::list());
  Findings findings;
  std::string fault;
  for (const BackendChoice& choice : choices_) {
    Value run = runBackend(context, choice, findings, result);
    if (fault.empty() && run.at("status").asString() == "error")
      fault = "on " + choice.name + ": " + run.string("fault", "");
    result.find("backends")->push_back(std::move(run));
    if (context.stopRequested()) {
      result.set("interrupted", true);
      break;
    }
    findings.apart.push_back(
        differenceOf(context.world(), findings.motions.front(), findings.motions.back(), settings_.bound));
    if (findings.apart.size() > 1)
      result.find("differences")
          ->push_back(differenceValue(context.world(), findings.apart.back(), findings.backends.front(), choice.name));
    // Kept after every backend, so that results survive later failures.
    context.saveResult(resultName_, result);
  }
  if (!result.contains("interrupted")) result.set("readings", readings(context.world(), findings));
  context.saveResult(resultName_, std::move(result));
  if (!fault.empty()) throw Error("a simulation stopped " + fault, {}, "the results up to there are kept");
}

std::string comparisonCsv(const Value& result) {
  std::string text = "kind,id,name,comparison,from,to,unit,end,max,rms,beyond_s\n";
  for (const auto& [list, comparison] :
       {std::pair{"differences", "backends"}, std::pair{"step_halved", "half the step"},
        std::pair{"disturbed", "disturbed start"}})
    for (const Value& difference : result.at(list).items())
      for (const bool robot : {false, true})
        for (const Value& each : difference.at(robot ? "robots" : "objects").items()) {
          text += std::string(robot ? "robot" : "object") + "," + each.at("id").text() + "," +
                  csvCell(each.string("name", "")) + "," + comparison + "," + csvCell(difference.string("from", "")) +
                  "," + csvCell(difference.string("to", "")) + "," + (robot ? "rad or m" : "m") + "," +
                  each.at(robot ? "joint" : "position").text() + "," + each.at("max").text() + "," +
                  each.at("rms").text() + "," + (each.contains("beyond") ? each.at("beyond").text() : "") + "\n";
        }
  return text;
}

}  // namespace mortise
