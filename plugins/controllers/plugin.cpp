#include "mortise/plugin/plugin.h"

#include "composite_controllers.h"
#include "joint_tracking.h"
#include "logging.h"
#include "operational_space.h"
#include "polynomial_path.h"

namespace {

constexpr const char* kJointTracking = R"(Asks every driver's servo (PID, with the gains of the robot's file) for one
configuration: that of the start, until the command `set_q` names another one. The servos then go there by themselves, as
fast as they can: use a path controller for motions that keep to limits of velocity and acceleration. Positions
beyond the position limits become those limits, with a warning.

Commands:

    set_q            [0, 0.5, -0.3]            one number a link (rad or m) or a driver, with or without units
    set_q            {elbow: 90 deg}           by name; links that are not named stay
    set_q            home.config               from a file
    add_ext_force    {link: tool, force: [0, 0, -20], point: [0.5, 0, 1]}       N and m, world frame
    zero_ext_forces

In a pipeline:

```yaml
components:
  - {controller: JointTrackingController, robot: reacher, rate: 100 Hz}
```

In a world:

```xml
<simulation><robot index="0"><controller type="JointTrackingController" rate="100"/></robot></simulation>
```
)";

/// `GRAVITY` is the default of gravity compensation.
constexpr const char* kFeedforward = R"(
**Feedforward.** Next to positions and velocities, each servo gets the torque that the robot is known to need, at the configuration
that the estimator reports: against gravity (`enableGravityCompensation`; GRAVITY), for the accelerations of the reference (`enableFeedforwardAcceleration`; off), against the drivers' friction at the
reference's velocities (`enableFrictionCompensation`; off), and against forces that act on it (`add_ext_force`). Torques of links are projected on drivers; an affine driver, which moves several links, gets the torque that
comes nearest in the sense of least squares.

A force of `add_ext_force` acts on a point of a link, given as it is in the world now; it goes along with the link, keeps
its direction, and stays until `zero_ext_forces`. All settings can change while the simulation runs.
)";

constexpr const char* kPolynomialPath =
    R"(Follows a queue of motions and holds its end. Commands either start a new motion
from where the reference is now (`set_...`) or put one behind what is queued (`append_...`):

| command | arguments | motion |
|---|---|---|
| `set_q`, `append_q` | `q` | as fast as the limits allow, to rest at q |
| `set_qv`, `append_qv` | `q v` | as fast as the limits allow, arriving with velocity v |
| `append_q_linear` | `q` | on a straight line between configurations, as fast as the limits allow, from rest to rest |
| `set_tq`, `append_tq` | `t q` | at constant velocity, arriving at time t |
| `set_tqv`, `append_tqv` | `t q v` | a cubic, arriving at time t with velocity v |
| `set_tv` | `t v` | at velocity v for t seconds |
| `set_path` | `{times, configurations}`, or a motion file | piece by piece at constant velocity, times counted from now |
| `brake` | | every link stops as fast as its limits allow |

A configuration `q` is one number a link or a driver, with or without units (`[0, 90 deg, 0.5]`), or a map by name (`{elbow: 90 deg}`): links
that are not named go where they were going. `v` is written alike. A command that takes `q` alone also takes a file, `home.config`.
| `add_ext_force`, `zero_ext_forces` | | see below |

q and v have one number a link (rad, m, rad/s, m/s); times t are seconds of the simulation, except `set_tv`'s. Arguments are lists
(`[2.5, [0, 0.5, -0.3]]`, nested or not), maps (`{t: 2.5, q: [0, 0.5, -0.3]}`), or text with all numbers one after another, each
vector with its length in front or without, as Klamp't's programs send it (`2.5  3 0 0.5 -0.3`).

**Limits.** Motions without time keep to the limits of position, velocity and acceleration of links and drivers, times
`velocityScale` and `accelerationScale`: parabolic ramps, all links arriving together in the shortest time in which all can
(Hauser and Ng-Thow-Hing, 2010). A link without acceleration limit moves at constant velocity; without velocity limit either, it
jumps. Motions with a given time do what they are told; the log says, once a link, which velocity limit that exceeds
(`timedLimits: refuse` makes it an error). Positions beyond the position limits become those limits, with a warning. Spin
joints take the short way round.

Settings to read: `endTime` (s) and `endConfiguration` of what is queued, `remaining` (s).

In a pipeline:

```yaml
components:
  - {controller: NAME, robot: reacher, rate: 100 Hz, path: ../motions/reacher_sweep.path}
```

In a world:

```xml
<simulation><robot index="0"><controller type="NAME" rate="100" velocityScale="0.5"/></robot></simulation>
```
)";

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

std::string withName(std::string text, const std::string& name) { return replaced(std::move(text), "NAME", name); }

std::string feedforwardText(bool gravityCompensation) {
  return replaced(kFeedforward, "GRAVITY",
                  gravityCompensation ? "on, unless joint 0 floats, as a floating base takes no torque" : "off");
}

}  // namespace

MORTISE_PLUGIN("mortise_controllers", "0.1.0") {
  using namespace mortise;
  TrackingController::declare(
      plugin.controller<JointTrackingController>("mortise.JointTrackingController")
          .alias("JointTrackingController")
          .summary("Holds the start configuration, or what `set_q` says, with the drivers' servos.")
          .documentation(std::string(kJointTracking) + feedforwardText(false))
          .attribute("try_commands", std::vector<std::string>{"set_q"}),
      false);
  TrackingController::declare(plugin.controller<JointTrackingController>("mortise.FeedforwardJointTrackingController")
                                  .alias("FeedforwardJointTrackingController")
                                  .summary("JointTrackingController with gravity compensation on.")
                                  .documentation(std::string(kJointTracking) + feedforwardText(true))
                                  .attribute("try_commands", std::vector<std::string>{"set_q"}),
                              true);
  {
    ComponentBuilder component =
        plugin.controller<PolynomialPathController>("mortise.PolynomialPathController")
            .alias("PolynomialPathController")
            .alias("MilestonePathController")
            .summary("Follows a queue of motions: timed paths, and the fastest that the robot's limits allow.")
            .documentation(withName(kPolynomialPath, "PolynomialPathController") + feedforwardText(false));
    PolynomialPathController::declare(component);
    TrackingController::declare(component, false);
  }
  {
    ComponentBuilder component =
        plugin.controller<PolynomialPathController>("mortise.FeedforwardPolynomialPathController")
            .alias("FeedforwardPolynomialPathController")
            .alias("FeedforwardMilestonePathController")
            .alias("PathFollowingController")
            .summary("PolynomialPathController with gravity compensation on: what a robot without controller gets.")
            .documentation(withName(kPolynomialPath, "FeedforwardPolynomialPathController") + feedforwardText(true));
    PolynomialPathController::declare(component);
    TrackingController::declare(component, true);
  }
  LoggingController::declare(plugin);
  declareOperationalSpace(plugin);
  declareCompositeControllers(plugin);
}
