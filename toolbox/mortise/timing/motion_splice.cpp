#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/timing/motion_queue.h"

namespace mortise {

namespace {

/// The largest difference of two vectors, and of which coordinate.
double worstOf(const VectorXd& a, const VectorXd& b, int& coordinate) {
  double worst = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (difference <= worst) continue;
    worst = difference;
    coordinate = static_cast<int>(i);
  }
  return worst;
}

}  // namespace

std::string_view spliceVerdictName(SpliceResult::Verdict verdict) {
  constexpr std::string_view kNames[] = {"accepted", "late", "position", "velocity", "moving"};
  return kNames[static_cast<int>(verdict)];
}

SpliceResult MotionQueue::judgeSplice(const RampPath& path, double at, double now, double tolerance) const {
  using Verdict = SpliceResult::Verdict;
  SpliceResult result;
  if (at < now) return {Verdict::late, -1, now - at};
  VectorXd q(size()), dq(size()), ddq(size()), pathQ(size()), pathDq(size());
  evaluate(at, q, dq, ddq);
  path.evaluate(0, pathQ, pathDq, ddq);
  result.difference = worstOf(q, pathQ, result.coordinate);
  if (!(result.difference <= tolerance)) {
    result.verdict = Verdict::position;
    return result;
  }
  result.difference = worstOf(dq, pathDq, result.coordinate);
  if (!(result.difference <= tolerance)) {
    result.verdict = Verdict::velocity;
    return result;
  }
  // What the last segment says, since a path is at rest after its end by definition.
  const std::span<const ParabolicRamp> last = path.segment(path.numSegments() - 1);
  for (std::size_t i = 0; i < last.size(); ++i)
    if (!(std::abs(last[i].v1) <= tolerance)) return {Verdict::moving, static_cast<int>(i), std::abs(last[i].v1)};
  return {};
}

SpliceResult MotionQueue::splice(const RampPath& path, double at, double now, double tolerance) {
  MORTISE_REQUIRE(path.size() == size(), "the path must have one ramp for each coordinate");
  if (path.empty()) throw Error("a path without segments cannot be spliced: it has no start");
  if (!std::isfinite(at)) throw Error("a splice needs a time that is finite");
  const SpliceResult result = judgeSplice(path, at, now, tolerance);
  if (!result) return result;
  // A copy takes the changes, so that running out of memory leaves the motion as it was.
  MotionQueue next = *this;
  next.continueFrom(now);
  if (at > next.end_) {
    next.appendRest(at - next.end_);
  } else {
    while (!next.pieces_.empty() && next.pieces_.back().start >= at) {
      next.data_.resize(next.pieces_.back().offset);
      next.pieces_.pop_back();
    }
  }
  if (!next.pieces_.empty()) next.pieces_.back().end = at;
  next.end_ = at;
  if (next.pieces_.empty()) next.start_ = at;
  VectorXd ddq(size());
  path.evaluate(0, next.q_, next.dq_, ddq);
  for (std::size_t k = 0; k < path.numSegments(); ++k) {
    const std::span<const ParabolicRamp> ramps = path.segment(k);
    next.appendRamps(ramps, ramps[0].T);
  }
  next.dq_.setZero();
  *this = std::move(next);
  return result;
}

}  // namespace mortise
