#pragma once

/// A robot that executes a motion while the next one is planned: the queue of what it does, the thread that plans, and
/// when the one takes over from the other.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/planning/real_time/planning_thread.h"
#include "mortise/planning/real_time/real_time_planner.h"
#include "mortise/planning/real_time/split_time.h"
#include "mortise/timing/motion_queue.h"

namespace mortise {

struct RealTimeSessionOptions {
  SplitTimeOptions split;
  double padding = 0.005;  ///< Seconds between the end of planning and the beginning of the new motion.
  /// Planning is limited by the clock on the wall, which the caller's clock keeps pace with, and a result comes when it
  /// is there. Otherwise by iterations, and it comes when the time for it is over: the same run, bit by bit, each time.
  bool wallClock = false;
  double iterationsPerSecond = 2000;  ///< Without the clock on the wall: of the caller's seconds.
  std::uint64_t seed = 0;
};

/// Response to one target.
struct RealTimeResponse {
  double given = 0;  ///< When.
  /// Seconds from then until the robot began to move otherwise because of it, and until it was there at rest, as far as
  /// is known; negative: not yet.
  double response = -1, arrival = -1;
  int cycles = 0, splices = 0, failures = 0;
  int refusals = 0;  ///< Splices that came too late or did not fit.
  std::int64_t iterations = 0;
  /// Processor time of the thread that plans, of all cycles and the most in one; nothing else depends on it.
  double planningSeconds = 0, slowestCycle = 0;
  double largestLoad = 0;  ///< The most of a cycle, as a share of the caller's seconds that it had.
};

/// Not for several threads; has one of its own to plan on.
class RealTimeSession {
 public:
  /// `planner` outlives this and is used by nobody else. Throws `Error` for options that make no sense.
  RealTimeSession(RealTimePlanner& planner, const RealTimeSessionOptions& options);
  ~RealTimeSession();
  RealTimeSession(const RealTimeSession&) = delete;
  RealTimeSession& operator=(const RealTimeSession&) = delete;

  /// At rest at `q`, which is free, from time `now` on, without a target.
  void start(const VectorXd& q, double now);
  /// Sets the target and cancels planning for the previous one. Null: finishes the current plan, then stops.
  void setTarget(std::shared_ptr<RealTimeTarget> target, double now);
  /// Every tick, with times that do not fall: takes over what has been planned and begins the next cycle.
  void advance(double now);

  /// Returns the motion that the robot executes; evaluate it between two calls of `advance` at times from the first up
  /// to the second.
  const MotionQueue& queue() const { return queue_; }
  bool hasTarget() const { return target_ != nullptr; }
  /// Says whether what is queued ends at the target.
  bool reaches() const { return reaches_; }
  /// Says whether it ends there and there is nothing left to improve.
  bool settled() const { return settled_; }
  /// Returns the present split time: how late new motions begin.
  double split() const { return split_.seconds(); }
  const RealTimeResponse& response() const { return response_; }
  std::string_view lastRefusal() const { return spliceVerdictName(refusal_); }

  /// All but the target, which is the caller's to give again to `restore`; bit for bit, without the clock on the wall.
  void save(ByteWriter& out) const;
  /// For a session of the same planner and options. Throws `Error` for bytes that are none.
  void restore(ByteReader& in, std::shared_ptr<RealTimeTarget> target);

 private:
  void begin(double now);
  void launch(double seconds);
  void collect(double now);
  void callOff();
  RampPath remaining(double at) const;

  RealTimePlanner& planner_;
  RealTimeSessionOptions options_;
  MotionQueue queue_;
  RampPath current_;         ///< The last that was spliced in,
  double currentStart_ = 0;  ///< at this time.
  std::shared_ptr<RealTimeTarget> target_;
  RandomStream random_;
  SplitTime split_;
  bool reaches_ = false, settled_ = false;
  int quiet_ = 0;  ///< Cycles in a row that found nothing better on the way to the target.
  RealTimeResponse response_;
  SpliceResult::Verdict refusal_ = SpliceResult::Verdict::accepted;

  bool pending_ = false, stale_ = false;  ///< A cycle was begun; for a target that is no more.
  double due_ = 0;
  // What the thread works with from `begin` to `done`.
  RealTimeCycle cycle_;
  std::shared_ptr<RealTimeTarget> cycleTarget_;
  std::int64_t cycleIterations_ = 0;
  PlanningEffort::Clock::time_point deadline_;
  std::atomic<bool> cancelled_{false};
  RealTimePlan plan_;
  std::string failure_;
  double planSeconds_ = 0;
  double cycleSeconds_ = 0;  ///< That the cycle has, of the caller's.
  PlanningThread thread_;
};

}  // namespace mortise
