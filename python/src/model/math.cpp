#include <cmath>
#include <pybind11/operators.h>
#include <sstream>

#include "common/arrays.h"
#include "common/bindings.h"
#include "common/define.h"
#include "common/fast.h"
#include "mortise/math/inertia.h"
#include "mortise/math/rotation.h"
#include "mortise/math/transform.h"

namespace mortise::python {

namespace {

std::string vectorText(const double* v, int size) {
  std::ostringstream text;
  text.precision(6);
  for (int i = 0; i < size; ++i) text << (i == 0 ? "[" : ", ") << v[i];
  text << "]";
  return text.str();
}

PyObject* inverseOf(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* keywords) {
  return guarded([&] {
    namedArguments<0>("inverse", {}, 0, arguments, given, keywords);
    return py::cast(objectOf<RigidTransform>(self).inverse()).release().ptr();
  });
}

PyMethodDef inverseMethod = fastMethod("inverse", inverseOf, "inverse($self, /)\n--\n\ninverse() -> RigidTransform");

/// Transforms one point, or points in rows.
py::array applyTransform(const RigidTransform& X, const py::handle& points) {
  if (!py::isinstance<py::array>(points) || py::reinterpret_borrow<py::array>(points).ndim() != 2)
    return arrayOf(Vector3d(X * vector3From(points, "points", Accept::any)));
  const auto rows = rowsFrom(points, "points", 3);
  py::array_t<double> result({rows.shape(0), py::ssize_t{3}});
  const Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>> in(rows.data(), 3, rows.shape(0));
  Eigen::Map<Eigen::Matrix<double, 3, Eigen::Dynamic>> out(result.mutable_data(), 3, rows.shape(0));
  out.noalias() = X.R * in;
  out.colwise() += X.p;
  return result;
}

/// The product of two transforms, or as `apply`; what is no list of numbers may know what to do with a transform
/// itself.
py::object transformTimes(const RigidTransform& X, const py::object& points) {
  if (PyObject_TypeCheck(points.ptr(), boundType<RigidTransform>) != 0)
    return py::cast(X * objectOf<RigidTransform>(points.ptr()));
  if (!py::isinstance<py::array>(points) && !py::isinstance<py::list>(points) && !py::isinstance<py::tuple>(points))
    return py::reinterpret_borrow<py::object>(Py_NotImplemented);
  return applyTransform(X, points);
}

void bindProducts(Class<RigidTransform>& c) {
  c.def("apply", &applyTransform, py::arg("points"),
        "apply(points: ArrayLike) -> ndarray\n\nA point (3,), or points (n, 3), of B in A.")
      .def("__matmul__", &transformTimes, py::is_operator(), "The product of two transforms, or as apply(points).")
      .def("__mul__", &transformTimes, py::is_operator(), "The product of two transforms, or as apply(points).")
      .def(
          "__eq__", [](const RigidTransform& a, const RigidTransform& b) { return a == b; }, py::is_operator())
      .def("__repr__",
           [](const RigidTransform& X) {
             const Vector3d moment = momentFromRotation(X.R);
             return "RigidTransform(p=" + vectorText(X.p.data(), 3) +
                    ", rotation_vector=" + vectorText(moment.data(), 3) + ")";
           })
      .def(pickled(
          [](const RigidTransform& X) {
            VectorXd numbers(12);
            X.toRows(numbers.data());
            return py::make_tuple(arrayOf(numbers));
          },
          [](const py::tuple& state) {
            double numbers[12];
            readNumbers(state[0], "state", numbers, 12, Accept::any);
            return RigidTransform::fromRows(numbers);
          }))
      .def("__copy__", [](const RigidTransform& X) { return X; })
      .def(
          "__deepcopy__", [](const RigidTransform& X, const py::dict&) { return X; }, py::arg("memo"));
}

void bindTransform(py::module_& m) {
  Class<RigidTransform> c(
      m, "RigidTransform",
      "RigidTransform(R: ArrayLike | None = None, p: ArrayLike | None = None)\n\nPose of a frame B in a frame A, X_AB: "
      "p_A = R p_B + p. R: 3 x 3, p: 3 numbers (m). Products read left to right: X_AC = X_AB @ X_BC. R is kept as "
      "given; what is farther than 1e-3 from a rotation, and numbers that are not finite, are refused.\n\n>>> X_AB = "
      "mortise.RigidTransform(mortise.rotation_about_axis([0, 0, 1], np.pi / 2), [1, 0, 0])\n>>> (X_AB @ "
      "X_AB).p\narray([1., 1., 0.])\n>>> X_AB.apply(np.array([[1, 0, 0], [0, 0, 1]])).round(12)\narray([[1., 1., "
      "0.],\n       [1., 0., 1.]])");
  addFastMethod(c, &inverseMethod);
  c.def(constructor([](py::handle R, py::handle p) {
          RigidTransform X;
          if (!R.is_none()) X.R = rotationFrom(R, "R");
          if (!p.is_none()) X.p = vector3From(p, "p");
          return X;
        }),
        py::arg("R") = py::none(), py::arg("p") = py::none())
      .def_static(
          "from_rows",
          [](py::handle rows) {
            double numbers[12];
            readNumbers(rows, "rows", numbers, 12);
            const RigidTransform X = RigidTransform::fromRows(numbers);
            rotationFrom(arrayOf(X.R), "rows[:9]");
            return X;
          },
          py::arg("rows"),
          "from_rows(rows: ArrayLike) -> RigidTransform\n\nFrom 12 numbers: R row by row, then the translation.")
      .def_static(
          "from_matrix", [](py::handle matrix) { return transformFrom(matrix, "matrix"); }, py::arg("matrix"),
          "from_matrix(matrix: ArrayLike) -> RigidTransform\n\nFrom a 3 x 4 or 4 x 4 matrix.")
      .def_property(
          "R", [](const RigidTransform& X) { return arrayOf(X.R); },
          [](RigidTransform& X, py::handle R) { X.R = rotationFrom(R, "R"); }, "Rotation, 3 x 3 (a copy).")
      .def_property(
          "p", [](const RigidTransform& X) { return arrayOf(X.p); },
          [](RigidTransform& X, py::handle p) { X.p = vector3From(p, "p"); }, "Translation, 3 numbers, m (a copy).")
      .def(
          "matrix",
          [](const RigidTransform& X) {
            Eigen::MatrixXd full = Eigen::MatrixXd::Identity(4, 4);
            full.topLeftCorner<3, 3>() = X.R;
            full.topRightCorner<3, 1>() = X.p;
            return matrixOf(full);
          },
          "matrix() -> ndarray (4, 4)")
      .def(
          "rows",
          [](const RigidTransform& X) {
            VectorXd numbers(12);
            X.toRows(numbers.data());
            return arrayOf(numbers);
          },
          "rows() -> ndarray (12,)\n\nR row by row, then the translation: the order of Klamp't's files.");
  bindProducts(c);
}

void bindInertia(py::module_& m) {
  Class<BodyInertia>(m, "BodyInertia",
                     "BodyInertia(mass = 0, com: ArrayLike | None = None, inertia: ArrayLike | None = None)\n\nMass "
                     "(kg), center of mass (m, in the body's frame) and rotational inertia (kg m^2, 3 x 3, about the "
                     "center of mass, in the axes of the body).")
      .def(constructor([](double mass, py::handle com, py::handle inertia) {
             BodyInertia body;
             body.mass = requireMass(mass);
             if (!com.is_none()) body.com = vector3From(com, "com");
             if (!inertia.is_none()) body.inertia = matrix3From(inertia, "inertia");
             return body;
           }),
           py::arg("mass") = 0.0, py::arg("com") = py::none(), py::arg("inertia") = py::none())
      .def_property(
          "mass", [](const BodyInertia& b) { return b.mass; },
          [](BodyInertia& b, double mass) { b.mass = requireMass(mass); }, "kg; at least 0.")
      .def_property(
          "com", [](const BodyInertia& b) { return arrayOf(b.com); },
          [](BodyInertia& b, py::handle com) { b.com = vector3From(com, "com"); }, "Center of mass, m (a copy).")
      .def_property(
          "inertia", [](const BodyInertia& b) { return arrayOf(b.inertia); },
          [](BodyInertia& b, py::handle inertia) { b.inertia = matrix3From(inertia, "inertia"); },
          "About the center of mass, kg m^2 (a copy).")
      .def(
          "expressed_in", [](const BodyInertia& b, py::handle X) { return b.expressedIn(transformFrom(X, "X_AB")); },
          py::arg("X_AB"), "expressed_in(X_AB: Pose) -> BodyInertia\n\nThe same matter in frame A.")
      .def("combined_with", &BodyInertia::combinedWith, py::arg("other"),
           "combined_with(other) -> BodyInertia\n\nThe rigid union of two bodies in the same frame.")
      .def(
          "inertia_about_origin", [](const BodyInertia& b) { return arrayOf(b.inertiaAboutOrigin()); },
          "inertia_about_origin() -> ndarray (3, 3)")
      .def("physical", &BodyInertia::physical, py::arg("tolerance") = 1e-6,
           "physical(tolerance = 1e-6) -> bool\n\nWhether a rigid body can have these numbers.")
      .def(
          "__eq__", [](const BodyInertia& a, const BodyInertia& b) { return a == b; }, py::is_operator())
      .def("__repr__",
           [](const BodyInertia& b) {
             std::ostringstream text;
             text << "BodyInertia(mass=" << b.mass << ", com=" << vectorText(b.com.data(), 3) << ")";
             return text.str();
           })
      .def(pickled([](const BodyInertia& b) { return py::make_tuple(b.mass, arrayOf(b.com), arrayOf(b.inertia)); },
                   [](const py::tuple& state) {
                     return BodyInertia{state[0].cast<double>(), vector3From(state[1], "com", Accept::any),
                                        matrix3From(state[2], "inertia")};
                   }))
      .def("__copy__", [](const BodyInertia& b) { return b; })
      .def(
          "__deepcopy__", [](const BodyInertia& b, const py::dict&) { return b; }, py::arg("memo"));
}

}  // namespace

void bindMath(py::module_& m) {
  bindTransform(m);
  bindInertia(m);
  define(
      m, "rotation_from_moment",
      [](py::handle moment) { return arrayOf(rotationFromMoment(vector3From(moment, "moment"))); }, py::arg("moment"),
      "rotation_from_moment(moment: ArrayLike) -> ndarray (3, 3)\n\nExponential map of a rotation vector (rad).");
  define(
      m, "moment_from_rotation", [](py::handle R) { return arrayOf(momentFromRotation(rotationFrom(R, "R"))); },
      py::arg("R"),
      "moment_from_rotation(R: ArrayLike) -> ndarray (3,)\n\nRotation vector (rad), of length at most pi.");
  define(
      m, "rotation_from_roll_pitch_yaw",
      [](py::handle rpy) { return arrayOf(rotationFromRollPitchYaw(vector3From(rpy, "rpy"))); }, py::arg("rpy"),
      "rotation_from_roll_pitch_yaw(rpy: ArrayLike) -> ndarray (3, 3)\n\nRz(yaw) Ry(pitch) Rx(roll), rad.");
  define(
      m, "rotation_about_axis",
      [](py::handle axis, double angle) {
        requireFinite(&angle, 1, "angle");
        return arrayOf(rotationAboutAxis(vector3From(axis, "axis"), angle));
      },
      py::arg("axis"), py::arg("angle"),
      "rotation_about_axis(axis: ArrayLike, angle) -> ndarray (3, 3)\n\nBy |axis| * angle, rad.");
  define(
      m, "orthonormalized", [](py::handle R) { return arrayOf(orthonormalized(matrix3From(R, "R"))); }, py::arg("R"),
      "orthonormalized(R: ArrayLike) -> ndarray (3, 3)\n\nThe nearest rotation matrix (polar decomposition).");
}

}  // namespace mortise::python
