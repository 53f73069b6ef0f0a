#include <pybind11/stl.h>
#include <sstream>

#include "common/arrays.h"
#include "common/define.h"
#include "common/threads.h"
#include "geometry/queries.h"
#include "geometry/shapes.h"
#include "mortise/collision/query.h"

namespace mortise::python {

CollisionShapePtr shapeFrom(py::handle from, const char* name) {
  if (py::isinstance<CollisionShape>(from)) return from.cast<ShapeHolder>();
  if (py::isinstance<Geometry>(from)) {
    const GeometryPtr geometry = from.cast<std::shared_ptr<Geometry>>();
    py::gil_scoped_release release;
    return makeCollisionShape(geometry);
  }
  throw py::type_error(std::string(name) + ": expected a CollisionShape or a Geometry, found " + shapeText(from));
}

py::dict contactsDict(const std::vector<ElementContact>& contacts) {
  const auto count = static_cast<py::ssize_t>(contacts.size());
  py::array_t<double> a({count, py::ssize_t{3}}), b({count, py::ssize_t{3}}), normals({count, py::ssize_t{3}});
  auto gaps = arrayOfSize<double>(count);
  py::array_t<int> elements({count, py::ssize_t{4}});
  for (py::ssize_t i = 0; i < count; ++i) {
    const ElementContact& contact = contacts[static_cast<std::size_t>(i)];
    std::copy_n(contact.p_WA.data(), 3, a.mutable_data(i, 0));
    std::copy_n(contact.p_WB.data(), 3, b.mutable_data(i, 0));
    std::copy_n(contact.normal_W.data(), 3, normals.mutable_data(i, 0));
    gaps.mutable_data()[i] = contact.gap;
    const int ids[] = {contact.elements.a.part, contact.elements.a.index, contact.elements.b.part,
                       contact.elements.b.index};
    std::copy_n(ids, 4, elements.mutable_data(i, 0));
  }
  py::dict result;
  result["points_a"] = a;
  result["points_b"] = b;
  result["normals"] = normals;
  result["gaps"] = gaps;
  result["elements"] = elements;
  return result;
}

std::vector<Ray> raysFrom(py::handle origins, py::handle directions, py::handle max) {
  const std::vector<Vector3d> from = pointsFrom(origins, "origins"), along = pointsFrom(directions, "directions");
  if (from.size() != along.size())
    throw py::value_error("directions: expected as many rows as origins have (" + std::to_string(from.size()) +
                          "), found " + std::to_string(along.size()));
  const double far = rayLength(max);
  std::vector<Ray> rays(from.size());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (along[i].isZero()) throw py::value_error("directions: row " + std::to_string(i) + " has no length");
    rays[i] = {from[i], along[i], far};
  }
  return rays;
}

Ray rayFrom(py::handle origin, py::handle direction, py::handle max) {
  const Ray ray{pointFrom(origin, "origin", Vector3d::Zero()), pointFrom(direction, "direction", Vector3d::UnitZ()),
                rayLength(max)};
  if (ray.direction.isZero()) throw py::value_error("direction: expected a vector of some length");
  return ray;
}

double rayLength(py::handle max) {
  if (max.is_none()) return std::numeric_limits<double>::infinity();
  const double far = numberFrom(max, "max");
  if (!(far >= 0)) throw py::value_error("max: expected a number of at least 0, or None");
  return far;
}

double distanceLimit(py::handle bound) {
  if (bound.is_none()) return std::numeric_limits<double>::infinity();
  const double limit = numberFrom(bound, "upper_bound");
  if (std::isnan(limit)) throw py::value_error("upper_bound: expected a distance, found nan");
  return limit;
}

