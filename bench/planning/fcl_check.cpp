#include "fcl_check.h"

#include "shared/fcl_shapes.h"

namespace mortise::bench {
struct FclCheck::Parts {
  const Scene& scene;
  bool boxesFirst;
  RobotState state;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> bodies;  ///< By id; null where there is none.
  std::vector<int> moving;                                     ///< Links, by their place in the robot.
  std::vector<std::pair<int, int>> pairs;
  int leftOut = 0;
};

FclCheck::FclCheck(const Scene& scene, bool boxesFirst)
    : parts_(new Parts{scene, boxesFirst, RobotState(scene.robot()), {}, {}, {}, 0}) {
  Parts& p = *parts_;
  const World& world = *scene.world;
  const Robot& robot = scene.robot();
  const int first = world.linkId(0, 0), n = robot.numLinks();
  p.state.q = world.robots[0].q;
  updateFrames(robot, p.state);
  p.bodies.resize(static_cast<std::size_t>(world.numIds()));
  const auto add = [&](int id, const GeometryPtr& geometry, const RigidTransform& X) {
    if (geometry == nullptr || geometry->empty()) return;
    const auto* mesh = geometry->as<TriangleMesh>();
    if (mesh == nullptr) {
      ++p.leftOut;
      return;
    }
    p.bodies[static_cast<std::size_t>(id)] = std::make_unique<fcl::CollisionObjectd>(fclModel(*mesh), fclPose(X));
    p.bodies[static_cast<std::size_t>(id)]->computeAABB();
  };
  for (int i = 0; i < static_cast<int>(world.terrains.size()); ++i)
    add(world.terrainId(i), world.terrains[static_cast<std::size_t>(i)].geometry, {});
  for (int i = 0; i < static_cast<int>(world.objects.size()); ++i)
    add(world.objectId(i), world.objects[static_cast<std::size_t>(i)].geometry,
        world.objects[static_cast<std::size_t>(i)].X_WO);
  for (int i = 0; i < n; ++i) add(first + i, robot.link(i).geometry, p.state.X_WL[static_cast<std::size_t>(i)]);
  // As the space: what is planned for, and what that carries, against everything.
  std::vector<char> moves(static_cast<std::size_t>(n), 0);
  for (int i = 0; i < n; ++i) {
    const bool planned =
        scene.links.empty() ? robot.jointOfLink(i) >= 0 &&
                                  robot.joints()[static_cast<std::size_t>(robot.jointOfLink(i))].type != JointType::weld
                            : std::find(scene.links.begin(), scene.links.end(), i) != scene.links.end();
    const int parent = robot.link(i).parent;
    moves[static_cast<std::size_t>(i)] = planned || (parent >= 0 && moves[static_cast<std::size_t>(parent)] != 0);
    if (moves[static_cast<std::size_t>(i)] != 0 && p.bodies[static_cast<std::size_t>(first + i)]) p.moving.push_back(i);
  }
  const auto movesId = [&](int id) {
    return id >= first && id < first + n && moves[static_cast<std::size_t>(id - first)] != 0;
  };
  const PairTable& table = scene.collider->pairs();
  for (int a = 0; a < world.numIds(); ++a)
    for (int b = a + 1; b < world.numIds(); ++b)
      if (table(a, b) && (movesId(a) || movesId(b)) && p.bodies[static_cast<std::size_t>(a)] &&
          p.bodies[static_cast<std::size_t>(b)])
        p.pairs.emplace_back(a, b);
}

FclCheck::~FclCheck() = default;

std::size_t FclCheck::numPairs() const { return parts_->pairs.size(); }
int FclCheck::leftOut() const { return parts_->leftOut; }

bool FclCheck::collides(const VectorXd& full) {
  Parts& p = *parts_;
  p.state.q = full;
  updateFrames(p.scene.robot(), p.state);
  const int first = p.scene.world->linkId(0, 0);
  for (const int i : p.moving) {
    fcl::CollisionObjectd& body = *p.bodies[static_cast<std::size_t>(first + i)];
    body.setTransform(fclPose(p.state.X_WL[static_cast<std::size_t>(i)]));
    if (p.boxesFirst) body.computeAABB();
  }
  for (std::size_t k = 0; k < p.pairs.size(); ++k) {
    const auto [a, b] = p.pairs[k];
    const fcl::CollisionObjectd &bodyA = *p.bodies[static_cast<std::size_t>(a)],
                                &bodyB = *p.bodies[static_cast<std::size_t>(b)];
    if (p.boxesFirst && !bodyA.getAABB().overlap(bodyB.getAABB())) continue;
    const fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    if (fcl::collide(&bodyA, &bodyB, request, result) == 0) continue;
    std::swap(p.pairs[0], p.pairs[k]);
    return true;
  }
  return false;
}

}  // namespace mortise::bench
