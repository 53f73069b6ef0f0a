#include "scene.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "mortise/base/diagnostics.h"
#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/geometry/preshrink.h"
#include "mortise/loading/format_loader.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "mortise/simulation/scene/scene_builder.h"
#include "shared/plugins.h"

namespace mortise::bench {
namespace {

World load(const std::string& file) {
  static FormatLoader loader(pluginRegistry(), silentLog());
  Diagnostics diagnostics;
  return loader.world(file, {}, diagnostics);
}

void placeAtRest(const std::string& file, World& world) {
  std::ifstream in(file);
  if (!in) throw Error("cannot read '" + file + "'");
  std::stringstream text;
  text << in.rdbuf();
  const Value run = parseYaml(text.str(), file);
  const Value& rest = run.at("final");
  const std::vector<Value>& objects = rest.at("objects").items();
  for (std::size_t i = 0; i < std::min(objects.size(), world.objects.size()); ++i) {
    const std::vector<double> rows = objects[i].asReals();
    RigidTransform& X = world.objects[i].X_WO;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) X.R(r, c) = rows.at(3 * r + c);
    X.p = {rows.at(9), rows.at(10), rows.at(11)};
  }
  const std::vector<Value>& robots = rest.at("robots_q").items();
  for (std::size_t r = 0; r < std::min(robots.size(), world.robots.size()); ++r) {
    const std::vector<double> q = robots[r].asReals();
    for (std::size_t i = 0; i < std::min<std::size_t>(q.size(), world.robots[r].q.size()); ++i)
      world.robots[r].q[i] = q[i];
  }
}

}  // namespace

ContactWorld contactWorld(const std::string& folder, const std::string& name) {
  ContactWorld result;
  const std::filesystem::path data = std::filesystem::path(folder) / "klampt-data";
  std::filesystem::path file = data / (name + ".xml");
  if (!std::filesystem::exists(file)) file = data / "simulation_test_worlds" / (name + ".xml");
  result.world = load(file.string());
  World& world = result.world;
  const SceneMap map = buildScene(world);
  placeAtRest(folder + "/reference/klampt-oracle/sim_" + name + ".json", world);

  std::vector<ContactBody> bodies(static_cast<std::size_t>(world.numIds()));
  // Looked up, never walked.
  std::map<std::tuple<const void*, double, double>, CollisionShapePtr> shapes;
  const auto shapeOf = [&](const GeometryPtr& geometry, const Surface& surface) {
    const double amount = surface.shrinkage();
    CollisionShapePtr& shape = shapes[{&geometry->data(), geometry->margin(), amount}];
    if (!shape) shape = makeCollisionShape(preshrunk(geometry, amount));
    return shape;
  };
  for (const SceneBody& body : map.description.bodies)
    for (const SceneShape& shape : body.shapes) {
      const Surface surface = world.simulationSurface(shape.id);
      bodies[shape.id] = {shapeOf(shape.geometry, surface), surface.thickness(), body.robot};
    }
  PairTable pairs(world.numIds());
  for (int a = 0; a < world.numIds(); ++a)
    for (int b = a + 1; b < world.numIds(); ++b)
      if (map.description.filter.test(a, b)) {
        pairs.set(a, b, true);
        ++result.numPairs;
      }
  ContactRules rules;
  rules.maxContacts = world.simulation.maxContacts;
  result.scene = std::make_shared<const ContactScene>(bodies, pairs, rules);
  return result;
}

Wandering::Wandering(const ContactWorld& world, double speed, double range)
    : world_(world), speed_(speed), range_(range) {
  RandomStream random(5, "wandering");
  for (int i = 0; i < 9 * world.world.numIds(); ++i)
    phases_.emplace_back(random.uniform(0, 6.2), random.uniform(0, 6.2), random.uniform(0, 6.2));
}

Vector3d Wandering::wave(int id, int which, int step) const {
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < 3; ++k) {
    const double frequency = (1 + 0.61 * k) * speed_ / range_;
    const Vector3d& phase = phases_[9 * id + 3 * which + k];
    for (int i = 0; i < 3; ++i) sum[i] += range_ / 3 * std::sin(frequency * step + phase[i]);
  }
  return sum;
}

void Wandering::apply(int step, ContactGenerator& generator) {
  const World& world = world_.world;
  for (int i = 0; i < static_cast<int>(world.objects.size()); ++i) {
    const int id = world.objectId(i);
    const RigidTransform& X = world.objects[i].X_WO;
    // Ten centimeters from the middle turning moves as much as sliding does.
    generator.setPose(id, {rotationFromMoment(10 * wave(id, 1, step)) * X.R, X.p + wave(id, 0, step)});
  }
  for (int r = 0; r < static_cast<int>(world.robots.size()); ++r) {
    const Robot& robot = *world.robots[r].robot;
    RobotState state(robot);
    state.q = world.robots[r].q;
    for (int i = 0; i < robot.numLinks(); ++i) state.q[i] += wave(world.linkId(r, i), 0, step).x();
    updateFrames(robot, state);
    for (int i = 0; i < robot.numLinks(); ++i) generator.setPose(world.linkId(r, i), state.X_WL[i]);
  }
}

}  // namespace mortise::bench
