#include <algorithm>
#include <mutex>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/bindings.h"
#include "common/define.h"
#include "common/threads.h"
#include "geometry/queries.h"
#include "geometry/shapes.h"
#include "model/models.h"
#include "model/worlds.h"
#include "mortise/base/error.h"
#include "mortise/collision/edge_check.h"
#include "mortise/collision/world_collider.h"

namespace mortise::python {

namespace {

struct ColliderHandle {
  WorldPtr world;
  std::shared_ptr<const WorldCollider> collider;
};

/// A state belongs to one thread at a time; calls of several wait for each other.
struct CollisionStateHandle {
  explicit CollisionStateHandle(const ColliderHandle& from)
      : world(from.world), state(from.collider), lock(std::make_unique<std::mutex>()) {}
  WorldPtr world;
  WorldCollisionState state;
  std::unique_ptr<std::mutex> lock;

  /// Calls `work` without the GIL.
  template <typename Work>
  auto run(Work&& work) {
    py::gil_scoped_release release;
    const std::lock_guard guard(*lock);
    return work(state);
  }
};

std::unique_ptr<ColliderHandle> makeCollider(py::handle of, bool fixedLinks) {
  auto handle = std::make_unique<ColliderHandle>();
  if (py::isinstance<World>(of))
    handle->world = of.cast<WorldPtr>();
  else if (py::isinstance<Robot>(of))
    handle->world = std::const_pointer_cast<World>(worldOf(of.cast<std::shared_ptr<Robot>>()));
  else
    throw py::type_error("world: expected a World or a Robot, found " + shapeText(of));
  py::gil_scoped_release release;
  WorldColliderOptions options;
  options.fixedLinksAgainstTerrains = fixedLinks;
  handle->collider = std::make_shared<const WorldCollider>(handle->world, options);
  return handle;
}

bool isThing(const World& world, const std::string& name) {
  for (int id = 0; id < world.numIds(); ++id)
    if (world.nameOf(id) == name) return true;
  return false;
}

/// None: everything; 'terrains', 'objects', 'robots'; an id or a name; a list of these.
IdFilter filterFrom(const World& world, py::handle which) {
  if (!which || which.is_none()) return IdFilter::everything();
  if (PyUnicode_Check(which.ptr()) != 0) {
    const std::string name = py::str(which);
    if (name == "terrains" && !isThing(world, name)) return IdFilter::terrains();
    if (name == "objects" && !isThing(world, name)) return IdFilter::objects();
    if (name == "robots" && !isThing(world, name)) return IdFilter::robots();
    return IdFilter::of({worldId(world, which)});
  }
  if (PyIndex_Check(which.ptr()) != 0) return IdFilter::of({worldId(world, which)});
  if (PySequence_Check(which.ptr()) == 0)
    throw py::type_error("expected an id, a name, a list of these, 'terrains', 'objects', 'robots' or None, found " +
                         shapeText(which));
  std::vector<int> ids;
  for (const auto item : which) ids.push_back(worldId(world, item));
  if (ids.empty()) throw py::value_error("expected at least one id or name, found an empty list");
  return IdFilter::of(std::move(ids));
}

py::array pairsOf(const std::vector<IdPair>& pairs) {
  py::array_t<int> array({static_cast<py::ssize_t>(pairs.size()), py::ssize_t{2}});
  int* to = array.mutable_data();
  for (const IdPair& pair : pairs) {
    *to++ = pair.a;
    *to++ = pair.b;
  }
  return array;
}

py::object pairOrNone(bool found, const IdPair& pair) {
  if (!found) return py::none();
  return py::make_tuple(pair.a, pair.b);
}

VectorXd configurationFrom(const World& world, int robot, py::handle q) {
  VectorXd numbers = vectorFrom(q, "q", world.robots[static_cast<std::size_t>(robot)].robot->numLinks());
  if (!numbers.allFinite()) throw py::value_error("q: expected finite numbers");
  return numbers;
}

py::array_t<double, py::array::c_style> configurationsFrom(const World& world, int robot, py::handle rows,
                                                           const char* name) {
  auto array = rowsFrom(rows, name, world.robots[static_cast<std::size_t>(robot)].robot->numLinks());
  for (py::ssize_t i = 0; i < array.size(); ++i)
    if (!std::isfinite(array.data()[i])) throw py::value_error(std::string(name) + ": expected finite numbers");
  return array;
}

/// Calls `work(state, q, i)` for each row, by several threads with a state each, without the GIL.
template <typename Work>
void forRows(const ColliderHandle& handle, const py::array_t<double, py::array::c_style>& rows, int threads,
             Work&& work) {
  const py::ssize_t count = rows.shape(0), columns = rows.shape(1);
  const double* data = rows.data();
  py::gil_scoped_release release;
  // A thread and its state cost as much as some dozens of configurations.
  const py::ssize_t maximum = std::max<py::ssize_t>(1, count / 32);
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int parts = static_cast<int>(std::min<py::ssize_t>(maximum, threads > 0 ? threads : processors));
  inParallel(count, parts, [&](py::ssize_t begin, py::ssize_t end, BatchTurn& turn) {
    if (begin == end) return;
    WorldCollisionState state(handle.collider);
    VectorXd q(columns);
    for (py::ssize_t i = begin; i < end && turn.mayContinue(); ++i) {
      q = Eigen::Map<const VectorXd>(data + i * columns, columns);
      work(state, q, i);
    }
  });
}

py::array colliding(const ColliderHandle& handle, py::handle configurations, py::handle which, py::handle others,
                    int threads) {
  const int robot = robotIndex(*handle.world, which);
  const auto rows = configurationsFrom(*handle.world, robot, configurations, "configurations");
  const IdFilter filter = filterFrom(*handle.world, others);
  auto result = arrayOfSize<bool>(rows.shape(0));
  bool* to = result.mutable_data();
  const IdSelection own = WorldCollisionState(handle.collider).selection(IdFilter::robots(robot)),
                    rest = WorldCollisionState(handle.collider).selection(filter);
  forRows(handle, rows, threads, [&](WorldCollisionState& state, const VectorXd& q, py::ssize_t i) {
    state.setConfiguration(robot, q);
    to[i] = state.anyCollision(own, rest);
  });
  return result;
}

py::array clearances(const ColliderHandle& handle, py::handle configurations, py::handle which, py::handle others,
                     py::handle bound, int threads) {
  const int robot = robotIndex(*handle.world, which);
  const auto rows = configurationsFrom(*handle.world, robot, configurations, "configurations");
  const IdFilter filter = filterFrom(*handle.world, others);
  DistanceOptions options;
  options.upperBound = distanceLimit(bound);
  auto result = arrayOfSize<double>(rows.shape(0));
  double* to = result.mutable_data();
  forRows(handle, rows, threads, [&](WorldCollisionState& state, const VectorXd& q, py::ssize_t i) {
    state.setConfiguration(robot, q);
    const WorldDistance nearest = state.nearest(IdFilter::robots(robot), filter, options);
    to[i] = nearest.result.found ? nearest.result.distance : std::numeric_limits<double>::infinity();
  });
  return result;
}

py::array edgesFree(const ColliderHandle& handle, py::handle from, py::handle to, py::handle which, py::handle step,
                    int threads) {
  const int robot = robotIndex(*handle.world, which);
  const auto starts = configurationsFrom(*handle.world, robot, from, "from_configurations");
  const auto ends = configurationsFrom(*handle.world, robot, to, "to_configurations");
  if (starts.shape(0) != ends.shape(0))
    throw py::value_error("to_configurations: expected " + std::to_string(starts.shape(0)) + " rows, found " +
                          std::to_string(ends.shape(0)));
  EdgeCheckOptions options;
  if (!step.is_none()) {
    options.method = EdgeCheckOptions::Method::resolution;
    options.resolution = numberFrom(step, "resolution");
    if (!(options.resolution > 0)) throw py::value_error("resolution: expected a number above 0");
  }
  auto result = arrayOfSize<bool>(starts.shape(0));
  bool* free = result.mutable_data();
  const double* goals = ends.data();
  const EdgeChecker checker(handle.collider, robot);
  forRows(handle, starts, threads, [&](WorldCollisionState& state, const VectorXd& q, py::ssize_t i) {
    thread_local EdgeChecker::Workspace workspace;
    const VectorXd goal = Eigen::Map<const VectorXd>(goals + i * q.size(), q.size());
    free[i] = checker.check(q, goal, state, workspace, options).free;
  });
  return result;
}

void bindCollider(py::module_& m) {
  Class<ColliderHandle>(
      m, "WorldCollider",
      "WorldCollider(world: World, fixed_links_against_terrains = True)\n\nThe shapes of a World (or of a Robot alone) "
      "and which pairs are checked. Immutable; threads share it. What moves is a WorldCollisionState.")
      .def(constructor(&makeCollider), py::arg("world"), py::arg("fixed_links_against_terrains") = true)
      .def_property_readonly(
          "world", [](const ColliderHandle& h) { return h.world; }, "The World.")
      .def_property_readonly(
          "num_pairs", [](const ColliderHandle& h) { return h.collider->numPairs(); },
          "Pairs of shapes that are checked.")
      .def(
          "checks",
          [](const ColliderHandle& h, py::handle a, py::handle b) {
            return h.collider->pairs()(worldId(*h.world, a), worldId(*h.world, b));
          },
          py::arg("a"), py::arg("b"),
          "checks(a: int | str | WorldObject, b: int | str | WorldObject) -> bool\n\nWhether two ids or names are a "
          "pair that is checked.")
      .def(
          "without_pair",
          [](const ColliderHandle& h, py::handle a, py::handle b) {
            PairTable pairs = h.collider->pairs();
            pairs.set(worldId(*h.world, a), worldId(*h.world, b), false);
            return ColliderHandle{h.world, std::make_shared<const WorldCollider>(h.collider->withPairs(pairs))};
          },
          py::arg("a"), py::arg("b"),
          "without_pair(a: int | str | WorldObject, b: int | str | WorldObject) -> WorldCollider\n\nAnother one, of "
          "the same shapes, that does not check this pair.")
      .def(
          "shape",
          [](const ColliderHandle& h, py::handle id) { return held(h.collider->shape(worldId(*h.world, id))); },
          py::arg("id"), "shape(id: int | str | WorldObject) -> CollisionShape\n\nNone where there is no geometry.")
      .def("colliding", &colliding, py::arg("configurations"), py::arg("robot") = 0, py::arg("others") = py::none(),
           py::arg("threads") = 0,
           "colliding(configurations: ArrayLike, robot: int | str = 0, others: int | str | Sequence[int | str] | None "
           "= None, threads = 0) -> NDArray[np.bool_] (n,)\n\nFor each row (n, num_links), whether the robot collides "
           "with itself or others (None: everything), which stand where the world has them. Of bool; without the GIL, "
           "by all processors (threads=0).")
      .def("clearances", &clearances, py::arg("configurations"), py::arg("robot") = 0, py::arg("others") = py::none(),
           py::arg("upper_bound") = py::none(), py::arg("threads") = 0,
           "clearances(configurations: ArrayLike, robot: int | str = 0, others: int | str | Sequence[int | str] | None "
           "= None, upper_bound: float | None = None, threads = 0) -> ndarray (n,)\n\nThe least distance (m) of the "
           "robot from itself and others; infinite where nothing is within upper_bound.")
      .def("edges_free", &edgesFree, py::arg("from_configurations"), py::arg("to_configurations"), py::arg("robot") = 0,
           py::arg("resolution") = py::none(), py::arg("threads") = 0,
           "edges_free(from_configurations: ArrayLike, to_configurations: ArrayLike, robot: int | str = 0, resolution: "
           "float | None = None, threads = 0) -> NDArray[np.bool_] (n,)\n\nWhether nothing collides on the straight "
           "way from each row to the other: proven everywhere (None), or at configurations no farther apart than "
           "resolution.")
      .def("__repr__", [](const ColliderHandle& h) {
        return "WorldCollider(" + worldText(*h.world) + ", " + std::to_string(h.collider->numPairs()) + " pairs)";
      });
}

using StateClass = Class<CollisionStateHandle>;

void bindPlaces(StateClass& type) {
  type.def(constructor([](const ColliderHandle& collider) { return std::make_unique<CollisionStateHandle>(collider); }),
           py::arg("collider"))
      .def(
          "pose",
          [](CollisionStateHandle& h, py::handle id) {
            const int index = worldId(*h.world, id);
            return h.run([&](WorldCollisionState& s) { return s.pose(index); });
          },
          py::arg("id"), "pose(id: int | str | WorldObject) -> RigidTransform\n\nX_W of a terrain, object or link.")
      .def(
          "set_pose",
          [](CollisionStateHandle& h, py::handle id, py::handle pose) {
            const int index = worldId(*h.world, id);
            if (h.world->entity(index).kind == World::Kind::robot)
              throw py::value_error("id: robots are placed by set_configuration");
            const RigidTransform X = poseFrom(pose, "pose");
            h.run([&](WorldCollisionState& s) { s.setPose(index, X); });
          },
          py::arg("id"), py::arg("pose"),
          "set_pose(id: int | str | WorldObject, pose: Pose)\n\nOf a terrain, object or link, by id or name.")
      .def(
          "set_configuration",
          [](CollisionStateHandle& h, py::handle q, py::handle robot) {
            const int index = robotIndex(*h.world, robot);
            const VectorXd numbers = configurationFrom(*h.world, index, q);
            h.run([&](WorldCollisionState& s) { s.setConfiguration(index, numbers); });
          },
          py::arg("q"), py::arg("robot") = 0,
          "set_configuration(q: ArrayLike, robot: int | str = 0)\n\nq: (num_links,), rad or m.")
      .def_property(
          "tolerance", [](CollisionStateHandle& h) { return h.state.tolerance(); },
          [](CollisionStateHandle& h, double tolerance) {
            requireNumber(tolerance, "tolerance", 0);
            h.run([&](WorldCollisionState& s) { s.setTolerance(tolerance); });
          },
          "Bodies that come within this distance (m) count as colliding; 0 at first.");
}

void bindCollisions(StateClass& type) {
  type.def(
          "collides",
          [](CollisionStateHandle& h, py::handle a, py::handle b) {
            const int first = worldId(*h.world, a), second = worldId(*h.world, b);
            return h.run([&](WorldCollisionState& s) { return s.collide(first, second); });
          },
          py::arg("a"), py::arg("b"),
          "collides(a: int | str | WorldObject, b: int | str | WorldObject) -> bool\n\nOne pair by id or name, "
          "whatever the rules say; False without a shape.")
      .def(
          "any_collision",
          [](CollisionStateHandle& h, py::handle a, py::handle b) {
            const IdFilter first = filterFrom(*h.world, a), second = filterFrom(*h.world, b);
            IdPair pair;
            const bool found = h.run([&](WorldCollisionState& s) { return s.anyCollision(first, second, &pair); });
            return pairOrNone(found, pair);
          },
          py::arg("a") = py::none(), py::arg("b") = py::none(),
          "any_collision(a: int | str | Sequence[int | str] | None = None, b: int | str | Sequence[int | str] | None = "
          "None) -> tuple[int, int] | None\n\nA pair of ids that collides, one of each selection, or None. A selection "
          "is None (everything), an id or name (a robot's means all its links), a list of these, or 'terrains', "
          "'objects', 'robots'.")
      .def(
          "collisions",
          [](CollisionStateHandle& h, py::handle a, py::handle b) {
            const IdFilter first = filterFrom(*h.world, a), second = filterFrom(*h.world, b);
            std::vector<IdPair> pairs;
            h.run([&](WorldCollisionState& s) { s.collisions(first, second, pairs); });
            return pairsOf(pairs);
          },
          py::arg("a") = py::none(), py::arg("b") = py::none(),
          "collisions(a: int | str | Sequence[int | str] | None = None, b: int | str | Sequence[int | str] | None = "
          "None) -> NDArray[np.int32] (n, 2)\n\nAll pairs of ids that collide, in ascending order; selections as in "
          "any_collision.")
      .def(
          "self_collisions",
          [](CollisionStateHandle& h, py::handle robot) {
            const int index = robotIndex(*h.world, robot);
            std::vector<IdPair> pairs;
            h.run([&](WorldCollisionState& s) { s.robotSelfCollisions(index, pairs); });
            return pairsOf(pairs);
          },
          py::arg("robot") = 0,
          "self_collisions(robot: int | str = 0) -> NDArray[np.int32] (n, 2)\n\nOf a robot with itself: ids of links.")
      .def(
          "robot_collision",
          [](CollisionStateHandle& h, py::handle robot) {
            const int index = robotIndex(*h.world, robot);
            IdPair pair;
            const bool found = h.run([&](WorldCollisionState& s) { return s.robotCollision(index, &pair); });
            return pairOrNone(found, pair);
          },
          py::arg("robot") = 0,
          "robot_collision(robot: int | str = 0) -> tuple[int, int] | None\n\nA pair of ids in which the robot "
          "collides with itself or anything else, or None.");
}

py::dict castWorldRays(CollisionStateHandle& h, py::handle origins, py::handle directions, py::handle which,
                       py::handle max) {
  const std::vector<Ray> rays = raysFrom(origins, directions, max);
  const IdFilter filter = filterFrom(*h.world, which);
  std::vector<WorldRayHit> hits(rays.size());
  h.run([&](WorldCollisionState& s) { s.rayCasts(rays, hits, filter); });
  const auto count = static_cast<py::ssize_t>(rays.size());
  auto ids = arrayOfSize<int>(count);
  auto t = arrayOfSize<double>(count);
  py::array_t<double> points({count, py::ssize_t{3}}), normals({count, py::ssize_t{3}});
  for (py::ssize_t i = 0; i < count; ++i) {
    const WorldRayHit& hit = hits[static_cast<std::size_t>(i)];
    ids.mutable_data()[i] = hit.id;
    rayRow(hit.hit, hit.id >= 0, t.mutable_data() + i, points.mutable_data(i, 0), normals.mutable_data(i, 0));
  }
  py::dict result;
  result["ids"] = ids;
  result["t"] = t;
  result["points"] = points;
  result["normals"] = normals;
  return result;
}

void bindDistances(StateClass& type) {
  type.def(
          "distance",
          [](CollisionStateHandle& h, py::handle a, py::handle b, py::handle upper_bound) {
            const int first = worldId(*h.world, a), second = worldId(*h.world, b);
            DistanceOptions options;
            options.upperBound = distanceLimit(upper_bound);
            return h.run([&](WorldCollisionState& s) { return s.distance(first, second, options); });
          },
          py::arg("a"), py::arg("b"), py::arg("upper_bound") = py::none(),
          "distance(a: int | str | WorldObject, b: int | str | WorldObject, upper_bound: float | None = None) -> "
          "DistanceResult\n\nOf one pair by id or name.")
      .def(
          "nearest",
          [](CollisionStateHandle& h, py::handle a, py::handle b, py::handle upper_bound) {
            const IdFilter first = filterFrom(*h.world, a), second = filterFrom(*h.world, b);
            DistanceOptions options;
            options.upperBound = distanceLimit(upper_bound);
            const WorldDistance found =
                h.run([&](WorldCollisionState& s) { return s.nearest(first, second, options); });
            if (!found.result.found) return py::object(py::none());
            return py::object(py::make_tuple(py::make_tuple(found.ids.a, found.ids.b), found.result));
          },
          py::arg("a") = py::none(), py::arg("b") = py::none(), py::arg("upper_bound") = py::none(),
          "nearest(a: int | str | Sequence[int | str] | None = None, b: int | str | Sequence[int | str] | None = None, "
          "upper_bound: float | None = None) -> tuple[tuple[int, int], DistanceResult] | None\n\nThe nearest pair that "
          "is checked, one of each selection: ((id, id), DistanceResult), or None.")
      .def(
          "contacts",
          [](CollisionStateHandle& h, py::handle a, py::handle b, double tolerance) {
            const int first = worldId(*h.world, a), second = worldId(*h.world, b);
            requireNumber(tolerance, "tolerance", 0);
            std::vector<ElementContact> found;
            h.run([&](WorldCollisionState& s) { s.contacts(first, second, tolerance, found); });
            return contactsDict(found);
          },
          py::arg("a"), py::arg("b"), py::arg("tolerance") = 0.0,
          "contacts(a: int | str | WorldObject, b: int | str | WorldObject, tolerance = 0) -> dict[str, Any]\n\nEvery "
          "pair of elements of two bodies within tolerance (m), as CollisionShape.contacts has them.")
      .def(
          "ray_cast",
          [](CollisionStateHandle& h, py::handle origin, py::handle direction, py::handle which, py::handle max) {
            const Ray ray = rayFrom(origin, direction, max);
            const IdFilter filter = filterFrom(*h.world, which);
            const WorldRayHit hit = h.run([&](WorldCollisionState& s) { return s.rayCast(ray, filter); });
            if (hit.id < 0) return py::object(py::none());
            return py::object(py::make_tuple(hit.id, hit.hit));
          },
          py::arg("origin"), py::arg("direction"), py::arg("which") = py::none(), py::arg("max") = py::none(),
          "ray_cast(origin: ArrayLike, direction: ArrayLike, which: int | str | Sequence[int | str] | None = None, "
          "max: float | None = None) -> tuple[int, RayHit] | None\n\nThe first thing that a ray hits: (id, RayHit), or "
          "None.")
      .def("ray_casts", &castWorldRays, py::arg("origins"), py::arg("directions"), py::arg("which") = py::none(),
           py::arg("max") = py::none(),
           "ray_casts(origins: ArrayLike, directions: ArrayLike, which: int | str | Sequence[int | str] | None = None, "
           "max: float | None = None) -> dict[str, Any]\n\nOf rows (n, 3): ids (n,), -1 without a hit, t (n,), points "
           "and normals (n, 3). Without the GIL.");
}

}  // namespace

void bindCollision(py::module_& m) {
  bindCollisionShapes(m);
  bindCollider(m);
  StateClass type(m, "WorldCollisionState",
                  "WorldCollisionState(collider)\n\nWhere everything is, at first where the world has it, and what "
                  "collides there. Nothing is checked twice that has not moved; threads wait for each other.");
  bindPlaces(type);
  bindCollisions(type);
  bindDistances(type);
  type.def("__repr__",
           [](const CollisionStateHandle& h) { return "WorldCollisionState(" + worldText(*h.world) + ")"; });
}

}  // namespace mortise::python
