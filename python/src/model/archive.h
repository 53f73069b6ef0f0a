#pragma once

/// The content of pickles of structs: their members in order, as lists. One function a struct, `fields(archive,
/// value)`, says which; the same one writes and reads.

#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/arrays.h"
#include "common/define.h"
#include "common/values.h"
#include "geometry/shapes.h"
#include "model/models.h"
#include "mortise/math/inertia.h"
#include "mortise/motion/hermite_trajectory.h"

namespace mortise::python {

/// Writes members to a list, or reads them back from one.
class Archive {
 public:
  Archive() = default;
  explicit Archive(py::handle from) : reading_(true) {
    if (!py::isinstance<py::list>(from)) throw py::value_error("a pickle's state is a list, found " + shapeText(from));
    list_ = py::reinterpret_borrow<py::list>(from);
  }

  template <typename... Members>
  void operator()(Members&... members) {
    (member(members), ...);
  }
  const py::list& list() const { return list_; }

 private:
  template <typename T>
  void member(T& value) {
    if (!reading_) {
      list_.append(written(value));
      return;
    }
    if (next_ >= list_.size()) throw py::value_error("a pickle's state is too short");
    const py::object from = list_[next_++];
    read(from, value);
  }

  template <typename T>
  static py::object written(T& value);
  template <typename T>
  static void read(const py::object& from, T& value);

  py::list list_;
  std::size_t next_ = 0;
  bool reading_ = false;
};

namespace archive {

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};
template <typename T>
struct IsPair : std::false_type {};
template <typename A, typename B>
struct IsPair<std::pair<A, B>> : std::true_type {};
template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
/// Types that are arrays in Python.
template <typename T>
constexpr bool kArray = std::is_same_v<T, Vector3d> || std::is_same_v<T, VectorXd> || std::is_same_v<T, Matrix3d> ||
                        std::is_same_v<T, std::vector<double>>;
/// Types that Python's package has itself.
template <typename T>
constexpr bool kCast = std::is_arithmetic_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T, RigidTransform> ||
                       std::is_same_v<T, BodyInertia> || std::is_same_v<T, HermiteTrajectory>;

}  // namespace archive

template <typename T>
py::object Archive::written(T& value) {
  if constexpr (archive::kCast<T>) {
    return py::cast(value);
  } else if constexpr (std::is_enum_v<T>) {
    return py::int_(static_cast<int>(value));
  } else if constexpr (archive::kArray<T>) {
    return arrayOf(value);
  } else if constexpr (std::is_same_v<T, GeometryPtr>) {
    return py::cast(held(value));
  } else if constexpr (std::is_same_v<T, RobotPtr>) {
    return py::cast(held(value));
  } else if constexpr (std::is_same_v<T, Value>) {
    return toPython(value);
  } else if constexpr (archive::IsVector<T>::value) {
    py::list list;
    for (auto& item : value) list.append(written(item));
    return list;
  } else if constexpr (archive::IsOptional<T>::value) {
    return value ? written(*value) : py::none();
  } else {
    Archive inner;
    if constexpr (archive::IsPair<T>::value)
      inner(value.first, value.second);
    else
      fields(inner, value);
    return inner.list_;
  }
}

template <typename T>
void Archive::read(const py::object& from, T& value) {
  if constexpr (archive::kCast<T>) {
    value = from.cast<T>();
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(from.cast<int>());
  } else if constexpr (std::is_same_v<T, Vector3d>) {
    value = vector3From(from, "state", Accept::any);
  } else if constexpr (std::is_same_v<T, VectorXd>) {
    value = vectorFrom(from, "state", -1, Accept::any);
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    const VectorXd numbers = vectorFrom(from, "state", -1, Accept::any);
    value.assign(numbers.data(), numbers.data() + numbers.size());
  } else if constexpr (std::is_same_v<T, Matrix3d>) {
    value = matrix3From(from, "state");
  } else if constexpr (std::is_same_v<T, GeometryPtr>) {
    value = from.cast<std::shared_ptr<Geometry>>();
  } else if constexpr (std::is_same_v<T, RobotPtr>) {
    value = from.cast<std::shared_ptr<Robot>>();
    if (value == nullptr) throw py::value_error("a pickle's state lacks a robot");
  } else if constexpr (std::is_same_v<T, Value>) {
    value = valueFrom(from, "state");
  } else if constexpr (archive::IsVector<T>::value) {
    if (!py::isinstance<py::list>(from)) throw py::value_error("a pickle's state lacks a list");
    value.clear();
    for (const auto item : from) {
      typename T::value_type one{};
      read(py::reinterpret_borrow<py::object>(item), one);
      value.push_back(std::move(one));
    }
  } else if constexpr (archive::IsOptional<T>::value) {
    value.reset();
    if (!from.is_none()) read(from, value.emplace());
  } else {
    Archive inner(from);
    if constexpr (archive::IsPair<T>::value)
      inner(value.first, value.second);
    else
      fields(inner, value);
  }
}

/// Makes objects of a class that is bound survive pickling.
template <typename T>
void addPickle() {
  Class<T>(py::type::of<T>())
      .def(pickled(
          [](const T& value) {
            T copy = value;
            Archive archive;
            fields(archive, copy);
            return archive.list();
          },
          [](const py::list& state) {
            T value;
            Archive archive(state);
            fields(archive, value);
            return value;
          }));
}

}  // namespace mortise::python
