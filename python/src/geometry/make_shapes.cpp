#include <cmath>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "geometry/shapes.h"

namespace mortise::python {

void requireNumber(double number, const char* name, double minimum) {
  if (std::isfinite(number) && number >= minimum) return;
  const std::string wanted = minimum == 0 ? "a finite number of at least 0" : "a finite number";
  throw py::value_error(std::string(name) + ": expected " + wanted + ", found " + std::to_string(number));
}

double numberFrom(py::handle from, const char* name) {
  const double number = PyType_Check(from.ptr()) != 0 ? -1 : PyFloat_AsDouble(from.ptr());
  if (number != -1 || (PyErr_Occurred() == nullptr && PyType_Check(from.ptr()) == 0)) return number;
  PyErr_Clear();
  throw py::type_error(std::string(name) + ": expected a number, found " + shapeText(from));
}

Vector3d pointFrom(py::handle from, const char* name, const Vector3d& absent) {
  if (!from || from.is_none()) return absent;
  const Vector3d point = vector3From(from, name);
  if (!point.allFinite()) throw py::value_error(std::string(name) + ": expected finite numbers");
  return point;
}

std::vector<Vector3d> pointsFrom(py::handle from, const char* name) {
  const auto rows = rowsFrom(from, name, 3);
  std::vector<Vector3d> points(static_cast<std::size_t>(rows.shape(0)));
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = Eigen::Map<const Vector3d>(rows.data(static_cast<py::ssize_t>(i), 0));
    if (!points[i].allFinite())
      throw py::value_error(std::string(name) + ": expected finite numbers, found others in row " + std::to_string(i));
  }
  return points;
}

RigidTransform poseFrom(py::handle from, const char* name) {
  if (!from || from.is_none()) return {};
  const RigidTransform X = transformFrom(from, name);
  if (!X.R.allFinite() || !X.p.allFinite()) throw py::value_error(std::string(name) + ": expected finite numbers");
  const Matrix3d off = X.R.transpose() * X.R - Matrix3d::Identity();
  if (off.cwiseAbs().maxCoeff() > 1e-6 || X.R.determinant() < 0)
    throw py::value_error(std::string(name) + ": its 3 x 3 part is no rotation");
  return X;
}

namespace {

std::shared_ptr<Geometry> made(Geometry::Data data, double margin) {
  requireNumber(margin, "margin", 0);
  return std::make_shared<Geometry>(std::move(data), margin);
}

BoxShape boxFrom(const Vector3d& size, const RigidTransform& pose, bool centered) {
  BoxShape box{pose, size};
  if (centered) box.X.p = pose * Vector3d(-0.5 * size);
  return box;
}

Geometry::Data makeBox(py::handle size, py::handle pose, bool centered) {
  const Vector3d lengths = pointFrom(size, "size", Vector3d::Ones());
  if ((lengths.array() < 0).any()) throw py::value_error("size: expected lengths of at least 0");
  if (!pose.is_none()) return boxFrom(lengths, poseFrom(pose, "pose"), centered);
  if (!centered) return AxisAlignedBoxShape{Vector3d::Zero(), lengths};
  return AxisAlignedBoxShape{-0.5 * lengths, 0.5 * lengths};
}

Geometry::Data makeAlignedBox(py::handle min, py::handle max) {
  AxisAlignedBoxShape box{pointFrom(min, "min", Vector3d::Zero()), pointFrom(max, "max", Vector3d::Zero())};
  if ((box.min.array() > box.max.array()).any()) throw py::value_error("max: expected no coordinate below that of min");
  return box;
}

Geometry::Data makeCylinder(double radius, double height, py::handle base, py::handle axis) {
  requireNumber(radius, "radius", 0);
  requireNumber(height, "height", 0);
  CylinderShape shape;
  shape.radius = radius;
  shape.height = height;
  shape.base = pointFrom(base, "base", Vector3d::Zero());
  shape.axis = pointFrom(axis, "axis", Vector3d::UnitZ());
  const double length = shape.axis.norm();
  if (!(length > 1e-12)) throw py::value_error("axis: expected a direction, found a vector of no length");
  if (std::abs(length - 1) > 1e-12) shape.axis /= length;  // A unit vector keeps its bits.
  return shape;
}

Geometry::Data makeMesh(py::handle vertices, py::handle triangles) {
  TriangleMesh mesh;
  mesh.vertices = pointsFrom(vertices, "vertices");
  const py::array given = py::array::ensure(triangles);
  if (!given) PyErr_Clear();
  const char kind = given ? given.dtype().kind() : 'O';
  if (!given || (kind != 'i' && kind != 'u' && given.size() > 0))
    throw py::type_error("triangles: expected rows of three indices, found " + shapeText(triangles));
  const auto rows = py::array_t<long long, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!rows || ((rows.ndim() != 2 || rows.shape(1) != 3) && rows.size() > 0)) {
    PyErr_Clear();
    throw py::value_error("triangles: expected rows of shape (n, 3), found " + shapeText(triangles));
  }
  const py::ssize_t count = rows.size() / 3;
  const auto number = static_cast<long long>(mesh.vertices.size());
  mesh.triangles.resize(static_cast<std::size_t>(count));
  for (py::ssize_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const long long index = rows.data()[3 * i + static_cast<py::ssize_t>(k)];
      if (index < 0 || index >= number)
        throw py::value_error("triangles: row " + std::to_string(i) + " has vertex " + std::to_string(index) +
                              ", but there are " + std::to_string(number));
      mesh.triangles[static_cast<std::size_t>(i)][k] = static_cast<int>(index);
    }
  return mesh;
}

