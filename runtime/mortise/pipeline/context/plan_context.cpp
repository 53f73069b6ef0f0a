#include "mortise/pipeline/context/plan_context.h"

#include "mortise/base/borrow.h"
#include "mortise/base/error.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/loading/format_loader.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/settings/plan_parsing.h"
#include "mortise/settings/output_path.h"
#include "mortise/text/article.h"
#include "mortise/text/suggest.h"

namespace mortise {

PlanSources planSources(StageContext& context, bool running) {
  PlanSources sources{
      context.world(), context.loader(), &context.registry(), context.pipeline().string("file", ""), {}, {}};
  sources.savedMotion = [&context, running](std::string_view name) -> const Trajectory* {
    const Trajectory* saved = context.findTrajectory(name);
    if (saved == nullptr && running && context.findOutput(name) != nullptr)
      throw Error("'" + std::string(name) + "' is a result of an earlier stage, but not a motion", {},
                  "name what a stage saves as a motion, or a file");
    return saved;
  };
  if (!running)
    sources.promised = [&context](std::string_view name) {
      return requireResultOrFile(context, splitIndex(std::string(name)).first, ResultKind::motion, {});
    };
  return sources;
}

void refuseLaterResult(StageContext& context, const std::string& name, const SourcePosition& where) {
  if (context.findOutput(name) != nullptr) return;
  const Value* stages = context.pipeline().find("stages");
  if (stages == nullptr) return;
  for (const Value& stage : stages->items()) {
    if (!stage.isMap() || stage.size() != 1 || !stage.entries().front().value.isMap()) continue;
    const Value::Entry& entry = stage.entries().front();
    const Value* save = entry.value.find("save");
    if (save == nullptr || !save->isString() || save->asString() != name) continue;
    try {
      (void)context.loader().find(name, context.pipeline().string("file", ""));
      return;
    } catch (const Error&) {
    }
    const int line = save->position().line;
    throw Error("'" + name + "' does not exist yet: the stage '" + entry.key + "'" +
                    (line > 0 ? " in line " + std::to_string(line) : "") + " saves it",
                where, "put that stage before this one");
  }
}

namespace {

/// Why a result is not of a kind; empty when it may be.
std::string whyNot(const StageOutput& output, ResultKind kind) {
  if (output.mayBe(kind)) return {};
  return kind == ResultKind::state
             ? "is the result of an earlier stage that saves no state"
             : "is a result of an earlier stage, but not " + withArticle(std::string(resultKindName(kind)));
}

/// The setting by which a stage keeps its state.
constexpr const char* kSaveState = "save_state";

/// Returns how an earlier stage saves its state, or which stages do.
std::string savingState(StageContext& context, const std::string& name, const StageOutput& output) {
  const ComponentInfo* stage = context.registry().find(Kind::stage, output.stage);
  if (stage == nullptr || stage->schema.find(kSaveState) == nullptr) {
    std::vector<std::string> able;
    for (const ComponentInfo& info : context.registry().components())
      if (info.kind == Kind::stage && info.schema.find(kSaveState) != nullptr)
        able.push_back("'" + writtenName(info) + "'");
    return "name the result of a " + nameList(able) + " stage, or a file";
  }
  return "add 'save_state: " + name + ".state' to the stage" +
         (output.line > 0 ? " in line " + std::to_string(output.line) : "");
}

/// For a state that is called like nothing: the nearest result, or state, of an earlier stage. Empty: none is near.
std::string nearState(StageContext& context, const std::string& name) {
  std::vector<std::string> names;
  for (const StageOutput& output : context.outputs()) {
    names.push_back(output.name);
    if (!output.stateName.empty()) names.push_back(output.stateName);
  }
  const std::string near = nearestName(name, names);
  if (near.empty()) return {};
  const StageOutput* output = context.findOutput(near);
  const std::string why = output != nullptr ? whyNot(*output, ResultKind::state) : "";
  return "did you mean '" + near + "'?" +
         (why.empty() ? "" : " It " + why + ": " + savingState(context, near, *output));
}

std::vector<std::string> outputsOf(const StageContext& context, ResultKind kind) {
  std::vector<std::string> names;
  for (const StageOutput& output : context.outputs())
    if (output.mayBe(kind)) names.push_back(output.name);
  return names;
}

}  // namespace

bool requireResultOrFile(StageContext& context, const std::string& name, ResultKind kind, const SourcePosition& where) {
  const std::vector<std::string> names = outputsOf(context, kind);
  const std::string what(resultKindName(kind));
  if (const StageOutput* output = context.findOutput(name)) {
    const std::string why = whyNot(*output, kind);
    if (why.empty()) return true;
    throw Error("'" + name + "' " + why, where,
                kind == ResultKind::state ? savingState(context, name, *output)
                : names.empty()           ? "name what a stage saves as a motion (plan, shortcut, retime), or a file"
                                          : "motions of earlier stages: " + listNames(names));
  }
  refuseLaterResult(context, name, where);
  try {
    (void)context.loader().find(name, context.pipeline().string("file", ""));
    return false;
  } catch (const Error& error) {
    const std::string near = kind == ResultKind::state ? nearState(context, name) : didYouMean(name, names);
    const bool nameOfAResult = name.find_first_of("./") == std::string::npos;
    const std::string message =
        nameOfAResult ? "no earlier stage saves " + withArticle(what) + " '" + name + "', and there is no such file: "
                      : "";
    throw Error(message + error.message(), error.where().line > 0 ? error.where() : where,
                !near.empty()           ? near
                : !error.hint().empty() ? error.hint()
                : names.empty()         ? std::string()
                                        : "what earlier stages save: " + listNames(names));
  }
}

const StageOutput* outputWithState(StageContext& context, const std::string& name) {
  if (const StageOutput* output = context.findOutput(name)) return output;
  try {
    (void)context.loader().find(name, context.pipeline().string("file", ""));
    return nullptr;
  } catch (const Error&) {
  }
  const StageOutput* found = nullptr;
  for (const StageOutput& output : context.outputs())
    if (output.stateName == name) found = &output;
  return found;
}

std::shared_ptr<const World> worldOf(const StageContext& context) { return borrow(context.world()); }

Value overlaid(const Value& own, const Value& below) {
  Value result = own;
  if (!below.isMap()) return result;
  for (const Value::Entry& entry : below.entries())
    if (const Value* mine = result.find(entry.key); mine == nullptr || mine->isNull()) {
      result.erase(entry.key);
      result.entries().push_back(entry);
    }
  return result;
}

Value problemSettings(const Value& settings) {
  Value problem = Value::map();
  static const Schema schema = schemaOf<PlanProblemSettings>();
  for (const Parameter& parameter : schema.parameters())
    if (const Value* value = settings.find(parameter.name); value != nullptr && !value->isNull())
      problem.entries().push_back({parameter.name, *value, value->position()});
  return problem;
}

namespace {

std::string inRunDirectory(const StageContext& context, const std::string& file) {
  return outputPath(context.runDirectory(), file);
}

}  // namespace

int stageRobot(const World& world, const Value& named, const SourcePosition& where) {
  if (!named.isNull()) return robotNamed(world, named.text(), named.position());
  if (world.robots.size() != 1)
    throw Error("missing 'robot': the world has " + std::to_string(world.robots.size()) + " robots", where,
                "add 'robot: NAME'");
  return 0;
}

void requireLinks(Eigen::Index numbers, const WorldRobot& robot, const PlacedText& path) {
  if (numbers == robot.robot->numLinks()) return;
  throw Error("the configurations of '" + path.text + "' have " + std::to_string(numbers) + " numbers, but robot '" +
                  robot.name + "' has " + std::to_string(robot.robot->numLinks()) + " links",
              path.where, "use a motion of this robot, or name the robot that it was made for with 'robot: NAME'");
}

MultiPath stageMotion(StageContext& context, const PlacedText& given) {
  const PlanSources sources = planSources(context, true);
  if (const Trajectory* saved = sources.savedMotion(given.text)) {
    const std::optional<MultiPath>& multipath = context.findMotion(given.text)->multipath;
    return multipath ? *multipath : multiPathOf(Resource(*saved));
  }
  ResourceLoader& loader = context.loader();
  Diagnostics diagnostics;
  const std::string file = loader.find(given.text, sources.referringFile);
  const auto kind = loader.contentOf(file);
  if (!kind) throw Error("'" + given.text + "' is no motion", given.where);
  Resource motion = loader.load(*kind, file, {}, diagnostics);
  diagnostics.throwIfErrors();
  try {
    return multiPathOf(motion);
  } catch (const Error& error) {
    throw Error("'" + given.text + "': " + error.message(), given.where, error.hint());
  }
}

std::string writeRunFile(StageContext& context, const std::string& name, const Trajectory& trajectory) {
  FormatLoader writer(context.registry(), context.log());
  Diagnostics diagnostics;
  writer.write(trajectory, inRunDirectory(context, name + ".path"), diagnostics);
  return name + ".path";
}

std::string writeRunFile(StageContext& context, const std::string& name, const HermiteTrajectory& motion) {
  FormatLoader writer(context.registry(), context.log());
  Diagnostics diagnostics;
  writer.write(motion, inRunDirectory(context, name + ".json"), diagnostics);
  return name + ".json";
}

}  // namespace mortise
