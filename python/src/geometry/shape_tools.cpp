#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/environment.h"
#include "geometry/shapes.h"
#include "mortise/base/error.h"
#include "mortise/geometry/convert.h"
#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/geometry/klampt_automass.h"
#include "mortise/geometry/mass_assumptions.h"
#include "mortise/geometry/remesh.h"
#include "mortise/geometry/solid_mass.h"
#include "mortise/geometry/transform_geometry.h"

namespace mortise::python {

namespace {

using Shape = std::shared_ptr<Geometry>;

[[noreturn]] void refuseKind(const Geometry& geometry, const char* wanted) {
  throw Error("a geometry of kind '" + std::string(shapeKind(geometry)) + "' is no " + wanted, {},
              "converted('mesh') or converted('point_cloud') makes one");
}

/// A changed mesh or cloud with the margin and file of what it is made from.
template <typename Data>
Shape changed(const Geometry& from, Data data) {
  return std::make_shared<Geometry>(Geometry::Data(std::move(data)), from.margin(), from.file());
}

const TriangleMesh& meshOf(const Geometry& geometry) {
  if (const auto* mesh = geometry.as<TriangleMesh>()) return *mesh;
  refuseKind(geometry, "mesh");
}

Shape simplified(const Shape& geometry, double cell) {
  requireNumber(cell, "cell", 0);
  py::gil_scoped_release release;
  if (const auto* cloud = geometry->as<PointCloud>()) return changed(*geometry, thinned(*cloud, cell));
  return changed(*geometry, clustered(meshOf(*geometry), cell));
}

py::object slicedOf(const Shape& geometry, py::handle normal, double offset, double thickness) {
  const Vector3d direction = pointFrom(normal, "normal", Vector3d::UnitZ());
  requireNumber(offset, "offset");
  if (const auto* cloud = geometry->as<PointCloud>()) {
    requireNumber(thickness, "thickness", 0);
    return py::cast(changed(*geometry, sliced(*cloud, direction, offset, thickness)));
  }
  py::list chains;
  for (const SliceChain& chain : sliced(meshOf(*geometry), direction, offset))
    chains.append(py::make_tuple(arrayOf(chain.points), chain.closed));
  return chains;
}

Shape withinBox(const Shape& geometry, py::handle min, py::handle max, bool invert) {
  const AxisAlignedBounds box{pointFrom(min, "min", Vector3d::Zero()), pointFrom(max, "max", Vector3d::Zero())};
  if (const auto* cloud = geometry->as<PointCloud>()) return changed(*geometry, within(*cloud, box, invert));
  return changed(*geometry, within(meshOf(*geometry), box, invert));
}

AffineMap mapFrom(py::handle pose, py::handle scale) {
  AffineMap map(poseFrom(pose, "pose"));
  if (scale.is_none()) return map;
  Vector3d factors;
  if (PyFloat_Check(scale.ptr()) != 0 || PyLong_Check(scale.ptr()) != 0)
    factors.setConstant(numberFrom(scale, "scale"));
  else
    factors = vector3From(scale, "scale");
  if (!factors.allFinite()) throw py::value_error("scale: expected finite factors");
  return map * AffineMap::scaling(factors);
}

SolidOptions solidOptions(py::handle bottom) {
  SolidOptions options;
  if (!bottom.is_none()) options.heightmapBottom = numberFrom(bottom, "heightmap_bottom");
  return options;
}

py::dict momentsOf(const Shape& geometry, py::handle bottom) {
  const SolidOptions options = solidOptions(bottom);
  SolidMoments moments;
  {
    py::gil_scoped_release release;
    moments = solidMoments(*geometry, options);
  }
  py::dict result;
  result["volume"] = moments.volume;
  result["center"] = arrayOf(moments.center);
  result["covariance"] = arrayOf(moments.covariance);
  return result;
}

BodyInertia inertiaOf(const Shape& geometry, py::handle mass, py::handle density, py::handle bottom) {
  if (mass.is_none() == density.is_none()) throw py::value_error("mass, density: expected one of the two");
  const double amount = mass.is_none() ? numberFrom(density, "density") : numberFrom(mass, "mass");
  requireNumber(amount, mass.is_none() ? "density" : "mass", 0);
  const bool byDensity = mass.is_none();
  const SolidOptions options = solidOptions(bottom);
  py::gil_scoped_release release;
  return byDensity ? solidInertiaOfDensity(*geometry, amount, options) : solidInertia(*geometry, amount, options);
}

void bindMasses(GeometryClass& type) {
  type.def("moments", &momentsOf, py::arg("heightmap_bottom") = py::none(),
           "moments(heightmap_bottom: float | None = None) -> dict[str, Any]\n\nOf the solid: volume (m^3), center "
           "(3,), m, covariance (3, 3), m^2, exact. Raises Error for what encloses no volume. heightmap_bottom: z "
           "where the ground of a heightmap ends, in its frame.")
      .def("inertia", &inertiaOf, py::arg("mass") = py::none(), py::arg("density") = py::none(),
           py::arg("heightmap_bottom") = py::none(),
           "inertia(mass: float | None = None, density: float | None = None, heightmap_bottom: float | None = None) -> "
           "BodyInertia\n\nOf mass (kg) spread evenly through the solid, or of a density (kg/m^3).")
      .def(
          "klampt_inertia",
          [](const Shape& g, double mass, double surface_fraction) {
            requireNumber(mass, "mass", 0);
            if (!(surface_fraction >= 0 && surface_fraction <= 1))
              throw py::value_error("surface_fraction: expected a number from 0 to 1");
            py::gil_scoped_release release;
            BodyInertia body = klamptMassProperties(*g, mass, surface_fraction);
            for (const std::string& text : massAssumptions(*g, surface_fraction))
              environment()->log.write(LogLevel::warning, {}, text);
            return body;
          },
          py::arg("mass"), py::arg("surface_fraction") = 1.0,
          "klampt_inertia(mass, surface_fraction = 1) -> BodyInertia\n\nThe way Klamp't's automass spreads a mass "
          "(kg): meshes blend the thin shell (1) with the solid (0).");
}

}  // namespace

namespace {

void bindShapeParts(GeometryClass& type) {
  type.def("sliced", &slicedOf, py::arg("normal"), py::arg("offset"), py::arg("thickness") = 0.0,
           "sliced(normal: ArrayLike, offset, thickness = 0) -> Any\n\nWhere the "
           "plane normal . x = offset cuts a mesh: chains (points (n, 3), closed). Of a cloud: the Geometry of the "
           "points within thickness (m) of it.")
      .def("within", &withinBox, py::arg("min"), py::arg("max"), py::arg("invert") = false,
           "within(min: ArrayLike, max: ArrayLike, invert = False) -> Geometry\n\nThe triangles or points that touch a "
           "box, or, inverted, lie without it.")
      .def(
          "transformed",
          [](const Shape& g, py::handle pose, py::handle scale) {
            const AffineMap map = mapFrom(pose, scale);
            py::gil_scoped_release release;
            return held(transformed(*g, map));
          },
          py::arg("pose") = py::none(), py::arg("scale") = py::none(),
          "transformed(pose: Pose | None = None, scale: float | ArrayLike | None = None) -> Geometry\n\nScaled by a "
          "factor, or by three along the axes, then turned and moved. Raises Error where the kind cannot hold it.")
      .def(
          "united", [](const Shape& g, const Shape& other) { return held(unionOf(g, other)); },
          py::arg("other").none(false), "united(other) -> Geometry\n\nTwo meshes as one, anything else as a group.")
      .def(
          "with_margin",
          [](const Shape& g, double margin) {
            requireNumber(margin, "margin", 0);
            return held(g->withMargin(margin));
          },
          py::arg("margin"), "with_margin(margin) -> Geometry\n\nThe same shape (shared) with another margin, m.");
}

}  // namespace

void bindShapeTools(GeometryClass& type) {
  bindMasses(type);
  type.def(
          "converted",
          [](const Shape& g, const std::string& kind, double resolution, double padding) {
            requireNumber(resolution, "resolution", 0);
            requireNumber(padding, "padding");
            const GeometryKind wanted = kindNamed(kind);
            py::gil_scoped_release release;
            return held(converted(g, wanted, {resolution, padding}));
          },
          py::arg("kind"), py::arg("resolution") = 0.0, py::arg("padding") = -1.0,
          "converted(kind, resolution = 0, padding = -1) -> Geometry\n\nAs 'mesh', 'point_cloud', 'convex_hull', "
          "'implicit_surface', 'occupancy_grid' or 'heightmap'. resolution (m): of facets, points, cells; 0: a "
          "fortieth of the extent. padding (m): free space around grids; negative: two cells. Raises Error where there "
          "is no way.")
      .def("simplified", &simplified, py::arg("cell"),
           "simplified(cell) -> Geometry\n\nA coarser mesh: vertices within one cell (m) become one (Rossignac and "
           "Borrel, 1993). Of a cloud: one point a cell.")
      .def(
          "refined",
          [](const Shape& g, double longest_edge) {
            py::gil_scoped_release release;
            return changed(*g, refined(meshOf(*g), longest_edge));
          },
          py::arg("longest_edge"), "refined(longest_edge) -> Geometry\n\nThe same surface with no edge longer (m).")
      .def(
          "hull_mesh",
          [](const Shape& g) {
            py::gil_scoped_release release;
            const GeometryPtr hull = converted(g, GeometryKind::convexHull);
            const auto mesh = convexHull(hull->as<ConvexHullShape>()->points);
            if (!mesh) throw Error("the hull is flat", {}, "its corners are those of converted('convex_hull')");
            return changed(*g, *mesh);
          },
          "hull_mesh() -> Geometry\n\nThe surface of the convex hull as a closed mesh (Quickhull; Barber, Dobkin and "
          "Huhdanpaa, 1996). Raises Error for what lies in a plane.");
  bindShapeParts(type);
}

}  // namespace mortise::python