Geometry::Data makeCloud(py::handle points, py::handle properties, int columns, int rows) {
  PointCloud cloud;
  cloud.points = pointsFrom(points, "points");
  const auto size = static_cast<Eigen::Index>(cloud.points.size());
  if (!properties.is_none()) {
    if (PyDict_Check(properties.ptr()) == 0)
      throw py::type_error("properties: expected a dict of arrays, found " + shapeText(properties));
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(properties)) {
      if (PyUnicode_Check(key.ptr()) == 0) throw py::type_error("properties: expected names, found " + shapeText(key));
      const std::string name = py::str(key);
      const VectorXd numbers = vectorFrom(value, ("properties['" + name + "']").c_str(), size, Accept::any);
      cloud.properties.push_back({name, {numbers.data(), numbers.data() + numbers.size()}});
    }
  }
  const bool ordered = columns != 0 || rows != 0;
  if (ordered && (columns < 1 || rows < 1 || static_cast<Eigen::Index>(columns) * rows != size))
    throw py::value_error("columns, rows: expected numbers whose product is that of the points, " +
                          std::to_string(size));
  cloud.columns = columns;
  cloud.rows = rows;
  return cloud;
}

py::array_t<double, py::array::c_style> gridFrom(py::handle from, const char* name, py::ssize_t dimensions) {
  auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(from);
  if (!array || array.ndim() != dimensions || array.size() == 0) {
    PyErr_Clear();
    throw py::value_error(std::string(name) + ": expected an array of " + std::to_string(dimensions) +
                          " dimensions, found " + shapeText(from));
  }
  for (py::ssize_t i = 0; i < array.ndim(); ++i)
    if (array.shape(i) > 1000000) throw py::value_error(std::string(name) + ": an edge is longer than 1,000,000");
  return py::reinterpret_borrow<py::array_t<double, py::array::c_style>>(array);
}

Geometry::Data makeHeightmap(py::handle heights, py::handle size, py::handle pose) {
  const auto array = gridFrom(heights, "heights", 2);
  if (array.shape(0) < 2 || array.shape(1) < 2) throw py::value_error("heights: expected at least 2 x 2 points");
  HeightmapShape shape;
  shape.X = poseFrom(pose, "pose");
  shape.rows = static_cast<int>(array.shape(0));
  shape.columns = static_cast<int>(array.shape(1));
  const VectorXd lengths = vectorFrom(size, "size", 2);
  for (Eigen::Index i = 0; i < 2; ++i) {
    requireNumber(lengths[i], "size", 0);
    shape.size[static_cast<std::size_t>(i)] = lengths[i];
  }
  shape.heights.assign(array.data(), array.data() + array.size());
  for (const double height : shape.heights) requireNumber(height, "heights");
  return shape;
}

VolumeGrid makeGrid(py::handle values, py::handle min, py::handle max, py::handle pose) {
  const auto array = gridFrom(values, "values", 3);
  VolumeGrid grid;
  grid.X = poseFrom(pose, "pose");
  grid.min = pointFrom(min, "min", Vector3d::Zero());
  grid.max = pointFrom(max, "max", Vector3d::Ones());
  if ((grid.min.array() >= grid.max.array()).any())
    throw py::value_error("max: expected coordinates above those of min");
  for (py::ssize_t i = 0; i < 3; ++i) grid.cells[static_cast<std::size_t>(i)] = static_cast<int>(array.shape(i));
  grid.values.assign(array.data(), array.data() + array.size());
  for (const double value : grid.values) requireNumber(value, "values");
  return grid;
}

Geometry::Data makeGroup(py::handle parts) {
  if (PySequence_Check(parts.ptr()) == 0 || PyUnicode_Check(parts.ptr()) != 0)
    throw py::type_error("parts: expected a list of Geometry, found " + shapeText(parts));
  GeometryGroup group;
  for (const auto part : parts) {
    if (!py::isinstance<Geometry>(part)) throw py::type_error("parts: expected Geometry, found " + shapeText(part));
    group.parts.push_back(part.cast<std::shared_ptr<Geometry>>());
  }
  return group;
}

