#include "common/define.h"

#include <algorithm>
#include <array>

#include "common/arrays.h"
#include "common/signatures.h"
#include "mortise/text/suggest.h"

namespace mortise::python {

namespace {

constexpr const char* kCapsule = "mortise.function";

using Kind = BoundParameter::Kind;

bool isMethod(const BoundFunction& function) { return !function.owner.empty(); }

/// Parameters that arguments by position go to, without `self`.
std::size_t plainParameters(const BoundFunction& function) {
  std::size_t count = 0;
  for (const BoundParameter& parameter : function.parameters) count += parameter.kind == Kind::plain ? 1 : 0;
  return isMethod(function) ? count - 1 : count;
}

/// Returns the function of `klampt` that called the extension; empty for other callers, which called it themselves.
std::string callerInKlampt() {
  PyFrameObject* const frame = PyEval_GetFrame();
  if (frame == nullptr) return "";
  const py::object globals = py::reinterpret_borrow<py::object>(PyEval_GetGlobals());
  if (!globals || !globals.contains("__name__")) return "";
  if (!std::string(py::str(globals["__name__"])).starts_with("klampt.")) return "";
  const auto code = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
  const std::string name = py::str(code.attr("co_name"));
  return name.starts_with("_") || name.starts_with("<") ? "" : name;
}

/// Returns what messages call the function.
std::string calledName(const BoundFunction& function) {
  const std::string caller = callerInKlampt();
  return (caller.empty() ? function.name : caller) + "()";
}

/// Returns a parameter's name as messages begin with it; where parameters have none, the function's.
std::string nameOf(const BoundFunction& function, std::size_t parameter) {
  const std::string& name = function.parameters[parameter].name;
  return name.empty() ? calledName(function) : name;
}

/// Returns a value as messages show it: short ones as they are.
std::string foundText(py::handle value) {
  PyObject* const object = value.ptr();
  if (PyBool_Check(object) != 0 || PyLong_Check(object) != 0 || PyFloat_Check(object) != 0 ||
      PyUnicode_Check(object) != 0) {
    const py::object shown = py::reinterpret_steal<py::object>(PyObject_Repr(object));
    if (!shown) {
      PyErr_Clear();  // Integers with more digits than Python writes.
      return "a value of type " + classText(Py_TYPE(object));
    }
    const std::string text = py::str(shown);
    return text.size() <= 60 ? text : text.substr(0, 57) + "...";
  }
  const std::string text = shapeText(value);
  return text.starts_with("a value of type ") ? "a value of type " + classText(Py_TYPE(object)) : text;
}

/// Returns what is no number of a list of numbers, and where it stands; for other values, what they are.
std::string misfitText(const std::string& expected, py::handle value) {
  if (expected == "a list of numbers" && (PyList_Check(value.ptr()) != 0 || PyTuple_Check(value.ptr()) != 0))
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value.ptr()); ++i) {
      PyObject* const item = PySequence_Fast_GET_ITEM(value.ptr(), i);
      if (PyFloat_Check(item) == 0 && PyNumber_Check(item) == 0)
        return foundText(item) + " at index " + std::to_string(i);
    }
  return foundText(value);
}

[[noreturn]] void refuseKeyword(const BoundFunction& function, const std::string& keyword) {
  std::vector<std::string> names;
  for (std::size_t i = isMethod(function) ? 1 : 0; i < function.parameters.size(); ++i)
    if (function.parameters[i].kind == Kind::plain && !function.parameters[i].name.empty())
      names.push_back(function.parameters[i].name);
  if (names.empty() && plainParameters(function) > 0)
    throw py::type_error(calledName(function) + " takes no arguments by name, found '" + keyword + "'");
  const std::string near = nearestName(keyword, names);
  throw py::type_error(calledName(function) + " has no argument '" + keyword + "'; " +
                       (!near.empty()    ? "did you mean '" + near + "'?"
                        : !names.empty() ? "its arguments are " + nameList(names, names.size())
                                         : "it takes none"));
}

[[noreturn]] void refuseCount(const BoundFunction& function, std::size_t given) {
  const std::size_t count = plainParameters(function);
  const std::size_t self = isMethod(function) && given > 0 ? 1 : 0;
  throw py::type_error(calledName(function) + " takes " + std::to_string(count) +
                       (count == 1 ? " argument" : " arguments") + ", found " + std::to_string(given - self));
}

