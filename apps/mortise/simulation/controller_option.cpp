#include "simulation/controller_option.h"

#include <optional>

#include "command_line/command_line.h"
#include "command_line/failure.h"
#include "mortise/base/error.h"
#include "mortise/base/units.h"
#include "mortise/base/value_text.h"
#include "mortise/settings/permissions.h"

namespace mortise::app {

ComponentOptions controllerFromOption(const std::string& text) {
  ComponentOptions controller;
  controller.position = onCommandLine("--controller");
  controller.type = text;
  if (!text.starts_with("{")) return controller;
  controller.settings = parseYaml(text, "--controller");
  setOrigin(controller.settings, Origin::commandLine);
  const Value* type = controller.settings.find("type");
  if (type == nullptr) throw UsageError("--controller takes a name, a file, or {type: NAME, setting: value}");
  controller.type = type->asString();
  if (const Value* rate = controller.settings.find("rate")) {
    std::string problem;
    const auto hertz = rate->isNumber() ? std::optional(rate->asReal()) : parseQuantity(rate->text(), "Hz", problem);
    if (!hertz || !(*hertz > 0))
      throw Error("'rate' is " + rate->text(), rate->position(), "write a rate such as 500 Hz");
    controller.rate = *hertz;
  }
  controller.settings.erase("type");
  controller.settings.erase("rate");
  return controller;
}

}  // namespace mortise::app
