#include "ros/relay/joint_motion.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::ros {

namespace {

JointTarget targetIn(const JointSegment& segment, double time) {
  JointTarget target;
  target.torque = segment.kind == JointSegment::Kind::torque;
  const double length = segment.end - segment.start;
  if (time >= segment.end || length <= 0) {
    target.q = segment.q1;
    target.effort = segment.effort1;
    return target;
  }
  const double s = std::max(0.0, time - segment.start), u = s / length;
  target.effort = segment.effort0 + u * (segment.effort1 - segment.effort0);
  const double q0 = segment.q0, q1 = segment.q1, v0 = segment.v0, v1 = segment.v1;
  switch (segment.kind) {
    case JointSegment::Kind::linear:
      target.q = q0 + u * (q1 - q0);
      target.v = (q1 - q0) / length;
      break;
    case JointSegment::Kind::hermite: {
      // The cubic a + b s + c s^2 + d s^3.
      const double slope = (q1 - q0) / length;
      const double c = (3 * slope - 2 * v0 - v1) / length, d = (v0 + v1 - 2 * slope) / (length * length);
      target.q = q0 + s * (v0 + s * (c + s * d));
      target.v = v0 + s * (2 * c + 3 * s * d);
      break;
    }
    case JointSegment::Kind::velocity:
      target.v = v0 + u * (v1 - v0);
      target.q = q0 + s * (v0 + target.v) / 2;
      break;
    case JointSegment::Kind::torque:
      target.q = q1;
      break;
  }
  return target;
}

}  // namespace

JointMotion::JointMotion(double q) {
  JointSegment rest;
  rest.q0 = rest.q1 = q;
  segments_.push_back(rest);
}

JointTarget JointMotion::at(double time) const {
  const auto next = std::upper_bound(segments_.begin(), segments_.end(), time,
                                     [](double t, const JointSegment& segment) { return t < segment.start; });
  return targetIn(next == segments_.begin() ? segments_.front() : *(next - 1), time);
}

void JointMotion::cut(double time) {
  const JointTarget now = at(time);
  const auto first = std::find_if(segments_.begin(), segments_.end(),
                                  [&](const JointSegment& segment) { return segment.start >= time; });
  segments_.erase(first, segments_.end());
  if (!segments_.empty()) return;
  JointSegment rest;
  rest.start = rest.end = time;
  rest.q0 = rest.q1 = now.q;
  segments_.push_back(rest);
}

void JointMotion::forgetBefore(double time) {
  const auto next = std::upper_bound(segments_.begin(), segments_.end(), time,
                                     [](double t, const JointSegment& segment) { return t < segment.start; });
  if (next - segments_.begin() > 1) segments_.erase(segments_.begin(), next - 1);
}

void JointMotion::save(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(segments_.size()));
  for (const JointSegment& segment : segments_) {
    out.put(static_cast<std::uint64_t>(segment.kind));
    for (const double number :
         {segment.start, segment.end, segment.q0, segment.q1, segment.v0, segment.v1, segment.effort0, segment.effort1})
      out.put(number);
  }
}

void JointMotion::restore(ByteReader& in) {
  std::vector<JointSegment> segments;
  const auto count = in.get<std::uint64_t>();
  if (count == 0) throw Error("the saved motion of a joint is empty");
  for (std::uint64_t i = 0; i < count; ++i) {
    JointSegment segment;
    const auto kind = in.get<std::uint64_t>();
    if (kind > static_cast<std::uint64_t>(JointSegment::Kind::torque))
      throw Error("the saved motion of a joint has a stretch of kind " + std::to_string(kind) + ", which there is not");
    segment.kind = static_cast<JointSegment::Kind>(kind);
    for (double* number : {&segment.start, &segment.end, &segment.q0, &segment.q1, &segment.v0, &segment.v1,
                           &segment.effort0, &segment.effort1}) {
      *number = in.get<double>();
      if (!std::isfinite(*number)) throw Error("the saved motion of a joint has a number that is not finite");
    }
    segments.push_back(segment);
  }
  segments_ = std::move(segments);
}

}  // namespace mortise::ros
