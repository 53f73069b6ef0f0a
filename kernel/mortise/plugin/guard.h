#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "mortise/component/host.h"

namespace mortise {

/// Calls into a component and turns whatever it throws into a message; the exception itself never travels further.
/// `what` says what was being done ("update"). Costs nothing when nothing is thrown.
template <typename Call>
ComponentStatus guarded(std::string_view component, std::string_view what, std::string& message, Call&& call) {
  try {
    call();
    return ComponentStatus::ok;
  } catch (const std::exception& e) {
    message = std::string(component) + ": " + std::string(what) + " failed: " + e.what();
  } catch (...) {
    message = std::string(component) + ": " + std::string(what) + " threw something that is not a std::exception";
  }
  return ComponentStatus::fault;
}

}  // namespace mortise
