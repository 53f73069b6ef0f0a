#include "mortise/collision/edge_check.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise {
namespace {

const World& worldOf(const std::shared_ptr<const WorldCollider>& collider, int robot) {
  const World& world = collider->world();
  if (robot < 0 || robot >= static_cast<int>(world.robots.size())) {
    throw Error("there is no robot " + std::to_string(robot) + " in the world; it has " +
                std::to_string(world.robots.size()));
  }
  return world;
}

/// Metres: a proof looks for collisions first in configurations between which no link moves farther.
constexpr double kLook = 0.2;

}  // namespace

EdgeChecker::EdgeChecker(std::shared_ptr<const WorldCollider> collider, int robot)
    : collider_(std::move(collider)), robot_(robot), space_(worldOf(collider_, robot).robots[robot].robot) {
  const World& world = collider_->world();
  const Robot& model = *world.robots[robot].robot;
  const int n = model.numLinks(), first = world.linkId(robot, 0);
  reach_.assign(n, 0);
  turns_.assign(n, Turn::line);
  rotationStart_.assign(n, -1);
  for (int i = 0; i < n; ++i) {
    if (const CollisionShapePtr& shape = collider_->shape(first + i))
      reach_[i] = shape->centre().norm() + shape->radius();
  }
  for (const Joint& joint : model.joints()) {
    if (joint.type == JointType::spin) turns_[joint.link] = Turn::circle;
    if (joint.type == JointType::floatingPlanar) turns_[joint.link] = Turn::circle;
    if (joint.type != JointType::floating && joint.type != JointType::ballAndSocket) continue;
    const int middle = model.link(joint.link).parent, start = middle < 0 ? -1 : model.link(middle).parent;
    if (start < 0) continue;
    turns_[start] = turns_[middle] = Turn::inRotation;
    turns_[joint.link] = Turn::endOfRotation;
    rotationStart_[joint.link] = start;
  }
  const WorldCollisionState selecting(collider_);
  own_ = selecting.selection(IdFilter::robots(robot));
  everything_ = selecting.selection(IdFilter::everything());
  pairOf_.assign(static_cast<std::size_t>(collider_->numPairs()), -1);
  const auto lowestCommon = [&](int a, int b) {
    while (a != b) (a > b ? a : b) = model.link(a > b ? a : b).parent;
    return a;
  };
  for (int l = 0; l < n; ++l) {
    const int id = first + l;
    for (int other = 0; other < collider_->numIds(); ++other) {
      if (!collider_->pairs()(id, other)) continue;
      const bool own = collider_->robotOf(other) == robot;
      if (own && other < id) continue;
      pairOf_[static_cast<std::size_t>(collider_->pairIndex(id, other))] = static_cast<int>(pairs_.size());
      pairs_.push_back({id, other});
      commonAncestor_.push_back(own ? lowestCommon(l, other - first) : -1);
    }
  }
}

/// For each link: `length`, how far its origin can be from the root along the chain; `angle`, by how much it turns in
/// all; `shift`, by how much its origin moves. The axis of a revolute link goes through its own origin.
void EdgeChecker::bounds(const VectorXd& from, const VectorXd& to, Workspace& workspace) const {
  const Robot& model = space_.robot();
  const int n = model.numLinks();
  workspace.angle.resize(n);
  workspace.shift.resize(n);
  workspace.length.resize(n);
  workspace.turn.resize(n);
  workspace.slide.resize(n);
  workspace.rate.assign(n, 0);
  for (int i = 0; i < n; ++i) {
    const Link& link = model.link(i);
    const double scale = link.axis.norm(), step = std::abs(to[i] - from[i]) * scale;
    double turn = 0, slide = 0, length = link.X_PL0.p.norm();
    if (link.motion == LinkMotion::prismatic) {
      workspace.rate[i] = to[i] - from[i];
      slide = step;
      length += scale * std::max(std::abs(from[i]), std::abs(to[i]));
    } else {
      switch (turns_[i]) {
        case Turn::line:
          turn = step;
          workspace.rate[i] = to[i] - from[i];
          break;
        case Turn::circle:
          workspace.rate[i] = std::remainder(to[i] - from[i], 2 * std::numbers::pi);
          turn = std::abs(workspace.rate[i]) * scale;
          break;
        // The three links of a rotation count once, at the last one. The first two have no shape and no length of
        // their own; where a file gives them any, nothing bounds how fast they turn.
        case Turn::inRotation:
          if (collider_->shape(collider_->world().linkId(robot_, i))) turn = kInfinity;
          break;
        case Turn::endOfRotation: {
          const int middle = link.parent, start = rotationStart_[i];
          const auto rotation = [&](const VectorXd& q) {
            return Matrix3d(mortise::linkMotion(model.link(start), q[start]).R * model.link(middle).X_PL0.R *
                            mortise::linkMotion(model.link(middle), q[middle]).R * link.X_PL0.R *
                            mortise::linkMotion(link, q[i]).R);
          };
          const Matrix3d difference = rotation(from).transpose() * rotation(to);
          turn = momentFromRotation(difference).norm();
          if (!link.X_PL0.p.isZero() || !model.link(middle).X_PL0.p.isZero()) turn = kInfinity;
          break;
        }
      }
    }
    const double angleBefore = link.parent < 0 ? 0 : workspace.angle[link.parent];
    workspace.turn[i] = turn;
    workspace.slide[i] = slide;
    workspace.length[i] = (link.parent < 0 ? 0 : workspace.length[link.parent]) + length;
    workspace.shift[i] = (link.parent < 0 ? 0 : workspace.shift[link.parent]) + angleBefore * length + slide;
    workspace.angle[i] = angleBefore + turn;
  }
}

