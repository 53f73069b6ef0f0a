#include "boxes/scene.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/simulation.h"

namespace mortise::bench {

namespace {

World makeWorld(const BoxesScene& scene) {
  World world;
  const double w = scene.floorHalfWidth;
  TriangleMesh floor;
  floor.vertices = {{-w, -w, 0}, {w, -w, 0}, {w, w, 0}, {-w, w, 0}};
  floor.triangles = {{0, 1, 2}, {0, 2, 3}};
  Surface surface;
  surface.friction = scene.friction;
  surface.restitution = scene.restitution;
  Terrain terrain;
  terrain.name = "floor";
  terrain.geometry = std::make_shared<const Geometry>(floor);
  terrain.surface = surface;
  world.terrains.push_back(terrain);

  const auto box = std::make_shared<const Geometry>(AxisAlignedBoxShape{-0.5 * scene.size, 0.5 * scene.size});
  SurfaceOverride unpadded;
  unpadded.padding = 0;
  for (const RigidTransform& X : scene.poses) {
    RigidObject object;
    object.name = "box" + std::to_string(world.objects.size());
    object.geometry = box;
    object.X_WO = X;
    object.inertia = {scene.mass, Vector3d::Zero(), Matrix3d(scene.moments().asDiagonal())};
    object.surface = surface;
    world.objects.push_back(object);
    world.simulation.surfaces.emplace_back(static_cast<int>(world.objects.size()), unpadded);
  }
  world.simulation.gravity = Vector3d(0, 0, -scene.gravity);
  world.simulation.timeStep = scene.step;
  world.simulation.maxContacts = scene.maxContacts;
  return world;
}

class Mortise final : public Contestant {
 public:
  Mortise(const BoxesScene& scene, const std::string& backend) : registry_(log_), world_(makeWorld(scene)) {
    registry_.addStandardFolders();
    registry_.discover();
    SimulationOptions options;
    options.backend = backend;
    options.backendSettings.set("iterations", scene.iterations);
    if (backend == "ode") options.backendSettings.set("solver", "quick");
    simulation_ = std::make_unique<Simulation>(world_, registry_, nullptr, log_, options);
  }
  void step() override { simulation_->step(); }
  double meanHeight() const override {
    double sum = 0;
    for (std::size_t i = 0; i < world_.objects.size(); ++i)
      sum += simulation_->objectState(static_cast<int>(i)).X_WB.p.z();
    return sum / static_cast<double>(world_.objects.size());
  }
  int contacts() const override { return static_cast<int>(simulation_->contacts().size()); }

 private:
  NullLog log_;
  Registry registry_;
  World world_;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace

std::unique_ptr<Contestant> makeMortise(const BoxesScene& scene, const std::string& backend) {
  return std::make_unique<Mortise>(scene, backend);
}

}  // namespace mortise::bench
