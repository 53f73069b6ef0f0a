/// Path controllers on robots from files, in simulation: how well they track, and that nothing they ask for is beyond a
/// robot's limits.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mortise/base/random.h"
#include "mortise/configuration/drivers.h"
#include "mortise/loading/format_loader.h"
#include "mortise/simulation/simulation.h"
#include "mortise/timing/robot_limits.h"
#include "tests/plugins/controllers/controller_fixture.h"
#include "tests/support/reference.h"

namespace mortise::test {
namespace {

struct Tracking {
  double worst = 0;      ///< Largest error of a driven link on the way, rad or m.
  double rms = 0;        ///< Of the link with the largest.
  double overshoot = 0;  ///< Fraction of the step by which a link went beyond.
  double settled = 0;    ///< s after the reference had arrived until all were within 1e-2 of the step.
  double atEnd = 0;      ///< rad or m, half a second after the arrival.
  double duration = 0;   ///< s, of the reference.
};

class TrackingTest : public testing::Test {
 protected:
  World worldOf(const std::string& file) {
    FormatLoader loader(*registry, log);
    Diagnostics diagnostics;
    World world;
    world.robots.push_back(placedRobot(loader.load<RobotDescription>(file, {}, diagnostics)));
    return world;
  }

  std::unique_ptr<Simulation> simulate(const World& world, const std::string& backend,
                                       const std::string& settings = "{}") {
    SimulationOptions options;
    options.backend = backend;
    ComponentOptions component;
    component.type = "FeedforwardPolynomialPathController";
    component.settings = parseYaml(settings, "test");
    component.rate = 1000;
    options.components.push_back(component);
    return std::make_unique<Simulation>(world, *registry, nullptr, log, options);
  }

  static std::vector<bool> driven(const Robot& robot) {
    std::vector<bool> links(static_cast<std::size_t>(robot.numLinks()));
    for (const Driver& driver : robot.drivers())
      for (const int link : driver.links) links[static_cast<std::size_t>(link)] = true;
    return links;
  }

  /// A goal at a fraction of the way from `from` to either limit, so that no link goes beyond one.
  static VectorXd goalOf(const Robot& robot, const VectorXd& from, RandomStream& random) {
    const std::vector<CoordinateLimits> limits = coordinateLimits(robot);
    VectorXd goal = from;
    for (int d = 0; d < robot.numDrivers(); ++d) {
      const Driver& driver = robot.driver(d);
      const CoordinateLimits& c = limits[static_cast<std::size_t>(driver.links[0])];
      if (c.vMax == 0 || c.aMax == 0) continue;
      const double low = std::max(driver.qMin, -1.5), high = std::min(driver.qMax, 1.5);
      if (driver.type != DriverType::normal && driver.type != DriverType::affine) continue;
      if (low < high) setDriverValue(robot, d, random.uniform(low, high), goal);
    }
    return goal;
  }

