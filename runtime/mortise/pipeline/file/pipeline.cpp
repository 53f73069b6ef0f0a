#include "mortise/pipeline/file/pipeline.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/loading/script_host.h"
#include "mortise/pipeline/file/backend_settings.h"
#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/simulation/components/lockstep.h"
#include "mortise/simulation/context/default_backend.h"
#include "mortise/text/diagnostic_kinds.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

constexpr Kind kComponentKinds[] = {Kind::controller, Kind::sensor, Kind::recorder};

class Checker {
 public:
  Checker(Pipeline& pipeline, const Registry& registry, FormatLoader& loader, LogSink& log, Diagnostics& diagnostics)
      : pipeline_(pipeline), registry_(registry), loader_(loader), log_(log), diagnostics_(diagnostics) {}

  void check() {
    const Value& root = pipeline_.file.root;
    pipeline_.resolved = pipelineSchema().complete(root, "the pipeline", diagnostics_);
    Value& resolved = pipeline_.resolved;
    const PipelineSettings settings = settingsFrom<PipelineSettings>(resolved);
    if (settings.version.value != kPipelineVersion)
      diagnostics_.error("this file is for version " + std::to_string(settings.version.value) +
                             " of the pipeline format; this program reads " + std::to_string(kPipelineVersion),
                         settings.version.where);
    pipeline_.seed = static_cast<std::uint64_t>(settings.seed);
    pipeline_.name = settings.name.value_or(std::filesystem::path(pipeline_.file.path).stem().string());
    if (!settings.name) resolved.set("name", pipeline_.name);
    checkFolder(settings);
    loadWorld(settings.world);
    resolved.set("simulation", simulation(settings.simulation));
    resolved.set("components", components(settings.components));
    resolved.set("stages", stages(settings.stages));
    resolved.set("file", pipeline_.file.base);
  }

 private:
  /// A lock file may stand elsewhere than when it was written.
  void checkFolder(const PipelineSettings& settings) {
    if (!settings.relativeTo || pipeline_.file.root.contains("locked")) return;
    const std::string folder = std::filesystem::path(pipeline_.file.base).parent_path().string();
    std::error_code code;
    if (!folder.empty() && !std::filesystem::is_directory(folder, code))
      diagnostics_.error("'relative_to': there is no folder '" + folder + "'",
                         pipeline_.file.root.at("relative_to").position(),
                         "name a folder relative to the pipeline's file");
  }

  // -- World ----------------------------------------------------------------------------------------------------------

  void loadWorld(const Value& value) {
    if (value.isNull()) return;  // Reported as missing already.
    std::vector<std::string> files;
    bool found = true;
    const auto add = [&](const Value& item) {
      if (!item.isString() || item.asString().empty()) {
        diagnostics_.error("'world': expected the name of a file", item.position());
        found = false;
        return;
      }
      try {
        files.push_back(loader_.find(item.asString(), pipeline_.file.base));
      } catch (const Error& error) {
        diagnostics_.error("'world': " + error.message(), item.position(), error.hint());
        found = false;
      }
    };
    if (value.isList()) {
      for (const Value& item : value.items()) add(item);
      if (value.size() == 0) diagnostics_.error("'world': the list of files is empty", value.position());
    } else {
      add(value);
    }
    if (!found || files.empty()) return;
    Diagnostics problems;
    problems.setStrict(diagnostics_.strict());
    try {
      pipeline_.world = assembleWorld(loader_, files, problems);
      pipeline_.worldLoaded = !problems.hasErrors();
    } catch (const Error& error) {
      SourcePosition where = error.where().known() ? error.where() : value.position();
      problems.error(error.message(), where, error.hint());
    }
    const auto text = [](const Diagnostic& problem) {
      return std::string(Error(problem.message, problem.where, problem.hint).what());
    };
    for (const DiagnosticKind& kind : diagnosticKinds(problems.all())) {
      const Diagnostic& problem = kind.first;
      if (problem.severity == Severity::error)
        diagnostics_.add(problem);
      else
        log_.write(problem.severity == Severity::warning ? LogLevel::warning : LogLevel::info, "world", text(problem));
      for (const Diagnostic& more : kind.more) log_.write(LogLevel::debug, "world", text(more));
    }
  }

