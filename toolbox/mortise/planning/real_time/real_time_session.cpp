#include "mortise/planning/real_time/real_time_session.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <limits>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/planning/real_time/moving_ramps.h"

namespace mortise {

namespace {

/// Cycles in a row that find nothing better, after which a motion to the target is left as it is.
constexpr int kQuietCycles = 3;

/// Processor time of this thread, s.
double threadTime() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void requireOptions(const RealTimeSessionOptions& options) {
  options.split.check();
  if (const double rate = options.iterationsPerSecond; !(rate > 0) || !std::isfinite(rate))
    throw Error("the number of iterations a second must be above 0, not " + formatReal(rate));
  const double minimum = options.split.smallest();
  if (!(options.padding >= 0) || !(options.padding < minimum))
    throw Error("the padding must be at least 0 and less than the split time, " + formatReal(minimum) + ", not " +
                formatReal(options.padding));
}

}  // namespace

RealTimeSession::RealTimeSession(RealTimePlanner& planner, const RealTimeSessionOptions& options)
    : planner_(planner), options_(options), split_(options.split), thread_([this] {
        const double start = threadTime();
        failure_.clear();
        plan_ = RealTimePlan();
        try {
          PlanningEffort effort(cycleIterations_, &cancelled_, deadline_);
          plan_ = planner_.plan(cycle_, *cycleTarget_, effort);
        } catch (const std::exception& error) {
          failure_ = error.what();
        }
        planSeconds_ = threadTime() - start;
      }) {
  requireOptions(options);
}

RealTimeSession::~RealTimeSession() { cancelled_ = true; }

void RealTimeSession::start(const VectorXd& q, double now) {
  callOff();
  thread_.wait();
  pending_ = stale_ = false;
  queue_.reset(q, planner_.limits(), now);
  current_ = restingPath(q);
  currentStart_ = now;
  target_.reset();
  random_ = RandomStream(options_.seed, "real-time cycles");
  split_.start();
  reaches_ = settled_ = false;
  quiet_ = 0;
  response_ = {};
}

/// The cycle that was begun ends soon, and nothing comes of it.
void RealTimeSession::callOff() {
  if (!pending_) return;
  cancelled_ = true;
  stale_ = true;
  if (options_.wallClock) return;
  thread_.wait();
  pending_ = false;
}

void RealTimeSession::setTarget(std::shared_ptr<RealTimeTarget> target, double now) {
  callOff();
  target_ = std::move(target);
  reaches_ = settled_ = false;
  quiet_ = 0;
  split_.changeTarget();
  response_ = {};
  response_.given = now;
}

/// Returns what is planned from time `at` on, which is not before the last splice.
RampPath RealTimeSession::remaining(double at) const {
  const double local = std::max(at - currentStart_, 0.0);
  RampPath path(current_.size());
  if (local < current_.duration()) path.append(current_, local, current_.duration());
  if (!path.empty()) return path;
  VectorXd q(current_.size()), dq(current_.size()), ddq(current_.size());
  current_.evaluate(current_.duration(), q, dq, ddq);
  return restingPath(q);
}

void RealTimeSession::begin(double now) {
  // After what was spliced in last has begun: before, there is more than one motion to join on to.
  cycle_.start = std::max(now + split_.seconds(), currentStart_);
  cycle_.current = remaining(cycle_.start);
  cycle_.seed = random_.bits();
  const double seconds = cycle_.start - now - options_.padding;
  due_ = now + seconds;
  cycleIterations_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds * options_.iterationsPerSecond));
  launch(seconds);
}

void RealTimeSession::launch(double seconds) {
  cycleSeconds_ = std::max(seconds, 1e-3);
  deadline_ = PlanningEffort::Clock::time_point::max();
  if (options_.wallClock) {
    cycleIterations_ = std::numeric_limits<std::int64_t>::max();
    deadline_ = PlanningEffort::Clock::now() +
                std::chrono::duration_cast<PlanningEffort::Clock::duration>(std::chrono::duration<double>(seconds));
  }
  cycleTarget_ = target_;
  cancelled_ = false;
  pending_ = true;
  stale_ = false;
  thread_.begin();
}

void RealTimeSession::collect(double now) {
  pending_ = false;
  if (stale_) return;
  if (!failure_.empty()) throw Error("planning failed: " + failure_);
  ++response_.cycles;
  response_.iterations += plan_.iterations;
  response_.planningSeconds += planSeconds_;
  response_.slowestCycle = std::max(response_.slowestCycle, planSeconds_);
  response_.largestLoad = std::max(response_.largestLoad, planSeconds_ / cycleSeconds_);
  bool success = plan_.reaches;
  if (plan_.found) {
    int coordinate = -1;
    if (!keepsLimits(plan_.path, planner_.limits(), &coordinate))
      throw Error("a planned motion breaks the limits of '" + planner_.space().coordinateName(coordinate) + "'", {},
                  "this is a fault of the planner: please report it");
    const SpliceResult spliced = queue_.splice(plan_.path, cycle_.start, now);
    refusal_ = spliced.verdict;
    success = static_cast<bool>(spliced);
    if (spliced) {
      ++response_.splices;
      if (response_.response < 0) response_.response = cycle_.start - response_.given;
      current_ = std::move(plan_.path);
      currentStart_ = cycle_.start;
    } else {
      ++response_.refusals;
      plan_.reaches = plan_.settled = false;
    }
  }
  reaches_ = plan_.reaches;
  quiet_ = success && !plan_.found ? quiet_ + 1 : 0;
  settled_ = plan_.settled || quiet_ >= kQuietCycles;
  if (reaches_) response_.arrival = currentStart_ + current_.duration() - response_.given;
  if (!success) ++response_.failures;
  split_.adapt(success);
}

void RealTimeSession::advance(double now) {
  if (pending_) {
    if (options_.wallClock ? !thread_.done() : now < due_) return;
    thread_.wait();
    collect(now);
  }
  if (target_ && !settled_) begin(now);
}

}  // namespace mortise
