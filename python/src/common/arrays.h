#pragma once

/// numpy arrays as arguments and as results. What is wrong with an argument is said with its name, the shape that was
/// wanted and what was found: ValueError for sizes and numbers, TypeError for what is no array at all.

#include <Eigen/Core>
#include <initializer_list>
#include <memory>
#include <pybind11/numpy.h>
#include <string>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise::python {

namespace py = pybind11;

/// Says whether infinite numbers, and what is not a number, are refused where they enter.
enum class Accept { finite, any };

/// Reads `size` numbers from an array, list or tuple; -1: any number. `float64` arrays are copied without conversion.
VectorXd vectorFrom(py::handle from, const char* name, Eigen::Index size = -1, Accept accept = Accept::finite);
/// The same into memory that is there; allocates nothing for arrays of float64.
void readNumbers(py::handle from, const char* name, double* to, Eigen::Index size, Accept accept = Accept::finite);
Vector3d vector3From(py::handle from, const char* name, Accept accept = Accept::finite);
/// 3 x 3, row by row; finite.
Matrix3d matrix3From(py::handle from, const char* name);
/// The same of a rotation, which stays as given: orthonormal to 1e-3, as people type them, and no reflection.
Matrix3d rotationFrom(py::handle from, const char* name);
/// Throws ValueError for a number that is not finite.
void requireFinite(const double* numbers, Eigen::Index size, const char* name);
/// Throws ValueError for what `rotationFrom` refuses.
const Matrix3d& requireRotation(const Matrix3d& R, const char* name);
/// Throws ValueError for a mass that is not finite or below 0.
double requireMass(double mass);
/// A RigidTransform, a 3 x 4 or 4 x 4 matrix, or a pair (R, p); its rotation as of `rotationFrom`.
RigidTransform transformFrom(py::handle from, const char* name);
/// Rows of numbers: (n, columns); -1: any number of columns. A contiguous float64 array is taken as it is.
py::array_t<double, py::array::c_style> rowsFrom(py::handle from, const char* name, py::ssize_t columns = -1);
std::vector<int> indicesFrom(py::handle from, const char* name);
/// One text, one integer, True or False; TypeError for what is none.
std::string textFrom(py::handle from, const char* name);
int integerFrom(py::handle from, const char* name);
bool flagFrom(py::handle from, const char* name);

/// An array that shows numbers which `owner` (a capsule or any object) keeps alive. Strides in bytes.
py::array viewOf(const double* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides, py::handle owner,
                 bool writable);
/// A capsule that holds a shared pointer, as owner of views. It holds no Python object, so that views make no cycles.
template <typename T>
py::capsule ownerOf(const std::shared_ptr<T>& pointer) {
  return py::capsule(new std::shared_ptr<T>(pointer),
                     [](void* held) { delete static_cast<std::shared_ptr<T>*>(held); });
}

/// A new array of one dimension. `py::array_t<T>(count)` must not be used: pybind11 before 2.12 asks NumPy for the size
/// of a number, finds 0 where NumPy is 2.0 or later, and all entries are then the first one.
template <typename T>
py::array_t<T> arrayOfSize(py::ssize_t count, const T* numbers = nullptr) {
  return py::array_t<T>(std::vector<py::ssize_t>{count}, numbers);
}

/// New arrays.
py::array arrayOf(const VectorXd& numbers);
py::array arrayOf(const std::vector<double>& numbers);
py::array arrayOf(const Vector3d& numbers);
py::array arrayOf(const Matrix3d& numbers);
py::array matrixOf(const Eigen::MatrixXd& numbers);
/// (n, 3)
py::array arrayOf(const std::vector<Vector3d>& points);
/// Takes the numbers over without copying them.
py::array arrayOwning(VectorXd&& numbers);
/// Returns a read-only array.
py::array readOnly(py::array array);

/// An array for results: `out` where it is given (float64, of exactly this shape, writable; never converted), else a
/// new one in row-major order, or column-major where `columnMajor` asks for it.
py::array resultArray(py::handle out, const char* name, std::vector<py::ssize_t> shape, bool columnMajor = false);
/// The numbers of `resultArray`, whatever its strides.
using StridedMatrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
StridedMatrix asMatrix(py::array& array);

std::string shapeText(py::handle value);  ///< "an array of shape (3, 2) and type float32", "None", "a list of 4"

}  // namespace mortise::python
