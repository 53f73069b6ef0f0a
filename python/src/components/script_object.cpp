#include "components/script_object.h"

#include <memory>
#include <optional>

#include "common/arrays.h"
#include "common/values.h"
#include "mortise/base/diagnostics.h"
#include "mortise/settings/setting_binder.h"

namespace mortise::python {

namespace {

thread_local CreatedScripts* collecting = nullptr;

std::vector<std::string> textsOf(const Value& list) {
  return list.isList() ? list.asStrings() : std::vector<std::string>();
}

/// Lists of numbers become arrays.
py::object attributeOf(const Parameter& parameter, const Value& value) {
  if (parameter.type == ParameterType::realList && value.isList()) {
    std::vector<double> numbers;
    for (const Value& item : value.items()) numbers.push_back(item.asReal());
    return arrayOf(numbers);
  }
  return toPython(value);
}

}  // namespace

namespace {

/// Before the state of components that have any: those without save what the same component of C++ would.
constexpr std::uint64_t kStateFollows = 0x6e6f687479506f4d;
/// Looks without reading.
bool stateFollows(ByteReader in) {
  try {
    return in.get<std::uint64_t>() == kStateFollows;
  } catch (const Error&) {
    return false;
  }
}

/// Settings without a type are saved with the state.
bool isUntyped(const Parameter& parameter) {
  return parameter.type == ParameterType::any || parameter.type == ParameterType::map;
}

/// The settings that change, in the form in which components of C++ save theirs: so the same state has the same hash.
class ChangingSettings {
 public:
  ChangingSettings(const Schema& schema, const Value& values) {
    for (const Parameter& parameter : schema.parameters())
      if (parameter.options.changeable && !isUntyped(parameter)) add(parameter);
    binder_.read(values);
  }
  SettingBinder& binder() { return binder_; }

 private:
  void add(const Parameter& parameter) {
    switch (parameter.type) {
      case ParameterType::boolean:
        return scalar<bool>(parameter);
      case ParameterType::integer:
        return scalar<std::int64_t>(parameter);
      case ParameterType::real:
        return scalar<double>(parameter);
      case ParameterType::string:
        return scalar<std::string>(parameter);
      case ParameterType::realList:
        return bind<std::vector<double>>(parameter);
      case ParameterType::integerList:
        return bind<std::vector<int>>(parameter);
      case ParameterType::stringList:
        return bind<std::vector<std::string>>(parameter);
      case ParameterType::map:
      case ParameterType::any:
        return;
    }
  }
  template <typename T>
  void scalar(const Parameter& parameter) {
    if (parameter.isOptional())
      bind<std::optional<T>>(parameter);
    else
      bind<T>(parameter);
  }
  /// Declares a variable; what it holds when it is bound is the default.
  template <typename T>
  void bind(const Parameter& parameter) {
    const Value& standard = parameter.defaultValue;
    auto variable = std::make_shared<T>(standard.isNull() ? T() : SettingType<T>::from(standard, parameter.name));
    binder_.add(parameter.name, *variable, parameter.summary, parameter.options);
    held_.push_back(std::move(variable));
  }

