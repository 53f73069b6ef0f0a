// Estimators with the sensors of this build, in simulations.

#include "estimator_test.h"
#include "mortise/math/rotation.h"
#include "mortise/plugin/plugin.h"
#include "mortise/simulation/simulation.h"

namespace mortise {
namespace {

/// Moves the arm, and shows the estimate it was given as settings.
class Witness final : public Controller {
 public:
  explicit Witness(const ComponentContext&) {}
  void start(const ControllerSetup& setup) override { q_ = dq_ = setup.q; }
  void update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) override {
    for (std::size_t i = 0; i < commands.size(); ++i) {
      commands[i].mode = ActuatorCommand::Mode::pid;
      commands[i].position = 0.4 * std::sin(3 * input.time + static_cast<double>(i));
      commands[i].velocity = 1.2 * std::cos(3 * input.time + static_cast<double>(i));
    }
    q_ = input.estimate->q;
    dq_ = input.estimate->dq;
  }
  Value settings() const override {
    Value settings = Value::map();
    settings.set("q", std::vector<double>(q_.begin(), q_.end()));
    settings.set("dq", std::vector<double>(dq_.begin(), dq_.end()));
    return settings;
  }
  void save(ByteWriter& out) const override {
    out.put(std::span<const double>(q_.data(), q_.size()));
    out.put(std::span<const double>(dq_.data(), dq_.size()));
  }
  void restore(ByteReader& in) override {
    in.get(std::span<double>(q_.data(), q_.size()));
    in.get(std::span<double>(dq_.data(), dq_.size()));
  }

