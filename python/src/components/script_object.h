#pragma once

/// The object of Python behind a component: its settings, calls into it, and its state.

#include <pybind11/pybind11.h>
#include <string>
#include <vector>

#include "components/call_watch.h"
#include "components/interpreter.h"
#include "components/script_error.h"
#include "mortise/base/bytes.h"
#include "mortise/base/schema.h"
#include "mortise/component/host.h"
#include "mortise/component/kind.h"

namespace mortise::python {

namespace py = pybind11;

/// A class of Python that is a component, or an object of one. Lives as long as the process.
struct ScriptClass {
  Kind kind = Kind::controller;
  std::string name;
  std::string summary, documentation;
  std::vector<std::string> aliases;
  Schema schema;
  Value attributes = Value::map();
  PyObject* type = nullptr;
};
/// Reads the declaration of a class, or of an object's class. Throws `Error`; needs the lock.
ScriptClass scriptClass(py::handle thing);

/// The object that Python's components know as `host`; the pointer is null once the component is gone.
struct HostHandle {
  Host* host = nullptr;
  Host& use() const;
};

class ScriptObject {
 public:
  /// `settings`: complete. `object`: one that exists, whose attributes stay; null: a new one of the class.
  ScriptObject(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object = nullptr);
  ~ScriptObject();
  ScriptObject(const ScriptObject&) = delete;
  ScriptObject& operator=(const ScriptObject&) = delete;

  /// Calls a method with the lock held and within the time limit. Throws `Error`. Ctrl-C in it is kept for later: the
  /// result is then null.
  template <typename... Arguments>
  py::object call(const char* method, const Arguments&... arguments) const {
    PyObject* given[] = {self().ptr(), py::handle(arguments).ptr()...};
    return callWith(method, given, sizeof...(arguments) + 1);
  }
  bool has(const char* method) const;
  /// Throws `Error` where it was let go.
  py::handle self() const;

  Value settings() const;
  bool hasSetting(std::string_view name) const { return declared_.schema.find(name) != nullptr; }
  bool change(std::string_view name, const Value& given);
  void save(ByteWriter& out) const;
  void restore(ByteReader& in);
  /// At a start: back to how it was at the first one, where that can be known. Needs the lock.
  void beginAnew();

  Host& host() const { return host_; }

  // For the garbage collector: what Python's Simulation shows of its components.
  int visit(visitproc visitor, void* argument) const;
  void letGo();

 private:
  py::object callWith(const char* method, PyObject* const* given, std::size_t count) const;
  void forget();
  void set(const Parameter& parameter, const Value& value);
  /// Calls a function of `scriptModule`, within the time limit.
  template <typename... Arguments>
  py::object inModule(const char* function, const Arguments&... arguments) const {
    watch_.begin();
    try {
      py::object result = scriptModule().attr(function)(arguments...);
      watch_.end();
      return result;
    } catch (py::error_already_set& error) {
      watch_.end();
      throw scriptError(error);
    }
  }

  const ScriptClass declared_;
  Host& host_;
  Value settings_;
  PyObject* self_ = nullptr;
  py::object unsaved_, changeable_, untyped_;  ///< Names of attributes.
  py::object hostObject_;
  py::object initial_;  ///< The state at the first start.
  mutable CallWatch watch_;
  mutable bool warned_ = false;
};

/// Components that a thread creates while this exists are counted here.
class CreatedScripts {
 public:
  CreatedScripts();
  ~CreatedScripts();
  std::vector<ScriptObject*> all;

 private:
  CreatedScripts* before_;
};

}  // namespace mortise::python