  /// Sends a step and follows it until half a second after the reference has arrived.
  Tracking step(Simulation& simulation, const Robot& robot, const VectorXd& goal) {
    const std::vector<CoordinateLimits> limits = coordinateLimits(robot);
    const VectorXd from = simulation.configuration(0);
    const std::vector<bool> moves = driven(robot);
    Controller& controller = *simulation.controller(0);
    EXPECT_TRUE(controller.command("set_q", Value(std::vector<double>(goal.begin(), goal.end()))));
    Tracking result;
    result.duration = controller.settings().at("remaining").asReal();
    const double start = simulation.time();
    VectorXd wanted = from, squares = VectorXd::Zero(from.size());
    std::vector<double> last;
    int steps = 0;
    while (simulation.time() < start + result.duration + 0.5) {
      simulation.step();
      ++steps;
      const SimulationView view = simulation.view();
      for (int d = 0; d < robot.numDrivers(); ++d) {
        const ActuatorCommand& c = view.robots[0].commands[static_cast<std::size_t>(d)];
        const Driver& driver = robot.driver(d);
        EXPECT_GE(c.position, std::min(driver.qMin, driverValue(robot, d, from)) - 1e-9) << driver.name;
        EXPECT_LE(c.position, std::max(driver.qMax, driverValue(robot, d, from)) + 1e-9) << driver.name;
        EXPECT_LE(std::abs(c.velocity), std::max(driver.velocityMax, -driver.velocityMin) + 1e-9) << driver.name;
        if (!last.empty()) {
          EXPECT_LE(std::abs(c.velocity - last[static_cast<std::size_t>(d)]), driver.accelerationMax * 0.001 + 1e-9)
              << driver.name;
        }
        // The step has led a millisecond beyond the command.
        setDriverValue(robot, d, c.position + 0.001 * c.velocity, wanted);
      }
      last.clear();
      for (const ActuatorCommand& c : view.robots[0].commands) last.push_back(c.velocity);
      const VectorXd& q = simulation.configuration(0);
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        if (!moves[static_cast<std::size_t>(i)]) continue;
        const double error = std::abs(q[i] - wanted[i]);
        result.worst = std::max(result.worst, error);
        squares[i] += error * error;
        const double length = std::abs(goal[i] - from[i]);
        if (length > 0.1)
          result.overshoot = std::max(result.overshoot, (q[i] - goal[i]) * (goal[i] > from[i] ? 1 : -1) / length);
        if (length > 0.1 && std::abs(q[i] - goal[i]) > 1e-2 * length)
          result.settled = std::max(result.settled, simulation.time() - start - result.duration);
      }
      EXPECT_FALSE(testing::Test::HasFailure()) << "at " << simulation.time();
      if (testing::Test::HasFailure()) return result;
    }
    result.rms = std::sqrt(squares.maxCoeff() / steps);
    for (Eigen::Index i = 0; i < goal.size(); ++i)
      if (moves[static_cast<std::size_t>(i)])
        result.atEnd = std::max(result.atEnd, std::abs(simulation.configuration(0)[i] - goal[i]));
    return result;
  }

