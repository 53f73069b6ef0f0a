#include "mortise/planning/real_time/obstacle_motion.h"

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

int bodyNamed(const World& world, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < world.terrains.size(); ++i) {
    names.push_back(world.terrains[i].name);
    if (names.back() == name) return world.terrainId(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    names.push_back(world.objects[i].name);
    if (names.back() == name) return world.objectId(static_cast<int>(i));
  }
  throw Error("no terrain or rigid object is called '" + name + "'", {}, suggestFrom(name, names));
}

}  // namespace

KnownMotion knownMotionOf(const Trajectory& motion, const std::string& body, const World& world,
                          std::optional<bool> repeat) {
  const int id = bodyNamed(world, body);
  std::vector<RigidTransform> poses;
  for (const VectorXd& place : motion.configurations) {
    if (place.size() != 6)
      throw Error("the motion of '" + body + "' has " + std::to_string(place.size()) + " numbers at a time, not 6", {},
                  "they are its position in m and its rotation vector in rad");
    poses.emplace_back(rotationFromMoment(place.tail<3>()), Vector3d(place.head<3>()));
  }
  const bool closes = motion.times.size() > 1 &&
                      (motion.configurations.back() - motion.configurations.front()).cwiseAbs().maxCoeff() <= 1e-9;
  return KnownMotion(id, motion.times, std::move(poses), repeat.value_or(closes));
}

}  // namespace mortise
