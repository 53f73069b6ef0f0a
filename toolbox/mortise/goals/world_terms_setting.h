#pragma once

/// Goals of inverse kinematics in a world of several robots and rigid objects, as people write them.

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/component/file_format.h"
#include "mortise/ik/ik_world.h"

namespace mortise {

/// A part of a world: a robot or a rigid object, and of a robot perhaps a link.
struct WorldPart {
  int robot = -1, object = -1;
  int link = -1;
};

/// Finds what `setting` names: an object, a robot, a link as `robot:link` or `robot/link`, or alone where only one
/// robot has it (`robot` >= 0: one of this robot); a map {robot, link} or {object}. Throws `Error` with the nearest
/// name.
WorldPart worldPartFromSetting(const Value& setting, const World& world, int robot = -1);

/// Reads goals as `ikTermsFromSetting` does, and besides: `robot` says whose link, joints or center of mass is meant,
/// and may be left out where `link` says it, where there is one robot, or where `robot` (its index) is given here;
/// `link` may be an object; `destination` may be a link of another robot, or an object. {robot: left, goals: FILE or
/// list} gives all goals of a file to a robot. Links are those of `world.robot()`.
std::vector<IKTerm> worldIKTermsFromSetting(const Value& value, const IKWorld& world, int robot, ResourceLoader& loader,
                                            Diagnostics& diagnostics);

/// Returns what moves when nothing else is said: all robots, and the objects that are the `link` of a goal.
std::vector<int> worldIKActive(const IKWorld& world, const std::vector<IKTerm>& terms);
/// Links by names: a robot's, an object's or a link's.
std::vector<int> worldIKActive(const IKWorld& world, const std::vector<std::string>& names, int robot);

/// All links, of which a variable of the solver changes where they are.
std::vector<int> movedLinks(const Robot& robot, const std::vector<int>& active, const std::vector<IKTerm>& terms,
                            bool limits);

}  // namespace mortise
