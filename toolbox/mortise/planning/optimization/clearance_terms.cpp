#include "mortise/planning/optimization/clearance_terms.h"

#include <map>
#include <string>

#include "mortise/base/error.h"
#include "mortise/collision/query.h"
#include "mortise/geometry/convert.h"

namespace mortise {

struct ClearanceTerms::State {
  struct Moving {
    int robot = 0, link = 0, mover = 0;
  };
  struct Pair {
    int a = 0, b = 0;
    bool asTheyAre = false;
  };

  MotionSpace& space;
  std::shared_ptr<const WorldCollider> collider;
  WorldCollisionState poses;
  QueryWorkspace workspace;
  std::vector<CollisionShapePtr> hulls;  ///< By id; of links that move.
  std::map<int, Moving> moving;          ///< By id.
  std::vector<Pair> pairs;
  std::vector<RobotDynamics> dynamics;  ///< By mover.
  Eigen::MatrixXd lift;                 ///< Whole configurations by coordinates.
  VectorXd full, rest, part;
  Matrix3X jacobian;
  VectorXd fullGradient;

  State(MotionSpace& s, std::shared_ptr<const WorldCollider> c) : space(s), collider(std::move(c)), poses(collider) {}

  const CollisionShapePtr& shapeOf(int id, const Pair& pair) const {
    const auto i = static_cast<std::size_t>(id);
    return pair.asTheyAre || hulls[i] == nullptr ? collider->shape(id) : hulls[i];
  }
  DistanceResult distanceOf(const Pair& pair, double within) {
    DistanceOptions options;
    options.upperBound = within;
    return distance(*shapeOf(pair.a, pair), poses.pose(pair.a), *shapeOf(pair.b, pair), poses.pose(pair.b), workspace,
                    options);
  }
  void place(const VectorXd& q) {
    space.lift(q, full);
    std::size_t i = 0;
    for (const Mover& mover : space.movers()) {
      part = full.segment(mover.first, mover.size);
      poses.setConfiguration(mover.index, part);
      dynamics[i++].setPosition(part);
    }
  }
  /// `direction` times the velocity of a point of a body, by whole configurations.
  void addPoint(int id, const Vector3d& p_W, const Vector3d& direction) {
    const auto found = moving.find(id);
    if (found == moving.end()) return;
    const Moving& body = found->second;
    RobotDynamics& robot = dynamics[static_cast<std::size_t>(body.mover)];
    const RigidTransform X_WL = robot.X_WL(body.link);
    const Mover& mover = space.movers()[static_cast<std::size_t>(body.mover)];
    jacobian.resize(3, mover.size);
    robot.positionJacobian(body.link, X_WL.R.transpose() * (p_W - X_WL.p), jacobian);
    fullGradient.segment(mover.first, mover.size) += jacobian.transpose() * direction;
  }
};

ClearanceTerms::ClearanceTerms(MotionSpace& space, std::shared_ptr<const WorldCollider> collider)
    : state_(std::make_unique<State>(space, std::move(collider))) {
  State& s = *state_;
  const World& world = s.collider->world();
  s.hulls.resize(static_cast<std::size_t>(s.collider->numIds()));
  int index = 0;
  for (const Mover& mover : space.movers()) {
    if (mover.kind != Mover::Kind::robot)
      throw Error("paths of rigid objects cannot be optimized by signed distances", {}, "optimize paths of robots");
    const RobotPtr& robot = world.robots[static_cast<std::size_t>(mover.index)].robot;
    s.dynamics.emplace_back(robot);
    for (int link = 0; link < robot->numLinks(); ++link) {
      const int id = world.linkId(mover.index, link);
      if (s.collider->shape(id) != nullptr) s.moving[id] = {mover.index, link, index};
    }
    ++index;
  }
  const int n = space.dimension();
  space.lift(VectorXd::Zero(n), s.rest);
  s.lift.resize(s.rest.size(), n);
  for (int i = 0; i < n; ++i) {
    space.lift(VectorXd::Unit(n, i), s.full);
    s.lift.col(i) = s.full - s.rest;
  }
  for (const auto& [id, body] : s.moving) {
    try {
      s.hulls[static_cast<std::size_t>(id)] = makeCollisionShape(
          converted(world.robots[static_cast<std::size_t>(body.robot)].robot->link(body.link).geometry,
                    GeometryKind::convexHull));
    } catch (const Error&) {
      // Flat and empty shapes have no hull: they count as they are.
    }
  }
  for (int a = 0; a < s.collider->numIds(); ++a)
    for (int b = a + 1; b < s.collider->numIds(); ++b)
      if (s.collider->pairs()(a, b) && (s.moving.contains(a) || s.moving.contains(b))) s.pairs.push_back({a, b, false});
}

ClearanceTerms::~ClearanceTerms() = default;

const World& ClearanceTerms::world() const { return state_->collider->world(); }

void ClearanceTerms::keepFree(const VectorXd& q) {
  State& s = *state_;
  s.place(q);
  for (State::Pair& pair : s.pairs) {
    if (pair.asTheyAre || s.poses.distanceBound(pair.a, pair.b) > 0.1) continue;
    const DistanceResult hulls = s.distanceOf(pair, 0.1);
    if (hulls.found && hulls.distance <= 0) pair.asTheyAre = true;
  }
}

void ClearanceTerms::evaluate(const VectorXd& q, double within, bool gradients, std::vector<ClearanceTerm>& terms) {
  State& s = *state_;
  terms.clear();
  s.place(q);
  for (const State::Pair& pair : s.pairs) {
    // Boxes and spheres around a body are around its hull, too.
    if (s.poses.distanceBound(pair.a, pair.b) > within) continue;
    const DistanceResult nearest = s.distanceOf(pair, within);
    if (!nearest.found || nearest.distance >= within) continue;
    ClearanceTerm term;
    term.ids = {pair.a, pair.b};
    term.distance = nearest.distance;
    if (gradients) {
      s.fullGradient.setZero(s.full.size());
      s.addPoint(pair.a, nearest.p_WA, -nearest.normal_W);
      s.addPoint(pair.b, nearest.p_WB, nearest.normal_W);
      term.gradient = s.lift.transpose() * s.fullGradient;
    }
    terms.push_back(std::move(term));
  }
}

}  // namespace mortise
