#include <algorithm>
#include <filesystem>

#include "command_line/command_line.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/text/suggest.h"
#include "plugins/component_kinds.h"
#include "plugins/plugins_commands.h"

namespace mortise::app {

namespace {

Value listed(const ComponentInfo& info) {
  Value value = componentNames(info);
  value.set("library", info.library);
  value.set("version", info.version);
  value.set("summary", info.summary);
  return value;
}

}  // namespace

int pluginsList(const Arguments& arguments) {
  CommandLine line("mortise plugins list", "list every component that can be named in a file");
  line.option("kind", "KIND", "only components of this kind, such as controller");
  line.values("kind", kindNames()).withPlugins();
  line.epilog("Opens no library that has a side-car manifest.");
  if (!line.parse(arguments)) return 0;
  std::optional<Kind> kind;
  if (line.has("kind")) kind = parseKind(line.text("kind"));

  const auto registry = line.makeRegistry();
  std::vector<const ComponentInfo*> shown;
  for (const auto& info : registry->components())
    if (!kind || info.kind == *kind) shown.push_back(&info);

  if (line.json()) {
    Value list = Value::list();
    for (const auto* info : shown) list.push_back(listed(*info));
    print(toJson(list) + "\n");
    return 0;
  }
  std::size_t width = 0;
  for (const auto* info : shown) width = std::max(width, info->name.size());
  std::string text;
  const ComponentInfo* previous = nullptr;
  for (const auto* info : shown) {
    if (previous == nullptr || previous->kind != info->kind)
      text += (previous == nullptr ? "" : "\n") + std::string(kindName(info->kind)) + "\n";
    previous = info;
    std::string name = info->name;
    name.resize(width, ' ');
    text += "  " + name + "  " + info->summary + "\n";
  }
  if (shown.empty())
    line.log().write(LogLevel::info, "plugins",
                     "no component was found; looked in: " + nameList(registry->placesSearched()));
  else
    text += "\n" + std::to_string(shown.size()) + " components; `mortise plugins info NAME` explains one\n";
  print(text);
  return 0;
}

}  // namespace mortise::app
