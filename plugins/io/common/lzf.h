#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mortise::io {

/// Expands LibLZF data. Empty when it is damaged or does not give exactly `size` bytes; never allocates more than what
/// the input could expand to.
std::optional<std::string> expandLzf(std::string_view input, std::size_t size);

}  // namespace mortise::io
