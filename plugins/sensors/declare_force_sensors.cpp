#include "contact_sensor.h"
#include "declarations.h"
#include "force_torque_sensor.h"

namespace mortise {

namespace {

void declareContact(PluginBuilder& plugin) {
  ComponentBuilder component = plugin.sensor<ContactSensor>("mortise.ContactSensor");
  component.alias("ContactSensor")
      .summary("A rectangular tactile patch on a link: whether something touches it, and with what force.")
      .documentation(R"(
A rectangle on the surface of a link that feels what touches it: a bumper, a fingertip, the sole of a foot.

The patch lies in the x-y plane of the sensor's frame `Tsensor`, whose z axis points out of the robot. A contact counts
when its point, in the sensor's frame, has x and y between `patchMin` and `patchMax` and lies within `patchTolerance` of
the plane z = 0. Only contacts of the shape of `link` itself count, not those of links welded to it.

Contact points lie midway between the padded surfaces of two shapes. A robot's padding is 2.5 mm unless the world says
otherwise, so a patch on the bare surface wants a tolerance of some millimetres, or the frame set out by the padding.

## Channels

| channel | meaning |
|---|---|
| `contact` | 1 when the z component of the mean force, without noise, is larger in size than `fSensitivity`, else 0 |
| `force_x`, `force_y`, `force_z` | N, in the sensor's frame; only the axes that `hasForce` switches on |

The force is the one on the robot: something that presses on the patch gives a negative `force_z`. It is the sum over
all contacts in the patch, as the mean over the time since the last reading, so nothing that happens between two readings
is lost, and readings times the period add up to the impulse. Before the first step it is 0.

With `falloffCoefficient` c > 0 a contact at a distance x, y from the centre of a patch of size wx by wy counts with the
weight (1 - 4 |x| |y| / (wx wy))^c, so that the corners feel less.

The order is: sum, noise of `fVariance`, rounding to `fResolution`, limiting to `fSaturation`. `fResolution`,
`fVariance`, `fSensitivity`, `fSaturation` and `falloffCoefficient` can be changed while the simulation runs.

## Examples

A patch of 2 cm by 2 cm, 3 cm out along the z axis of the link `finger`, that measures the pressing force:

```yaml
components:
  - sensor: ContactSensor
    name: fingertip
    robot: arm
    link: finger
    Tsensor: [1, 0, 0,  0, 1, 0,  0, 0, 1,  0, 0, 0.03]
    patchMin: [-0.01, -0.01]
    patchMax: [0.01, 0.01]
    patchTolerance: 5 mm
    hasForce: [0, 0, 1]
```

```xml
<sensors>
  <ContactSensor name="fingertip" link="finger" Tsensor="1 0 0  0 1 0  0 0 1  0 0 0.03" patchMin="-0.01 -0.01"
                 patchMax="0.01 0.01" patchTolerance="0.005" hasForce="0 0 1"/>
</sensors>
```
)");
  declareLink(component);
  declareTsensor(component,
                 "Pose of the patch in the link's frame: 9 numbers of the rotation, row by row, then 3 of the "
                 "translation (m). Its z axis points out of the robot. Default: the link's frame.");
  component
      .parameter("patchMin", std::vector<double>{0, 0},
                 "Corner of the patch with the smallest x and y, sensor's frame.", {.unit = "m", .size = 2})
      .parameter("patchMax", std::vector<double>{0, 0}, "Corner of the patch with the largest x and y, sensor's frame.",
                 {.unit = "m", .size = 2})
      .parameter("patchTolerance", 0.001, "How far from the plane of the patch a contact still counts.",
                 {.min = 0, .unit = "m"});
  declareAxes(component, "hasForce", {false, false, false}, "Which components of the force have a channel: x, y, z.");
  declareVector(component, "fResolution", 0, "Step to which forces are rounded; 0: none.", "N");
  declareVector(component, "fVariance", 0, "Variance of the Gaussian noise of the forces, N^2.");
  component.parameter("fSensitivity", 0.0, "Force along z above which there is contact.", {.min = 0, .unit = "N"});
  component.parameter("fSaturation", ParameterType::realList,
                      "Largest force that each axis reports, either way. Default: unlimited.",
                      {.min = 0, .unit = "N", .size = 3});
  component.parameter("falloffCoefficient", 0.0, "How fast the patch loses feeling towards its corners; 0: not at all.",
                      {.min = 0});
}

void declareForceTorque(PluginBuilder& plugin) {
  ComponentBuilder component = plugin.sensor<ForceTorqueSensor>("mortise.ForceTorqueSensor");
  component.alias("ForceTorqueSensor")
      .summary("Force and torque between a link and its parent, up to six axes: a load cell in the joint.")
      .documentation(R"(
A load cell between a link and its parent (or the world, for a root link). It measures the force and the torque that the
parent's side exerts **on the link** through whatever connects the two, a joint with its drive, friction and stops, or a
weld. The parent feels the opposite. An arm at rest that holds a hand of mass m above it reads a force of m g upwards.

## Channels

Always six; an axis that is not switched on reads 0.

| channel | meaning |
|---|---|
| `force_x`, `force_y`, `force_z` | N, axes of the link's frame |
| `torque_x`, `torque_y`, `torque_z` | N*m, axes of the link's frame, about the point `localPos` of the link (by default the origin of its frame) |

Each is the mean over the time since the last reading, along the axes of the link and about its point as they move. So
readings times the period add up to the impulse. Before the first step all are 0.

## Where the numbers come from

From Newton's and Euler's laws for the link and everything that hangs on it: the rate of change of their momentum and
angular momentum over each physics step, less gravity, contacts and applied forces. So they are right for welded links
and on every physics backend, floating base or not. What hangs on the link is: all links whose chain of parents leads to
it. Forces of `<joint>` elements of a world that tie one of these links to something else cannot be told from the
sensor's own and count as its, and so does the jump when a program puts the robot elsewhere between two readings.

A sensor in a wrist: weld a link to the last link of the arm, mount the hand on it, and put the sensor there. A sensor on
the floating base of a robot measures nothing, for nothing holds it.

Klamp't's simulation reports the opposite sign of what its documentation says ("on the link, negative on the parent
link") and what its kinematic simulation reports; this sensor does what is documented. Wrap it in a TransformedSensor with
`scale: -1` for the other sign.

## Noise

`fVariance` and `tVariance` are variances of Gaussian noise of each axis. Both can be changed while the simulation runs.

## Examples

```yaml
components:
  - {sensor: ForceTorqueSensor, name: wrist, robot: arm, link: hand, hasForce: [1, 1, 1], hasTorque: [1, 1, 1]}
```

```xml
<sensors>
  <ForceTorqueSensor name="wrist" link="hand" hasForce="1 1 1" hasTorque="1 1 1" fVariance="0.01 0.01 0.01"/>
</sensors>
```
)");
  declareLink(component);
  component.parameter("localPos", std::vector<double>{0, 0, 0},
                      "Point of the link about which torques are, link's frame.", {.unit = "m", .size = 3});
  declareAxes(component, "hasForce", {false, false, false}, "Which components of the force are measured: x, y, z.");
  declareAxes(component, "hasTorque", {false, false, false}, "Which components of the torque are measured: x, y, z.");
  declareVector(component, "fVariance", 0, "Variance of the Gaussian noise of the forces, N^2.");
  declareVector(component, "tVariance", 0, "Variance of the Gaussian noise of the torques, (N*m)^2.");
}

}  // namespace

void declareForceSensors(PluginBuilder& plugin) {
  declareContact(plugin);
  declareForceTorque(plugin);
}

}  // namespace mortise
