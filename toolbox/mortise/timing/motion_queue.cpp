#include "mortise/timing/motion_queue.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"

namespace mortise {

namespace {

constexpr std::size_t kRampNumbers = sizeof(ParabolicRamp) / sizeof(double);
static_assert(std::is_trivially_copyable_v<ParabolicRamp> && sizeof(ParabolicRamp) == 10 * sizeof(double));

using Row = Eigen::Map<const VectorXd>;

}  // namespace

void MotionQueue::reset(const VectorXd& q, std::span<const CoordinateLimits> limits, double start) {
  limits_.assign(limits.begin(), limits.end());
  limits_.resize(static_cast<std::size_t>(q.size()));
  q_ = q;
  dq_ = VectorXd::Zero(q.size());
  start_ = end_ = start;
  pieces_.clear();
  data_.clear();
}

void MotionQueue::setLimits(std::span<const CoordinateLimits> limits) {
  limits_.assign(limits.begin(), limits.end());
  limits_.resize(static_cast<std::size_t>(q_.size()));
}

std::size_t MotionQueue::numbersOf(Kind kind) const {
  const auto n = static_cast<std::size_t>(q_.size());
  return kind == Kind::linear ? 2 * n : kind == Kind::cubic ? 4 * n : kRampNumbers * n;
}

void MotionQueue::evaluatePiece(const Piece& piece, double t, VectorXd& q, VectorXd& dq, VectorXd& ddq) const {
  const Eigen::Index n = q_.size();
  const double* numbers = data_.data() + piece.offset;
  const double local = t - piece.start, T = piece.duration;
  if (piece.kind == Kind::linear) {
    const Row q0(numbers, n), q1(numbers + n, n);
    q = q0 + (q1 - q0) * (local / T);
    dq = (q1 - q0) / T;
    ddq.setZero();
  } else if (piece.kind == Kind::cubic) {
    const Row q0(numbers, n), v0(numbers + n, n), q1(numbers + 2 * n, n), v1(numbers + 3 * n, n);
    const double u = local / T;
    q = q0 + (v0 * local) * ((1 - u) * (1 - u)) + (q1 - q0) * (u * u * (3 - 2 * u)) - (v1 * local) * (u * (1 - u));
    dq = v0 * ((1 - u) * (1 - 3 * u)) + (q1 - q0) * (6 * u * (1 - u) / T) + v1 * (u * (3 * u - 2));
    ddq = (v0 * (6 * u - 4) + (q1 - q0) * ((6 - 12 * u) / T) + v1 * (6 * u - 2)) / T;
  } else {
    for (Eigen::Index i = 0; i < n; ++i) {
      ParabolicRamp ramp;
      std::memcpy(static_cast<void*>(&ramp), numbers + static_cast<std::size_t>(i) * kRampNumbers, sizeof ramp);
      ramp.evaluate(local, q[i], dq[i], ddq[i]);
    }
  }
}

void MotionQueue::evaluate(double t, VectorXd& q, VectorXd& dq, VectorXd& ddq) const {
  MORTISE_REQUIRE_SIZE(q, q_.size(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(dq, q_.size(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(ddq, q_.size(), "one for each coordinate");
  if (t >= end_ || pieces_.empty()) {
    q = q_;
    dq.setZero();
    ddq.setZero();
    return;
  }
  const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), t,
                                     [](double time, const Piece& piece) { return time < piece.start; });
  const Piece& piece = next == pieces_.begin() ? *next : *(next - 1);
  evaluatePiece(piece, std::max(t, piece.start), q, dq, ddq);
  if (t < piece.start) {
    dq.setZero();
    ddq.setZero();
  }
}

void MotionQueue::continueFrom(double now) {
  if (now >= end_) {
    pieces_.clear();
    data_.clear();
    if (now > end_) dq_.setZero();
    start_ = end_ = now;
    return;
  }
  const auto firstLeft =
      std::partition_point(pieces_.begin(), pieces_.end(), [&](const Piece& piece) { return piece.end <= now; });
  const auto past = static_cast<std::size_t>(firstLeft - pieces_.begin());
  // Moving the rest forward costs as much as it is long; it is worth that when as much goes away.
  if (past == 0 || past < pieces_.size() / 2) return;
  const std::size_t numbers = pieces_[past].offset;
  data_.erase(data_.begin(), data_.begin() + static_cast<std::ptrdiff_t>(numbers));
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(past));
  for (Piece& piece : pieces_) piece.offset -= numbers;
  start_ = pieces_.front().start;
}

void MotionQueue::cut(double t) {
  if (t < end_) {
    VectorXd q = q_, dq = dq_, ddq = dq_;
    evaluate(t, q, dq, ddq);
    q_ = q;
    dq_ = dq;
    while (!pieces_.empty() && pieces_.back().start >= t) {
      data_.resize(pieces_.back().offset);
      pieces_.pop_back();
    }
    if (!pieces_.empty()) pieces_.back().end = t;
    end_ = t;
    if (pieces_.empty()) start_ = t;
  }
  continueFrom(t);
}

MotionQueue MotionQueue::continuation(double now, std::span<const CoordinateLimits> limits) const {
  MotionQueue next;
  next.q_ = q_;
  next.dq_ = dq_;
  next.start_ = next.end_ = end_;
  next.setLimits(limits);
  next.continueFrom(now);
  return next;
}

void MotionQueue::append(const MotionQueue& next, double now) {
  MORTISE_REQUIRE_SIZE(next.q_, q_.size(), "one for each coordinate");
  // What may fail comes first, and leaves nothing but numbers that belong to no piece.
  std::vector<CoordinateLimits> limits = next.limits_;
  VectorXd q = next.q_, dq = next.dq_;
  const std::size_t numbers = data_.size(), pieces = pieces_.size();
  data_.insert(data_.end(), next.data_.begin(), next.data_.end());
  pieces_.insert(pieces_.end(), next.pieces_.begin(), next.pieces_.end());
  for (std::size_t i = pieces; i < pieces_.size(); ++i) pieces_[i].offset += numbers;
  if (pieces > 0 && now >= end_) {
    // Nothing of what was there before is left.
    pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(pieces));
    data_.erase(data_.begin(), data_.begin() + static_cast<std::ptrdiff_t>(numbers));
    for (Piece& piece : pieces_) piece.offset -= numbers;
  }
  if (now >= end_) start_ = now;
  end_ = next.end_;
  limits_.swap(limits);
  q_.swap(q);
  dq_.swap(dq);
  if (now < end_) continueFrom(now);
}

void MotionQueue::shift(double seconds) {
  start_ += seconds;
  end_ += seconds;
  for (Piece& piece : pieces_) {
    piece.start += seconds;
    piece.end += seconds;
  }
}

MotionQueue::Piece& MotionQueue::addPiece(Kind kind, double duration) {
  Piece piece;
  piece.start = end_;
  piece.end = end_ + duration;
  piece.duration = duration;
  piece.kind = kind;
  piece.offset = data_.size();
  data_.resize(data_.size() + numbersOf(kind));
  pieces_.push_back(piece);
  end_ = piece.end;
  return pieces_.back();
}

VectorXd MotionQueue::goal(const VectorXd& q) const {
  MORTISE_REQUIRE_SIZE(q, q_.size(), "one for each coordinate");
  MORTISE_EXPECT_FINITE(q);
  VectorXd nearest = q;
  for (Eigen::Index i = 0; i < q.size(); ++i)
    nearest[i] = nearestTurn(limits_[static_cast<std::size_t>(i)], q_[i], q[i]);
  return nearest;
}

void MotionQueue::appendLinear(const VectorXd& q, double duration) {
  const VectorXd target = goal(q);
  if (duration > 0) {
    const Piece& piece = addPiece(Kind::linear, duration);
    double* numbers = data_.data() + piece.offset;
    std::copy(q_.begin(), q_.end(), numbers);
    std::copy(target.begin(), target.end(), numbers + q_.size());
    dq_ = (target - q_) / duration;
  } else {
    dq_.setZero();
  }
  q_ = target;
}

void MotionQueue::appendCubic(const VectorXd& q, const VectorXd& dq, double duration) {
  MORTISE_REQUIRE_SIZE(dq, q_.size(), "one for each coordinate");
  MORTISE_EXPECT_FINITE(dq);
  const VectorXd target = goal(q);
  if (duration > 0) {
    const Piece& piece = addPiece(Kind::cubic, duration);
    double* numbers = data_.data() + piece.offset;
    for (const VectorXd* v : {&std::as_const(q_), &std::as_const(dq_), &target, &dq})
      numbers = std::copy(v->begin(), v->end(), numbers);
  }
  q_ = target;
  dq_ = dq;
}

void MotionQueue::appendRamps(std::span<const ParabolicRamp> ramps, double duration) {
  for (std::size_t i = 0; i < ramps.size(); ++i) {
    q_[static_cast<Eigen::Index>(i)] = ramps[i].x1;
    dq_[static_cast<Eigen::Index>(i)] = ramps[i].v1;
  }
  if (!(duration > 0)) return;
  const Piece& piece = addPiece(Kind::ramp, duration);
  std::memcpy(data_.data() + piece.offset, ramps.data(), ramps.size_bytes());
}

void MotionQueue::cannotMove(int i, std::span<const std::string> names) const {
  const CoordinateLimits& limits = limits_[static_cast<std::size_t>(i)];
  const std::string who = static_cast<std::size_t>(i) < names.size() ? "'" + names[static_cast<std::size_t>(i)] + "'"
                                                                     : "coordinate " + std::to_string(i);
  if (limits.vMin == 0 && limits.vMax == 0)
    throw Error(who + " cannot move: its velocity limit is 0", {}, "leave its position as it is");
  if (limits.aMax == 0) throw Error(who + " cannot move: its acceleration limit is 0");
  throw Error(who + " cannot arrive with this velocity within its limits of position, velocity and acceleration", {},
              "give a velocity that it can brake from before its limits, or none");
}

void MotionQueue::appendRamp(const VectorXd& q, const VectorXd& dq, std::span<const std::string> names) {
  MORTISE_REQUIRE_SIZE(dq, q_.size(), "one for each coordinate");
  MORTISE_EXPECT_FINITE(dq);
  const auto n = static_cast<std::size_t>(q_.size());
  const VectorXd target = goal(q);
  std::vector<RampEnds> goals(n);
  std::vector<CoordinateLimits> limits(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    goals[i] = {q_[k], dq_[k], target[k], dq[k]};
    limits[i] = widened(limits_[i], q_[k], dq_[k]);
    if (dq[k] > limits_[i].vMax || dq[k] < limits_[i].vMin) cannotMove(static_cast<int>(i), names);
    // What cannot be slowed down stops: there is no motion that goes on for ever.
    if (limits[i].aMax == 0) goals[i].v0 = 0;
  }
  int stuck = 0;
  const double duration = minimumTime(goals, limits, &stuck);
  if (std::isinf(duration)) cannotMove(stuck, names);
  std::vector<ParabolicRamp> ramps(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto ramp = rampOfTime(goals[i], limits[i], duration);
    if (!ramp) cannotMove(static_cast<int>(i), names);
    ramps[i] = *ramp;
  }
  appendRamps(ramps, duration);
}

void MotionQueue::appendBrake() {
  const auto n = static_cast<std::size_t>(q_.size());
  double duration = 0;
  for (std::size_t i = 0; i < n; ++i)
    duration = std::max(duration, brakingTime(dq_[static_cast<Eigen::Index>(i)], limits_[i].aMax));
  std::vector<ParabolicRamp> ramps(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double a = std::isinf(limits_[i].aMax) ? 0 : limits_[i].aMax;
    ramps[i] = brakingRamp(q_[k], dq_[k], a, duration);
    if (a == 0) ramps[i].v0 = 0;
  }
  appendRamps(ramps, duration);
}

void MotionQueue::appendLinearRamp(const VectorXd& q, std::span<const std::string> names) {
  if (!dq_.isZero(0)) appendBrake();
  const auto n = static_cast<std::size_t>(q_.size());
  const VectorXd target = goal(q);
  // The fraction of the line that is behind is the one coordinate of this motion.
  CoordinateLimits line;
  for (std::size_t i = 0; i < n; ++i) {
    const double d = target[static_cast<Eigen::Index>(i)] - q_[static_cast<Eigen::Index>(i)];
    if (d == 0) continue;
    line.vMax = std::min(line.vMax, d > 0 ? limits_[i].vMax / d : limits_[i].vMin / d);
    line.aMax = std::min(line.aMax, limits_[i].aMax / std::abs(d));
    if (line.vMax == 0 || line.aMax == 0) cannotMove(static_cast<int>(i), names);
  }
  if (target == q_) return;
  const std::optional<ParabolicRamp> along = shortestRamp({0, 0, 1, 0}, line);
  if (!along) throw Error("there is no motion along this line within the limits");
  std::vector<ParabolicRamp> ramps(n, *along);
  for (std::size_t i = 0; i < n; ++i) {
    const double x0 = q_[static_cast<Eigen::Index>(i)], x1 = target[static_cast<Eigen::Index>(i)];
    ParabolicRamp& ramp = ramps[i];
    for (double* v : {&ramp.a0, &ramp.v, &ramp.a1}) *v *= x1 - x0;
    ramp.x0 = x0;
    ramp.x1 = x1;
  }
  appendRamps(ramps, along->T);
}

void MotionQueue::appendRest(double duration) {
  dq_.setZero();
  if (duration > 0) appendLinear(VectorXd(q_), duration);
}

double MotionQueue::limitUsage(const VectorXd& q, const VectorXd* dq, double duration, int& coordinate) const {
  if (dq != nullptr) MORTISE_REQUIRE_SIZE(*dq, q_.size(), "one for each coordinate");
  const VectorXd target = goal(q);
  double largest = 0;
  const auto count = [&](double v, Eigen::Index i) {
    const CoordinateLimits& limits = limits_[static_cast<std::size_t>(i)];
    const double limit = v > 0 ? limits.vMax : -limits.vMin;
    if (v == 0 || std::isinf(limit)) return;
    const double fraction = std::abs(v) / limit;
    if (fraction <= largest) return;
    largest = fraction;
    coordinate = static_cast<int>(i);
  };
  for (Eigen::Index i = 0; i < q_.size(); ++i) {
    const double d = target[i] - q_[i];
    if (dq == nullptr) {
      if (d != 0) count(d / duration, i);
      continue;
    }
    if (duration == 0) {
      if (d != 0) count(d / duration, i);
      continue;
    }
    const double v0 = dq_[i] * duration, v1 = (*dq)[i] * duration;
    count(v1 / duration, i);
    // The velocity of a cubic is extreme at its ends or where its acceleration is 0.
    const double slope = 6 * (v0 + v1 - 2 * d);
    const double u = slope == 0 ? -1 : (4 * v0 + 2 * v1 - 6 * d) / slope;
    if (u > 0 && u < 1) count((v0 * (1 - u) * (1 - 3 * u) + d * 6 * u * (1 - u) + v1 * u * (3 * u - 2)) / duration, i);
  }
  return largest;
}

void MotionQueue::save(ByteWriter& out) const {
  out.put(start_);
  out.put(end_);
  out.put(std::span<const double>(q_.data(), static_cast<std::size_t>(q_.size())));
  out.put(std::span<const double>(dq_.data(), static_cast<std::size_t>(dq_.size())));
  out.put(static_cast<std::uint64_t>(pieces_.size()));
  for (const Piece& piece : pieces_) {
    out.put(piece.start);
    out.put(piece.end);
    out.put(piece.duration);
    out.put(static_cast<std::uint32_t>(piece.kind));
    const double* numbers = data_.data() + piece.offset;
    for (std::size_t k = 0; k < numbersOf(piece.kind); ++k) out.put(numbers[k]);
  }
}

void MotionQueue::restore(ByteReader& in) {
  const auto finite = [&] {
    const auto value = in.get<double>();
    if (!std::isfinite(value)) throw Error("the saved motion has a number that is not finite");
    return value;
  };
  MotionQueue read;
  read.limits_ = limits_;
  read.q_.resize(q_.size());
  read.dq_.resize(q_.size());
  read.start_ = finite();
  read.end_ = finite();
  for (VectorXd* v : {&read.q_, &read.dq_}) {
    in.get(std::span<double>(v->data(), static_cast<std::size_t>(v->size())));
    if (!v->allFinite()) throw Error("the saved motion has a number that is not finite");
  }
  const auto count = in.get<std::uint64_t>();
  double last = read.start_;
  // A count that is too large runs into the end of the bytes.
  for (std::uint64_t i = 0; i < count; ++i) {
    Piece piece;
    piece.start = finite();
    piece.end = finite();
    piece.duration = finite();
    const auto kind = in.get<std::uint32_t>();
    if (kind > static_cast<std::uint32_t>(Kind::ramp) || piece.start < last || piece.end < piece.start ||
        !(piece.duration > 0))
      throw Error("the saved motion has a piece of no known kind, or pieces that overlap");
    last = piece.end;
    piece.kind = static_cast<Kind>(kind);
    piece.offset = read.data_.size();
    for (std::size_t k = 0; k < numbersOf(piece.kind); ++k) read.data_.push_back(finite());
    read.pieces_.push_back(piece);
  }
  if (last > read.end_) throw Error("the saved motion goes on after its end");
  *this = std::move(read);
}

}  // namespace mortise
