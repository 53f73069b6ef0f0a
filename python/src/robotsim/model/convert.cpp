#include "robotsim/model/convert.h"

#include <cmath>

#include "common/arrays.h"

namespace mortise::robotsim {

namespace {

/// A plain vector of float64, and where its numbers are; null for anything else.
const py::detail::PyArray_Proxy* plainVector(PyObject* object) {
  const auto& api = py::detail::npy_api::get();
  if (!api.PyArray_Check_(object)) return nullptr;
  const auto* array = py::detail::array_proxy(object);
  const auto* type = py::detail::array_descriptor_proxy(array->descr);
  const bool plain = array->nd == 1 && type->type_num == py::detail::npy_api::NPY_DOUBLE_ && type->byteorder != '>' &&
                     (array->flags & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
  return plain ? array : nullptr;
}

void copyPlain(const py::detail::PyArray_Proxy& array, double* numbers) {
  const char* data = array.data;
  for (py::ssize_t i = 0; i < array.dimensions[0]; ++i, data += array.strides[0])
    numbers[i] = *reinterpret_cast<const double*>(data);
}

/// Numbers of a list or tuple; false where an item is none.
bool readItems(PyObject* sequence, double* numbers, Py_ssize_t size) {
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(sequence, i);
    if (PyFloat_CheckExact(item)) {
      numbers[i] = PyFloat_AS_DOUBLE(item);
      continue;
    }
    numbers[i] = PyFloat_AsDouble(item);
    if (numbers[i] == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      return false;
    }
    if (PySequence_Fast_GET_SIZE(sequence) != size) return false;  // The item's own code changed the list.
  }
  return true;
}

/// Sequences other than lists and tuples are read through numpy, which knows how.
bool readArray(PyObject* object, std::vector<double>& numbers) {
  auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(py::handle(object));
  if (!array) {
    PyErr_Clear();
    return false;
  }
  if (array.ndim() != 1) return false;
  numbers.assign(array.data(), array.data() + array.size());
  return true;
}

}  // namespace

bool readNumbers(PyObject* object, std::vector<double>& numbers) {
  if (PyUnicode_Check(object) || PyBytes_Check(object)) return false;
  if (const auto* array = plainVector(object)) {
    numbers.resize(static_cast<std::size_t>(array->dimensions[0]));
    copyPlain(*array, numbers.data());
    return true;
  }
  if (!PyList_Check(object) && !PyTuple_Check(object))
    return PySequence_Check(object) != 0 && readArray(object, numbers);
  numbers.resize(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(object)));
  return readItems(object, numbers.data(), static_cast<Py_ssize_t>(numbers.size()));
}

bool readNumbers(PyObject* object, VectorXd& numbers) {
  if (const auto* array = plainVector(object)) {
    numbers.resize(array->dimensions[0]);
    copyPlain(*array, numbers.data());
    return true;
  }
  if (PyList_Check(object) || PyTuple_Check(object)) {
    numbers.resize(PySequence_Fast_GET_SIZE(object));
    return readItems(object, numbers.data(), numbers.size());
  }
  std::vector<double> read;
  if (!readNumbers(object, read)) return false;
  numbers = Eigen::Map<const VectorXd>(read.data(), static_cast<Eigen::Index>(read.size()));
  return true;
}

bool readFixed(PyObject* object, double* numbers, std::size_t size) {
  const auto wanted = static_cast<Py_ssize_t>(size);
  if ((PyList_Check(object) || PyTuple_Check(object)) && PySequence_Fast_GET_SIZE(object) == wanted)
    return readItems(object, numbers, wanted);
  std::vector<double> read;
  if (!readNumbers(object, read)) return false;
  if (read.size() != size)
    throw py::value_error("a list of " + std::to_string(size) + " numbers is needed, not of " +
                          std::to_string(read.size()));
  std::copy(read.begin(), read.end(), numbers);
  return true;
}

py::list listOf(const double* numbers, std::size_t size) {
  py::list list(size);
  for (std::size_t i = 0; i < size; ++i)
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), PyFloat_FromDouble(numbers[i]));
  return list;
}

const Vector3d& finite(const Vec3& vector, const char* what) {
  python::requireFinite(vector.v.data(), 3, what);
  return vector.v;
}

const VectorXd& finite(const Reals& numbers, const char* what) {
  python::requireFinite(numbers.v.data(), numbers.v.size(), what);
  return numbers.v;
}

double finite(double number, const char* what) {
  if (!std::isfinite(number))
    throw py::value_error(std::string(what) + ": expected a finite number, found " +
                          (std::isnan(number) ? "nan"
                           : number > 0       ? "inf"
                                              : "-inf"));
  return number;
}

RigidTransform poseFrom(const Rot9& R, const Vec3& t) {
  python::requireFinite(R.R.data(), 9, "R");
  return {python::requireRotation(R.R, "R"), finite(t, "t")};
}

BodyInertia bodyFrom(double mass, const Vec3& com, const Rot9& inertia) {
  python::requireFinite(inertia.R.data(), 9, "inertia");
  BodyInertia body;
  body.mass = python::requireMass(mass);
  body.com = finite(com, "com");
  body.inertia = inertia.R;
  return body;
}

void requireSize(const VectorXd& values, int size, const char* what) {
  if (values.size() != size)
    throw std::runtime_error(std::string(what) + " has " + std::to_string(values.size()) + " numbers, but " +
                             std::to_string(size) + " are needed");
}

py::array_t<double> arrayOf(const Eigen::MatrixXd& matrix) {
  py::array_t<double> array({matrix.rows(), matrix.cols()});
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      array.mutable_data(), matrix.rows(), matrix.cols()) = matrix;
  return array;
}

}  // namespace mortise::robotsim
