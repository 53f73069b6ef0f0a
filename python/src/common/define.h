#pragma once

/// How functions and classes of C++ become Python's: `define` for functions of a module, `Class` for types. Calls go
/// through CPython's fast calling convention, with pybind11's casters for each argument, so that what is wrong with an
/// argument is said by its name, and so that objects whose __init__ never ran are refused. A docstring begins with the
/// signature; types that C++ knows are filled in.

#include <array>
#include <memory>
#include <pybind11/pybind11.h>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/fast.h"
#include "common/python_types.h"

namespace mortise::python {

namespace py = pybind11;

/// One parameter of a function that Python calls.
struct BoundParameter {
  enum class Kind { plain, rest, keywords };
  Kind kind = Kind::plain;
  std::string name;      ///< Empty: only by position.
  std::string type;      ///< As annotations write it; empty: unknown.
  std::string expected;  ///< "a number"
  py::object standard;   ///< Null: the argument is required.
  bool refusesNone = false;
};

/// A function that Python calls. `call` gets one borrowed object for each parameter, `self` first.
struct BoundFunction {
  std::string name, doc, result;  ///< `result`: the type of what is returned, as annotations write it; empty: unknown.
  std::vector<BoundParameter> parameters;
  std::string owner;        ///< Name of the class whose method it is; empty: it has no `self`.
  bool isOperator = false;  ///< Returns NotImplemented for operands of other types.
  bool isGetter = false;    ///< Of an attribute: shows what the object holds, where others return a copy.
  PyMethodDef definition = {};

  virtual ~BoundFunction() = default;
  virtual py::object call(PyObject* const* values) const = 0;
};

/// Functions have at most this many parameters.
inline constexpr std::size_t kMaxParameters = 24;

/// The arguments of a call, matched with the parameters: one object for each. Throws TypeError that names the argument.
class Matched {
 public:
  /// `keywords`: a tuple of names, or null; their values follow the `given` ones by position.
  Matched(const BoundFunction& function, PyObject* const* arguments, std::size_t given, PyObject* keywords);
  Matched(const BoundFunction& function, const py::args& arguments, const py::kwargs& keywords);
  PyObject* const* values() const { return values_.data(); }

 private:
  void place(std::size_t parameter, PyObject* value);
  void placeKeyword(PyObject* keyword, PyObject* value);
  void placePositions(PyObject* const* arguments, std::size_t given);
  void complete(std::size_t given);

  const BoundFunction& function_;
  std::array<PyObject*, kMaxParameters> values_ = {};
  py::object rest_;
  py::dict keywords_ = py::reinterpret_steal<py::dict>(nullptr);
};

/// Makes a function of Python, which owns `function`.
py::object functionObject(std::unique_ptr<BoundFunction> function, const py::object& module);
/// Adds a function to a class, as a method or as a static one.
void addMethod(py::handle type, std::unique_ptr<BoundFunction> function);
void addStaticMethod(py::handle type, std::unique_ptr<BoundFunction> function);
void addProperty(py::handle type, const char* name, std::unique_ptr<BoundFunction> get,
                 std::unique_ptr<BoundFunction> set, const std::string& doc);
/// Fills the types of the constructor's arguments into the docstring of the class.
void completeClassDoc(py::handle type, const BoundFunction& constructor);

/// Throws TypeError: an argument is of the wrong type, or a number out of range.
[[noreturn]] void refuseArgument(const BoundFunction& function, std::size_t parameter, py::handle found);

/// Throws TypeError: "name: expected a World, found 3".
[[noreturn]] void refuseType(const std::string& name, const std::string& expected, py::handle found);

/// Thrown where an operator does not know the other operand.
struct UnknownOperand {};

namespace define_detail {

/// Arguments of a function, one after the other.
template <typename Function>
struct Signature : Signature<decltype(&Function::operator())> {};
template <typename R, typename... A>
struct Signature<R (*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<A...>;
};
template <typename C, typename R, typename... A>
struct Signature<R (C::*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<A...>;
};
template <typename C, typename R, typename... A>
struct Signature<R (C::*)(A...) const> : Signature<R (C::*)(A...)> {};

/// A function or method of C++ as something that is called with the object first.
template <typename Owner, typename F>
auto callable(F&& f) {
  return std::forward<F>(f);
}
template <typename Owner, typename C, typename R, typename... A>
auto callable(R (C::*f)(A...)) {
  return [f](Owner& self, A... arguments) -> R { return (self.*f)(std::forward<A>(arguments)...); };
}
template <typename Owner, typename C, typename R, typename... A>
auto callable(R (C::*f)(A...) const) {
  return [f](const Owner& self, A... arguments) -> R { return (self.*f)(std::forward<A>(arguments)...); };
}

template <typename A>
using Plain = std::remove_cv_t<std::remove_pointer_t<std::remove_reference_t<A>>>;

template <typename A>
bool load(py::detail::make_caster<A>& caster, PyObject* value) {
  using Bare = Plain<A>;
  // Refuses objects that were never made: pybind11 would hand out memory that nobody wrote to.
  if constexpr (IsBound<Bare>::value) {
    if (value != Py_None && PyObject_TypeCheck(value, boundType<Bare>) != 0) objectOf<Bare>(value);
    if (value == Py_None && !std::is_pointer_v<std::remove_reference_t<A>>) return false;
  } else if constexpr (IsShared<Bare>::value) {
    using Inner = std::remove_const_t<typename Bare::element_type>;
    if constexpr (IsBound<Inner>::value)
      if (value != Py_None && PyObject_TypeCheck(value, boundType<Inner>) != 0) objectOf<Inner>(value);
  }
  return caster.load(value, true);
}

/// Calls a function of C++ with converted arguments.
template <typename F, typename R, typename... A>
class Call final : public BoundFunction {
 public:
  explicit Call(F f) : f_(std::move(f)) {}

