#include <algorithm>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command_line/command_line.h"
#include "command_line/configuration_options.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "commands.h"
#include "mortise/base/error.h"
#include "mortise/component/recorder.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/logs/log_world.h"
#include "mortise/render/world_renderer.h"
#include "mortise/simulation/components/component_host.h"
#include "mortise/viewer/view_server.h"

extern char** environ;

namespace mortise::app {

namespace {

namespace fs = std::filesystem;

/// A folder that is gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "mortise_view_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error("no temporary folder can be made", {}, "check TMPDIR");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code code;
    fs::remove_all(path_, code);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// A log of one instant, of a world that does not move.
void writeStill(const World& world, Registry& registry, LogSink& log, const std::string& file) {
  ChannelTable channels;
  ComponentHost host("viewer", 0, log, nullptr, channels, {}, {});
  const ComponentInfo& info = registry.require(Kind::recorder, "mcap");
  Value settings = Value::map();
  settings.set("file", file);
  settings.set("foxglove", false);
  Diagnostics diagnostics;
  settings = registry.completeSettings(info, settings, diagnostics);
  diagnostics.throwIfErrors();
  const ComponentPtr<Recorder> recorder = registry.create<Recorder>(info, settings, host);
  const render::StillView still(world);
  recorder->open({world, "", "", {"robots", "objects"}});
  recorder->write(still.view());
  recorder->finish(Value::map());
  recorder->close();
}

/// The logs in a run's folder, by their names.
std::vector<viewer::ViewFile> logsOfFolder(const fs::path& folder) {
  std::vector<viewer::ViewFile> logs;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".mcap") logs.push_back({entry.path().stem().string(), entry.path().string()});
  std::sort(logs.begin(), logs.end(),
            [](const viewer::ViewFile& a, const viewer::ViewFile& b) { return a.path < b.path; });
  if (logs.empty())
    throw Error("the folder '" + folder.string() + "' holds no log", {}, "record the run with the recorder mcap");
  return logs;
}

/// Opens the address with the desktop's browser, if there is one.
void openBrowser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  std::vector<std::string> words = {"xdg-open", address};
  char* arguments[] = {words[0].data(), words[1].data(), nullptr};
  pid_t process = 0;
  if (::posix_spawnp(&process, "xdg-open", nullptr, nullptr, arguments, environ) == 0) {
    int status = 0;
    ::waitpid(process, &status, 0);
  }
}

}  // namespace

int viewCommand(const Arguments& arguments) {
  CommandLine line("mortise view", "look at worlds, robots and recorded runs in the browser");
  line.positional("FILE",
                  "logs (.mcap) or run folders, shown over each other; or a world, or robots, objects and "
                  "terrains to put together",
                  1, -1)
      .option("port", "N", "port on 127.0.0.1 (default: any that is free)")
      .flag("no-browser", "do not open the browser; print the address alone")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins()
      .epilog(
          "Prints the address, with a token that keeps others out, and serves it until Ctrl-C.\n"
          "Space plays and pauses, arrows step, Home and End go to the ends, f shows everything.\n\n"
          "Examples:\n"
          "  mortise view data/worlds/blocks.xml\n"
          "  mortise sim data/worlds/blocks.xml --duration 2 --mcap run.mcap && mortise view run.mcap\n"
          "  mortise view ode.mcap bullet.mcap\n");
  declareConfigurations(line, "the world's");
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  const std::int64_t port = line.integer("port", 0);
  if (port < 0 || port > 65535) throw UsageError("--port takes 0 to 65535, not '" + line.text("port") + "'");
  std::vector<viewer::ViewFile> files;
  std::vector<std::string> others;
  for (const std::string& file : line.positionals()) {
    std::error_code code;
    if (fs::is_directory(file, code))
      for (viewer::ViewFile& log : logsOfFolder(file)) files.push_back(std::move(log));
    else if (fs::path(file).extension() == ".mcap")
      files.push_back({fs::path(file).stem().string(), file});
    else
      others.push_back(file);
  }
  if (!files.empty() && !others.empty())
    throw UsageError("a log and a world cannot be shown together: view one of them at a time");
  TemporaryFolder folder;
  if (!others.empty()) {
    const auto registry = line.makeRegistry();
    FormatLoader loader(*registry, line.log(), resourcePath(line));
    Diagnostics diagnostics;
    diagnostics.setStrict(line.has("strict"));
    World world = assembleWorld(loader, others, diagnostics);
    if (!diagnostics.hasErrors()) readConfigurations(line, loader, world, diagnostics);
    printWarnings(line, diagnostics);
    diagnostics.throwIfErrors();
    const std::string file = (folder.path() / "still.mcap").string();
    writeStill(world, *registry, line.log(), file);
    files.push_back({fs::path(others.front()).stem().string(), file});
  }
  for (const viewer::ViewFile& file : files) {
    mcap::Reader reader(file.path);
    const logs::LogWorld world(reader);  // Throws for what the page could not show.
    if (!reader.damage().empty()) line.log().write(LogLevel::warning, "mortise", file.path + " " + reader.damage());
  }
  viewer::ViewServer server(std::move(files), static_cast<std::uint16_t>(port));
  const InterruptGuard interrupt;
  print(server.address() + "\n");
  if (!line.has("no-browser")) openBrowser(server.address());
  server.run(interrupt.asked());
  return 0;
}

}  // namespace mortise::app
