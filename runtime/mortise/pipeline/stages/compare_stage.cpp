#include "mortise/pipeline/stages/compare_stage.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/math/rotation.h"
#include "mortise/text/suggest.h"

namespace mortise {

CompareStage::CompareStage(const ComponentContext& context) : plan_(SimulationPlan::from(context.settings)) {
  settings_ = context.settings.at("settings");
  const Value& backends = context.settings.at("backends");
  backendsGiven_ = !backends.isNull();
  backendsPosition_ = backends.position();
  for (const Value& backend : backends.items()) {
    BackendChoice choice;
    choice.name = backend.asString();
    choice.position = backend.position();
    if (const Value* settings = settings_.find(choice.name)) choice.settings = *settings;
    choices_.push_back(std::move(choice));
  }
  metrics_ = context.settings.at("metrics").asStrings();
  resultName_ = context.settings.string("save", std::string(context.host.name()));
}

void CompareStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<CompareStage>("mortise.Compare");
  stage.alias("compare").summary(
      "Simulates the world on several backends from the same start and compares the results.");
  stage.parameter("backends", ParameterType::stringList, "Physics backends; the others are compared with the first.",
                  {.required = true});
  SimulationPlan::declare(stage);
  stage
      .parameter("metrics", std::vector<std::string>{"energy", "trajectory", "time"},
                 "What the table shows: energy at start and end, trajectory (final poses and the distances between "
                 "them), time.",
                 {.choices = {"energy", "trajectory", "time"}})
      .parameter("settings", ParameterType::map, "Parameters of each backend: {ode: {...}, bullet: {...}}.")
      .parameter("save", ParameterType::string, "Name of the result; by default the stage's.");
}

void CompareStage::check(StageContext& context, Diagnostics& diagnostics) {
  plan_.check(context, diagnostics);
  std::vector<std::string> names;
  for (const BackendChoice& choice : choices_) {
    if (std::find(names.begin(), names.end(), choice.name) != names.end())
      diagnostics.error("backend '" + choice.name + "' is named twice", choice.position, "remove one of the two");
    names.push_back(choice.name);
    completeBackendSettings(context.registry(), context.world(), context.pipeline().at("simulation"), choice,
                            diagnostics);
  }
  if (backendsGiven_ && choices_.empty())
    diagnostics.error("'backends' of stage 'compare' is empty", backendsPosition_, "write backends: [ode, bullet]");
  for (const Value::Entry& entry : settings_.entries()) {
    if (std::find(names.begin(), names.end(), entry.key) == names.end()) {
      diagnostics.error("'settings' of stage 'compare': '" + entry.key + "' is not one of its backends",
                        entry.keyPosition, suggestFrom(entry.key, names));
    } else if (!entry.value.isMap() && !entry.value.isNull()) {
      diagnostics.error("'settings." + entry.key + "' of stage 'compare': expected a map", entry.value.position());
    }
  }
}

void CompareStage::run(StageContext& context) {
  Value result = Value::map();
  result.set("stage", "compare");
  result.set("duration", plan_.duration);
  result.set("metrics", metrics_);
  Value runs = Value::list();
  std::string fault;
  for (const BackendChoice& choice : choices_) {
    if (context.stopRequested()) {
      result.set("interrupted", true);
      break;
    }
    Value run = runSimulation(context, plan_, choice, choice.name, resultName_ + "_" + choice.name + "_",
                              resultName_ + " on " + choice.name);
    if (run.contains("interrupted")) result.set("interrupted", true);
    if (fault.empty() && run.at("status").asString() == "error")
      fault = "on " + choice.name + ": " + run.string("fault", "");
    runs.push_back(std::move(run));
    // Kept after every backend, so that results survive later failures.
    result.set("backends", runs);
    context.saveResult(resultName_, result);
  }
  Value differences = Value::list();
  for (std::size_t i = 1; i < runs.size(); ++i)
    differences.push_back(compareFinalPoses(context.world(), runs[0], runs[i]));
  result.set("differences", std::move(differences));
  context.saveResult(resultName_, std::move(result));
  if (!fault.empty()) throw Error("a simulation stopped " + fault, {}, "the results up to there are kept");
}

Value compareFinalPoses(const World& world, const Value& from, const Value& to) {
  Value difference = Value::map();
  difference.set("from", from.at("backend"));
  difference.set("to", to.at("backend"));
  Value objects = Value::list();
  double maxPosition = 0, maxOrientation = 0;
  for (std::size_t i = 0; i < from.at("objects").size(); ++i) {
    const Value& a = from.at("objects")[i];
    const Value& b = to.at("objects")[i];
    const RigidTransform X_WA = RigidTransform::fromRows(a.at("T").asReals().data());
    const RigidTransform X_WB = RigidTransform::fromRows(b.at("T").asReals().data());
    Value entry = Value::map();
    entry.set("id", a.at("id"));
    entry.set("name", a.at("name"));
    const bool finite = X_WA.allFinite() && X_WB.allFinite();
    const double position = finite ? (X_WB.p - X_WA.p).norm() : HUGE_VAL;
    const double orientation =
        finite ? momentFromRotation(X_WA.R.transpose() * X_WB.R).norm() * 180 / std::numbers::pi : HUGE_VAL;
    maxPosition = std::max(maxPosition, position);
    maxOrientation = std::max(maxOrientation, orientation);
    entry.set("position", position);
    entry.set("orientation", orientation);
    objects.push_back(std::move(entry));
  }
  difference.set("objects", std::move(objects));
  Value robots = Value::list();
  for (std::size_t i = 0; i < from.at("robots").size(); ++i) {
    const Value& a = from.at("robots")[i];
    const std::vector<double> qA = a.at("q").asReals(), qB = to.at("robots")[i].at("q").asReals();
    std::size_t worst = 0;
    double largest = 0;
    for (std::size_t j = 0; j < qA.size(); ++j) {
      const double apart = std::isfinite(qA[j] - qB[j]) ? std::abs(qA[j] - qB[j]) : HUGE_VAL;
      if (apart > largest) {
        largest = apart;
        worst = j;
      }
    }
    Value entry = Value::map();
    entry.set("id", a.at("id"));
    entry.set("name", a.at("name"));
    entry.set("joint", largest);
    if (!qA.empty()) entry.set("link", world.robots[i].robot->link(static_cast<int>(worst)).name);
    robots.push_back(std::move(entry));
  }
  difference.set("robots", std::move(robots));
  difference.set("max_position", maxPosition);
  difference.set("max_orientation", maxOrientation);
  return difference;
}

}  // namespace mortise
