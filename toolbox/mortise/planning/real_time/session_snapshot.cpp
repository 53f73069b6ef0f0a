/// Saving and restoring of sessions.

#include <algorithm>
#include <cmath>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/planning/real_time/moving_ramps.h"
#include "mortise/planning/real_time/real_time_session.h"

namespace mortise {

namespace {

/// More segments than any motion has.
constexpr std::uint64_t kMaxSegments = 1u << 20;

double finiteFrom(ByteReader& in) {
  const auto value = in.get<double>();
  if (!std::isfinite(value)) throw Error("the saved session has a number that is not finite");
  return value;
}

void putPath(ByteWriter& out, const RampPath& path) {
  out.put(static_cast<std::uint64_t>(path.numSegments()));
  for (std::size_t k = 0; k < path.numSegments(); ++k)
    for (const ParabolicRamp& ramp : path.segment(k))
      for (const double x : {ramp.x0, ramp.v0, ramp.a0, ramp.t1, ramp.v, ramp.t2, ramp.x1, ramp.v1, ramp.a1, ramp.T})
        out.put(x);
}

RampPath pathFrom(ByteReader& in, int size) {
  const auto segments = in.get<std::uint64_t>();
  if (segments == 0 || segments > kMaxSegments) throw Error("the saved session has no motion");
  RampPath path(size);
  std::vector<ParabolicRamp> ramps(static_cast<std::size_t>(size));
  for (std::uint64_t k = 0; k < segments; ++k) {
    for (ParabolicRamp& ramp : ramps)
      for (double* x :
           {&ramp.x0, &ramp.v0, &ramp.a0, &ramp.t1, &ramp.v, &ramp.t2, &ramp.x1, &ramp.v1, &ramp.a1, &ramp.T})
        *x = finiteFrom(in);
    path.append(ramps);
  }
  if (!path.empty()) return path;
  VectorXd q(size);
  for (int c = 0; c < size; ++c) q[c] = ramps[static_cast<std::size_t>(c)].x1;
  return restingPath(q);
}

}  // namespace

void RealTimeSession::save(ByteWriter& out) const {
  queue_.save(out);
  putPath(out, current_);
  out.put(currentStart_);
  for (const std::uint64_t bits : random_.state()) out.put(bits);
  split_.save(out);
  out.put(reaches_);
  out.put(settled_);
  out.put(static_cast<std::int32_t>(quiet_));
  out.put(static_cast<std::int32_t>(refusal_));
  const RealTimeResponse& r = response_;
  for (const double x : {r.given, r.response, r.arrival}) out.put(x);
  for (const int x : {r.cycles, r.splices, r.failures, r.refusals}) out.put(static_cast<std::int32_t>(x));
  out.put(r.iterations);
  // A cycle that was begun is begun again: it comes to the same.
  const bool again = pending_ && !stale_;
  out.put(again);
  out.put(again ? due_ : 0.0);
  out.put(again ? cycle_.start : 0.0);
  out.put(again ? cycle_.seed : std::uint64_t(0));
  out.put(again ? cycleIterations_ : std::int64_t(0));
}

void RealTimeSession::restore(ByteReader& in, std::shared_ptr<RealTimeTarget> target) {
  callOff();
  thread_.wait();
  pending_ = stale_ = false;
  queue_.restore(in);
  current_ = pathFrom(in, queue_.size());
  currentStart_ = finiteFrom(in);
  RandomStream::State state;
  for (std::uint64_t& bits : state) bits = in.get<std::uint64_t>();
  random_.setState(state);
  split_.restore(in);
  reaches_ = in.get<bool>();
  settled_ = in.get<bool>();
  quiet_ = in.get<std::int32_t>();
  const auto refusal = in.get<std::int32_t>();
  if (refusal < 0 || refusal > static_cast<std::int32_t>(SpliceResult::Verdict::moving))
    throw Error("the saved session has a splice of no known kind");
  refusal_ = static_cast<SpliceResult::Verdict>(refusal);
  response_ = {};
  for (double* x : {&response_.given, &response_.response, &response_.arrival}) *x = finiteFrom(in);
  for (int* x : {&response_.cycles, &response_.splices, &response_.failures, &response_.refusals})
    *x = in.get<std::int32_t>();
  response_.iterations = in.get<std::int64_t>();
  const bool again = in.get<bool>();
  due_ = finiteFrom(in);
  cycle_.start = finiteFrom(in);
  cycle_.seed = in.get<std::uint64_t>();
  cycleIterations_ = in.get<std::int64_t>();
  if (!keepsLimits(current_, planner_.limits()) || cycleIterations_ < 0 ||
      static_cast<double>(cycleIterations_) > 4 * options_.split.greatest() * options_.iterationsPerSecond + 1)
    throw Error("the saved session does not belong to this robot and these settings");
  target_ = std::move(target);
  if (!again || !target_) return;
  cycle_.current = remaining(cycle_.start);
  launch(std::max(options_.split.initial - options_.padding, 0.0));
}

}  // namespace mortise
