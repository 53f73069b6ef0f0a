#include <sstream>

#include "arrays.h"
#include "bindings.h"
#include "models.h"

namespace mortise::python {

void bindGeometry(py::module_& m) {
  py::class_<Geometry, std::shared_ptr<Geometry>>(m, "Geometry",
                                                  "An immutable shape with a margin, shared between threads.")
      .def(py::init<>())
      .def_property_readonly(
          "type_name", [](const Geometry& g) { return std::string(g.typeName()); },
          "Klamp't's name: 'TriangleMesh', 'PointCloud', ...; '' when empty.")
      .def_property_readonly("margin", &Geometry::margin, "m")
      .def_property_readonly("file", &Geometry::file)
      .def_property_readonly("empty", &Geometry::empty)
      .def_property_readonly("num_vertices", &Geometry::numVertices)
      .def_property_readonly("num_triangles", &Geometry::numTriangles)
      .def(
          "bounds",
          [](const Geometry& g) {
            const AxisAlignedBounds bounds = g.bounds();
            return py::make_tuple(arrayOf(bounds.min), arrayOf(bounds.max));
          },
          "bounds() -> (min, max)\n\nCorners (3,), m, without the margin.")
      .def("__repr__", [](const Geometry& g) {
        std::ostringstream text;
        text << "Geometry(" << (g.empty() ? "empty" : std::string(g.typeName()));
        if (g.numVertices() > 0) text << ", " << g.numVertices() << " vertices";
        if (g.numTriangles() > 0) text << ", " << g.numTriangles() << " triangles";
        text << ")";
        return text.str();
      });
}

}  // namespace mortise::python
