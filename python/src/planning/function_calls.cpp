#include "planning/function_calls.h"

#include <cmath>

#include "common/arrays.h"
#include "mortise/collision/edge_subdivision.h"

namespace mortise::python {

FunctionSpace SpaceHandle::plain() const {
  FunctionSpace space(low, high);
  if (weights.size() > 0) space.weights(weights);
  if (!names.empty()) space.names(names);
  if (resolution > 0) space.resolution(resolution);
  return space;
}

void FunctionCalls::keepFailure() {
  if (!failure_) failure_ = std::make_exception_ptr(py::error_already_set());
  PyErr_Clear();
}

bool FunctionCalls::coin() {
  coins_ = coins_ * 6364136223846793005U + 1442695040888963407U;
  return coins_ >> 63 != 0;
}

PyObject* FunctionCalls::filled(py::object& array, const VectorXd& q) {
  if (array && Py_REFCNT(array.ptr()) == 1) {
    // Whoever was called may have given it another shape.
    const auto* proxy = py::detail::array_proxy(array.ptr());
    const bool plain = proxy->nd == 1 && proxy->dimensions[0] == size_ && proxy->strides[0] == 8 &&
                       (proxy->flags & py::detail::npy_api::NPY_ARRAY_WRITEABLE_) != 0 && proxy->base == nullptr &&
                       py::isinstance<py::array_t<double>>(array);
    if (plain) {
      std::copy_n(q.data(), size_, reinterpret_cast<double*>(proxy->data));
      return array.ptr();
    }
  }
  array = arrayOfSize(size_, q.data());
  return array.ptr();
}

py::object FunctionCalls::called(const py::object& function, PyObject* const* arguments, std::size_t count) {
  PyObject* result = PyObject_Vectorcall(function.ptr(), arguments, count, nullptr);
  if (result == nullptr) keepFailure();
  return py::reinterpret_steal<py::object>(result);
}

bool FunctionCalls::truth(const py::object& result) {
  if (!result) return false;
  if (result.ptr() == Py_True) return true;
  if (result.ptr() == Py_False) return false;
  if (result.is_none()) {
    failure_ = std::make_exception_ptr(
        py::type_error("a test of the space returned None: expected True or False; is a 'return' missing?"));
    return false;
  }
  const int answer = PyObject_IsTrue(result.ptr());
  if (answer < 0) keepFailure();
  return answer > 0;
}

bool FunctionCalls::test(const py::object& function, const VectorXd& q) {
  if (failure_) return coin();
  if (q.size() != size_) return false;
  try {
    PyObject* argument = filled(first_, q);
    return truth(called(function, &argument, 1));
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    return false;
  }
}

bool FunctionCalls::test(const py::object& function, const VectorXd& a, const VectorXd& b) {
  if (failure_) return coin();
  if (a.size() != size_ || b.size() != size_) return false;
  try {
    PyObject* arguments[] = {filled(first_, a), filled(second_, b)};
    return truth(called(function, arguments, 2));
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    return false;
  }
}

double FunctionCalls::number(const py::object& function, const VectorXd& a, const VectorXd& b) {
  if (failure_) return 0;
  try {
    PyObject* arguments[] = {filled(first_, a), filled(second_, b)};
    const py::object result = called(function, arguments, 2);
    if (!result) return 0;
    const double number = PyFloat_AsDouble(result.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (!(number >= 0) || std::isinf(number))
      throw py::value_error("distance: expected a finite number of at least 0, found " + std::to_string(number));
    return number;
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    return 0;
  }
}

bool FunctionCalls::configuration(const py::object& function, const py::object& argument, const char* name,
                                  VectorXd& q) {
  if (failure_) return false;
  try {
    PyObject* arguments[] = {argument.ptr()};
    const py::object result = called(function, arguments, 1);
    if (!result || result.is_none()) return false;
    q.resize(size_);
    readNumbers(result, name, q.data(), size_, Accept::any);
    if (!q.allFinite()) throw py::value_error(std::string(name) + ": expected finite numbers");
    return true;
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    return false;
  }
}

double PythonSpace::distance(const VectorXd& a, const VectorXd& b) const {
  if (handle_.distance.is_none() || calls_.failed()) return plain_.distance(a, b);
  return calls_.number(handle_.distance, a, b);
}

void PythonSpace::sample(RandomStream& random, VectorXd& q) {
  if (handle_.sampler.is_none() || !calls_.configuration(handle_.sampler, random_, "sampler", q))
    plain_.sample(random, q);
}

bool PythonSpace::satisfies(int constraint, const VectorXd& q) {
  if (constraint == 0) {
    ++counts_.configurations;
    return plain_.satisfies(0, q);
  }
  return calls_.test(handle_.feasible, q);
}

bool PythonSpace::visible(const VectorXd& a, const VectorXd& b) {
  ++counts_.edges;
  if (!handle_.visible.is_none()) return calls_.test(handle_.visible, a, b);
  const double step = handle_.resolution > 0 ? handle_.resolution : extent() / 1000;
  return forEdgeFractions(edgeStepsByHalves(plain_.distance(a, b), step), [&](double u) {
    plain_.interpolate(a, b, u, between_);
    return feasible(between_);
  });
}

std::string PythonSpace::explain(int constraint, const VectorXd& q) {
  return constraint == 0 ? plain_.explain(0, q) : "the function 'feasible' returns False";
}

bool PythonGoal::sample(RandomStream& random, VectorXd& q) {
  if (!sampler_.is_none()) {
    ++tried_;
    return calls_.configuration(sampler_, random_, "goal_sampler", q);
  }
  for (int i = 0; i < 100 && !calls_.failed(); ++i) {
    ++tried_;
    space_.sample(random, q);
    if (contains(q) && space_.feasible(q)) return true;
  }
  return false;
}

std::string PythonGoal::explain() {
  return sampler_.is_none() ? std::to_string(tried_) + " random configurations are not in the goal"
                            : "the function 'goal_sampler' returned None";
}

}  // namespace mortise::python
