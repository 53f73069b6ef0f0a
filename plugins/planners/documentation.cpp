#include "documentation.h"

namespace mortise::planners {

const char* const kAnyPage =
    R"(The choice for those who do not want to choose; Klamp't's default. The first path comes from two trees that
grow from start and goal towards each other (the planner `rrt` with its own defaults), which is the fastest here for
arms and for whole robots. Asked to go on (`optimize: true`, Klamp't's `foundSolution: 0`), it shortens that path, then plans anew and shortens
those paths too, and keeps the best: random restarts with shortcuts, as Klamp't with `shortcut` and `restart`. A run
that found nothing in 2,000 rounds is given up, and the next ones may take twice as long.

Klamp't's `any` is its `sbl`, or `sblprt` where the goal is a region.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: any, save: path}
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
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: {type: rrt, shortcut: true, restart: true},
         optimize: true, time_limit: 1 s, save: path}
```

Source: LaValle, "Rapidly-exploring random trees", 1998; Kuffner and LaValle, "RRT-Connect", 2000; proofs at the end:
Sánchez and Latombe, "A single-query bi-directional probabilistic roadmap planner with lazy collision checking", 2001.
)";

const char* const kRrtStarPage =
    R"(A tree from the starts in which every new node arrives by the cheapest of its k nearest neighbours,
k = e (1 + 1/d) log n, and is offered to them as a cheaper way in turn: paths go towards the best one for as long as it
runs. Costs are those of the problem's objective. Once there is a path, places that no better one can go through are
left out (by the objective's lower bounds; where cost is length and distances are Euclidean, random places come straight
from the ellipsoid between start and goal). Every new node also tries a straight way to each goal.

With `bidirectional` the first path comes from two trees, as that of `rrt`, so that there is one soon. Klamp't's `rrt*` is
a graph with checked ways, and has the same option.

A round tries one way. It goes on until it is stopped, or the path is as short as the straight way.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: {type: "rrt*", perturbationRadius: 1.0},
         optimize: true, time_limit: 2 s, save: path}
```

Source: Karaman and Frazzoli, "Sampling-based algorithms for optimal motion planning", 2011; Gammell, Srinivasa and Barfoot, "Informed RRT*", 2014.
)";

const char* const kPrmPage =
    R"(Random feasible configurations, each connected with its `knn` nearest (every way is checked), until start and goal
are. Of configurations that are connected already only the first way between them counts, unless
`ignoreConnectedComponents` is set: then more ways are added, and paths go on getting better. The path is the cheapest on
the roadmap. For problems without narrow passages; start and goal are tried straight first.

A round takes one configuration, or checks one way.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: {type: prm, knn: 10}, save: path}
```

Source: Kavraki, Svestka, Latombe and Overmars, "Probabilistic roadmaps for path planning in high-dimensional configuration spaces", 1996.
)";

const char* const kPrmStarPage =
    R"(A roadmap whose configurations are connected with ever more neighbours as it grows, k = e (1 + 1/d) log n, so that
its cheapest path goes towards the best one. All ways are checked that could be part of a better path, which makes it
slower than `lazyprm*`. Random places are taken as by `rrt*`.

A round takes one configuration, or checks one way.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: "prm*",
         optimize: true, time_limit: 2 s, save: path}
```

Source: Karaman and Frazzoli, "Sampling-based algorithms for optimal motion planning", 2011.
)";

const char* const kLazyPrmPage =
    R"(As `prm`, but ways are taken to be free until the cheapest path goes over them; those that turn out blocked are taken
out, and the next cheapest path is tried. It checks few ways, and its path is the cheapest of its roadmap.

A round takes one configuration, or checks one way. It ends at its first path. (Klamp't knows the name only.)

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: {type: lazyprm, knn: 15}, save: path}
```

Source: Bohlin and Kavraki, "Path planning using lazy PRM", 2000.
)";

const char* const kLazyPrmStarPage =
    R"(The roadmap of `prm*`, its ways taken to be free until a path that is better than the best one goes over them. Cheapest
paths are kept up to date as ways come and go. Of the planners here that improve for ever, the one for spaces in which
ways are expensive to check.

A round takes one configuration and all its neighbours, or checks one way.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: {type: "lazyprm*", suboptimalityFactor: 0.1},
         optimize: true, time_limit: 2 s, save: path}
```

