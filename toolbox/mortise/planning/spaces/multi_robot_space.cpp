#include "mortise/planning/spaces/multi_robot_space.h"

#include "mortise/base/error.h"

namespace mortise {

namespace {

class RobotMover final : public MoverModel {
 public:
  RobotMover(std::shared_ptr<const WorldCollider> collider, int robot, RobotCoordinates coordinates, bool proven)
      : index_(robot),
        proven_(proven),
        first_(collider->world().linkId(robot, 0)),
        coordinates_(std::move(coordinates)),
        edges_(std::move(collider), robot) {}

  Mover::Kind kind() const override { return Mover::Kind::robot; }
  int index() const override { return index_; }
  int fullSize() const override { return coordinates_.robot().numLinks(); }
  int dimension() const override { return coordinates_.dimension(); }
  bool straight() const override { return coordinates_.straight(); }
  double extent() const override { return coordinates_.extent(); }
  double measure() const override { return coordinates_.measure(); }
  std::string coordinateName(int i) const override { return coordinates_.coordinate(i).name; }
  void bounds(VectorRef low, VectorRef high) const override {
    for (int i = 0; i < dimension(); ++i) {
      low[i] = coordinates_.coordinate(i).low;
      high[i] = coordinates_.coordinate(i).high;
    }
  }
  void lift(const ConstVectorRef& q, VectorXd& full) const override { coordinates_.lift(q, full); }
  void reduce(const VectorXd& full, VectorRef q) const override { coordinates_.reduce(full, q); }
  double distance(const ConstVectorRef& a, const ConstVectorRef& b, MoverWorkspace& workspace) const override {
    return coordinates_.distance(a, b, workspace.scratch);
  }
  void interpolate(const ConstVectorRef& a, const ConstVectorRef& b, double u, VectorRef q,
                   MoverWorkspace& workspace) const override {
    coordinates_.interpolate(a, b, u, q, workspace.scratch);
  }
  void sample(RandomStream& random, VectorRef q, MoverWorkspace& workspace) const override {
    coordinates_.sample(random, q, workspace.scratch);
  }
  void displace(const ConstVectorRef& center, const ConstVectorRef& step, VectorRef q) const override {
    coordinates_.displace(center, step, q);
  }
  bool withinLimits(const VectorXd& full) const override { return coordinates_.linkOutside(full) < 0; }
  std::string explainLimits(const VectorXd& full) const override {
    return "robot '" + coordinates_.robot().name() +
           "': " + coordinates_.explainOutside(coordinates_.linkOutside(full), full);
  }
  void place(const VectorXd& full, WorldCollisionState& state) const override { state.setConfiguration(index_, full); }
  double begin(const VectorXd& from, const VectorXd& to, MoverWorkspace& workspace) const override {
    workspace.from = from;
    workspace.to = to;
    return proven_ ? edges_.beginEdge(from, to, workspace.edge) : 0;
  }
  void along(double u, MoverWorkspace& workspace) const override {
    VectorXd& q = workspace.full;
    coordinates_.space().interpolate(workspace.from, workspace.to, u, q);
    // What does not move stays to the last bit, which saves checking it again.
    for (int i = 0; i < static_cast<int>(q.size()); ++i) {
      const int c = coordinates_.coordinateOfLink(i);
      if (c < 0 || (coordinates_.coordinate(c).straight && workspace.from[i] == workspace.to[i]))
        q[i] = workspace.from[i];
    }
  }
  double motionWithin(int id, int ancestor, double half, int part, const WorldCollisionState& state,
                      MoverWorkspace& workspace) const override {
    return edges_.motionWithin(id - first_, ancestor < 0 ? -1 : ancestor - first_, half, part, state, workspace.edge);
  }
  int commonAncestor(int idA, int idB) const override {
    int a = idA - first_, b = idB - first_;
    while (a != b) (a > b ? a : b) = coordinates_.robot().link(a > b ? a : b).parent;
    return a < 0 ? -1 : a + first_;
  }

 private:
  int index_;
  bool proven_;
  int first_;  ///< World id of the first link.
  RobotCoordinates coordinates_;
  EdgeChecker edges_;
};

}  // namespace

MultiRobotSpace::MultiRobotSpace(std::shared_ptr<const WorldCollider> collider, const std::vector<MovingRobot>& robots,
                                 CompositeMotionOptions options)
    : CompositeMotionSpace([&] {
        const World& world = collider->world();
        std::vector<RobotCoordinates> coordinates;
        std::vector<char> moving(static_cast<std::size_t>(collider->numIds()), 0);
        std::vector<char> named(world.robots.size(), 0);
        for (const MovingRobot& mover : robots) {
          const int numRobots = static_cast<int>(world.robots.size());
          if (mover.robot < 0 || mover.robot >= numRobots)
            throw Error("there is no robot " + std::to_string(mover.robot) + " in the world; it has " +
                        std::to_string(numRobots));
          const WorldRobot& placed = world.robots[static_cast<std::size_t>(mover.robot)];
          if (named[static_cast<std::size_t>(mover.robot)]++ != 0)
            throw Error("robot '" + placed.name + "' is named twice", {}, "list all its links at once");
          coordinates.emplace_back(placed.robot, mover.base.size() > 0 ? mover.base : placed.q, mover.links,
                                   mover.metric, mover.sampling);
          for (int i = 0; i < placed.robot->numLinks(); ++i)
            if (coordinates.back().moves(i)) moving[static_cast<std::size_t>(world.linkId(mover.robot, i))] = 1;
        }
        Setup setup;
        setup.collider = reduced(*collider, moving);
        const bool proven = options.edges.method == EdgeCheckOptions::Method::proven;
        for (std::size_t i = 0; i < robots.size(); ++i)
          setup.movers.push_back(
              {std::make_unique<RobotMover>(setup.collider, robots[i].robot, std::move(coordinates[i]), proven),
               robots[i].weight});
        setup.options = std::move(options);
        return setup;
      }()) {}

std::unique_ptr<MotionSpace> MultiRobotSpace::copyMotion() const { return std::make_unique<MultiRobotSpace>(*this); }

}  // namespace mortise
