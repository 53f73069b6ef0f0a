#include "declarations.h"
#include "joint_sensor.h"

namespace mortise {

namespace {

constexpr const char* kNoise = R"(
## Noise

Each value gets Gaussian noise of mean 0 and the declared variance, from the sensor's own random stream, and is then
rounded to the nearest multiple of the resolution. Both lists may be empty (none), hold one number for all, one a
measured value in the order of `indices`, or one for everything that could be measured (as Klamp't's files have them).
Both can be changed while the simulation runs.
)";

void declare(ComponentBuilder component, const std::string& symbol, const std::string& indices, const std::string& unit,
             std::vector<std::string> varianceAliases = {}, std::vector<std::string> resolutionAliases = {}) {
  const std::vector<double> none;
  component.parameter("indices", ParameterType::any, indices)
      .parameter(symbol + "variance", none,
                 "Variance of the Gaussian noise (" + unit + " squared): one for all, or one each; empty: none.",
                 {.min = 0, .aliases = std::move(varianceAliases)})
      .parameter(symbol + "resolution", none,
                 "Step to which values are rounded (" + unit + "): one for all, or one each; empty: none.",
                 {.min = 0, .aliases = std::move(resolutionAliases)});
}

}  // namespace

void declareJointSensors(PluginBuilder& plugin) {
  declare(plugin.sensor<JointPositionSensor>("mortise.JointPositionSensor")
              .alias("JointPositionSensor")
              .summary("Positions of links, rad or m: what joint encoders report.")
              .documentation(std::string(R"(
The coordinates of the robot's links at the time of the reading: rad for links that turn, m for links that slide. A
floating base has six: translation (m), then the angles about z, y and x (rad).

## Channels

`q[link]` for each measured link, by the link's name (by its index where the name is empty or not unique), in the order
of `indices`.

A robot whose files name no sensors has this one, called `q`, and a JointVelocitySensor called `dq`.
)") + kNoise + R"(
## Examples

Encoders of 0.1 mrad on two joints, 200 times a second, in a pipeline:

```yaml
components:
  - {sensor: JointPositionSensor, name: encoders, robot: arm, rate: 200 Hz, indices: [shoulder, 3], qresolution: 1e-4}
```

and in a world or robot file:

```xml
<sensors>
  <JointPositionSensor name="encoders" rate="200" indices="shoulder 3" qresolution="1e-4"/>
</sensors>
```
)"),
          "q", "Links to measure, by name or index; absent: all.", "rad or m");
  // Klamp't's manual and its code name the velocity sensor's settings differently; both are taken.
  declare(plugin.sensor<JointVelocitySensor>("mortise.JointVelocitySensor")
              .alias("JointVelocitySensor")
              .summary("Velocities of links, rad/s or m/s: what tachometers report.")
              .documentation(std::string(R"(
The rates of the robot's link coordinates at the time of the reading, rad/s or m/s, straight from the simulation: not
differences of positions. (Klamp't's manual calls the noise `qvariance` and `qresolution`, its code `dqvariance` and
`dqresolution`; both are understood.)

## Channels

`dq[link]` for each measured link, by the link's name (by its index where the name is empty or not unique), in the order
of `indices`.
)") + kNoise + R"(
## Examples

```yaml
components:
  - {sensor: JointVelocitySensor, name: speeds, robot: arm, rate: 200 Hz, dqvariance: 1e-4}
```

```xml
<sensors>
  <JointVelocitySensor name="speeds" rate="200" dqvariance="1e-4"/>
</sensors>
```
)"),
          "dq", "Links to measure, by name or index; absent: all.", "rad/s or m/s", {"qvariance"}, {"qresolution"});
  declare(plugin.sensor<DriverTorqueSensor>("mortise.DriverTorqueSensor")
              .alias("DriverTorqueSensor")
              .summary("Torques of a robot's drivers, N*m or N: what motor amplifiers report.")
              .documentation(std::string(R"(
The effort that each driver put out in the last physics step, after its limits: N*m where it turns links, N where it
moves them. Friction of the joint is not part of it, nor are the joint's stops; the solver's torque of a driver in
velocity mode is. Before the first step all are 0.

## Channels

`t[driver]` for each measured driver, by the driver's name (by its index where the name is empty or not unique), in the
order of `indices`. A robot may have fewer drivers than links.
)") + kNoise + R"(
## Examples

```yaml
components:
  - {sensor: DriverTorqueSensor, name: effort, robot: arm, tvariance: 0.01, tresolution: 0.05}
```

```xml
<sensors>
  <DriverTorqueSensor name="effort" tvariance="0.01" tresolution="0.05"/>
</sensors>
```
)"),
          "t", "Drivers to measure, by name or index; absent: all.", "N*m or N");
}

}  // namespace mortise
