#include <pybind11/stl.h>

#include "common/define.h"
#include "common/values.h"
#include "components/script_components.h"
#include "components/script_types.h"
#include "mortise/settings/output_path.h"

namespace mortise::python {

namespace {

/// Python's StageContext; null once the call is over.
struct StageHandle {
  StageContext* context = nullptr;
  StageContext& use() const {
    if (context == nullptr) throw Error("the context of a stage is valid during its call only");
    return *context;
  }
};

/// The stage's progress bar ends with the call.
class ScriptStage final : public Stage {
 public:
  ScriptStage(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object)
      : script_(declared, settings, host, object) {}

  void check(StageContext& context, Diagnostics& diagnostics) override {
    bool wanted = false;
    withPython([&] { wanted = script_.has("check"); });
    if (!wanted) return;
    try {
      call("check", context);
    } catch (const Error& error) {
      diagnostics.error(error);
    }
  }

  void run(StageContext& context) override { call("run", context); }

 private:
  void call(const char* method, StageContext& context) {
    withPython([&] {
      const py::object object = py::cast(StageHandle{&context});
      auto& handle = object.cast<StageHandle&>();
      try {
        script_.call(method, object);
      } catch (...) {
        handle.context = nullptr;
        throw;
      }
      handle.context = nullptr;
    });
  }
  ScriptObject script_;
};

}  // namespace

Stage* newScriptStage(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object) {
  return new ScriptStage(declared, settings, host, object);
}

void bindScriptStage(py::module_& m) {
  Class<StageHandle>(m, "StageContext",
                     "What a stage finds when it runs, and where it leaves its results for later stages; valid during "
                     "the call only.")
      .def_property_readonly(
          "world", [](const StageHandle& h) { return std::make_shared<World>(h.use().world()); },
          "The pipeline's World.")
      .def_property_readonly(
          "pipeline", [](const StageHandle& h) { return toPython(h.use().pipeline()); },
          "pipeline: dict[str, Any]\n\ndict: the pipeline's settings outside `stages`, complete.")
      .def_property_readonly(
          "seed", [](const StageHandle& h) { return h.use().seed(); }, "Of the pipeline's random numbers.")
      .def_property_readonly(
          "run_directory", [](const StageHandle& h) { return h.use().runDirectory(); },
          "Exists; every file that a stage writes goes below it.")
      .def_property_readonly(
          "stop_requested", [](const StageHandle& h) { return h.use().stopRequested(); },
          "True after Ctrl-C: keep what there is and return.")
      .def_property_readonly(
          "results", [](const StageHandle& h) { return toPython(h.use().results()); },
          "results: dict[str, Any]\n\ndict: all results so far, in the order in which they came.")
      .def(
          "output_path",
          [](const StageHandle& h, const std::string& name) { return outputPath(h.use().runDirectory(), name); },
          py::arg("name"), "output_path(name) -> str\n\nOf a file below the folder of the run.")
      .def(
          "save_result",
          [](const StageHandle& h, const std::string& name, py::handle value) {
            h.use().saveResult(name, valueFrom(value, "value"));
          },
          py::arg("name"), py::arg("value"), "save_result(name, value: Any)\n\nNumbers, texts, lists and dicts.")
      .def(
          "save_trajectory",
          [](const StageHandle& h, const std::string& name, const Trajectory& motion) {
            h.use().saveTrajectory(name, motion);
          },
          py::arg("name"), py::arg("trajectory"),
          "save_trajectory(name, trajectory)\n\nA Trajectory of full configurations, for later stages to follow.")
      .def(
          "trajectory",
          [](const StageHandle& h, const std::string& name) -> py::object {
            const Trajectory* found = h.use().findTrajectory(name);
            return found != nullptr ? py::cast(*found) : py::object(py::none());
          },
          py::arg("name"), "trajectory(name) -> Trajectory\n\nThat an earlier stage saved; None where there is none.")
      .def(
          "begin",
          [](const StageHandle& h, const std::string& task, double total) { h.use().progress().begin(task, total); },
          py::arg("task"), py::arg("total"), "begin(task, total)\n\nA progress bar.")
      .def(
          "advance_to", [](const StageHandle& h, double done) { h.use().progress().advanceTo(done); }, py::arg("done"),
          "advance_to(done)\n\nOf the progress bar's total.")
      .def(
          "end", [](const StageHandle& h) { h.use().progress().end(); }, "end()\n\nOf the progress bar.");
}

}  // namespace mortise::python
