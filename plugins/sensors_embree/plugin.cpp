#include "mortise/plugin/plugin.h"

#include <numbers>

#include "camera_sensor.h"
#include "documentation.h"
#include "laser_range_sensor.h"
#include "mortise/math/constants.h"

namespace {

using mortise::ComponentBuilder;
using mortise::ParameterType;

constexpr double kLargest = mortise::sensors_embree::kLargestSetting;

/// What both have: where they sit, and how they look.
void mountParameters(ComponentBuilder& component, const char* axes) {
  component
      .parameter("link", ParameterType::any,
                 "Link that carries the sensor, by name or index; -1, the default: fixed in the world.")
      .parameter("Tsensor", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
                 std::string("Pose of the sensor in the link's frame (or the world's): the rotation row by row, then "
                             "the position in m. ") +
                     axes,
                 {.size = 12});
}

void sightParameters(ComponentBuilder& component) {
  component
      .parameter("pointRadius", 0.0,
                 "Radius at which points without a radius of their own are seen; 0: clouds fill the gaps between "
                 "neighbouring points, single points and segments are not seen.",
                 {.min = 0, .max = kLargest, .unit = "m"})
      .parameter("threads", 2, "Threads that cast rays. The readings do not depend on it.", {.min = 1, .max = 256});
}

void sweepParameters(ComponentBuilder& component, const std::string& axis, const std::string& about, double magnitude,
                     const std::string& type) {
  component
      .parameter(axis + "Magnitude", magnitude, "Angle about " + about + " on each side of straight ahead.",
                 {.min = -kLargest, .max = kLargest, .unit = "rad"})
      .parameter(axis + "Period", 0.0, "Seconds of one period of the sweep; 0: each reading is a whole sweep.",
                 {.min = 0, .max = kLargest, .unit = "s"})
      .parameter(axis + "Phase", 0.0, "Seconds by which the sweep is ahead; without effect when the period is 0.",
                 {.min = -kLargest, .max = kLargest, .unit = "s"})
      .parameter(axis + "Type", ParameterType::any,
                 "0 or sinusoid, 1 or triangular, 2 or sawtooth; " + type + " when absent.");
}

}  // namespace

MORTISE_PLUGIN("mortise_sensors_embree", "0.1.0") {
  using namespace mortise::sensors_embree;
  ComponentBuilder laser = plugin.sensor<LaserRangeSensor>("mortise.LaserRangeSensor")
                               .alias("LaserRangeSensor")
                               .summary("Distances along beams that sweep about one or two axes; channels d[i].")
                               .documentation(kLaserDocumentation);
  mountParameters(laser, "z points forward, x to the left, y up.");
  laser.parameter("measurementCount", 180, "Beams of a reading.", {.min = 1, .max = 1000000})
      .parameter("depthResolution", 0.0, "Step to which distances are rounded, after the noise; 0: none.",
                 {.min = 0, .max = kLargest, .unit = "m"})
      .parameter("depthMinimum", 0.1, "Where beams begin: nearer things are not seen.",
                 {.min = 0, .max = kLargest, .unit = "m"})
      .parameter("depthMaximum", mortise::kInfinity, "Reading of a beam that meets nothing within this distance.",
                 {.min = 0, .unit = "m"})
      .parameter("depthVarianceLinear", 0.0, "Variance of the noise for each metre of distance, m^2/m.",
                 {.min = 0, .max = kLargest})
      .parameter("depthVarianceConstant", 0.0, "Variance of the noise at any distance, m^2.",
                 {.min = 0, .max = kLargest});
  sweepParameters(laser, "xSweep", "y (to the left and right)", std::numbers::pi / 2, "sawtooth");
  sweepParameters(laser, "ySweep", "x (up and down)", 0, "sinusoid");
  sightParameters(laser);

  ComponentBuilder camera = plugin.sensor<CameraSensor>("mortise.CameraSensor")
                                .alias("CameraSensor")
                                .summary("Images with colour and depth; channels rgb[i,j], then d[i,j].")
                                .documentation(kCameraDocumentation);
  mountParameters(camera, "z points forward, x to the right of the image, y down.");
  const double degree = std::numbers::pi / 180;
  camera.parameter("rgb", true, "Colours are measured.")
      .parameter("depth", true, "Depths are measured.")
      .parameter("xres", 640, "Pixels across.", {.min = 1, .max = 16384})
      .parameter("yres", 480, "Pixels down.", {.min = 1, .max = 16384})
      .parameter("xfov", 56 * degree, "Angle between the left and right border of the image.",
                 {.min = 1e-4, .max = 179.9 * degree, .unit = "rad"})
      .parameter("yfov", 43 * degree, "Angle between the upper and lower border of the image.",
                 {.min = 1e-4, .max = 179.9 * degree, .unit = "rad"})
      .parameter("fx", -1.0, "Focal length in pixels across, in place of xfov; -1: from xfov.")
      .parameter("fy", -1.0, "Focal length in pixels down, in place of yfov; -1: from yfov.")
      .parameter("cx", -1.0, "Column of the optical axis, the centre of the first column being 0; -1: the middle.")
      .parameter("cy", -1.0, "Row of the optical axis, the centre of the first row being 0; -1: the middle.")
      .parameter("zmin", 0.4, "Smallest depth that counts as measured.", {.min = 0, .max = kLargest, .unit = "m"})
      .parameter("zmax", 4.0, "Depth of what is farther away, or nowhere.", {.min = 0, .unit = "m"})
      .parameter("zresolution", 0.0, "Step to which depths are rounded, after the noise; 0: none.",
                 {.min = 0, .max = kLargest, .unit = "m"})
      .parameter("zvarianceLinear", 0.0, "Variance of the depth's noise for each metre of depth, m^2/m.",
                 {.min = 0, .max = kLargest})
      .parameter("zvarianceConstant", 0.0, "Variance of the depth's noise at any depth, m^2.",
                 {.min = 0, .max = kLargest})
      .parameter("shading", true, "Surfaces are lit from the camera; false: bare colours.");
  sightParameters(camera);
}
