#include "robotsim/convert.h"

namespace mortise::robotsim {

namespace {

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
  if (!PyList_Check(object) && !PyTuple_Check(object))
    return PySequence_Check(object) != 0 && readArray(object, numbers);
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(object);
  numbers.resize(static_cast<std::size_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) {
    const double number = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(object, i));
    if (number == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      return false;
    }
    numbers[static_cast<std::size_t>(i)] = number;
  }
  return true;
}

bool readFixed(PyObject* object, double* numbers, std::size_t size) {
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
