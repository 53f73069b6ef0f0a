#include "mortise/calibration/motor_calibration.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/calibration/servo_fit.h"

namespace mortise {

namespace {

bool canBeFitted(const Robot& robot, int index) {
  const Driver& driver = robot.driver(index);
  if (driver.type != DriverType::normal && driver.type != DriverType::affine) return false;
  return std::all_of(driver.links.begin(), driver.links.end(), [&](int link) {
    const int joint = robot.jointOfLink(link);
    return joint < 0 || robot.joints()[static_cast<std::size_t>(joint)].type != JointType::weld;
  });
}

std::vector<int> driversToFit(const Robot& robot, const std::vector<int>& asked) {
  std::vector<int> drivers;
  for (const int driver : asked) {
    if (driver < 0 || driver >= robot.numDrivers())
      throw Error("there is no driver " + std::to_string(driver) + "; the robot has " +
                  std::to_string(robot.numDrivers()));
    if (!canBeFitted(robot, driver))
      throw Error("driver " + std::to_string(driver) + " '" + robot.driver(driver).name +
                  "' cannot be calibrated: it moves no joint of its own");
    if (std::find(drivers.begin(), drivers.end(), driver) != drivers.end())
      throw Error("driver " + std::to_string(driver) + " is named twice");
    drivers.push_back(driver);
  }
  for (int driver = 0; asked.empty() && driver < robot.numDrivers(); ++driver)
    if (canBeFitted(robot, driver)) drivers.push_back(driver);
  if (drivers.empty()) throw Error("the robot has no driver that could be calibrated");
  return drivers;
}

void checkFixedLinks(const Robot& robot, const std::vector<int>& links) {
  for (const int link : links)
    if (link < 0 || link >= robot.numLinks())
      throw Error("there is no link " + std::to_string(link) + " to be fixed; the robot has " +
                  std::to_string(robot.numLinks()));
}

ServoParameters ownParameters(const Driver& driver) {
  return {driver.servoP, driver.servoI, driver.servoD, driver.dryFriction, driver.viscousFriction, 0};
}

/// Commanded configurations, moved where the model takes the driver.
void moveAlong(const Robot& robot, int driver, const ServoTrack& track, const ServoParameters& parameters,
               double timeStep, std::vector<VectorXd>& configurations) {
  std::vector<double> position, rate;
  simulateServo(track, parameters, timeStep, position, rate);
  for (std::size_t i = 0; i < configurations.size(); ++i) setDriverValue(robot, driver, position[i], configurations[i]);
}

}  // namespace

MotorCalibration calibrateMotors(const RobotPtr& robot, const std::vector<RecordedMotion>& motions,
                                 const MotorCalibrationOptions& options) {
  if (motions.empty()) throw Error("there is no recorded motion");
  if (!(options.timeStep > 0)) throw Error("the time step of a calibration is above 0");
  if (!(options.velocityWeight >= 0)) throw Error("the weight of velocities is at least 0");
  checkFixedLinks(*robot, options.tracks.fixedLinks);
  const std::vector<int> drivers = driversToFit(*robot, options.drivers);
  std::vector<std::vector<ServoTrack>> tracks;  // By motion, by driver.
  MotorCalibration result;
  for (const RecordedMotion& motion : motions) {
    tracks.push_back(driverTracks(robot, motion, drivers, options.tracks));
    result.simulatedBefore.push_back(motion.commanded);
    result.simulatedAfter.push_back(motion.commanded);
  }
  const ServoFitOptions fit = {options.timeStep,      options.velocityWeight, options.fitInertia,    options.restarts,
                               options.maxIterations, options.seed,           options.stopRequested, options.prior};
  for (std::size_t d = 0; d < drivers.size(); ++d) {
    std::vector<ServoTrack> own;
    for (const auto& motion : tracks) own.push_back(motion[d]);
    const ServoParameters before = ownParameters(robot->driver(drivers[d]));
    const ServoFit found = fitServo(own, before, fit);
    result.motors.push_back({drivers[d], before, found.parameters, found.deviation, servoError(own, before, fit),
                             found.error, found.converged});
    for (std::size_t m = 0; m < own.size(); ++m) {
      moveAlong(*robot, drivers[d], own[m], before, options.timeStep, result.simulatedBefore[m]);
      moveAlong(*robot, drivers[d], own[m], found.parameters, options.timeStep, result.simulatedAfter[m]);
    }
  }
  return result;
}

void applyCalibration(const MotorCalibration& calibration, RobotDescription& robot) {
  for (const CalibratedMotor& motor : calibration.motors) {
    Driver& driver = robot.drivers.at(static_cast<std::size_t>(motor.driver));
    driver.servoP = motor.after.servoP;
    driver.servoI = motor.after.servoI;
    driver.servoD = motor.after.servoD;
    driver.dryFriction = motor.after.dryFriction;
    driver.viscousFriction = motor.after.viscousFriction;
  }
}

}  // namespace mortise
