#include "scenes.h"

#include "../collision/data.h"

namespace mortise::bench {

RobotSpace Scene::space(const EdgeCheckOptions& edges) const {
  RobotSpaceOptions options;
  options.links = links;
  options.edges = edges;
  return RobotSpace(collider, 0, world->robots[0].q, options);
}

const std::vector<std::string>& sceneNames() {
  static const std::vector<std::string> names = {"tx90scenario0",    "tx90scenario1", "tx90scenario2", "tx90obstacles",
                                                 "tx90cupscupboard", "baxter_apc",    "hubo_table"};
  return names;
}

std::optional<Scene> loadScene(const std::string& folder, const std::string& name) {
  World loaded;
  if (!loadWorld(folder, "klampt-data/" + name + ".xml", loaded) || loaded.robots.empty()) return std::nullopt;
  Scene scene;
  scene.name = name;
  // One arm of a robot that has two.
  const Robot& robot = *loaded.robots[0].robot;
  for (const char* link :
       {"left_upper_shoulder", "left_lower_shoulder", "left_upper_elbow", "left_lower_elbow", "left_upper_forearm",
        "left_lower_forearm", "left_wrist", "Body_LSP", "Body_LSR", "Body_LSY", "Body_LEP", "Body_LWY", "Body_LWP"})
    if (const int index = robot.description().findLink(link); index >= 0) scene.links.push_back(index);
  scene.world = std::make_shared<const World>(std::move(loaded));
  scene.collider =
      std::make_shared<const WorldCollider>(scene.world, WorldColliderOptions{.fixedLinksAgainstTerrains = false});
  return scene;
}

std::vector<Pair> randomPairs(RobotSpace& space, int count, std::uint64_t seed, bool blocked) {
  RandomStream random(seed, "pairs");
  std::vector<Pair> pairs;
  while (static_cast<int>(pairs.size()) < count) {
    Pair pair;
    for (VectorXd* q : {&pair.start, &pair.goal}) {
      do space.sample(random, *q);
      while (!space.feasible(*q));
    }
    if (!blocked || !space.visible(pair.start, pair.goal)) pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace mortise::bench
