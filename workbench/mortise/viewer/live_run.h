#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/log.h"
#include "mortise/pipeline/simulate/command_schedule.h"
#include "mortise/simulation/realtime_pacer.h"
#include "mortise/simulation/simulation.h"
#include "mortise/viewer/live_feed.h"

namespace mortise::viewer {

struct LiveRunOptions {
  double speed = 1;       ///< Simulated seconds in a second; 0: as many as there can be.
  double rate = 100;      ///< States that pages get in a simulated second.
  bool canGoBack = true;  ///< False where something else records the run, whose times cannot go back.
  bool paused = false;
  std::size_t maxBytes = 32 * 1024 * 1024;  ///< Memory of the past that is kept, and again of states to go back to.
  std::function<bool()> stopRequested;      ///< Asked while the run is paused; may be empty.
  const Registry* registry = nullptr;       ///< Knows units and bounds of settings; null: pages are not told them.
  /// Called when bodies came or went, so that pages have to load the world again: uses the session no more, calls
  /// `LiveRun::renew`, and goes on. Empty: `renew` alone.
  std::function<void(Simulation&)> worldChanged;
};

/// A state that was saved as files hold it (`stateText`), at a tick.
struct PastState {
  std::int64_t tick;
  std::string state;
};

/// A simulation that pages in browsers look at and take part in: pause, play, single steps, speed, bodies pulled by a
/// spring, commands to controllers, edits of the world, and going on from an earlier time. It steps at its own pace,
/// whatever pages do. What is done to it takes effect between steps, and is done again where the run goes on from an
/// earlier time.
///
/// Messages of pages are those of `protocol/live_requests.h`.
class LiveRun final : public ViewSession {
 public:
  /// `world` and `log` outlive it.
  LiveRun(const World& world, LogSink& log, LiveRunOptions options);

  /// The state before the first step. Call from the simulation's thread, as the next two.
  void begin(Simulation& simulation);
  /// Begins as `begin` does, for a run that was recorded before and goes on from one of its instants. Pages know what
  /// was before from its log. `past` by tick; the first one is not after `tick`. Throws `Error` for states that do not
  /// fit.
  void beginFrom(Simulation& simulation, std::vector<PastState> past, std::int64_t tick);
  /// Advances as `Simulation::advance` does, under the control of pages. `commands` gets what they command; after the
  /// call the run goes on with a copy of it. `keepGoing` carries out those that are due.
  StepStatus advance(Simulation& simulation, CommandSchedule& commands, double seconds,
                     const std::function<bool()>& keepGoing);
  /// The same with the run's own commands, which it carries out itself.
  StepStatus advance(Simulation& simulation, double seconds, const std::function<bool()>& keepGoing);
  /// The run is over, and nothing goes on.
  void finish(const Simulation& simulation);
  /// After the run: waits, and goes on or back where a page wants that, until `stopRequested`.
  /// `keepGoing` as of `advance`.
  void serveAfterEnd(Simulation& simulation, const std::function<bool()>& keepGoing = {});
  /// Begins what pages see anew, with the world as it is now. No page is in between.
  void renew(Simulation& simulation);

  SessionKind kind() const override { return SessionKind::live; }
  std::string join(int page) override;
  std::string answer(int page, const PageMessage& message) override;
  std::optional<ViewPacket> next(int page) override { return feed_->next(page); }
  void leave(int page) override;

 private:
  struct PullChange {
    std::int64_t tick;
    std::optional<message::Pull> pull;
  };
  struct Snapshot {
    std::int64_t tick;
    std::string packed;  ///< `mcap::pack` of the state: pixels of cameras would fill the memory.
    bool asInFiles;      ///< True: as `stateText` has it; else as `Simulation::save` has.
    std::size_t bytes() const { return packed.size(); }
  };

  void applyMessages(Simulation& simulation);
  void applyMessages(Simulation&, const message::Play&) { setPaused(false); }
  void applyMessages(Simulation&, const message::Pause&) { setPaused(true); }
  void applyMessages(Simulation& simulation, const message::Step& step);
  void applyMessages(Simulation& simulation, const message::Speed& speed);
  void applyMessages(Simulation& simulation, const message::Pull& pull) { setPull(simulation, pull); }
  void applyMessages(Simulation& simulation, const message::Release&) { setPull(simulation, std::nullopt); }
  void applyMessages(Simulation& simulation, const message::Go& go);
  void applyMessages(Simulation& simulation, const message::Command& command);
  StepStatus run(Simulation& simulation, double seconds, const std::function<bool()>& keepGoing);
  TimedCommand commandOf(const std::string& entry) const;
  void showWorld(Simulation& simulation);
  void takeWorld(const Simulation& simulation);
  void requirePossible(const message::LiveRequest& request) const;
  void setPaused(bool paused);
  void setPull(const Simulation& simulation, std::optional<message::Pull> pull);
  void goTo(Simulation& simulation, std::int64_t wanted);
  StepStatus stepOnce(Simulation& simulation, double size);  ///< Size in seconds; 0: a whole step.
  void applyPull(Simulation& simulation) const;
  double pulledMass(int id) const;
  void keepSnapshot(const Simulation& simulation);
  void publishStatus(const Simulation& simulation);
  void publishControllers(Simulation& simulation);
  bool hasMessages() const;
  bool stops() const { return options_.stopRequested && options_.stopRequested(); }

  const World& initial_;
  std::atomic<const World*> world_;                   ///< The world that pages see.
  const World* shown_ = nullptr;                      ///< The simulation's, of which it is a copy where it was edited.
  std::vector<std::unique_ptr<const World>> worlds_;  ///< Edited ones, which pages see when the simulation is gone.
  LogSink& log_;
  LiveRunOptions options_;
  std::optional<LiveFeed> feed_;
  CommandSchedule own_{std::vector<TimedCommand>()};
  CommandSchedule* commands_ = &own_;
  NullLog nothing_;  ///< A view that falls behind the clock is no reason for a warning.
  std::optional<RealtimePacer> pacer_;
  bool paused_ = false, over_ = false;
  std::int64_t stepsLeft_ = 0;          ///< While paused.
  std::int64_t replayUntil_ = -1;       ///< Up to this tick the past is repeated: nothing waits for the clock.
  std::atomic<std::int64_t> from_{-1};  ///< Pages know from a log what was up to here; -1: there is none.
  std::int64_t published_ = -1;         ///< The last tick that pages got.
  int interval_ = 1;                    ///< Ticks between states that pages get.
  std::int64_t commandTick_ = -1;       ///< The last one at which pages commanded something.
  std::vector<Snapshot> snapshots_;
  std::size_t snapshotBytes_ = 0;
  double snapshotPeriod_ = 0.25;
  std::vector<PullChange> pulls_;  ///< By tick.

  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::vector<message::LiveRequest> messages_;
  int pullingPage_ = -1;  ///< The page that pulls.
};

}  // namespace mortise::viewer
