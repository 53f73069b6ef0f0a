#pragma once

#include <memory>

namespace mortise {

template <typename T>
struct ComponentDeleter {
  void (*destroy)(void*) = nullptr;
  void operator()(T* component) const {
    if (component != nullptr) destroy(component);
  }
};
/// Owns a component that a plugin created; the plugin destroys it.
template <typename T>
using ComponentPtr = std::unique_ptr<T, ComponentDeleter<T>>;

}  // namespace mortise
