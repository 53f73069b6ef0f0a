#pragma once

/// `--view` of commands that simulate, and what `mortise view` shares with it.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/pipeline/simulate/command_schedule.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/simulation.h"
#include "mortise/viewer/changing_session.h"
#include "mortise/viewer/live_run.h"
#include "mortise/viewer/snapshot_log.h"
#include "mortise/viewer/view_server.h"

namespace mortise::app {

/// --port, --allow-host and --no-browser.
void declareServerOptions(CommandLine& line);
/// --view and these; `help` is what the page shows.
void declareViewOptions(CommandLine& line, const std::string& help);
/// Says whether --view is given. Throws `UsageError` for options that go with it alone.
bool wantsView(const CommandLine& line);
/// Throws `UsageError`.
std::uint16_t serverPort(const CommandLine& line);
/// Gives a server the names of --allow-host. Throws `Error` for what is no name.
void allowHosts(const CommandLine& line, viewer::ViewServer& server);
/// Opens the address with the desktop's browser, if there is one and it is wanted.
void openBrowser(const CommandLine& line, const std::string& address);

/// A simulation that pages look at while it runs, on a thread of their own. The address goes to standard error.
class LiveView {
 public:
  /// `simulation` outlives it, and is where it starts.
  LiveView(const CommandLine& line, Registry& registry, Simulation& simulation, viewer::LiveRunOptions options,
           const std::string& name);
  ~LiveView();

  viewer::LiveRun& run() { return run_; }

 private:
  viewer::LiveRunOptions watched(const CommandLine& line, Registry& registry, viewer::LiveRunOptions options,
                                 const std::string& name);
  std::optional<viewer::SnapshotLog> still_;
  viewer::LiveRun run_;
  viewer::ChangingSession session_;
  viewer::ViewServer server_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

/// A view of what a command has to show one after another, on a thread of its own: simulations while they run, and
/// files in the end.
class SequenceView {
 public:
  /// The place where the address is printed: alone on standard output, or in a sentence on standard error.
  enum class Announce { output, error };

  SequenceView(const CommandLine& line, Registry& registry, std::function<bool()> stopRequested,
               Announce announce = Announce::error);
  ~SequenceView();

  /// A simulation that begins; pages go over to it. The first one waits until a page is there, for half a minute at
  /// most, or with --paused begins when a page plays it. What is returned takes the place of `Simulation::advance`.
  RunControl watch(Simulation& simulation, const std::string& name, double pace);
  /// Whatever a session shows, which outlives this or what comes next. `files` are what pages begin with.
  void show(std::vector<viewer::ViewFile> files, viewer::ViewSession* session);
  /// Serves until Ctrl-C.
  void wait();

 private:
  struct Run;
  void waitForPage() const;
  const CommandLine& line_;
  Registry& registry_;
  std::function<bool()> stopRequested_;
  Announce announce_;
  viewer::ChangingSession session_;
  std::unique_ptr<Run> run_;  ///< The last simulation.
  std::unique_ptr<viewer::ViewServer> server_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace mortise::app
