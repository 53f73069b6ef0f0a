#pragma once

#include <memory>

namespace mortise {

/// Returns a shared pointer to what somebody else keeps, for functions that take one. The object must outlive the
/// pointer and its copies.
template <typename T>
std::shared_ptr<const T> borrow(const T& object) {
  return std::shared_ptr<const T>(std::shared_ptr<void>(), &object);
}

}  // namespace mortise