  /// The worst of `count` random steps.
  Tracking steps(const std::string& file, const char* backend, int count, const std::string& settings = "{}") {
    const World world = worldOf(file);
    const Robot& robot = *world.robots[0].robot;
    auto simulation = simulate(world, backend, settings);
    RandomStream random(4, "goals");
    Tracking all;
    for (int k = 0; k < count && !testing::Test::HasFailure(); ++k) {
      const Tracking one = step(*simulation, robot, goalOf(robot, simulation->configuration(0), random));
      all.worst = std::max(all.worst, one.worst);
      all.rms = std::max(all.rms, one.rms);
      all.overshoot = std::max(all.overshoot, one.overshoot);
      all.settled = std::max(all.settled, one.settled);
      all.atEnd = std::max(all.atEnd, one.atEnd);
      all.duration += one.duration;
    }
    EXPECT_EQ(simulation->worstStatus(), StepStatus::normal);
    std::printf(
        "%s, %s: %d steps in %.2f s, error at most %.4f, rms %.4f, overshoot %.4f, settled %.3f s later, "
        "%.5f off at the end\n",
        robot.name().c_str(), backend, count, all.duration, all.worst, all.rms, all.overshoot, all.settled, all.atEnd);
    return all;
  }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
};

const std::string kData = MORTISE_SOURCE_DIR "/data/robots/";

TEST_F(TrackingTest, TheReacherFollowsItsRamps) {
  const char* backend = "mortise";
  const Tracking plain = steps(kData + "reacher.rob", backend, 4);
  EXPECT_LT(plain.atEnd, 2e-3) << backend;
  EXPECT_LT(plain.overshoot, 0.05) << backend;
  EXPECT_LT(plain.worst, 0.08) << backend;
  const Tracking feedforward = steps(kData + "reacher.rob", backend, 4,
                                     "{enableFrictionCompensation: true, enableFeedforwardAcceleration: true}");
  EXPECT_LT(feedforward.worst, 0.4 * plain.worst) << backend;
  EXPECT_EQ(feedforward.duration, plain.duration) << backend;
}

TEST_F(TrackingTest, AffineDriversAndRailsFollowTheirRamps) {
  const char* backend = "mortise";
  const Tracking tracking = steps(kData + "reacher_on_rail.rob", backend, 2);
  EXPECT_LT(tracking.atEnd, 5e-3) << backend;
  EXPECT_LT(tracking.worst, 0.1) << backend;
}

/// How far servos of these gains stay behind because of their friction alone, at a fraction of the velocity limits.
double frictionLag(const Robot& robot, double fraction) {
  double lag = 0;
  for (const Driver& driver : robot.drivers())
    if (driver.servoP > 0 && std::isfinite(driver.velocityMax))
      lag =
          std::max(lag, (driver.viscousFriction * fraction * driver.velocityMax + driver.dryFriction) / driver.servoP);
  return lag;
}

TEST_F(TrackingTest, Tx90FollowsItsRamps) {
  MORTISE_NEEDS_REFERENCE();
  // At full speed the friction of its fourth motor, 40 N*m*s/rad, takes more than the torque limit of 100 N*m.
  const std::string file = referenceDir() + "/klampt-data/robots/tx90ball.rob";
  const double lag = frictionLag(*worldOf(file).robots[0].robot, 0.4);
  const char* backend = "mortise";
  const Tracking plain = steps(file, backend, 4, "{velocityScale: 0.4}");
  EXPECT_LT(plain.atEnd, 5e-3) << backend;
  EXPECT_LT(plain.overshoot, 0.01) << backend;
  EXPECT_LT(plain.worst, 1.2 * lag + 0.005) << backend;
  const Tracking feedforward = steps(
      file, backend, 4, "{velocityScale: 0.4, enableFrictionCompensation: true, enableFeedforwardAcceleration: true}");
  EXPECT_LT(feedforward.worst, 0.2 * plain.worst) << backend;
}

TEST_F(TrackingTest, BaxterFollowsItsRamps) {
  MORTISE_NEEDS_REFERENCE();
  const std::string file = referenceDir() + "/klampt-data/robots/baxter_col.rob";
  const double lag = frictionLag(*worldOf(file).robots[0].robot, 0.5);
  const char* backend = "mortise";
  const Tracking plain = steps(file, backend, 2, "{velocityScale: 0.5, accelerationScale: 0.5}");
  EXPECT_LT(plain.worst, 1.2 * lag + 0.02) << backend << ": friction lets it lag by " << lag;
  EXPECT_LT(plain.atEnd, 0.05) << backend;
  const Tracking feedforward = steps(file, backend, 2,
                                     "{velocityScale: 0.5, accelerationScale: 0.5, enableFrictionCompensation: true, "
                                     "enableFeedforwardAcceleration: true}");
  EXPECT_LT(feedforward.worst, 0.05 * plain.worst) << backend;
}

TEST_F(TrackingTest, ASavedSimulationGoesOnInTheMiddleOfAMotion) {
  const char* backend = "mortise";
  const World world = worldOf(kData + "reacher.rob");
  auto simulation = simulate(world, backend, "{enableFeedforwardAcceleration: true}");
  simulation->controller(0)->command("set_q", Value("0.5 -0.2 0.7 0.3 0.1 0"));
  simulation->controller(0)->command("append_q_linear", Value("0 0 0 0 0 0"));
  simulation->advance(0.4);
  const std::vector<std::byte> saved = simulation->save();
  auto other = simulate(world, backend, "{enableFeedforwardAcceleration: true}");
  other->restore(saved);
  simulation->advance(1);
  other->advance(1);
  EXPECT_EQ(simulation->stateHash(), other->stateHash()) << backend;
}

}  // namespace
}  // namespace mortise::test
