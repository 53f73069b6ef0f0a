#pragma once

/// `--view` of commands that simulate, and what `mortise view` shares with it.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "command_line/command_line.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/simulation.h"
#include "mortise/viewer/live_run.h"
#include "mortise/viewer/still_log.h"
#include "mortise/viewer/view_server.h"

namespace mortise::app {

/// --port and --no-browser.
void declareServerOptions(CommandLine& line);
/// Throws `UsageError`.
std::uint16_t serverPort(const CommandLine& line);
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
  viewer::StillLog still_;
  viewer::LiveRun run_;
  viewer::ViewServer server_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace mortise::app
