#pragma once

#include <string>

#include "mortise/base/value.h"

namespace mortise {

/// Klamp't's .settings files: JSON with or without quotes around keys, with `:` or `=` after them, and with `;` or `,`
/// between entries. Throws `Error` with the position of what cannot be read.
Value parseKlamptText(const std::string& text, const std::string& file);
/// The same of a text that is a value itself: everything stands where the value does.
Value parseKlamptText(const Value& text);

}  // namespace mortise
