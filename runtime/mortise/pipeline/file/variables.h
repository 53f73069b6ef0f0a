#pragma once

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"

namespace mortise {

/// Replaces `${name}` in every string of `root` outside its key `variables`, by the variables that key holds. A string
/// that is one `${name}` and nothing else takes the variable's value with its type; elsewhere its text is put in.
/// `$${` stands for `${`. Variables may use each other. Unknown variables, cycles and unclosed braces go to
/// `diagnostics`, with the position of the string; a variable that nothing uses is a warning.
void expandVariables(Value& root, Diagnostics& diagnostics);

}  // namespace mortise
