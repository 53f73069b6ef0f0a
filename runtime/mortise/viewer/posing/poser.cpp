#include "mortise/viewer/posing/poser.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/geometry/convex_hull.h"
#include "mortise/geometry/planar_face.h"
#include "mortise/geometry/tessellate.h"
#include "mortise/mechanics/world_contacts.h"
#include "mortise/model/robot_state.h"

namespace mortise::viewer {

namespace {

constexpr double kTolerance = 1e-6;  ///< Of goals, m and rad: what people see is far more.
constexpr int kIterations = 50;
constexpr double kGrip = 0.01;    ///< Meters from a point that is held: who drags there drags the goal.
constexpr int kFacets = 40;       ///< Across a round shape, when a face of it is wanted.
constexpr int kFaceContacts = 8;  ///< Of a plane face: as many as a robot's foot has.
/// Tries of a drag from elsewhere, where the way from the shown pose ends at a limit or in a fold.
constexpr int kOtherTries = 24;

void requireFiniteNumber(double value) {
  if (!std::isfinite(value)) throw Error("a number that is not finite");
}

Poser::Outcome outcomeOf(const IKSolution& solution) {
  double residual = solution.residual;
  for (const double level : solution.levels) residual = std::max(residual, level);
  return {solution.solved && residual <= 100 * kTolerance, residual};
}

}  // namespace

Poser::Poser(std::shared_ptr<const World> world, ResourceLibrary resources)
    : world_(std::move(world)), collider_(std::make_shared<const WorldCollider>(world_)) {
  state_ = std::make_unique<WorldCollisionState>(collider_);
  for (const WorldRobot& robot : world_->robots) document_.q.push_back(robot.q);
  for (const RigidObject& object : world_->objects) document_.objects.push_back(object.X_WO);
  for (ResourceItem& item : resources.items)
    document_.resources.push_back(std::make_shared<const ResourceItem>(std::move(item)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps

void Poser::beginStep() {
  before_ = document_;
  open_ = true;
}

void Poser::changed() {
  if (!open_) return;
  open_ = false;
  undo_.push_back(std::move(before_));
  redo_.clear();
}

bool Poser::undo() {
  if (undo_.empty()) return false;
  redo_.push_back(std::move(document_));
  document_ = std::move(undo_.back());
  undo_.pop_back();
  open_ = false;
  ++resourceVersion_;
  return true;
}

bool Poser::redo() {
  if (redo_.empty()) return false;
  undo_.push_back(std::move(document_));
  document_ = std::move(redo_.back());
  redo_.pop_back();
  open_ = false;
  ++resourceVersion_;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Poses

const Robot& Poser::robotAt(int robot) const {
  if (robot < 0 || robot >= static_cast<int>(world_->robots.size()))
    throw Error("there is no robot " + std::to_string(robot));
  return *world_->robots[static_cast<std::size_t>(robot)].robot;
}

Poser::Outcome Poser::setDriver(int robot, int driver, double value) {
  const Robot& model = robotAt(robot);
  if (driver < 0 || driver >= model.numDrivers()) throw Error("there is no driver " + std::to_string(driver));
  requireFiniteNumber(value);
  const Driver& moved = model.driver(driver);
  changed();
  setDriverValue(model, driver, std::clamp(value, moved.qMin, moved.qMax),
                 document_.q[static_cast<std::size_t>(robot)]);
  keepWithinLimits(robot);
  return keepGoals(robot, moved.links);
}

Poser::Outcome Poser::setLink(int robot, int link, double value) {
  const Robot& model = robotAt(robot);
  if (link < 0 || link >= model.numLinks()) throw Error("there is no link " + std::to_string(link));
  requireFiniteNumber(value);
  changed();
  document_.q[static_cast<std::size_t>(robot)][link] = value;
  keepWithinLimits(robot);
  return keepGoals(robot, {link});
}

void Poser::setConfiguration(int robot, const VectorXd& q) {
  const Robot& model = robotAt(robot);
  if (q.size() != model.numLinks())
    throw Error("a configuration of " + std::to_string(q.size()) + " numbers does not fit robot '" + model.name() +
                "', which has " + std::to_string(model.numLinks()) + " links");
  if (!q.allFinite()) throw Error("a configuration with numbers that are not finite");
  changed();
  document_.q[static_cast<std::size_t>(robot)] = q;
}

void Poser::placeObject(int object, const RigidTransform& X_WO) {
  if (object < 0 || object >= static_cast<int>(world_->objects.size()))
    throw Error("there is no rigid object " + std::to_string(object));
  if (!X_WO.allFinite()) throw Error("a pose with numbers that are not finite");
  changed();
  document_.objects[static_cast<std::size_t>(object)] = X_WO;
}

void Poser::keepWithinLimits(int robot) {
  const Robot& model = robotAt(robot);
  VectorXd& q = document_.q[static_cast<std::size_t>(robot)];
  for (int l = 0; l < model.numLinks(); ++l)
    if (model.link(l).qMin <= model.link(l).qMax) q[l] = std::clamp(q[l], model.link(l).qMin, model.link(l).qMax);
}

std::vector<IKTerm> Poser::goalTerms(int robot) const {
  std::vector<IKTerm> terms;
  for (const PinnedGoal& pinned : document_.goals)
    if (pinned.robot == robot) terms.push_back({pinned.goal});
  return terms;
}

std::vector<int> Poser::linksWithoutBase(int robot) const {
  const Robot& model = robotAt(robot);
  std::vector<int> links;
  for (int l = model.floatingBaseLink() + 1; l < model.numLinks(); ++l) links.push_back(l);
  return links;
}

Poser::Outcome Poser::solveFrom(int robot, IKProblem problem, int restarts) {
  VectorXd& q = document_.q[static_cast<std::size_t>(robot)];
  problem.robot = world_->robots[static_cast<std::size_t>(robot)].robot;
  IKSolver solver(std::move(problem));
  IKOptions options;
  options.start = q;
  options.tolerance = kTolerance;
  options.maxIterations = kIterations;
  options.restarts = restarts;
  options.method = restarts == 0 ? IKMethod::numeric : IKMethod::automatic;
  const IKSolution solution = solver.solve(options);
  Outcome outcome = outcomeOf(solution);
  if (solution.q.size() == q.size() && solution.q.allFinite()) q = solution.q;
  if (outcome.solved || restarts > 0) return outcome;
  // What can be reached is reached, by the pose nearest to this one that does; else the robot stays as near as it came.
  options.start = q;
  options.restarts = kOtherTries;
  options.nearest = true;
  const IKSolution other = solver.solve(options);
  if (const Outcome reached = outcomeOf(other); reached.solved && other.q.allFinite()) {
    q = other.q;
    outcome = reached;
  }
  return outcome;
}

/// After a joint was moved by hand: the others follow so that the goals hold.
Poser::Outcome Poser::keepGoals(int robot, const std::vector<int>& held) {
  IKProblem problem;
  problem.terms = goalTerms(robot);
  if (problem.terms.empty()) return {};
  const Robot& model = robotAt(robot);
  for (int l = 0; l < model.numLinks(); ++l)
    if (std::find(held.begin(), held.end(), l) == held.end()) problem.active.push_back(l);
  return solveFrom(robot, std::move(problem), 0);
}

/// Whether the link's pose in the world is a goal: then the goal goes where the link is dragged, and keeps its
/// rotation.
bool Poser::moveGoal(int robot, int link, const Vector3d& p_LP, const Vector3d& target_W) {
  for (PinnedGoal& pinned : document_.goals) {
    IKGoal& goal = pinned.goal;
    if (pinned.robot != robot || goal.link != link || goal.destination >= 0 || goal.position != IKGoal::Position::point)
      continue;
    if (goal.rotation == IKGoal::Rotation::free && (goal.p_LP - p_LP).norm() <= kGrip) {
      goal.p_DP = target_W + linkPose(robot, link).R * (goal.p_LP - p_LP);
      return true;
    }
    if (goal.rotation != IKGoal::Rotation::fixed) continue;
    const double angle = goal.rotationVector_DL.norm();
    const Vector3d lever = goal.p_LP - p_LP;
    goal.p_DP = target_W + (angle > 0 ? Eigen::AngleAxisd(angle, goal.rotationVector_DL / angle) * lever : lever);
    return true;
  }
  return false;
}

Poser::Outcome Poser::drag(int robot, int link, const Vector3d& p_LP, const Vector3d& target_W, bool baseMoves) {
  const Robot& model = robotAt(robot);
  if (link < 0 || link >= model.numLinks()) throw Error("there is no link " + std::to_string(link));
  if (!p_LP.allFinite() || !target_W.allFinite()) throw Error("a point with numbers that are not finite");
  changed();
  IKProblem problem;
  if (!baseMoves && model.floatingBaseLink() >= 0) problem.active = linksWithoutBase(robot);
  if (moveGoal(robot, link, p_LP, target_W)) {
    problem.terms = goalTerms(robot);
    return solveFrom(robot, std::move(problem), 0);
  }
  problem.terms = goalTerms(robot);
  IKGoal goal;
  goal.link = link;
  goal.position = IKGoal::Position::point;
  goal.p_LP = p_LP;
  goal.p_DP = target_W;
  IKTerm term{goal};
  if (!problem.terms.empty()) term.priority = 1;
  problem.terms.push_back(term);
  return solveFrom(robot, std::move(problem), 0);
}

Poser::Outcome Poser::placeBase(int robot, const RigidTransform& X_WB) {
  const Robot& model = robotAt(robot);
  if (model.floatingBaseLink() < 0) throw Error("robot '" + model.name() + "' has no floating base");
  if (!X_WB.allFinite()) throw Error("a pose with numbers that are not finite");
  changed();
  setFloatingBasePose(model, X_WB, document_.q[static_cast<std::size_t>(robot)]);
  IKProblem problem;
  problem.terms = goalTerms(robot);
  if (problem.terms.empty()) return {};
  problem.active = linksWithoutBase(robot);
  return solveFrom(robot, std::move(problem), 0);
}

void Poser::pin(const PinnedGoal& pinned) {
  const Robot& model = robotAt(pinned.robot);
  if (pinned.goal.link < 0 || pinned.goal.link >= model.numLinks() || pinned.goal.destination >= model.numLinks())
    throw Error("the goal is for a link that robot '" + model.name() + "' does not have");
  changed();
  // One goal a link and destination, as Klamp't's poser keeps them.
  std::erase_if(document_.goals, [&](const PinnedGoal& other) {
    return other.robot == pinned.robot && other.goal.link == pinned.goal.link &&
           other.goal.destination == pinned.goal.destination;
  });
  document_.goals.push_back(pinned);
}

void Poser::unpin(std::size_t goal) {
  if (goal >= document_.goals.size()) throw Error("there is no goal " + std::to_string(goal));
  changed();
  document_.goals.erase(document_.goals.begin() + static_cast<std::ptrdiff_t>(goal));
}

Poser::Outcome Poser::solve(int robot) {
  robotAt(robot);
  IKProblem problem;
  problem.terms = goalTerms(robot);
  if (problem.terms.empty()) return {};
  changed();
  return solveFrom(robot, std::move(problem), 20);
}

// ---------------------------------------------------------------------------------------------------------------------
// Resources

const ResourceItem& Poser::resource(std::size_t i) const {
  if (i >= document_.resources.size()) throw Error("there is no resource " + std::to_string(i));
  return *document_.resources[i];
}

void Poser::add(ResourceItem item) {
  changed();
  document_.resources.push_back(std::make_shared<const ResourceItem>(std::move(item)));
  ++resourceVersion_;
}

void Poser::replace(std::size_t i, ResourceItem item) {
  resource(i);
  changed();
  document_.resources[i] = std::make_shared<const ResourceItem>(std::move(item));
  ++resourceVersion_;
}

void Poser::erase(std::size_t i) {
  resource(i);
  changed();
  document_.resources.erase(document_.resources.begin() + static_cast<std::ptrdiff_t>(i));
  ++resourceVersion_;
}

std::string Poser::freeName(const std::string& wanted) const {
  const auto taken = [&](const std::string& name) {
    return std::any_of(document_.resources.begin(), document_.resources.end(),
                       [&](const auto& item) { return item->name == name; });
  };
  if (!taken(wanted)) return wanted;
  for (int number = 2;; ++number)
    if (const std::string name = wanted + "_" + std::to_string(number); !taken(name)) return name;
}

// ---------------------------------------------------------------------------------------------------------------------
// What can be seen

std::vector<IdPair> Poser::collisions() {
  for (std::size_t r = 0; r < document_.q.size(); ++r) state_->setConfiguration(static_cast<int>(r), document_.q[r]);
  for (std::size_t i = 0; i < document_.objects.size(); ++i)
    state_->setPose(world_->objectId(static_cast<int>(i)), document_.objects[i]);
  std::vector<IdPair> pairs;
  state_->collisions(pairs);
  return pairs;
}

PickedSurface Poser::pick(const Ray& ray, bool face, int id) {
  if (id >= 0 && world_->entity(id).kind == World::Kind::robot)
    throw Error("contacts are on links, not on robots as a whole");
  collisions();
  const WorldRayHit found = state_->rayCast(ray, id < 0 ? IdFilter::everything() : IdFilter::of({id}));
  if (!found.hit.hit) throw Error("there is no surface there", {}, "point at a link, an object or a terrain");
  PickedSurface surface{found.id, {found.hit.p_W}, found.hit.normal_W};
  if (!face) return surface;
  const RigidTransform X_WS = state_->pose(found.id), X_SW = X_WS.inverse();
  const Geometry& shape = *collider_->shape(found.id)->geometry();
  const AxisAlignedBounds bounds = shape.bounds();
  const TriangleMesh mesh = tessellated(shape, std::max((bounds.max - bounds.min).norm() / kFacets, 1e-6));
  const std::vector<Vector3d> corners = planarFace(mesh, X_SW * found.hit.p_W, X_SW.R * found.hit.normal_W);
  if (corners.size() < 3) return surface;  // A round one: the point.
  surface.points_W.clear();
  for (const Vector3d& corner : hullCorners(corners, kFaceContacts)) surface.points_W.push_back(X_WS * corner);
  return surface;
}

std::vector<IdPair> Poser::collisionsAt(int robot, const VectorXd& q) {
  collisions();
  state_->setConfiguration(robot, q);
  std::vector<IdPair> pairs;
  state_->collisions(pairs);
  return pairs;
}

std::vector<LinkContact> Poser::contacts(int robot) {
  robotAt(robot);
  collisions();
  return WorldContactFinder(collider_, {.touch = touch_}).ofRobot(*state_, robot);
}

void Poser::setTouch(double distance) {
  if (!std::isfinite(distance) || distance < 0)
    throw Error("surfaces touch within a distance in meters that is not below 0");
  touch_ = distance;
}

RigidTransform Poser::linkPose(int robot, int link) {
  const Robot& model = robotAt(robot);
  if (link < 0 || link >= model.numLinks()) throw Error("there is no link " + std::to_string(link));
  RobotState state(model);
  state.q = document_.q[static_cast<std::size_t>(robot)];
  updateFrames(model, state);
  return state.X_WL[static_cast<std::size_t>(link)];
}

std::vector<int> Poser::atLimits() const {
  std::vector<int> ids;
  for (std::size_t r = 0; r < document_.q.size(); ++r) {
    const Robot& model = *world_->robots[r].robot;
    for (int l = 0; l < model.numLinks(); ++l) {
      const Link& link = model.link(l);
      const double q = document_.q[r][l];
      if (link.qMin < link.qMax && (q <= link.qMin + 1e-9 || q >= link.qMax - 1e-9))
        ids.push_back(world_->linkId(static_cast<int>(r), l));
    }
  }
  return ids;
}

}  // namespace mortise::viewer
