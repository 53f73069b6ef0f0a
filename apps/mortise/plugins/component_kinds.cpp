#include "plugins/component_kinds.h"

#include "command_line/command_line.h"
#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

namespace {

struct Words {
  const char* plural;
  const char* purpose;
  const char* usage;
};

Words hardwareWords() {
  return {"Drivers of hardware",
          "Hardware reads the sensors of a robot and writes the commands of its motors, so that controllers drive the "
          "robot itself.",
          "`mortise drive ROBOT_FILE --controller CONTROLLER --hardware NAME --hardware-set SETTING=VALUE`\n"};
}

Words recorderWords() {
  return {"Recorders", "A recorder writes down what happens in a simulation.",
          "In a pipeline\n\n"
          "```yaml\ncomponents:\n  - {recorder: NAME, record: [robots, sensors], rate: 100 Hz, SETTING: VALUE}\n"
          "```\n\nor with `record` and `recorder` of the stage `simulate`, or with `--log` and `--images` of "
          "`mortise sim`.\n"};
}

Words metricWords() {
  return {"Metrics",
          "A metric computes numbers from a simulation while it runs: errors, efforts, contacts, times. They are part "
          "of the run's result, and the columns of an experiment's table.",
          "In a pipeline\n\n"
          "```yaml\ncomponents:\n  - {metric: NAME, name: error, robot: ROBOT, SETTING: VALUE}\n```\n"};
}

Words wordsOf(Kind kind) {
  switch (kind) {
    case Kind::physics:
      return {"Physics backends",
              "A physics backend moves bodies and joints and solves contacts and motors. A simulation has one.",
              "`mortise sim WORLD --backend NAME --set SETTING=VALUE`, or in a pipeline\n\n"
              "```yaml\nsimulation: {backend: NAME, settings: {SETTING: VALUE}}\n```\n"};
    case Kind::controller:
      return {
          "Controllers",
          "A controller reads a robot's sensors and tells its motors what to do. A robot has one; `mortise sim WORLD "
          "--list-commands` shows the commands and settings of those of a world.",
          "In a pipeline\n\n"
          "```yaml\ncomponents:\n  - {controller: NAME, robot: ROBOT, rate: 100 Hz, SETTING: VALUE}\n```\n\n"
          "or in a world, where settings are attributes\n\n"
          "```xml\n<simulation><robot index=\"0\"><controller type=\"NAME\" rate=\"100\" SETTING=\"VALUE\"/></robot>"
          "</simulation>\n```\n\n"
          "Worlds and robot files take `name`, `rate`, `estimator` and `optional` of the following, pipelines all.\n"};
    case Kind::sensor:
      return {
          "Sensors",
          "A sensor measures the simulated world and gives a number for each of its channels; controllers, estimators "
          "and recorders read them.",
          "In a pipeline\n\n"
          "```yaml\ncomponents:\n  - {sensor: NAME, name: wrist, robot: ROBOT, rate: 100 Hz, SETTING: VALUE}\n```\n\n"
          "or in a world or a robot's file, where settings are attributes\n\n"
          "```xml\n<sensors><NAME name=\"wrist\" rate=\"100\" SETTING=\"VALUE\"/></sensors>\n```\n\n"
          "Worlds and robot files take `name`, `rate`, `enabled` (0 or 1) and `optional` of the following, pipelines "
          "all.\n"};
    case Kind::planner:
      return {"Planners", "A planner finds motions between configurations.", ""};
    case Kind::format:
      return {"File formats",
              "A format reads and writes files. It is found by the file's extension and what is in the file, so that "
              "nobody has to name it.",
              ""};
    case Kind::stage:
      return {"Stages", "A stage is a step of a pipeline.", "```yaml\nstages:\n  - NAME: {SETTING: VALUE}\n```\n"};
    case Kind::estimator:
      return {"Estimators",
              "An estimator tells a controller the robot's configuration and velocity, from its sensors or from the "
              "simulator.",
              "With the controller, in a pipeline\n\n"
              "```yaml\ncomponents:\n  - {controller: CONTROLLER, robot: ROBOT, estimator: NAME}\n"
              "  - {controller: CONTROLLER, robot: ROBOT, estimator: {name: NAME, SETTING: VALUE}}   # with settings\n"
              "```\n\nor in a world: `<controller type=\"CONTROLLER\" estimator=\"NAME\"/>`. Controllers whose page "
              "names a "
              "default estimator have that one otherwise.\n"};
    case Kind::recorder:
      return recorderWords();
    case Kind::hardware:
      return hardwareWords();
    case Kind::metric:
      return metricWords();
  }
  return {"Components", "", ""};
}

}  // namespace

std::vector<std::string> kindNames() {
  std::vector<std::string> names;
  for (int i = 0; i < kNumKinds; ++i) names.emplace_back(kindName(static_cast<Kind>(i)));
  return names;
}

Kind parseKind(const std::string& name) {
  if (const auto kind = kindFromName(name)) return *kind;
  const std::string nearest = didYouMean(name, kindNames());
  throw UsageError("there is no kind of component named '" + name + "'" + (nearest.empty() ? "" : "; " + nearest) +
                   "\n  kinds: " + nameList(kindNames()));
}

Value componentNames(const ComponentInfo& info) {
  Value value = Value::map();
  value.set("kind", kindName(info.kind));
  value.set("name", info.name);
  Value aliases = Value::list();
  for (const auto& alias : info.aliases) aliases.push_back(alias);
  value.set("aliases", std::move(aliases));
  return value;
}

std::string kindPlural(Kind kind) { return wordsOf(kind).plural; }
std::string kindPurpose(Kind kind) { return wordsOf(kind).purpose; }
std::string kindUsage(Kind kind) { return wordsOf(kind).usage; }

Schema runtimeSettings(Kind kind) {
  if (kind != Kind::controller && kind != Kind::sensor && kind != Kind::recorder) return {};
  Value all = componentSchema(kind, nullptr).toValue();
  all.set("other_keys", false);
  Value* parameters = all.find("parameters");
  std::erase_if(parameters->items(), [&](const Value& parameter) {
    return parameter.at("name").asString() == kindName(kind);  // Which component: its name, not a setting of it.
  });
  return Schema::fromValue(all);
}

}  // namespace mortise::app
