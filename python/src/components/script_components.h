#pragma once

/// Components of C++ around objects of Python, a class a kind.

#include "components/script_object.h"
#include "mortise/component/controller.h"
#include "mortise/component/estimator.h"
#include "mortise/component/file_format.h"
#include "mortise/component/hardware.h"
#include "mortise/component/recorder.h"
#include "mortise/component/sensor.h"
#include "mortise/component/stage.h"
#include "mortise/plugin/plugin.h"

namespace mortise::python {

/// A new component of the declared kind, as the interface's class; null for kinds that cannot be written in Python.
/// `object`: as of `ScriptObject`. Throws `Error`; the lock need not be held.
void* createScript(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object = nullptr);
/// For components of this kind.
void (*scriptDeleter(Kind kind))(void*);

Controller* newScriptController(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object);
Sensor* newScriptSensor(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object);
Estimator* newScriptEstimator(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object);
Recorder* newScriptRecorder(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object);
Stage* newScriptStage(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object);
FileFormat* newScriptFormat(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object);
Hardware* newScriptHardware(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object);

/// A class or object that a simulation is made with.
struct GivenScript {
  ScriptClass declared;
  PyObject* object = nullptr;  ///< Null: the class.
};
using ScriptObjects = std::vector<GivenScript>;
/// The registered name of components that stand for them; the setting `object` is the index.
constexpr const char* kScriptObject = "mortise.PythonObject";

/// While this exists, components of that name that the thread creates are those of `objects`.
class GivenScripts {
 public:
  explicit GivenScripts(const ScriptObjects& objects);
  ~GivenScripts();
  /// The one that the settings of `kScriptObject` name, and its own settings, complete. Throws `Error`.
  static std::pair<GivenScript, Value> take(const Value& settings);
};

void declareScriptObjects(PluginBuilder& plugin);
void declareScriptController(PluginBuilder& plugin);
void declareScriptSensor(PluginBuilder& plugin);

/// The common part of controllers and sensors: settings, state and parts.
template <typename Interface>
class ScriptBase : public Interface {
 public:
  ScriptBase(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object)
      : script_(declared, settings, host, object) {}
  /// Makes it of `kScriptObject`.
  explicit ScriptBase(const ComponentContext& context)
      : ScriptBase(GivenScripts::take(context.settings), context.host) {}

  Value settings() const override { return script_.settings(); }
  bool hasSetting(std::string_view name) const override { return script_.hasSetting(name); }
  bool changeSetting(std::string_view name, const Value& value) override { return script_.change(name, value); }
  void save(ByteWriter& out) const override { script_.save(out); }
  void restore(ByteReader& in) override { script_.restore(in); }

 protected:
  ScriptObject script_;

 private:
  ScriptBase(const std::pair<GivenScript, Value>& taken, Host& host)
      : script_(taken.first.declared, taken.second, host, taken.first.object) {}
};

}  // namespace mortise::python