  // -- Simulation -----------------------------------------------------------------------------------------------------

  Value simulation(const Value& given) {
    Value complete = simulationSchema().complete(given, "'simulation'", diagnostics_);
    const World& world = pipeline_.world;
    const SimulationRequest section = settingsFrom<SimulationRequest>(complete);
    if (section.backend.empty()) {
      Value backend(backendOf(world));
      if (!world.simulation.backend.empty()) backend.setPosition(inFile(world.file));
      complete.set("backend", std::move(backend));
    }
    if (!section.step && pipeline_.worldLoaded) {
      Value step(world.simulation.timeStep);
      step.setPosition(inFile(world.file));
      complete.set("step", std::move(step));
    }
    complete.set("settings", completeBackendSettings(registry_, world, complete, {}, diagnostics_));
    const double step = section.step.value_or(world.simulation.timeStep);
    if (const Value* rate = complete.find("control_rate");
        rate != nullptr && rate->position().known() && section.controlRate * step > 1 + 1e-9)
      diagnostics_.warning("'control_rate': steps of " + formatReal(step) + " s let controllers run at " +
                               formatReal(1 / step) + " Hz at most, not at " + formatReal(section.controlRate) + " Hz",
                           rate->position(), "take a smaller step or a lower rate");
    if (section.lockstep && pipeline_.worldLoaded) setLockstep(pipeline_.world, registry_);
    try {
      (void)actuatorLimitsFrom(section.actuatorLimits);
    } catch (const Error& error) {
      diagnostics_.error("'simulation.actuator_limits': " + error.message(), error.where(), error.hint());
    }
    if (pipeline_.worldLoaded) (void)motorOptionsFrom(section.motors, world, diagnostics_);
    return complete;
  }

  // -- Components -----------------------------------------------------------------------------------------------------

  Value components(const Value& given) {
    Value result = Value::list();
    result.setPosition(given.position());
    if (given.isNull()) return result;
    if (!given.isList()) {
      diagnostics_.error("'components' must be a list", given.position(),
                         "write one entry a line: - {controller: NAME, robot: ROBOT}");
      return result;
    }
    for (const Value& item : given.items()) result.push_back(component(item));
    return result;
  }

  Value component(const Value& item) {
    std::optional<Kind> kind;
    int kinds = 0;
    for (const Kind candidate : kComponentKinds)
      if (item.contains(kindName(candidate))) {
        kind = candidate;
        ++kinds;
      }
    if (kinds != 1) {
      std::string hint = "write - {controller: NAME, ...}, - {sensor: NAME, ...} or - {recorder: NAME, ...}";
      for (const Value::Entry& entry : item.entries())
        if (const std::string near = nearestName(entry.key, {"controller", "sensor", "recorder"});
            kinds == 0 && !near.empty()) {
          diagnostics_.error("unknown key '" + entry.key + "' of an entry of 'components'", entry.keyPosition,
                             "did you mean '" + near + "'?");
          return item;
        }
      diagnostics_.error(kinds == 0
                             ? "an entry of 'components' needs one of the keys controller, sensor, recorder"
                             : "an entry of 'components' must have only one of the keys controller, sensor, recorder",
                         item.position(), hint);
      return item;
    }
    const Value& typeValue = item.at(kindName(*kind));
    std::string type = typeValue.isScalar() && !typeValue.isNull() ? typeValue.text() : std::string();
    Value named = item;
    if (namesScript(type)) {
      try {
        type = discoveredScript(registry_, *kind, type, pipeline_.file.base, typeValue.position());
      } catch (const Error& error) {
        diagnostics_.error(error);
        return item;
      }
      named.set(kindName(*kind), Value(type).setPosition(typeValue.position()));
    }
    const std::string what = std::string(kindName(*kind)) + " '" + type + "'";
    const ComponentInfo* info = nullptr;
    if (!type.empty()) {
      try {
        if (optional(item) && registry_.find(*kind, type) == nullptr) {
          log_.write(LogLevel::info, "pipeline",
                     typeValue.position().describe() + ": " + what + " is not installed; it is optional and left out");
          return item;
        }
        info = &registry_.require(*kind, type, typeValue.position());
      } catch (const Error& error) {
        diagnostics_.error(error);
      }
    }
    const Schema schema = componentSchema(*kind, info == nullptr ? nullptr : &info->schema);
    Value complete = schema.complete(named, what, diagnostics_);
    if (const Value* estimator = complete.find("estimator"); estimator != nullptr && !estimator->isNull())
      complete.set("estimator", nameEstimator(*estimator));
    const ComponentEntry entry = settingsFrom(complete, ComponentEntry(*kind));
    checkEstimator(entry.estimator);
    if (*kind != Kind::recorder && pipeline_.worldLoaded) checkRobot(entry, what, typeValue.position());
    return complete;
  }

