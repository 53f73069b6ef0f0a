#pragma once

/// Names of links and drivers in settings: by index, by the name of a link or of a driver, or by what a URDF
/// file calls the joint above a link. A name that means several things is an error that lists them.

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/model/robot.h"

namespace mortise {

/// The link that a setting names: by index, or by its own name, that of its joint, or that of the driver that moves it
/// alone. -1 stands for the world and is refused unless `worldToo`. Throws `Error` with the setting's position and the
/// nearest name.
int linkFromSetting(const Robot& robot, const Value& setting, bool worldToo = false);
/// A list of the same; a single index or name is a list of one, and so are names separated by blanks. A driver of
/// several links stands for all of them.
std::vector<int> linksFromSetting(const Robot& robot, const Value& setting);
/// Drivers, alike: by index or name, or by the name of a link that one moves, or of its joint.
std::vector<int> driversFromSetting(const Robot& robot, const Value& setting);

/// A link's coordinate that follows from a number: q[link] = offset + scale * number.
struct DrivenCoordinate {
  int link = 0;
  double scale = 1, offset = 0;
};
/// The coordinates that a name stands for: a link's one, or all those of an affine driver. Where a driver has the name
/// of one of its links (or of its joint) and moves it one to one, the others follow. Empty: nothing of the robot is
/// called so. Throws `Error` for a name that means several things.
std::vector<DrivenCoordinate> findCoordinates(const Robot& robot, std::string_view name,
                                              const SourcePosition& where = {});

/// Everything that the functions above understand, links first; for "did you mean".
std::vector<std::string> coordinateNames(const Robot& robot);

}  // namespace mortise