/// Called by Python.
PyObject* dispatch(PyObject* capsule, PyObject* const* arguments, Py_ssize_t given, PyObject* keywords) {
  return guarded([&]() -> PyObject* {
    const auto* function = static_cast<const BoundFunction*>(PyCapsule_GetPointer(capsule, kCapsule));
    if (function == nullptr) throw py::error_already_set();
    const Matched matched(*function, arguments, static_cast<std::size_t>(given), keywords);
    try {
      return function->call(*function, matched.values()).release().ptr();
    } catch (const UnknownOperand&) {
      return py::reinterpret_borrow<py::object>(Py_NotImplemented).release().ptr();
    }
  });
}

}  // namespace

void Matched::place(std::size_t parameter, PyObject* value) {
  if (values_[parameter] != nullptr)
    throw py::type_error(calledName(function_) + " got two values for '" + function_.parameters[parameter].name + "'");
  values_[parameter] = value;
}

void Matched::placeKeyword(PyObject* keyword, PyObject* value) {
  const auto& parameters = function_.parameters;
  for (std::size_t i = isMethod(function_) ? 1 : 0; i < parameters.size(); ++i)
    if (parameters[i].kind == Kind::plain && !parameters[i].name.empty() &&
        PyUnicode_CompareWithASCIIString(keyword, parameters[i].name.c_str()) == 0)
      return place(i, value);
  if (!keywords_) refuseKeyword(function_, py::str(py::handle(keyword)));
  keywords_[py::handle(keyword)] = py::handle(value);
}

void Matched::placePositions(PyObject* const* arguments, std::size_t given) {
  const auto& parameters = function_.parameters;
  std::size_t next = 0;
  while (next < given && next < parameters.size() && parameters[next].kind == Kind::plain) {
    values_[next] = arguments[next];
    ++next;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == Kind::rest) {
      py::tuple rest(given - next);
      for (std::size_t k = next; k < given; ++k) rest[k - next] = py::handle(arguments[k]);
      rest_ = rest;
      values_[i] = rest_.ptr();
      next = given;
    } else if (parameters[i].kind == Kind::keywords) {
      keywords_ = py::dict();
      values_[i] = keywords_.ptr();
    }
  }
  if (next < given) refuseCount(function_, given);
}

void Matched::complete(std::size_t given) {
  const auto& parameters = function_.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (values_[i] != nullptr) continue;
    if (parameters[i].standard) {
      values_[i] = parameters[i].standard.ptr();
      continue;
    }
    if (parameters[i].name.empty()) refuseCount(function_, given);
    throw py::type_error(calledName(function_) + " needs '" + parameters[i].name + "'");
  }
}

Matched::Matched(const BoundFunction& function, PyObject* const* arguments, std::size_t given, PyObject* keywords)
    : function_(function) {
  placePositions(arguments, given);
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t k = 0; k < named; ++k)
    placeKeyword(PyTuple_GET_ITEM(keywords, k), arguments[given + static_cast<std::size_t>(k)]);
  complete(given);
}

Matched::Matched(const BoundFunction& function, const py::args& arguments, const py::kwargs& keywords)
    : function_(function) {
  std::vector<PyObject*> items;
  for (const py::handle item : arguments) items.push_back(item.ptr());
  placePositions(items.data(), items.size());
  for (const auto& [keyword, value] : keywords) placeKeyword(keyword.ptr(), value.ptr());
  complete(items.size());
}

void refuseType(const std::string& name, const std::string& expected, py::handle found) {
  throw py::type_error(name + ": expected " + expected + ", found " + misfitText(expected, found));
}

void refuseArgument(const BoundFunction& function, std::size_t parameter, py::handle found) {
  if (function.isOperator && parameter > 0) throw UnknownOperand();
  const std::string& expected = function.parameters[parameter].expected;
  if (isMethod(function) && parameter == 0)
    throw py::type_error(function.name + "() is a method of " + function.owner + ", found " + foundText(found) +
                         " for 'self'");
  const std::string start = nameOf(function, parameter) + ": expected ";
  if (expected == "a number" && PyLong_Check(found.ptr()) != 0)
    throw py::type_error(start + "a number in range, found an integer of " +
                         std::string(py::str(found.attr("bit_length")())) + " bits");
  if (expected == "an integer" && PyIndex_Check(found.ptr()) != 0) {
    const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(found.ptr()));
    if (!number) throw py::error_already_set();
    throw py::type_error(start + (number < py::int_(0) ? "an integer of at least 0" : "an integer in range") +
                         ", found " + foundText(number));
  }
  refuseType(nameOf(function, parameter), expected, found);
}

