#include <pybind11/functional.h>

#include "common/arrays.h"
#include "common/collected.h"
#include "common/define.h"
#include "common/environment.h"
#include "mortise/base/value_text.h"
#include "mortise/geometry/klampt_automass.h"
#include "mortise/geometry/mass_assumptions.h"
#include "mortise/geometry/posed_bounds.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/loading/format_loader.h"
#include "robotsim/bind.h"

namespace mortise::robotsim {

namespace {

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;
using IndexRows = py::array_t<int, py::array::c_style | py::array::forcecast>;

std::vector<Vector3d> pointsFrom(const Rows& rows) {
  std::vector<Vector3d> points;
  if (rows.size() == 0) return points;
  if (rows.ndim() != 2 || rows.shape(1) != 3) throw py::value_error("points are an array of n rows of 3 numbers");
  points.resize(static_cast<std::size_t>(rows.shape(0)));
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = Eigen::Map<const Vector3d>(rows.data() + 3 * i);
  return points;
}

py::array_t<double> rowsOf(const std::vector<Vector3d>& points) {
  py::array_t<double> rows({static_cast<py::ssize_t>(points.size()), py::ssize_t(3)});
  if (!points.empty()) std::memcpy(rows.mutable_data(), points.data(), points.size() * sizeof(Vector3d));
  return rows;
}

GeometryPtr meshFrom(const Rows& vertices, const IndexRows& indices) {
  TriangleMesh mesh;
  mesh.vertices = pointsFrom(vertices);
  if (indices.size() > 0) {
    if (indices.ndim() != 2 || indices.shape(1) != 3)
      throw py::value_error("triangles are an array of n rows of 3 indices");
    mesh.triangles.resize(static_cast<std::size_t>(indices.shape(0)));
    std::memcpy(mesh.triangles.data(), indices.data(), mesh.triangles.size() * sizeof(mesh.triangles[0]));
  }
  const int count = static_cast<int>(mesh.vertices.size());
  for (const auto& t : mesh.triangles)
    for (const int corner : t)
      if (corner < 0 || corner >= count)
        throw py::value_error("a triangle names vertex " + std::to_string(corner) + ", but there are " +
                              std::to_string(count));
  return std::make_shared<Geometry>(std::move(mesh));
}

GeometryPtr cloudFrom(const Rows& points, const std::vector<std::string>& names, const Rows& properties, int columns,
                      int rows) {
  PointCloud cloud;
  cloud.points = pointsFrom(points);
  cloud.columns = columns;
  cloud.rows = rows;
  for (std::size_t k = 0; k < names.size(); ++k) {
    PointCloud::Property property{names[k], {}};
    for (std::size_t i = 0; i < cloud.points.size(); ++i)
      property.values.push_back(properties.at(static_cast<py::ssize_t>(i), static_cast<py::ssize_t>(k)));
    cloud.properties.push_back(std::move(property));
  }
  return std::make_shared<Geometry>(std::move(cloud));
}

Vector3d at(const std::vector<double>& numbers, std::size_t i) { return {numbers[i], numbers[i + 1], numbers[i + 2]}; }

RigidTransform poseAt(const std::vector<double>& n, std::size_t i) {
  RigidTransform X;
  X.p = at(n, i);
  for (int column = 0; column < 3; ++column) X.R.col(column) = at(n, i + 3 + 3 * static_cast<std::size_t>(column));
  return X;
}

GeometryPtr primitiveFrom(const std::string& kind, const std::vector<double>& n) {
  const auto need = [&](std::size_t size) {
    if (n.size() != size)
      throw py::value_error("a primitive of type " + kind + " has " + std::to_string(size) + " numbers, not " +
                            std::to_string(n.size()));
  };
  const auto make = [](auto shape) { return std::make_shared<Geometry>(std::move(shape)); };
  if (kind == "Point") return need(3), make(PointShape{at(n, 0)});
  if (kind == "Sphere") return need(4), make(SphereShape{at(n, 0), n[3]});
  if (kind == "Segment") return need(6), make(SegmentShape{at(n, 0), at(n, 3)});
  if (kind == "Triangle") return need(9), make(TriangleShape{at(n, 0), at(n, 3), at(n, 6)});
  if (kind == "AABB") return need(6), make(AxisAlignedBoxShape{at(n, 0), at(n, 3)});
  if (kind == "Box") return need(15), make(BoxShape{poseAt(n, 0), at(n, 12)});
  if (kind == "Ellipsoid") return need(15), make(EllipsoidShape{poseAt(n, 0), at(n, 12)});
  if (kind == "Cylinder") return need(8), make(CylinderShape{at(n, 0), at(n, 3), n[6], n[7]});
  if (kind == "Capsule") return need(7), make(CapsuleShape{at(n, 0), at(n, 3), n[6]});
  if (kind == "Polygon") {
    if (n.size() < 9 || n.size() % 3 != 0) throw py::value_error("a polygon has at least 3 corners of 3 numbers each");
    PolygonShape polygon;
    for (std::size_t i = 0; i < n.size(); i += 3) polygon.vertices.push_back(at(n, i));
    return make(std::move(polygon));
  }
  throw py::value_error("there is no primitive of type '" + kind +
                        "': use Point, Sphere, Segment, Triangle, Polygon, AABB, Box, Ellipsoid, Cylinder or Capsule");
}

void put(std::vector<double>& n, const Vector3d& v) { n.insert(n.end(), v.data(), v.data() + 3); }
void put(std::vector<double>& n, const RigidTransform& X) {
  put(n, X.p);
  n.insert(n.end(), X.R.data(), X.R.data() + 9);
}

py::tuple primitiveData(const Geometry& g) {
  std::vector<double> n;
  std::string kind;
  if (const auto* s = g.as<PointShape>()) kind = "Point", put(n, s->point);
  if (const auto* s = g.as<SphereShape>()) kind = "Sphere", put(n, s->center), n.push_back(s->radius);
  if (const auto* s = g.as<SegmentShape>()) kind = "Segment", put(n, s->a), put(n, s->b);
  if (const auto* s = g.as<TriangleShape>()) kind = "Triangle", put(n, s->a), put(n, s->b), put(n, s->c);
  if (const auto* s = g.as<AxisAlignedBoxShape>()) kind = "AABB", put(n, s->min), put(n, s->max);
  if (const auto* s = g.as<BoxShape>()) kind = "Box", put(n, s->X), put(n, s->size);
  if (const auto* s = g.as<EllipsoidShape>()) kind = "Ellipsoid", put(n, s->X), put(n, s->radii);
  if (const auto* s = g.as<CylinderShape>())
    kind = "Cylinder", put(n, s->base), put(n, s->axis), n.push_back(s->radius), n.push_back(s->height);
  if (const auto* s = g.as<CapsuleShape>()) kind = "Capsule", put(n, s->a), put(n, s->b), n.push_back(s->radius);
  if (const auto* s = g.as<PolygonShape>()) {
    kind = "Polygon";
    for (const Vector3d& v : s->vertices) put(n, v);
  }
  return py::make_tuple(kind, n);
}

/// Corners of the box and numbers of the cells.
py::tuple gridData(const VolumeGrid& grid, double number) {
  py::array_t<double> values({grid.cells[0], grid.cells[1], grid.cells[2]});
  std::copy(grid.values.begin(), grid.values.end(), values.mutable_data());
  return py::make_tuple(listOf(grid.min), listOf(grid.max), values, number, pairOf(grid.X));
}

VolumeGrid gridFrom(const Vec3& min, const Vec3& max, const Rows& values) {
  if (values.ndim() != 3) throw py::value_error("the values of a grid are an array of three dimensions");
  VolumeGrid grid;
  grid.min = min.v;
  grid.max = max.v;
  for (int a = 0; a < 3; ++a) grid.cells[static_cast<std::size_t>(a)] = static_cast<int>(values.shape(a));
  grid.values.assign(values.data(), values.data() + values.size());
  return grid;
}

/// (heights of shape (columns, rows), size x, size y, pose)
py::tuple heightData(const HeightmapShape& map) {
  py::array_t<double> heights({map.columns, map.rows});
  auto h = heights.mutable_unchecked<2>();
  for (int i = 0; i < map.columns; ++i)
    for (int j = 0; j < map.rows; ++j)
      h(i, j) = map.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(map.columns) +
                            static_cast<std::size_t>(i)];
  return py::make_tuple(heights, map.size[0], map.size[1], pairOf(map.X));
}

GeometryPtr heightsFrom(const Rows& heights, double sizeX, double sizeY, const Rot9& R, const Vec3& t) {
  if (heights.ndim() != 2) throw py::value_error("heights are an array of two dimensions");
  HeightmapShape map;
  map.columns = static_cast<int>(heights.shape(0));
  map.rows = static_cast<int>(heights.shape(1));
  map.size = {sizeX, sizeY};
  map.X = {R.R, t.v};
  map.heights.resize(static_cast<std::size_t>(heights.size()));
  for (int i = 0; i < map.columns; ++i)
    for (int j = 0; j < map.rows; ++j)
      map.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(map.columns) + static_cast<std::size_t>(i)] =
          heights.at(i, j);
  return std::make_shared<Geometry>(std::move(map));
}

