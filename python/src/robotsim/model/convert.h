#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>

#include "common/define.h"
#include "mortise/math/inertia.h"
#include "mortise/math/transform.h"

/// Conversions of Klamp't's numbers: vectors as lists, rotations as nine numbers column by column, poses as pairs (R,
/// t). Sequences of another length are a ValueError, what is no sequence a TypeError.
namespace mortise::robotsim {

namespace py = pybind11;
using python::Class;
using python::constructor;
using python::define;

struct Vec3 {
  Vector3d v = Vector3d::Zero();
};
struct Rot9 {
  Matrix3d R = Matrix3d::Identity();
};
/// Any number of numbers; a list on the way back.
struct Reals {
  VectorXd v;
};

/// Reads a sequence of numbers; false for what is none.
bool readNumbers(PyObject* object, std::vector<double>& numbers);
bool readNumbers(PyObject* object, VectorXd& numbers);
/// The same for a wanted number of them: ValueError for another one.
bool readFixed(PyObject* object, double* numbers, std::size_t size);
py::list listOf(const double* numbers, std::size_t size);
/// Returns the numbers of anything that Eigen can evaluate; matrices column by column.
template <typename Derived>
py::list listOf(const Eigen::DenseBase<Derived>& values) {
  const auto& plain = values.derived().eval();
  return listOf(plain.data(), static_cast<std::size_t>(plain.size()));
}
inline py::tuple pairOf(const RigidTransform& X) { return py::make_tuple(listOf(X.R), listOf(X.p)); }
/// Throw ValueError for numbers that are not finite, where numbers become part of a model.
const Vector3d& finite(const Vec3& vector, const char* what);
const VectorXd& finite(const Reals& numbers, const char* what);
double finite(double number, const char* what);
/// A pose of finite numbers whose rotation is orthonormal to 1e-3 and no reflection; ValueError otherwise.
RigidTransform poseFrom(const Rot9& R, const Vec3& t);
/// Throws ValueError unless mass, center and inertia are finite and the mass is at least 0.
BodyInertia bodyFrom(double mass, const Vec3& com, const Rot9& inertia);
/// Throws ValueError unless `values` has `size` numbers.
void requireSize(const VectorXd& values, int size, const char* what);
/// A copy, row by row.
py::array_t<double> arrayOf(const Eigen::MatrixXd& matrix);

}  // namespace mortise::robotsim

namespace pybind11::detail {

template <>
struct type_caster<mortise::robotsim::Vec3> {
  PYBIND11_TYPE_CASTER(mortise::robotsim::Vec3, const_name("Sequence[float]"));
  bool load(handle source, bool) { return mortise::robotsim::readFixed(source.ptr(), value.v.data(), 3); }
  static handle cast(const mortise::robotsim::Vec3& source, return_value_policy, handle) {
    return mortise::robotsim::listOf(source.v).release();
  }
};

template <>
struct type_caster<mortise::robotsim::Rot9> {
  PYBIND11_TYPE_CASTER(mortise::robotsim::Rot9, const_name("Sequence[float]"));
  bool load(handle source, bool) { return mortise::robotsim::readFixed(source.ptr(), value.R.data(), 9); }
  static handle cast(const mortise::robotsim::Rot9& source, return_value_policy, handle) {
    return mortise::robotsim::listOf(source.R).release();
  }
};

template <>
struct type_caster<mortise::robotsim::Reals> {
  PYBIND11_TYPE_CASTER(mortise::robotsim::Reals, const_name("Sequence[float]"));
  bool load(handle source, bool) { return mortise::robotsim::readNumbers(source.ptr(), value.v); }
  static handle cast(const mortise::robotsim::Reals& source, return_value_policy, handle) {
    return mortise::robotsim::listOf(source.v).release();
  }
};

}  // namespace pybind11::detail

namespace mortise::python {

template <>
struct IsNumbers<robotsim::Vec3> : std::true_type {};
template <>
struct IsNumbers<robotsim::Rot9> : std::true_type {};
template <>
struct IsNumbers<robotsim::Reals> : std::true_type {};

}  // namespace mortise::python
