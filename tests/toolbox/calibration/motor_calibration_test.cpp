#include "mortise/calibration/motor_calibration.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/random.h"
#include "mortise/calibration/servo_fit.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "tests/support/error_text.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

using test::errorText;

/// A driver of constant inertia and load that is asked to follow two sines and some steps.
ServoTrack sineTrack(double inertia, double load, int samples = 400, double period = 0.01) {
  ServoTrack track;
  for (int i = 0; i < samples; ++i) {
    const double t = i * period;
    track.times.push_back(t);
    track.inertia.push_back(inertia);
    track.bias.push_back(load);
    track.target.push_back(0.5 * std::sin(3 * t) + 0.2 * std::sin(11 * t) + (t > 2 ? 0.3 : 0));
    track.targetRate.push_back(1.5 * std::cos(3 * t) + 2.2 * std::cos(11 * t));
  }
  track.position.assign(track.times.size(), 0);
  track.rate = track.acceleration = track.position;
  return track;
}

/// The track as the driver with these parameters would have made it.
ServoTrack madeBy(const ServoParameters& parameters, ServoTrack track) {
  simulateServo(track, parameters, 1e-3, track.position, track.rate);
  for (std::size_t i = 1; i + 1 < track.times.size(); ++i)
    track.acceleration[i] = (track.rate[i + 1] - track.rate[i - 1]) / (track.times[i + 1] - track.times[i - 1]);
  return track;
}

TEST(ServoModel, FollowsClosedForms) {
  // Under a constant load P alone leaves load / kP; with I nothing is left; dry friction holds what is below it.
  ServoTrack track = sineTrack(2, 3, 4000);
  track.target.assign(track.times.size(), 1.0);
  track.targetRate.assign(track.times.size(), 0.0);
  std::vector<double> x, v;
  simulateServo(track, {.servoP = 100, .servoD = 30}, 1e-3, x, v);
  EXPECT_NEAR(x.back(), 1 - 3.0 / 100, 1e-9);
  simulateServo(track, {.servoP = 100, .servoI = 50, .servoD = 30}, 1e-3, x, v);
  EXPECT_NEAR(x.back(), 1, 1e-6);
  simulateServo(track, {.dryFriction = 3.1}, 1e-3, x, v);
  EXPECT_EQ(x.back(), 0);
  simulateServo(track, {.dryFriction = 2.5}, 1e-4, x, v);
  EXPECT_NEAR(v[100], -(3 - 2.5) / 2 * track.times[100], 1e-9);
  // Viscous friction alone: v approaches -load / viscous.
  simulateServo(track, {.viscousFriction = 6}, 1e-3, x, v);
  EXPECT_NEAR(v.back(), -0.5, 1e-9);
  // An oscillator without damping: its period is 2 pi sqrt(m / k).
  track.bias.assign(track.times.size(), 0);
  simulateServo(track, {.servoP = 8}, 1e-5, x, v);
  EXPECT_NEAR(x[100], 1 - std::cos(2 * track.times[100]), 1e-4);
  // The motor gives what it can.
  track.torqueMax = 4;
  simulateServo(track, {.servoP = 1000}, 1e-4, x, v);
  EXPECT_NEAR(v[10], 2 * track.times[10], 1e-9);
  // No gain makes the model explode.
  track.torqueMax = kInfinity;
  simulateServo(track, {.servoP = 1e9, .servoD = 1e7}, 1e-3, x, v);
  EXPECT_NEAR(x.back(), 1, 1e-9);
}

TEST(ServoFit, FindsTheParametersOfItsOwnModel) {
  const ServoParameters truth = {250, 60, 12, 1.5, 0.8, 0.05};
  std::vector<ServoTrack> tracks = {madeBy(truth, sineTrack(0.4, 2))};
  ServoTrack loaded = sineTrack(0.9, -4);
  for (auto* list : {&loaded.target, &loaded.targetRate})
    for (double& value : *list) value = -value;
  tracks.push_back(madeBy(truth, loaded));
  ServoFitOptions options;
  options.fitInertia = true;
  const ServoFit fit = fitServo(tracks, {1, 0, 1, 0, 0, 0}, options);
  EXPECT_LT(fit.error, 1e-7);
  EXPECT_NEAR(fit.parameters.servoP, truth.servoP, 1e-3 * truth.servoP);
  EXPECT_NEAR(fit.parameters.servoI, truth.servoI, 1e-3 * truth.servoI);
  EXPECT_NEAR(fit.parameters.servoD, truth.servoD, 1e-3 * truth.servoD);
  EXPECT_NEAR(fit.parameters.dryFriction, truth.dryFriction, 1e-3 * truth.dryFriction);
  EXPECT_NEAR(fit.parameters.viscousFriction, truth.viscousFriction, 3e-3 * truth.viscousFriction);
  EXPECT_NEAR(fit.parameters.addedInertia, truth.addedInertia, 3e-3 * truth.addedInertia);
  const ServoFit again = fitServo(tracks, {1, 0, 1, 0, 0, 0}, options);
  EXPECT_EQ(again.parameters, fit.parameters);
}

