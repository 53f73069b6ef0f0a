#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "geometry/shapes.h"
#include "mortise/appearance/drawn_shape.h"
#include "mortise/base/error.h"
#include "mortise/simulation/saving/saved_state.h"
#include "view/view.h"

namespace mortise::python {

namespace {

using viewer::DragKind;
using viewer::DrawingKind;
using viewer::message::Drawing;

constexpr const char* kDefaultColor = "#1f77b4";

/// Numbers of 32 bits as the bytes that pages read.
template <typename Number>
std::string packed(const std::vector<Number>& numbers) {
  static_assert(sizeof(Number) == 4);
  return toBase64({reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size()});
}

template <typename Points>
std::string packedPoints(const Points& points) {
  std::vector<float> numbers;
  numbers.reserve(3 * points.size());
  for (const Vector3d& p : points)
    for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(p[k]));
  return packed(numbers);
}

std::array<double, 12> rowsOf(const RigidTransform& X) {
  std::array<double, 12> rows;
  X.toRows(rows.data());
  return rows;
}

/// The part of a drawing that all kinds have.
Drawing begun(DrawingKind kind, const std::string& name, py::handle color, double opacity, py::handle pose) {
  Drawing drawing;
  drawing.kind = kind;
  drawing.name = name;
  drawing.opacity = opacity;
  drawing.color = color.is_none() ? kDefaultColor : colorFrom(color, "color", &drawing.opacity);
  drawing.T = rowsOf(poseFrom(pose, "pose"));
  return drawing;
}

/// Draws, and remembers what is called where people drag the drawing.
void finish(PageView& view, Drawing drawing, py::handle onDrag, DragKind kind) {
  const std::string name = drawing.name;
  if (!onDrag.is_none()) {
    if (PyCallable_Check(onDrag.ptr()) == 0)
      throw py::type_error("on_drag: expected something that can be called, found " + shapeText(onDrag));
    drawing.drag = kind;
  }
  view.pages().scene().draw(std::move(drawing));
  if (view.drags.contains(name.c_str())) view.drags.attr("pop")(name);
  if (!onDrag.is_none()) view.drags[name.c_str()] = onDrag;
}

/// Bytes of colors: rows of three or four numbers of 0 to 1.
std::string packedColors(py::handle colors, std::size_t points) {
  const auto rows = rowsFrom(colors, "colors");
  const py::ssize_t columns = rows.shape(1);
  if (columns != 3 && columns != 4) throw py::value_error("colors: expected rows of 3 or 4 numbers");
  if (rows.shape(0) != static_cast<py::ssize_t>(points))
    throw py::value_error("colors: expected one for each of the " + std::to_string(points) + " points");
  std::string bytes;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i)
    for (py::ssize_t k = 0; k < 4; ++k) {
      const double part = k < columns ? *rows.data(i, k) : 1;
      if (!(part >= 0 && part <= 1)) throw py::value_error("colors: expected numbers from 0 to 1");
      bytes.push_back(static_cast<char>(static_cast<unsigned char>(std::lround(255 * part))));
    }
  return toBase64(bytes);
}

void drawPoints(PageView& view, const std::string& name, py::handle points, py::handle color, double size,
                py::handle colors, double opacity, py::handle pose, py::handle onDrag) {
  Drawing drawing = begun(DrawingKind::points, name, color, opacity, pose);
  const std::vector<Vector3d> list = pointsFrom(points, "points");
  drawing.points = packedPoints(list);
  drawing.size = size;
  if (!colors.is_none()) drawing.colors = packedColors(colors, list.size());
  finish(view, std::move(drawing), onDrag, DragKind::point);
}

void drawLines(PageView& view, const std::string& name, py::handle points, py::handle color, double width,
               bool segments, double opacity, py::handle pose) {
  Drawing drawing = begun(DrawingKind::lines, name, color, opacity, pose);
  std::vector<Vector3d> list = pointsFrom(points, "points");
  if (segments && list.size() % 2 != 0) throw py::value_error("points: expected two for each segment");
  if (!segments) {
    std::vector<Vector3d> ends;
    for (std::size_t i = 1; i < list.size(); ++i) {
      ends.push_back(list[i - 1]);
      ends.push_back(list[i]);
    }
    list = std::move(ends);
  }
  drawing.points = packedPoints(list);
  drawing.size = width;
  finish(view, std::move(drawing), py::none(), DragKind::none);
}

