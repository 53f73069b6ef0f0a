#include "mortise/timing/multipath/path_interpolation.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise {

const std::vector<std::string>& pathInterpolationNames() {
  static const std::vector<std::string> kNames = {"given", "linear", "cubic"};
  return kNames;
}

PathInterpolation pathInterpolation(std::string_view name) {
  const std::vector<std::string>& names = pathInterpolationNames();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error("there is no interpolation '" + std::string(name) + "'", {}, "choose one: " + listNames(names));
  return static_cast<PathInterpolation>(found - names.begin());
}

int evaluatePath(const MultiPath& path, double t, PathInterpolation interpolation, VectorXd& q, VectorXd& dq) {
  bool cubic = interpolation == PathInterpolation::cubic;
  if (interpolation == PathInterpolation::given) {
    const int section = path.sectionAt(t);
    cubic = section >= 0 && section < static_cast<int>(path.sections.size()) &&
            !path.sections[static_cast<std::size_t>(section)].velocities.empty();
  }
  return path.evaluate(t, cubic ? MultiPath::Interpolation::cubic : MultiPath::Interpolation::linear, q, dq);
}

PathInterpolation resolvedInterpolation(const MultiPath& path, PathInterpolation interpolation) {
  if (interpolation != PathInterpolation::given) return interpolation;
  const auto moving = std::count_if(path.sections.begin(), path.sections.end(),
                                    [](const MultiPath::Section& section) { return !section.velocities.empty(); });
  if (moving == 0) return PathInterpolation::linear;
  return moving == static_cast<std::ptrdiff_t>(path.sections.size()) ? PathInterpolation::cubic
                                                                     : PathInterpolation::given;
}

}  // namespace mortise
