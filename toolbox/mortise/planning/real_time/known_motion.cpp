#include "mortise/planning/real_time/known_motion.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

/// m and rad by which the ends of a motion that repeats may differ.
constexpr double kSamePlace = 1e-6;

}  // namespace

KnownMotion::KnownMotion(int id, std::vector<double> times, std::vector<RigidTransform> poses, bool repeat)
    : id_(id), times_(std::move(times)), poses_(std::move(poses)), repeat_(repeat) {
  if (times_.empty() || times_.size() != poses_.size())
    throw Error("a known motion needs as many poses as times, and at least one; it has " +
                std::to_string(poses_.size()) + " poses and " + std::to_string(times_.size()) + " times");
  for (std::size_t i = 0; i < times_.size(); ++i) {
    if (!std::isfinite(times_[i]) || !poses_[i].p.allFinite() || !poses_[i].R.allFinite())
      throw Error("time or pose " + std::to_string(i) + " of a known motion is not finite");
    if (i > 0 && !(times_[i] > times_[i - 1]))
      throw Error("time " + std::to_string(i) + " of a known motion, " + formatReal(times_[i]) +
                      ", does not come after the one before",
                  {}, "bodies do not jump: give every pose a time of its own");
  }
  travels_.resize(times_.size());
  for (std::size_t i = 1; i < times_.size(); ++i) {
    turns_.push_back(momentFromRotation(poses_[i - 1].R.transpose() * poses_[i].R));
    travels_[i].length = travels_[i - 1].length + (poses_[i].p - poses_[i - 1].p).norm();
    travels_[i].angle = travels_[i - 1].angle + turns_.back().norm();
  }
  if (!repeat_) return;
  const double jump = (poses_.back().p - poses_.front().p).norm();
  const double turn = momentFromRotation(poses_.front().R.transpose() * poses_.back().R).norm();
  if (times_.size() < 2 || jump > kSamePlace || turn > kSamePlace)
    throw Error("a motion that repeats has to end where it begins, not " + formatReal(jump) + " m and " +
                    formatReal(turn) + " rad away",
                {}, "give its first pose again as the last");
}

double KnownMotion::local(double t, double& repetitions) const {
  repetitions = 0;
  if (!repeat_) return std::clamp(t, times_.front(), times_.back());
  const double since = t - times_.front();
  repetitions = std::floor(since / duration());
  return std::clamp(times_.front() + (since - repetitions * duration()), times_.front(), times_.back());
}

std::size_t KnownMotion::segmentAt(double t) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), t) - times_.begin();
  const auto last = static_cast<std::ptrdiff_t>(times_.size()) - 2;
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - 1, 0, std::max<std::ptrdiff_t>(last, 0)));
}

RigidTransform KnownMotion::poseAt(double t) const {
  if (times_.size() == 1) return poses_.front();
  double repetitions = 0;
  const double at = local(t, repetitions);
  const std::size_t k = segmentAt(at);
  const double u = (at - times_[k]) / (times_[k + 1] - times_[k]);
  RigidTransform X_W;
  X_W.p = poses_[k].p + u * (poses_[k + 1].p - poses_[k].p);
  X_W.R = poses_[k].R * rotationFromMoment(u * turns_[k]);
  return X_W;
}

KnownMotion::Travel KnownMotion::traveled(double t) const {
  if (times_.size() == 1) return {};
  double repetitions = 0;
  const double at = local(t, repetitions);
  const std::size_t k = segmentAt(at);
  const double u = (at - times_[k]) / (times_[k + 1] - times_[k]);
  const auto between = [&](double Travel::*what) {
    return repetitions * travels_.back().*what + travels_[k].*what + u * (travels_[k + 1].*what - travels_[k].*what);
  };
  return {between(&Travel::length), between(&Travel::angle)};
}

double KnownMotion::motionAround(double t, double before, double after, double reach) const {
  const Travel middle = traveled(t), first = traveled(t - before), last = traveled(t + after);
  const double length = std::max(middle.length - first.length, last.length - middle.length);
  const double angle = std::max(middle.angle - first.angle, last.angle - middle.angle);
  // A hair more than the rounding of what was traveled in all.
  return std::max(length, 0.0) + reach * std::max(angle, 0.0) +
         1e-14 * (std::abs(last.length) + reach * std::abs(last.angle));
}

double KnownMotion::seenBy(double from) const { return repeat_ ? from + duration() : std::max(from, times_.back()); }

}  // namespace mortise
