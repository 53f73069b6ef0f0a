#include <filesystem>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "logs/shown_files.h"
#include "mortise/base/files.h"
#include "mortise/json/json_writer.h"
#include "mortise/mcap/reader.h"
#include "mortise/viewer/viewer_page.h"

namespace mortise::app {

int logHtmlCommand(const Arguments& arguments) {
  CommandLine line("mortise log html", "write logs as one page that any browser opens, without a server or a network");
  line.positional("FILE", "a log; several are shown over each other", 1, -1)
      .option("output,o", "FILE", "the page to write, such as run.html")
      .epilog("Example:\n  mortise log html run.mcap -o run.html\n");
  if (!line.parse(arguments)) return 0;
  if (!line.has("output")) throw UsageError("missing --output FILE");
  std::vector<std::pair<std::string, std::string>> logs;
  std::vector<std::pair<std::string, bool>> logsHoldWorld;
  for (const std::string& file : line.positionals()) {
    mcap::Reader reader(file);
    logsHoldWorld.emplace_back(file, checkShownLog(line, reader));
    std::string name = std::filesystem::path(file).stem().string();
    for (const auto& [other, path] : logs)
      if (other == name) name = file;
    logs.emplace_back(name, file);
  }
  checkShownTogether(logsHoldWorld);
  const std::string output = line.text("output");
  writeFile(output, viewer::pageWithLogs(logs));
  if (line.json()) {
    Value result = Value::map();
    result.set("file", output);
    print(toJson(result) + "\n");
  } else if (!line.quiet()) {
    print(output + "\n");
  }
  return 0;
}

}  // namespace mortise::app