  /// One that is named by its file gets its own name.
  Value nameEstimator(const Value& given) {
    const EstimatorEntry entry = estimatorEntry(given);
    if (!namesScript(entry.name.text)) return given;
    try {
      const std::string name =
          discoveredScript(registry_, Kind::estimator, entry.name.text, pipeline_.file.base, entry.name.where);
      const Value value = Value(name).setPosition(entry.name.where);
      if (!given.isMap()) return value;
      Value complete = given;
      complete.set("name", value);
      return complete;
    } catch (const Error& error) {
      diagnostics_.error(error);
      return {};
    }
  }

  /// A name, or a map of the name and settings.
  void checkEstimator(const Value& given) {
    if (given.isNull()) return;
    const EstimatorEntry entry = estimatorEntry(given);
    if (entry.name.empty()) {
      diagnostics_.error("'estimator' names no estimator", given.position(),
                         "write estimator: NAME, or estimator: {name: NAME, settings...}; " +
                             listNames(registry_.namesOf(Kind::estimator)));
      return;
    }
    try {
      const ComponentInfo& info = registry_.require(Kind::estimator, entry.name.text, entry.name.where);
      info.schema.complete(entry.settings, "estimator '" + entry.name.text + "'", diagnostics_);
    } catch (const Error& error) {
      diagnostics_.error(error);
    }
  }

  static bool optional(const Value& item) {
    const Value* value = item.find("optional");
    return value != nullptr &&
           ((value->isBool() && value->asBool()) || (value->isString() && value->asString() == "yes"));
  }

  void checkRobot(const ComponentEntry& component, const std::string& what, const SourcePosition& position) {
    const Value& reference = component.robot;
    try {
      const int robot = findRobot(pipeline_.world, reference);
      const std::string robotName = pipeline_.world.robots[static_cast<std::size_t>(robot)].name;
      if (component.kind == Kind::controller) {
        if (const auto [first, isNew] = controllerOf_.emplace(robot, what); !isNew)
          diagnostics_.error("robot '" + robotName + "' has two controllers: " + first->second + " and " + what,
                             position, "keep one");
      }
      if (const PlacedText& name = component.name; !name.empty()) {
        if (!names_.emplace(std::to_string(robot) + "/" + name.text, what).second)
          diagnostics_.error("robot '" + robotName + "' has two components named '" + name.text + "'", name.where,
                             "give one of them another name");
      }
    } catch (const Error& error) {
      diagnostics_.error(what + ": " + error.message(), reference.position().known() ? reference.position() : position,
                         error.hint());
    }
  }

  // -- Stages ---------------------------------------------------------------------------------------------------------

  Value stages(const Value& given) {
    Value result = Value::list();
    result.setPosition(given.position());
    if (given.isNull()) return result;
    if (!given.isList()) {
      diagnostics_.error("'stages' must be a list", given.position(),
                         "write one stage a line: - simulate: {duration: 2 s}");
      return result;
    }
    for (const Value& item : given.items()) result.push_back(stage(item));
    checkResultNames();
    checkFiles();
    return result;
  }

