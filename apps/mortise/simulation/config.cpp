#include <algorithm>

#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/failure.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/pipeline/file/explain.h"
#include "simulation/pipeline_command.h"

namespace mortise::app {

namespace {

/// "1 stage", "2 stages".
std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

int configCheck(const Arguments& arguments) {
  CommandLine line("mortise config check", "find everything that is wrong with a pipeline, without running it");
  line.positional("FILE", "pipeline (.yaml)")
      .flag("strict", "treat warnings about files as errors")
      .settings()
      .withPlugins();
  if (!line.parse(arguments)) return 0;
  const std::string file = line.positionals().front();
  if (line.json()) {
    Value list = Value::list();
    Diagnostics diagnostics;
    try {
      diagnostics = CheckedPipeline(line, file, Trust::descriptions).withWorld().diagnostics();
    } catch (const Error& error) {
      diagnostics.error(error);
    }
    for (const Diagnostic& diagnostic : diagnostics.all()) list.push_back(diagnosticValue(diagnostic));
    Value result = Value::map();
    result.set("file", file);
    result.set("good", !diagnostics.hasErrors());
    result.set("problems", std::move(list));
    print(toJson(result));
    return diagnostics.hasErrors() ? 1 : 0;
  }
  CheckedPipeline checked(line, file, Trust::descriptions);
  checked.withWorld().throwIfErrors();
  printWarnings(line, checked.diagnostics());
  const int warnings = checked.diagnostics().warningCount();
  const Pipeline& pipeline = checked.pipeline();
  if (!line.quiet())
    print(file + ": no " +
          (warnings == 0 ? "problems" : "errors, " + counted(static_cast<std::size_t>(warnings), "warning")) + "; " +
          counted(pipeline.resolved.at("components").size(), "component") + ", " +
          counted(pipeline.stages.size(), "stage") + ", backend " +
          pipeline.resolved.at("simulation").at("backend").text() + "\n");
  return 0;
}

/// A value in one line.
std::string shown(const Value& value) {
  if (value.isScalar()) return value.isNull() ? "(nothing)" : value.text();
  std::string text = toJson(value, -1);
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  return text;
}

Value toValue(const SettingExplanation& explanation) {
  Value value = Value::map();
  value.set("key", explanation.key);
  if (!explanation.alias.empty()) value.set("alias", explanation.alias);
  value.set("value", explanation.value);
  if (!explanation.unit.empty()) value.set("unit", explanation.unit);
  if (!explanation.summary.empty()) value.set("summary", explanation.summary);
  Value layers = Value::list();
  for (const SettingLayer& layer : explanation.layers) {
    Value entry = Value::map();
    entry.set("layer", layer.name);
    entry.set("present", layer.present);
    entry.set("holds", layer.holds);
    if (layer.present) entry.set("value", layer.value);
    if (!layer.where.empty()) entry.set("where", layer.where);
    if (!layer.alias.empty()) entry.set("alias", layer.alias);
    layers.push_back(std::move(entry));
  }
  value.set("layers", std::move(layers));
  return value;
}

int configExplain(const Arguments& arguments) {
  CommandLine line("mortise config explain", "say which value a setting has, and where it comes from");
  line.positional("FILE", "pipeline (.yaml)")
      .positional("KEY", "setting, such as simulation.step, components.wrist.rate or stages.simulate.duration")
      .settings()
      .withPlugins();
  if (!line.parse(arguments)) return 0;
  CheckedPipeline checked(line, line.positionals()[0], Trust::descriptions);
  // A file with mistakes can still be explained; what is wrong is said on stderr.
  for (const Diagnostic& diagnostic : checked.diagnostics().all())
    line.log().write(diagnostic.severity == Severity::error ? LogLevel::error : LogLevel::warning, "mortise",
                     Error(diagnostic.message, diagnostic.where, diagnostic.hint).what());
  const SettingExplanation explanation = explainSetting(checked.pipeline(), checked.registry(), line.positionals()[1]);
  if (line.json()) {
    print(toJson(toValue(explanation)));
    return 0;
  }
  if (!explanation.alias.empty()) print("'" + explanation.alias + "' is an alias of " + explanation.key + "\n");
  const std::string unit = explanation.unit.empty() ? "" : " " + explanation.unit;
  std::string text;
  if (!explanation.below.empty()) {
    text = explanation.key + ":\n";
    std::size_t width = 0;
    for (const auto& [key, value] : explanation.below) width = std::max(width, key.size());
    for (const auto& [key, value] : explanation.below) {
      SourcePosition where = value.position();
      where.path.clear();
      std::string padded = key;
      padded.resize(width, ' ');
      text += "  " + padded + "  " + shown(value) + "  (" + (where.known() ? where.describe() : "default") + ")\n";
    }
    print(text);
    return 0;
  }
  text = explanation.key + " = " + shown(explanation.value) + (explanation.value.isNumber() ? unit : "") + "\n";
  if (!explanation.summary.empty()) text += "  " + explanation.summary + "\n";
  std::size_t width = 0;
  for (const SettingLayer& layer : explanation.layers) width = std::max(width, layer.name.size());
  for (const SettingLayer& layer : explanation.layers) {
    std::string name = layer.name;
    name.resize(width, ' ');
    text += std::string(layer.holds ? "  > " : "    ") + name + "  " +
            (layer.present ? shown(layer.value) : std::string("-")) +
            (layer.alias.empty() ? "" : ", as '" + layer.alias + "'") +
            (layer.where.empty() ? "" : "  (" + layer.where + ")") + "\n";
  }
  print(text);
  return 0;
}

}  // namespace

int configCommand(const Arguments& arguments) {
  static const CommandGroup group(
      "mortise config", "check a pipeline, explain where a setting comes from",
      {{"check", configCheck, "FILE", "find everything that is wrong with a pipeline, without running it"},
       {"explain", configExplain, "FILE KEY", "say which value a setting has, and where it comes from"}});
  return group.run(arguments);
}

}  // namespace mortise::app
