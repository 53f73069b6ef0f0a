#include "mortise/text/suggest.h"

#include <algorithm>

#include "mortise/text/normalize.h"

namespace mortise {

namespace {

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbors (Damerau, 1964).
/// Gives up, returning `limit + 1`, once the distance must exceed `limit`.
int editDistance(std::string_view a, std::string_view b, int limit) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  if (std::abs(n - m) > limit) return limit + 1;
  std::vector<int> twoBack(m + 1), previous(m + 1), row(m + 1);
  for (int j = 0; j <= m; ++j) previous[j] = j;
  for (int i = 1; i <= n; ++i) {
    row[0] = i;
    int best = i;
    for (int j = 1; j <= m; ++j) {
      const int cost = a[i - 1] != b[j - 1];
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], twoBack[j - 2] + 1);
      best = std::min(best, row[j]);
    }
    if (best > limit) return limit + 1;
    std::swap(twoBack, previous);
    std::swap(previous, row);
  }
  return previous[m];
}

/// Smaller is nearer; `kFar` when the candidate is no likely slip of `name`. Both are lower case.
constexpr int kFar = 1000;
int farness(std::string_view name, std::string_view candidate) {
  const int limit = std::clamp(static_cast<int>(name.size()) / 3, 1, 3);
  const int distance = editDistance(name, candidate, limit);
  // Replacing every letter is not a slip: "a" for "b" says nothing.
  if (distance <= limit && distance < static_cast<int>(std::max(name.size(), candidate.size()))) return distance;
  if (name.size() >= 2 && candidate.starts_with(name)) return limit + 1;
  if (candidate.size() >= 3 && name.starts_with(candidate)) return limit + 1;
  return kFar;
}

}  // namespace

std::string nearestName(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty()) return {};
  const std::string wanted = lowerCase(name);
  const std::string* nearest = nullptr;
  int nearestFarness = kFar;
  for (const std::string& candidate : candidates) {
    const std::string text = lowerCase(candidate);
    int value = farness(wanted, text);
    // "JointTracking" for "acme.JointTracking", and the other way round: the vendor part is easily forgotten.
    const auto dot = text.rfind('.'), wantedDot = wanted.rfind('.');
    if (dot != std::string::npos && wantedDot == std::string::npos)
      value = std::min(value, 1 + farness(wanted, std::string_view(text).substr(dot + 1)));
    if (dot == std::string::npos && wantedDot != std::string::npos && wantedDot + 1 < wanted.size())
      value = std::min(value, 1 + farness(std::string_view(wanted).substr(wantedDot + 1), text));
    if (value < nearestFarness) {
      nearestFarness = value;
      nearest = &candidate;
    }
  }
  return nearest ? *nearest : std::string();
}

std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearestName(name, candidates);
  return nearest.empty() ? std::string() : "did you mean '" + nearest + "'?";
}

std::string nameList(const std::vector<std::string>& names, std::size_t limit) {
  std::string text;
  const std::size_t shown = names.size() <= limit + 1 ? names.size() : limit;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

std::string listNames(const std::vector<std::string>& names, std::size_t limit) {
  return names.empty() ? "none available" : "available: " + nameList(names, limit);
}

std::string suggestFrom(std::string_view name, const std::vector<std::string>& names) {
  const std::string near = didYouMean(name, names);
  return near.empty() ? listNames(names) : near;
}

std::string suggestAndList(std::string_view name, const std::vector<std::string>& names) {
  const std::string near = didYouMean(name, names);
  return (near.empty() ? "" : near + " ") + listNames(names);
}

}  // namespace mortise
