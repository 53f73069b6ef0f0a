#include "sensor_mount.h"

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"

namespace mortise::sensors_embree {

void MountSettings::bindMount(SettingBinder& b, const std::string& axes) {
  b.add("link", link, "Link that carries the sensor, by name or index; -1, the default: fixed in the world.");
  b.add("t_sensor", pose,
        "Pose of the sensor in the link's frame (or the world's): the rotation row by row, then the position in m. " +
            axes,
        {.aliases = {"Tsensor"}});
}

void MountSettings::bindView(SettingBinder& b) {
  b.add("point_radius", pointRadius,
        "Radius at which points without a radius of their own are seen; 0: clouds fill the gaps between neighboring "
        "points, single points and segments are not seen.",
        {.min = 0, .max = kLargestSetting, .unit = "m", .aliases = {"pointRadius"}});
  b.add("threads", threads, "Threads that cast rays. The readings do not depend on it.", {.min = 1, .max = 256});
}

void SensorMount::start(const SensorSetup& setup, const MountSettings& settings) {
  robot_ = setup.robot;
  link_ = -1;
  X_LS_ = settings.pose.X;
  if (robot_ < 0) {
    if (!settings.link.isNull() && settings.link.text() != "-1")
      throw Error("a sensor without robot is fixed in the world, so it has no 'link'", settings.link.position());
    return;
  }
  const Robot& robot = *setup.world.robots[static_cast<std::size_t>(robot_)].robot;
  link_ = settings.link.isNull() ? -1 : linkFromSetting(robot, settings.link, true);
}

RigidTransform SensorMount::pose(const SimulationView& view) const {
  RigidTransform X_WS = X_LS_;
  if (link_ >= 0)
    X_WS = view.robots[static_cast<std::size_t>(robot_)].state->X_WL[static_cast<std::size_t>(link_)] * X_LS_;
  if (!X_WS.allFinite() || X_WS.p.cwiseAbs().maxCoeff() > 1e12)
    throw Error("the pose of the sensor's link is not finite, or farther away than 1e12 m");
  return X_WS;
}

}  // namespace mortise::sensors_embree
