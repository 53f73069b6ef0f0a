#include "components/script_library.h"

#include <array>
#include <map>
#include <memory>
#include <utility>

#include "common/environment.h"
#include "components/call_watch.h"
#include "components/script_components.h"
#include "components/script_types.h"
#include "mortise/base/position.h"

MORTISE_PLUGIN_AS(python_objects, __attribute__((visibility("hidden"))), "mortise_python", MORTISE_VERSION) {
  mortise::python::declareScriptObjects(plugin);
}

namespace mortise::python {

namespace {

// A component's library is asked to create it by a plain function without data, so every component of Python has a
// function of its own, out of a stock.
constexpr std::size_t kSlots = 1024;
std::array<const ScriptClass*, kSlots> slots = {};
std::size_t slotsUsed = 0;

template <std::size_t slot>
void* createSlot(const ComponentContext& context) {
  return createScript(*slots[slot], context.settings, context.host);
}
template <std::size_t... numbers>
constexpr std::array<void* (*)(const ComponentContext&), sizeof...(numbers)> creators(std::index_sequence<numbers...>) {
  return {&createSlot<numbers>...};
}
constexpr auto kCreators = creators(std::make_index_sequence<kSlots>());

/// A file that was run. Never destroyed, like all libraries.
struct ScriptFile {
  std::string package, version, license;
  MortisePluginManifest manifest = {};
  std::vector<ScriptClass> classes;
  std::unique_ptr<Library> library;
};

std::map<std::string, const ScriptFile*>& files() {
  static auto* all = new std::map<std::string, const ScriptFile*>();
  return *all;
}

ComponentDeclaration declare(const ScriptClass& made) {
  if (slotsUsed == kSlots)
    throw Error("more than " + std::to_string(kSlots) +
                " components written in Python are more than one process can hold");
  const std::size_t slot = slotsUsed++;
  slots[slot] = &made;
  ComponentDeclaration declaration;
  declaration.kind = made.kind;
  declaration.name = made.name;
  declaration.interface = interfaceVersion(made.kind);
  ComponentBuilder builder(declaration);
  for (const std::string& alias : made.aliases) builder.alias(alias);
  declaration.summary = made.summary;
  declaration.documentation = made.documentation;
  declaration.schema = made.schema;
  declaration.attributes = made.attributes;
  declaration.create = kCreators[slot];
  declaration.destroy = scriptDeleter(made.kind);
  return declaration;
}

void describeNothing(PluginBuilder*) {}

std::unique_ptr<ScriptFile> load(const std::string& path) {
  const py::tuple loaded = scriptModule().attr("load")(path);
  auto file = std::make_unique<ScriptFile>();
  const py::dict about = loaded[0];
  file->package = about["package"].cast<std::string>();
  file->version = about["version"].cast<std::string>();
  file->license = about["license"].cast<std::string>();
  for (const auto type : loaded[1]) file->classes.push_back(scriptClass(type));
  std::vector<ComponentDeclaration> components;
  for (const ScriptClass& made : file->classes) {
    for (const ComponentDeclaration& other : components)
      if (other.kind == made.kind && other.name == made.name)
        throw Error("the file declares " + std::string(kindName(made.kind)) + " '" + made.name + "' twice",
                    inFile(path));
    components.push_back(declare(made));
  }
  file->manifest = {{'M', 'O', 'R', 'T', 'I', 'S', 'E', 0},
                    sizeof(MortisePluginManifest),
                    MORTISE_MANIFEST_VERSION,
                    currentAbiTag(),
                    file->package.c_str(),
                    file->version.c_str(),
                    file->license.c_str(),
                    &describeNothing};
  file->library = std::make_unique<Library>(path, file->manifest, std::move(components));
  return file;
}

}  // namespace

const Library& openScript(const std::string& path) {
  const Interpreter lock;
  auto& known = files();
  if (const auto found = known.find(path); found != known.end()) return *found->second->library;
  try {
    // Running the file may let other threads run, and they may open it as well: the first one stays.
    return *known.try_emplace(path, load(path).release()).first->second->library;
  } catch (py::error_already_set& exception) {
    const Error error = scriptError(exception);
    throw Error("plugin '" + path + "' cannot be used: " + error.message(), error.where(), error.hint());
  } catch (const py::builtin_exception& error) {
    throw Error("plugin '" + path + "' cannot be used: " + error.what(), inFile(path));
  } catch (const Error& error) {
    throw Error("plugin '" + path + "' cannot be used: " + error.message(), inFile(path), error.hint());
  }
}

void* createScript(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object) {
  const Interpreter lock;
  switch (declared.kind) {
    case Kind::controller:
      return newScriptController(declared, settings, host, object);
    case Kind::sensor:
      return newScriptSensor(declared, settings, host, object);
    case Kind::estimator:
      return newScriptEstimator(declared, settings, host, object);
    case Kind::recorder:
      return newScriptRecorder(declared, settings, host, object);
    case Kind::stage:
      return newScriptStage(declared, settings, host, object);
    case Kind::format:
      return newScriptFormat(declared, settings, host, object);
    case Kind::hardware:
      return newScriptHardware(declared, settings, host, object);
    default:
      throw Error("components of kind " + std::string(kindName(declared.kind)) + " cannot be written in Python");
  }
}

void (*scriptDeleter(Kind kind))(void*) {
  switch (kind) {
    case Kind::controller:
      return [](void* component) { delete static_cast<Controller*>(component); };
    case Kind::sensor:
      return [](void* component) { delete static_cast<Sensor*>(component); };
    case Kind::estimator:
      return [](void* component) { delete static_cast<Estimator*>(component); };
    case Kind::recorder:
      return [](void* component) { delete static_cast<Recorder*>(component); };
    case Kind::stage:
      return [](void* component) { delete static_cast<Stage*>(component); };
    case Kind::format:
      return [](void* component) { delete static_cast<FileFormat*>(component); };
    case Kind::hardware:
      return [](void* component) { delete static_cast<Hardware*>(component); };
    default:
      throw Error("components of kind " + std::string(kindName(kind)) + " cannot be written in Python");
  }
}

namespace {

thread_local const ScriptObjects* given = nullptr;

}  // namespace

GivenScripts::GivenScripts(const ScriptObjects& objects) { given = &objects; }
GivenScripts::~GivenScripts() { given = nullptr; }

std::pair<GivenScript, Value> GivenScripts::take(const Value& settings) {
  const auto index = static_cast<std::size_t>(settings.at("object").asInteger());
  if (given == nullptr || index >= given->size())
    throw Error(std::string(kScriptObject) + " stands for objects that mortise.Simulation is given", {},
                "name the file of the component instead, such as damper.py");
  Value own = settings;
  own.erase("object");
  const GivenScript& taken = (*given)[index];
  Diagnostics problems;
  own = taken.declared.schema.complete(own, taken.declared.name, problems);
  problems.throwIfErrors();
  return {taken, own};
}

void declareScriptObjects(PluginBuilder& plugin) {
  declareScriptController(plugin);
  declareScriptSensor(plugin);
}

void bindComponents(py::module_& m) {
  bindCallWatch(m);
  bindScriptHost(m);
  bindScriptView(m);
  bindScriptStage(m);
  bindScriptRecorder(m);
  static const ScriptEntry entry{reinterpret_cast<const void*>(&interfaceVersion), &openScript};
  m.attr("_script_opener") = py::capsule(&entry, "mortise._script_opener");
  Library::setScriptOpener(&openScript);
  addBuiltInPlugin(python_objects);
}

}  // namespace mortise::python