Source: Hauser, "Lazy collision checking in asymptotically-optimal motion planning", 2015; cheapest paths: Ramalingam and Reps, 1996.
)";

const char* const kLazyRrgStarPage =
    R"(As `lazyprm*`, but a new configuration is near one that is there already: within r = extent (log n / n)^(1/d) of it, which
shrinks as the graph grows. For spaces in which few random places are feasible.

A round takes one configuration and all its neighbours, or checks one way.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: "lazyrrg*",
         optimize: true, time_limit: 2 s, save: path}
```

Source: Hauser, "Lazy collision checking in asymptotically-optimal motion planning", 2015.
)";

const char* const kSblPage =
    R"(Two trees that grow by small steps: a node is picked, and a feasible place near it becomes its child without any
check of the way. Then a straight way to a node of the other tree is looked at, and only if that seems free, the whole
path is checked, longest way first. Where a way is blocked, what hung on it goes over to the other tree. Nodes are picked
by cells of a grid over three coordinates, other ones from time to time. Klamp't's `any` is this planner.

A round adds a node, or checks one way. It ends at its first path.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: {type: sbl, perturbationRadius: 0.5}, save: path}
```

Source: Sánchez and Latombe, "A single-query bi-directional probabilistic roadmap planner with lazy collision checking", 2001.
)";

const char* const kSblPrtPage =
    R"(Trees as those of `sbl`, one from each start, each goal, and now and then one more from a random place; any two of them
may be connected, and a path goes over as many as it takes. For several starts and goals, and goals that are found by and
by. (Klamp't has no trees from random places unless its user adds them.)

A round adds a node, or checks one way. It ends at its first path.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: {type: sblprt, perturbationIters: 10}, save: path}
```

Source: Plaku, Bekris, Chen, Ladd and Kavraki, "Sampling-based roadmap of trees for parallel motion planning", 2005.
)";

const char* const kEstPage =
    R"(Trees from start and goal that grow where they have few nodes: a random cell of a grid, a random node of it, a place
near it, and the way is checked at once. Each new node tries a straight way to the other tree. (Klamp't knows the name
only.)

A round adds a node, or checks one way. It ends at its first path.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: est, save: path}
```

Source: Hsu, Latombe and Motwani, "Path planning in expansive configuration spaces", 1997.
)";

const char* const kPerturbationPage =
    R"(As `est`, but nodes are picked alike, so that trees grow where they have many nodes. The simplest planner here, and the
slowest in most problems; for comparison. (Klamp't knows the name only.)

A round adds a node, or checks one way. It ends at its first path.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: perturbation, save: path}
```

Source: a tree grown by perturbing its nodes, as in Klamp't's library.
)";

const char* const kFmmPage =
    R"(Distances from the start spread over a grid between the bounds as a wave does (fast marching: |gradient| = 1, by the
space's metric), and the path goes down their slope from the goal. It is then checked; ways that are blocked between two
free nodes are taken out of the grid, with those beside them, and the wave starts anew. At the end the path is pulled
straight. Objectives other than length do not change the wave, only which of several paths counts as the best.

Only for spaces of up to five dimensions with bounds, whose ways are lines and whose distances are those of (weighted)
coordinates: refused otherwise, with what it would take. **A seven-joint arm cannot be planned for with it**: a grid of
8 steps along each joint would have 4.8 million nodes, and see nothing of most obstacles. When the grid has no path it
says so (`exhausted`): there may be one on a finer grid.

A round takes 32 nodes of the wave, or checks one way.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: {type: fmm, gridResolution: 0.1}, save: path}
```

Source: Sethian, "A fast marching level set method for monotonically advancing fronts", 1996.
)";

const char* const kFmmStarPage =
    R"(As `fmm`, first on a coarse grid, then again and again on one with cells of half the volume, as Klamp't; the best path is
kept. It ends when the next grid would have more than 8 million nodes. Not for more than five dimensions, and so **not for
a seven-joint arm**.

```yaml
mortise: 1
world: worlds/heron_shelf.xml
stages:
  - plan: {robot: heron, goal: motions/heron_shelf_goal.config,
         planner: "fmm*",
         optimize: true, time_limit: 2 s, save: path}
```

Source: Sethian, "A fast marching level set method for monotonically advancing fronts", 1996.
)";

}  // namespace mortise::planners
