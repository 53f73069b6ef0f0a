#include "mortise/planning/real_time/moving_obstacles.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/math/constants.h"

namespace mortise {

namespace {

/// Rad or m by which curves leave the chords that are checked: at first, and at last.
constexpr double kFirstDeviation = 0.01, kLastDeviation = 1e-6;
constexpr int kMaxHalvings = 12;
constexpr double kMaxChords = 1e5;
/// Meters: what comes this near counts as met; to prove smaller gaps takes ever longer.
constexpr double kClearance = 1e-3;
/// Seconds that one proof covers at most: bodies that go to and fro have then not come back.
constexpr double kLongestProof = 1;
/// Seconds between the times at which a motion is checked before it is proven, and how many of them there are at most.
constexpr double kCheckEvery = 0.05, kMaxChecks = 64;

WorldCollider onlyWith(const WorldCollider& collider, int robot, const std::vector<char>& moving) {
  PairTable pairs(collider.numIds());
  collider.pairs().forEachPair([&](int a, int b) {
    if ((moving[static_cast<std::size_t>(a)] && collider.robotOf(b) == robot) ||
        (moving[static_cast<std::size_t>(b)] && collider.robotOf(a) == robot))
      pairs.set(a, b, true);
  });
  return collider.withPairs(pairs);
}

std::vector<char> movingIds(const WorldCollider& collider, const std::vector<KnownMotion>& motions) {
  std::vector<char> moving(static_cast<std::size_t>(collider.numIds()), 0);
  for (const KnownMotion& motion : motions) {
    const int id = motion.id();
    if (id < 0 || id >= collider.numIds() ||
        (collider.kind(id) != World::Kind::terrain && collider.kind(id) != World::Kind::object))
      throw Error("only terrains and rigid objects have motions that are known in advance, and id " +
                  std::to_string(id) + " is neither");
    if (moving[static_cast<std::size_t>(id)])
      throw Error("'" + collider.world().nameOf(id) + "' has two motions", {}, "join them to one");
    moving[static_cast<std::size_t>(id)] = 1;
  }
  return moving;
}

}  // namespace

WorldCollider withoutBodies(const WorldCollider& collider, const std::vector<int>& ids) {
  PairTable pairs = collider.pairs();
  for (const int id : ids)
    for (int other = 0; other < collider.numIds(); ++other)
      if (other != id) pairs.set(id, other, false);
  return collider.withPairs(pairs);
}

/// The question that the prover asks of an edge: the robot goes straight from one configuration to another while time
/// goes on, give or take a deviation, and the bodies move as is known.
class MovingObstacles::Chord {
 public:
  Chord(MovingObstacles& owner, double from, double to, double farthest)
      : o_(owner), from_(from), to_(to), farthest_(farthest) {}

  double farthest() const { return farthest_; }
  void place(double u, WorldCollisionState& state) {
    middle_ = from_ + u * (to_ - from_);
    o_.full_ = (1 - u) * o_.fullA_ + u * o_.fullB_;
    state.setConfiguration(o_.robot_, o_.full_);
    for (const KnownMotion& motion : o_.motions_) state.setPose(motion.id(), motion.poseAt(middle_));
  }
  const IdSelection& moving() const { return o_.links_; }
  const IdSelection& others() const { return o_.bodies_; }
  int numPairs() const { return static_cast<int>(o_.pairs_.size()); }
  int indexOf(const IdPair& pair) const {
    return o_.pairOf_[static_cast<std::size_t>(o_.collider_->pairIndex(pair.a, pair.b))];
  }
  const IdPair& pair(int index) const { return o_.pairs_[static_cast<std::size_t>(index)]; }
  void reach(double half, const WorldCollisionState& state, std::vector<double>& byId) const {
    for (const IdPair& pair : o_.pairs_) {
      byId[static_cast<std::size_t>(pair.a)] = linkMotion(pair.a, half, 0, state);
      byId[static_cast<std::size_t>(pair.b)] = bodyMotion(pair.b, half);
    }
  }
  double motionOfPair(int index, double half, int part, const WorldCollisionState& state) const {
    const IdPair& pair = o_.pairs_[static_cast<std::size_t>(index)];
    return linkMotion(pair.a, half, part, state) + bodyMotion(pair.b, half);
  }

 private:
  double linkMotion(int id, double half, int part, const WorldCollisionState& state) const {
    const int link = id - o_.collider_->world().linkId(o_.robot_, 0);
    return o_.edges_.motionWithin(link, -1, half, part, state, o_.edge_) + o_.motion_[static_cast<std::size_t>(link)];
  }
  double bodyMotion(int id, double half) const {
    const auto k = static_cast<std::size_t>(o_.motionOf_[static_cast<std::size_t>(id)]);
    const double seconds = half * (to_ - from_);
    return o_.motions_[k].motionAround(middle_, seconds, seconds, o_.reach_[k]);
  }