namespace {

/// Each thread has its own, so that shapes are shared without locks.
QueryWorkspace& workspace() {
  thread_local QueryWorkspace own;
  return own;
}

DistanceResult distanceOf(const ShapeHolder& a, py::handle other, py::handle pose, py::handle otherPose,
                          py::handle bound) {
  const CollisionShapePtr b = shapeFrom(other, "other");
  const RigidTransform X_WA = poseFrom(pose, "pose"), X_WB = poseFrom(otherPose, "other_pose");
  DistanceOptions options;
  options.upperBound = distanceLimit(bound);
  py::gil_scoped_release release;
  return distance(*a, X_WA, *b, X_WB, workspace(), options);
}

bool collides(const ShapeHolder& a, py::handle other, py::handle pose, py::handle otherPose, double within) {
  if (!(within >= 0)) throw py::value_error("within: expected a distance of at least 0, m");
  const CollisionShapePtr b = shapeFrom(other, "other");
  const RigidTransform X_WA = poseFrom(pose, "pose"), X_WB = poseFrom(otherPose, "other_pose");
  py::gil_scoped_release release;
  return withinDistance(*a, X_WA, *b, X_WB, within, workspace());
}

py::dict contactsBetween(const ShapeHolder& a, py::handle other, double tolerance, py::handle pose,
                         py::handle otherPose, std::size_t max) {
  requireNumber(tolerance, "tolerance", 0);
  const CollisionShapePtr b = shapeFrom(other, "other");
  const RigidTransform X_WA = poseFrom(pose, "pose"), X_WB = poseFrom(otherPose, "other_pose");
  std::vector<ElementContact> found;
  {
    py::gil_scoped_release release;
    contacts(*a, X_WA, *b, X_WB, tolerance, found, workspace(), max);
  }
  return contactsDict(found);
}

/// (n,) of a flag or number for each point or ray, by several threads.
py::dict castRays(const ShapeHolder& shape, py::handle origins, py::handle directions, py::handle pose, py::handle max,
                  int threads) {
  const RigidTransform X = poseFrom(pose, "pose");
  const std::vector<Ray> rays = raysFrom(origins, directions, max);
  const auto count = static_cast<py::ssize_t>(rays.size());
  std::vector<RayHit> hits(rays.size());
  {
    py::gil_scoped_release release;
    if (count > 0) shape->rays();  // Built once, by this thread.
    inParallel(count < 256 ? std::min<py::ssize_t>(count, 1) : count, count < 256 ? 1 : threads,
               [&](py::ssize_t begin, py::ssize_t end, BatchTurn& turn) {
                 if (count < 256) end = count;
                 constexpr py::ssize_t kRays = 256;
                 for (py::ssize_t at = begin; at < end && turn.mayContinue(); at += kRays) {
                   const auto first = static_cast<std::size_t>(at);
                   const auto number = static_cast<std::size_t>(std::min(kRays, end - at));
                   rayCasts(*shape, X, std::span(rays).subspan(first, number), std::span(hits).subspan(first, number));
                 }
               });
  }
  auto t = arrayOfSize<double>(count);
  py::array_t<double> points({count, py::ssize_t{3}}), normals({count, py::ssize_t{3}});
  py::array_t<int> elements({count, py::ssize_t{2}});
  for (py::ssize_t i = 0; i < count; ++i) {
    const RayHit& hit = hits[static_cast<std::size_t>(i)];
    rayRow(hit, hit.hit, t.mutable_data() + i, points.mutable_data(i, 0), normals.mutable_data(i, 0));
    elements.mutable_data(i, 0)[0] = hit.hit ? hit.element.part : -1;
    elements.mutable_data(i, 0)[1] = hit.hit ? hit.element.index : -1;
  }
  py::dict result;
  result["t"] = t;
  result["points"] = points;
  result["normals"] = normals;
  result["elements"] = elements;
  return result;
}

py::object containsPoints(const ShapeHolder& shape, py::handle points, py::handle pose) {
  const RigidTransform X = poseFrom(pose, "pose");
  const py::array array = py::array::ensure(points);
  if (!array) PyErr_Clear();
  if (array && array.ndim() == 1) return py::bool_(contains(*shape, X, pointFrom(points, "points", Vector3d::Zero())));
  const std::vector<Vector3d> rows = pointsFrom(points, "points");
  auto inside = arrayOfSize<bool>(static_cast<py::ssize_t>(rows.size()));
  bool* to = inside.mutable_data();
  {
    py::gil_scoped_release release;
    for (std::size_t i = 0; i < rows.size(); ++i) to[i] = contains(*shape, X, rows[i]);
  }
  return inside;
}

constexpr const char* kPoses = "Poses (None: the identity) are of the shapes' frames in a common one, W.";

void bindResults(py::module_& m) {
  Class<DistanceResult>(m, "DistanceResult", "Distance of two shapes and where they are nearest.")
      .def_readonly("found", &DistanceResult::found,
                    "False when a shape is empty or nothing is within the upper bound.")
      .def_readonly(
          "distance", &DistanceResult::distance,
          "m; negative where they overlap: minus the depth for solids (primitives, hulls), 0 for bare meshes.")
      .def_property_readonly(
          "p_WA", [](const DistanceResult& r) { return arrayOf(r.p_WA); }, "Nearest point (3,) of the first, m.")
      .def_property_readonly(
          "p_WB", [](const DistanceResult& r) { return arrayOf(r.p_WB); }, "Nearest point (3,) of the second, m.")
      .def_property_readonly(
          "normal_W", [](const DistanceResult& r) { return arrayOf(r.normal_W); },
          "Unit (3,), from the first to the second.")
      .def_property_readonly(
          "elements",
          [](const DistanceResult& r) {
            return py::make_tuple(py::make_tuple(r.elements.a.part, r.elements.a.index),
                                  py::make_tuple(r.elements.b.part, r.elements.b.index));
          },
          "elements: tuple[tuple[int, int], tuple[int, int]]\n\n((part, index), (part, index)): which triangles, "
          "points or parts.")
      .def("__bool__", [](const DistanceResult& r) { return r.found; })
      .def("__repr__", [](const DistanceResult& r) {
        std::ostringstream text;
        text << "DistanceResult(";
        if (r.found)
          text << r.distance << " m)";
        else
          text << "nothing found)";
        return text.str();
      });
  Class<RayHit>(m, "RayHit", "The first point of a shape on a ray. False where there is none.")
      .def_readonly("hit", &RayHit::hit, "Whether the ray meets anything.")
      .def_readonly("t", &RayHit::t, "The point is origin + t direction.")
      .def_property_readonly(
          "p_W", [](const RayHit& r) { return arrayOf(r.p_W); }, "(3,), m")
      .def_property_readonly(
          "normal_W", [](const RayHit& r) { return arrayOf(r.normal_W); }, "Unit (3,), against the ray.")
      .def_property_readonly(
          "element", [](const RayHit& r) { return py::make_tuple(r.element.part, r.element.index); },
          "element: tuple[int, int]\n\n(part, index)")
      .def("__bool__", [](const RayHit& r) { return r.hit; })
      .def("__repr__", [](const RayHit& r) {
        std::ostringstream text;
        text << "RayHit(";
        if (r.hit)
          text << "t = " << r.t << ")";
        else
          text << "nothing)";
        return text.str();
      });
}

}  // namespace

