#pragma once

#include <string>

#include "mortise/base/error.h"

namespace mortise::test {

/// The text of the `Error` that a call throws; empty when it throws none.
template <typename Call>
std::string errorText(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace mortise::test
