#include "mortise/planning/space/ignore_advice.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "mortise/math/rotation.h"

namespace mortise {

namespace {

/// A name as an item of a YAML list in one line: in quotes where it needs them.
std::string yamlItem(const std::string& name) {
  const bool plain = !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0 &&
                     std::all_of(name.begin(), name.end(), [](unsigned char c) {
                       return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
                     });
  if (plain) return name;
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

int countNamed(const World& world, const std::string& name) {
  int count = 0;
  for (const auto& terrain : world.terrains) count += terrain.name == name ? 1 : 0;
  for (const auto& object : world.objects) count += object.name == name ? 1 : 0;
  for (const auto& robot : world.robots) count += robot.name == name ? 1 : 0;
  return count;
}

/// Its name, or its id where others are called the same.
std::string itemOf(const World& world, int id) {
  return countNamed(world, world.nameOf(id)) == 1 ? yamlItem(world.nameOf(id)) : std::to_string(id);
}

std::string pairText(const WorldCollider& collider, const IdPair& pair) {
  const World& world = collider.world();
  const int a = collider.robotOf(pair.a), b = collider.robotOf(pair.b);
  const auto link = [&](int id, int robot) {
    const bool unique = countNamed(world, world.robots[static_cast<std::size_t>(robot)].name) == 1;
    return unique ? yamlItem(world.nameOf(id)) : std::to_string(id);
  };
  if (a >= 0 && a == b) return "[" + link(pair.a, a) + ", " + link(pair.b, b) + "]";
  const auto full = [&](int id, int robot) { return itemOf(world, robot >= 0 ? world.robotId(robot) : id); };
  return "[" + full(pair.a, a) + ", " + full(pair.b, b) + "]";
}

}  // namespace

std::string ignoreAdvice(const MotionSpace& space, const std::shared_ptr<const WorldCollider>& collider, double margin,
                         const VectorXd& q) {
  VectorXd full;
  space.lift(q, full);
  WorldCollisionState state(collider);
  state.setTolerance(margin);
  for (const Mover& mover : space.movers()) {
    const auto numbers = full.segment(mover.first, mover.size);
    if (mover.kind == Mover::Kind::robot) {
      state.setConfiguration(mover.index, numbers);
    } else {
      const Vector3d p = numbers.head<3>(), moment = numbers.tail<3>();
      state.setPose(collider->world().objectId(mover.index), {rotationFromMoment(moment), p});
    }
  }
  std::vector<IdPair> colliding;
  state.collisions(colliding);
  std::vector<std::string> pairs;
  for (const IdPair& pair : colliding) {
    std::string text = pairText(*collider, pair);
    if (std::find(pairs.begin(), pairs.end(), text) == pairs.end()) pairs.push_back(std::move(text));
  }
  if (pairs.empty()) return {};
  std::string list;
  for (const std::string& pair : pairs) list += (list.empty() ? "" : ", ") + pair;
  return "where these touch by design, leave them out: ignore: [" + list + "]";
}

}  // namespace mortise
