#include "accelerometer.h"
#include "declarations.h"
#include "gyro_sensor.h"
#include "imu_sensor.h"
#include "tilt_sensor.h"

namespace mortise {

namespace {

void declareAccelerometerSettings(ComponentBuilder& component) {
  declareTsensor(component,
                 "Pose of the accelerometer in the link's frame: 9 numbers of the rotation, row by row, then 3 of the "
                 "translation (m). Default: the link's frame.");
  declareAxes(component, "hasAxis", {false, false, false}, "Which axes the accelerometer has: x, y, z.");
  declareVector(component, "accelVariance", 0, "Variance of the accelerometer's Gaussian noise, (m/s^2)^2, each axis.");
}

void declareGyroSettings(ComponentBuilder& component) {
  const std::vector<double> none(9, 0.0);
  component.parameter("hasRotation", false, "Whether the orientation is measured.")
      .parameter("hasAngVel", false, "Whether the angular velocity is measured.")
      .parameter("hasAngAccel", false, "Whether the angular acceleration is measured.")
      .parameter("rotationVariance", none,
                 "Covariance of the noise of the orientation, rad^2: a rotation vector in world axes. 3x3, row by row.",
                 {.size = 9})
      .parameter("angVelVariance", none, "Covariance of the noise of the angular velocity, (rad/s)^2. 3x3, row by row.",
                 {.size = 9})
      .parameter("angAccelVariance", none,
                 "Covariance of the noise of the angular acceleration, (rad/s^2)^2. 3x3, row by row.", {.size = 9});
}

void declareAccelerometer(PluginBuilder& plugin) {
  ComponentBuilder component = plugin.sensor<Accelerometer>("mortise.Accelerometer");
  component.alias("Accelerometer")
      .summary("Proper acceleration of a point of a link, up to three axes.")
      .documentation(R"(
What a real accelerometer feels at the origin of its frame: the acceleration of that point less gravity, along the
sensor's axes. At rest it reads +9.8 m/s^2 along whichever of its axes points up, in free fall 0, and on an arm of length
r that turns at w it reads w^2 r towards the axis.

## Channels

`accel_x`, `accel_y`, `accel_z`, in m/s^2; an axis that is not switched on by `hasAxis` reads 0. (All are off by default,
as in Klamp't.)

Each reading is the mean over the time since the last one, along the axes of the sensor as they move: what the filter of
a real device does. Readings times the period add up to the change of velocity, bumps between two readings included.
Before the first step it reads what it would at rest.

Klamp't adds gravity where a real device has it subtracted (its sensor at rest reads 9.8 downwards, and 19.6 in free
fall), and leaves out the rotation of `Tsensor`.

## Noise

`accelVariance` is the variance of Gaussian noise of each axis; it can be changed while the simulation runs.

## Examples

```yaml
components:
  - {sensor: Accelerometer, name: bump, robot: arm, link: hand, hasAxis: [1, 1, 1], rate: 1 kHz}
```

```xml
<sensors>
  <Accelerometer name="bump" link="hand" hasAxis="1 1 1" rate="1000" accelVariance="0.01 0.01 0.01"/>
</sensors>
```
)");
  declareLink(component);
  declareAccelerometerSettings(component);
}

void declareTilt(PluginBuilder& plugin) {
  ComponentBuilder component = plugin.sensor<TiltSensor>("mortise.TiltSensor");
  component.alias("TiltSensor")
      .summary("Inclination against a direction of the world, and how fast it changes.")
      .documentation(R"(
Compares the sensor's axes with a fixed direction of the world, usually straight up. With d the unit vector of
`referenceDir` as the sensor sees it (turned by the link's orientation and by `Rsensor`), the angles are

    a_x = asin(d_y)     a_y = asin(-d_x)     a_z = asin(d_z)

So for a sensor that is level with z up, `a_x` and `a_y` are the rotations about its x and y axes, for one axis at a time
up to 90 degrees, and `a_z` is the elevation of the direction above the sensor's x-y plane (90 degrees when level).

## Channels

Always six; what is not switched on reads 0.

| channel | meaning |
|---|---|
| `a_x`, `a_y`, `a_z` | angles in rad, as above; the axes that `hasAxis` switches on (x and y by default) |
| `w_x`, `w_y`, `w_z` | angular velocity in rad/s along the sensor's axes; the same axes, and only with `hasVelocity` |

Values are those at the time of the reading. `variance` is the variance of Gaussian noise of each axis, for angles (rad^2)
and velocities ((rad/s)^2) alike; values are then rounded to `resolution`. Both can be changed while the simulation runs.

## Examples

```yaml
components:
  - {sensor: TiltSensor, name: level, robot: walker, link: torso, hasVelocity: true, resolution: [0.001, 0.001, 0.001]}
```

```xml
<sensors>
  <TiltSensor name="level" link="torso" hasVelocity="1" resolution="0.001 0.001 0.001"/>
</sensors>
```
)");
  declareLink(component);
  component
      .parameter("referenceDir", std::vector<double>{0, 0, 1}, "Direction to compare with, world frame; of any length.",
                 {.size = 3})
      .parameter("Rsensor", ParameterType::realList,
                 "Orientation of the sensor in the link's frame: 9 numbers, row by row. Default: the link's frame.",
                 {.size = 9});
  declareAxes(component, "hasAxis", {true, true, false}, "Which axes are measured: x, y, z.");
  component.parameter("hasVelocity", false, "Whether angular velocities are measured as well.");
  declareVector(component, "resolution", 0, "Step to which values are rounded, rad and rad/s; 0: none.");
  declareVector(component, "variance", 0, "Variance of the Gaussian noise, rad^2 and (rad/s)^2.");
}

void declareGyro(PluginBuilder& plugin) {
  ComponentBuilder component = plugin.sensor<GyroSensor>("mortise.GyroSensor");
  component.alias("GyroSensor")
      .summary("Orientation, angular velocity and angular acceleration of a link.")
      .documentation(R"(
Measures how a link is turned and how it turns, in the axes of the **world**, as Klamp't's does. For the axes of the link
multiply by the transpose of its rotation.

## Channels

Always 15; what is not switched on reads 0 (the identity, for R).

| channel | meaning |
|---|---|
| `R_xx`, `R_xy`, ... `R_zz` | rotation matrix of the link in the world, row by row, with `hasRotation` |
| `angVel_x`, `angVel_y`, `angVel_z` | rad/s at the time of the reading, with `hasAngVel` |
| `angAccel_x`, `angAccel_y`, `angAccel_z` | rad/s^2, mean since the last reading, with `hasAngAccel`; 0 at the first |

## Noise

Each of the three has a covariance, nine numbers row by row, symmetric and positive semidefinite: the three components
of the noise may depend on each other. The orientation is turned by a random rotation vector in world axes, so it stays a
rotation. Covariances can be changed while the simulation runs.

## Examples

```yaml
components:
  - sensor: GyroSensor
    name: gyro
    robot: walker
    link: torso
    hasAngVel: true
    angVelVariance: [1e-4, 0, 0,  0, 1e-4, 0,  0, 0, 1e-4]
```

```xml
<sensors>
  <GyroSensor name="gyro" link="torso" hasAngVel="1" angVelVariance="1e-4 0 0  0 1e-4 0  0 0 1e-4"/>
</sensors>
```
)");
  declareLink(component);
  declareGyroSettings(component);
}

void declareImu(PluginBuilder& plugin) {
  ComponentBuilder component = plugin.sensor<ImuSensor>("mortise.IMUSensor");
  component.alias("IMUSensor")
      .summary("Inertial measurement unit: an Accelerometer and a GyroSensor, and what follows from them.")
      .documentation(R"(
An Accelerometer and a GyroSensor in one box, with a navigator that integrates or differentiates what they leave out. Its
settings are those of the two.

## Channels

All in the axes of the **world**.

| channel | meaning |
|---|---|
| `accel_x`, `accel_y`, `accel_z` | acceleration of the point at `Tsensor`, m/s^2, without gravity: mean since the last reading |
| `vel_x`, `vel_y`, `vel_z` | its integral: velocity gained since the start, m/s |
| `trans_x`, `trans_y`, `trans_z` | the integral of that: how far the point has moved since the start, m, had it started from rest |
| `angAccel_x`, `angAccel_y`, `angAccel_z` | angular acceleration of the link, rad/s^2 |
| `angVel_x`, `angVel_y`, `angVel_z` | angular velocity of the link, rad/s |
| `R_xx`, `R_xy`, ... `R_zz` | orientation of the link, row by row |

Where each comes from:

- Accelerations: what the accelerometer feels, turned by the orientation that the unit believes to have (the channels R),
  with gravity added. An axis that `hasAxis` leaves out counts as one without acceleration.
- R: measured with `hasRotation`; else the true orientation at the start, and from then on the integral of the angular
  velocity. With no gyro at all (none of `hasRotation`, `hasAngVel`, `hasAngAccel`) it is the true orientation.
- Angular velocity: measured with `hasAngVel`; else the integral of a measured angular acceleration, from 0; else the
  change of a measured orientation.
- Angular acceleration: measured with `hasAngAccel`; else the change of the angular velocity.

Between two readings the unit adds up what its instruments feel at the rate of the physics, as real units do, so a low
`rate` costs no accuracy. Noise is drawn once a reading, and does to the navigator what it does to a real one: velocities
and positions drift. Without noise, and with `hasAngVel` or `hasRotation`, `vel`, `trans` and R follow the true motion.

Klamp't starts R from the identity instead of the true orientation, and turns accelerations by the true orientation.

## Examples

```yaml
components:
  - {sensor: IMUSensor, name: imu, robot: walker, link: torso, rate: 500 Hz, hasAxis: [1, 1, 1], hasAngVel: true,
     accelVariance: [1e-3, 1e-3, 1e-3]}
```

```xml
<sensors>
  <IMUSensor name="imu" link="torso" rate="500" hasAxis="1 1 1" hasAngVel="1" accelVariance="1e-3 1e-3 1e-3"/>
</sensors>
```
)");
  declareLink(component);
  declareAccelerometerSettings(component);
  declareGyroSettings(component);
}

}  // namespace

void declareInertialSensors(PluginBuilder& plugin) {
  declareAccelerometer(plugin);
  declareTilt(plugin);
  declareGyro(plugin);
  declareImu(plugin);
}

}  // namespace mortise