  MovingObstacles& o_;
  double from_, to_, farthest_, middle_ = 0;
};

MovingObstacles::MovingObstacles(const MotionSpace& space, int robot, const WorldCollider& collider,
                                 std::vector<KnownMotion> motions, double margin)
    : space_(space),
      robot_(robot),
      collider_(std::make_shared<const WorldCollider>(onlyWith(collider, robot, movingIds(collider, motions)))),
      edges_(collider_, robot),
      motions_(std::move(motions)),
      margin_(margin),
      state_(collider_),
      goesOn_([this](int work) { return effort_ == nullptr || effort_->charge(work); }) {
  const World& world = collider_->world();
  motionOf_.assign(static_cast<std::size_t>(collider_->numIds()), -1);
  std::vector<int> ids;
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const int id = motions_[k].id();
    motionOf_[static_cast<std::size_t>(id)] = static_cast<int>(k);
    ids.push_back(id);
    const CollisionShapePtr& shape = collider_->shape(id);
    reach_.push_back(shape ? shape->center().norm() + shape->radius() : 0);
  }
  pairOf_.assign(static_cast<std::size_t>(collider_->numPairs()), -1);
  for (int l = 0; l < world.robots[static_cast<std::size_t>(robot)].robot->numLinks(); ++l)
    for (const int id : ids) {
      const int link = world.linkId(robot, l);
      if (!collider_->pairs()(std::min(link, id), std::max(link, id))) continue;
      pairOf_[static_cast<std::size_t>(collider_->pairIndex(link, id))] = static_cast<int>(pairs_.size());
      pairs_.push_back({link, id});
    }
  links_ = state_.selection(IdFilter::robots(robot));
  bodies_ = ids.empty() ? IdSelection{std::vector<std::uint64_t>(links_.bits.size(), 0)}
                        : state_.selection(IdFilter::of(ids));
  state_.setTolerance(margin_);
}

bool MovingObstacles::freeAt(const VectorXd& q, double t) {
  if (pairs_.empty()) return true;
  space_.lift(q, full_);
  state_.setConfiguration(robot_, full_);
  for (const KnownMotion& motion : motions_) state_.setPose(motion.id(), motion.poseAt(t));
  state_.setTolerance(margin_);
  return !state_.anyCollision(links_, bodies_);
}

/// `deviation_` holds by how much coordinates leave the chord.
EdgeCheckResult MovingObstacles::prove(const VectorXd& a, const VectorXd& b, double from, double to, double deviation) {
  ++proofs_;
  // What it takes to begin is worth a configuration or two.
  if (!goesOn_(2)) return {};
  space_.lift(a, fullA_);
  space_.lift(b, fullB_);
  double maximum = 0;
  motion_.assign(static_cast<std::size_t>(fullA_.size()), 0);
  if (deviation > 0) {
    // How far leaving the chord moves each link. Prismatic links carry others as far as they are extended.
    VectorXd at = a;
    for (Eigen::Index c = 0; c < a.size(); ++c)
      if (std::abs(b[c]) > std::abs(a[c])) at[c] = b[c];
    VectorXd fullFrom, fullTo;
    space_.lift(at, fullFrom);
    for (Eigen::Index c = 0; c < a.size(); ++c) at[c] += std::copysign(deviation_[c], at[c]);
    space_.lift(at, fullTo);
    edges_.linkMotion(fullFrom, fullTo, edge_, motion_);
    for (const IdPair& pair : pairs_)
      maximum = std::max(maximum, motion_[static_cast<std::size_t>(pair.a - collider_->world().linkId(robot_, 0))]);
  }
  double farthest = edges_.beginEdge(fullA_, fullB_, edge_);
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  for (std::size_t k = 0; k < motions_.size(); ++k)
    farthest = std::max(farthest, motions_[k].motionAround(middle, half, half, reach_[k]));
  Chord chord(*this, from, to, farthest);
  return EdgeProver(chord, state_, proof_, {std::max(kClearance, margin_ + 2 * maximum), false, &goesOn_}).prove();
}

