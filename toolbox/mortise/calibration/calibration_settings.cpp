#include "mortise/calibration/calibration_settings.h"

#include "mortise/configuration/link_setting.h"

namespace mortise {

void CalibrationSettings::bind(SettingBinder& b) {
  b.add("drivers", drivers, "Fit only these drivers, by name or number; by default all.", {.formerly = {"driver"}});
  b.add("fixed_links", fixedLinks, "Links that stood on the ground, of a robot with a floating base.",
        {.aliases = {"fixedLinks"}, .formerly = {"fixed_link"}});
  b.add("gravity_compensation", gravityCompensation, "The controller adds torques against gravity.",
        {.aliases = {"gravityCompensation"}});
  b.add("inertia", inertia, "Fit added inertia as well, such as that of rotors; robot files cannot hold it.");
  b.add("step", timeStep, "Time step of the model.", {.min = 1e-9, .max = 1, .unit = "s", .aliases = {"dt"}});
  b.add("velocity_weight", velocityWeight, "Weight of squared velocity errors beside squared position errors (s^2).",
        {.min = 0, .aliases = {"velocityErrorWeight"}});
  b.add("smoothing", smoothing, "Samples on each side that velocities and accelerations are taken from.",
        {.min = 1, .max = 1e6});
  b.add("restarts", restarts, "Searches from random parameters.", {.min = 0, .max = 1e6});
  b.add("prior", prior,
        "Count the robot's own parameters as known before, give or take this fraction of each, such as 0.5: what the "
        "motions say nothing about stays near to them; 0: nothing is known before.",
        {.min = 0});
  b.add("seed", seed, "Seed of the random parameters.", {.min = 0});
}

MotorCalibrationOptions CalibrationSettings::options(const Robot& robot) const {
  MotorCalibrationOptions result;
  Value named = Value::list();
  for (const PlacedText& driver : drivers.list) named.push_back(Value(driver.text).setPosition(driver.where));
  if (named.size() > 0) result.drivers = driversFromSetting(robot, named);
  for (const PlacedText& link : fixedLinks.list)
    result.tracks.fixedLinks.push_back(linkFromSetting(robot, Value(link.text).setPosition(link.where)));
  result.tracks.gravityCompensated = gravityCompensation;
  result.tracks.smoothing = smoothing;
  result.fitInertia = inertia;
  result.timeStep = timeStep;
  result.velocityWeight = velocityWeight;
  result.restarts = restarts;
  result.prior = prior;
  result.seed = static_cast<std::uint64_t>(seed);
  return result;
}

}  // namespace mortise