  py::object call(PyObject* const* values) const override { return call(values, std::index_sequence_for<A...>()); }

  /// Calls the function and returns its result as C++ has it.
  R run(PyObject* const* values) const { return run(values, std::index_sequence_for<A...>()); }

 private:
  template <std::size_t... I>
  R run(PyObject* const* values, std::index_sequence<I...>) const {
    std::tuple<py::detail::make_caster<A>...> casters;
    (loadOne<I, A>(std::get<I>(casters), values[I]), ...);
    return f_(py::detail::cast_op<A>(std::move(std::get<I>(casters)))...);
  }

  template <std::size_t I, typename A1>
  void loadOne(py::detail::make_caster<A1>& caster, PyObject* value) const {
    if ((value == Py_None && parameters[I].refusesNone) || !load<A1>(caster, value)) {
      if (isOperator && I > 0) throw UnknownOperand();
      refuseArgument(*this, I, value);
    }
  }

  template <std::size_t... I>
  py::object call(PyObject* const* values, std::index_sequence<I...> all) const {
    if constexpr (std::is_void_v<R>) {
      run(values, all);
      return py::none();
    } else if constexpr (std::is_base_of_v<py::object, std::remove_cvref_t<R>>) {
      return run(values, all);
    } else if constexpr (std::is_reference_v<R> && IsBound<Plain<R>>::value) {
      using Policy = py::return_value_policy;
      return py::cast(run(values, all), isGetter ? Policy::reference_internal : Policy::copy, values[0]);
    } else {
      return py::cast(run(values, all));
    }
  }

  F f_;
};

/// A constructor: what it returns becomes the object.
template <typename F>
struct Init {
  F f;
};
template <typename Get, typename Set>
struct Pickle {
  Get get;
  Set set;
};

inline void apply(BoundFunction& f, std::size_t&, const char* doc) { f.doc = doc; }
inline void apply(BoundFunction& f, std::size_t&, const std::string& doc) { f.doc = doc; }
inline void apply(BoundFunction& f, std::size_t&, const py::is_operator&) { f.isOperator = true; }
inline void apply(BoundFunction& f, std::size_t& next, const py::arg& argument) {
  BoundParameter& parameter = f.parameters.at(next++);
  parameter.name = argument.name;
  parameter.refusesNone = !argument.flag_none;
}
inline void apply(BoundFunction& f, std::size_t& next, const py::arg_v& argument) {
  apply(f, next, static_cast<const py::arg&>(argument));
  f.parameters[next - 1].standard = argument.value;
}

template <typename A>
BoundParameter parameterOf() {
  using Bare = std::remove_cvref_t<A>;
  BoundParameter parameter;
  parameter.kind = std::is_same_v<Bare, py::args>     ? BoundParameter::Kind::rest
                   : std::is_same_v<Bare, py::kwargs> ? BoundParameter::Kind::keywords
                                                      : BoundParameter::Kind::plain;
  parameter.type = typeText<A>(TypeUse::argument);
  parameter.expected = expectedText<A>();
  return parameter;
}

template <typename F, typename R, typename... A>
std::unique_ptr<Call<F, R, A...>> makeCall(F f, std::tuple<A...>*) {
  static_assert(sizeof...(A) <= kMaxParameters);
  auto call = std::make_unique<Call<F, R, A...>>(std::move(f));
  (call->parameters.push_back(parameterOf<A>()), ...);
  return call;
}

/// `owner`: name of the class of a method.
template <typename F, typename... Extra>
auto bound(const char* name, const std::string& owner, F f, const Extra&... extra) {
  using Kind = Signature<F>;
  auto call = makeCall<F, typename Kind::Result>(std::move(f), static_cast<typename Kind::Arguments*>(nullptr));
  call->name = name;
  call->owner = owner;
  call->result = typeText<typename Kind::Result>(TypeUse::result);
  [[maybe_unused]] std::size_t next = owner.empty() ? 0 : 1;
  if (!owner.empty()) call->parameters.at(0).name = "self";
  (apply(*call, next, extra), ...);
  return call;
}

template <typename... Extra>
std::string docIn(const Extra&... extra) {
  std::string doc;
  [[maybe_unused]] const auto take = [&](const auto& one) {
    if constexpr (std::is_convertible_v<decltype(one), std::string>) doc = one;
  };
  (take(extra), ...);
  return doc;
}

}  // namespace define_detail

/// Returns the object of C++ that an argument is. Throws TypeError, with the name, for anything else.
template <typename T>
T& boundFrom(py::handle from, const char* name) {
  if (PyObject_TypeCheck(from.ptr(), boundType<T>) == 0) refuseType(name, expectedText<T>(), from);
  return objectOf<T>(from.ptr());
}

/// A constructor, for `Class::def`: what `f` returns becomes the object.
template <typename F>
auto constructor(F f) {
  return define_detail::Init<F>{std::move(f)};
}
/// How objects are pickled, for `Class::def`: `get` makes a state of an object, `set` an object of a state.
template <typename Get, typename Set>
auto pickled(Get get, Set set) {
  return define_detail::Pickle<Get, Set>{std::move(get), std::move(set)};
}

/// Adds a function to a module. `extra`: `py::arg` for each argument, and the docstring.
template <typename F, typename... Extra>
void define(py::module_& m, const char* name, F&& f, const Extra&... extra) {
  m.attr(name) =
      functionObject(define_detail::bound(name, "", std::decay_t<F>(std::forward<F>(f)), extra...), m.attr("__name__"));
}

/// A type of C++ as a class of Python. As `py::class_`, but for how calls are checked.
template <typename T, typename... Options>
class Class : public py::class_<T, Options...> {
  using Base = py::class_<T, Options...>;

