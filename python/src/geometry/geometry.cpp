#include <sstream>

#include "common/arrays.h"
#include "common/bindings.h"
#include "geometry/shapes.h"

namespace mortise::python {

py::object boundsOf(const AxisAlignedBounds& bounds) {
  return py::make_tuple(arrayOf(bounds.min), arrayOf(bounds.max));
}

void bindGeometry(py::module_& m) {
  GeometryClass type(m, "Geometry",
                     "An immutable shape with a margin, shared between threads. Geometry.box, .sphere, .mesh, "
                     ".point_cloud and others make one, and `load` reads them from files.");
  type.def(constructor([] { return std::make_shared<Geometry>(); }))
      .def_property_readonly(
          "type_name", [](const Geometry& g) { return std::string(g.typeName()); },
          "Klamp't's name: 'TriangleMesh', 'PointCloud', ...; '' when empty.")
      .def_property_readonly("margin", &Geometry::margin, "m")
      .def_property_readonly("file", &Geometry::file, "Where it was read from; empty where it was made.")
      .def_property_readonly("empty", &Geometry::empty, "Whether there is no shape.")
      .def_property_readonly("num_vertices", &Geometry::numVertices, "Of a mesh; 0 for other shapes.")
      .def_property_readonly("num_triangles", &Geometry::numTriangles, "Of a mesh; 0 for other shapes.")
      .def(
          "bounds", [](const Geometry& g) { return boundsOf(g.bounds()); },
          "bounds() -> tuple[ndarray, ndarray]\n\nLowest and highest. Corners (3,), m, without the margin.")
      .def("__repr__", [](const Geometry& g) {
        std::ostringstream text;
        text << "Geometry(" << (g.empty() ? "empty" : std::string(shapeKind(g)));
        if (g.numVertices() > 0) text << ", " << g.numVertices() << " vertices";
        if (g.numTriangles() > 0) text << ", " << g.numTriangles() << " triangles";
        if (g.margin() > 0) text << ", margin " << g.margin();
        text << ")";
        return text.str();
      });
  bindShapeMakers(type);
  bindShapeData(type);
  bindShapeTools(type);
}

}  // namespace mortise::python
