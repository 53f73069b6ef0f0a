#pragma once

#include <string>
#include <utility>

#include "mortise/base/error.h"

namespace mortise {

/// The position of a whole file, or of an option such as "--set": a name without line and column.
inline SourcePosition inFile(std::string name) {
  SourcePosition where;
  where.file = std::move(name);
  return where;
}

}  // namespace mortise
