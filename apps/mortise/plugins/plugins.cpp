#include "command_line/command_group.h"
#include "command_line/commands.h"
#include "plugins/plugins_commands.h"

namespace mortise::app {

int pluginsCommand(const Arguments& arguments) {
  static const CommandGroup group(
      "mortise plugins", "list, explain and examine plugins",
      {{"list", pluginsList, "", "list every component that can be named in a file"},
       {"info", pluginsInfo, "NAME", "explain a component and its parameters"},
       {"doctor", pluginsDoctor, "[LIBRARY...]", "examine every plugin library"},
       {"describe", pluginsDescribe, "LIBRARY", "print or write a library's side-car manifest"},
       {"docs", pluginsDocs, "", "write reference pages for all components"},
       {"probe", pluginsProbe, "", ""}});
  return group.run(arguments);
}

}  // namespace mortise::app