/// Triangles of a Geometry or of a pair (vertices, triangles).
TriangleMesh meshFrom(py::handle mesh) {
  if (py::isinstance<Geometry>(mesh)) {
    const auto& geometry = boundFrom<Geometry>(mesh, "mesh");
    TriangleMesh triangles = drawnShape(geometry).mesh;
    if (triangles.triangles.empty())
      throw py::value_error("mesh: the shape has no surface; draw_points shows its points");
    return triangles;
  }
  if (PySequence_Check(mesh.ptr()) == 0 || PySequence_Size(mesh.ptr()) != 2)
    throw py::type_error("mesh: expected a Geometry or a pair (vertices, triangles), found " + shapeText(mesh));
  TriangleMesh triangles;
  triangles.vertices = pointsFrom(mesh[py::int_(0)], "vertices");
  const auto rows = rowsFrom(mesh[py::int_(1)], "triangles", 3);
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    std::array<int, 3> corners = {};
    for (int k = 0; k < 3; ++k) {
      const double index = *rows.data(i, k);
      if (index != std::floor(index) || index < 0 || index >= static_cast<double>(triangles.vertices.size()))
        throw py::index_error("triangles: row " + std::to_string(i) + " names no vertex");
      corners[static_cast<std::size_t>(k)] = static_cast<int>(index);
    }
    triangles.triangles.push_back(corners);
  }
  return triangles;
}

void drawMesh(PageView& view, const std::string& name, py::handle mesh, py::handle pose, py::handle color,
              double opacity, py::handle onDrag) {
  Drawing drawing = begun(DrawingKind::mesh, name, color, opacity, pose);
  const TriangleMesh triangles = meshFrom(mesh);
  drawing.points = packedPoints(triangles.vertices);
  std::vector<std::uint32_t> corners;
  for (const auto& triangle : triangles.triangles)
    for (const int corner : triangle) corners.push_back(static_cast<std::uint32_t>(corner));
  drawing.triangles = packed(corners);
  finish(view, std::move(drawing), onDrag, DragKind::pose);
}