py::tuple cloudData(const PointCloud& cloud) {
  std::vector<std::string> names;
  py::array_t<double> properties(
      {static_cast<py::ssize_t>(cloud.points.size()), static_cast<py::ssize_t>(cloud.properties.size())});
  auto p = properties.mutable_unchecked<2>();
  for (std::size_t k = 0; k < cloud.properties.size(); ++k) {
    names.push_back(cloud.properties[k].name);
    for (std::size_t i = 0; i < cloud.points.size(); ++i)
      p(static_cast<py::ssize_t>(i), static_cast<py::ssize_t>(k)) = cloud.properties[k].values[i];
  }
  return py::make_tuple(rowsOf(cloud.points), names, properties, cloud.columns, cloud.rows);
}

py::object dataOf(const Shape& shape) {
  if (shape.empty()) return py::none();
  const Geometry& g = shape.require();
  if (const auto* mesh = g.as<TriangleMesh>()) {
    py::array_t<int> indices({static_cast<py::ssize_t>(mesh->triangles.size()), py::ssize_t(3)});
    if (!mesh->triangles.empty())
      std::memcpy(indices.mutable_data(), mesh->triangles.data(), mesh->triangles.size() * sizeof(mesh->triangles[0]));
    return py::make_tuple(rowsOf(mesh->vertices), indices);
  }
  if (const auto* cloud = g.as<PointCloud>()) return cloudData(*cloud);
  if (const auto* hull = g.as<ConvexHullShape>()) return rowsOf(hull->points);
  if (const auto* map = g.as<HeightmapShape>()) return heightData(*map);
  if (const auto* surface = g.as<ImplicitSurfaceShape>()) return gridData(surface->grid, surface->truncation);
  if (const auto* cells = g.as<OccupancyGridShape>()) return gridData(cells->grid, cells->threshold);
  if (const auto* group = g.as<GeometryGroup>()) {
    py::list parts;
    for (const GeometryPtr& part : group->parts) {
      auto element = std::make_shared<Shape>();
      element->set(part);
      parts.append(element);
    }
    return parts;
  }
  return primitiveData(g);
}