TEST(ServoFit, SaysHowSureItIs) {
  const ServoParameters truth = {250, 0, 12, 1.5, 0.8};
  ServoTrack track = madeBy(truth, sineTrack(0.4, 2));
  RandomStream noise(5);
  for (double& x : track.position) x += 1e-3 * noise.gaussian();
  for (double& v : track.rate) v += 0.05 * noise.gaussian();
  const ServoFit fit = fitServo({track}, {50, 0, 5, 0, 0}, {});
  EXPECT_NEAR(fit.parameters.servoP, truth.servoP, 5 * fit.deviation.servoP);
  EXPECT_NEAR(fit.parameters.servoD, truth.servoD, 5 * fit.deviation.servoD);
  EXPECT_LT(fit.deviation.servoP, 0.1 * truth.servoP);
  EXPECT_NEAR(fit.error, 1e-3, 2e-4);
  // A motion that never happens says nothing about anything.
  ServoTrack still = sineTrack(0.4, 0);
  still.target.assign(still.times.size(), 0);
  still.targetRate.assign(still.times.size(), 0);
  const ServoFit nothing = fitServo({still}, {10, 0, 1, 0, 0}, {});
  EXPECT_EQ(nothing.error, 0);
  EXPECT_EQ(nothing.parameters.servoP, 10) << "there is no reason to change what is there";
}

TEST(ServoFit, StandardErrorsAllowForErrorsThatLast) {
  const ServoParameters truth = {250, 60, 12, 1.5, 0.8};
  // Noise that goes on for a quarter of a second: an error of its own in each of 40 recordings.
  int within = 0, independent = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    ServoTrack track = madeBy(truth, sineTrack(0.4, 2));
    RandomStream noise(seed, "noise");
    double e = 0;
    for (std::size_t i = 0; i < track.times.size(); ++i) {
      e = 0.96 * e + 0.28 * 1e-3 * noise.gaussian();
      track.position[i] += e;
    }
    ServoFitOptions options;
    options.restarts = 0;
    options.velocityWeight = 1e-12;
    const ServoFit fit = fitServo({track}, truth, options);
    within += std::abs(fit.parameters.servoP - truth.servoP) <= 2 * fit.deviation.servoP;
    // What it would be of independent errors is at most a third of the spread there is.
    independent += std::abs(fit.parameters.servoP - truth.servoP) <= 0.67 * fit.deviation.servoP;
  }
  EXPECT_GE(within, 30) << "two standard errors hold 95 % of the truth, or nearly so";
  EXPECT_LT(independent, 36) << "and they are not so wide that they say nothing";
}

TEST(ServoFit, WhatMotionsDoNotShowStaysNearWhatIsKnown) {
  const ServoParameters truth = {250, 60, 12, 1.5, 0.8};
  // So short that hardly anything comes of the integral.
  ServoTrack track = madeBy(truth, sineTrack(0.4, 0, 40, 0.01));
  RandomStream noise(3);
  for (double& x : track.position) x += 1e-4 * noise.gaussian();
  for (double& v : track.rate) v += 0.01 * noise.gaussian();
  const ServoParameters known = {200, 50, 10, 1, 1};
  ServoFitOptions options;
  const ServoFit without = fitServo({track}, known, options);
  options.prior = 0.3;
  const ServoFit with = fitServo({track}, known, options);
  EXPECT_GT(without.deviation.servoI, 0.2 * truth.servoI) << "the motion says little of it";
  EXPECT_LT(with.deviation.servoI, 0.35 * known.servoI) << "but it is known before";
  EXPECT_NEAR(with.parameters.servoI, known.servoI, 0.4 * known.servoI);
  EXPECT_NEAR(with.parameters.servoP, truth.servoP, 0.05 * truth.servoP) << "what the motion shows counts";
}