void bindSolids(GeometryClass& type) {
  type.def_static(
          "sphere",
          [](double radius, py::handle center, double margin) {
            requireNumber(radius, "radius", 0);
            return made(SphereShape{pointFrom(center, "center", Vector3d::Zero()), radius}, margin);
          },
          py::arg("radius"), py::arg("center") = py::none(), py::arg("margin") = 0.0,
          "sphere(radius, center: ArrayLike | None = None, margin = 0) -> Geometry\n\nm; center (3,), the origin if "
          "None.")
      .def_static(
          "box",
          [](py::handle size, py::handle pose, bool centered, double margin) {
            return made(makeBox(size, pose, centered), margin);
          },
          py::arg("size"), py::arg("pose") = py::none(), py::arg("centered") = true, py::arg("margin") = 0.0,
          "box(size: ArrayLike, pose: Pose | None = None, centered = True, margin = 0) -> Geometry\n\nsize: (3,), m. "
          "pose: of its middle, or, with centered=False, of the corner from which its edges go along the axes.")
      .def_static(
          "aligned_box",
          [](py::handle min, py::handle max, double margin) { return made(makeAlignedBox(min, max), margin); },
          py::arg("min"), py::arg("max"), py::arg("margin") = 0.0,
          "aligned_box(min: ArrayLike, max: ArrayLike, margin = 0) -> Geometry\n\nBetween two corners (3,), m.")
      .def_static(
          "ellipsoid",
          [](py::handle radii, py::handle pose, double margin) {
            const Vector3d lengths = pointFrom(radii, "radii", Vector3d::Ones());
            if ((lengths.array() < 0).any()) throw py::value_error("radii: expected lengths of at least 0");
            return made(EllipsoidShape{poseFrom(pose, "pose"), lengths}, margin);
          },
          py::arg("radii"), py::arg("pose") = py::none(), py::arg("margin") = 0.0,
          "ellipsoid(radii: ArrayLike, pose: Pose | None = None, margin = 0) -> Geometry\n\nSemi-axes (3,), m, along "
          "the pose's axes.")
      .def_static(
          "cylinder",
          [](double radius, double height, py::handle base, py::handle axis, double margin) {
            return made(makeCylinder(radius, height, base, axis), margin);
          },
          py::arg("radius"), py::arg("height"), py::arg("base") = py::none(), py::arg("axis") = py::none(),
          py::arg("margin") = 0.0,
          "cylinder(radius, height, base: ArrayLike | None = None, axis: ArrayLike | None = None, margin = 0) -> "
          "Geometry\n\nFrom the middle of one cap, base (the origin if None), along axis (z if None); m.")
      .def_static(
          "capsule",
          [](py::handle a, py::handle b, double radius, double margin) {
            requireNumber(radius, "radius", 0);
            return made(CapsuleShape{pointFrom(a, "a", Vector3d::Zero()), pointFrom(b, "b", Vector3d::Zero()), radius},
                        margin);
          },
          py::arg("a"), py::arg("b"), py::arg("radius"), py::arg("margin") = 0.0,
          "capsule(a: ArrayLike, b: ArrayLike, radius, margin = 0) -> Geometry\n\nEverything within radius of a "
          "segment; m.");
}

void bindPrimitives(GeometryClass& type) {
  type.def_static(
          "point",
          [](py::handle p, double margin) { return made(PointShape{pointFrom(p, "p", Vector3d::Zero())}, margin); },
          py::arg("p"), py::arg("margin") = 0.0, "point(p: ArrayLike, margin = 0) -> Geometry\n\np: (3,), m.")
      .def_static(
          "segment",
          [](py::handle a, py::handle b, double margin) {
            return made(SegmentShape{pointFrom(a, "a", Vector3d::Zero()), pointFrom(b, "b", Vector3d::Zero())}, margin);
          },
          py::arg("a"), py::arg("b"), py::arg("margin") = 0.0,
          "segment(a: ArrayLike, b: ArrayLike, margin = 0) -> Geometry\n\nEnds (3,), m.")
      .def_static(
          "triangle",
          [](py::handle a, py::handle b, py::handle c, double margin) {
            return made(TriangleShape{pointFrom(a, "a", Vector3d::Zero()), pointFrom(b, "b", Vector3d::Zero()),
                                      pointFrom(c, "c", Vector3d::Zero())},
                        margin);
          },
          py::arg("a"), py::arg("b"), py::arg("c"), py::arg("margin") = 0.0,
          "triangle(a: ArrayLike, b: ArrayLike, c: ArrayLike, margin = 0) -> Geometry\n\nCorners (3,), m.")
      .def_static(
          "polygon",
          [](py::handle vertices, double margin) {
            return made(PolygonShape{pointsFrom(vertices, "vertices")}, margin);
          },
          py::arg("vertices"), py::arg("margin") = 0.0,
          "polygon(vertices: ArrayLike, margin = 0) -> Geometry\n\nvertices: (n, 3), m, in a plane and in order.");
  bindSolids(type);
}

}  // namespace

