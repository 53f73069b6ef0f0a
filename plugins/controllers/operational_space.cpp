#include "operational_space.h"

#include "mortise/plugin/plugin.h"
#include "operational_space_controller.h"

namespace mortise {

namespace {

constexpr const char* kOperationalSpaceDocumentation = R"(
Computes motor torques that make a robot do several things at once: hold a point of a link, follow a path with a tool,
keep the centre of mass over the feet, keep a posture. Each of them is a **task**: it says how something should
accelerate,

    acceleration = fed-forward acceleration + kP (target - position) + kD (target velocity - velocity),

so that alone it moves like a mass on a spring and damper of the frequency sqrt(kP) rad/s, whatever the robot's
inertia, gravity and the other motions do (Khatib, 1987). When not all tasks can be had, **priorities** decide: a task of
priority 2 gets what tasks of priority 1 leave open and cannot disturb them at all; tasks of the same priority share by
their **weights** (the weighted sum of squared errors in acceleration is least). What no task decides on is held against
gravity and comes to rest (`damping`).

## Tasks

| type | what accelerates | targets |
|---|---|---|
| `joint` | `links`, each on its own | `position`, `velocity`, `acceleration`: one number a link |
| `link` | `control: position` of the `point`, `orientation`, or `pose` (both), along the `axes` and about the `rotationAxes` of the world that are named | `position`, `velocity`, `acceleration` (3 each), `orientation` (9 numbers, rows, or 3, axis times angle), `angularVelocity`, `angularAcceleration`; world frame |
| `com` | the robot's centre of mass along `axes` | `position`, `velocity`, `acceleration`, world frame |
| `torque` | nothing: the torque of `drivers` itself should be `torque` | `torque`: one number a driver |

All have `name`, `priority` (1 comes first), `weight`, `enabled`; all but `torque` have `kP` (100 1/s^2) and `kD` (2
sqrt(kP) 1/s, critical damping). A position that is not given is the one at the start. Links are named or counted from 0.

## Contacts

A robot on legs says which links stand on something: `contacts` lists {`link`, `points` in the link's frame, `normal` from
the ground into the robot (world), `friction`}. Contact forces then count among what the controller decides on, and
"links in contact do not accelerate" comes before all tasks.

## What is guaranteed

- No torque ever exceeds its driver's torqueMin and torqueMax. Limits cost the task of the lowest priority first; tasks
  above it go on exactly as long as the limits leave them room, then follow as nearly as they can.
- A lower priority never changes what a higher one achieves (to rounding; see `singularity`).
- The contact forces that the plan is made of press only and lie inside the cones of friction: inside a pyramid with
  `frictionEdges` edges in each.
- Links in contact do not accelerate in the plan, as far as torques and such forces can have it so (least squares).
- Near singular configurations nothing grows without bounds. How singular a direction is, is measured by the force that
  accelerates it: where that takes 1 / `singularity` squared times (100 times, for 0.1) the inertia of regular
  configurations, the response begins to fall, to nothing at the singularity itself, and motion is damped instead
  (`singularDamping`). An arm that is stretched out exactly therefore does not pull in by itself; a posture task of lower
  priority bends it. Elsewhere tasks are exact.

Not guaranteed: that the world agrees. The forces follow from the model; a foot that stands on less than was said, slips
or is pushed needs other contacts, and the simulated contact forces are whatever the engine finds. Stops of joints and
collisions are not looked at; velocity limits neither. Orientation errors near half a turn may go either way round.
A floating base whose angles are singular (pitch of 90 degrees) has no acceleration about one axis in the model.

## State

The configuration and its rate come from the robot's estimator (`IntegratedStateEstimator` unless the controller's entry
says otherwise; for a floating base without inertial sensors take `estimator: OmniscientStateEstimator`). Every update
publishes the channels `TASK.error` (target less actual: of a pose first rad, then m) and `CONTACT.force` (N, world
frame) with `Host::publish`, for programs that provide the host. The recorders of Mortise do not log channels.

## Settings while running

All numbers of the table of settings but `tasks`, `contacts` and `file`; and of each task, as `TASK.KEY`: kP, kD, weight,
priority, enabled and the targets (`tool.position`). Commands do the same for several at once.

## Example

In a pipeline:

```yaml
components:
  - controller: OperationalSpaceController
    robot: reacher
    rate: 1 kHz
    tasks:
      - {type: link, name: tool, link: tool, control: pose, kP: 400, priority: 1}
      - {type: joint, name: posture, kP: 25, priority: 2}
```

In a world, whose attributes hold no lists, `file` names a YAML file with `tasks:` and `contacts:` as above, or just the
list of tasks:

```xml
<simulation>
  <robot index="0">
    <controller type="OperationalSpaceController" rate="1000" file="tasks.yaml"/>
  </robot>
</simulation>
```

Klamp't's task classes are here as: JointAccelTask: `joint`; WorkspaceAccelTask: `link`; COMAccelTask: `com`; TorqueTask:
`torque`; ContactForceTask: `contacts`. There tasks are weighted only, and sums of absolute errors are least.
)";

}  // namespace

void declareOperationalSpace(PluginBuilder& plugin) {
  const OperationalSpaceController::Common common;
  plugin.controller<OperationalSpaceController>("mortise.OperationalSpaceController")
      .alias("OperationalSpaceController")
      .summary(
          "Torques for joint, link, centre-of-mass and torque tasks in strict order of priority, within torque limits; "
          "also for robots that stand on their links.")
      .documentation(kOperationalSpaceDocumentation)
      .attribute("estimator", "IntegratedStateEstimator")
      .attribute("try_commands", std::vector<std::string>{"set_target", "set_gains", "enable", "disable"})
      .parameter("tasks", ParameterType::any,
                 "List of tasks, {type: joint|link|com|torque, name, priority, weight, ...}; see below.")
      .parameter("contacts", ParameterType::any,
                 "List of links that stand on something, {link, points, normal, friction, name}.")
      .parameter("file", "", "YAML file with more tasks and contacts, which come before those given here.")
      .parameter("gravity", ParameterType::realList, "Gravity, world frame; when absent, the world's.",
                 {.unit = "m/s^2", .size = 3})
      .parameter("damping", common.damping, "How fast motion that no task asks for dies away, 1/s.", {.min = 0})
      .parameter("contactDamping", common.contactDamping, "How fast a link in contact that moves is to stop, 1/s.",
                 {.min = 0})
      .parameter("singularity", common.singularity,
                 "Directions in which tasks of a priority have a smaller effect than this share of what they have far "
                 "from singular configurations are damped: the response falls to zero instead of growing. 0: never.",
                 {.min = 0, .max = 0.5})
      .parameter("singularDamping", common.singularDamping, "How fast motion in such directions dies away, 1/s.",
                 {.min = 0})
      .parameter("frictionEdges", common.frictionEdges,
                 "Edges of the pyramid that stands for a cone of friction, from inside.", {.min = 3, .max = 16})
      .parameter("compensateFriction", common.compensateFriction,
                 "Counts the drivers' viscous friction among the forces.")
      .parameter("dryFrictionShare", common.dryFrictionShare,
                 "Share of a driver's dry friction that is added to its torque in the direction of the motion that is "
                 "planned. Friction that is overestimated makes a robot tremble, and so may the full share at the very "
                 "edge of an arm's "
                 "reach: take 0.5 there.",
                 {.min = 0, .max = 1});
}

}  // namespace mortise
