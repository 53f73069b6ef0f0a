#pragma once

/// The way from functions and classes of C++ to Python's: `define` for functions of a module, `Class` for types. Calls
/// go through CPython's fast calling convention, with pybind11's casters for each argument, so that what is wrong with
/// an argument is said by its name, and so that objects whose __init__ never ran are refused. A docstring begins with
/// the signature; types that C++ knows are filled in.

#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <pybind11/pybind11.h>
#include <span>
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
  std::string type;      ///< Type as annotations write it; empty: unknown.
  std::string expected;  ///< "a number"
  py::object standard;   ///< Null: the argument is required.
  bool refusesNone = false;
};

/// A function that Python calls.
struct BoundFunction {
  /// Calls the function of C++ with one borrowed object for each parameter, `self` first.
  using Caller = py::object (*)(const BoundFunction& function, PyObject* const* values);

  std::string name, doc, result;  ///< `result`: the type of what is returned, as annotations write it; empty: unknown.
  std::vector<BoundParameter> parameters;
  std::string owner;        ///< Name of the class whose method it is; empty: it has no `self`.
  bool isOperator = false;  ///< Returns NotImplemented for operands of other types.
  bool isGetter = false;    ///< True for an attribute: shows what the object holds, where others return a copy.
  PyMethodDef definition = {};
  Caller call = nullptr;
  alignas(std::max_align_t)
      std::array<std::byte, 32> function = {};  ///< The function that is called, of a type that `call` knows.
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

/// Throws TypeError: an argument is of the wrong type, or a number out of range; `UnknownOperand` for an operator's
/// operand.
[[noreturn]] void refuseArgument(const BoundFunction& function, std::size_t parameter, py::handle found);

/// Throws TypeError: "name: expected a World, found 3".
[[noreturn]] void refuseType(const std::string& name, const std::string& expected, py::handle found);

/// Thrown where an operator does not know the other operand.
struct UnknownOperand {};

/// A part of a definition behind the function: `py::arg` for an argument, the docstring, `py::is_operator`.
struct Extra {
  Extra(const char* text) : doc(text) {}
  Extra(const std::string& text) : doc(text.c_str()) {}
  Extra(const py::arg& named) : argument(&named) {}
  Extra(const py::arg_v& named) : argument(&named), standard(named.value) {}
  Extra(const py::is_operator&) : isOperator(true) {}

  const char* doc = nullptr;
  const py::arg* argument = nullptr;
  py::handle standard;
  bool isOperator = false;
};

using ParameterMaker = BoundParameter (*)();
/// Returns a function with its description and nothing to call. `owner`: name of the class of a method.
std::unique_ptr<BoundFunction> describe(const char* name, const std::string& owner,
                                        std::span<const ParameterMaker> parameters, std::string result,
                                        std::initializer_list<Extra> extras);
/// Returns the docstring among these.
std::string docIn(std::initializer_list<Extra> extras);

namespace define_detail {

template <typename A>
BoundParameter parameterOf() {
  BoundParameter parameter;
  parameter.kind = std::is_same_v<A, py::args>     ? BoundParameter::Kind::rest
                   : std::is_same_v<A, py::kwargs> ? BoundParameter::Kind::keywords
                                                   : BoundParameter::Kind::plain;
  parameter.type = typeText<A>(TypeUse::argument);
  parameter.expected = expectedText<A>();
  return parameter;
}

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

template <typename A>
void loadArgument(const BoundFunction& function, std::size_t parameter, py::detail::make_caster<A>& caster,
                  PyObject* value) {
  if (value == Py_None && function.parameters[parameter].refusesNone) refuseArgument(function, parameter, value);
  if (!load<A>(caster, value)) refuseArgument(function, parameter, value);
}

/// Calls functions of one type with converted arguments.
template <typename F, typename R, typename... A>
struct Call {
  /// Returns the result as C++ has it.
  static R run(const BoundFunction& function, PyObject* const* values) {
    return run(function, values, std::index_sequence_for<A...>());
  }

  static py::object call(const BoundFunction& function, PyObject* const* values) {
    if constexpr (std::is_void_v<R>) {
      run(function, values);
      return py::none();
    } else if constexpr (std::is_base_of_v<py::object, std::remove_cvref_t<R>>) {
      return run(function, values);
    } else if constexpr (std::is_reference_v<R> && IsBound<Plain<R>>::value) {
      using Policy = py::return_value_policy;
      return py::cast(run(function, values), function.isGetter ? Policy::reference_internal : Policy::copy, values[0]);
    } else {
      return py::cast(run(function, values));
    }
  }

  static constexpr std::array<ParameterMaker, sizeof...(A)> parameters = {&parameterOf<std::remove_cvref_t<A>>...};

