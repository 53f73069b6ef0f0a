#pragma once

#include "mortise/base/value.h"

namespace mortise {

/// Gives a value, and everything in it, one position in a source.
inline void setPositions(Value& value, const SourcePosition& where) {
  value.setPosition(where);
  for (Value& item : value.items()) setPositions(item, where);
  for (Value::Entry& entry : value.entries()) {
    setPositions(entry.value, where);
    entry.keyPosition = where;
  }
}

}  // namespace mortise
