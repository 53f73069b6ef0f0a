#include "mortise/pipeline/compare/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/text/text_table.h"

namespace mortise {

namespace {

using Indices = std::vector<std::size_t>;

constexpr std::array<const char*, 4> kReasons = {"chaotic", "step", "within_step", "engines"};

std::string shownDistance(double distance, const std::string& unit, int digits) {
  if (!std::isfinite(distance)) return "no finite number of " + unit;
  if (distance >= 0.1) return significant(distance, digits) + " " + unit;
  if (distance >= 1e-6) return significant(1000 * distance, digits) + " m" + unit;
  return "less than 0.001 m" + unit;
}

bool has(const Indices& list, std::size_t index) { return std::find(list.begin(), list.end(), index) != list.end(); }

/// The evidence with the questions that the reading asks of it.
class Judge {
 public:
  explicit Judge(const ComparisonEvidence& evidence) : e_(evidence) {
    result_.backends.resize(e_.backends.size());
    for (std::size_t i = 0; i < e_.backends.size(); ++i)
      if (isChaotic(i)) chaotic_.push_back(i);
  }

  ComparisonReading read() {
    const std::size_t n = e_.backends.size();
    if (n < 2)
      readSingle();
    else if (chaotic_.size() == n)
      readAllChaotic();
    else
      readSeveral(largestGroup(Indices(chaotic_)));
    return std::move(result_);
  }

 private:
  bool isChaotic(std::size_t i) const { return !e_.disturbed.empty() && e_.disturbed[i] > e_.bound; }
  double step(std::size_t i) const { return e_.step.empty() ? 0 : e_.step[i]; }
  double disturbed(std::size_t i) const { return e_.disturbed.empty() ? 0 : e_.disturbed[i]; }
  double explained(std::size_t a, std::size_t b) const { return 2 * (step(a) + step(b)) + disturbed(a) + disturbed(b); }
  bool agree(std::size_t a, std::size_t b) const {
    const double better = 4 * std::min(step(a), step(b)) + 2 * std::min(disturbed(a), disturbed(b));
    return e_.apart[a][b] <= std::max(e_.bound, better);
  }

  std::string distance(double length) const { return distanceText(length, e_.unit); }
  /// Returns a length with one digit: what is chaotic has no second one.
  std::string rough(double length) const { return shownDistance(length, e_.unit, 1); }
  const std::string& name(std::size_t i) const { return e_.backends[i]; }
  std::string names(const Indices& list) const {
    std::vector<std::string> all;
    for (const std::size_t i : list) all.push_back(name(i));
    return joinedNames(all);
  }
  /// "mujoco" of several, "the backends" of two.
  std::string pairName(std::size_t a, std::size_t b) const {
    return e_.backends.size() > 2 ? name(a) + " and " + name(b) : std::string("the backends");
  }

  void conclude(const std::string& verdict, std::string sentence) {
    result_.verdict = verdict;
    result_.sentence = std::move(sentence);
    for (BackendReading& each : result_.backends)
      if (each.verdict.empty()) each.verdict = verdict;
  }

  /// The most backends of which each two agree, `without` some; of equally many those that are nearest to each other.
  Indices largestGroup(const Indices& without) const {
    Indices best;
    double bestSpread = 0;
    for (std::size_t seed = 0; seed < e_.backends.size(); ++seed) {
      if (has(without, seed)) continue;
      Indices order, group = {seed};
      for (std::size_t i = 0; i < e_.backends.size(); ++i)
        if (i != seed && !has(without, i)) order.push_back(i);
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return e_.apart[seed][a] < e_.apart[seed][b]; });
      for (const std::size_t i : order)
        if (std::all_of(group.begin(), group.end(), [&](std::size_t member) { return agree(member, i); }))
          group.push_back(i);
      std::sort(group.begin(), group.end());
      const double spread = spreadOf(group);
      if (group.size() < best.size() || (group.size() == best.size() && !(spread < bestSpread))) continue;
      best = std::move(group);
      bestSpread = spread;
    }
    return best;
  }

  /// The largest distance between two of them.
  double spreadOf(const Indices& group) const {
    double largest = 0;
    for (const std::size_t a : group)
      for (const std::size_t b : group) largest = std::max(largest, e_.apart[a][b]);
    return largest;
  }

  /// The two that are farthest apart.
  std::pair<std::size_t, std::size_t> farthest(const Indices& group) const {
    std::pair<std::size_t, std::size_t> pair(group[0], group[1]);
    for (const std::size_t a : group)
      for (const std::size_t b : group)
        if (a < b && e_.apart[a][b] > e_.apart[pair.first][pair.second]) pair = {a, b};
    return pair;
  }

