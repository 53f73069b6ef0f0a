#include "mortise/planning/space/plan_space.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/planning/space/plan_padding.h"
#include "mortise/planning/spaces/multi_robot_space.h"
#include "mortise/planning/spaces/object_space.h"
#include "mortise/planning/spaces/stance_space.h"

namespace mortise {

std::shared_ptr<const WorldCollider> makePlanCollider(std::shared_ptr<const World> world) {
  WorldColliderOptions options;
  options.fixedLinksAgainstTerrains = false;
  return std::make_shared<const WorldCollider>(std::move(world), options);
}

std::shared_ptr<const WorldCollider> problemCollider(std::shared_ptr<const WorldCollider> collider,
                                                     const PlanSpaceRequest& request) {
  if (request.stance && request.robots.size() == 1)
    collider = withoutHolds(collider, request.robots.front(), *request.stance);
  if (request.ignored.empty()) return collider;
  const int ids = collider->numIds();
  PairTable pairs = collider->pairs();
  for (const IdPair& pair : request.ignored) {
    if (pair.a < 0 || pair.b < 0 || pair.a >= ids || pair.b >= ids || pair.a == pair.b)
      throw Error("there is no pair of ids " + std::to_string(pair.a) + " and " + std::to_string(pair.b) +
                  " that could be ignored");
    pairs.set(pair.a, pair.b, false);
  }
  return std::make_shared<const WorldCollider>(collider->withPairs(pairs));
}

std::vector<Mover> planMovers(const World& world, const PlanSpaceRequest& request) {
  if (request.object >= 0 && !request.robots.empty())
    throw Error("either robots are planned for or a rigid object, not both");
  if (request.object >= static_cast<int>(world.objects.size()))
    throw Error("there is no rigid object " + std::to_string(request.object) + " in the world");
  if (request.object >= 0) return {{Mover::Kind::object, request.object, 0, 6}};
  if (request.robots.empty()) throw Error("neither a robot nor a rigid object is planned for");
  if (request.planar) throw Error("only a rigid object can be planar");
  std::vector<Mover> movers;
  int first = 0;
  for (const int robot : request.robots) {
    if (robot < 0 || robot >= static_cast<int>(world.robots.size()))
      throw Error("there is no robot " + std::to_string(robot) + " in the world");
    for (const Mover& other : movers)
      if (other.index == robot)
        throw Error("robot '" + world.robots[robot].name + "' is named twice among those that are planned for");
    const int size = world.robots[robot].robot->numLinks();
    movers.push_back({Mover::Kind::robot, robot, first, size});
    first += size;
  }
  return movers;
}

VectorXd worldConfiguration(const World& world, const PlanSpaceRequest& request) {
  const std::vector<Mover> movers = planMovers(world, request);
  VectorXd full(movers.back().first + movers.back().size);
  for (const Mover& mover : movers) {
    if (mover.kind == Mover::Kind::robot) {
      full.segment(mover.first, mover.size) = world.robots[mover.index].q;
    } else {
      const RigidTransform& X_WO = world.objects[mover.index].X_WO;
      full.segment<3>(mover.first) = X_WO.p;
      full.segment<3>(mover.first + 3) = momentFromRotation(X_WO.R);
    }
  }
  return full;
}

namespace {

std::vector<int> linksOf(const World& world, const PlanSpaceRequest& request, int robot) {
  std::vector<int> links;
  const int first = world.linkId(robot, 0), n = world.robots[static_cast<std::size_t>(robot)].robot->numLinks();
  for (const int id : request.links)
    if (id >= first && id < first + n) links.push_back(id - first);
  return links;
}

ConfigurationDistanceOptions metricOf(const PlanSpaceRequest& request, const Mover& mover) {
  ConfigurationDistanceOptions metric;
  if (request.weights.size() > 0) metric.weights = request.weights.segment(mover.first, mover.size);
  return metric;
}

std::unique_ptr<MotionSpace> objectSpace(std::shared_ptr<const WorldCollider> collider, const PlanSpaceRequest& request,
                                         const VectorXd& base) {
  ObjectSpaceOptions options;
  options.margin = request.margin;
  options.edges = request.edges;
  options.planar = request.planar;
  options.X_WO = RigidTransform(rotationFromMoment(base.segment<3>(3)), base.head<3>());
  if (request.workspace) {
    options.low = request.workspace->min();
    options.high = request.workspace->max();
  }
  if (request.weights.size() > 0)
    throw Error("weights of distances are of robots, but a rigid object moves", {}, "leave them out");
  return std::make_unique<ObjectSpace>(std::move(collider), request.object, options);
}

/// Along the solutions of what is kept.
std::unique_ptr<MotionSpace> constrainedSpace(const RobotSpace& robot, const World& world,
                                              const PlanSpaceRequest& request) {
  ConstrainedSpaceOptions edgeOptions;
  edgeOptions.tolerance = request.keepTolerance;
  edgeOptions.deviation = std::max(edgeOptions.deviation, 4 * edgeOptions.tolerance);
  if (!request.stance) {
    std::vector<IKGoal> goals;
    for (const RobotGoal& goal : request.keep) goals.push_back(goal.goal);
    return std::make_unique<ConstrainedSpace>(robot, std::move(goals), edgeOptions);
  }
  Stance stance = *request.stance;  // Goals beyond it are holds without contacts.
  for (const RobotGoal& goal : request.keep) stance.holds.push_back({goal.goal.link, {}, goal.goal});
  StanceSpaceOptions options;
  options.edges = edgeOptions;
  options.margin = request.balanceMargin;
  options.gravity_W = world.simulation.gravity;
  return std::make_unique<StanceSpace>(robot, stance, options);
}

std::unique_ptr<MotionSpace> robotsSpace(std::shared_ptr<const WorldCollider> collider, const PlanSpaceRequest& request,
                                         const std::vector<Mover>& movers, const VectorXd& base) {
  std::vector<MovingRobot> robots;
  for (const Mover& mover : movers) {
    MovingRobot robot;
    robot.robot = mover.index;
    robot.base = base.segment(mover.first, mover.size);
    robot.links = linksOf(collider->world(), request, mover.index);
    robot.metric = metricOf(request, mover);
    if (!request.links.empty() && robot.links.empty())
      throw Error("no link of robot '" + collider->world().robots[static_cast<std::size_t>(mover.index)].name +
                      "' is planned for",
                  {}, "name one of its links, or leave the robot out");
    robots.push_back(std::move(robot));
  }
  CompositeMotionOptions options;
  options.margin = request.margin;
  options.edges = request.edges;
  return std::make_unique<MultiRobotSpace>(std::move(collider), robots, std::move(options));
}

/// Every link belongs to a robot that is planned for.
void requireLinks(const World& world, const PlanSpaceRequest& request) {
  for (const int id : request.links) {
    const World::Entity entity = world.entity(id);
    const bool planned = entity.kind == World::Kind::link &&
                         std::find(request.robots.begin(), request.robots.end(), entity.index) != request.robots.end();
    if (!planned) throw Error("'" + world.nameOf(id) + "' is not a link of a robot that is planned for");
  }
}

}  // namespace

std::unique_ptr<MotionSpace> makePlanSpace(std::shared_ptr<const WorldCollider> collider,
                                           const PlanSpaceRequest& request, const VectorXd& base) {
  const World& world = collider->world();
  const std::vector<Mover> movers = planMovers(world, request);
  const int size = movers.back().first + movers.back().size;
  if (base.size() != size || !base.allFinite())
    throw Error("a whole configuration needs " + std::to_string(size) + " finite numbers, not " +
                std::to_string(base.size()));
  if (request.weights.size() != 0 && request.weights.size() != size)
    throw Error("weights of distances: one a number of a whole configuration is needed, " + std::to_string(size));
  requireLinks(world, request);
  collider = problemCollider(std::move(collider), request);
  if ((request.stance || !request.keep.empty()) && (request.object >= 0 || movers.size() > 1))
    throw Error("goals and contacts that are kept are of one robot, but " +
                    std::string(request.object >= 0 ? "a rigid object moves" : "several robots move"),
                {}, "plan for one robot");
  for (const RobotGoal& goal : request.keep)
    if (goal.robot != movers.front().index)
      throw Error("a goal that is kept is of robot " + std::to_string(goal.robot) + ", which is not planned for");
  if (request.object >= 0) return objectSpace(std::move(collider), request, base);
  if (movers.size() > 1) return robotsSpace(std::move(collider), request, movers, base);
  RobotSpaceOptions options;
  options.margin = request.margin;
  options.edges = request.edges;
  options.links = linksOf(world, request, movers.front().index);
  options.metric = metricOf(request, movers.front());
  auto robot = std::make_unique<RobotSpace>(std::move(collider), movers.front().index, base, std::move(options));
  if (request.keep.empty() && !request.stance) return robot;
  return constrainedSpace(*robot, world, request);
}

std::shared_ptr<const World> withinWorkspace(std::shared_ptr<const World> world, const PlanSpaceRequest& request) {
  if (!request.workspace || request.robots.empty()) return world;
  std::shared_ptr<World> changed;
  for (const int index : request.robots) {
    const Robot& robot = *world->robots[static_cast<std::size_t>(index)].robot;
    if (robot.floatingBaseLink() < 0) continue;
    RobotDescription description = robot.description();
    for (int i = 0; i < 3; ++i) {
      Link& link = description.links[static_cast<std::size_t>(i)];
      Eigen::Index axis = 0;
      link.axis.cwiseAbs().maxCoeff(&axis);
      if (link.motion != LinkMotion::prismatic || link.axis[axis] <= 0) continue;
      link.qMin = std::max(link.qMin, request.workspace->min()[axis]);
      link.qMax = std::min(link.qMax, request.workspace->max()[axis]);
      if (!(link.qMin <= link.qMax))
        throw Error("the workspace lies outside the limits of link '" + link.name + "' of robot '" + robot.name() +
                    "'");
    }
    if (changed == nullptr) changed = std::make_shared<World>(*world);
    changed->robots[static_cast<std::size_t>(index)].robot = Robot::compile(std::move(description));
  }
  if (changed == nullptr)
    throw Error("no robot that is planned for has a floating base, which a workspace would limit", {},
                "leave 'workspace' out");
  return changed;
}

std::shared_ptr<const World> planWorld(std::shared_ptr<const World> world, const PlanSpaceRequest& request) {
  world = withinWorkspace(std::move(world), request);
  return request.simulationPadding ? paddedWorld(*world, request) : world;
}

}  // namespace mortise
