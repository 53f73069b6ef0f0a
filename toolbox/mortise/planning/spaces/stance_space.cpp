#include "mortise/planning/spaces/stance_space.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "mortise/base/borrow.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/collision/query.h"
#include "mortise/ik/damped_newton.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/mechanics/forces/friction_cone.h"
#include "mortise/mechanics/static_torques.h"
#include "mortise/planning/spaces/planned_variables.h"

namespace mortise {

namespace {

/// The goals, and the center of mass above a target.
std::vector<IKTerm> standingTerms(const std::vector<IKGoal>& goals, const SupportPolygon& polygon,
                                  const Eigen::Vector2d& target) {
  CenterOfMassGoal center;
  center.axes_W << polygon.x_W(), polygon.y_W(), polygon.x_W().cross(polygon.y_W());
  center.p_W = target.x() * polygon.x_W() + target.y() * polygon.y_W();
  center.along = {true, true, false};
  std::vector<IKTerm> terms = termsOf(goals);
  terms.push_back({center});
  return terms;
}

std::vector<IKGoal> goalsOf(const Stance& stance) {
  std::vector<IKGoal> goals;
  for (const Hold& hold : stance.holds) goals.push_back(hold.goal);
  return goals;
}

}  // namespace

/// The data that copies share.
struct StanceSpace::Shared {
  RobotPtr robot;
  Stance stance;
  StanceSpaceOptions options;
  SupportPolygon polygon;
  std::unique_ptr<const StaticTorques> torques;
  std::vector<std::string> names;
  int balance = -1, torqueLimits = -1;  ///< Indices of the constraints.

  Shared(const RobotSpace& space, const Stance& given, const StanceSpaceOptions& wanted)
      // The space, which the stance's space holds a copy of, keeps the robot.
      : robot(borrow(space.robot())), stance(given), options(wanted) {
    if (stance.holds.empty()) throw Error("a stance without holds holds nothing");
    if (!std::isfinite(options.margin)) throw Error("the margin of the support polygon must be finite");
    if (options.margin != 0 && !options.balance)
      throw Error("a margin of the support polygon means nothing without balance");
    std::set<int> links;
    std::vector<ContactPoint> points;
    std::vector<LinkContact> contacts;
    for (Hold& hold : stance.holds) {
      if (hold.link < 0 || hold.link >= robot->numLinks())
        throw Error(
            "a hold is of link " + std::to_string(hold.link) + ", which robot '" + robot->name() + "' does not have",
            {}, "links run from 0 to " + std::to_string(robot->numLinks() - 1));
      const std::string& name = robot->link(hold.link).name;
      if (!links.insert(hold.link).second) throw Error("the stance has two holds of link '" + name + "'");
      if (hold.goal.link != hold.link)
        throw Error("the hold of link '" + name + "' has a goal for link " + std::to_string(hold.goal.link));
      for (ContactPoint& contact : hold.contacts) {
        if (options.friction) contact.friction = *options.friction;
        points.push_back(contact);
        contacts.push_back({hold.link, contact});
      }
    }
    if (options.balance) {
      polygon = SupportPolygon(points, {options.gravity_W, options.coneEdges});
      if (polygon.empty())
        throw Error("nothing balances on the contacts of the stance", {},
                    points.empty() ? "its holds have no contact points" : "check normals and friction");
      balance = static_cast<int>(names.size());
      names.push_back("balance");
    }
    if (options.torqueLimits) {
      torques = std::make_unique<const StaticTorques>(robot, contacts,
                                                      StaticTorqueOptions{options.gravity_W, options.coneEdges});
      torqueLimits = static_cast<int>(names.size());
      names.push_back("torque_limits");
    }
  }
};

struct StanceSpace::Standing {
  std::shared_ptr<const Shared> shared;
  RobotDynamics dynamics;
  std::optional<IKEquations> equations;  ///< Equations where there is balance.
  DampedNewton solver;
  DampedNewtonOptions solving;
  VectorXd low, high, full;

  Standing(std::shared_ptr<const Shared> what, const ConstrainedSpace& space)
      : shared(std::move(what)), dynamics(shared->robot) {
    solving.tolerance = 0.5 * shared->options.edges.tolerance;
    solving.maxIterations = shared->options.edges.maxIterations;
    space.projectionBounds(low, high);
    if (shared->balance < 0) return;
    const PlannedVariables planned = plannedVariables(space, space.movers()[0], shared->robot->name());
    equations.emplace(shared->robot, standingTerms(space.goals(), shared->polygon, Eigen::Vector2d::Zero()),
                      planned.variables);
    equations->setFixed(planned.base);
  }