/// The arm under its servos, by small steps of its forward dynamics; nothing here knows of the calibration's model.
RecordedMotion recorded(const RobotPtr& arm, const std::vector<ServoParameters>& truth, double period, int samples) {
  constexpr double kStep = 2e-5;
  const int n = arm->numLinks();
  RobotDynamics dynamics(arm);
  VectorXd q = VectorXd::Zero(n), dq = q, tau(n), ddq(n), integral = VectorXd::Zero(n);
  q << 0.2, -0.1;
  RecordedMotion motion;
  for (int i = 0; i < samples; ++i) {
    const double t = i * period;
    VectorXd target(n), rate(n);
    target << 0.2 + 0.6 * std::sin(2.5 * t) + 0.15 * std::sin(9 * t),
        -0.1 + 0.5 * std::sin(6 * t) + 0.3 * std::sin(1.7 * t);
    rate << 1.5 * std::cos(2.5 * t) + 1.35 * std::cos(9 * t), 3 * std::cos(6 * t) + 0.51 * std::cos(1.7 * t);
    motion.times.push_back(t);
    motion.sensed.push_back(q);
    motion.sensedRates.push_back(dq);
    motion.commanded.push_back(target);
    motion.commandedRates.push_back(rate);
    const int steps = static_cast<int>(std::lround(period / kStep));
    for (int k = 0; k < steps; ++k) {
      for (int j = 0; j < n; ++j) {
        const ServoParameters& p = truth[static_cast<std::size_t>(j)];
        const double e = target[j] - q[j];
        integral[j] += e * kStep;
        // Friction that goes smoothly through zero within 1e-3 rad/s.
        tau[j] = std::clamp(p.servoP * e + p.servoI * integral[j] + p.servoD * (rate[j] - dq[j]), -100.0, 100.0) -
                 p.dryFriction * std::tanh(dq[j] / 3e-4) - p.viscousFriction * dq[j];
      }
      dynamics.setState(q, dq);
      dynamics.forwardDynamics(tau, Vector3d(0, 0, -9.8), ddq);
      dq += kStep * ddq;
      q += kStep * dq;
    }
  }
  return motion;
}

class MotorCalibrationTest : public testing::Test {
 protected:
  MotorCalibrationTest() : arm_(Robot::compile(test::armDescription(2))) {}
  RobotPtr arm_;
  const std::vector<ServoParameters> truth_ = {{300, 40, 35, 2, 3}, {120, 20, 9, 0.6, 0.9}};
};

TEST_F(MotorCalibrationTest, RecoversGainsAndFrictionOfASimulatedArm) {
  const RecordedMotion motion = recorded(arm_, truth_, 0.005, 1000);
  const MotorCalibration found = calibrateMotors(arm_, {motion}, {});
  ASSERT_EQ(found.motors.size(), 2u);
  for (std::size_t j = 0; j < 2; ++j) {
    const ServoParameters &p = found.motors[j].after, &t = truth_[j];
    EXPECT_NEAR(p.servoP, t.servoP, 0.02 * t.servoP) << j;
    EXPECT_NEAR(p.servoI, t.servoI, 0.05 * t.servoI) << j;
    EXPECT_NEAR(p.servoD, t.servoD, 0.02 * t.servoD) << j;
    EXPECT_NEAR(p.dryFriction, t.dryFriction, 0.05 * t.dryFriction) << j;
    EXPECT_NEAR(p.viscousFriction, t.viscousFriction, 0.15 * t.viscousFriction) << j;
    EXPECT_LT(found.motors[j].errorAfter, 0.05 * found.motors[j].errorBefore) << j;
  }
  EXPECT_EQ(found.simulatedAfter[0].size(), motion.times.size());
  RobotDescription robot = arm_->description();
  applyCalibration(found, robot);
  EXPECT_EQ(robot.drivers[1].servoP, found.motors[1].after.servoP);
}

