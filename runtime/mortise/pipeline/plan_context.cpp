#include "mortise/pipeline/plan_context.h"

#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/plugin/format_loader.h"

namespace mortise {

PlanSources planSources(StageContext& context, bool running) {
  PlanSources sources{
      context.world(), context.loader(), &context.registry(), context.pipeline().string("file", ""), {}, {}};
  sources.savedMotion = [&context, running](std::string_view name) -> const Trajectory* {
    const Trajectory* saved = context.findTrajectory(name);
    if (saved == nullptr && running && context.findResult(name) != nullptr)
      throw Error("'" + std::string(name) + "' is a result of an earlier stage, but no motion", {},
                  "name what a stage saves as a motion, or a file");
    return saved;
  };
  if (!running)
    sources.promised = [&context](std::string_view name) {
      if (context.findResult(name) != nullptr) return true;
      refuseLaterResult(context, std::string(name), {});
      return false;
    };
  return sources;
}

void refuseLaterResult(StageContext& context, const std::string& name, const SourcePosition& where) {
  if (context.findResult(name) != nullptr || context.findTrajectory(name) != nullptr) return;
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
    throw Error("'" + name + "' is not there yet: it is what the stage '" + entry.key + "'" +
                    (line > 0 ? " in line " + std::to_string(line) : "") + " saves",
                where, "put that stage before this one");
  }
}

std::shared_ptr<const World> worldOf(const StageContext& context) {
  return {std::shared_ptr<const World>(), &context.world()};
}

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
  const auto take = [&](const std::string& key) {
    if (const Value* value = settings.find(key); value != nullptr && !value->isNull())
      problem.entries().push_back({key, *value, value->position()});
  };
  for (const Parameter& parameter : planSpaceSchema().parameters()) take(parameter.name);
  take("objective");
  return problem;
}

namespace {

std::string inRunDirectory(const StageContext& context, const std::string& file) {
  return (std::filesystem::path(context.runDirectory()) / file).string();
}

}  // namespace

std::string writeRunFile(StageContext& context, const std::string& name, const Trajectory& trajectory) {
  FormatLoader writer(context.registry(), context.log());
  writer.writeTrajectory(trajectory, inRunDirectory(context, name + ".path"));
  return name + ".path";
}

std::string writeRunFile(StageContext& context, const std::string& name, const HermiteTrajectory& motion) {
  FormatLoader writer(context.registry(), context.log());
  Diagnostics diagnostics;
  writer.writeResource(motion, inRunDirectory(context, name + ".json"), diagnostics);
  return name + ".json";
}

}  // namespace mortise
