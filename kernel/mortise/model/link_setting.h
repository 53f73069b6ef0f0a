#pragma once

#include <vector>

#include "mortise/base/value.h"
#include "mortise/model/robot.h"

namespace mortise {

/// The link that a setting names: by index, or by name where only one link has it. -1 stands for the world and is
/// refused unless `worldToo`. Throws `Error` with the setting's position and the nearest name.
int linkFromSetting(const Robot& robot, const Value& setting, bool worldToo = false);
/// A list of the same; a single index or name is a list of one, and so are names separated by blanks.
std::vector<int> linksFromSetting(const Robot& robot, const Value& setting);
/// Drivers, alike: by index, or by name.
std::vector<int> driversFromSetting(const Robot& robot, const Value& setting);

}  // namespace mortise