  void readSingle() {
    const std::string& backend = e_.backends.front();
    if (!chaotic_.empty()) return readAllChaotic();
    if (e_.step.empty()) return conclude("agree", "one backend, and no other step: nothing to compare with");
    const std::string moves = "halving the step moves it by " + distance(e_.step[0]) + " on " + backend;
    if (e_.step[0] > e_.bound) return conclude("step", moves + ": the step is too long for it");
    conclude("agree", "halving the step never moves it by more than " + distance(e_.bound));
  }

  void readAllChaotic() {
    const auto worst =
        static_cast<std::size_t>(std::max_element(e_.disturbed.begin(), e_.disturbed.end()) - e_.disturbed.begin());
    conclude("chaotic", "chaotic: a disturbance of " + formatReal(e_.disturbance) + " grows to " +
                            rough(e_.disturbed[worst]) + " on " + name(worst) +
                            (e_.backends.size() > 1 ? " and beyond " + distance(e_.bound) + " on all" : "") +
                            ": where it goes says nothing about a backend");
  }

  void readSeveral(const Indices& group) {
    const std::size_t n = e_.backends.size();
    if (group.size() == n) return readAgreement(group);
    if (group.size() >= 2 && 2 * group.size() > n) return readOutliers(group);
    for (std::size_t i = 0; i < n; ++i) {
      result_.backends[i].apart = *std::max_element(e_.apart[i].begin(), e_.apart[i].end());
      if (has(chaotic_, i)) result_.backends[i].verdict = "chaotic";
    }
    if (2 * chaotic_.size() >= n) return readMostlyChaotic();
    readDisagreement(group);
  }

  /// Backends that agree at a step may still be wrong together.
  void readAgreement(const Indices& all) {
    const auto [a, b] = farthest(all);
    const double apart = e_.apart[a][b];
    if (apart > e_.bound) return readPair(a, b, {});
    std::string sentence = "the backends agree: never more than " + distance(e_.bound) + " apart";
    if (!e_.step.empty()) {
      const auto worst = static_cast<std::size_t>(std::max_element(e_.step.begin(), e_.step.end()) - e_.step.begin());
      if (e_.step[worst] > e_.bound)
        sentence += ", though " + name(worst) + " moves by " + distance(e_.step[worst]) + " when its step is halved";
    }
    conclude("agree", std::move(sentence));
  }

  /// Reads two backends that differ by more than the bound.
  void readPair(std::size_t a, std::size_t b, const std::string& ofOthers) {
    const double apart = e_.apart[a][b];
    const std::string differ = pairName(a, b) + " differ by " + distance(apart);
    if (e_.step.empty())
      return conclude("engines", differ + "; how far each moves when its own step is halved was not asked" + ofOthers);
    if (apart <= std::max(step(a), step(b))) {
      const std::size_t mover = step(a) >= step(b) ? a : b;
      return conclude("step", differ + ", but " + name(mover) + " alone moves by " + distance(step(mover)) +
                                  " when its step is halved: the step decides, not the engine" + ofOthers);
    }
    if (apart <= explained(a, b))
      return conclude("within_step", "within the step's own error: " + differ + "; halving the step moves " + name(a) +
                                         " by " + distance(step(a)) + " and " + name(b) + " by " + distance(step(b)) +
                                         ofOthers);
    const std::string between = e_.backends.size() > 2 ? name(a) + " and " + name(b) + " by " : std::string();
    conclude("engines", "the engines differ: " + between + distance(apart - explained(a, b)) +
                            " beyond what step and disturbance explain (" + distance(apart) + " apart, " +
                            distance(explained(a, b)) + " explained)" + ofOthers);
  }

  /// Those that are not in the group which most are in.
  void readOutliers(const Indices& group) {
    const double spread = spreadOf(group);
    for (const std::size_t i : group) result_.backends[i].verdict = "agree";
    std::size_t worst = 0;
    std::string sentences;
    for (std::size_t i = 0; i < e_.backends.size(); ++i) {
      if (has(group, i)) continue;
      result_.against.push_back(i);
      const std::size_t nearest = *std::min_element(
          group.begin(), group.end(), [&](std::size_t a, std::size_t b) { return e_.apart[i][a] < e_.apart[i][b]; });
      const std::size_t reason = reasonOf(i, nearest);
      worst = std::max(worst, reason);
      result_.backends[i] = {kReasons[reason], e_.apart[i][nearest]};
      sentences += "; " + outlierText(i, nearest, reason, group);
    }
    const std::string agreement =
        names(group) + (spread <= e_.bound ? " agree within " + distance(e_.bound)
                                           : " agree within their steps' own error, " + distance(spread) + " apart");
    conclude(kReasons[worst], (worst == 3 ? "the engines differ: " : "") + agreement + sentences);
  }

