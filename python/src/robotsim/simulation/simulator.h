#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/environment.h"
#include "mortise/pipeline/simulate/command_schedule.h"
#include "mortise/simulation/simulation.h"
#include "robotsim/model/sensor.h"
#include "robotsim/model/world.h"
#include "robotsim/simulation/controller.h"

namespace mortise::robotsim {

/// The simulation behind a `Simulator`: of a world as it was when the simulator was made, which poses that world after
/// each call.
class SimulatorModel {
 public:
  explicit SimulatorModel(WorldModelPtr world);
  SimulatorModel(const SimulatorModel&) = delete;
  SimulatorModel& operator=(const SimulatorModel&) = delete;
  ~SimulatorModel();

  const WorldModelPtr& world() const { return model_; }
  /// Returns the simulation as it is now: waits while another thread advances it, and takes over changes of the world
  /// that are pending.
  Simulation& simulation();
  ProgramController& controller(int robot);
  /// Seconds between updates of a robot's controller. Setting it builds the simulation anew, at the state that it has.
  double controllerPeriod(int robot) const { return periods_.at(static_cast<std::size_t>(robot)); }
  void setControllerPeriod(int robot, double seconds);
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
  void setGravity(const Vector3d& gravity);
  /// Changes settings of the world. The simulation is built anew when it is next asked for anything, once for all
  /// changes until then: at the state that it has, with what its controllers were told.
  void change(const std::function<void(World&)>& change);
  /// The same at once. Where the changed world cannot be simulated, throws, and everything stays as it was.
  void changeNow(const std::function<void(World&)>& change);
  void setDynamics(int object, bool on);
  void setCollision(int idA, int idB, bool on);
  const World& scene() const { return *scene_; }
  /// Mass center in the body's own frame, of a world id.
  Vector3d center(int id) const;
  RigidTransform pose(int id);
  /// (angular, linear) velocity of the body's origin.
  std::pair<Vector3d, Vector3d> velocity(int id);
  void setPose(int id, const RigidTransform& X);
  void setVelocity(int id, const Vector3d& w, const Vector3d& v);

 private:
  struct Busy;
  struct Switch {
    bool dynamics;
    int a, b;
    bool on;
  };
  void build();
  void readCommands();
  void apply(bool fromStart);
  void takeOver(Simulation& before);
  void waitForOthers();
  python::EnvironmentPtr environment_;
  WorldModelPtr model_;
  std::shared_ptr<World> start_;          ///< The world as it was when the simulator was made.
  std::shared_ptr<World> scene_, built_;  ///< The edited world, and the one that the simulation was built from.
  std::shared_ptr<Simulation> simulation_;
  std::vector<std::vector<SensorModelPtr>> sensors_;
  std::vector<Value> settings_;            ///< By robot: those of its controller in the world's file, else in its own.
  std::vector<double> periods_;            ///< s, by robot: between updates of its controller.
  std::vector<TimedCommand> commandList_;  ///< Those of the world that it carries out.
  CommandSchedule commands_{std::vector<TimedCommand>()};
  std::vector<Switch> switches_;  ///< Switches of bodies and pairs.
  bool pending_ = false;
  std::atomic<bool> busy_ = false;  ///< A thread is in the simulation without the GIL.
  std::mutex mutex_;
  std::condition_variable idle_;
  double timeStep_ = 0.001, fakeTime_ = 0;
  int status_ = 0;
};
using SimulatorPtr = std::shared_ptr<SimulatorModel>;

}  // namespace mortise::robotsim
