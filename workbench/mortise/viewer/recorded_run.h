#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "mortise/loading/format_loader.h"
#include "mortise/pipeline/simulate/command_schedule.h"
#include "mortise/plugin/registry.h"
#include "mortise/viewer/changing_session.h"
#include "mortise/viewer/live_run.h"

namespace mortise::viewer {

/// Why a log cannot go on, as a sentence; empty: it can, as it says how its simulation was made and holds states.
std::string reasonNotToResume(const std::string& logPath);

/// Makes the simulation of a log again, at one of its instants, from the last saved state before it.
class RecordedRun {
 public:
  /// Throws `Error` where the log does not say how, where its world's files are not what they were, and where there is
  /// no state before the instant. `registry`, `loader` and `log` outlive it.
  RecordedRun(const std::string& logPath, std::int64_t tick, Registry& registry, FormatLoader& loader, LogSink& log,
              LiveRunOptions options);
  ~RecordedRun();

  LiveRun& live() { return *live_; }
  Simulation& simulation() { return *simulation_; }
  /// Steps up to an instant (s) of the run, commands included.
  StepStatus advanceTo(double time);
  /// Runs under the control of pages until `stopRequested`.
  void resume();

 private:
  bool keepGoing();

  World world_;
  std::function<bool()> stopRequested_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<LiveRun> live_;
  CommandSchedule commands_;
};

/// Pages that look at a log from which the run can go on. The first message {type: go, tick} is kept for `wait`.
class RecordedSession final : public ViewSession {
 public:
  SessionKind kind() const override { return SessionKind::log; }
  std::string join(int page) override;
  std::string answer(int page, const PageMessage& message) override;
  std::optional<ViewPacket> next(int page) override;
  void leave(int page) override;

  /// Waits for a wish, at most `milliseconds`.
  std::optional<std::int64_t> wait(int milliseconds);
  /// Told to all pages.
  void setProblem(std::string text);

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  std::optional<std::int64_t> wanted_;
  std::string problem_;
  std::int64_t version_ = 0;
  std::map<int, std::int64_t> pages_;  ///< Versions of the problem that they know.
};

}  // namespace mortise::viewer