int numElements(const Shape& shape) {
  if (shape.empty()) return 0;
  const Geometry& g = shape.require();
  if (const auto* mesh = g.as<TriangleMesh>()) return static_cast<int>(mesh->triangles.size());
  if (const auto* cloud = g.as<PointCloud>()) return static_cast<int>(cloud->points.size());
  if (const auto* group = g.as<GeometryGroup>()) return static_cast<int>(group->parts.size());
  if (const auto* hull = g.as<ConvexHullShape>()) return static_cast<int>(hull->points.size());
  if (const auto* s = g.as<ImplicitSurfaceShape>()) return static_cast<int>(s->grid.values.size());
  if (const auto* s = g.as<OccupancyGridShape>()) return static_cast<int>(s->grid.values.size());
  if (const auto* s = g.as<HeightmapShape>()) return static_cast<int>(s->heights.size());
  return 1;
}

/// Cell number i of a grid, the last index fastest.
GeometryPtr cellOf(const VolumeGrid& grid, int i) {
  const Vector3d index(i / (grid.cells[1] * grid.cells[2]), i / grid.cells[2] % grid.cells[1], i % grid.cells[2]);
  const Vector3d size = grid.cellSize(), low = grid.min + index.cwiseProduct(size);
  if (grid.X.R.isIdentity(0))
    return std::make_shared<Geometry>(AxisAlignedBoxShape{grid.X.p + low, grid.X.p + low + size});
  return transformed(Geometry(AxisAlignedBoxShape{low, low + size}), AffineMap(grid.X));
}

