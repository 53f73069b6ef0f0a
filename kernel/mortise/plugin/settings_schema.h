#pragma once

#include "mortise/base/schema.h"

namespace mortise {

/// What the settings struct `S` accepts, with the values of `defaults` as defaults. Defined in
/// `mortise/settings/settings.h`, which files that declare such structs include.
template <typename S>
Schema schemaOf(S defaults = S());

}  // namespace mortise
