#include "mortise/pipeline/stages/compare_stage.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "mortise/base/interruption.h"
#include "mortise/pipeline/compare/verdict_over_time.h"
#include "mortise/simulation/backend_text.h"
#include "mortise/text/suggest.h"
#include "mortise/text/text_table.h"

namespace mortise {

void CompareSettings::bind(SettingBinder& b) {
  b.add("backends", backends,
        "Physics backends; the others are compared with the first. \"ode:solver=exact\" is one with settings; one that "
        "is named again is called ode_2, ode_3, ...",
        {.required = true});
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
  b.add("bound", bound,
        "Distances up to this are called equal, also those by which turning moves the farthest point of a body; of "
        "joints in rad or m.",
        {.min = 0, .unit = "m"});
  b.map("settings", settings, "Parameters of each backend: {ode: {...}, ode_2: {...}, bullet: {...}}.");
  b.add("save", save, "Name of the result; by default the stage's.");
}

CompareStage::CompareStage(const ComponentContext& context)
    : settings_(settingsFrom<CompareSettings>(context.settings)),
      resultName_(settings_.save.value_or(std::string(context.host.name()))) {
  for (const PlacedText& backend : settings_.backends.list) addBackend(backend);
}

void CompareStage::addBackend(const PlacedText& backend) {
  const BackendText parsed = backendFromText(backend.text, backend.where);
  Compared choice;
  choice.name = parsed.name;
  choice.position = backend.where;
  choice.settings = parsed.settings;
  const auto taken = [&](const std::string& label) {
    return std::any_of(choices_.begin(), choices_.end(), [&](const Compared& other) { return other.label == label; });
  };
  choice.label = backend.text;
  for (int number = 2; taken(choice.label); ++number) choice.label = backend.text + "_" + std::to_string(number);
  if (const Value* more = settings_.settings.find(choice.label); more != nullptr && more->isMap())
    for (const Value::Entry& entry : more->entries()) {
      if (choice.settings.contains(entry.key))
        throw Error("'" + entry.key + "' of backend '" + choice.label + "' is set twice", entry.keyPosition,
                    "keep one of the two");
      choice.settings.entries().push_back(entry);
    }
  choices_.push_back(std::move(choice));
}

void CompareStage::declare(PluginBuilder& plugin) {
  plugin.stage<CompareStage>("mortise.Compare")
      .alias("compare")
      .summary("Simulates the world on several backends from the same start and compares the results.")
      .saves({ResultKind::report})
      .settings<CompareSettings>();
}

void CompareStage::check(StageContext& context, Diagnostics& diagnostics) {
  settings_.check(context, diagnostics);
  std::vector<std::string> names;
  for (const Compared& choice : choices_) {
    names.push_back(choice.label);
    completeBackendSettings(context.registry(), context.world(), context.pipeline().at("simulation"), choice,
                            diagnostics);
  }
  if (settings_.backends.given && choices_.empty())
    diagnostics.error("'backends' of stage 'compare' is empty", settings_.backends.where,
                      "write backends: [ode, bullet]");
  if (choices_.size() == 1)
    diagnostics.warning("'backends' of stage 'compare' names one backend: there is none to compare it with",
                        settings_.backends.where, "name another one, such as ode, or use the stage 'simulate'");
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

/// Returns the variation with a record for its motion, which is made when the run's step is known.
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

/// Calls `use` with the difference of each two backends, by their indices.
template <typename Use>
void eachPair(const std::vector<std::vector<MotionDifference>>& apart, const Use& use) {
  for (std::size_t a = 0; a < apart.size(); ++a)
    for (std::size_t b = a + 1; b < apart.size(); ++b) use(a, b, apart[a][b]);
}

/// Returns the unit of the joint that is farthest apart on any two backends.
std::string unitOfWorstJoint(const Robot& robot, const std::vector<std::vector<MotionDifference>>& apart,
                             std::size_t index) {
  const EntityDifference* worst = nullptr;
  eachPair(apart, [&](std::size_t, std::size_t, const MotionDifference& each) {
    if (worst == nullptr || each.robots[index].max > worst->max) worst = &each.robots[index];
  });
  const bool turns =
      worst == nullptr || worst->maxLink < 0 || robot.link(worst->maxLink).motion == LinkMotion::revolute;
  return turns ? "rad" : "m";
}

/// A name as part of a file's.
std::string asFileName(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-'; }, '_');
  return name;
}

constexpr double kSaturatedAngle = 1;  ///< rad; angles between two runs come back from pi.

}  // namespace

MotionDifference CompareStage::runVariation(StageContext& context, const Compared& choice,
                                            const RunVariation& variation, const std::string& what,
                                            const MotionRecord& motion, Value& list) {
  std::unique_ptr<MotionRecord> varied;
  const Value run =
      runSimulation(context, settings_, choice, choice.label, {}, resultName_ + " on " + choice.label + ", " + what,
                    observed(variation, varied, settings_.duration, motion.interval()))
          .report;
  const MotionDifference difference =
      differenceOf(context.world(), motion, varied ? *varied : MotionRecord(motion.interval()), settings_.bound);
  Value value = differenceValue(context.world(), difference, choice.label, choice.label + ", " + what);
  if (run.contains("fault")) value.set("fault", run.at("fault"));
  list.push_back(std::move(value));
  return difference;
}

Value CompareStage::runBackend(StageContext& context, const Compared& choice, Findings& findings, Value& result) {
  std::unique_ptr<MotionRecord> motion;
  Value run =
      runSimulation(context, settings_, choice, choice.label, resultName_ + "_" + asFileName(choice.label) + "_",
                    resultName_ + " on " + choice.label, observed({}, motion, settings_.duration, 0))
          .report;
  if (run.contains("interrupted") || context.stopRequested()) return run;
  findings.backends.push_back(choice.label);
  findings.motions.push_back(motion ? std::move(*motion) : MotionRecord(1));
  const MotionRecord& own = findings.motions.back();
  try {
    runVariations(context, choice, own, findings, result);
  } catch (const Interrupted&) {
    // The run itself is there, and the context says that the rest is not wanted.
  }
  return run;
}

void CompareStage::runVariations(StageContext& context, const Compared& choice, const MotionRecord& own,
                                 Findings& findings, Value& result) {
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
}

namespace {

/// Returns a reading as it stands in the report: {id, name, verdict, sentence, until, backends, against}.
Value readingValue(int id, const std::string& name, const ReadingOverTime& reading,
                   const std::vector<std::string>& names) {
  Value entry = Value::map();
  entry.set("id", id);
  entry.set("name", name);
  entry.set("verdict", reading.verdict);
  entry.set("sentence", reading.sentence);
  if (reading.until) entry.set("until", *reading.until);
  Value backends = Value::list();
  for (std::size_t i = 0; i < reading.backends.size(); ++i) {
    Value each = Value::map();
    each.set("backend", names[i]);
    each.set("verdict", reading.backends[i].verdict);
    each.set("apart", reading.backends[i].apart);
    backends.push_back(std::move(each));
  }
  entry.set("backends", std::move(backends));
  std::vector<std::string> against;
  for (const std::size_t i : reading.against) against.push_back(names[i]);
  entry.set("against", against);
  return entry;
}

}  // namespace

Value CompareStage::readings(const World& world, const Findings& findings) const {
  Value list = Value::list();
  /// Collects the series of what `distances` takes from each difference.
  const auto seriesOf = [&](const auto& distances) {
    ComparisonSeries series;
    series.bound = settings_.bound;
    series.disturbance = settings_.disturbance;
    series.backends = findings.backends;
    const std::size_t n = findings.backends.size();
    series.apart.assign(n, std::vector<std::vector<float>>(n));
    const auto keepTimes = [&](const MotionDifference& each) {
      if (each.times.size() > series.times.size()) series.times = each.times;
    };
    eachPair(findings.apart, [&](std::size_t a, std::size_t b, const MotionDifference& each) {
      series.apart[a][b] = distances(each);
      keepTimes(each);
    });
    for (const auto& [from, to] :
         {std::pair(&findings.halved, &series.step), std::pair(&findings.disturbed, &series.disturbed)})
      for (const MotionDifference& each : *from) {
        to->push_back(distances(each));
        keepTimes(each);
      }
    return series;
  };
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    ReadingOverTime reading =
        readOverTime(seriesOf([&](const MotionDifference& each) { return each.objects[i].distances; }));
    // Bodies turn as well; the bound is that of the point that is farthest from the origin.
    ComparisonSeries angles = seriesOf([&](const MotionDifference& each) { return each.objects[i].angles; });
    angles.unit = "rad";
    angles.bound = settings_.bound / reachOf(world.objects[i]);
    angles.saturation = kSaturatedAngle;
    ReadingOverTime turned = readOverTime(angles);
    const bool agree = reading.verdict == "agree";
    if (agree && turned.verdict == "agree") {
      const bool compared = findings.backends.size() > 1 || !findings.halved.empty();
      if (compared) reading.sentence += "; turning moves no point of it by more";
    } else if (agree || (turned.verdict == "engines" && reading.verdict != "engines")) {
      turned.sentence =
          reading.sentence + (agree ? ", but not in how it is turned: " : "; in how it is turned: ") + turned.sentence;
      reading = std::move(turned);
    }
    list.push_back(
        readingValue(world.objectId(static_cast<int>(i)), world.objects[i].name, reading, findings.backends));
  }
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    ComparisonSeries series = seriesOf([&](const MotionDifference& each) { return each.robots[i].distances; });
    series.unit = unitOfWorstJoint(*world.robots[i].robot, findings.apart, i);
    if (series.unit == "rad") series.saturation = kSaturatedAngle;
    list.push_back(readingValue(world.robotId(static_cast<int>(i)), world.robots[i].name, readOverTime(series),
                                findings.backends));
  }
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
  for (const Compared& choice : choices_) {
    Value run;
    try {
      run = runBackend(context, choice, findings, result);
    } catch (const Interrupted&) {  // While its world was prepared.
      result.set("interrupted", true);
      break;
    }
    if (fault.empty() && run.at("status").asString() == "error")
      fault = "on " + choice.label + ": " + run.string("fault", "");
    result.find("backends")->push_back(std::move(run));
    if (context.stopRequested()) {
      result.set("interrupted", true);
      break;
    }
    // From all backends before it.
    const std::size_t last = findings.backends.size() - 1;
    for (std::size_t other = 0; other < last; ++other)
      findings.apart[other].push_back(
          differenceOf(context.world(), findings.motions[other], findings.motions[last], settings_.bound));
    findings.apart.emplace_back(last + 1);
    if (last > 0)
      result.find("differences")
          ->push_back(
              differenceValue(context.world(), findings.apart[0][last], findings.backends.front(), choice.label));
    // Kept after every backend, so that results survive later failures.
    context.saveResult(resultName_, result);
  }
  if (!result.contains("interrupted")) result.set("readings", readings(context.world(), findings));
  context.saveResult(resultName_, std::move(result));
  if (!fault.empty()) throw Error("a simulation stopped " + fault, {}, "the results up to there are kept");
}

std::string comparisonCsv(const Value& result) {
  std::string text = "kind,id,name,comparison,from,to,unit,end,max,rms,beyond_s,turned_end_m,turned_max_m\n";
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
                  each.at("rms").text() + "," + (each.contains("beyond") ? each.at("beyond").text() : "") + "," +
                  (robot ? "," : each.at("turned").at("end").text() + "," + each.at("turned").at("max").text()) + "\n";
        }
  return text;
}

}  // namespace mortise