GeometryPtr elementOf(const Shape& shape, int i) {
  if (i < 0 || i >= numElements(shape)) throw py::index_error("the geometry has no element " + std::to_string(i));
  const auto k = static_cast<std::size_t>(i);
  const Geometry& g = shape.require();
  if (const auto* group = g.as<GeometryGroup>()) return group->parts[k];
  if (const auto* cloud = g.as<PointCloud>()) return std::make_shared<Geometry>(PointShape{cloud->points[k]});
  if (const auto* mesh = g.as<TriangleMesh>()) {
    const auto& t = mesh->triangles[k];
    const auto corner = [&](std::size_t c) { return mesh->vertices[static_cast<std::size_t>(t[c])]; };
    return std::make_shared<Geometry>(TriangleShape{corner(0), corner(1), corner(2)});
  }
  if (const auto* field = g.as<ImplicitSurfaceShape>()) return cellOf(field->grid, i);
  if (const auto* cells = g.as<OccupancyGridShape>()) return cellOf(cells->grid, i);
  // From the far left corner, as rows of an image.
  if (const auto* map = g.as<HeightmapShape>())
    return std::make_shared<Geometry>(PointShape{map->point(i % map->columns, map->rows - 1 - i / map->columns)});
  throw std::runtime_error("a geometry of type " + std::string(g.typeName()) + " has no elements to take out");
}

py::tuple boundsOf(const Shape& shape) {
  if (shape.empty())
    return py::make_tuple(listOf(Vector3d::Constant(kInfinity)), listOf(Vector3d::Constant(-kInfinity)));
  AxisAlignedBounds box = posedBounds(shape.require(), shape.X);
  if (box.empty()) {
    const AxisAlignedBounds local = shape.require().bounds();
    for (int c = 0; c < 8; ++c)
      box.include(shape.X * Vector3d((c & 1) ? local.max[0] : local.min[0], (c & 2) ? local.max[1] : local.min[1],
                                     (c & 4) ? local.max[2] : local.min[2]));
  }
  return py::make_tuple(listOf(box.min), listOf(box.max));
}

py::tuple tupleOf(const Distance& d) {
  return py::make_tuple(d.d, listOf(d.p1), listOf(d.p2), listOf(d.normal), d.elem1, d.elem2);
}

py::list listsOf(const std::vector<Vector3d>& points) {
  py::list lists;
  for (const Vector3d& p : points) lists.append(listOf(p));
  return lists;
}

py::tuple rayOf(const Shape& shape, const Vec3& s, const Vec3& d) {
  RayHit hit;
  Ray ray;
  ray.origin = s.v;
  ray.direction = d.v;
  if (!(d.v.norm() > 0)) throw std::runtime_error("a ray needs a direction");
  if (shape.empty() || !rayCast(shape.collider(), shape.X, ray, hit))
    return py::make_tuple(-1, listOf(Vector3d::Zero()));
  return py::make_tuple(elementNumber(shape.require(), hit.element), listOf(hit.p_W));
}

py::tuple massOf(const Shape& shape, double mass, double surfaceFraction) {
  const BodyInertia body = klamptMassProperties(shape.require(), mass, surfaceFraction);
  for (const std::string& text : massAssumptions(shape.require(), surfaceFraction))
    python::environment()->log.write(LogLevel::warning, {}, text);
  return py::make_tuple(listOf(body.com), listOf(body.inertia));
}

