#include "composite_controllers.h"

#include <string>
#include <vector>

#include "mortise/plugin/plugin.h"
#include "parts_controller.h"
#include "sequence_controller.h"
#include "state_machine_controller.h"

namespace mortise {

namespace {

constexpr const char* kParts = R"(Runs a controller of its own on each part of a robot: a grasp controller on the
fingers, a path on the arm, torque control on the legs.

Each part names its `drivers`, or the `links` that they move, by name or index, and its `controller`; the part's other keys
are that controller's settings. A controller sees the whole robot, its sensors and its estimate, so `set_q` takes one value a link
here as well; of what it asks for, its own drivers count. A driver in two parts is an error. Drivers of no part hold where they
started (`others: hold`), are switched off (`off`), or are an error (`refuse`).

| key of a part | meaning |
|---|---|
| `controller` | type of the controller; required |
| `drivers`, `links` | one of the two; required |
| `name` | what commands and messages call it; `part1`, `part2`, ... when absent. No dots |
| `rate` | updates a second, no more than the whole has; when absent, with each of its updates |
| `settings` | a map of settings of the controller, where their names are those of this table |
| any other | a setting of the controller |

**Commands** are those of the parts, as `NAME.COMMAND`: `gripper.set_q`. So are settings: `arm.velocityScale`. Where one of the
parts fails, the message says which.

In a pipeline:

```yaml
components:
  - controller: MultiPartController
    robot: worker
    rate: 500 Hz
    parts:
      - {name: arm, links: [0, 1, 2, 3, 4, 5], controller: PathFollowingController, path: reach.path}
      - {name: gripper, drivers: [fingers], controller: JointTrackingController, rate: 100 Hz}
```

A world file has attributes only; there, `file` names a YAML file with `parts` and `others` (references in it are relative
to the world file):

```xml
<simulation><robot index="0"><controller type="MultiPartController" file="parts.yaml"/></robot></simulation>
```
)";

constexpr const char* kStateMachine = R"(Runs one controller a state, and goes from state to state by what sensors
say, by time, and by command.

| key of a state | meaning |
|---|---|
| `controller` | type of the controller; required |
| `name` | what transitions, commands and messages call it; `state1`, ... when absent. No dots |
| `on_enter` | list of `{command: NAME, arguments: ...}`, or of names: given to the controller whenever the state is entered |
| `settings` | a map of settings of the controller, where their names are those of this table |
| any other | a setting of the controller |

| key of a transition | meaning |
|---|---|
| `to` | state to enter; required |
| `from` | state, or list of states; absent or `"*"`: every state but `to` |
| `after` | time since the state was entered |
| `when` | a condition over sensors |
| `command` | a command with this name has been given to the state machine since the last update |

Of `after`, `when` and `command`, a transition has at least one, and all it has must hold. Before each update, the transitions are
tried in the order of the list, and the first one that holds is taken: one an update.

**Conditions.** `sensor.channel` is a value of a sensor, `sensor[i]` its value number i or the channel whose name ends in `[i]`
(`q[elbow]`), `sensor` alone the value of a sensor with one channel; names with other characters than letters, digits and `_` stand
in quotes (`"left wrist".force_z`). `time` is the time since the state was entered, in s. Numbers are in SI units. There are `abs( )`,
`+ - * /`, the comparisons `< <= > >= == !=`, and `not`, `and`, `or`, from strong to weak, and parentheses. What is wrong is
reported at the start, with its column:

    condition 'wrist.force_z > 5 adn time > 1', column 19: expected 'and', 'or' or the end, found 'adn'

**Entering a state** starts its controller anew, at the configuration that the robot's servos are asked for (the estimate, where a
motor is not in position control), with its time counting from 0 and with the motors' gains as they were at the start of the
run: nothing jumps. Controllers of all states are created and started once at the start, so that mistakes show there; entering calls
`start` again, which for most controllers allocates nothing the second time.

**Commands.** `go` {state: NAME} enters a state at the next update. The commands that transitions wait for have the names given
there; one that no transition out of the active state waits for is an error. `NAME.COMMAND` goes to the controller of state NAME,
which must be the active one; so does any other command without a dot that the active controller knows. The setting `active`, to be
read only, is the name of the active state; the channel `active` publishes its number.

In a pipeline:

