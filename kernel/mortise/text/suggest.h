#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mortise {

/// The candidate nearest to `name` (case-insensitive Damerau-Levenshtein), or empty when none is near
/// enough to be a likely slip. Ties go to the first candidate.
std::string nearestName(std::string_view name, const std::vector<std::string>& candidates);

/// "a, b, c", with at most `limit` names and the number of those left out.
std::string nameList(const std::vector<std::string>& names, std::size_t limit = 20);

/// "did you mean 'x'?" or "", and "available: a, b, c" with at most `limit` names.
std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates);
std::string listNames(const std::vector<std::string>& names, std::size_t limit = 20);

/// The hint for an unknown name: the nearest of `names`, or their list when none is near. `suggestAndList` gives both.
std::string suggestFrom(std::string_view name, const std::vector<std::string>& names);
std::string suggestAndList(std::string_view name, const std::vector<std::string>& names);

}  // namespace mortise