void rayRow(const RayHit& hit, bool found, double* t, double* point, double* normal) {
  *t = found ? hit.t : std::numeric_limits<double>::infinity();
  for (Eigen::Index k = 0; k < 3; ++k) {
    point[k] = found ? hit.p_W[k] : std::numeric_limits<double>::quiet_NaN();
    normal[k] = found ? hit.normal_W[k] : std::numeric_limits<double>::quiet_NaN();
  }
}

namespace {

void bindRays(Class<CollisionShape, ShapeHolder>& shape) {
  shape
      .def(
          "ray_cast",
          [](const ShapeHolder& s, py::handle origin, py::handle direction, py::handle pose, py::handle max) {
            const Ray ray = rayFrom(origin, direction, max);
            RayHit hit;
            rayCast(*s, poseFrom(pose, "pose"), ray, hit);
            return hit;
          },
          py::arg("origin"), py::arg("direction"), py::arg("pose") = py::none(), py::arg("max") = py::none(),
          "ray_cast(origin: ArrayLike, direction: ArrayLike, pose: Pose | None = None, max: float | None = None) -> "
          "RayHit\n\nThe first point origin + t direction with t up to max.")
      .def("ray_casts", &castRays, py::arg("origins"), py::arg("directions"), py::arg("pose") = py::none(),
           py::arg("max") = py::none(), py::arg("threads") = 0,
           "ray_casts(origins: ArrayLike, directions: ArrayLike, pose: Pose | None = None, max: float | None = None, "
           "threads = 0) -> dict[str, Any]\n\nOf rows (n, 3): t (n,), infinite without a hit, points and normals (n, "
           "3), elements (n, 2). Without the GIL.")
      .def("contains", &containsPoints, py::arg("points"), py::arg("pose") = py::none(),
           "contains(points: ArrayLike, pose: Pose | None = None) -> Any\n\nWhether a point (3,) "
           "is in the shape: bool; of points (n, 3): (n,) of bool. Inside a mesh by its generalized winding number "
           "(Jacobson et al., 2013).")
      .def("__repr__", [](const CollisionShape& s) {
        return "CollisionShape(" + std::string(s.geometry() ? shapeKind(*s.geometry()) : "empty") + ", " +
               std::to_string(s.numElements()) + (s.numElements() == 1 ? " element)" : " elements)");
      });
}

}  // namespace

