#pragma once

/// Fields of messages from pages. All functions throw `Error` that names the field.

#include "mortise/base/error.h"
#include "mortise/base/value.h"
#include "mortise/math/transform.h"

namespace mortise::viewer {

/// A number that counts from 0.
inline std::size_t indexFrom(const Value& message, const char* key) {
  const std::int64_t i = message.at(key).asInteger();
  if (i < 0) throw Error("'" + std::string(key) + "' counts from 0");
  return static_cast<std::size_t>(i);
}

/// Three numbers.
inline Vector3d pointFrom(const Value& message, const char* key) {
  const std::vector<double> v = message.at(key).asReals();
  if (v.size() != 3) throw Error("'" + std::string(key) + "' takes three numbers");
  return Vector3d(v.data());
}

}  // namespace mortise::viewer
