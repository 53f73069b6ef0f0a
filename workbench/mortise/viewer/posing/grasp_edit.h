#pragma once

/// The fingers of grasps: links of a hand that a grasp keeps where they are.

#include <utility>
#include <vector>

#include "mortise/contact/hold.h"
#include "mortise/model/robot.h"

namespace mortise::viewer {

/// Links below `hand` that move, in their order, and their values (rad or m).
std::vector<std::pair<int, double>> fingersOf(const Robot& robot, int hand, const VectorXd& q);

/// A finger put to a value within its limits, and with it the others that its motor moves.
void setFinger(const Robot& robot, int link, double value, VectorXd& q);

/// With all the fingers of `hand` as they are in `q`, or, where `hand` is -1, of all links that the grasp holds. Throws
/// `Error` where no link moves below.
Grasp withFingers(const Grasp& grasp, const Robot& robot, int hand, const VectorXd& q);
/// With a finger that it has at another value, and others of its motor with it; throws `Error` for other links, and
/// for numbers that are not finite.
Grasp withFinger(const Grasp& grasp, const Robot& robot, int link, double value);
/// No longer keeping a link.
Grasp withoutFinger(const Grasp& grasp, int link);

/// The robot's configuration with the grasp's fingers; those of links that the robot does not have are an error.
VectorXd withGraspFingers(const Robot& robot, const Grasp& grasp, const VectorXd& q);

}  // namespace mortise::viewer
