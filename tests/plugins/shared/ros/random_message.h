#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "mortise/base/random.h"
#include "ros/messages/primitives.h"

namespace mortise::test {

/// A visitor that fills a message with random numbers and lists of random lengths, empty ones included.
class RandomMessage {
 public:
  RandomMessage(RandomStream& random, bool ros1) : random_(random), ros1_(ros1) {}

  template <class M>
  M make() {
    M message;
    M::visit(*this, message);
    return message;
  }
  template <class T>
  void field(const char*, T& value, const char* = nullptr) {
    fill(value);
  }
  template <class T>
  void ros1Only(const char*, T& value) {
    if (ros1_) fill(value);
  }
  void constant(const char*, const char*, const char*) {}

 private:
  template <class T>
  requires std::is_integral_v<T>
  void fill(T& value) { value = static_cast<T>(random_.bits()); }
  void fill(bool& value) { value = random_.below(2) == 1; }
  void fill(double& value) { value = random_.gaussian(); }
  void fill(float& value) { value = static_cast<float>(random_.gaussian()); }
  void fill(ros::Time& time) { time = {static_cast<std::int64_t>(random_.below(1u << 31)), nanosec()}; }
  void fill(ros::Duration& duration) { duration = {static_cast<std::int64_t>(random_.below(2000)) - 1000, nanosec()}; }
  void fill(std::string& text) {
    text.resize(random_.below(7));
    for (char& c : text) c = static_cast<char>('a' + random_.below(26));
  }
  template <class T>
  void fill(std::vector<T>& list) {
    list.resize(random_.below(4));
    for (T& item : list) fill(item);
  }
  template <class T, std::size_t N>
  void fill(std::array<T, N>& list) {
    for (T& item : list) fill(item);
  }
  template <class M>
  requires requires { M::kPackage; }
  void fill(M& message) { M::visit(*this, message); }

  std::uint32_t nanosec() { return static_cast<std::uint32_t>(random_.below(1'000'000'000)); }

  RandomStream& random_;
  bool ros1_;
};

}  // namespace mortise::test
