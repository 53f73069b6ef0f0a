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
      reach_[i] = shape->center().norm() + shape->radius();
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

/// Bounds how far any point of a link can move within the part of the edge of this half length around where `state` is,
/// as seen from an ancestor: the smaller of two bounds, both gathered from the link towards the root.
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
  const Vector3d center = state.pose(first + link) * shape.center();
  double moved = 0;
  Vector3d velocity = Vector3d::Zero(), turning = Vector3d::Zero();  // Of the center and the shape, for the whole edge.
  double speed = 0;                                                  // Of what has no known direction.
  double acceleration = 0;                                           // The largest of any point, for the whole edge.
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
      const Vector3d arm = center - X_WJ.p;
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

void EdgeChecker::place(const VectorXd& from, const VectorXd& to, double u, WorldCollisionState& state,
                        Workspace& workspace) const {
  VectorXd& q = workspace.q;
  space_.interpolate(from, to, u, q);
  // What does not move stays to the last bit, which saves checking it again.
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

double EdgeChecker::beginEdge(const VectorXd& from, const VectorXd& to, Workspace& workspace) const {
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

class EdgeChecker::Motion {
 public:
  Motion(const EdgeChecker& checker, const VectorXd& from, const VectorXd& to, Workspace& workspace, double farthest)
      : checker_(checker), from_(from), to_(to), workspace_(workspace), farthest_(farthest) {}

  double farthest() const { return farthest_; }
  void place(double u, WorldCollisionState& state) const { checker_.place(from_, to_, u, state, workspace_); }
  const IdSelection& moving() const { return checker_.own_; }
  const IdSelection& others() const { return checker_.everything_; }
  int numPairs() const { return static_cast<int>(checker_.pairs_.size()); }
  int indexOf(const IdPair& pair) const {
    return checker_.pairOf_[static_cast<std::size_t>(checker_.collider_->pairIndex(pair.a, pair.b))];
  }
  const IdPair& pair(int index) const { return checker_.pairs_[static_cast<std::size_t>(index)]; }
  void reach(double half, const WorldCollisionState& state, std::vector<double>& byId) const {
    const int firstLink = checker_.collider_->world().linkId(checker_.robot_, 0);
    for (int i = 0; i < checker_.space_.robot().numLinks(); ++i)
      if (checker_.collider_->shape(firstLink + i))
        byId[static_cast<std::size_t>(firstLink + i)] = checker_.motionAround(i, -1, half, 0, state, workspace_);
  }
  double motionOfPair(int index, double half, int part, const WorldCollisionState& state) const {
    return checker_.motionOfPair(index, half, part, state, workspace_);
  }

 private:
  const EdgeChecker& checker_;
  const VectorXd &from_, &to_;
  Workspace& workspace_;
  double farthest_;
};

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
    if (!(options.clearance > 0)) throw Error("an edge's clearance is a distance in meters above 0");
    Motion motion(*this, from, to, workspace, beginEdge(from, to, workspace));
    return EdgeProver(motion, state, workspace.proof, {options.clearance, options.endsChecked}).prove();
  }
  if (!(options.resolution > 0)) throw Error("an edge's resolution is a distance of configurations above 0");
  Motion motion(*this, from, to, workspace, 0);
  return sampleEdge(motion, state, edgeSteps(space_.distance(from, to), options.resolution), options.endsChecked);
}

}  // namespace mortise
