#include <filesystem>

#include "command_line.h"
#include "mortise/base/error.h"
#include "mortise/base/resources.h"
#include "mortise/base/value_text.h"
#include "plugins_commands.h"

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

std::string trim(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string code(const std::string& text) { return text.empty() ? std::string() : "`" + text + "`"; }

std::string codeList(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + code(name);
  return text;
}

std::string pageName(const ComponentInfo& info) { return std::string(kindName(info.kind)) + "-" + info.name + ".md"; }

std::string attributeText(const Value& value) {
  return value.isList() ? codeList(value.asStrings()) : code(toJson(value, -1));
}

std::string page(const ComponentInfo& info) {
  std::string text = "# " + info.name + "\n\n" + info.summary + "\n\n";
  text += "| | |\n|---|---|\n";
  text += "| Kind | " + std::string(kindName(info.kind)) + " |\n";
  if (!info.aliases.empty()) text += "| Also called | " + codeList(info.aliases) + " |\n";
  text += "| Plugin | " + cell(info.package) + " " + cell(info.version) + " |\n";
  text += "| Interface | " + std::to_string(info.interface.major) + "." + std::to_string(info.interface.minor) + " |\n";
  for (const auto& entry : info.attributes.entries())
    text += "| " + cell(entry.key) + " | " + cell(attributeText(entry.value)) + " |\n";
  if (!info.documentation.empty()) text += "\n" + trim(info.documentation) + "\n";
  text += "\n## Parameters\n\n";
  if (info.schema.empty()) {
    text += info.schema.otherKeysAllowed() ? "Any key is accepted.\n" : "It has none.\n";
    return text;
  }
  text += "| Name | Type | Unit | Default | Bounds or choices | Meaning |\n|---|---|---|---|---|---|\n";
  for (const auto& parameter : info.schema.parameters()) {
    const auto& options = parameter.options;
    std::string name = code(parameter.name);
    if (!options.aliases.empty()) name += " (also " + codeList(options.aliases) + ")";
    std::string allowed = boundsText(parameter);
    if (!options.choices.empty()) allowed += (allowed.empty() ? "" : "; ") + codeList(options.choices);
    text += "| " + cell(name) + " | " + cell(typeText(parameter)) + " | " + cell(options.unit) + " | " +
            cell(options.required ? "required" : code(defaultText(parameter))) + " | " + cell(allowed) + " | " +
            cell(parameter.summary) + " |\n";
  }
  if (info.schema.otherKeysAllowed()) text += "\nOther keys are accepted as well.\n";
  return text;
}

std::string index(const std::vector<ComponentInfo>& components) {
  std::string text =
      "# Components\n\nEvery component that this installation offers, by kind. Written by `mortise plugins docs`.\n";
  const ComponentInfo* previous = nullptr;
  for (const auto& info : components) {
    if (previous == nullptr || previous->kind != info.kind)
      text += "\n## " + std::string(kindName(info.kind)) + "\n\n| Name | Also called | Plugin | |\n|---|---|---|---|\n";
    previous = &info;
    text += "| [" + info.name + "](" + pageName(info) + ") | " + codeList(info.aliases) + " | " + cell(info.package) +
            " | " + cell(info.summary) + " |\n";
  }
  return text;
}

}  // namespace

int pluginsDocs(const Arguments& arguments) {
  CommandLine line("mortise plugins docs", "write a reference page for each component, in Markdown, and an index");
  line.option("output", "DIR", "folder to write to (default: docs/components)");
  line.withPlugins();
  if (!line.parse(arguments)) return 0;
  const auto registry = line.makeRegistry();
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
