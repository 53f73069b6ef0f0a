#pragma once

#include <string>
#include <vector>

namespace mortise::docs {

struct Comparison {
  bool same = true;
  std::string difference;  ///< Where they part; empty when they do not.
};

/// Compares what a page shows with what a command printed. "..." stands for what is left out. What depends on the
/// machine or the moment is not compared: wall times, speeds, hashes, versions. Numbers are the same when they differ
/// by a thousandth or by one in the last digit shown; with `numbersVary` whatever they are.
Comparison compare(const std::vector<std::string>& shown, const std::vector<std::string>& printed, bool numbersVary);

/// `shown` with its lines replaced by those printed that say the same but for numbers, what is left out staying so;
/// without
/// "...", all that was printed.
std::vector<std::string> updated(const std::vector<std::string>& shown, const std::vector<std::string>& printed);

}  // namespace mortise::docs
