#include "mortise/plugin/plugin.h"

#include "joint_sensor.h"

namespace {

using mortise::ComponentBuilder;

void jointParameters(ComponentBuilder component, const std::string& symbol, std::vector<std::string> oldVariance,
                     std::vector<std::string> oldResolution) {
  const std::vector<double> none;
  component.parameter("indices", none, "Links to measure, by index; empty: all.")
      .parameter(symbol + "variance", none,
                 "Variance of the Gaussian noise: one for all, or one a measured link; empty: none.",
                 {.aliases = std::move(oldVariance)})
      .parameter(symbol + "resolution", none,
                 "Step to which values are rounded: one for all, or one a measured link; empty: none.",
                 {.aliases = std::move(oldResolution)});
}

}  // namespace

MORTISE_PLUGIN("mortise_sensors", "0.1.0") {
  jointParameters(plugin.sensor<mortise::JointPositionSensor>("mortise.JointPositionSensor")
                      .alias("JointPositionSensor")
                      .summary("Link positions, rad or m; channels q[link]."),
                  "q", {}, {});
  // Klamp't's manual and its code name the velocity sensor's parameters differently; both are taken.
  jointParameters(plugin.sensor<mortise::JointVelocitySensor>("mortise.JointVelocitySensor")
                      .alias("JointVelocitySensor")
                      .summary("Link velocities, rad/s or m/s; channels dq[link]."),
                  "dq", {"qvariance"}, {"qresolution"});
}