bool MovingObstacles::chordFree(std::span<const ParabolicRamp> ramps, double start, double t0, double t1, int depth) {
  const Eigen::Index n = static_cast<Eigen::Index>(ramps.size());
  qa_.resize(n);
  qb_.resize(n);
  deviation_.resize(n);
  for (Eigen::Index c = 0; c < n; ++c) {
    const ParabolicRamp& ramp = ramps[static_cast<std::size_t>(c)];
    double velocity = 0, unused = 0;
    ramp.evaluate(t0, qa_[c], velocity, unused);
    ramp.evaluate(t1, qb_[c], velocity, unused);
    const double a = std::max(ramp.t1 > t0 ? std::abs(ramp.a0) : 0.0, ramp.t2 < t1 ? std::abs(ramp.a1) : 0.0);
    deviation_[c] = a * (t1 - t0) * (t1 - t0) / 8;
  }
  const double deviation = deviation_.maxCoeff();
  const EdgeCheckResult full = prove(qa_, qb_, start + t0, start + t1, deviation);
  if (full.free) return true;
  const double t = 0.5 * (t0 + t1);
  if (deviation <= kLastDeviation || depth == kMaxHalvings || t <= t0 || t >= t1 || !goesOn_(0)) return false;
  // Where the chord touches, the curve mostly does as well.
  if (full.touching && !clearAt(ramps, start, t0 + full.u * (t1 - t0))) return false;
  return clearAt(ramps, start, t) && chordFree(ramps, start, t0, t, depth + 1) &&
         chordFree(ramps, start, t, t1, depth + 1);
}

bool MovingObstacles::clearAt(std::span<const ParabolicRamp> ramps, double start, double t) {
  VectorXd q(static_cast<Eigen::Index>(ramps.size()));
  for (Eigen::Index c = 0; c < q.size(); ++c) {
    double velocity = 0, unused = 0;
    ramps[static_cast<std::size_t>(c)].evaluate(t, q[c], velocity, unused);
  }
  return goesOn_(1) && freeAt(q, start + t);
}

bool MovingObstacles::passesCoarseCheck(const RampPath& path, double start, std::size_t first) {
  if (first >= path.numSegments()) return true;
  const double from = first > 0 ? path.segmentEnd(first - 1) : 0, T = path.duration() - from;
  const auto places = static_cast<int>(std::min(std::ceil(T / kCheckEvery), kMaxChecks));
  VectorXd q(path.size()), dq(path.size()), ddq(path.size());
  // Far ones first.
  for (int stride = 1 << 10; stride >= 1; stride /= 2)
    for (int k = stride; k <= places; k += 2 * stride) {
      const double t = from + T * k / places;
      path.evaluate(t, q, dq, ddq);
      if (!goesOn_(1) || !freeAt(q, start + t)) return false;
    }
  return true;
}

bool MovingObstacles::free(std::span<const ParabolicRamp> ramps, double start) {
  if (pairs_.empty() || ramps.empty()) return true;
  const double T = ramps[0].T;
  double acceleration = 0, fastest = 0;
  for (const ParabolicRamp& ramp : ramps) {
    acceleration =
        std::max({acceleration, ramp.t1 > 0 ? std::abs(ramp.a0) : 0.0, ramp.t2 < T ? std::abs(ramp.a1) : 0.0});
    fastest = std::max({fastest, std::abs(ramp.v0), std::abs(ramp.v), std::abs(ramp.v1)});
  }
  // A coordinate that goes round turns by less than half a turn on a chord.
  const double pieces = std::ceil(
      std::max({T * std::sqrt(acceleration / (8 * kFirstDeviation)), T * fastest / 1.5, T / kLongestProof, 1.0}));
  if (!(pieces < kMaxChords)) return false;
  const int count = static_cast<int>(pieces);
  for (int k = 0; k < count; ++k)
    if (!chordFree(ramps, start, T * k / count, k + 1 == count ? T : T * (k + 1) / count, 0)) return false;
  return true;
}

bool MovingObstacles::free(const RampPath& path, double start, std::size_t first) {
  if (pairs_.empty()) return true;
  if (!passesCoarseCheck(path, start, first)) return false;
  for (std::size_t k = first; k < path.numSegments(); ++k)
    if (!free(path.segment(k), start + (k > 0 ? path.segmentEnd(k - 1) : 0))) return false;
  return true;
}

bool MovingObstacles::restFree(const VectorXd& q, double from, double to) {
  if (pairs_.empty()) return true;
  deviation_.setZero(q.size());
  const double pieces = std::ceil(std::max((to - from) / kLongestProof, 1.0));
  if (!(pieces < kMaxChords)) return false;
  for (int k = 0; k < static_cast<int>(pieces); ++k)
    if (!prove(q, q, from + (to - from) * k / pieces, from + (to - from) * (k + 1) / pieces, 0).free) return false;
  return true;
}

bool MovingObstacles::restFree(const VectorXd& q, double from) {
  double to = from;
  for (const KnownMotion& motion : motions_) to = std::max(to, motion.seenBy(from));
  return restFree(q, from, to);
}

bool MovingObstacles::freeForever(const RampPath& path, double start, std::size_t first) {
  if (pairs_.empty()) return true;
  if (!free(path, start, first)) return false;
  VectorXd q(path.size()), dq(path.size()), ddq(path.size());
  path.evaluate(path.duration(), q, dq, ddq);
  return restFree(q, start + path.duration());
}

}  // namespace mortise
