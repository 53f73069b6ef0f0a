#pragma once

#include <gtest/gtest.h>
#include <string>

#include "mortise/base/expect.h"

namespace mortise::test {

/// What a call says about an argument that it cannot work with; "nothing" where it takes it.
template <typename Call>
std::string refusalOf(Call call) {
  try {
    call();
  } catch (const PreconditionError& error) {
    return error.message();
  }
  return "nothing";
}

/// Passes where a call throws `PreconditionError` with this message.
template <typename Call>
testing::AssertionResult refuses(Call call, const std::string& message) {
  const std::string found = refusalOf(call);
  if (found == message) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "says: " << found << "\ninstead of: " << message;
}

}  // namespace mortise::test
