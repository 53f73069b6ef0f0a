#pragma once

#include <string>
#include <vector>

#include "mortise/model/robot.h"

namespace mortise::io {

/// Returns what differs between a robot and what was read back from a file, one phrase a kind with the links or drivers
/// it holds for: "start positions of links 'a', 'b' and 3 more". `order` maps links of `a` to those of `b`. Lengths,
/// angles and masses may differ by rounding, 1e-12 of their size; corners of shapes by 1e-9.
std::vector<std::string> urdfDifferences(const RobotDescription& a, const RobotDescription& b,
                                         const std::vector<int>& order);

}  // namespace mortise::io
