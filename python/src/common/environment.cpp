#include "common/environment.h"

#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "common/arrays.h"
#include "mortise/pipeline/stages/stages.h"

namespace mortise::python {

namespace {

const std::thread::id importThread = std::this_thread::get_id();

/// Places that the user added; registries made before are replaced when it changes.
struct Places {
  std::mutex mutex;
  int version = 1;
  std::vector<const MortisePluginManifest*> builtIn;
  std::vector<std::string> files, folders;
  ResourcePath resources;
};

Places& places() {
  static auto* all = new Places();  // Threads may still ask while the process ends.
  return *all;
}

}  // namespace

void PythonLog::write(LogLevel level, std::string_view source, std::string_view message) {
  if (Py_IsInitialized() == 0) return;
  py::gil_scoped_acquire gil;
  // A message that comes while an exception is on its way must not disturb it.
  py::error_scope scope;
  try {
    const int levels[] = {10, 20, 30, 40};
    const std::string text = source.empty() || source == "mortise" ? std::string(message)
                                                                   : std::string(source) + ": " + std::string(message);
    py::module_::import("logging").attr("getLogger")("mortise").attr("log")(levels[static_cast<int>(level)], "%s",
                                                                            text);
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("mortise log");
  }
}

Environment::Environment() : registry(log) {
  addPipelineStages(registry);
  {
    const std::lock_guard lock(places().mutex);
    version = places().version;
    for (const MortisePluginManifest* manifest : places().builtIn) registry.addBuiltIn(*manifest);
    for (const std::string& file : places().files) registry.addFile(file, "add_plugin");
    for (const std::string& folder : places().folders) registry.addFolder(folder, "add_plugin_folder");
  }
  registry.addStandardFolders();
  registry.discover();
}

EnvironmentPtr environment() {
  thread_local EnvironmentPtr own;
  int version = 0;
  {
    const std::lock_guard lock(places().mutex);
    version = places().version;
  }
  if (!own || own->version != version) own = std::make_shared<Environment>();
  return own;
}

void addBuiltInPlugin(const MortisePluginManifest& manifest) {
  const std::lock_guard lock(places().mutex);
  places().builtIn.push_back(&manifest);
  ++places().version;
}

void addPluginFile(const std::string& library) {
  const std::lock_guard lock(places().mutex);
  places().files.push_back(library);
  ++places().version;
}

void addPluginFolder(const std::string& folder) {
  const std::lock_guard lock(places().mutex);
  places().folders.push_back(folder);
  ++places().version;
}

void addResourceFolder(const std::string& folder) {
  const std::lock_guard lock(places().mutex);
  places().resources.add(folder);
}

void addPackage(const std::string& name, const std::string& folder) {
  const std::lock_guard lock(places().mutex);
  places().resources.addPackage(name, folder);
}

ResourcePath resourcePath() {
  const std::lock_guard lock(places().mutex);
  return places().resources;
}

void withLoader(const std::string& what, const std::function<void(FormatLoader&, Diagnostics&)>& work) {
  py::gil_scoped_release release;
  const EnvironmentPtr own = environment();
  FormatLoader loader(own->registry, own->log, resourcePath());
  Diagnostics diagnostics;
  work(loader, diagnostics);
  for (const Diagnostic& problem : diagnostics.all())
    if (problem.severity == Severity::warning)
      own->log.write(LogLevel::warning, {}, Error(problem.message, problem.where, problem.hint).what());
  diagnostics.throwIfErrors(what);
}

std::string pathFrom(py::handle path, const char* name) {
  PyObject* text = PyOS_FSPath(path.ptr());
  if (text == nullptr) {
    PyErr_Clear();
    throw py::type_error(std::string(name) + ": expected a path, found " + shapeText(path));
  }
  PyObject* bytes = nullptr;
  const int good = PyUnicode_FSConverter(text, &bytes);
  Py_DECREF(text);
  if (good == 0) throw py::error_already_set();
  std::string result(PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes)));
  Py_DECREF(bytes);
  return result;
}

bool SignalCheck::interrupted() {
  // Only the main thread, which is the one that imports packages, is told of signals.
  if (std::this_thread::get_id() != importThread) return false;
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count();
  if (last_ == 0) last_ = now;  // Short calls never look.
  if (now - last_ < 20) return false;
  last_ = now;
  py::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

namespace {

/// The interruption of the thread that imports the package, from when a signal was found until the call that it ended
/// returns.
py::error_already_set* interruption = nullptr;

int raiseInterruption(void*) { return restoreInterruption() ? -1 : 0; }

bool wantsInterruption() {
  static SignalCheck signals;
  if (!signals.interrupted()) return false;
  py::gil_scoped_acquire gil;
  delete interruption;
  interruption = new py::error_already_set();
  // Where nobody passes `Interrupted` on, Python raises it as soon as it runs again.
  Py_AddPendingCall(&raiseInterruption, nullptr);
  return true;
}

}  // namespace

void listenForInterruptions() {
  [[maybe_unused]] static const auto* scope = new InterruptionScope(&wantsInterruption);  // Lives to the end.
}

bool restoreInterruption() {
  if (std::this_thread::get_id() != importThread || interruption == nullptr) return false;
  interruption->restore();
  delete std::exchange(interruption, nullptr);
  return true;
}

}  // namespace mortise::python
