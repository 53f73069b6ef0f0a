#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/bindings.h"
#include "common/define.h"
#include "common/environment.h"
#include "common/values.h"
#include "mortise/pipeline/pipeline_run.h"
#include "mortise/plugin/registry.h"

namespace mortise::python {

namespace {

/// A registry of its own: a pipeline may name plugins of its own.
struct CheckedPipeline {
  Environment environment;
  std::unique_ptr<FormatLoader> loader;
  Pipeline pipeline;

  CheckedPipeline(const std::string& file, const std::vector<std::string>& settings) {
    Diagnostics diagnostics;
    PipelineFile read = loadPipelineFile(file, settings, diagnostics);
    for (const std::string& plugin : read.plugins(diagnostics)) environment.registry.addFile(plugin, "pipeline");
    environment.registry.discover();
    loader = std::make_unique<FormatLoader>(environment.registry, environment.log, resourcePath());
    pipeline = checkPipeline(std::move(read), environment.registry, *loader, environment.log, diagnostics);
    checkStages(pipeline, environment.registry, *loader, environment.log, diagnostics);
    diagnostics.throwIfErrors("'" + file + "' cannot be run");
  }
};

std::vector<std::string> assignments(py::handle settings) {
  std::vector<std::string> list;
  if (settings.is_none()) return list;
  if (PyDict_Check(settings.ptr()) == 0)
    throw py::type_error("settings: expected a dict, found " + shapeText(settings));
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(settings)) {
    const std::string name = py::str(key);
    const Value converted = valueFrom(value, name);
    const std::string text = converted.isScalar()
                                 ? (converted.isNull() ? "null" : converted.text())
                                 : std::string(py::str(py::module_::import("json").attr("dumps")(value)));
    list.push_back(name + "=" + text);
  }
  return list;
}

}  // namespace

void bindPipelines(py::module_& m) {
  define(
      m, "check_pipeline",
      [](py::handle path, py::handle settings) {
        const std::string file = pathFrom(path);
        const std::vector<std::string> texts = assignments(settings);
        Value resolved;
        {
          py::gil_scoped_release release;
          resolved = CheckedPipeline(file, texts).pipeline.resolved;
        }
        return toPython(resolved);
      },
      py::arg("path"), py::arg("settings") = py::none(),
      "check_pipeline(path: PathLike, settings: Mapping[str, Any] | None = None) -> dict[str, Any]\n\nThe pipeline "
      "with all settings complete; raises Error with everything that is wrong. settings: {'simulation.backend': "
      "'bullet', 'stages.simulate.duration': 0.5}.");
  define(
      m, "run_pipeline",
      [](py::handle path, py::handle output, py::handle settings, bool force) {
        const std::string file = pathFrom(path);
        const std::vector<std::string> texts = assignments(settings);
        RunOptions options;
        if (!output.is_none()) options.directory = pathFrom(output, "output");
        options.force = force;
        options.command = "mortise.run_pipeline('" + file + "')";
        SignalCheck signals;
        bool interrupted = false;
        options.stopRequested = [&] {
          interrupted = interrupted || signals.interrupted();
          return interrupted;
        };
        RunOutcome outcome;
        {
          py::gil_scoped_release release;
          CheckedPipeline checked(file, texts);
          outcome = runPipeline(checked.pipeline, checked.environment.registry, *checked.loader,
                                checked.environment.log, options);
        }
        if (interrupted) throw py::error_already_set();
        if (outcome.status == RunStatus::failed) {
          if (!outcome.errors.empty()) throw DiagnosticsError(outcome.failure, outcome.errors);
          throw Error(outcome.failure);
        }
        return toPython(outcome.result);
      },
      py::arg("path"), py::arg("output") = py::none(), py::arg("settings") = py::none(), py::arg("force") = false,
      "run_pipeline(path: PathLike, output: PathLike | None = None, settings: Mapping[str, Any] | None = None, force = "
      "False) -> dict[str, Any]\n\nRuns a pipeline as `mortise run` does; what result.json holds: name, status, "
      "directory, stages, results, files. output: folder of the results (runs/NAME if None). Raises Error where a "
      "stage fails. Runs without the GIL; Ctrl-C ends the run after the current step.");
}

}  // namespace mortise::python