namespace {

void bindFields(GeometryClass& type) {
  type.def_static(
          "implicit_surface",
          [](py::handle values, py::handle min, py::handle max, py::handle truncation, py::handle pose, double margin) {
            ImplicitSurfaceShape shape{makeGrid(values, min, max, pose)};
            if (!truncation.is_none()) shape.truncation = numberFrom(truncation, "truncation");
            if (!(shape.truncation > 0)) throw py::value_error("truncation: expected a distance above 0");
            return made(std::move(shape), margin);
          },
          py::arg("values"), py::arg("min"), py::arg("max"), py::arg("truncation") = py::none(),
          py::arg("pose") = py::none(), py::arg("margin") = 0.0,
          "implicit_surface(values: ArrayLike, min: ArrayLike, max: ArrayLike, truncation: float | None = None, pose: "
          "Pose | None = None, margin = 0) -> Geometry\n\nvalues: (i, j, k), signed distances (m) at the middles of "
          "cells between the corners min and max.")
      .def_static(
          "occupancy_grid",
          [](py::handle values, py::handle min, py::handle max, double threshold, py::handle pose, double margin) {
            requireNumber(threshold, "threshold");
            return made(OccupancyGridShape{makeGrid(values, min, max, pose), threshold}, margin);
          },
          py::arg("values"), py::arg("min"), py::arg("max"), py::arg("threshold") = 0.5, py::arg("pose") = py::none(),
          py::arg("margin") = 0.0,
          "occupancy_grid(values: ArrayLike, min: ArrayLike, max: ArrayLike, threshold = 0.5, pose: Pose | None = "
          "None, margin = 0) -> Geometry\n\nSolid in each cell of values (i, j, k) above the threshold.")
      .def_static(
          "group", [](py::handle parts, double margin) { return made(makeGroup(parts), margin); }, py::arg("parts"),
          py::arg("margin") = 0.0,
          "group(parts: Sequence[Geometry], margin = 0) -> Geometry\n\nSeveral shapes as one.");
}

}  // namespace

void bindShapeMakers(GeometryClass& type) {
  bindPrimitives(type);
  type.def_static(
          "mesh",
          [](py::handle vertices, py::handle triangles, double margin) {
            return made(makeMesh(vertices, triangles), margin);
          },
          py::arg("vertices"), py::arg("triangles"), py::arg("margin") = 0.0,
          "mesh(vertices: ArrayLike, triangles: ArrayLike, margin = 0) -> Geometry\n\nvertices: (n, 3), m; triangles: "
          "(m, 3) integers, counter-clockwise seen from outside. Both are copied, once.")
      .def_static(
          "convex_hull",
          [](py::handle points, double margin) { return made(ConvexHullShape{pointsFrom(points, "points")}, margin); },
          py::arg("points"), py::arg("margin") = 0.0,
          "convex_hull(points: ArrayLike, margin = 0) -> Geometry\n\nThe convex hull of points (n, 3), m.")
      .def_static(
          "point_cloud",
          [](py::handle points, py::handle properties, int columns, int rows, double margin) {
            return made(makeCloud(points, properties, columns, rows), margin);
          },
          py::arg("points"), py::arg("properties") = py::none(), py::arg("columns") = 0, py::arg("rows") = 0,
          py::arg("margin") = 0.0,
          "point_cloud(points: ArrayLike, properties: Mapping[str, ArrayLike] | None = None, columns = 0, rows = 0, "
          "margin = 0) -> Geometry\n\npoints: (n, 3), m; properties: {name: (n,)}, of which normal_x, normal_y and "
          "normal_z turn with the cloud. columns, rows: where the points stand row by row as in an image.")
      .def_static(
          "heightmap",
          [](py::handle heights, py::handle size, py::handle pose, double margin) {
            return made(makeHeightmap(heights, size, pose), margin);
          },
          py::arg("heights"), py::arg("size"), py::arg("pose") = py::none(), py::arg("margin") = 0.0,
          "heightmap(heights: ArrayLike, size: ArrayLike, pose: Pose | None = None, margin = 0) -> "
          "Geometry\n\nheights: (rows, columns), m, rows along y; size: (2,), m, from the first to the last point "
          "along x and y. The middle is at the pose; solid below.");
  bindFields(type);
}

}  // namespace mortise::python