void bindCollisionShapes(py::module_& m) {
  bindResults(m);
  static const std::string distanceDoc =
      std::string(
          "distance(other: CollisionShape | Geometry, pose: Pose | None = None, other_pose: Pose | None = None, "
          "upper_bound: float | None = None) -> DistanceResult\n\nother: a CollisionShape, or a Geometry (then "
          "prepared each time). upper_bound (m): farther pairs are not looked for. ") +
      kPoses;
  static const std::string contactsDoc =
      std::string(
          "contacts(other: CollisionShape | Geometry, tolerance = 0, pose: Pose | None = None, other_pose: Pose | None "
          "= None, max = 1000000) -> dict[str, Any]\n\nEvery pair of elements no more than tolerance (m) apart: "
          "points_a, points_b, normals (n, 3), from a to b, gaps (n,), m, negative where they overlap, elements (n, "
          "4): part and index in each. ") +
      kPoses;
  Class<CollisionShape, ShapeHolder> shape(
      m, "CollisionShape",
      "CollisionShape(geometry)\n\nA geometry prepared for queries: convex elements "
      "under a hierarchy of boxes. Immutable; threads share it.");
  shape
      .def(constructor([](const std::shared_ptr<Geometry>& geometry) {
             py::gil_scoped_release release;
             return held(makeCollisionShape(geometry));
           }),
           py::arg("geometry").none(false))
      .def_property_readonly(
          "geometry", [](const CollisionShape& s) { return held(s.geometry()); }, "The shape, a Geometry.")
      .def_property_readonly("num_elements", &CollisionShape::numElements, "Triangles, points, primitives.")
      .def(
          "bounds", [](const CollisionShape& s) { return boundsOf(s.bounds()); },
          "bounds() -> tuple[ndarray, ndarray]\n\nLowest and highest. Corners (3,), m, margin included.")
      .def("distance", &distanceOf, py::arg("other"), py::arg("pose") = py::none(), py::arg("other_pose") = py::none(),
           py::arg("upper_bound") = py::none(), distanceDoc.c_str())
      .def("collides", &collides, py::arg("other"), py::arg("pose") = py::none(), py::arg("other_pose") = py::none(),
           py::arg("within") = 0.0,
           "collides(other: CollisionShape | Geometry, pose: Pose | None = None, other_pose: Pose | None = None, "
           "within = 0) -> bool\n\nWhether the two have a point in common, or come within a distance (m). Exact "
           "between triangles; touching counts.")
      .def("contacts", &contactsBetween, py::arg("other"), py::arg("tolerance") = 0.0, py::arg("pose") = py::none(),
           py::arg("other_pose") = py::none(), py::arg("max") = 1000000, contactsDoc.c_str());
  bindRays(shape);
}

}  // namespace mortise::python