TEST_F(MotorCalibrationTest, NeedsNoRatesAndWorksOnSomeDriversAlone) {
  RecordedMotion motion = recorded(arm_, truth_, 0.005, 800);
  motion.sensedRates.clear();
  MotorCalibrationOptions options;
  options.drivers = {1};
  const MotorCalibration found = calibrateMotors(arm_, {motion}, options);
  ASSERT_EQ(found.motors.size(), 1u);
  EXPECT_EQ(found.motors[0].driver, 1);
  EXPECT_NEAR(found.motors[0].after.servoP, truth_[1].servoP, 0.05 * truth_[1].servoP);
  EXPECT_NEAR(found.motors[0].after.servoD, truth_[1].servoD, 0.1 * truth_[1].servoD);
  // The other driver stays where it was commanded.
  EXPECT_EQ(found.simulatedAfter[0][50][0], motion.commanded[50][0]);
}

TEST_F(MotorCalibrationTest, AFloatingArmOnAFixedFootIsTheSameArm) {
  // The same arm, its base free: the inertia about the fixed base is that of the arm that is bolted down.
  RobotDescription floating;
  floating.name = "floating";
  const RobotDescription bolted = arm_->description();
  for (int i = 0; i < 6; ++i) {
    Link link;
    link.name = "base" + std::to_string(i);
    link.parent = i - 1;
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    floating.links.push_back(link);
  }
  floating.links[5].inertia = test::boxInertia(3, Vector3d::Constant(0.2));
  floating.joints.push_back({JointType::floating, 5, -1});
  for (int i = 0; i < 2; ++i) {
    Link link = bolted.links[static_cast<std::size_t>(i)];
    link.parent = 5 + i;
    floating.links.push_back(link);
    floating.joints.push_back({JointType::normal, 6 + i, -1});
    Driver driver = bolted.drivers[static_cast<std::size_t>(i)];
    driver.links = {6 + i};
    floating.drivers.push_back(driver);
  }
  const RobotPtr free = Robot::compile(floating);
  const RecordedMotion motion = recorded(arm_, truth_, 0.005, 60);
  RecordedMotion wide = motion;
  for (auto* list : {&wide.sensed, &wide.sensedRates, &wide.commanded, &wide.commandedRates})
    for (VectorXd& q : *list) {
      VectorXd full = VectorXd::Zero(8);
      full.tail(2) = q;
      q = full;
    }
  const auto own = driverTracks(arm_, motion, {0, 1}, {});
  DriverTrackOptions options;
  options.fixedLinks = {5};
  const auto other = driverTracks(free, wide, {0, 1}, options);
  for (std::size_t d = 0; d < 2; ++d)
    for (std::size_t i = 0; i < motion.times.size(); ++i) {
      EXPECT_NEAR(own[d].inertia[i], other[d].inertia[i], 1e-9);
      EXPECT_NEAR(own[d].bias[i], other[d].bias[i], 1e-9);
    }
  // Held by its tip instead, the second driver turns everything before it.
  options.fixedLinks = {7};
  const auto held = driverTracks(free, wide, {1}, options);
  EXPECT_GT(held[0].inertia[0], 2 * own[1].inertia[0]);
}

TEST_F(MotorCalibrationTest, SaysWhatIsWrong) {
  const RecordedMotion motion = recorded(arm_, truth_, 0.01, 20);
  const auto says = [&](const RecordedMotion& wrong, const MotorCalibrationOptions& options) {
    return errorText([&] { (void)calibrateMotors(arm_, {wrong}, options); });
  };
  RecordedMotion wrong = motion;
  wrong.times[5] = wrong.times[4];
  EXPECT_NE(says(wrong, {}).find("sample 5"), std::string::npos);
  wrong = motion;
  wrong.sensed[3] = VectorXd::Zero(3);
  EXPECT_NE(says(wrong, {}).find("3 numbers"), std::string::npos);
  wrong = motion;
  wrong.commanded.pop_back();
  EXPECT_NE(says(wrong, {}).find("19 commanded configurations for 20 times"), std::string::npos);
  wrong = motion;
  wrong.sensed[0][1] = std::nan("");
  EXPECT_NE(says(wrong, {}).find("not finite"), std::string::npos);
  MotorCalibrationOptions options;
  options.drivers = {7};
  EXPECT_NE(says(motion, options).find("there is no driver 7"), std::string::npos);
  options.drivers = {1, 1};
  EXPECT_NE(says(motion, options).find("named twice"), std::string::npos);
  EXPECT_NE(errorText([&] { (void)calibrateMotors(arm_, {}, {}); }).find("no recorded motion"), std::string::npos);
}

}  // namespace
}  // namespace mortise
