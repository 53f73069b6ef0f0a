#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mortise {

/// Reads "0.2 m", "1 ms", "90deg", "500 Hz" or a plain number into SI units of the dimension of `unit`
/// (an SI unit name such as "s", "rad", "N*m"). A plain number is taken to be in `unit` already. Returns
/// nothing and fills `problem` with what is wrong ("unit 'kg' is not a time; use s, ms, us, min, h").
std::optional<double> parseQuantity(std::string_view text, std::string_view unit, std::string& problem);

}  // namespace mortise
