#include "mortise/pipeline/simulate/simulation_setup.h"

#include "mortise/component/role.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/pipeline/context/pipeline_context.h"
#include "mortise/pipeline/file/pipeline.h"
#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/simulation/components/component_slots.h"
#include "mortise/simulation/context/default_backend.h"
#include "mortise/text/article.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

Kind kindOf(const Value& component) {
  for (const Kind kind : {Kind::controller, Kind::sensor, Kind::recorder})
    if (component.contains(kindName(kind))) return kind;
  throw Error("this entry is neither a controller, a sensor nor a recorder", component.position());
}

}  // namespace

SimulationOptions makeSimulationOptions(StageContext& context, const BackendChoice& choice, Diagnostics& diagnostics) {
  const Value& pipeline = context.pipeline();
  const Value& given = pipeline.at("simulation");
  const SimulationRequest simulation = settingsFrom<SimulationRequest>(given);
  SimulationOptions options;
  applyRequest(simulation, context.world(), options, diagnostics);
  if (!choice.name.empty()) {
    options.backend = choice.name;
    options.backendPosition = choice.position;
  }
  options.backendSettings = completeBackendSettings(context.registry(), context.world(), given, choice, diagnostics);
  options.seed = context.seed();
  options.strict = isStrict(context);
  options.referringFile = pipeline.string("file", "");
  options.runDirectory = context.runDirectory();
  options.stopRequested = [&context] { return context.stopRequested(); };
  for (const Value& entry : pipeline.at("components").items()) {
    const Kind kind = kindOf(entry);
    if (kind == Kind::recorder) continue;
    const Value& type = entry.at(kindName(kind));
    const ComponentInfo* info = context.registry().find(kind, type.text());
    if (info == nullptr) continue;  // Optional, and said to be left out when the pipeline was checked.
    const ComponentEntry settings = settingsFrom(entry, ComponentEntry(kind));
    ComponentOptions component = componentOptions(settings);
    component.robot = findRobot(context.world(), settings.robot);
    if (simulation.lockstep && kind == Kind::controller && info->schema.find("lockstep") != nullptr)
      component.settings.set("lockstep", true);
    options.components.push_back(std::move(component));
  }
  return options;
}

namespace {

void setMotion(SimulationOptions& options, const Registry& registry, int robot, const char* setting, Value motion,
               const SourcePosition& position) {
  for (ComponentOptions& component : options.components) {
    if (component.kind != Kind::controller || component.robot != robot) continue;
    const ComponentInfo& info = registry.require(Kind::controller, component.type, component.position);
    if (info.schema.find(setting) == nullptr)
      throw Error("controller '" + component.type + "' cannot follow a motion: it has no parameter '" + setting + "'",
                  position,
                  "use " + withArticle(optionsInRole(registry, role::kMotionFollower).type) + ", or leave out '" +
                      (setting == std::string_view("path") ? "follow" : setting) + "'");
    component.settings.set(setting, std::move(motion));
    return;
  }
  ComponentOptions follower = optionsInRole(registry, role::kMotionFollower, position);
  follower.robot = robot;
  follower.settings.set(setting, std::move(motion));
  options.components.push_back(std::move(follower));
}

}  // namespace

void followMotion(SimulationOptions& options, const Registry& registry, int robot, const std::string& file,
                  const SourcePosition& position) {
  Value path(file);
  path.setPosition(position);
  setMotion(options, registry, robot, "path", std::move(path), position);
}

void followMilestones(SimulationOptions& options, const Registry& registry, int robot, Value milestones,
                      const SourcePosition& position) {
  setMotion(options, registry, robot, "milestones", std::move(milestones), position);
}

}  // namespace mortise
