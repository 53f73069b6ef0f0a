#include "mortise/planning/request/path_settings.h"

#include "mortise/base/error.h"

namespace mortise {

void PathStopSettings::bind(SettingBinder& b) {
  b.add("time_limit", timeLimit, "Stop after this time; by default when there is little improvement.",
        {.min = 0, .unit = "s"});
  b.add("iterations", iterations, "Stop after this many attempts.", {.min = 0});
  b.add("seed", seed, "Seed of the attempts; by default that of the run.", {.min = 0});
}

StopConditions PathStopSettings::conditions() const {
  StopConditions stop;
  stop.foundSolution = false;
  stop.seconds = timeLimit.value_or(stop.seconds);
  stop.iterations = iterations.value_or(stop.iterations);
  return stop;
}

void PathStopSettings::requireEnd(std::int64_t idle) const {
  if (idle == 0 && !timeLimit && !iterations)
    throw Error("'idle' is 0 and nothing else ends the shortcuts", settingPosition("idle"),
                "add 'iterations' or 'time_limit'");
}

std::vector<std::pair<std::string, CurveKind>> curveWords() {
  return {{"automatic", CurveKind::automatic},
          {"blend", CurveKind::blend},
          {"smooth", CurveKind::smooth},
          {"stop", CurveKind::stop}};
}

void bindMotionLimits(SettingBinder& b, MotionLimitOptions& limits) {
  b.add("velocity_scaling", limits.velocityScaling, "Scaling factor of the robot's velocity limits.",
        {.min = 1e-6, .max = 1, .aliases = {"velocity_share"}});
  b.add("acceleration_scaling", limits.accelerationScaling, "Scaling factor of its acceleration limits.",
        {.min = 1e-6, .max = 1, .aliases = {"acceleration_share"}});
  b.add("velocity", limits.velocity,
        "Velocity limit of all coordinates (rad/s or m/s) that replaces the robot's; 0: the robot's. "
        "Coordinates without limits, such as a floating base, follow the others.",
        {.min = 0});
  b.add("acceleration", limits.acceleration,
        "Acceleration limit of all coordinates (rad/s^2 or m/s^2), in the same way.", {.min = 0});
  b.add("ramp_up", limits.rampUp,
        "For coordinates without an acceleration limit: the time in which one may reach its velocity limit; 0: "
        "an error.",
        {.min = 0, .unit = "s"});
}

void bindDeviation(SettingBinder& b, double& deviation) {
  b.add("deviation", deviation, "Blends: maximum deviation from the path at corners (rad or m).", {.min = 1e-9});
}

void ShortcutSettings::bind(SettingBinder& b) {
  b.add("vertices", options.vertices, "First remove sequences of milestones.");
  b.add("shortcuts", options.shortcuts, "Connect two points of the path, anywhere on its edges, by a straight line.");
  b.add("partial", options.partial, "The same in a single coordinate (Geraerts and Overmars, 2007).");
  b.add("perturbations", options.perturbations, "Move milestones a little, where there is an objective.");
  b.add("smoothing", options.smoothing, "At the end, halve all edges and round off corners this many times.",
        {.min = 0, .max = 10});
  b.add("idle", options.idle, "Stop after this many consecutive failures; 0 disables.", {.min = 0});
  b.add("improvement", options.improvement, "A change counts when it reduces the path's cost by this fraction.",
        {.min = 0, .max = 1});
  stop.bind(b);
}

void RetimeSettings::bind(SettingBinder& b) {
  b.add("method", method,
        "`parabolic`: ramps with time-optimal shortcuts, which leave the path; `blend` (or `toppra`): along the "
        "path, corners rounded off; `linear`: along it at constant speeds. By default parabolic, or blend where "
        "edges are not straight.",
        {.choices = {"parabolic", "blend", "toppra", "linear"}});
  b.add("shortcut", options.shortcut, "parabolic: whether to shorten.");
  b.add("tolerance", options.tolerance,
        "parabolic: maximum distance of a ramp from the chords that are checked (rad or m).", {.min = 1e-9});
  bindDeviation(b, options.deviation);
  b.add("idle", options.idle, "Stop after this many consecutive failures; 0 disables.", {.min = 0});
  b.add("sample_tolerance", sampleTolerance,
        "Tolerance of the saved motion, which is straight between its configurations (rad or m).", {.min = 1e-9});
  bindMotionLimits(b, limits);
  stop.bind(b);
}

void ForceTimingSettings::bind(SettingBinder& b) {
  b.add("torque", torque,
        "Whether motors keep to their torques: the fastest motion of one robot along the path, in place of `method`.",
        {.aliases = {"torques"}});
  b.add("contacts", contacts,
        "Whether contact forces stay within their friction cones, in the same way: at the holds of a MultiPath, and in "
        "sections without where the robot touches the world.");
  b.add("touch", touch, "contacts: surfaces that are no farther apart touch.", {.min = 0, .unit = "m"});
  b.add("friction", friction, "contacts: coefficient of what touches, in place of the surfaces'.", {.min = 0});
  b.choice("curve", curve, curveWords(),
           "What lies between milestones: straight lines with corners rounded off, a smooth curve, straight lines with "
           "rests, or "
           "what fits each section (`automatic`, the default). Also for motions without bounds of forces.");
  b.add("goal_tolerance", goalTolerance, "How far links may be from the goals of a MultiPath (m or rad).",
        {.min = 1e-9});
  b.add("torque_scale", torqueScale, "Fraction of the motors' torques that may be used.", {.min = 1e-6, .max = 1});
  b.add("friction_scale", frictionScale, "Fraction of the coefficients of friction.", {.min = 1e-6, .max = 1});
  b.add("min_force", minForce, "Smallest force of each contact point along its normal.",
        {.min = 0, .unit = "N", .formerly = {"least_force"}});
  b.add("jerk", jerk, "Limit of jerk of all links that have one of acceleration (rad/s^3 or m/s^3); 0: none.",
        {.min = 0});
  b.add("grid", gridPoints, "Grid points of a stretch between rests.", {.min = 2, .max = 100000});
}

void TimingSettings::bind(SettingBinder& b) {
  forces.bind(b);
  bindDeviation(b, deviation);
  bindMotionLimits(b, limits);
  b.add("gravity", gravity, "Gravity; by default that of the world, or 9.8 m/s^2 downward along z.", {.unit = "m/s^2"});
}

MultiPathTimingOptions multiPathTiming(const TimingSettings& settings, const Vector3d& gravity_W) {
  const ForceTimingSettings& forces = settings.forces;
  MultiPathTimingOptions options;
  options.torque = forces.torque;
  options.contacts = forces.contacts;
  options.jerk = forces.jerk;
  options.torqueScale = forces.torqueScale;
  options.frictionScale = forces.frictionScale;
  options.minForce = forces.minForce;
  options.curve = {forces.curve.value_or(CurveKind::automatic), settings.deviation, forces.goalTolerance};
  options.limits = settings.limits;
  options.timing.gridPoints = forces.gridPoints;
  options.gravity_W = settings.gravity.value_or(gravity_W);
  return options;
}

void OptimizeSettings::bind(SettingBinder& b) {
  b.add("waypoints", options.waypoints, "Waypoints that the path gets, at equal distances.", {.min = 2, .max = 1000});
  b.add("clearance", options.clearance, "What everything shall keep from everything.", {.min = 0, .unit = "m"});
  b.add("step", options.step, "Distance between the configurations at which clearances are computed (rad or m).",
        {.min = 1e-4});
  b.add("accelerations", options.accelerations, "Weight of second differences beside that of first ones, which is 1.",
        {.min = 0});
  b.add("penalty", options.penalty, "First penalty of a meter too near; it grows tenfold where it does not help.",
        {.min = 1e-6});
  b.add("penalty_rounds", options.penaltyRounds, "How often it grows.", {.min = 0, .max = 20});
  b.add("iterations", options.iterations, "Convex programs of one penalty.", {.min = 1, .max = 100000});
  b.add("trust", options.trust, "First size of the trust region (rad or m).", {.min = 1e-4});
  b.add("improvement", options.improvement, "Fraction of the cost below which an iteration ends a round.",
        {.min = 0, .max = 1});
}

void CheckSettings::bind(SettingBinder& b) {
  b.add("step", options.resolution, "Distance between the configurations that are checked.", {.min = 1e-6});
  b.add("clearance", options.clearance, "Also compute the minimum clearance along the path, which takes longer.");
  b.add("max_faults", options.maxFaults, "Maximum number of faults that are listed.", {.min = 1, .max = 100000});
  b.add("bounds", bounds, "Whether velocities and accelerations are checked, where the motion has them.");
  bindMotionLimits(b, limits);
}

}  // namespace mortise
