#pragma once

/// A visitor that writes the definition of a message from its fields.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ros/messages/md5.h"
#include "ros/messages/message_type.h"
#include "ros/messages/primitives.h"

namespace mortise::ros {

/// The .msg texts of a message in both dialects, and the text that ROS 1's MD5 sum is of: constants first, then fields,
/// names of other messages replaced by their sums (the rule of genmsg).
class Definition {
 public:
  template <class M>
  static Definition of() {
    Definition definition;
    const M message;
    M::visit(definition, message);
    return definition;
  }

  template <class T>
  void field(const char* name, const T& value, const char* ros1Name = nullptr) {
    add(value, "", name, ros1Name != nullptr ? ros1Name : name);
  }
  template <class T>
  void ros1Only(const char* name, const T&) {
    ros1_ += primitiveName<T>(Encoding::ros1) + " " + name + "\n";
    sumFields_ += primitiveName<T>(Encoding::ros1) + " " + name + "\n";
  }
  void constant(const char* type, const char* name, const char* value) {
    const std::string head = std::string(type) + " " + name + "=";
    ros1_ += head + value + "\n";
    ros2_ += head + value + "\n";
    sumConstants_ += head + value + "\n";
  }

  std::string md5Sum() const;
  /// The text, and behind it those of all messages within, each once.
  std::string full(Encoding encoding) const;

 private:
  /// A message within this one.
  struct Part {
    std::string package, name, ros1, ros2;
  };

  template <class T>
  static std::string primitiveName(Encoding encoding) {
    if constexpr (std::is_same_v<T, bool>) return "bool";
    if constexpr (std::is_same_v<T, std::string>) return "string";
    if constexpr (std::is_same_v<T, Time>) return encoding == Encoding::ros1 ? "time" : "builtin_interfaces/Time";
    if constexpr (std::is_same_v<T, Duration>)
      return encoding == Encoding::ros1 ? "duration" : "builtin_interfaces/Duration";
    if constexpr (std::is_floating_point_v<T>) return "float" + std::to_string(8 * sizeof(T));
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T));
    return {};
  }

  template <class T>
  void add(const std::vector<T>&, std::string, const char* name, const char* ros1Name) {
    addKind<T>("[]", name, ros1Name);
  }
  template <class T, std::size_t N>
  void add(const std::array<T, N>&, std::string, const char* name, const char* ros1Name) {
    addKind<T>("[" + std::to_string(N) + "]", name, ros1Name);
  }
  template <class T>
  void add(const T&, std::string, const char* name, const char* ros1Name) {
    addKind<T>("", name, ros1Name);
  }

  template <class T>
  void addKind(const std::string& brackets, const char* name, const char* ros1Name) {
    if constexpr (requires { T::kPackage; }) {
      const Definition inner = of<T>();
      const std::string type = std::string(T::kPackage) + "/" + T::kName;
      ros1_ += (type == "std_msgs/Header" ? "Header" : type) + brackets + " " + ros1Name + "\n";
      ros2_ += type + brackets + " " + name + "\n";
      sumFields_ += inner.md5Sum() + " " + ros1Name + "\n";
      addPart({T::kPackage, T::kName, inner.ros1_, inner.ros2_});
      for (const Part& part : inner.parts_) addPart(part);
    } else {
      const std::string type = primitiveName<T>(Encoding::ros1) + brackets;
      ros1_ += type + " " + ros1Name + "\n";
      ros2_ += primitiveName<T>(Encoding::cdr) + brackets + " " + name + "\n";
      sumFields_ += type + " " + ros1Name + "\n";
      if constexpr (std::is_same_v<T, Time> || std::is_same_v<T, Duration>) {
        const std::string_view own = std::is_same_v<T, Time> ? "Time" : "Duration";
        addPart({"builtin_interfaces", std::string(own), "", "int32 sec\nuint32 nanosec\n"});
      }
    }
  }
  void addPart(const Part& part);

  std::string ros1_, ros2_, sumConstants_, sumFields_;
  std::vector<Part> parts_;
};

}  // namespace mortise::ros