void load(Shape& shape, const std::string& path) {
  GeometryPtr geometry;
  python::withLoader("'" + path + "' cannot be read", [&](FormatLoader& loader, Diagnostics& diagnostics) {
    geometry = loader.load<GeometryPtr>(path, {}, diagnostics);
  });
  shape.set(geometry);
}

void save(const Shape& shape, const std::string& path) {
  shape.require();
  python::withLoader("'" + path + "' cannot be written", [&](FormatLoader& loader, Diagnostics& diagnostics) {
    loader.write(shape.geometry(), path, diagnostics);
  });
}

void mapped(Shape& shape, const Matrix3d& A, const Vector3d& t) {
  shape.set(transformed(*shape.require().withFile({}), AffineMap(A, t)));
}

/// The data object refers back to its shape. Python collects that once nobody but the wrapper holds the shape.
int traverse(PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
  // While it is being made there is nothing to visit.
  const auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (!instance->simple_layout || instance->simple_value_holder[0] == nullptr || !instance->simple_holder_constructed)
    return 0;
  const Shape& shape = *static_cast<const Shape*>(instance->simple_value_holder[0]);
  if (shape.weak_from_this().use_count() == 1) Py_VISIT(shape.dataObject.ptr());
  return 0;
}

int clear(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (instance->simple_layout && instance->simple_value_holder[0] != nullptr)
    static_cast<Shape*>(instance->simple_value_holder[0])->dataObject = py::none();
  return 0;
}

}  // namespace

void bindShapePose(Class<Shape, ShapePtr>& shape) {
  shape.def("setTransform", [](Shape& s, const Rot9& R, const Vec3& t) { s.X = poseFrom(R, t); })
      .def("getTransform", [](const Shape& s) { return pairOf(s.X); })
      .def("transform",
           [](Shape& s, const Rot9& A, const Vec3& t) {
             python::requireFinite(A.R.data(), 9, "R");
             mapped(s, A.R, finite(t, "t"));
           })
      .def("scale",
           [](Shape& s, double x, double y, double z) {
             mapped(s, finite(Vec3{Vector3d(x, y, z)}, "scale").asDiagonal(), Vector3d::Zero());
           })
      .def("setMargin",
           [](Shape& s, double margin) {
             if (finite(margin, "margin") < 0)
               throw py::value_error("margin: expected meters of at least 0, found " + formatReal(margin));
             s.setMargin(margin);
           })
      .def("margin", &Shape::margin)
      .def("prepare",
           [](const Shape& s) {
             if (!s.empty()) s.collider();
           })
      .def("bounds", &boundsOf)
      .def("convert", [](const Shape& s, const std::string& type, double parameter) {
        auto result = std::make_shared<Shape>();
        result->set(convertedTo(s, type, parameter));
        result->X = s.X;
        return result;
      });
}

void bindShapeQueries(Class<Shape, ShapePtr>& shape) {
  shape.def("contains", [](const Shape& s, const Vec3& p) { return !s.empty() && contains(s.collider(), s.X, p.v); })
      .def("collides",
           [](const Shape& a, const Shape& b) {
             static thread_local QueryWorkspace workspace;
             return !a.empty() && !b.empty() && collide(a.collider(), a.X, b.collider(), b.X, workspace);
           })
      .def("near",
           [](const Shape& a, const Shape& b, double tolerance) {
             static thread_local QueryWorkspace workspace;
             return !a.empty() && !b.empty() &&
                    withinDistance(a.collider(), a.X, b.collider(), b.X, tolerance, workspace);
           })
      .def("collidingElements",
           [](const Shape& a, const Shape& b, int max) {
             return a.empty() || b.empty() ? ElementPairs() : collidingElements(a, b, max);
           })
      .def("nearElements",
           [](const Shape& a, const Shape& b, double tolerance, int max) {
             return a.empty() || b.empty() ? ElementPairs() : nearElements(a, b, tolerance, max);
           })
      .def("distance", [](const Shape& a, const Shape& b, double relative, double absolute,
                          double bound) { return tupleOf(distanceOf(a, b, relative, absolute, bound)); })
      .def("pointDistance",
           [](const Shape& a, const Vec3& p, double bound) { return tupleOf(distanceOf(a, p.v, bound)); })
      .def("contacts",
           [](const Shape& a, const Shape& b, double p1, double p2, int max) {
             const Contacts c = contactsOf(a, b, p1, p2, max);
             return py::make_tuple(c.depths, listsOf(c.points1), listsOf(c.points2), listsOf(c.normals), c.elems1,
                                   c.elems2);
           })
      .def("ray", &rayOf)
      .def("support", [](const Shape& s, const Vec3& d) { return listOf(supportPoint(s, d.v)); })
      .def("slice",
           [](const Shape& s, const Rot9& R, const Vec3& t, double tolerance) {
             auto result = std::make_shared<Shape>();
             result->X = poseFrom(R, t);
             result->set(sliceOf(s, result->X, tolerance));
             return result;
           })
      .def("roi",
           [](const Shape& s, const std::string& query, const Vec3& a, const Vec3& b) {
             auto result = std::make_shared<Shape>();
             AxisAlignedBounds box;
             box.min = a.v;
             box.max = b.v;
             result->set(regionOf(s, query, box));
             result->X = s.X;
             return result;
           })
      .def("merge", [](Shape& s, const Shape& other) { s.set(mergedOf(s, other)); })
      .def("massProperties", &massOf);
}