  std::vector<std::shared_ptr<void>> held_;
  SettingBinder binder_;
};

}  // namespace

CreatedScripts::CreatedScripts() : before_(collecting) { collecting = this; }
CreatedScripts::~CreatedScripts() { collecting = before_; }

ScriptClass scriptClass(py::handle thing) {
  ScriptClass made;
  const Value declared = valueFrom(scriptModule().attr("described")(thing), "declaration");
  made.kind = *kindFromName(declared.at("kind").asString());
  made.name = declared.at("name").asString();
  made.aliases = textsOf(declared.at("aliases"));
  made.summary = declared.at("summary").asString();
  made.documentation = declared.at("documentation").asString();
  made.schema = Schema::fromValue(declared.at("schema"));
  made.attributes = declared.at("attributes");
  py::object type = PyType_Check(thing.ptr()) != 0 ? py::reinterpret_borrow<py::object>(thing)
                                                   : py::reinterpret_borrow<py::object>(py::type::of(thing));
  made.type = type.release().ptr();  // Never given back: classes live as long as the process.
  return made;
}

Host& HostHandle::use() const {
  if (host == nullptr) throw Error("the component of this host is gone");
  return *host;
}

ScriptObject::ScriptObject(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object)
    : declared_(declared), host_(host), settings_(settings) {
  const Interpreter lock;
  if (const Value* limit = settings.find("time_limit")) watch_.setLimit(limit->asReal());
  py::list unsaved, changeable, untyped;
  unsaved.append("host");
  for (const Parameter& parameter : declared_.schema.parameters()) {
    const bool inState = parameter.options.changeable && isUntyped(parameter);
    (inState ? untyped : unsaved).append(parameter.name);
    if (parameter.options.changeable) changeable.append(parameter.name);
  }
  untyped_ = untyped;
  unsaved_ = unsaved;
  changeable_ = changeable;
  hostObject_ = py::cast(HostHandle{&host_});
  watch_.begin();
  try {
    if (object != nullptr) {
      self_ = Py_NewRef(object);
      py::setattr(self_, "host", hostObject_);
    } else {
      py::dict values;
      for (const Parameter& parameter : declared_.schema.parameters())
        if (const Value* value = settings.find(parameter.name))
          values[py::str(parameter.name)] = attributeOf(parameter, *value);
      self_ = scriptModule().attr("create")(py::handle(declared_.type), values, hostObject_).release().ptr();
    }
    watch_.end();
  } catch (py::error_already_set& error) {
    const Error problem = scriptError(error);
    forget();
    throw Error(problem);
  }
  if (collecting != nullptr) collecting->all.push_back(this);
}

ScriptObject::~ScriptObject() {
  if (Py_IsInitialized() == 0) {
    for (py::object* held : {&unsaved_, &changeable_, &untyped_, &hostObject_, &initial_}) held->release();
    return;
  }
  const Interpreter lock;
  forget();
}

/// With the lock, which members do not have when they are destroyed.
void ScriptObject::forget() {
  letGo();
  if (hostObject_) hostObject_.cast<HostHandle&>().host = nullptr;
  for (py::object* held : {&unsaved_, &changeable_, &untyped_, &hostObject_, &initial_}) *held = py::object();
}

py::handle ScriptObject::self() const {
  if (self_ == nullptr) throw Error(declared_.name + ": the simulation of this component is gone");
  return self_;
}

bool ScriptObject::has(const char* method) const { return py::hasattr(self(), method); }

py::object ScriptObject::callWith(const char* method, PyObject* const* given, std::size_t count) const {
  PyObject* name = PyUnicode_InternFromString(method);
  watch_.begin();
  PyObject* result = PyObject_VectorcallMethod(name, given, count, nullptr);
  const bool late = watch_.end();
  Py_DECREF(name);
  if (result != nullptr && !late) return py::reinterpret_steal<py::object>(result);
  Py_XDECREF(result);
  if (PyErr_Occurred() == nullptr)
    throw Error("it did not return within its time limit of " + Value(watch_.limit()).text() + " s");
  py::error_already_set error;
  if (error.matches(PyExc_KeyboardInterrupt) && !late) {
    PyErr_SetInterrupt();  // Whoever runs the simulation looks for it.
    return {};
  }
  if (!late) throw scriptError(error);
  const Error place = scriptError(error);
  throw Error("it did not return within its time limit of " + Value(watch_.limit()).text() + " s", place.where(),
              "it is the setting time_limit");
}

Value ScriptObject::settings() const {
  const Interpreter lock;
  Value values = Value::map();
  for (const Parameter& parameter : declared_.schema.parameters()) {
    const Value* known = settings_.find(parameter.name);
    try {
      if (py::hasattr(self(), parameter.name.c_str())) {
        values.set(parameter.name, valueFrom(self().attr(parameter.name.c_str()), parameter.name));
        continue;
      }
    } catch (const py::builtin_exception&) {
      // The component put something else there.
    } catch (py::error_already_set& error) {
      throw scriptError(error);
    }
    values.set(parameter.name, known != nullptr ? *known : Value());
  }
  return values;
}

void ScriptObject::set(const Parameter& parameter, const Value& value) {
  try {
    py::setattr(self(), parameter.name.c_str(), attributeOf(parameter, value));
  } catch (py::error_already_set& error) {
    throw scriptError(error);
  }
  if (parameter.name == "time_limit") watch_.setLimit(value.asReal());
}

bool ScriptObject::change(std::string_view name, const Value& given) {
  const Parameter* parameter = declared_.schema.find(name);
  if (parameter == nullptr || !parameter->options.changeable) return false;
  Diagnostics problems;
  const auto value = convertSetting(*parameter, given, declared_.name, problems);
  problems.throwIfErrors();
  const Interpreter lock;
  const py::object before = py::getattr(self(), parameter->name.c_str(), py::none());
  set(*parameter, *value);
  try {
    if (has("setting_changed")) call("setting_changed", py::str(parameter->name));
  } catch (const Error&) {
    py::setattr(self(), parameter->name.c_str(), before);
    throw;
  }
  return true;
}

void ScriptObject::save(ByteWriter& out) const {
  const Interpreter lock;
  const Value values = settings();
  ChangingSettings(declared_.schema, values).binder().save(out);
  const py::tuple state = inModule("save", self(), unsaved_, untyped_);
  if (const auto bytes = state[0].cast<std::string>(); !bytes.empty()) {
    out.put(kStateFollows);
    out.put(std::string_view(bytes));
  }
  const py::list left = state[1];
  if (left.size() == 0 || warned_) return;
  warned_ = true;
  std::string text;
  for (const auto name : left) text += (text.empty() ? "" : ", ") + name.cast<std::string>();
  host_.log(LogLevel::warning, "these attributes are not part of saved states: " + text +
                                   "; where they change, define save() and restore(state)");
}

void ScriptObject::restore(ByteReader& in) {
  const Interpreter lock;
  const Value now = settings();
  ChangingSettings changing(declared_.schema, now);
  changing.binder().restore(in);
  const Value saved = changing.binder().values();
  for (const Parameter& parameter : declared_.schema.parameters()) {
    const Value* value = saved.find(parameter.name);
    if (value == nullptr || *value == now.at(parameter.name)) continue;
    set(parameter, value->isNull() && !parameter.isOptional() ? Value::list() : *value);  // Empty lists are absent.
  }
  std::string state;
  if (stateFollows(in)) {
    in.get<std::uint64_t>();
    state = in.getString();
  }
  inModule("restore", self(), unsaved_, untyped_, py::bytes(state));
}

void ScriptObject::beginAnew() {
  if (initial_)
    inModule("begin_anew", self(), unsaved_, initial_);
  else
    initial_ = inModule("initial", self(), unsaved_, changeable_);
}

int ScriptObject::visit(visitproc visitor, void* argument) const {
  return self_ != nullptr ? visitor(self_, argument) : 0;
}

void ScriptObject::letGo() {
  PyObject* self = self_;
  self_ = nullptr;
  Py_XDECREF(self);
}

}  // namespace mortise::python