std::unique_ptr<BoundFunction> describe(const char* name, const std::string& owner,
                                        std::span<const ParameterMaker> parameters, std::string result,
                                        std::initializer_list<Extra> extras) {
  auto function = std::make_unique<BoundFunction>();
  function->name = name;
  function->owner = owner;
  function->result = std::move(result);
  for (const ParameterMaker make : parameters) function->parameters.push_back(make());
  if (!owner.empty()) {
    function->parameters.at(0).name = "self";
    function->parameters[0].refusesNone = true;
  }
  std::size_t next = owner.empty() ? 0 : 1;
  for (const Extra& extra : extras) {
    if (extra.doc != nullptr) function->doc = extra.doc;
    if (extra.isOperator) function->isOperator = true;
    if (extra.argument == nullptr) continue;
    BoundParameter& parameter = function->parameters.at(next++);
    parameter.name = extra.argument->name;
    parameter.refusesNone = !extra.argument->flag_none;
    parameter.standard = py::reinterpret_borrow<py::object>(extra.standard);
  }
  return function;
}

std::string docIn(std::initializer_list<Extra> extras) {
  for (const Extra& extra : extras)
    if (extra.doc != nullptr) return extra.doc;
  return "";
}

py::object functionObject(std::unique_ptr<BoundFunction> function, const py::object& module) {
  function->doc = completeSignature(*function, function->name, function->doc);
  function->definition = {function->name.c_str(),
                          reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&dispatch)),
                          METH_FASTCALL | METH_KEYWORDS, function->doc.c_str()};
  BoundFunction* const owned = function.release();
  const auto capsule = py::reinterpret_steal<py::object>(PyCapsule_New(owned, kCapsule, [](PyObject* held) {
    delete static_cast<BoundFunction*>(PyCapsule_GetPointer(held, kCapsule));
  }));
  if (!capsule) throw py::error_already_set();
  const auto made =
      py::reinterpret_steal<py::object>(PyCFunction_NewEx(&owned->definition, capsule.ptr(), module.ptr()));
  if (!made) throw py::error_already_set();
  return made;
}

void addMethod(py::handle type, std::unique_ptr<BoundFunction> function) {
  const std::string name = function->name;
  const py::object made = functionObject(std::move(function), type.attr("__module__"));
  py::setattr(type, name.c_str(), py::reinterpret_steal<py::object>(PyInstanceMethod_New(made.ptr())));
  // As for classes of Python: what is compared by value has no hash of its identity.
  if (name == "__eq__" && !type.attr("__dict__").contains("__hash__")) py::setattr(type, "__hash__", py::none());
}

void addStaticMethod(py::handle type, std::unique_ptr<BoundFunction> function) {
  const std::string name = function->name;
  const py::object made = functionObject(std::move(function), type.attr("__module__"));
  py::setattr(type, name.c_str(), py::reinterpret_steal<py::object>(PyStaticMethod_New(made.ptr())));
}

void addProperty(py::handle type, const char* name, std::unique_ptr<BoundFunction> get,
                 std::unique_ptr<BoundFunction> set, const std::string& doc) {
  const py::object module = type.attr("__module__");
  const std::string text = completeAttribute(name, get->result, doc);
  get->isGetter = true;
  const py::object getter = functionObject(std::move(get), module);
  const py::object setter = set ? functionObject(std::move(set), module) : py::none();
  const auto property = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&PyProperty_Type));
  py::setattr(type, name, property(getter, setter, py::none(), text));
}

void completeClassDoc(py::handle type, const BoundFunction& constructor) {
  const py::object doc = type.attr("__doc__");
  if (doc.is_none()) return;
  py::setattr(type, "__doc__", py::str(completeSignature(constructor, constructor.name, py::str(doc))));
}

}  // namespace mortise::python
