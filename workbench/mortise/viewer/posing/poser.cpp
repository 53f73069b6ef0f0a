#include "mortise/viewer/posing/poser.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/model/robot_state.h"
#include "mortise/modeling/robot_mirror.h"

namespace mortise::viewer {

namespace {

constexpr double kTolerance = 1e-6;  ///< Tolerance of goals, m and rad: what people see is far more.
constexpr int kIterations = 50;
constexpr double kGrip = 0.01;  ///< Meters from a point that is held: who drags there drags the goal.
/// Tries of a drag from elsewhere, where the way from the shown pose ends at a limit or in a fold.
constexpr int kOtherTries = 24;

/// Meters and radians: farther away nothing can be seen, and distances between what is there lose their digits.
constexpr double kFarthest = 1e6;

template <typename Derived>
void requireWithinReach(const Eigen::MatrixBase<Derived>& numbers, const char* what) {
  if (!numbers.allFinite()) throw Error(std::string(what) + " with numbers that are not finite");
  if (numbers.size() > 0 && numbers.cwiseAbs().maxCoeff() > kFarthest)
    throw Error(std::string(what) + " with numbers beyond a million", {},
                "lengths are in meters and angles in radians");
}

void requireFiniteNumber(double value) { requireWithinReach(Eigen::Matrix<double, 1, 1>(value), "a value"); }

/// Turns and shifts a base in the plane in which it moves, toward a pose.
void movePlanarBase(const Robot& model, int base, const RigidTransform& X_WB, VectorXd& q) {
  for (const LinkMotion motion : {LinkMotion::revolute, LinkMotion::prismatic}) {
    RobotState state(model);
    state.q = q;
    updateFrames(model, state);
    const RigidTransform& now = state.X_WL[static_cast<std::size_t>(base)];
    for (int l = base; l >= 0; l = model.link(l).parent) {
      const Vector3d axis = state.X_WL[static_cast<std::size_t>(l)].R * model.link(l).axis;
      if (model.link(l).motion != motion) continue;
      if (motion == LinkMotion::prismatic) {
        q[l] += axis.dot(X_WB.p - now.p) / axis.squaredNorm();
      } else {
        const Eigen::Quaterniond turn(X_WB.R * now.R.transpose());
        const double angle = 2 * std::atan2(turn.vec().dot(axis.normalized()), turn.w());
        q[l] += std::remainder(angle, 2 * kPi) / axis.norm();
      }
    }
  }
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
  requireWithinReach(q, "a configuration");
  changed();
  document_.q[static_cast<std::size_t>(robot)] = q;
}

void Poser::placeObject(int object, const RigidTransform& X_WO) {
  if (object < 0 || object >= static_cast<int>(world_->objects.size()))
    throw Error("there is no rigid object " + std::to_string(object));
  if (!X_WO.allFinite()) throw Error("a pose with numbers that are not finite");
  requireWithinReach(X_WO.p, "a pose");
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
  const int base = baseLink(robot);
  for (int l = 0; l < model.numLinks(); ++l)
    if (base < 0 || (l != base && !model.isAncestor(l, base))) links.push_back(l);
  return links;
}

int Poser::baseLink(int robot) const {
  const Robot& model = robotAt(robot);
  if (model.floatingBaseLink() >= 0) return model.floatingBaseLink();
  for (const Joint& joint : model.joints())
    if (joint.type == JointType::floatingPlanar && joint.base < 0) return joint.link;
  return -1;
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

/// Says whether the link's pose in the world is a goal: then the goal goes where the link is dragged, and keeps its
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
  requireWithinReach(p_LP, "a point");
  requireWithinReach(target_W, "a target");
  changed();
  IKProblem problem;
  if (!baseMoves && baseLink(robot) >= 0) problem.active = linksWithoutBase(robot);
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
  const int base = baseLink(robot);
  if (base < 0) throw Error("robot '" + model.name() + "' has no base that moves");
  if (!X_WB.allFinite()) throw Error("a pose with numbers that are not finite");
  requireWithinReach(X_WB.p, "a pose");
  changed();
  VectorXd& q = document_.q[static_cast<std::size_t>(robot)];
  if (base == model.floatingBaseLink())
    setFloatingBasePose(model, X_WB, q);
  else
    movePlanarBase(model, base, X_WB, q);
  keepWithinLimits(robot);
  IKProblem problem;
  problem.terms = goalTerms(robot);
  if (problem.terms.empty()) return {};
  problem.active = linksWithoutBase(robot);
  return solveFrom(robot, std::move(problem), 0);
}

void Poser::mirror(int robot) {
  const RobotMirror image = findMirror(robotAt(robot));
  changed();
  VectorXd& q = document_.q[static_cast<std::size_t>(robot)];
  q = image(q);
  keepWithinLimits(robot);
}

void Poser::holdPoint(int robot, int link, const Vector3d& p_LP) {
  for (const PinnedGoal& pinned : document_.goals)
    if (pinned.robot == robot && pinned.goal.link == link && pinned.goal.destination < 0 &&
        pinned.goal.position == IKGoal::Position::point &&
        (pinned.goal.rotation == IKGoal::Rotation::fixed || (pinned.goal.p_LP - p_LP).norm() <= kGrip))
      return;
  IKGoal goal;
  goal.link = link;
  goal.position = IKGoal::Position::point;
  goal.p_LP = p_LP;
  goal.p_DP = linkPose(robot, link) * p_LP;
  pin({robot, goal});
}

void Poser::pin(const PinnedGoal& pinned) {
  const Robot& model = robotAt(pinned.robot);
  if (pinned.goal.link < 0 || pinned.goal.link >= model.numLinks() || pinned.goal.destination >= model.numLinks())
    throw Error("the goal is for a link that robot '" + model.name() + "' does not have");
  requireWithinReach(pinned.goal.p_LP, "a goal");
  requireWithinReach(pinned.goal.p_DP, "a goal");
  changed();
  // One goal a link and destination, as Klamp't's poser keeps them.
  std::erase_if(document_.goals, [&](const PinnedGoal& other) {
    return other.robot == pinned.robot && other.goal.link == pinned.goal.link &&
           other.goal.destination == pinned.goal.destination;
  });
  document_.goals.push_back(pinned);
}

void Poser::changeGoal(std::size_t goal, const IKGoal& changedGoal) {
  if (goal >= document_.goals.size()) throw Error("there is no goal " + std::to_string(goal));
  const Robot& model = robotAt(document_.goals[goal].robot);
  if (changedGoal.link != document_.goals[goal].goal.link || changedGoal.destination >= model.numLinks() ||
      changedGoal.destination == changedGoal.link)
    throw Error("a goal of a link is in the frame of the world or of another link of robot '" + model.name() + "'");
  requireWithinReach(changedGoal.p_LP, "a goal");
  requireWithinReach(changedGoal.p_DP, "a goal");
  changed();
  document_.goals[goal].goal = changedGoal;
}

void Poser::unpin(std::size_t goal) {
  if (goal >= document_.goals.size()) throw Error("there is no goal " + std::to_string(goal));
  changed();
  document_.goals.erase(document_.goals.begin() + static_cast<std::ptrdiff_t>(goal));
}

Poser::Outcome Poser::solve(int robot, const std::vector<int>& held) {
  const Robot& model = robotAt(robot);
  IKProblem problem;
  problem.terms = goalTerms(robot);
  if (problem.terms.empty()) return {};
  changed();
  if (!held.empty())
    for (int l = 0; l < model.numLinks(); ++l)
      if (std::find(held.begin(), held.end(), l) == held.end()) problem.active.push_back(l);
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

std::vector<IdPair> Poser::collisionsAt(int robot, const VectorXd& q) {
  collisions();
  state_->setConfiguration(robot, q);
  std::vector<IdPair> pairs;
  state_->collisions(pairs);
  return pairs;
}

void Poser::setTouch(double distance) {
  if (!std::isfinite(distance) || distance < 0)
    throw Error("surfaces touch within a distance in meters that is not below 0");
  if (distance != touch_) finder_.reset();
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