double EdgeChecker::motionFrom(int link, int ancestor, const Workspace& w) const {
  if (link == ancestor) return 0;
  const double angle0 = ancestor < 0 ? 0 : w.angle[ancestor], shift0 = ancestor < 0 ? 0 : w.shift[ancestor],
               length0 = ancestor < 0 ? 0 : w.length[ancestor];
  // As seen from the common ancestor: what its own motion carries along does not count.
  const double motion =
      w.shift[link] - shift0 - angle0 * (w.length[link] - length0) + (w.angle[link] - angle0) * reach_[link];
  // Sums and differences of a few terms: a hair more than their rounding.
  return motion + 1e-12 * (1 + w.shift[link] + w.angle[link] * (reach_[link] + w.length[link])) * (motion > 0);
}

/// How far any point of a link can move within the part of the way of this half length around where `state` is, as seen
/// from an ancestor: the smaller of two bounds, both gathered from the link towards the root.
///
/// The first is the sum of what each joint does: it moves a point by its turn times how far from its axis the point can
/// be, which is as far as it is now and as it has moved by the joints beyond. The second takes the velocity in the
/// middle, in which joints that move against each other cancel, and adds half the square of the time times the greatest
/// acceleration: the second derivative of a point by the coordinates of joints j and k, k beyond j, is no more than the
/// point's distance from axis k.
double EdgeChecker::motionAround(int link, int ancestor, double half, int part, const WorldCollisionState& state,
                                 Workspace& w) const {
  const Robot& model = space_.robot();
  const int n = model.numLinks(), first = collider_->world().linkId(robot_, 0);
  double* motion = w.motion.data() + static_cast<std::size_t>(link) * static_cast<std::size_t>(n + 1) + 1;
  if (w.measured[link] == part) return motion[ancestor];
  w.measured[link] = part;
  const CollisionShape& shape = *collider_->shape(first + link);
  const Vector3d centre = state.pose(first + link) * shape.centre();
  double moved = 0;
  Vector3d velocity = Vector3d::Zero(), turning = Vector3d::Zero();  // Of the centre and the shape, for the whole way.
  double speed = 0;                                                  // Of what has no known direction.
  double acceleration = 0;                                           // The most of any point, for the whole way.
  double rates = 0;                                                  // Sum of turns times distances.
  for (int j = link; j >= 0; j = model.link(j).parent) {
    motion[j] = moved;
    const double turn = w.turn[j], slide = w.slide[j];
    if (turn == 0 && slide == 0) continue;
    const RigidTransform& X_WJ = state.pose(first + j);
    const bool known = turns_[j] != Turn::endOfRotation;
    const Vector3d axis = X_WJ.R * model.link(j).axis;
    double sum = moved;
    if (turn > 0) {
      const Vector3d arm = centre - X_WJ.p;
      double squared = arm.squaredNorm();
      // A rotation's axis may have any direction; other axes are known.
      if (known) {
        const double along = arm.dot(axis);
        squared -= along * along / axis.squaredNorm();
        const Vector3d w_J = w.rate[j] * axis;
        velocity += w_J.cross(arm);
        turning += w_J;
      }
      const double now = std::sqrt(std::max(0.0, squared)) + shape.radius() + moved;
      const double distance = std::min(now, w.length[link] - w.length[j] + reach_[link]);
      if (!known) speed += turn * distance;
      acceleration += turn * (turn * distance + 2 * rates);
      rates += turn * distance;
      sum += half * turn * distance;
    }
    if (slide > 0) {
      velocity += w.rate[j] * axis;
      rates += slide;
      sum += half * slide;
    }
    const double second =
        half * (velocity.norm() + turning.norm() * shape.radius() + speed) + 0.5 * half * half * acceleration;
    // A hair more than rounding.
    moved = std::min(sum, second) * (1 + 1e-12) + 1e-15 * rates;
  }
  motion[-1] = moved;
  return motion[ancestor];
}

