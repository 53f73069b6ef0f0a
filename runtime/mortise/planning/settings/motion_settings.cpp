#include "mortise/planning/settings/motion_settings.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/planning/request/path_settings.h"

namespace mortise {

void SmoothSettings::bind(SettingBinder& b) {
  b.choice("curve", curve.kind, curveWords(), "What lies between milestones.");
  b.add("deviation", curve.deviation, "How far blends may leave the corners, in coordinates.", {.min = 0});
  b.add("goal_tolerance", curve.tolerance, "How far links may be from their goals (m or rad).",
        {.min = 1e-9, .formerly = {"tolerance"}});
}

void DiscretizeSettings::bind(SettingBinder& b) {
  b.choice("curve", curve.kind, curveWords(), "What lies between milestones.");
  b.add("resolution", resolution, "How far lines may leave the path, and links their goals (rad or m).", {.min = 1e-6});
}

void EvaluateSettings::bind(SettingBinder& b) {
  b.add("at", at, "Times on the path.", {.unit = "s"});
  b.add("every", every, "The whole path, from its start to its end, in such steps.", {.min = 1e-6, .unit = "s"});
  b.choice(
      "interpolation", interpolation,
      {{"given", PathInterpolation::given}, {"linear", PathInterpolation::linear}, {"cubic", PathInterpolation::cubic}},
      "What lies between the milestones of a MultiPath: `given` (cubics in sections that have velocities, straight "
      "lines in others), linear or cubic.");
}

std::vector<double> EvaluateSettings::times(double start, double end) const {
  std::vector<double> all = at;
  if (!every) return all;
  constexpr double kMaximum = 1e6;  // More than this is a slip of the hand.
  if (!((end - start) / *every < kMaximum))
    throw Error("a path of " + formatReal(end - start) + " s holds a step at most a million times, not " +
                    formatReal(*every) + " s",
                settingPosition("every"));
  const auto count = static_cast<long>(std::floor((end - start) / *every * (1 + 1e-12)));
  for (long i = 0; i <= count; ++i) all.push_back(start + *every * static_cast<double>(i));
  if (all.back() < end) all.push_back(end);
  return all;
}

void ConvertSettings::bind(SettingBinder& b) {
  b.add("as", as, "What the file shall hold where it could be several things, as .json could.",
        {.choices = {"configurations", "trajectory", "hermite_trajectory", "multipath"}});
  b.choice("velocities", options.velocities, {{"smooth", KnotVelocities::smooth}, {"rest", KnotVelocities::rest}},
           "Where the file has velocities and the path has none: a smooth curve through the milestones, or a rest in "
           "each of them.");
  b.add("resolution", options.resolution, "How far straight lines may leave cubics (rad or m); 0: milestones only.",
        {.min = 0});
  b.add("every", options.every, "A configuration so often, in place of the milestones.", {.min = 1e-6, .unit = "s"});
  b.add("duration", options.duration, "Makes the motion take so long; a path without times gets evenly spaced ones.",
        {.min = 0, .unit = "s"});
  b.add("start", options.start, "When the motion begins.", {.unit = "s"});
}

void JoinSettings::bind(SettingBinder& b) {
  b.add("time_scale", timeScale, "Make all times so many times as long; below 0: backwards.");
}

void SplitSettings::bind(SettingBinder& b) {
  b.add("at", at, "Times at which the path is cut, in order; by default it is cut between its sections.",
        {.unit = "s"});
}

void MultiPathCheckSettings::bind(SettingBinder& b) {
  b.add("torque", options.torque, "Whether the motors' torques are checked.");
  b.add("contacts", options.contacts,
        "Whether forces at the holds' contacts are checked against their friction cones.");
  b.add("goal_tolerance", options.tolerance, "How far links may be from their goals (m or rad).",
        {.min = 0, .formerly = {"tolerance"}});
  b.add("step", options.step, "Distance between the configurations that are checked (rad or m).", {.min = 1e-6});
  bindMotionLimits(b, options.limits);
}

}  // namespace mortise
