#include "logs/live_view.h"

#include <cstdio>
#include <cstdlib>
#include <spawn.h>
#include <sys/wait.h>
#include <vector>

#include "mortise/base/error.h"

extern char** environ;

namespace mortise::app {

void declareServerOptions(CommandLine& line) {
  line.option("port", "N", "port of the viewer on 127.0.0.1 (default: any that is free)")
      .flag("no-browser", "do not open the browser; print the address alone");
}

std::uint16_t serverPort(const CommandLine& line) {
  const std::int64_t port = line.integer("port", 0);
  if (port < 0 || port > 65535) throw UsageError("--port takes 0 to 65535, not '" + line.text("port") + "'");
  return static_cast<std::uint16_t>(port);
}

void openBrowser(const CommandLine& line, const std::string& address) {
  if (line.has("no-browser")) return;
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  std::vector<std::string> words = {"xdg-open", address};
  char* arguments[] = {words[0].data(), words[1].data(), nullptr};
  pid_t process = 0;
  if (::posix_spawnp(&process, "xdg-open", nullptr, nullptr, arguments, environ) == 0) {
    int status = 0;
    ::waitpid(process, &status, 0);
  }
}

LiveView::LiveView(const CommandLine& line, Registry& registry, Simulation& simulation, viewer::LiveRunOptions options,
                   const std::string& name)
    : still_(simulation.world(), registry, line.log()),
      run_(simulation.world(), line.log(), std::move(options)),
      server_({{name, still_.path()}}, serverPort(line), &run_) {
  run_.begin(simulation);
  // For people and programs alike; --quiet does not leave it out, as nothing could be seen without it.
  std::fputs(("the viewer is at " + server_.address() + "\n").c_str(), stderr);
  thread_ = std::thread([this] { server_.run([this] { return ends_.load(); }); });
  openBrowser(line, server_.address());
}

LiveView::~LiveView() {
  ends_ = true;
  thread_.join();
}

}  // namespace mortise::app
