// Starts Python where it does not run yet, and hands plugins written in Python to the extension of the package
// `mortise`, which has the components around their objects. So both programs and `import mortise` run them with the
// same code.

#include <Python.h>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>

#include "mortise/base/error.h"
#include "mortise/loading/script_host.h"
#include "mortise/plugin/abi.h"
#include "mortise/plugin/plugin.h"

namespace {

namespace fs = std::filesystem;

/// The entry that `python/src/components/script_library.h` has.
struct ScriptEntry {
  const void* kernel;
  mortise::Library::ScriptOpener open;
};

/// The text of Python's error, which is cleared.
std::string takePythonError() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  std::string text = "unknown error";
  if (PyObject* shown = value != nullptr ? PyObject_Str(value) : nullptr) {
    if (const char* utf8 = PyUnicode_AsUTF8(shown)) text = utf8;
    Py_DECREF(shown);
  }
  PyErr_Clear();
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return text;
}

/// Modules of Python do not link its library: they find it only if its symbols are everybody's.
void exportSymbols() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&Py_IsInitialized), &info) != 0 && info.dli_fname != nullptr)
    dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/// The interpreter of the virtual environment that is active, if it has this version of Python, else the one that this
/// was built for: it decides where packages are found.
std::string interpreter() {
  if (const char* environment = std::getenv("VIRTUAL_ENV"); environment != nullptr && environment[0] != '\0') {
    std::error_code code;
    const fs::path folder = environment;
    if (fs::is_directory(folder / "lib" / "python" MORTISE_PYTHON_VERSION, code)) return folder / "bin" / "python3";
  }
  return MORTISE_PYTHON_EXECUTABLE;
}

/// Folders in which the package `mortise` of this build or installation may be, beside the libraries.
std::vector<std::string> packageFolders() {
  Dl_info info = {};
  std::vector<std::string> folders;
  std::error_code code;
  if (dladdr(reinterpret_cast<const void*>(&packageFolders), &info) == 0 || info.dli_fname == nullptr) return folders;
  const fs::path libraries = fs::canonical(info.dli_fname, code).parent_path().parent_path().parent_path();
  for (const fs::path& folder :
       {libraries / "python3" / "dist-packages", libraries.parent_path() / "python3" / "dist-packages",
        libraries.parent_path() / "python"})
    if (fs::exists(folder / "mortise" / "__init__.py", code)) folders.push_back(folder.string());
  return folders;
}

void requireGood(PyStatus status, const char* what) {
  if (PyStatus_Exception(status) != 0)
    throw mortise::Error(std::string("Python cannot be started: ") + what + ": " +
                             (status.err_msg != nullptr ? status.err_msg : "unknown error"),
                         {}, "its interpreter is " + interpreter());
}

/// Leaves the interpreter's lock to whoever takes it next.
void startPython() {
  exportSymbols();
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;  // Ctrl-C is the program's.
  config.parse_argv = 0;
  config.buffered_stdio = 0;  // Nobody ends Python when the program ends.
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, interpreter().c_str());
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  requireGood(status, "its configuration");
  // What programs print on stdout is read by other programs.
  PyRun_SimpleString("import sys; sys.stdout = sys.stderr; sys.argv = ['mortise']");
  PyEval_SaveThread();
}

const ScriptEntry& extension() {
  PyObject* path = PySys_GetObject("path");
  for (const std::string& folder : packageFolders()) {
    PyObject* text = PyUnicode_DecodeFSDefault(folder.c_str());
    if (path != nullptr && text != nullptr && PySequence_Contains(path, text) == 0) PyList_Insert(path, 0, text);
    Py_XDECREF(text);
  }
  PyObject* module = PyImport_ImportModule("mortise._mortise");
  if (module == nullptr)
    throw mortise::Error("the Python package mortise cannot be imported: " + takePythonError(), {},
                         "install python3-mortise, and python3-numpy, for the interpreter " + interpreter());
  PyObject* capsule = PyObject_GetAttrString(module, "_script_opener");
  Py_DECREF(module);
  const void* entry = capsule != nullptr ? PyCapsule_GetPointer(capsule, "mortise._script_opener") : nullptr;
  Py_XDECREF(capsule);
  if (entry == nullptr) throw mortise::Error("the Python package mortise is of another version: " + takePythonError());
  return *static_cast<const ScriptEntry*>(entry);
}

/// Only once: after that the extension opens files itself.
const mortise::Library& openScript(const std::string& path) {
  static std::mutex starting;
  {
    const std::lock_guard lock(starting);
    if (Py_IsInitialized() == 0) startPython();
  }
  const ScriptEntry* entry = nullptr;
  const PyGILState_STATE state = PyGILState_Ensure();
  try {
    entry = &extension();
  } catch (...) {
    PyGILState_Release(state);
    throw;
  }
  PyGILState_Release(state);
  if (entry->kernel != reinterpret_cast<const void*>(&mortise::interfaceVersion))
    throw mortise::Error("the Python package mortise uses another copy of Mortise's libraries than this program", {},
                         "use the program and the package of one installation");
  mortise::Library::setScriptOpener(entry->open);
  return entry->open(path);
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) extern const mortise::ScriptHostManifest mortise_plugin;
const mortise::ScriptHostManifest mortise_plugin = {{{'M', 'O', 'R', 'T', 'I', 'S', 'E', 0},
                                                     sizeof(mortise::ScriptHostManifest),
                                                     MORTISE_MANIFEST_VERSION,
                                                     mortise::currentAbiTag(),
                                                     "mortise_python_host",
                                                     "0.1.0",
                                                     MORTISE_PLUGIN_LICENSE,
                                                     [](mortise::PluginBuilder*) {}},
                                                    &openScript};
}
