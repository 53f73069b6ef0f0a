#include <algorithm>
#include <cctype>
#include <cmath>

#include "command_line/command_line.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/inspect/physics_capabilities.h"
#include "mortise/json/json_writer.h"
#include "mortise/text/suggest.h"
#include "plugins/component_kinds.h"
#include "plugins/plugins_commands.h"

namespace mortise::app {

std::string typeText(const Parameter& parameter) {
  const std::string_view name = parameterTypeName(parameter.type);
  if (!name.ends_with("_list")) return std::string(name);
  const std::string count = parameter.options.size >= 0 ? std::to_string(parameter.options.size) + " " : "";
  return "list of " + count + std::string(name.substr(0, name.size() - 5)) + " values";
}

std::string defaultText(const Parameter& parameter) {
  const Value& value = parameter.defaultValue;
  if (value.isNull()) return {};
  return value.isString() && value.asString().empty() ? "\"\"" : toJson(value, -1);
}

namespace {

/// A bound of 100000 reads better than 1e+05.
std::string boundText(double bound) {
  const bool full = std::abs(bound) < 1e9 && bound == std::floor(bound);
  return full ? std::to_string(static_cast<std::int64_t>(bound)) : formatReal(bound);
}

}  // namespace

std::string boundsText(const Parameter& parameter) {
  const double min = parameter.options.min, max = parameter.options.max;
  const bool hasMin = min > -std::numeric_limits<double>::infinity();
  const bool hasMax = max < std::numeric_limits<double>::infinity();
  if (hasMin && hasMax) return boundText(min) + " to " + boundText(max);
  if (hasMin) return ">= " + boundText(min);
  if (hasMax) return "<= " + boundText(max);
  return {};
}

std::string trim(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.erase(0, text.find_first_not_of('\n') == std::string::npos ? text.size() : text.find_first_not_of('\n'));
}

std::string attributeLabel(Kind kind, const std::string& attribute) {
  if (kind == Kind::controller && attribute == "estimator") return "Default estimator";
  if (attribute == "role_names") return "Called in these roles";
  std::string label = attribute;
  if (!label.empty()) label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
  return label;
}

std::string parameterTraits(const Parameter& parameter) {
  std::string text = typeText(parameter);
  if (!parameter.options.unit.empty()) text += ", " + parameter.options.unit;
  if (parameter.options.required) text += ", required";
  if (const std::string value = defaultText(parameter); !value.empty()) text += ", default " + value;
  if (const std::string bounds = boundsText(parameter); !bounds.empty()) text += ", " + bounds;
  if (!parameter.options.choices.empty()) text += ", one of: " + nameList(parameter.options.choices, 100);
  if (parameter.options.changeable) text += ", can change while running";
  if (!parameter.options.aliases.empty()) text += ", also written: " + nameList(parameter.options.aliases);
  return text;
}

namespace {

std::string version(InterfaceVersion interface) {
  return std::to_string(interface.major) + "." + std::to_string(interface.minor);
}

}  // namespace

Value componentValue(const ComponentInfo& info) {
  Value value = componentNames(info);
  value.set("summary", info.summary);
  value.set("documentation", info.documentation);
  value.set("interface", version(info.interface));
  value.set("package", info.package);
  value.set("version", info.version);
  value.set("library", info.library);
  value.set("origin", info.origin);
  value.set("schema", info.schema.toValue());
  value.set("attributes", info.attributes);
  return value;
}

namespace {

std::string settingLines(const Schema& schema) {
  std::string text;
  for (const auto& parameter : schema.parameters())
    text += "  " + parameter.name + ": " + parameterTraits(parameter) + "\n      " + parameter.summary + "\n";
  return text;
}

std::string asText(const ComponentInfo& info, Registry& registry, LogSink& log) {
  const std::string kind(kindName(info.kind));
  std::string text = info.name + " (" + kind + ")\n  " + info.summary + "\n";
  if (!info.aliases.empty()) text += "\nAlso called: " + nameList(info.aliases) + "\n";
  if (info.attributes.isMap() && info.attributes.size() > 0) text += "\n";
  for (const auto& entry : info.attributes.entries())
    text += attributeLabel(info.kind, entry.key) + ": " +
            (entry.value.isString() ? entry.value.asString() : toJson(entry.value, -1)) + "\n";
  if (!info.documentation.empty()) text += "\n" + trim(info.documentation) + "\n";
  text +=
      info.schema.empty() && !info.schema.otherKeysAllowed() ? "\nIt has no settings of its own.\n" : "\nSettings:\n";
  text += settingLines(info.schema);
  if (info.schema.otherKeysAllowed()) text += "  Other keys are accepted as well.\n";
  if (const Schema common = runtimeSettings(info.kind); !common.empty())
    text += "\nNext to these, what every " + kind + " takes:\n" + settingLines(common);
  if (info.kind == Kind::physics)
    text += "\nCapabilities, with the default settings:\n" + capabilitiesText(physicsCapabilities(registry, info, log));
  text += "\nPackage:   " + info.package + " " + info.version + "\nLibrary:   " + info.library + " (" + info.origin +
          ")\nInterface: " + kind + " " + version(info.interface) + "\n";
  for (const auto& shadowed : registry.shadowed())
    if (shadowed.hidden.kind == info.kind && shadowed.hidden.name == info.name)
      text += "Hides:     " + shadowed.hidden.library + " (" + shadowed.hidden.origin + ", version " +
              shadowed.hidden.version + ")\n";
  return text;
}

}  // namespace

int pluginsInfo(const Arguments& arguments) {
  CommandLine line("mortise plugins info", "explain a component: what it does, its settings, where it comes from");
  line.positional("NAME", "name or alias of a component");
  line.option("kind", "KIND", "which one is meant when components of several kinds share the name");
  line.componentValues("NAME").values("kind", kindNames()).withPlugins();
  if (!line.parse(arguments)) return 0;
  const auto registry = line.makeRegistry();
  const std::string& name = line.positionals().front();

  std::optional<Kind> wanted;
  if (line.has("kind")) wanted = parseKind(line.text("kind"));
  std::vector<const ComponentInfo*> found;
  for (int i = 0; i < kNumKinds; ++i) {
    if (wanted && *wanted != static_cast<Kind>(i)) continue;
    if (const auto* info = registry->find(static_cast<Kind>(i), name)) found.push_back(info);
  }
  if (found.empty()) {
    if (wanted) registry->require(*wanted, name);
    std::vector<std::string> candidates;
    for (const auto& info : registry->components()) {
      candidates.push_back(info.name);
      candidates.insert(candidates.end(), info.aliases.begin(), info.aliases.end());
    }
    for (int i = 0; i < kNumKinds; ++i) {
      const std::string refusal = registry->refusalOf(static_cast<Kind>(i), name);
      if (!refusal.empty()) throw Error(refusal, {}, "`mortise plugins doctor` examines every plugin");
    }
    const std::string nearest = didYouMean(name, candidates);
    throw Error("there is no component named '" + name + "'\n  looked in: " + nameList(registry->placesSearched()), {},
                nearest.empty() ? "`mortise plugins list` shows what there is" : nearest);
  }
  if (line.json()) {
    Value list = Value::list();
    for (const auto* info : found) {
      list.push_back(componentValue(*info));
      if (info->kind == Kind::physics)
        list.items().back().set("capabilities", physicsCapabilities(*registry, *info, line.log()));
    }
    print(toJson(list) + "\n");
    return 0;
  }
  std::string text;
  for (const auto* info : found) text += (text.empty() ? "" : "\n") + asText(*info, *registry, line.log());
  print(text);
  return 0;
}

}  // namespace mortise::app
