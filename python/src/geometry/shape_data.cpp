#include <pybind11/stl.h>

#include "common/arrays.h"
#include "geometry/shapes.h"

namespace mortise::python {

namespace {

using Shape = std::shared_ptr<Geometry>;

struct KindName {
  std::string_view operator()(const std::monostate&) const { return ""; }
  std::string_view operator()(const PointShape&) const { return "point"; }
  std::string_view operator()(const SegmentShape&) const { return "segment"; }
  std::string_view operator()(const TriangleShape&) const { return "triangle"; }
  std::string_view operator()(const PolygonShape&) const { return "polygon"; }
  std::string_view operator()(const SphereShape&) const { return "sphere"; }
  std::string_view operator()(const AxisAlignedBoxShape&) const { return "aligned_box"; }
  std::string_view operator()(const BoxShape&) const { return "box"; }
  std::string_view operator()(const EllipsoidShape&) const { return "ellipsoid"; }
  std::string_view operator()(const CylinderShape&) const { return "cylinder"; }
  std::string_view operator()(const CapsuleShape&) const { return "capsule"; }
  std::string_view operator()(const TriangleMesh&) const { return "mesh"; }
  std::string_view operator()(const ConvexHullShape&) const { return "convex_hull"; }
  std::string_view operator()(const PointCloud&) const { return "point_cloud"; }
  std::string_view operator()(const GeometryGroup&) const { return "group"; }
  std::string_view operator()(const HeightmapShape&) const { return "heightmap"; }
  std::string_view operator()(const ImplicitSurfaceShape&) const { return "implicit_surface"; }
  std::string_view operator()(const OccupancyGridShape&) const { return "occupancy_grid"; }
};

/// (n, 3), of the shape's own memory.
py::array pointsView(const Shape& shape, const std::vector<Vector3d>& points) {
  if (points.empty()) return readOnly(py::array_t<double>(std::vector<py::ssize_t>{0, 3}));
  return viewOf(points.front().data(), {static_cast<py::ssize_t>(points.size()), 3}, {24, 8}, ownerOf(shape), false);
}

py::array trianglesView(const Shape& shape, const std::vector<std::array<int, 3>>& triangles) {
  static_assert(sizeof(std::array<int, 3>) == 3 * sizeof(int));
  if (triangles.empty()) return readOnly(py::array_t<int>(std::vector<py::ssize_t>{0, 3}));
  return readOnly(py::array(py::dtype::of<int>(), {static_cast<py::ssize_t>(triangles.size()), py::ssize_t{3}}, {12, 4},
                            triangles.front().data(), ownerOf(shape)));
}

py::array numbersView(const Shape& shape, const std::vector<double>& numbers, std::vector<py::ssize_t> sizes) {
  if (numbers.empty()) return readOnly(py::array_t<double>(std::move(sizes)));
  std::vector<py::ssize_t> strides(sizes.size(), 8);
  for (std::size_t i = sizes.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * sizes[i];
  return viewOf(numbers.data(), std::move(sizes), std::move(strides), ownerOf(shape), false);
}

py::dict propertiesOf(const Shape& shape, const PointCloud& cloud) {
  py::dict properties;
  for (const PointCloud::Property& property : cloud.properties)
    properties[py::str(property.name)] =
        numbersView(shape, property.values, {static_cast<py::ssize_t>(property.values.size())});
  return properties;
}

py::list partsOf(const GeometryGroup& group) {
  py::list parts;
  for (const GeometryPtr& part : group.parts) parts.append(held(part));
  return parts;
}

void addGrid(const Shape& shape, const VolumeGrid& grid, py::dict& to) {
  to["values"] = numbersView(shape, grid.values, {grid.cells[0], grid.cells[1], grid.cells[2]});
  to["min"] = arrayOf(grid.min);
  to["max"] = arrayOf(grid.max);
  to["pose"] = grid.X;
}

/// The arguments of the function that makes the shape.
struct Parameters {
  const Shape& shape;
  py::dict& to;

  void operator()(const std::monostate&) const {}
  void operator()(const PointShape& s) const { to["p"] = arrayOf(s.point); }
  void operator()(const SegmentShape& s) const {
    to["a"] = arrayOf(s.a);
    to["b"] = arrayOf(s.b);
  }
  void operator()(const TriangleShape& s) const {
    to["a"] = arrayOf(s.a);
    to["b"] = arrayOf(s.b);
    to["c"] = arrayOf(s.c);
  }
  void operator()(const PolygonShape& s) const { to["vertices"] = pointsView(shape, s.vertices); }
  void operator()(const SphereShape& s) const {
    to["radius"] = s.radius;
    to["center"] = arrayOf(s.center);
  }
  void operator()(const AxisAlignedBoxShape& s) const {
    to["min"] = arrayOf(s.min);
    to["max"] = arrayOf(s.max);
  }
  void operator()(const BoxShape& s) const {
    to["size"] = arrayOf(s.size);
    to["pose"] = s.X;
    to["centered"] = false;
  }
  void operator()(const EllipsoidShape& s) const {
    to["radii"] = arrayOf(s.radii);
    to["pose"] = s.X;
  }
  void operator()(const CylinderShape& s) const {
    to["radius"] = s.radius;
    to["height"] = s.height;
    to["base"] = arrayOf(s.base);
    to["axis"] = arrayOf(s.axis);
  }
  void operator()(const CapsuleShape& s) const {
    to["a"] = arrayOf(s.a);
    to["b"] = arrayOf(s.b);
    to["radius"] = s.radius;
  }
  void operator()(const TriangleMesh& s) const {
    to["vertices"] = pointsView(shape, s.vertices);
    to["triangles"] = trianglesView(shape, s.triangles);
  }
  void operator()(const ConvexHullShape& s) const { to["points"] = pointsView(shape, s.points); }
  void operator()(const PointCloud& s) const {
    to["points"] = pointsView(shape, s.points);
    to["properties"] = propertiesOf(shape, s);
    to["columns"] = s.columns;
    to["rows"] = s.rows;
  }
  void operator()(const GeometryGroup& s) const { to["parts"] = partsOf(s); }
  void operator()(const HeightmapShape& s) const {
    to["heights"] = numbersView(shape, s.heights, {s.rows, s.columns});
    to["size"] = py::make_tuple(s.size[0], s.size[1]);
    to["pose"] = s.X;
  }
  void operator()(const ImplicitSurfaceShape& s) const {
    addGrid(shape, s.grid, to);
    to["truncation"] = s.truncation;
  }
  void operator()(const OccupancyGridShape& s) const {
    addGrid(shape, s.grid, to);
    to["threshold"] = s.threshold;
  }
};

py::dict parametersOf(const Shape& shape) {
  py::dict parameters;
  std::visit(Parameters{shape, parameters}, shape->data());
  return parameters;
}

/// An attribute that only some kinds have.
py::object parameterOf(const Shape& shape, const char* name) {
  const py::dict parameters = parametersOf(shape);
  if (parameters.contains(name)) return parameters[name];
  throw py::attribute_error(shape->empty()
                                ? std::string("an empty Geometry has no ") + name
                                : "a geometry of kind '" + std::string(shapeKind(*shape)) + "' has no " + name);
}

/// From what a pickle holds: kind, parameters, margin, file.
Shape restored(const py::tuple& state) {
  if (state.size() != 4 || !py::isinstance<py::str>(state[0]) || !py::isinstance<py::dict>(state[1]) ||
      !py::isinstance<py::str>(state[3]))
    throw py::value_error("a Geometry's state is (kind, parameters, margin, file)");
  const std::string kind = py::str(state[0]), file = py::str(state[3]);
  if (kind.empty()) return std::make_shared<Geometry>();
  const py::object type = py::type::of<Geometry>();
  if (!py::hasattr(type, kind.c_str())) throw py::value_error("a Geometry's state names no kind, but '" + kind + "'");
  py::dict all = py::reinterpret_steal<py::dict>(PyDict_Copy(py::object(state[1]).ptr()));
  all["margin"] = state[2];
  const py::object made = type.attr(kind.c_str())(**all);
  if (!py::isinstance<Geometry>(made)) throw py::value_error("a Geometry's state names no kind, but '" + kind + "'");
  const auto shape = made.cast<Shape>();
  return file.empty() ? shape : held(shape->withFile(file));
}

}  // namespace

std::string_view shapeKind(const Geometry& geometry) { return std::visit(KindName{}, geometry.data()); }

void bindShapeData(GeometryClass& type) {
  type.def_property_readonly(
          "kind", [](const Geometry& g) { return std::string(shapeKind(g)); },
          "Name of the function that makes such a shape: 'sphere', 'mesh', ...; '' when empty.")
      .def_property_readonly("parameters", &parametersOf,
                             "dict: the arguments of that function, without the margin; arrays are views.")
      .def_property_readonly(
          "vertices",
          [](const Shape& g) {
            const bool named = g->as<ConvexHullShape>() != nullptr || g->as<PointCloud>() != nullptr;
            return parameterOf(g, named ? "points" : "vertices");
          },
          "vertices: ndarray\n\n(n, 3), m: a read-only view of a mesh's or polygon's vertices, or of the points of a "
          "hull or cloud.")
      .def_property_readonly(
          "points", [](const Shape& g) { return parameterOf(g, "points"); },
          "points: ndarray\n\n(n, 3), m: a read-only view of the points of a cloud or hull.")
      .def_property_readonly(
          "triangles", [](const Shape& g) { return parameterOf(g, "triangles"); },
          "triangles: NDArray[np.int32]\n\n(m, 3), int32: a read-only view of a mesh's triangles.")
      .def_property_readonly(
          "properties", [](const Shape& g) { return parameterOf(g, "properties"); },
          "properties: dict[str, ndarray]\n\n{name: (n,)}: read-only views of a cloud's properties.")
      .def_property_readonly(
          "values", [](const Shape& g) { return parameterOf(g, "values"); },
          "values: ndarray\n\n(i, j, k): a read-only view of a volume's numbers.")
      .def_property_readonly(
          "heights", [](const Shape& g) { return parameterOf(g, "heights"); },
          "heights: ndarray\n\n(rows, columns), m: a read-only view of a heightmap.")
      .def_property_readonly(
          "parts", [](const Shape& g) { return parameterOf(g, "parts"); },
          "parts: list[Geometry]\n\nThe shapes of a group: list of Geometry.")
      .def(
          pickled([](const Shape& g) { return py::make_tuple(shapeKind(*g), parametersOf(g), g->margin(), g->file()); },
                  &restored));
  type.def("__copy__", [](const Shape& g) { return g; })
      .def(
          "__deepcopy__", [](const Shape& g, const py::dict&) { return g; }, py::arg("memo"));
}

}  // namespace mortise::python
