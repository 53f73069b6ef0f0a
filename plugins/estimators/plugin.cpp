#include "mortise/plugin/plugin.h"

#include "integrated.h"
#include "omniscient.h"

namespace {

constexpr const char* kOmniscient = R"(The state that the simulator itself has: positions and velocities of all links,
and the pose and velocity of a floating base, exact and without delay. What a controller does with it is the best that
it could do with perfect sensors.

On a robot that is not simulated it refuses to start, and says so; use `IntegratedStateEstimator` there.

A controller asks for it in its settings:

```yaml
components:
  - {controller: OperationalSpaceController, robot: arm, estimator: OmniscientStateEstimator}
```

```xml
<simulation><robot index="0">
  <controller type="OperationalSpaceController" estimator="OmniscientStateEstimator"/>
</robot></simulation>
```
)";

constexpr const char* kIntegrated = R"(The state as the robot's own sensors tell it, so the same controller runs in
simulation and on the robot. Link by link:

| measured | position | velocity |
|---|---|---|
| position and velocity | as measured | as measured |
| position | as measured | differences of positions, filtered with `velocityFilter` |
| velocity | integrated from the start configuration (trapezoidal rule) | as measured |
| another link of the same (affine) driver | from that link | from that link |
| nothing | what the driver's motor was asked for last (position, or velocity integrated) | as asked for |

Differences are over the time since the sensor's last new reading, so it may be slower than the controller; when it has
said nothing new for 2.5 times as long as usual, the robot is taken to rest. What none of this tells stays where it was.
Sensors are found by type (`JointPositionSensor`, `JointVelocitySensor`), also when they measure some links only, and when
there are several of them; `positionSensor` and `velocitySensor` name one instead, a filtered or delayed one for example.

**Floating bases** have no encoders, so what a simulated joint sensor says of the six coordinates of a base is not used unless
`baseFromJointSensors` is set, and then inertial sensors are not. The orientation comes from a `GyroSensor` or `IMUSensor`: as
measured (`R_*`, the rotation of the link in the world), else integrated from the angular velocity (`angVel_*`). A `TiltSensor`
pulls what has been integrated to where it says the vertical is, with the time constant `tiltTime`; without a gyro it is
believed at once. The position comes from what an `IMUSensor` has integrated (`trans_*`, `vel_*`), from the start pose; without
one the base stays where it started. The sensors are taken to be on the base; `inertialLink` names another link that carries
them. A rotation that is exactly the identity, or an angular velocity that is exactly zero, counts as not measured.

Klamp't's estimator of this name takes differences against its own prediction, knows no tilt sensors, and does not integrate angular
velocities.

```yaml
components:
  - {sensor: JointPositionSensor, name: q, robot: arm, qvariance: 1e-6}
  - controller: OperationalSpaceController
    robot: arm
    estimator: {name: IntegratedStateEstimator, velocityFilter: 10 ms}
```

```xml
<simulation><robot index="0">
  <controller type="OperationalSpaceController" estimator="IntegratedStateEstimator"/>
</robot></simulation>
```
)";

}  // namespace

MORTISE_PLUGIN("mortise_estimators", "0.1.0") {
  using mortise::ParameterType;
  plugin.estimator<mortise::OmniscientStateEstimator>("mortise.OmniscientStateEstimator")
      .alias("OmniscientStateEstimator")
      .summary("The state that the simulator has: exact, and only where there is a simulator.")
      .documentation(kOmniscient);
  plugin.estimator<mortise::IntegratedStateEstimator>("mortise.IntegratedStateEstimator")
      .alias("IntegratedStateEstimator")
      .summary("The state that the robot's joint and inertial sensors tell, completed by differences and integration.")
      .documentation(kIntegrated)
      .parameter("positionSensor", "", "Sensor that measures positions, by name; empty: all JointPositionSensors.")
      .parameter("velocitySensor", "", "Sensor that measures velocities, by name; empty: all JointVelocitySensors.")
      .parameter("velocityFilter", 0.02,
                 "Time constant of the filter on velocities that are differences of positions; 0: none.",
                 {.min = 0, .unit = "s"})
      .parameter("baseFromJointSensors", false,
                 "Believe joint sensors, and no inertial ones, about the coordinates of a base on the world.")
      .parameter("gyroSensor", "", "Sensor with R_* or angVel_*, by name; empty: the first GyroSensor or IMUSensor.")
      .parameter("tiltSensor", "", "Sensor with a_x, a_y, by name; empty: the first TiltSensor.")
      .parameter("imuSensor", "", "Sensor with trans_* and vel_*, by name; empty: the first IMUSensor.")
      .parameter("inertialLink", ParameterType::any,
                 "Link that carries these three, by name or index; absent: the floating base.")
      .parameter("angularVelocityFrame", "world", "Whose axes angVel_* is along.", {.choices = {"world", "link"}})
      .parameter("Rsensor", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1},
                 "Rotation of the tilt sensor in its link, row by row.", {.size = 9})
      .parameter("referenceDir", std::vector<double>{0, 0, 1}, "What the tilt sensor measures against, world frame.",
                 {.size = 3})
      .parameter("tiltTime", 0.5, "Time constant of the correction by the tilt sensor; 0: at once.",
                 {.min = 0, .unit = "s"})
      .parameter("imuTranslation", true,
                 "Take the base's position and velocity from what an IMUSensor has integrated.");
}