  double margin(const VectorXd& configuration) {
    dynamics.setPosition(configuration);
    return shared->polygon.margin(dynamics.centerOfMass());
  }
};

StanceSpace::StanceSpace(const RobotSpace& space, const Stance& stance, const StanceSpaceOptions& options)
    : StanceSpace(space, std::make_shared<const Shared>(space, stance, options)) {}

StanceSpace::StanceSpace(const RobotSpace& space, std::shared_ptr<const Shared> shared)
    : ConstrainedSpace(space, goalsOf(shared->stance), shared->options.edges, shared->names),
      standing_(std::make_unique<Standing>(shared, *this)) {}

StanceSpace::StanceSpace(const StanceSpace& other)
    : ConstrainedSpace(other), standing_(std::make_unique<Standing>(other.standing_->shared, *this)) {}

StanceSpace::~StanceSpace() = default;

std::unique_ptr<MotionSpace> StanceSpace::copyMotion() const {
  return std::unique_ptr<MotionSpace>(new StanceSpace(*this));
}

const Stance& StanceSpace::stance() const { return standing_->shared->stance; }

const SupportPolygon* StanceSpace::supportPolygon() const {
  return standing_->shared->balance >= 0 ? &standing_->shared->polygon : nullptr;
}

double StanceSpace::balanceMargin(const VectorXd& q) const {
  lift(q, standing_->full);
  return standing_->margin(standing_->full);
}

Value StanceSpace::properties() const {
  Value map = ConstrainedSpace::properties();
  if (const SupportPolygon* polygon = supportPolygon())
    map.set("supportArea", polygon->bounded() ? Value(polygon->area()) : Value());
  return map;
}

bool StanceSpace::holds(int own, const VectorXd& full) {
  const Shared& shared = *standing_->shared;
  if (own == shared.balance) return standing_->margin(full) >= shared.options.margin - 1e-9;
  standing_->dynamics.setPosition(full);
  return shared.torques->within(standing_->dynamics);
}

std::string StanceSpace::explainOwn(int own, const VectorXd& full) {
  const Shared& shared = *standing_->shared;
  if (own == shared.balance) {
    const double margin = standing_->margin(full);
    std::string text = "the center of mass is " + formatReal(std::abs(margin), 4) + " m " +
                       (margin < 0 ? "outside" : "inside the edge of") + " the support polygon";
    if (shared.options.margin != 0)
      text += " (at least " + formatReal(shared.options.margin, 4) + " m inside is wanted)";
    if (margin >= 0) return text + "; it balances with a margin of " + formatReal(margin, 4) + " m or less";
    const Vector3d center = standing_->dynamics.centerOfMass();
    const auto number = [&](int i) { return formatReal(center[i], 3); };
    return text + "; contacts that reach below (" + number(0) + ", " + number(1) + ", " + number(2) + ") would bear it";
  }
  standing_->dynamics.setPosition(full);
  for (double scale = 1.25; scale < 100; scale *= 1.25)
    if (shared.torques->within(standing_->dynamics, scale))
      return "no forces at the contacts keep all joints within their torque limits; " + formatReal(scale, 4) +
             " times the torques would do";
  return "no forces at the contacts keep the robot at rest";
}

void StanceSpace::improve(RandomStream& random, VectorXd& q) {
  const Shared& shared = *standing_->shared;
  if (shared.balance < 0 || balanceMargin(q) >= shared.options.margin) return;
  // Anywhere in the polygon, by weights of its corners, and where it never ends within some meters of them.
  const std::vector<Eigen::Vector2d>& corners = shared.polygon.anchors();
  Eigen::Vector2d target = Eigen::Vector2d::Zero();
  double sum = 0;
  for (const Eigen::Vector2d& corner : corners) {
    const double weight = -std::log(1 - random.uniform());
    target += weight * corner;
    sum += weight;
  }
  if (!(sum > 0)) return;
  target /= sum;
  for (const Eigen::Vector2d& ray : shared.polygon.rays()) target -= std::log(1 - random.uniform()) * ray;
  standing_->equations->setTerms(standingTerms(goals(), shared.polygon, target));
  VectorXd better = q;
  if (standing_->solver.solve(*standing_->equations, better, standing_->low, standing_->high, standing_->solving)
          .solved)
    q = better;
}

std::shared_ptr<const WorldCollider> withoutHolds(const std::shared_ptr<const WorldCollider>& collider, int robot,
                                                  const Stance& stance, double touch) {
  const World& world = collider->world();
  if (robot < 0 || robot >= static_cast<int>(world.robots.size()))
    throw Error("there is no robot " + std::to_string(robot) + " in the world");
  if (!(touch > 0) || !std::isfinite(touch)) throw Error("how near counts as touching must be above 0 m");
  const CollisionShapePtr probe = makeCollisionShape(std::make_shared<Geometry>(SphereShape{Vector3d::Zero(), touch}));
  const WorldCollisionState state(collider);
  QueryWorkspace workspace;
  PairTable pairs = collider->pairs();
  for (const Hold& hold : stance.holds) {
    if (hold.link < 0 || hold.link >= world.robots[robot].robot->numLinks()) continue;
    const int link = world.linkId(robot, hold.link);
    for (int id = 0; id < collider->numIds(); ++id) {
      if (!pairs(link, id) || collider->robotOf(id) == robot || collider->shape(id) == nullptr) continue;
      const bool held = std::any_of(hold.contacts.begin(), hold.contacts.end(), [&](const ContactPoint& contact) {
        RigidTransform X_WC;
        X_WC.p = contact.p_WC;
        return collide(*collider->shape(id), state.pose(id), *probe, X_WC, workspace);
      });
      if (held) pairs.set(link, id, false);
    }
  }
  return std::make_shared<const WorldCollider>(collider->withPairs(pairs));
}

}  // namespace mortise
