#include "simulation/controller_option.h"

#include <optional>

#include "command_line/command_line.h"
#include "command_line/failure.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/settings/permissions.h"
#include "mortise/simulation/context/component_entry.h"

namespace mortise::app {

ComponentOptions controllerFromOption(const std::string& text) {
  ComponentOptions controller;
  controller.position = onCommandLine("--controller");
  controller.type = text;
  if (!text.starts_with("{")) return controller;
  Value given = parseYaml(text, "--controller");
  setOrigin(given, Origin::commandLine);
  if (!given.contains("type")) throw UsageError("--controller takes a name, a file, or {type: NAME, setting: value}");
  Diagnostics diagnostics;
  controller = componentOptions(componentEntry(Kind::controller, given, diagnostics));
  diagnostics.throwIfErrors();
  controller.position = onCommandLine("--controller");
  return controller;
}

}  // namespace mortise::app
