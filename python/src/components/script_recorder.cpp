#include <pybind11/stl.h>

#include "common/define.h"
#include "common/values.h"
#include "components/script_components.h"
#include "components/script_views.h"
#include "mortise/settings/output_path.h"

namespace mortise::python {

namespace {

class ScriptRecorder final : public Recorder {
 public:
  ScriptRecorder(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object)
      : script_(declared, settings, host, object) {}
  ~ScriptRecorder() override {
    if (Py_IsInitialized() == 0) {
      view_.release();
      return;
    }
    const Interpreter lock;
    view_ = py::object();
  }

  void open(const RecorderSetup& setup) override {
    withPython([&] {
      view_ = py::cast(ViewHandle{});
      const py::object object = scriptModule().attr("RecorderSetup")();
      object.attr("world") = std::make_shared<World>(setup.world);
      object.attr("directory") = setup.directory;
      object.attr("prefix") = setup.prefix;
      object.attr("what") = setup.what;
      if (script_.has("open")) script_.call("open", object);
      if (!script_.has("snapshot_period")) return;
      period_ = script_.self().attr("snapshot_period").cast<double>();
      if (period_ > 0 && !script_.has("write_snapshot"))
        throw Error("it has a snapshot_period, but no method write_snapshot", {}, "write_snapshot(self, view, state)");
    });
  }

  void write(const SimulationView& view) override { visit("write", view, nullptr); }

  void close() override {
    withPython([&] {
      if (script_.has("close")) script_.call("close");
    });
  }

  double snapshotPeriod() const override { return period_; }

  void writeSnapshot(const SimulationView& view, std::span<const std::byte> state) override {
    visit("write_snapshot", view, &state);
  }

  void finish(const Value& ending) override {
    withPython([&] {
      if (script_.has("finish")) script_.call("finish", toPython(ending));
    });
  }

 private:
  void visit(const char* method, const SimulationView& view, const std::span<const std::byte>* state) {
    withPython([&] {
      auto& handle = view_.cast<ViewHandle&>();
      handle.view = &view;
      try {
        if (state == nullptr)
          script_.call(method, view_);
        else
          script_.call(method, view_, py::bytes(reinterpret_cast<const char*>(state->data()), state->size()));
      } catch (...) {
        handle.view = nullptr;
        throw;
      }
      handle.view = nullptr;
    });
  }

  ScriptObject script_;
  py::object view_;
  double period_ = 0;
};

}  // namespace

Recorder* newScriptRecorder(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object) {
  return new ScriptRecorder(declared, settings, host, object);
}

void bindScriptRecorder(py::module_& m) {
  define(
      m, "_output_path",
      [](const std::string& directory, const std::string& name) {
        const std::string path = outputPath(directory, name);
        makeParentFolder(path);
        return path;
      },
      py::arg("directory"), py::arg("name"));
}

}  // namespace mortise::python