 private:
  VectorXd q_, dq_;
};

MORTISE_PLUGIN_AS(witness_plugin, , "witness_plugin", "1") {
  plugin.controller<Witness>("test.Witness").attribute("estimator", "IntegratedStateEstimator");
}

class EstimatorSimulation : public testing::Test {
 protected:
  EstimatorSimulation() {
    registry->addBuiltIn(witness_plugin);
    registry->discover();
    WorldRobot robot = test::placedRobot(test::floatingArm(2));
    robot.q.head<6>() << 0.1, -0.2, 50, 0.3, 0.2, -0.1;
    robot.dq.head<6>() << 0.5, 0.25, 1, 0.2, -0.4, 0.8;
    world.robots.push_back(robot);
    ComponentOptions witness;
    witness.type = "test.Witness";
    options.backend = "mortise";
    options.components = {witness};
  }
  void addSensor(const char* type, const char* name, const char* settings) {
    ComponentOptions sensor;
    sensor.kind = Kind::sensor;
    sensor.type = type;
    sensor.name = name;
    sensor.settings = parseYaml(settings, "test");
    options.components.push_back(sensor);
  }
  static VectorXd vectorOf(const Value& list) {
    const std::vector<double> values = list.asReals();
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  }
  /// After `seconds`, a multiple of 10 ms: truth and estimate at the update then.
  void compare(Simulation& simulation, double seconds) {
    simulation.advance(seconds);
    q = simulation.configuration(0);
    dq = simulation.velocity(0);
    simulation.step();
    qEstimate = vectorOf(simulation.controller(0)->settings().at("q"));
    dqEstimate = vectorOf(simulation.controller(0)->settings().at("dq"));
  }
  double turnedApart() const {
    RobotState truth(*world.robots[0].robot), estimate(*world.robots[0].robot);
    truth.q = q;
    estimate.q = qEstimate;
    updateFrames(*world.robots[0].robot, truth);
    updateFrames(*world.robots[0].robot, estimate);
    return momentFromRotation(truth.X_WL[5].R.transpose() * estimate.X_WL[5].R).norm();
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  World world;
  SimulationOptions options;
  VectorXd q, dq, qEstimate, dqEstimate;
};

TEST_F(EstimatorSimulation, TheOmniscientOneIsExact) {
  options.components[0].estimator = "OmniscientStateEstimator";
  Simulation simulation(world, *registry, nullptr, log, options);
  compare(simulation, 0.5);
  EXPECT_EQ(qEstimate, q);
  EXPECT_EQ(dqEstimate, dq);
  EXPECT_GT(dq.norm(), 0.5) << "it moves";
}

TEST_F(EstimatorSimulation, JointsComeFromTheDefaultSensorsAndTheBaseStays) {
  Simulation simulation(world, *registry, nullptr, log, options);
  compare(simulation, 0.5);
  EXPECT_EQ(VectorXd(qEstimate.tail<2>()), VectorXd(q.tail<2>()));
  EXPECT_EQ(VectorXd(dqEstimate.tail<2>()), VectorXd(dq.tail<2>()));
  EXPECT_LT((qEstimate.head<6>() - world.robots[0].q.head<6>()).norm(), 1e-12);
}

TEST_F(EstimatorSimulation, AGyroIsIntegratedOrBelieved) {
  addSensor("GyroSensor", "gyro", "{link: base, hasAngVel: 1}");
  Simulation integrating(world, *registry, nullptr, log, options);
  compare(integrating, 2);
  EXPECT_LT(turnedApart(), 5e-3) << "trapezoidal rule at 100 Hz on a base that the arm shakes";
  EXPECT_GT((q.segment<3>(3) - world.robots[0].q.segment<3>(3)).norm(), 0.3) << "it has turned";
  EXPECT_LT((dqEstimate.segment<3>(3) - dq.segment<3>(3)).norm(), 1e-2);
  options.components[1].settings = parseYaml("{link: base, hasAngVel: 1, hasRotation: 1}", "test");
  Simulation believing(world, *registry, nullptr, log, options);
  compare(believing, 2);
  EXPECT_LT(turnedApart(), 1e-9);
}

TEST_F(EstimatorSimulation, TiltTakesTheDriftOfANoisyGyroAway) {
  const auto tiltError = [&] {
    RobotState truth(*world.robots[0].robot), estimate(*world.robots[0].robot);
    truth.q = q;
    estimate.q = qEstimate;
    updateFrames(*world.robots[0].robot, truth);
    updateFrames(*world.robots[0].robot, estimate);
    return (truth.X_WL[5].R.row(2) - estimate.X_WL[5].R.row(2)).norm();
  };
  addSensor("GyroSensor", "gyro", "{link: base, hasAngVel: 1, angVelVariance: [0.25, 0, 0, 0, 0.25, 0, 0, 0, 0.25]}");
  Simulation drifting(world, *registry, nullptr, log, options);
  compare(drifting, 4);
  const double drift = tiltError();
  addSensor("TiltSensor", "tilt", "{link: base}");
  options.components[0].estimatorSettings = parseYaml("{tiltTime: 0.1 s}", "test");
  options.components[0].estimator = "IntegratedStateEstimator";
  Simulation corrected(world, *registry, nullptr, log, options);
  compare(corrected, 4);
  EXPECT_GT(drift, 0.03) << "0.5 rad/s of noise for 4 s at 100 Hz: 0.1 rad is expected";
  EXPECT_LT(tiltError(), 0.03) << "noise of 0.1 s: 0.016 rad is expected";
}

TEST_F(EstimatorSimulation, AnImuKeepsThePositionToo) {
  // From rest: an IMU does not know how fast it starts.
  world.robots[0].dq.setZero();
  addSensor("IMUSensor", "imu", "{link: base, hasAxis: [1, 1, 1], hasRotation: 1, hasAngVel: 1}");
  Simulation simulation(world, *registry, nullptr, log, options);
  compare(simulation, 1);
  EXPECT_LT(q[2], 46) << "it falls";
  EXPECT_LT((qEstimate.head<3>() - q.head<3>()).norm(), 0.02);
  EXPECT_LT((dqEstimate.head<3>() - dq.head<3>()).norm(), 0.03);
  EXPECT_LT(turnedApart(), 1e-9);
}

TEST_F(EstimatorSimulation, ContinuesBitForBit) {
  addSensor("GyroSensor", "gyro", "{link: base, hasAngVel: 1, angVelVariance: [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01]}");
  addSensor("TiltSensor", "tilt", "{link: base}");
  addSensor("JointPositionSensor", "encoders", "{indices: [6, 7], qvariance: 1e-4}");
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.305);
  const std::vector<std::byte> snapshot = simulation.save();
  compare(simulation, 0.495);
  const VectorXd qThen = qEstimate, dqThen = dqEstimate;
  Simulation again(world, *registry, nullptr, log, options);
  again.restore(snapshot);
  compare(again, 0.495);
  EXPECT_EQ(qEstimate, qThen);
  EXPECT_EQ(dqEstimate, dqThen);
  EXPECT_EQ(again.stateHash(), simulation.stateHash());
}

}  // namespace
}  // namespace mortise