 public:
  template <typename... Extra>
  Class(py::handle scope, const char* name, const Extra&... extra) : Base(scope, name, extra...), name_(name) {
    boundType<T> = reinterpret_cast<PyTypeObject*>(this->ptr());
  }
  /// The class of a type that is bound already.
  explicit Class(const py::object& bound)
      : Base(py::reinterpret_borrow<Base>(bound)), name_(py::str(bound.attr("__name__"))) {}

  template <typename F, typename... Extra>
  Class& def(const char* name, F&& f, const Extra&... extra) {
    addMethod(*this, method(name, std::forward<F>(f), extra...));
    return *this;
  }

  template <typename F, typename... Extra>
  Class& def_static(const char* name, F&& f, const Extra&... extra) {
    addStaticMethod(*this, define_detail::bound(name, "", std::decay_t<F>(std::forward<F>(f)), extra...));
    return *this;
  }

  template <typename F, typename... Extra>
  Class& def(define_detail::Init<F> made, const Extra&... extra) {
    using Kind = define_detail::Signature<F>;
    using Result = typename Kind::Result;
    auto call = define_detail::bound(name_.c_str(), "", std::move(made.f), extra...);
    completeClassDoc(*this, *call);
    using Bound = typename decltype(call)::element_type;
    const std::shared_ptr<Bound> shared = std::move(call);
    Base::def(py::init([shared](const py::args& arguments, const py::kwargs& keywords) -> Result {
      const Matched matched(*shared, arguments, keywords);
      return shared->run(matched.values());
    }));
    return *this;
  }

  template <typename Get, typename Set>
  Class& def(define_detail::Pickle<Get, Set> states) {
    Base::def(py::pickle(states.get, states.set));
    return def("__getstate__", states.get);  // In the place of pybind11's, which takes any object.
  }

  template <typename Get, typename... Extra>
  Class& def_property_readonly(const char* name, Get&& get, const Extra&... extra) {
    addProperty(*this, name, method(name, std::forward<Get>(get)), nullptr, define_detail::docIn(extra...));
    return *this;
  }

  template <typename Get, typename Set, typename... Extra>
  Class& def_property(const char* name, Get&& get, Set&& set, const Extra&... extra) {
    addProperty(*this, name, method(name, std::forward<Get>(get)), method(name, std::forward<Set>(set), py::arg(name)),
                define_detail::docIn(extra...));
    return *this;
  }

  template <typename C, typename Member, typename... Extra>
  Class& def_readonly(const char* name, Member C::*member, const Extra&... extra) {
    return def_property_readonly(
        name, [member](const T& holder) -> const Member& { return holder.*member; }, extra...);
  }

  template <typename C, typename Member, typename... Extra>
  Class& def_readwrite(const char* name, Member C::*member, const Extra&... extra) {
    return def_property(
        name, [member](const T& holder) -> const Member& { return holder.*member; },
        [member](T& holder, const Member& value) { holder.*member = value; }, extra...);
  }

 private:
  template <typename F, typename... Extra>
  auto method(const char* name, F&& f, const Extra&... extra) {
    return define_detail::bound(name, name_, define_detail::callable<T>(std::forward<F>(f)), extra...);
  }

  std::string name_;
};

}  // namespace mortise::python
