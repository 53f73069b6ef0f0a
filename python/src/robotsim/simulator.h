#pragma once

#include <memory>
#include <string>
#include <vector>

#include "environment.h"
#include "mortise/simulation/simulation.h"
#include "robotsim/controller.h"
#include "robotsim/sensor.h"
#include "robotsim/world.h"

namespace mortise::robotsim {

/// What stands behind a `Simulator`: a simulation of a world as it was when the simulator was made, which poses that
/// world after each call.
class SimulatorModel {
 public:
  explicit SimulatorModel(WorldModelPtr world);

  const WorldModelPtr& world() const { return model_; }
  Simulation& simulation() { return *simulation_; }
  ProgramController& controller(int robot);
  const std::vector<SensorModelPtr>& sensors(int robot) const { return sensors_.at(static_cast<std::size_t>(robot)); }
  /// From now on; the simulation goes on with the state that it has.
  SensorModelPtr addSensor(int robot, const std::string& name, const std::string& type);
  /// Worst status of the call.
  int advance(double seconds);
  int status() const { return status_; }
  void updateWorld();
  /// Bodies follow the world model's own velocities, without forces.
  void fake(double seconds);
  void reset();
  double time() const { return simulation_->time() + fakeTime_; }
  double simStep() const { return timeStep_; }
  void setSimStep(double seconds);
  /// Built anew with other settings of the world, at the same state where the bodies are the same.
  void rebuild(const std::function<void(World&)>& change);
  const World& scene() const { return *scene_; }
  /// Mass center in the body's own frame, of a world id.
  Vector3d center(int id) const;
  RigidTransform pose(int id);
  /// (angular, linear) velocity of the body's origin.
  std::pair<Vector3d, Vector3d> velocity(int id);
  void setPose(int id, const RigidTransform& X);
  void setVelocity(int id, const Vector3d& w, const Vector3d& v);

 private:
  void build();
  python::EnvironmentPtr environment_;
  WorldModelPtr model_;
  std::shared_ptr<World> scene_;
  std::shared_ptr<Simulation> simulation_;
  std::vector<std::vector<SensorModelPtr>> sensors_;
  double timeStep_ = 0.001, fakeTime_ = 0;
  int status_ = 0;
};
using SimulatorPtr = std::shared_ptr<SimulatorModel>;

}  // namespace mortise::robotsim
