#include "logs/live_view.h"

#include <chrono>
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
      .repeatedOption("allow-host", "HOST[:PORT]",
                      "answer to this name, too, as where another machine passes its port on to this one; may be given "
                      "several times. Names of this machine's own are 127.0.0.1 and localhost, at any port")
      .flag("no-browser", "do not open the browser; print the address alone");
}

void declareViewOptions(CommandLine& line, const std::string& help) {
  line.flag("view", help + "; the page stays until Ctrl-C. See docs/viewer.md");
  declareServerOptions(line);
}

bool wantsView(const CommandLine& line) {
  for (const char* option : {"port", "no-browser", "allow-host", "paused"})
    if (!line.has("view") && line.has(option)) throw UsageError("--" + std::string(option) + " goes with --view");
  if (line.has("view")) serverPort(line);  // Before anything else is done.
  return line.has("view");
}

std::uint16_t serverPort(const CommandLine& line) {
  const std::int64_t port = line.integer("port", 0);
  if (port < 0 || port > 65535) throw UsageError("--port takes 0 to 65535, not '" + line.text("port") + "'");
  return static_cast<std::uint16_t>(port);
}

void allowHosts(const CommandLine& line, viewer::ViewServer& server) {
  for (const std::string& name : line.texts("allow-host")) server.allowHost(name);
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
    : still_(std::in_place, simulation.world(), registry, line.log()),
      run_(simulation.world(), line.log(), watched(line, registry, std::move(options), name)),
      server_({{name, still_->path()}}, serverPort(line), &session_) {
  allowHosts(line, server_);
  run_.begin(simulation);
  session_.set(&run_);
  // For people and programs alike; --quiet does not leave it out, as nothing could be seen without it.
  std::fputs(("the viewer is at " + server_.address() + "\n").c_str(), stderr);
  thread_ = std::thread([this] { server_.run([this] { return ends_.load(); }); });
  openBrowser(line, server_.address());
}

/// Pages load the world again where bodies came or went.
viewer::LiveRunOptions LiveView::watched(const CommandLine& line, Registry& registry, viewer::LiveRunOptions options,
                                         const std::string& name) {
  options.registry = &registry;
  options.worldChanged = [this, &line, &registry, name](Simulation& running) {
    session_.set(nullptr);
    run_.renew(running);
    still_.emplace(running.world(), registry, line.log());
    server_.show({{name, still_->path()}});
    session_.set(&run_);
  };
  return options;
}

LiveView::~LiveView() {
  ends_ = true;
  thread_.join();
}

struct SequenceView::Run {
  World world;  ///< The simulation's own is gone after its run, which pages still look at.
  std::optional<viewer::SnapshotLog> still;
  viewer::LiveRun live;
  Run(const World& from, Registry& registry, LogSink& log, viewer::LiveRunOptions options)
      : world(from), still(std::in_place, world, registry, log), live(world, log, std::move(options)) {}
};

SequenceView::SequenceView(const CommandLine& line, Registry& registry, std::function<bool()> stopRequested,
                           Announce announce)
    : line_(line), registry_(registry), stopRequested_(std::move(stopRequested)), announce_(announce) {}

SequenceView::~SequenceView() {
  ends_ = true;
  if (thread_.joinable()) thread_.join();
}

void SequenceView::show(std::vector<viewer::ViewFile> files, viewer::ViewSession* session) {
  if (server_ != nullptr) {
    server_->show(std::move(files));
    session_.set(session);
    return;
  }
  session_.set(session);
  server_ = std::make_unique<viewer::ViewServer>(std::move(files), serverPort(line_), &session_);
  allowHosts(line_, *server_);
  if (announce_ == Announce::output)
    printAlways(server_->address() + "\n");
  else
    std::fputs(("the viewer is at " + server_->address() + "\n").c_str(), stderr);
  thread_ = std::thread([this] { server_->run([this] { return ends_.load(); }); });
  openBrowser(line_, server_->address());
}

RunControl SequenceView::watch(Simulation& simulation, const std::string& name, double pace) {
  viewer::LiveRunOptions options;
  options.speed = pace > 0 ? pace : 1;
  options.canGoBack = false;
  options.paused = run_ == nullptr && line_.has("paused");
  options.stopRequested = stopRequested_;
  options.registry = &registry_;
  // By now this is the last simulation.
  options.worldChanged = [this, name](Simulation& running) {
    session_.set(nullptr);
    run_->live.renew(running);
    run_->still.emplace(running.world(), registry_, line_.log());
    show({{name, run_->still->path()}}, &run_->live);
  };
  auto next = std::make_unique<Run>(simulation.world(), registry_, line_.log(), std::move(options));
  next->live.begin(simulation);
  show({{name, next->still->path()}}, &next->live);
  if (run_ == nullptr && !line_.has("paused")) waitForPage();
  run_ = std::move(next);
  return [run = &run_->live](Simulation& running, CommandSchedule& commands, double seconds,
                             const std::function<bool()>& keepGoing) {
    const StepStatus status = run->advance(running, commands, seconds, keepGoing);
    run->finish(running);
    return status;
  };
}

void SequenceView::waitForPage() const {
  constexpr std::chrono::seconds kPatience{30};
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!session_.wasJoined() && !stopRequested_() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void SequenceView::wait() {
  while (server_ != nullptr && !stopRequested_()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace mortise::app
