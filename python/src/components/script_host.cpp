#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/define.h"
#include "components/script_object.h"
#include "components/script_types.h"

namespace mortise::python {

namespace {

/// `draw` as often as `size` asks for.
py::object drawn(py::handle size, const std::function<double()>& draw) {
  if (size.is_none()) return py::float_(draw());
  std::vector<py::ssize_t> shape;
  if (PyLong_Check(size.ptr()) != 0)
    shape.push_back(size.cast<py::ssize_t>());
  else
    shape = size.cast<std::vector<py::ssize_t>>();
  for (const py::ssize_t n : shape)
    if (n < 0) throw py::value_error("size: expected numbers of at least 0");
  py::array_t<double> array(shape);
  double* to = array.mutable_data();
  for (py::ssize_t i = 0; i < array.size(); ++i) to[i] = draw();
  return array;
}

LogLevel levelFrom(const std::string& name) {
  if (name == "debug") return LogLevel::debug;
  if (name == "info") return LogLevel::info;
  if (name == "warning") return LogLevel::warning;
  if (name == "error") return LogLevel::error;
  throw py::value_error("level: expected 'debug', 'info', 'warning' or 'error', found '" + name + "'");
}

}  // namespace

namespace {

void bindHostServices(Class<HostHandle>& host) {
  host.def(
          "publish",
          [](const HostHandle& h, const std::string& channel, py::handle values) {
            const VectorXd numbers = vectorFrom(values, "values", -1, Accept::any);
            h.use().publish(channel, {numbers.data(), static_cast<std::size_t>(numbers.size())});
          },
          py::arg("channel"), py::arg("values"),
          "publish(channel, values: float | ArrayLike)\n\nNumbers that recorders and other components see as "
          "name/channel.")
      .def(
          "uniform",
          [](const HostHandle& h, double low, double high, py::handle size) {
            RandomStream& random = h.use().random();
            return drawn(size, [&] { return random.uniform(low, high); });
          },
          py::arg("low") = 0.0, py::arg("high") = 1.0, py::arg("size") = py::none(),
          "uniform(low = 0, high = 1, size: int | tuple[int, ...] | None = None) -> Any\n\nRandom numbers "
          "in [low, high): one, or an array of this size.")
      .def(
          "gaussian",
          [](const HostHandle& h, double mean, double deviation, py::handle size) {
            RandomStream& random = h.use().random();
            return drawn(size, [&] { return mean + deviation * random.gaussian(); });
          },
          py::arg("mean") = 0.0, py::arg("deviation") = 1.0, py::arg("size") = py::none(),
          "gaussian(mean = 0, deviation = 1, size: int | tuple[int, ...] | None = None) -> Any\n\nNormally "
          "distributed random numbers: one, or an array.")
      .def(
          "integer",
          [](const HostHandle& h, std::int64_t bound) {
            if (bound <= 0) throw py::value_error("bound: expected at least 1");
            return h.use().random().below(static_cast<std::uint64_t>(bound));
          },
          py::arg("bound"), "integer(bound) -> int\n\nA random integer in [0, bound).")
      .def("__repr__", [](const HostHandle& h) {
        return h.host == nullptr ? std::string("Host(gone)") : "Host('" + std::string(h.host->name()) + "')";
      });
}

}  // namespace

void bindScriptHost(py::module_& m) {
  Class<HostHandle> host(
      m, "Host",
      "What a component may ask of the program that runs it; its attribute `host`. Random numbers are "
      "its own stream's, derived from the run's seed, and part of saved states.");
  host.def_property_readonly(
          "name", [](const HostHandle& h) { return std::string(h.use().name()); }, "By which it goes in the run.")
      .def_property_readonly(
          "run_directory", [](const HostHandle& h) { return h.use().runDirectory(); },
          "Folder of the run's results; '' when nothing is recorded.")
      .def_property_readonly(
          "stop_requested", [](const HostHandle& h) { return h.use().stopRequested(); },
          "True once the user wants the program to end.")
      .def(
          "log",
          [](const HostHandle& h, const std::string& message, const std::string& level) {
            h.use().log(levelFrom(level), message);
          },
          py::arg("message"), py::arg("level") = "info",
          "log(message, level = 'info')\n\nLevels: 'debug', 'info', 'warning', 'error'.")
      .def(
          "find_resource",
          [](const HostHandle& h, const std::string& reference) { return h.use().findResource(reference); },
          py::arg("reference"),
          "find_resource(reference: PathLike) -> str\n\nFull path of a file that a setting refers to.")
      .def(
          "load_trajectory",
          [](const HostHandle& h, const std::string& reference) { return h.use().loadTrajectory(reference); },
          py::arg("reference"), "load_trajectory(reference: PathLike) -> Trajectory\n\nA motion file in any format.");
  bindHostServices(host);
}

}  // namespace mortise::python
