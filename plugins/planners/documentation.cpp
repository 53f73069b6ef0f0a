#include "documentation.h"

namespace mortise::planners {

const char* const kAnyPage =
    R"(The choice for those who do not want to choose; Klamp't's default. The first path comes from two trees that
grow from start and goal towards each other (the planner `rrt` with its own defaults), which is the fastest here for
arms and for whole robots. Asked to go on (`foundSolution: false`), it shortens that path, then plans anew and shortens
those paths too, and keeps the best: random restarts with shortcuts, as Klamp't with `shortcut` and `restart`. A run
that found nothing in 2,000 rounds is given up, and the next ones may take twice as long.

Klamp't's `any` is its `sbl`, or `sblprt` where the goal is a region.

```yaml
stages:
  - {stage: plan, world: worlds/heron_shelf.xml, robot: heron, goal: heron_shelf_goal.config, planner: any}
```

Source: Kuffner and LaValle, "RRT-Connect: an efficient approach to single-query path planning", 2000; Hauser,
"Lazy collision checking in asymptotically-optimal motion planning", 2015, on restarts and shortcuts.
)";

const char* const kRrtPage =
    R"(Trees of ways that grow into free space: each round takes a random place and goes from the nearest node
towards it, not farther than `perturbationRadius`. With `bidirectional` there is one tree from the starts and one from
the goals, and each new node is reached for by the other tree, as far as it gets (RRT-Connect). Without, one tree grows
from the starts, 5 % of the time towards a goal, and each new node tries a straight way to the nearest goal.

What makes it fast: a way of a tree is looked at in a few configurations only, for blocked ways show soon; ways of a
complete path are proven, and where one of them turns out blocked, the nodes behind it go over to the other tree. Where
ways from a node were blocked, the next ones are shorter. Nearest nodes come from k-d trees in weighted coordinates
(from ball trees where distances are no Euclidean ones).

A round is one look at one way, or one proof. It ends at its first path; `shortcut` and `restart` make it go on.

```yaml
stages:
  - stage: plan
    world: worlds/heron_shelf.xml
    robot: heron
    goal: heron_shelf_goal.config
    planner: {name: rrt, shortcut: true, restart: true}
    stop: {foundSolution: false, timeLimit: 1}
```

Source: LaValle, "Rapidly-exploring random trees", 1998; Kuffner and LaValle, "RRT-Connect", 2000; proofs at the end:
Sánchez and Latombe, "A single-query bi-directional probabilistic roadmap planner with lazy collision checking", 2001.
)";

}  // namespace mortise::planners
