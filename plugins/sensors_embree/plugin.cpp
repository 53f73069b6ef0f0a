#include "mortise/plugin/plugin.h"

#include "camera_sensor.h"
#include "documentation.h"
#include "laser_range_sensor.h"
#include "path_traced_camera.h"

MORTISE_PLUGIN("mortise_sensors_embree", "0.1.0") {
  using namespace mortise::sensors_embree;
  plugin.sensor<LaserRangeSensor>("mortise.LaserRangeSensor")
      .alias("LaserRangeSensor")
      .summary("Distances along beams that sweep about one or two axes; channels d[i].")
      .documentation(documentation::laser_range_sensor)
      .settings<LaserSettings>();
  plugin.sensor<CameraSensor>("mortise.CameraSensor")
      .alias("CameraSensor")
      .summary("Images with color and depth; channels rgb[i,j], then d[i,j].")
      .documentation(documentation::camera_sensor)
      .role(mortise::role::kPictureCamera)
      .settings<CameraSettings>();
  plugin.sensor<PathTracedCamera>("mortise.PathTracedCamera")
      .alias("PathTracedCamera")
      .summary("Pictures with soft shadows and reflections; channels rgb[i,j], then d[i,j] and opacity[i,j].")
      .documentation(documentation::path_traced_camera)
      .role(mortise::role::kPictureTracer)
      .settings<PathTracedCameraSettings>();
}
