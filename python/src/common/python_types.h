#pragma once

/// Names of C++'s types as annotations of Python write them, and as messages say what an argument should be.

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace mortise::python {

namespace py = pybind11;

/// The class of Python that stands for a type of C++; null until it is bound.
template <typename T>
inline PyTypeObject* boundType = nullptr;

/// Types that pybind11 knows as classes, in contrast to those that become numbers, texts, lists or other objects of
/// Python.
template <typename T, typename = void>
struct IsBound : std::is_base_of<py::detail::type_caster_generic, py::detail::make_caster<T>> {};
template <typename T>
struct IsBound<T, std::enable_if_t<!std::is_class_v<T>>> : std::false_type {};

template <typename T>
struct IsBound<std::shared_ptr<T>, void> : std::false_type {};

template <typename T>
struct IsShared : std::false_type {};
template <typename T>
struct IsShared<std::shared_ptr<T>> : std::true_type {};

/// Types that stand for a list of numbers and have a caster of their own.
template <typename T>
struct IsNumbers : std::false_type {};

/// Arguments are as wide as what is accepted, results as narrow as what is returned.
enum class TypeUse { argument, result };

/// Returns the class's name without its module; empty for a type that is not bound yet.
std::string classText(const PyTypeObject* type);
/// Returns "a World" for "World".
std::string withArticle(const std::string& name);

template <typename T>
std::string typeText(TypeUse use);

namespace type_detail {

/// Returns what an annotation says of T, where T is no reference; empty: unknown.
template <typename T>
struct Text {
  static std::string of(TypeUse use) {
    if constexpr (std::is_void_v<T>)
      return "None";
    else if constexpr (std::is_same_v<T, bool>)
      return "bool";
    else if constexpr (std::is_integral_v<T>)
      return "int";
    else if constexpr (std::is_floating_point_v<T>)
      return "float";
    else if constexpr (std::is_same_v<T, py::str>)
      return "str";
    else if constexpr (std::is_same_v<T, py::bytes>)
      return "bytes";
    else if constexpr (std::is_same_v<T, py::dict>)
      return "dict[str, Any]";
    else if constexpr (std::is_same_v<T, py::list>)
      return "list[Any]";
    else if constexpr (std::is_same_v<T, py::function>)
      return "Callable[..., Any]";
    else if constexpr (std::is_same_v<T, py::array>)
      return use == TypeUse::argument ? "ArrayLike" : "ndarray";
    else if constexpr (std::is_pointer_v<T> && std::is_same_v<std::remove_cv_t<std::remove_pointer_t<T>>, char>)
      return "str";
    else if constexpr (std::is_pointer_v<T>)
      return typeText<std::remove_pointer_t<T>>(use);
    else if constexpr (IsBound<T>::value)
      return classText(boundType<T>);
    else
      return "";
  }
};
template <>
struct Text<std::string> {
  static std::string of(TypeUse) { return "str"; }
};
template <typename T, int flags>
struct Text<py::array_t<T, flags>> {
  static std::string of(TypeUse use) {
    if (use == TypeUse::argument) return "ArrayLike";
    if (std::is_same_v<T, double>) return "ndarray";
    if (std::is_same_v<T, bool>) return "NDArray[np.bool_]";
    if (std::is_integral_v<T>)
      return std::string(std::is_signed_v<T> ? "NDArray[np.int" : "NDArray[np.uint") + std::to_string(8 * sizeof(T)) +
             "]";
    return "NDArray[Any]";
  }
};
template <typename T>
struct Text<std::shared_ptr<T>> {
  static std::string of(TypeUse use) { return typeText<T>(use); }
};
template <typename T, typename D>
struct Text<std::unique_ptr<T, D>> {
  static std::string of(TypeUse use) { return typeText<T>(use); }
};
inline std::string inBrackets(const char* name, std::initializer_list<std::string> inner) {
  std::string text = std::string(name) + "[";
  for (const std::string& one : inner) {
    if (one.empty()) return "";
    text += (text.back() == '[' ? "" : ", ") + one;
  }
  return text + "]";
}
template <typename T>
struct Text<std::vector<T>> {
  static std::string of(TypeUse use) {
    return inBrackets(use == TypeUse::argument ? "Sequence" : "list", {typeText<T>(use)});
  }
};
template <typename T, std::size_t size>
struct Text<std::array<T, size>> : Text<std::vector<T>> {};
template <typename T>
struct Text<std::optional<T>> {
  static std::string of(TypeUse use) {
    const std::string inner = typeText<T>(use);
    return inner.empty() ? "" : inner + " | None";
  }
};
template <typename... T>
struct Text<std::tuple<T...>> {
  static std::string of(TypeUse use) { return inBrackets("tuple", {typeText<T>(use)...}); }
};
template <typename A, typename B>
struct Text<std::pair<A, B>> : Text<std::tuple<A, B>> {};
template <typename K, typename V>
struct Text<std::map<K, V>> {
  static std::string of(TypeUse use) {
    return inBrackets(use == TypeUse::argument ? "Mapping" : "dict", {typeText<K>(use), typeText<V>(use)});
  }
};
template <typename F>
struct Text<std::function<F>> {
  static std::string of(TypeUse) { return "Callable[..., Any]"; }
};

}  // namespace type_detail

/// Returns a type as annotations write it: "float", "list[int]", "World"; empty where only a docstring can say it.
template <typename T>
std::string typeText(TypeUse use) {
  return type_detail::Text<std::remove_cvref_t<T>>::of(use);
}

/// Returns what an argument should be: "a number", "a World".
template <typename T>
std::string expectedText() {
  using Bare = std::remove_cv_t<std::remove_pointer_t<std::remove_cvref_t<T>>>;
  if constexpr (std::is_same_v<Bare, bool>)
    return "True or False";
  else if constexpr (std::is_integral_v<Bare>)
    return "an integer";
  else if constexpr (std::is_floating_point_v<Bare>)
    return "a number";
  else if constexpr (std::is_same_v<Bare, std::string> || std::is_same_v<Bare, py::str>)
    return "a text";
  else if constexpr (std::is_same_v<Bare, py::bytes>)
    return "bytes";
  else if constexpr (std::is_same_v<Bare, py::dict>)
    return "a dict";
  else if constexpr (std::is_same_v<Bare, py::tuple>)
    return "a tuple";
  else if constexpr (IsNumbers<Bare>::value)
    return "a list of numbers";
  else if constexpr (IsBound<Bare>::value)
    return withArticle(classText(boundType<Bare>));
  else if constexpr (IsShared<Bare>::value)
    return expectedText<typename Bare::element_type>();
  else
    return typeText<Bare>(TypeUse::argument).starts_with("Callable") ? "a function" : "a list";
}

}  // namespace mortise::python