```yaml
components:
  - {sensor: ForceTorqueSensor, name: wrist, robot: arm, link: 6, hasForce: [1, 1, 1]}
  - controller: StateMachineController
    robot: arm
    states:
      - {name: approach, controller: PathFollowingController, path: down.path}
      - name: press
        controller: JointTrackingController
        on_enter:
          - {command: set_q, arguments: [0, 0.5, 1.1, 0, 0, 0]}
      - {name: retreat, controller: PathFollowingController, path: up.path}
    transitions:
      - {from: approach, to: press, when: "wrist.force_z > 5"}
      - {from: press, to: retreat, after: 2 s}
      - {to: retreat, when: "abs(wrist.force_x) > 50 or abs(wrist.force_y) > 50"}
      - {from: retreat, to: approach, command: again}
    initial: approach
```

A world file has attributes only; there, `file` names a YAML file with `states`, `transitions` and `initial`:

```xml
<simulation><robot index="0"><controller type="StateMachineController" file="pressing.yaml"/></robot></simulation>
```
)";

constexpr const char* kSequence = R"(Runs controllers one after the other, each for its `duration`; after the last one
begins with the first again (`loop: true`), or lets the last one run on.

| key of a step | meaning |
|---|---|
| `controller` | type of the controller; required |
| `duration` | how long it runs; the last step may go without, unless there is a loop |
| `name` | what commands and messages call it; `step1`, `step2`, ... when absent. No dots |
| `on_enter` | list of `{command: NAME, arguments: ...}`, or of names: given to the controller whenever the step begins |
| `settings` | a map of settings of the controller, where their names are those of this table |
| any other | a setting of the controller |

A step ends at the first update at which its time is over; where durations are no whole numbers of periods, that does not add up:
the tenth step begins when it should. A step starts its controller as a state of `StateMachineController` does, which see: at the
configuration that the servos are asked for, with its time counting from 0.

**Commands.** `next` goes on at once, `restart` begins anew, `go` {step: NAME} goes to a step. `NAME.COMMAND` goes to the controller
of step NAME, which must be running; so does any other command without a dot that the running controller knows. The setting
`active`, to be read only, is the name of the running step; the channel `active` publishes its number.

In a pipeline:

```yaml
components:
  - controller: TimedSequenceController
    robot: arm
    loop: true
    steps:
      - {name: there, controller: PathFollowingController, path: there.path, duration: 2 s}
      - {name: rest, controller: JointTrackingController, duration: 500 ms}
      - {name: back, controller: PathFollowingController, path: back.path, duration: 2 s}
```

A world file has attributes only; there, `file` names a YAML file with `steps` and `loop`:

```xml
<simulation><robot index="0"><controller type="TimedSequenceController" file="steps.yaml"/></robot></simulation>
```
)";

/// Where the controllers inside are, for checks that try commands on them: the list, what one of them is called, and
/// the keys that are not its own settings.
Value childrenIn(const char* list, const char* name, const std::vector<std::string>& own) {
  Value children = Value::map();
  children.set("list", list);
  children.set("name", name);
  children.set("own", own);
  return children;
}

constexpr const char* kFile = "YAML file with these settings instead, for world files, which have attributes only.";

}  // namespace

void declareCompositeControllers(PluginBuilder& plugin) {
  ComponentBuilder parts = plugin.controller<MultiPartController>("mortise.MultiPartController")
                               .alias("MultiPartController")
                               .alias("PartsController")
                               .summary("Different controllers on different drivers of one robot.")
                               .documentation(kParts)
                               .attribute("estimator", "IntegratedStateEstimator")
                               .attribute("children", childrenIn("parts", "part", {"drivers", "links", "rate"}));
  declareParts(parts);
  parts.parameter("file", "", kFile);

  ComponentBuilder machine =
      plugin.controller<StateMachineController>("mortise.StateMachineController")
          .alias("StateMachineController")
          .summary("One controller a state; goes from state to state by sensors, time and command.")
          .documentation(kStateMachine)
          .attribute("estimator", "IntegratedStateEstimator")
          .attribute("children", childrenIn("states", "state", {"on_enter"}));
  declareStateMachine(machine);
  machine.parameter("file", "", kFile);

  ComponentBuilder sequence = plugin.controller<TimedSequenceController>("mortise.TimedSequenceController")
                                  .alias("TimedSequenceController")
                                  .summary("Controllers one after the other, each for its time.")
                                  .documentation(kSequence)
                                  .attribute("estimator", "IntegratedStateEstimator")
                                  .attribute("children", childrenIn("steps", "step", {"duration", "on_enter"}));
  declareSequence(sequence);
  sequence.parameter("file", "", kFile);
}

}  // namespace mortise