void bindShapes(py::module_& m) {
  Class<Shape, ShapePtr> shape(m, "Shape", "What stands behind a Geometry3D.", python::collected(traverse, clear));
  shape.def(constructor([] { return std::make_shared<Shape>(); }))
      .def_readwrite("data_object", &Shape::dataObject)
      .def("type", [](const Shape& s) { return s.empty() ? std::string() : std::string(s.require().typeName()); })
      .def("empty", &Shape::empty)
      .def("version", &Shape::version)
      .def("asGeometry", [](const Shape& s) { return std::const_pointer_cast<Geometry>(s.geometry()); })
      .def("file", [](const Shape& s) { return s.empty() ? std::string() : s.require().file(); })
      .def("clear", [](Shape& s) { s.set(nullptr); })
      .def("set", [](Shape& s, const Shape& from) { s.set(from.geometry()); })
      .def("setMesh", [](Shape& s, const Rows& v, const IndexRows& i) { s.set(meshFrom(v, i)); })
      .def("setCloud", [](Shape& s, const Rows& p, const std::vector<std::string>& names, const Rows& values,
                          int columns, int rows) { s.set(cloudFrom(p, names, values, columns, rows)); })
      .def("setHull",
           [](Shape& s, const Rows& p) { s.set(std::make_shared<Geometry>(ConvexHullShape{pointsFrom(p)})); })
      .def("setPrimitive",
           [](Shape& s, const std::string& kind, const std::vector<double>& n) { s.set(primitiveFrom(kind, n)); })
      .def("setImplicit",
           [](Shape& s, const Vec3& a, const Vec3& b, const Rows& v, double truncation) {
             s.set(std::make_shared<Geometry>(ImplicitSurfaceShape{gridFrom(a, b, v), truncation}));
           })
      .def("setOccupancy",
           [](Shape& s, const Vec3& a, const Vec3& b, const Rows& v, double threshold) {
             s.set(std::make_shared<Geometry>(OccupancyGridShape{gridFrom(a, b, v), threshold}));
           })
      .def("setHeights", [](Shape& s, const Rows& h, double x, double y, const Rot9& R,
                            const Vec3& t) { s.set(heightsFrom(h, x, y, R, t)); })
      .def("setGroup",
           [](Shape& s, const std::vector<ShapePtr>& parts) {
             GeometryGroup group;
             for (const ShapePtr& part : parts)
               if (part && !part->empty()) group.parts.push_back(transformed(part->require(), AffineMap(part->X)));
             s.set(std::make_shared<Geometry>(std::move(group)));
           })
      .def("data", &dataOf)
      .def("numElements", &numElements)
      .def("element",
           [](const Shape& s, int i) {
             auto e = std::make_shared<Shape>();
             e->set(elementOf(s, i));
             return e;
           })
      .def("load", &load)
      .def("save", &save);
  bindShapePose(shape);
  bindShapeQueries(shape);
}

}  // namespace mortise::robotsim
