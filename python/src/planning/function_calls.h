#pragma once

/// A space out of functions of Python.

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <pybind11/numpy.h>
#include <string>
#include <vector>

#include "mortise/component/planner.h"
#include "mortise/planning/spaces/function_space.h"

namespace mortise::python {

namespace py = pybind11;

/// Behind Python's Space.
struct SpaceHandle {
  VectorXd low, high, weights;
  double resolution = 0;  ///< 0: a thousandth of the extent.
  std::vector<std::string> names;
  py::object feasible, visible, sampler, distance;  ///< None: the default.
  FunctionSpace plain() const;
};

/// Calls into Python from a planner, which runs in one thread that holds the GIL. The first exception is kept, and all
/// later calls return at once, so that it can be raised unchanged when the planner has ended: no exception of Python
/// goes through a planner's code. Tests then answer at random, as some planners draw configurations until one
/// is free, without asking whether they should stop.
class FunctionCalls {
 public:
  explicit FunctionCalls(int size) : size_(size) {}

  bool test(const py::object& function, const VectorXd& q);
  bool test(const py::object& function, const VectorXd& a, const VectorXd& b);
  double number(const py::object& function, const VectorXd& a, const VectorXd& b);
  /// A configuration that a function returns; false for None and after a failure.
  bool configuration(const py::object& function, const py::object& argument, const char* name, VectorXd& q);

  bool failed() const { return failure_ != nullptr; }
  void rethrow() {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  /// An array with these numbers: the one of the call before where nobody kept it.
  PyObject* filled(py::object& array, const VectorXd& q);
  py::object called(const py::object& function, PyObject* const* arguments, std::size_t count);
  bool truth(const py::object& result);
  void keepFailure();
  bool coin();

  int size_;
  std::uint64_t coins_ = 1;
  py::object first_, second_;
  std::exception_ptr failure_;
};

/// One run's view of a space. Copies share its calls.
class PythonSpace final : public PlanningSpace {
 public:
  PythonSpace(const SpaceHandle& handle, FunctionCalls& calls, py::object random)
      : handle_(handle), calls_(calls), plain_(handle.plain()), random_(std::move(random)) {}

  int dimension() const override { return plain_.dimension(); }
  void bounds(VectorXd& low, VectorXd& high) const override { plain_.bounds(low, high); }
  double distance(const VectorXd& a, const VectorXd& b) const override;
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override {
    plain_.interpolate(a, b, u, q);
  }
  void sample(RandomStream& random, VectorXd& q) override;
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override {
    plain_.sampleNear(random, center, radius, q);
  }
  std::span<const std::string> constraints() const override { return names_; }
  bool satisfies(int constraint, const VectorXd& q) override;
  bool visible(const VectorXd& a, const VectorXd& b) override;
  std::string explain(int constraint, const VectorXd& q) override;
  double extent() const override { return plain_.extent(); }
  double measure() const override { return plain_.measure(); }
  std::unique_ptr<PlanningSpace> copy() const override {
    return std::make_unique<PythonSpace>(handle_, calls_, random_);
  }
  Counts counts() const override { return counts_; }
  std::string coordinateName(int i) const override { return plain_.coordinateName(i); }
  Value properties() const override { return plain_.properties(); }

 private:
  const SpaceHandle& handle_;
  FunctionCalls& calls_;
  FunctionSpace plain_;  ///< Bounds, metric and edges where no function says otherwise.
  py::object random_;
  std::vector<std::string> names_ = {"bounds", "feasible"};
  VectorXd between_;
  Counts counts_;
};

/// Wherever a function of Python says so.
class PythonGoal final : public PlanningGoal {
 public:
  PythonGoal(PlanningSpace& space, FunctionCalls& calls, py::object contains, py::object sampler, py::object random)
      : space_(space),
        calls_(calls),
        contains_(std::move(contains)),
        sampler_(std::move(sampler)),
        random_(std::move(random)) {}
  bool contains(const VectorXd& q) override { return calls_.test(contains_, q); }
  double distance(const VectorXd& q) override { return contains(q) ? 0 : 1; }
  bool sample(RandomStream& random, VectorXd& q) override;
  std::string explain() override;
  std::unique_ptr<PlanningGoal> copy() const override {
    return std::make_unique<PythonGoal>(space_, calls_, contains_, sampler_, random_);
  }

 private:
  PlanningSpace& space_;
  FunctionCalls& calls_;
  py::object contains_, sampler_, random_;
  std::int64_t tried_ = 0;
};

}  // namespace mortise::python
