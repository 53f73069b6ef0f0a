#include <cctype>
#include <filesystem>

#include "command_line/command_line.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/json/json_writer.h"
#include "plugins/component_kinds.h"
#include "plugins/plugins_commands.h"

namespace mortise::app {

namespace {

/// Text in a cell of a Markdown table.
std::string cell(std::string text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string code(const std::string& text) { return text.empty() ? std::string() : "`" + text + "`"; }

std::string codeList(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + code(name);
  return text;
}

std::string pageName(const ComponentInfo& info) { return std::string(kindName(info.kind)) + "-" + info.name + ".md"; }

std::string attributeText(const Value& value) {
  if (value.isList()) return codeList(value.asStrings());
  return code(value.isString() ? value.asString() : toJson(value, -1));
}

/// One row a setting; columns in which nothing would stand are left out.
std::string settingsTable(const Schema& schema) {
  bool units = false, allowed = false;
  for (const auto& parameter : schema.parameters()) {
    units = units || !parameter.options.unit.empty();
    allowed = allowed || !boundsText(parameter).empty() || !parameter.options.choices.empty();
  }
  const auto row = [&](const std::string& name, const std::string& type, const std::string& unit,
                       const std::string& value, const std::string& bounds, const std::string& meaning) {
    return "| " + name + " | " + type + (units ? " | " + unit : "") + " | " + value + (allowed ? " | " + bounds : "") +
           " | " + meaning + " |\n";
  };
  std::string text = row("Name", "Type", "Unit", "Default", "Bounds or choices", "Meaning");
  text += "|---|---|---|---|" + std::string(units ? "---|" : "") + (allowed ? "---|" : "") + "\n";
  for (const auto& parameter : schema.parameters()) {
    const auto& options = parameter.options;
    std::string name = code(parameter.name);
    if (!options.aliases.empty()) name += " (also " + codeList(options.aliases) + ")";
    std::string bounds = boundsText(parameter);
    if (!options.choices.empty()) bounds += (bounds.empty() ? "" : "; ") + codeList(options.choices);
    const std::string standard = defaultText(parameter);
    text += row(cell(name), cell(typeText(parameter)), cell(options.unit),
                options.required   ? "required"
                : standard.empty() ? "none"
                                   : cell(code(standard)),
                cell(bounds), cell(parameter.summary));
  }
  return text;
}

std::string namesOf(const Schema& schema) {
  std::vector<std::string> names;
  for (const auto& parameter : schema.parameters()) names.push_back(parameter.name);
  return codeList(names);
}

std::string page(const ComponentInfo& info) {
  const std::string kind(kindName(info.kind));
  const std::string section = "README.md#" + kind;
  std::string text = "# " + info.name + "\n\n" + info.summary + "\n\n";
  std::string plural = kindPlural(info.kind);
  plural[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(plural[0])));
  text += "One of the [" + plural + "](" + section + "), called " +
          (info.aliases.empty() ? "" : codeList(info.aliases) + " or ") + code(info.name) + ".\n";
  if (info.attributes.isMap() && info.attributes.size() > 0) {
    text += "\n| | |\n|---|---|\n";
    for (const auto& entry : info.attributes.entries())
      text += "| " + cell(attributeLabel(info.kind, entry.key)) + " | " + cell(attributeText(entry.value)) + " |\n";
  }
  if (!info.documentation.empty()) text += "\n" + trim(info.documentation) + "\n";
  text += "\n## Settings\n\n";
  if (info.schema.empty())
    text += info.schema.otherKeysAllowed() ? "Any key is accepted.\n" : "It has none of its own.\n";
  else
    text += settingsTable(info.schema) + (info.schema.otherKeysAllowed() ? "\nOther keys are accepted as well.\n" : "");
  if (const Schema common = runtimeSettings(info.kind); !common.empty())
    text += "\nNext to these stands what [every " + kind + "](" + section + ") takes: " + namesOf(common) + ".\n";
  text += "\n## Where it comes from\n\nPlugin " + code(info.package) + " " + info.version + ", written for interface " +
          kind + " " + std::to_string(info.interface.major) + "." + std::to_string(info.interface.minor) + ".\n";
  return text;
}

std::string index(const std::vector<ComponentInfo>& components) {
  std::string text =
      "# Components\n\nEvery component that this installation offers, by kind, and what all of a kind have in common. "
      "Written by `mortise plugins docs`.\n\n";
  std::string body;
  const ComponentInfo* previous = nullptr;
  for (const auto& info : components) {
    if (previous == nullptr || previous->kind != info.kind) {
      const std::string kind(kindName(info.kind));
      text += "- [" + kindPlural(info.kind) + "](#" + kind + ")\n";
      body += "\n## " + kind + "\n\n" + kindPurpose(info.kind) + "\n";
      if (const std::string usage = kindUsage(info.kind); !usage.empty()) body += "\n" + usage;
      if (const Schema common = runtimeSettings(info.kind); !common.empty())
        body += "\nEvery " + kind + " takes, next to its own settings:\n\n" + settingsTable(common);
      body += "\n| Name | Also called | Plugin | |\n|---|---|---|---|\n";
    }
    previous = &info;
    body += "| [" + info.name + "](" + pageName(info) + ") | " + codeList(info.aliases) + " | " + cell(info.package) +
            " | " + cell(info.summary) + " |\n";
  }
  return text + body;
}

}  // namespace

int pluginsDocs(const Arguments& arguments) {
  CommandLine line("mortise plugins docs", "write a reference page for each component, in Markdown, and an index");
  line.option("output", "DIR", "folder to write to (default: docs/components)");
  line.withPlugins().epilog(
      "With --json, all components are printed as a list, each as `mortise plugins info --json` has it, and pages are\n"
      "written only where --output says.\n");
  if (!line.parse(arguments)) return 0;
  const auto registry = line.makeRegistry();
  if (line.json()) {
    Value list = Value::list();
    for (const auto& info : registry->components()) list.push_back(componentValue(info));
    print(toJson(list));
    if (!line.has("output")) return 0;
  }
  const std::filesystem::path folder = line.text("output", "docs/components");
  std::error_code ec;
  std::filesystem::create_directories(folder, ec);
  if (ec)
    throw Error("cannot make the folder '" + folder.string() + "': " + ec.message(), {},
                "give a folder that can be written with --output");
  for (const auto& info : registry->components()) writeFile((folder / pageName(info)).string(), page(info));
  writeFile((folder / "README.md").string(), index(registry->components()));
  line.log().write(LogLevel::info, "plugins",
                   "wrote " + std::to_string(registry->components().size()) + " pages to " + folder.string());
  return 0;
}

}  // namespace mortise::app
