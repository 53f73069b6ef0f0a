#include "mortise/pipeline/compare/reading.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/pipeline/text_table.h"

namespace mortise {

namespace {

std::string shownDistance(double distance, const std::string& unit, int digits) {
  if (!std::isfinite(distance)) return "no finite number of " + unit;
  if (distance >= 0.1) return significant(distance, digits) + " " + unit;
  if (distance >= 1e-6) return significant(1000 * distance, digits) + " m" + unit;
  return "less than 0.001 m" + unit;
}

/// What is chaotic has no second digit.
std::string roughText(double distance, const std::string& unit) { return shownDistance(distance, unit, 1); }

std::size_t largest(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

/// Backends that agree at a step may still be wrong together.
ComparisonReading readAgreement(const ComparisonEvidence& e) {
  const std::string agree = "the backends agree: never more than " + distanceText(e.bound, e.unit) + " apart";
  if (e.step.empty()) return {"agree", agree};
  const std::size_t worst = largest(e.step);
  if (e.step[worst] <= e.bound) return {"agree", agree};
  return {"agree", agree + ", though " + e.backends[worst] + " moves by " + distanceText(e.step[worst], e.unit) +
                       " when its step is halved"};
}

ComparisonReading readSingle(const ComparisonEvidence& e) {
  const std::string& backend = e.backends.front();
  if (e.step.empty()) return {"agree", "one backend, and no other step: nothing to compare with"};
  const std::string moves = "halving the step moves it by " + distanceText(e.step[0], e.unit) + " on " + backend;
  if (e.step[0] > e.bound) return {"step", moves + ": the step is too long for it"};
  return {"agree", "halving the step never moves it by more than " + distanceText(e.bound, e.unit)};
}

}  // namespace

std::string distanceText(double distance, const std::string& unit) { return shownDistance(distance, unit, 2); }

ComparisonReading readComparison(const ComparisonEvidence& e) {
  if (!e.disturbed.empty()) {
    const std::size_t worst = largest(e.disturbed);
    if (e.disturbed[worst] > e.bound)
      return {"chaotic", "chaotic: a disturbance of " + formatReal(e.disturbance) + " grows to " +
                             roughText(e.disturbed[worst], e.unit) + " on " + e.backends[worst] +
                             ": where it goes says nothing about a backend"};
  }
  if (e.backends.size() < 2) return readSingle(e);
  const std::size_t other = largest(e.apart);
  const double apart = e.apart[other];
  if (apart <= e.bound) return readAgreement(e);
  const std::string &first = e.backends.front(), &second = e.backends[other];
  const std::string differ = (e.backends.size() > 2 ? first + " and " + second : std::string("the backends")) +
                             " differ by " + distanceText(apart, e.unit);
  if (e.step.empty()) return {"engines", differ + "; how far each moves when its own step is halved was not asked"};
  const double ofFirst = e.step.front(), ofSecond = e.step[other];
  if (apart <= std::max(ofFirst, ofSecond)) {
    const bool one = ofFirst >= ofSecond;
    return {"step", differ + ", but " + (one ? first : second) + " alone moves by " +
                        distanceText(one ? ofFirst : ofSecond, e.unit) +
                        " when its step is halved: the step decides, not the engine"};
  }
  double explained = 2 * (ofFirst + ofSecond);
  if (!e.disturbed.empty()) explained += e.disturbed.front() + e.disturbed[other];
  if (apart <= explained)
    return {"within_step", "within the step's own error: " + differ + "; halving the step moves " + first + " by " +
                               distanceText(ofFirst, e.unit) + " and " + second + " by " +
                               distanceText(ofSecond, e.unit)};
  return {"engines", "the engines differ: " + distanceText(apart - explained, e.unit) +
                         " beyond what step and disturbance explain (" + distanceText(apart, e.unit) + " apart, " +
                         distanceText(explained, e.unit) + " explained)"};
}

}  // namespace mortise
