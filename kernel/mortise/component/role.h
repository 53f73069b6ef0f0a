#pragma once

/// Roles of components: the program asks for what a component does and not for its name, so that those of others can do
/// it too. A component has the roles that its declaration gives it (`ComponentBuilder::role`).

#include <span>
#include <string_view>

#include "mortise/component/kind.h"

namespace mortise {

struct RoleInfo {
  std::string_view name;
  Kind kind;
  /// The program uses one component with this role: that of the first place in the search order.
  bool single;
  std::string_view meaning;  ///< A sentence about the component, without its period.
};

/// Returns all roles that the program asks for.
std::span<const RoleInfo> roles();
/// Returns nullptr for a role that the program does not ask for.
const RoleInfo* findRoleInfo(std::string_view name);

namespace role {

// Sensors, by what they measure; any number of sensors may have them.
constexpr std::string_view kJointPositions = "joint_positions";
constexpr std::string_view kJointVelocities = "joint_velocities";
constexpr std::string_view kDriverTorques = "driver_torques";
// Sensors that are used where no file names one.
constexpr std::string_view kDefaultPositions = "default_joint_positions";
constexpr std::string_view kDefaultVelocities = "default_joint_velocities";
constexpr std::string_view kDefaultTorques = "default_driver_torques";
constexpr std::string_view kPictureCamera = "picture_camera";
constexpr std::string_view kPictureTracer = "picture_tracer";
// Controllers.
constexpr std::string_view kDefaultController = "default_controller";
constexpr std::string_view kMotionFollower = "motion_follower";
constexpr std::string_view kCommandPlayer = "command_player";
constexpr std::string_view kTablePolicy = "table_policy";
// Recorders.
constexpr std::string_view kImageRecorder = "image_recorder";
// Hardware.
constexpr std::string_view kDefaultHardware = "default_hardware";

}  // namespace role

}  // namespace mortise