  Value stage(const Value& item) {
    if (!item.isMap() || item.size() != 1) {
      diagnostics_.error(
          "an entry of 'stages' must be one stage and its settings, found " +
              (item.isMap() ? std::to_string(item.size()) + " keys" : std::string(Value::typeName(item.type()))),
          item.position(), "write - simulate: {duration: 2 s}");
      return item;
    }
    Value::Entry entry = item.entries().front();
    PipelineStage stage;
    try {
      entry.key = discoveredScript(registry_, Kind::stage, entry.key, pipeline_.file.base, entry.keyPosition);
    } catch (const Error& error) {
      diagnostics_.error(error);
      return item;
    }
    stage.position = entry.keyPosition;
    stage.label = entry.key;
    if (const int count = ++stageCount_[entry.key]; count > 1) stage.label += "-" + std::to_string(count);
    try {
      stage.info = &registry_.require(Kind::stage, entry.key, entry.keyPosition);
    } catch (const Error& error) {
      diagnostics_.error(error);
      return item;
    }
    Value settings = entry.value;
    if (!settings.position().known()) settings.setPosition(entry.keyPosition);
    stage.settings = stage.info->schema.complete(settings, "stage '" + entry.key + "'", diagnostics_);
    Value complete = Value::map();
    complete.setPosition(item.position());
    complete.entries().push_back({entry.key, stage.settings, entry.keyPosition});
    pipeline_.stages.push_back(std::move(stage));
    return complete;
  }

  void checkResultNames() {
    std::map<std::string, std::string> owner;
    for (const PipelineStage& stage : pipeline_.stages) {
      const Value* save = stage.settings.find("save");
      const bool named = save != nullptr && save->isString();
      const std::string name = named ? save->asString() : stage.label;
      // Files of results are called after them.
      if (named && (name.empty() || name == "." || name.find("..") != std::string::npos ||
                    name.find_first_of("/\\") != std::string::npos)) {
        diagnostics_.error("'save' is a name in the run directory, not '" + name + "'", save->position(),
                           "write a name without folders, such as 'path'; --output DIR chooses the run directory");
        continue;
      }
      if (const auto [first, isNew] = owner.emplace(name, stage.label); !isNew)
        diagnostics_.error("two results are called '" + name + "': those of the stages '" + first->second + "' and '" +
                               stage.label + "'",
                           named ? save->position() : stage.position, "choose another name with 'save'");
    }
  }

  /// Files that stages write by name.
  void checkFiles() {
    std::map<std::string, std::string> owner;
    for (const PipelineStage& stage : pipeline_.stages) {
      const Value* to = stage.settings.find("to");
      if (to == nullptr || to->isNull()) continue;
      for (const Value& file : to->isList() ? to->items() : std::vector<Value>{*to}) {
        if (!file.isString()) continue;
        const std::string name = std::filesystem::path(file.asString()).lexically_normal().string();
        if (const auto [first, isNew] = owner.emplace(name, stage.label); !isNew)
          diagnostics_.warning("stage '" + stage.label + "' writes '" + name + "' in place of what " +
                                   (first->second == stage.label ? "it" : "stage '" + first->second + "'") +
                                   " wrote there",
                               file.position().known() ? file.position() : stage.position, "choose another name");
      }
    }
  }

  Pipeline& pipeline_;
  const Registry& registry_;
  FormatLoader& loader_;
  LogSink& log_;
  Diagnostics& diagnostics_;
  std::map<int, std::string> controllerOf_;
  std::map<std::string, std::string> names_;
  std::map<std::string, int> stageCount_;
};

}  // namespace

Pipeline checkPipeline(PipelineFile file, const Registry& registry, FormatLoader& loader, LogSink& log,
                       Diagnostics& diagnostics) {
  Pipeline pipeline;
  pipeline.file = std::move(file);
  pipeline.strict = diagnostics.strict();
  Checker(pipeline, registry, loader, log, diagnostics).check();
  return pipeline;
}

}  // namespace mortise