 private:
  template <std::size_t... I>
  static R run(const BoundFunction& function, PyObject* const* values, std::index_sequence<I...>) {
    std::tuple<py::detail::make_caster<A>...> casters;
    (loadArgument<A>(function, I, std::get<I>(casters), values[I]), ...);
    const F& f = *std::launder(reinterpret_cast<const F*>(function.function.data()));
    return f(py::detail::cast_op<A>(std::move(std::get<I>(casters)))...);
  }
};

template <typename F, typename R, typename Arguments>
struct CallOf;
template <typename F, typename R, typename... A>
struct CallOf<F, R, std::tuple<A...>> {
  using type = Call<F, R, A...>;
};
/// The calls of functions of type F.
template <typename F>
using CallOfFunction = typename CallOf<F, typename Signature<F>::Result, typename Signature<F>::Arguments>::type;

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

/// `owner`: name of the class of a method.
template <typename F>
std::unique_ptr<BoundFunction> bound(const char* name, const std::string& owner, const F& f,
                                     std::initializer_list<Extra> extras) {
  using Calls = CallOfFunction<F>;
  static_assert(Calls::parameters.size() <= kMaxParameters);
  static_assert(std::is_trivially_copyable_v<F> && sizeof(F) <= sizeof(BoundFunction::function));
  auto function =
      describe(name, owner, Calls::parameters, typeText<typename Signature<F>::Result>(TypeUse::result), extras);
  function->call = &Calls::call;
  std::memcpy(function->function.data(), &f, sizeof(F));
  return function;
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
/// Says how objects are pickled, for `Class::def`: `get` makes a state of an object, `set` an object of a state.
template <typename Get, typename Set>
auto pickled(Get get, Set set) {
  return define_detail::Pickle<Get, Set>{std::move(get), std::move(set)};
}

/// Adds a function to a module. `extra`: what `Extra` is made of.
template <typename F, typename... E>
void define(py::module_& m, const char* name, F&& f, const E&... extra) {
  m.attr(name) =
      functionObject(define_detail::bound(name, "", std::decay_t<F>(f), {Extra(extra)...}), m.attr("__name__"));
}

/// A type of C++ as a class of Python. As `py::class_`, but for how calls are checked.
template <typename T, typename... Options>
class Class : public py::class_<T, Options...> {
  using Base = py::class_<T, Options...>;

 public:
  template <typename... E>
  Class(py::handle scope, const char* name, const E&... extra) : Base(scope, name, extra...), name_(name) {
    boundType<T> = reinterpret_cast<PyTypeObject*>(this->ptr());
  }
  /// The class of a type that is bound already.
  explicit Class(const py::object& bound)
      : Base(py::reinterpret_borrow<Base>(bound)), name_(py::str(bound.attr("__name__"))) {}

  template <typename F, typename... E>
  Class& def(const char* name, F&& f, const E&... extra) {
    addMethod(*this, method(name, std::forward<F>(f), {Extra(extra)...}));
    return *this;
  }

  template <typename F, typename... E>
  Class& def_static(const char* name, F&& f, const E&... extra) {
    addStaticMethod(*this, define_detail::bound(name, "", std::decay_t<F>(f), {Extra(extra)...}));
    return *this;
  }

  template <typename F, typename... E>
  Class& def(const define_detail::Init<F>& made, const E&... extra) {
    const std::shared_ptr<BoundFunction> function = define_detail::bound(name_.c_str(), "", made.f, {Extra(extra)...});
    completeClassDoc(*this, *function);
    Base::def(py::init([function](const py::args& arguments, const py::kwargs& keywords) {
      const Matched matched(*function, arguments, keywords);
      return define_detail::CallOfFunction<F>::run(*function, matched.values());
    }));
    return *this;
  }

  template <typename Get, typename Set>
  Class& def(const define_detail::Pickle<Get, Set>& states) {
    Base::def(py::pickle(states.get, states.set));
    return def("__getstate__", states.get);  // In the place of pybind11's, which takes any object.
  }

  template <typename Get, typename... E>
  Class& def_property_readonly(const char* name, Get&& get, const E&... extra) {
    addProperty(*this, name, method(name, std::forward<Get>(get), {}), nullptr, docIn({Extra(extra)...}));
    return *this;
  }

  template <typename Get, typename Set, typename... E>
  Class& def_property(const char* name, Get&& get, Set&& set, const E&... extra) {
    addProperty(*this, name, method(name, std::forward<Get>(get), {}),
                method(name, std::forward<Set>(set), {Extra(py::arg(name))}), docIn({Extra(extra)...}));
    return *this;
  }

  template <typename C, typename Member, typename... E>
  Class& def_readonly(const char* name, Member C::*member, const E&... extra) {
    return def_property_readonly(
        name, [member](const T& holder) -> const Member& { return holder.*member; }, extra...);
  }

  template <typename C, typename Member, typename... E>
  Class& def_readwrite(const char* name, Member C::*member, const E&... extra) {
    return def_property(
        name, [member](const T& holder) -> const Member& { return holder.*member; },
        [member](T& holder, const Member& value) { holder.*member = value; }, extra...);
  }

 private:
  template <typename F>
  auto method(const char* name, F&& f, std::initializer_list<Extra> extras) {
    return define_detail::bound(name, name_, define_detail::callable<T>(std::decay_t<F>(f)), extras);
  }

  std::string name_;
};

}  // namespace mortise::python
