#include "mortise/component/role.h"

namespace mortise {

namespace {

constexpr RoleInfo kRoles[] = {
    {role::kJointPositions, Kind::sensor, false,
     "measures positions of links, rad or m; its channels are called q[LINK]"},
    {role::kJointVelocities, Kind::sensor, false,
     "measures velocities of links, rad/s or m/s; its channels are called dq[LINK]"},
    {role::kDriverTorques, Kind::sensor, false,
     "measures torques of a robot's drivers, N*m or N; its channels are called t[DRIVER]"},
    {role::kDefaultPositions, Kind::sensor, true,
     "is the sensor `q` of robots that have none with the role joint_positions; without settings it measures all "
     "links"},
    {role::kDefaultVelocities, Kind::sensor, true,
     "is the sensor `dq` of robots that have none with the role joint_velocities; without settings it measures all "
     "links"},
    {role::kDefaultTorques, Kind::sensor, true, "stands for `torque` in states that another process sends"},
    {role::kPictureCamera, Kind::sensor, true,
     "takes the pictures of `mortise render --quality camera`; settings rgb, depth, xres, yres, fx, fy, zmin, t_sensor "
     "and threads"},
    {role::kPictureTracer, Kind::sensor, true,
     "takes the pictures of `mortise render` by following light; settings and channels of PathTracedCamera"},
    {role::kDefaultController, Kind::controller, true, "drives robots that no file gives a controller"},
    {role::kMotionFollower, Kind::controller, true,
     "follows what `follow` and `--path` (setting path) or `milestones` and `--milestones` (setting milestones) name"},
    {role::kCommandPlayer, Kind::controller, true,
     "replays what `--replay` names; settings replay and save, and those that the option gives"},
    {role::kTablePolicy, Kind::controller, true,
     "drives a robot by the table of torques that `mortise Cartpole` writes; setting file"},
    {role::kImageRecorder, Kind::recorder, true, "writes what cameras see for `--images`; settings folder and outputs"},
    {role::kDefaultHardware, Kind::hardware, true,
     "is what `mortise drive` drives without `--hardware`; settings address, wait and timeout"},
};

}  // namespace

std::span<const RoleInfo> roles() { return kRoles; }

const RoleInfo* findRoleInfo(std::string_view name) {
  for (const RoleInfo& known : kRoles)
    if (known.name == name) return &known;
  return nullptr;
}

}  // namespace mortise
