#include "real_time/real_time_settings.h"

#include "mortise/base/error.h"
#include "mortise/planning/real_time/obstacle_motion.h"
#include "mortise/settings/settings.h"

namespace mortise::controllers {

void RealTimePlanningSettings::bind(SettingBinder& b) {
  b.choice("method", planner.method,
           {{"hybrid", RealTimeMethod::hybrid}, {"tree", RealTimeMethod::tree}, {"ik", RealTimeMethod::ik}},
           "How to plan: `tree` searches with trees and goes all the way or nowhere, `ik` goes straight towards the "
           "target by numeric search, part of the way where that is blocked, `hybrid` does first the one and then the "
           "other.");
  b.choice("split", session.split.kind,
           {{"adaptive", SplitTimeOptions::Kind::adaptive}, {"constant", SplitTimeOptions::Kind::constant}},
           "When new motions begin after planning has: always `split_time` later, or sooner after success and later "
           "after failure.");
  b.add("split_time", session.split.initial,
        "From the beginning of planning to that of the new motion; adaptive: at first.",
        {.min = 1e-3, .max = 100, .unit = "s"});
  b.add("min_split_time", session.split.min, "The least of it, where it adapts.",
        {.min = 1e-3, .max = 100, .unit = "s"});
  b.add("max_split_time", session.split.max, "The most of it, where it adapts.",
        {.min = 1e-3, .max = 100, .unit = "s"});
  b.add("padding", session.padding, "What is left of that time when planning has to be done.",
        {.min = 0, .max = 10, .unit = "s"});
  b.choice("clock", clock, {{"simulated", Clock::simulated}, {"wall", Clock::wall}},
           "What limits planning: `simulated` counts iterations, so that the same run is the same, bit by bit; `wall` "
           "takes the time that there is, for a robot whose clock is that on the wall.");
  b.add("iterations_per_second", session.iterationsPerSecond,
        "With the simulated clock: how many iterations a planner gets for each second of it.", {.min = 1, .max = 1e9});
  b.add("ramp_up", limits.rampUp,
        "Where nothing limits the acceleration of a joint: it may reach its limit of velocity in this time.",
        {.min = 1e-3, .max = 100, .unit = "s"});
  b.add("velocity_limit", limits.velocity,
        "The limit of velocity of all joints, in place of the model's; 0: the model's.", {.min = 0, .max = 1e6});
  b.add("acceleration_limit", limits.acceleration, "The same of acceleration.", {.min = 0, .max = 1e6});
  b.add("margin", margin, "What the robot keeps away from everything, itself included.",
        {.min = 0, .max = 10, .unit = "m"});
  b.add("links", links, "Links to move, by name or index; when absent, all that drivers move.");
  b.add("targets", targets,
        "Configurations to go to from the start on, one after another, as `set_q` takes them; a list. A command takes "
        "the "
        "place of those that are left.");
  b.add("obstacles", obstacles,
        "Bodies whose motions are known in advance: a list of {body: NAME, motion: FILE, repeat: true}. A motion file "
        "holds, at each time, the position (m) and the rotation vector (rad) of the terrain or rigid object.");
}

void RealTimePlanningSettings::check() const {
  if (session.split.min > session.split.max)
    throw Error("min_split_time is above max_split_time", settingPosition("min_split_time"));
  if (!(session.padding < session.split.smallest()))
    throw Error(
        "the padding leaves no time to plan in the least split time", settingPosition("padding"),
        "make it smaller than " +
            std::string(session.split.kind == SplitTimeOptions::Kind::adaptive ? "min_split_time" : "split_time"));
  if (!targets.isNull() && !targets.isList())
    throw Error("'targets' is a list", targets.position(), "write [[0, 0.5], {elbow: 90 deg}, home.config]");
  if (!obstacles.isNull() && !obstacles.isList())
    throw Error("'obstacles' is a list", obstacles.position(), "write [{body: NAME, motion: FILE, repeat: true}]");
}

std::vector<KnownMotion> obstaclesFrom(const Value& obstacles, const World& world, const Host& host) {
  std::vector<KnownMotion> motions;
  if (obstacles.isNull()) return motions;
  for (const Value& entry : obstacles.items()) {
    if (!entry.isMap())
      throw Error("an obstacle is a map", entry.position(), "write {body: NAME, motion: FILE, repeat: true}");
    for (const Value::Entry& each : entry.entries())
      if (each.key != "body" && each.key != "motion" && each.key != "repeat")
        throw Error("'" + each.key + "' is not part of an obstacle", each.value.position(),
                    "there are body, motion and repeat");
    const Value* repeat = entry.find("repeat");
    try {
      motions.push_back(knownMotionOf(host.loadTrajectory(entry.at("motion").asString()), entry.at("body").asString(),
                                      world, repeat == nullptr ? std::nullopt : std::optional(repeat->asBool())));
    } catch (const Error& error) {
      throw Error(error.message(), error.where().known() ? error.where() : entry.position(), error.hint());
    }
  }
  return motions;
}

}  // namespace mortise::controllers