double EdgeChecker::motionOfPair(int pair, double half, int part, const WorldCollisionState& state,
                                 Workspace& workspace) const {
  const int first = collider_->world().linkId(robot_, 0), ancestor = commonAncestor_[pair];
  double motion = motionAround(pairs_[pair].a - first, ancestor, half, part, state, workspace);
  if (collider_->robotOf(pairs_[pair].b) == robot_)
    motion += motionAround(pairs_[pair].b - first, ancestor, half, part, state, workspace);
  return motion + 1e-12;
}

void EdgeChecker::linkMotion(const VectorXd& from, const VectorXd& to, Workspace& workspace,
                             std::vector<double>& motion) const {
  bounds(from, to, workspace);
  motion.resize(reach_.size());
  for (int i = 0; i < static_cast<int>(reach_.size()); ++i) motion[i] = motionFrom(i, -1, workspace);
}

EdgeCheckResult EdgeChecker::check(const VectorXd& from, const VectorXd& to, WorldCollisionState& state,
                                   Workspace& workspace, const EdgeCheckOptions& options) const {
  const int n = space_.robot().numLinks();
  for (const VectorXd* q : {&from, &to}) {
    if (q->size() != n) {
      throw Error("robot " + space_.robot().name() + " has " + std::to_string(n) + " links, and the " +
                  (q == &from ? "start" : "end") + " of the edge " + std::to_string(q->size()) + " numbers");
    }
    if (!q->allFinite())
      throw Error(std::string("the ") + (q == &from ? "start" : "end") + " of the edge is not finite");
  }
  if (options.method == EdgeCheckOptions::Method::proven) {
    if (!(options.clearance > 0)) throw Error("an edge's clearance is a distance in metres above 0");
    return prove(from, to, state, workspace, options);
  }
  if (!(options.resolution > 0)) throw Error("an edge's resolution is a distance of configurations above 0");
  return sample(from, to, state, workspace, options);
}

void EdgeChecker::place(const VectorXd& from, const VectorXd& to, double u, WorldCollisionState& state,
                        Workspace& workspace) const {
  VectorXd& q = workspace.q;
  space_.interpolate(from, to, u, q);
  // What does not move stays to the last bit, which saves looking at it again.
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const Turn turn = turns_[i];
    if (turn == Turn::line || turn == Turn::circle) {
      if (from[i] == to[i]) q[i] = from[i];
    } else if (turn == Turn::endOfRotation) {
      const int middle = space_.robot().link(static_cast<int>(i)).parent, start = rotationStart_[i];
      if (from[i] == to[i] && from[middle] == to[middle] && from[start] == to[start])
        for (const int k : {start, middle, static_cast<int>(i)}) q[k] = from[k];
    }
  }
  state.setConfiguration(robot_, q);
}

bool EdgeChecker::blocked(const VectorXd& from, const VectorXd& to, double u, WorldCollisionState& state,
                          Workspace& workspace, EdgeCheckResult& result) const {
  place(from, to, u, state, workspace);
  ++result.configurations;
  if (!state.anyCollision(own_, everything_, &result.ids)) return false;
  result.u = u;
  result.touching = true;
  return true;
}

double EdgeChecker::beginWay(const VectorXd& from, const VectorXd& to, Workspace& workspace) const {
  bounds(from, to, workspace);
  const int n = space_.robot().numLinks();
  double farthest = 0;
  for (const IdPair& pair : pairs_) {
    const int link = pair.a - collider_->world().linkId(robot_, 0);
    farthest = std::max(farthest, motionFrom(link, -1, workspace));
  }
  if (!std::isfinite(farthest)) {
    throw Error("nothing bounds how far links of " + space_.robot().name() + " move between two configurations", {},
                "check edges by resolution, or take shapes and offsets off the first links of its ball joints");
  }
  workspace.motion.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(n + 1));
  workspace.measured.assign(n, -1);
  return farthest;
}