  std::size_t reasonOf(std::size_t i, std::size_t nearest) const {
    if (isChaotic(i)) return 0;
    const double apart = e_.apart[i][nearest];
    if (e_.step.empty()) return 3;
    if (apart <= step(i)) return 1;
    return apart <= explained(i, nearest) ? 2 : 3;
  }

  std::string outlierText(std::size_t i, std::size_t nearest, std::size_t reason, const Indices& group) const {
    const double apart = e_.apart[i][nearest];
    const std::string from = name(i) + " is " + distance(apart) + " from them";
    switch (reason) {
      case 0: {
        double quiet = 0;
        for (const std::size_t member : group) quiet = std::max(quiet, disturbed(member));
        const std::string grows = "a disturbance of " + formatReal(e_.disturbance) + " grows to " +
                                  rough(e_.disturbed[i]) + " on " + name(i) + " and to " + distance(quiet) +
                                  " at most on them";
        return apart > e_.bound ? from + ": " + grows : grows;
      }
      case 1:
        return from + " and moves by " + distance(step(i)) + " when its step is halved: its step is too long for it";
      case 2:
        return from + ", within the error of its step: halving it moves it by " + distance(step(i));
      default:
        if (e_.step.empty()) return from + "; how far each moves when its own step is halved was not asked";
        return from + ", " + distance(apart - explained(i, nearest)) + " beyond what step and disturbance explain";
    }
  }

  void readMostlyChaotic() {
    Indices quiet;
    for (std::size_t i = 0; i < e_.backends.size(); ++i)
      if (!has(chaotic_, i)) quiet.push_back(i);
    const std::size_t worst = *std::max_element(chaotic_.begin(), chaotic_.end(), [&](std::size_t a, std::size_t b) {
      return e_.disturbed[a] < e_.disturbed[b];
    });
    double maximum = 0;
    for (const std::size_t i : quiet) maximum = std::max(maximum, e_.disturbed[i]);
    const std::string where = chaotic_.size() > 1 ? "on " + name(worst) : std::string("there");
    const std::string apart =
        e_.backends.size() == 2 ? "; the backends are " + distance(e_.apart[0][1]) + " apart" : std::string();
    conclude("chaotic", "chaotic on " + names(chaotic_) + ": a disturbance of " + formatReal(e_.disturbance) +
                            " grows to " + rough(e_.disturbed[worst]) + " " + where + ", but to " + distance(maximum) +
                            " at most on " + names(quiet) + apart);
  }

  /// No majority: who agrees with whom, and the two of the quiet ones that are farthest beyond what they explain.
  void readDisagreement(const Indices& first) {
    Indices quiet;
    for (std::size_t i = 0; i < e_.backends.size(); ++i)
      if (!has(chaotic_, i)) quiet.push_back(i);
    std::string others;
    if (e_.backends.size() > 2) {
      Indices placed = chaotic_, alone;
      for (Indices group = first; !group.empty(); group = largestGroup(placed)) {
        placed.insert(placed.end(), group.begin(), group.end());
        if (group.size() == 1)
          alone.push_back(group.front());
        else
          others += "; " + names(group) + " agree with each other";
      }
      if (!alone.empty()) others += "; " + names(alone) + (alone.size() == 1 ? " agrees" : " agree") + " with none";
      if (!chaotic_.empty()) others += "; chaotic on " + names(chaotic_);
    }
    auto [a, b] = farthest(quiet);
    // A pair that is far apart because of its steps does not excuse one that is not.
    double maximum = 0;
    for (const std::size_t i : quiet)
      for (const std::size_t j : quiet)
        if (const double beyond = e_.apart[i][j] - explained(i, j); i < j && beyond > maximum && !agree(i, j)) {
          maximum = beyond;
          a = i;
          b = j;
        }
    readPair(a, b, others);
  }

  const ComparisonEvidence& e_;
  ComparisonReading result_;
  Indices chaotic_;
};

}  // namespace

std::string distanceText(double distance, const std::string& unit) { return shownDistance(distance, unit, 2); }

std::string joinedNames(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

ComparisonReading readComparison(const ComparisonEvidence& evidence) { return Judge(evidence).read(); }

}  // namespace mortise
