#include "common/arrays.h"

#include <cmath>
#include <cstdio>
#include <sstream>
#include <utility>

#include "common/fast.h"
#include "mortise/base/expect.h"

namespace mortise::python {

namespace {

std::string shapeOf(const std::vector<py::ssize_t>& shape) {
  std::string text = "(";
  const char* unknown = "n";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += shape[i] < 0 ? std::string(std::exchange(unknown, "m")) : std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

[[noreturn]] void refuse(py::handle from, const char* name, const std::string& wanted) {
  throw py::value_error(std::string(name) + ": expected " + wanted + ", found " + shapeText(from));
}

/// float64, native byte order, aligned.
bool isReals(py::handle value) {
  if (!py::detail::npy_api::get().PyArray_Check_(value.ptr())) return false;
  const auto* type = py::detail::array_descriptor_proxy(py::detail::array_proxy(value.ptr())->descr);
  return type->type_num == py::detail::npy_api::NPY_DOUBLE_ && type->byteorder != '>';
}

/// The fastest way to a plain vector: nothing is made.
bool copyPlain(py::handle from, double* to, Eigen::Index size) {
  const auto& api = py::detail::npy_api::get();
  if (!api.PyArray_Check_(from.ptr())) return false;
  const auto* array = py::detail::array_proxy(from.ptr());
  if (array->nd != 1 || array->dimensions[0] != size || !isReals(from)) return false;
  if ((array->flags & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0) return false;
  const char* data = array->data;
  for (Eigen::Index i = 0; i < size; ++i, data += array->strides[0]) to[i] = *reinterpret_cast<const double*>(data);
  return true;
}

bool copySequence(py::handle from, const char* name, double* to, Eigen::Index size) {
  if (!PyList_CheckExact(from.ptr()) && !PyTuple_CheckExact(from.ptr())) return false;
  if (PySequence_Fast_GET_SIZE(from.ptr()) != size) return false;
  for (Eigen::Index i = 0; i < size; ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(from.ptr(), i);
    if (PyFloat_CheckExact(item)) {
      to[i] = PyFloat_AS_DOUBLE(item);
    } else {
      const double number = PyNumber_Check(item) != 0 ? PyFloat_AsDouble(item) : -1;
      if (PyNumber_Check(item) == 0 || (number == -1 && PyErr_Occurred() != nullptr)) {
        PyErr_Clear();
        throw py::type_error(std::string(name) + ": expected numbers, found " + shapeText(item) + " at index " +
                             std::to_string(i));
      }
      to[i] = number;
    }
    if (PySequence_Fast_GET_SIZE(from.ptr()) != size) refuse(from, name, shapeOf({size}));
  }
  return true;
}

py::array_t<double, py::array::c_style | py::array::forcecast> converted(py::handle from, const char* name,
                                                                         const std::string& wanted) {
  if (from.is_none() || PyUnicode_Check(from.ptr()) != 0 || PyBytes_Check(from.ptr()) != 0)
    throw py::type_error(std::string(name) + ": expected " + wanted + ", found " + shapeText(from));
  // Complex numbers, texts and objects are refused: numpy would drop imaginary parts.
  const py::array plain = py::array::ensure(from);
  if (!plain) PyErr_Clear();
  const char kind = plain ? plain.dtype().kind() : 'O';
  if (!plain || (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'b' && plain.size() > 0)) {
    throw py::type_error(std::string(name) + ": expected " + wanted + ", found " + shapeText(from));
  }
  auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(plain);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(std::string(name) + ": expected " + wanted + ", found " + shapeText(from));
  }
  return array;
}

std::string numbersText(Eigen::Index size) {
  return size < 0 ? std::string("a list of numbers") : std::to_string(size) + " numbers";
}

}  // namespace

std::string shapeText(py::handle value) {
  if (!value) return "nothing";
  if (value.is_none()) return "None";
  if (py::isinstance<py::array>(value)) {
    const auto array = py::reinterpret_borrow<py::array>(value);
    std::vector<py::ssize_t> shape(array.shape(), array.shape() + array.ndim());
    return "an array of shape " + shapeOf(shape) + " and type " + std::string(py::str(array.dtype()));
  }
  if (PyType_Check(value.ptr()) != 0)
    return "the class " + std::string(reinterpret_cast<PyTypeObject*>(value.ptr())->tp_name);
  const std::string type = Py_TYPE(value.ptr())->tp_name;
  if (PyList_Check(value.ptr()) != 0 || PyTuple_Check(value.ptr()) != 0)
    return "a " + type + " of " + std::to_string(PySequence_Size(value.ptr()));
  return "a value of type " + type;
}

void requireFinite(const double* numbers, Eigen::Index size, const char* name) {
  double none = 0;  // Times zero, what is not finite is not a number, and stays so in a sum.
  for (Eigen::Index i = 0; i < size; ++i) none += 0 * numbers[i];
  if (none == 0) return;
  for (Eigen::Index i = 0; i < size; ++i)
    if (!std::isfinite(numbers[i]))
      throw py::value_error(std::string(name) + ": expected finite numbers, found " +
                            (std::isnan(numbers[i]) ? "nan"
                             : numbers[i] > 0       ? "inf"
                                                    : "-inf") +
                            " at index " + std::to_string(i));
}

void readNumbers(py::handle from, const char* name, double* to, Eigen::Index size, Accept accept) {
  if (!copyPlain(from, to, size) && !copySequence(from, name, to, size)) {
    const auto array = converted(from, name, numbersText(size));
    if (array.ndim() != 1 || array.shape(0) != size) refuse(from, name, numbersText(size));
    std::copy_n(array.data(), size, to);
  }
  if (accept == Accept::finite) requireFinite(to, size, name);
}

VectorXd vectorFrom(py::handle from, const char* name, Eigen::Index size, Accept accept) {
  VectorXd numbers;
  if (size >= 0) {
    numbers.resize(size);
    readNumbers(from, name, numbers.data(), size, accept);
    return numbers;
  }
  const auto array = converted(from, name, numbersText(size));
  if (array.ndim() != 1) refuse(from, name, numbersText(size));
  numbers = Eigen::Map<const VectorXd>(array.data(), array.shape(0));
  if (accept == Accept::finite) requireFinite(numbers.data(), numbers.size(), name);
  return numbers;
}

Vector3d vector3From(py::handle from, const char* name, Accept accept) {
  Vector3d vector;
  readNumbers(from, name, vector.data(), 3, accept);
  return vector;
}

Matrix3d matrix3From(py::handle from, const char* name) {
  const auto array = converted(from, name, "a 3 x 3 matrix");
  if (array.ndim() != 2 || array.shape(0) != 3 || array.shape(1) != 3) refuse(from, name, "a 3 x 3 matrix");
  requireFinite(array.data(), 9, name);
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(array.data());
}

const Matrix3d& requireRotation(const Matrix3d& R, const char* name) {
  constexpr double kOff = 1e-3;
  const double off = (R * R.transpose() - Matrix3d::Identity()).cwiseAbs().maxCoeff();
  const char* wanted = ": expected a rotation matrix (columns of length 1 at right angles, determinant 1), found ";
  if (!(off <= kOff)) {
    char number[32];
    std::snprintf(number, sizeof number, "%.3g", off);
    throw py::value_error(std::string(name) + wanted + "one whose R R^T is " + number + " from the identity");
  }
  if (R.determinant() < 0) throw py::value_error(std::string(name) + wanted + "a reflection (determinant -1)");
  return R;
}

double requireMass(double mass) {
  if (mass >= 0 && std::isfinite(mass)) return mass;
  std::ostringstream found;
  found << mass;
  throw py::value_error("mass: expected kilograms of at least 0, found " + found.str());
}

Matrix3d rotationFrom(py::handle from, const char* name) { return requireRotation(matrix3From(from, name), name); }

RigidTransform transformFrom(py::handle from, const char* name) {
  if (py::isinstance<RigidTransform>(from)) return objectOf<RigidTransform>(from.ptr());
  if (PyTuple_Check(from.ptr()) != 0 && PyTuple_GET_SIZE(from.ptr()) == 2) {
    const auto pair = py::reinterpret_borrow<py::tuple>(from);
    return {rotationFrom(pair[0], (std::string(name) + "[0]").c_str()),
            vector3From(pair[1], (std::string(name) + "[1]").c_str())};
  }
  const char* wanted = "a RigidTransform, a 3 x 4 or 4 x 4 matrix, or a pair (R, p)";
  const auto array = converted(from, name, wanted);
  if (array.ndim() != 2 || array.shape(1) != 4 || (array.shape(0) != 3 && array.shape(0) != 4))
    refuse(from, name, wanted);
  const Eigen::Map<const Eigen::Matrix<double, 3, 4, Eigen::RowMajor>> rows(array.data());
  requireFinite(array.data(), array.size(), name);
  if (array.shape(0) == 4) {
    const double* last = array.data() + 12;
    if (last[0] != 0 || last[1] != 0 || last[2] != 0 || last[3] != 1)
      throw py::value_error(std::string(name) + ": expected a matrix whose last row is 0, 0, 0, 1");
  }
  return {requireRotation(rows.leftCols<3>(), name), rows.col(3)};
}

py::array_t<double, py::array::c_style> rowsFrom(py::handle from, const char* name, py::ssize_t columns) {
  const std::string wanted = "rows of shape " + shapeOf({-1, columns});
  auto array = converted(from, name, wanted);
  if (array.ndim() != 2 || (columns >= 0 && array.shape(1) != columns)) refuse(from, name, wanted);
  return py::reinterpret_borrow<py::array_t<double, py::array::c_style>>(array);
}

std::vector<int> indicesFrom(py::handle from, const char* name) {
  try {
    std::vector<int> indices;
    for (const auto item : from) indices.push_back(item.cast<int>());
    return indices;
  } catch (const std::exception&) {
    throw py::type_error(std::string(name) + ": expected a list of integers, found " + shapeText(from));
  }
}

std::string textFrom(py::handle from, const char* name) {
  if (PyUnicode_Check(from.ptr()) == 0)
    throw py::type_error(std::string(name) + ": expected a text, found " + shapeText(from));
  return from.cast<std::string>();
}

int integerFrom(py::handle from, const char* name) {
  int number = 0;
  const bool integer = PyIndex_Check(from.ptr()) != 0 && PyType_Check(from.ptr()) == 0;
  py::detail::make_caster<int> caster;
  if (!integer || !caster.load(from, true)) {
    PyErr_Clear();
    throw py::type_error(std::string(name) + ": expected an integer" + (integer ? " in range" : "") + ", found " +
                         shapeText(from));
  }
  number = py::detail::cast_op<int>(caster);
  return number;
}

bool flagFrom(py::handle from, const char* name) {
  py::detail::make_caster<bool> caster;
  if (!caster.load(from, false))
    throw py::type_error(std::string(name) + ": expected True or False, found " + shapeText(from));
  return py::detail::cast_op<bool>(caster);
}

py::array viewOf(const double* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides, py::handle owner,
                 bool writable) {
  py::array array(py::dtype::of<double>(), std::move(shape), std::move(strides), data, owner);
  return writable ? array : readOnly(std::move(array));
}

py::array readOnly(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array arrayOf(const VectorXd& numbers) { return arrayOfSize(numbers.size(), numbers.data()); }
py::array arrayOf(const std::vector<double>& numbers) {
  return arrayOfSize(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}
py::array arrayOf(const Vector3d& numbers) { return arrayOfSize(3, numbers.data()); }
py::array arrayOf(const Matrix3d& numbers) {
  py::array_t<double> array({3, 3});
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(array.mutable_data()) = numbers;
  return array;
}
py::array matrixOf(const Eigen::MatrixXd& numbers) {
  py::array_t<double> array({numbers.rows(), numbers.cols()});
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      array.mutable_data(), numbers.rows(), numbers.cols()) = numbers;
  return array;
}
py::array arrayOf(const std::vector<Vector3d>& points) {
  return py::array_t<double>({static_cast<py::ssize_t>(points.size()), py::ssize_t{3}},
                             points.empty() ? nullptr : points.front().data());
}

py::array arrayOwning(VectorXd&& numbers) {
  auto held = std::make_unique<VectorXd>(std::move(numbers));
  const double* data = held->data();
  const py::ssize_t size = held->size();
  py::capsule owner(held.release(), [](void* pointer) { delete static_cast<VectorXd*>(pointer); });
  return viewOf(data, {size}, {8}, owner, true);
}

py::array resultArray(py::handle out, const char* name, std::vector<py::ssize_t> shape, bool columnMajor) {
  if (!out || out.is_none()) {
    if (columnMajor) return py::array_t<double, py::array::f_style>(std::move(shape));
    return py::array_t<double>(std::move(shape));
  }
  const std::string wanted = "a writable array of shape " + shapeOf(shape) + " and type float64";
  if (!py::isinstance<py::array>(out))
    throw py::type_error(std::string(name) + ": expected " + wanted + ", found " + shapeText(out));
  auto array = py::reinterpret_borrow<py::array>(out);
  const bool fits = isReals(out) && array.ndim() == static_cast<py::ssize_t>(shape.size()) &&
                    std::equal(shape.begin(), shape.end(), array.shape());
  if (!fits) refuse(out, name, wanted);
  if (!array.writeable()) throw py::value_error(std::string(name) + ": expected " + wanted + ", found a read-only one");
  for (py::ssize_t i = 0; i < array.ndim(); ++i)
    if (array.strides(i) % 8 != 0)
      throw py::value_error(std::string(name) + ": expected " + wanted + ", found one that is not aligned");
  if ((array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0)
    throw py::value_error(std::string(name) + ": expected " + wanted + ", found one that is not aligned");
  return array;
}

StridedMatrix asMatrix(py::array& array) {
  const py::ssize_t rows = array.shape(0), columns = array.ndim() > 1 ? array.shape(1) : 1;
  const py::ssize_t rowStride = array.strides(0) / 8, columnStride = array.ndim() > 1 ? array.strides(1) / 8 : 1;
  return StridedMatrix(static_cast<double*>(array.mutable_data()), rows, columns,
                       Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(columnStride, rowStride));
}

}  // namespace mortise::python