EdgeCheckResult EdgeChecker::prove(const VectorXd& from, const VectorXd& to, WorldCollisionState& state,
                                   Workspace& workspace, const EdgeCheckOptions& options) const {
  EdgeCheckResult result;
  const double farthest = beginWay(from, to, workspace), clearance = options.clearance;
  workspace.hints.resize(pairs_.size());
  std::vector<int>& pairs = workspace.pairs;
  std::vector<Workspace::Part>& parts = workspace.parts;
  pairs.clear();
  parts.assign(1, {0, 1, 0, 0});
  const auto blockedAt = [&](double u) { return blocked(from, to, u, state, workspace, result); };
  if (blockedAt(0.5)) return result;
  // Middles of parts of this half length and of longer ones have been looked at for collisions.
  double lookedAt = 0.5;
  // To find what blocks is cheap beside proving that nothing does. Short ways are tried first: most are free.
  const auto lookAround = [&] {
    if (!options.endsChecked && (blockedAt(1) || blockedAt(0))) return true;
    for (int steps = 4; farthest > kLook * steps; steps *= 2) {
      for (int i = 1; i < steps; i += 2)
        if (blockedAt(static_cast<double>(i) / steps)) return true;
      lookedAt = 1.0 / steps;
    }
    return false;
  };
  const bool isLong = farthest > 2 * kLook;
  if (isLong && lookAround()) return result;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Workspace::Part part = parts[p];
    const double u = 0.5 * (part.from + part.to), half = 0.5 * (part.to - part.from);
    if (p == 1 && !isLong && lookAround()) return result;
    if (half < lookedAt) {
      if (blockedAt(u)) return result;
    } else if (p > 0 || isLong) {
      place(from, to, u, state, workspace);
    }
    if (p == 0) {
      // Of the whole way most pairs are settled by boxes that hold all that a body can reach.
      const int firstLink = collider_->world().linkId(robot_, 0);
      workspace.reach.assign(static_cast<std::size_t>(collider_->numIds()), 0);
      for (int i = 0; i < space_.robot().numLinks(); ++i)
        if (collider_->shape(firstLink + i))
          workspace.reach[static_cast<std::size_t>(firstLink + i)] = motionAround(i, -1, half, 0, state, workspace);
      state.pairsInReach(own_, everything_, workspace.reach, workspace.inReach);
      for (const IdPair& pair : workspace.inReach)
        pairs.push_back(pairOf_[static_cast<std::size_t>(collider_->pairIndex(pair.a, pair.b))]);
      part.count = pairs.size();
    }
    const std::size_t firstLeft = pairs.size();
    for (std::size_t i = part.first; i < part.first + part.count; ++i) {
      const int pair = pairs[i];
      const auto [a, b] = pairs_[pair];
      const double motion = motionOfPair(pair, half, static_cast<int>(p), state, workspace);
      const double reach = motion + state.tolerance();
      if (state.distanceBound(a, b) > reach) continue;
      ++result.pairQueries;
      if (!withinDistance(*collider_->shape(a), state.pose(a), *collider_->shape(b), state.pose(b), reach,
                          workspace.queries, &workspace.hints[pair]))
        continue;
      if (!(motion > clearance) || u <= part.from || u >= part.to) {
        result.u = u;
        result.ids = {std::min(a, b), std::max(a, b)};
        return result;
      }
      pairs.push_back(pair);
    }
    const std::size_t count = pairs.size() - firstLeft;
    if (count == 0) continue;
    parts.push_back({part.from, u, firstLeft, count});
    parts.push_back({u, part.to, firstLeft, count});
  }
  result.free = true;
  return result;
}

EdgeCheckResult EdgeChecker::sample(const VectorXd& from, const VectorXd& to, WorldCollisionState& state,
                                    Workspace& workspace, const EdgeCheckOptions& options) const {
  EdgeCheckResult result;
  const double resolution = options.resolution;
  const double length = space_.distance(from, to);
  const double wanted = std::ceil(length / resolution);
  if (!(wanted < 1e9)) {
    throw Error("an edge of length " + std::to_string(length) + " takes more than a billion checks at resolution " +
                    std::to_string(resolution),
                {}, "take a coarser resolution");
  }
  // Far ones first: the ends, then about the middle, then about the middles of the halves.
  const std::int64_t steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(wanted));
  std::int64_t all = 1;
  while (all < steps) all *= 2;
  const auto blockedAt = [&](double u) { return blocked(from, to, u, state, workspace, result); };
  if (!options.endsChecked && (blockedAt(1) || blockedAt(0))) return result;
  for (std::int64_t stride = all; stride > 1; stride /= 2)
    for (std::int64_t i = stride / 2; i < steps; i += stride)
      if (blockedAt(static_cast<double>(i) / static_cast<double>(steps))) return result;
  result.free = true;
  return result;
}

}  // namespace mortise