void bindShapes(ViewClass& type) {
  type.def("draw_points", &drawPoints, py::arg("name"), py::arg("points"), py::arg("color") = py::none(),
           py::arg("size") = 6.0, py::arg("colors") = py::none(), py::arg("opacity") = 1.0,
           py::arg("pose") = py::none(), py::arg("on_drag") = py::none(),
           "draw_points(name: str, points: ArrayLike, color: Any = None, size: float = 6.0, colors: ArrayLike | None = "
           "None, opacity: float = 1.0, pose: Pose | None = None, on_drag: Callable[[RigidTransform], Any] | None = "
           "None)\n\npoints: (n, 3), m. color: '#rrggbb' or three or four numbers from 0 to 1; colors: a row of them a "
           "point. size: pixels. on_drag(pose) is called while people drag it. A drawing of the same name is replaced.")
      .def(
          "draw_lines", &drawLines, py::arg("name"), py::arg("points"), py::arg("color") = py::none(),
          py::arg("width") = 2.0, py::arg("segments") = false, py::arg("opacity") = 1.0, py::arg("pose") = py::none(),
          "draw_lines(name: str, points: ArrayLike, color: Any = None, width: float = 2.0, segments: bool = False, "
          "opacity: float = 1.0, pose: Pose | None = None)\n\nA line through the points, (n, 3), m; with segments, one "
          "between each two. width: pixels.")
      .def("draw_mesh", &drawMesh, py::arg("name"), py::arg("mesh"), py::arg("pose") = py::none(),
           py::arg("color") = py::none(), py::arg("opacity") = 1.0, py::arg("on_drag") = py::none(),
           "draw_mesh(name: str, mesh: Geometry | tuple[ArrayLike, ArrayLike], pose: Pose | None = None, color: Any = "
           "None, "
           "opacity: float = 1.0, on_drag: Callable[[RigidTransform], Any] | None = None)\n\nA shape, or vertices (n, "
           "3) "
           "and triangles (m, 3).")
      .def(
          "draw_frame",
          [](PageView& v, const std::string& name, py::handle pose, double size, double opacity, py::handle onDrag) {
            Drawing drawing = begun(DrawingKind::frame, name, py::none(), opacity, pose);
            drawing.size = size;
            finish(v, std::move(drawing), onDrag, DragKind::pose);
          },
          py::arg("name"), py::arg("pose") = py::none(), py::arg("size") = 0.1, py::arg("opacity") = 1.0,
          py::arg("on_drag") = py::none(),
          "draw_frame(name: str, pose: Pose | None = None, size: float = 0.1, opacity: float = 1.0, on_drag: "
          "Callable[[RigidTransform], Any] | None = None)\n\nThe axes of a frame: x red, y green, z blue. size: m.")
      .def(
          "draw_text",
          [](PageView& v, const std::string& name, const std::string& text, py::handle position, py::handle color,
             double size) {
            Drawing drawing = begun(DrawingKind::text, name, color, 1, py::none());
            if (color.is_none()) drawing.color = "#202020";
            drawing.T = rowsOf(RigidTransform::translation(vector3From(position, "position")));
            drawing.text = text;
            drawing.size = size;
            finish(v, std::move(drawing), py::none(), DragKind::none);
          },
          py::arg("name"), py::arg("text"), py::arg("position"), py::arg("color") = py::none(), py::arg("size") = 0.05,
          "draw_text(name: str, text: str, position: ArrayLike, color: Any = None, size: float = 0.05)\n\nA text that "
          "faces the eye, its letters so many meters high.");
}

}  // namespace

std::string colorFrom(py::handle color, const char* name, double* opacity) {
  if (PyUnicode_Check(color.ptr()) != 0) return textFrom(color, name);
  const VectorXd parts = vectorFrom(color, name);
  if ((parts.size() != 3 && parts.size() != 4) || parts.minCoeff() < 0 || parts.maxCoeff() > 1)
    throw py::value_error(std::string(name) + ": expected '#rrggbb' or three or four numbers from 0 to 1");
  if (opacity != nullptr && parts.size() == 4) *opacity *= parts[3];
  std::array<char, 8> text;
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", static_cast<unsigned>(std::lround(255 * parts[0])),
                static_cast<unsigned>(std::lround(255 * parts[1])), static_cast<unsigned>(std::lround(255 * parts[2])));
  return text.data();
}

void bindDrawings(ViewClass& type) {
  bindShapes(type);
  type.def(
          "move",
          [](PageView& v, const std::string& name, py::handle pose) {
            v.pages().scene().place(name, poseFrom(pose, "pose"));
          },
          py::arg("name"), py::arg("pose"),
          "move(name: str, pose: Pose)\n\nPuts a drawing elsewhere; little is sent to pages.")
      .def(
          "pose_of", [](PageView& v, const std::string& name) { return v.core->scene().poseOf(name); }, py::arg("name"),
          "pose_of(name: str) -> RigidTransform\n\nOf a drawing, as the program or people put it last.")
      .def(
          "erase",
          [](PageView& v, const std::string& name) {
            if (v.drags.contains(name.c_str())) v.drags.attr("pop")(name);
            return v.core->scene().erase(name);
          },
          py::arg("name"), "erase(name: str) -> bool\n\nA drawing; False where there was none.")
      .def(
          "clear_drawings",
          [](PageView& v) {
            v.core->scene().clearDrawings();
            v.drags = py::dict();
          },
          "clear_drawings()")
      .def_property_readonly(
          "drawings", [](const PageView& v) { return v.core->scene().drawings(); }, "Names of the drawings.");
}

}  // namespace mortise::python
