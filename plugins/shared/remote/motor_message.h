#pragma once

/// Commands of a Mortise controller to motors, as a message says them.

#include <span>

#include "mortise/component/controller.h"
#include "remote/robot_message.h"

namespace mortise::remote {

/// Commands of all drivers as one message. `q` (one number a link) is what links without driver are told. Velocities
/// are asked for `duration` seconds. Drivers that are off are asked for no torque when others are given torques; when
/// all are off, torques of zero are asked for. Throws `Error` for other mixtures of modes, which no message can say.
/// Allocates nothing when `out` was used before.
void toMessage(const Robot& robot, std::span<const ActuatorCommand> commands, const VectorXd& q, double duration,
               RobotCommand& out);

}  // namespace mortise::remote
