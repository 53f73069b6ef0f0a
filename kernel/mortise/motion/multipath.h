#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mortise/contact/hold.h"
#include "mortise/math/transform.h"

namespace mortise {

/// Configurations without times; what `.configs` files hold. They may differ in length.
struct ConfigurationList {
  std::vector<VectorXd> configurations;
};

/// A motion in sections, each with the constraints that hold during it: Klamp't's MultiPath. Either all sections have
/// times or none; without them the path goes from 0 to 1, and all sections take equally long.
struct MultiPath {
  using Settings = std::vector<std::pair<std::string, std::string>>;  ///< Notes of programs, in the file's order.

  struct Section {
    Settings settings;
    std::vector<VectorXd> milestones;  ///< At least two, all of one length.
    std::vector<double> times;         ///< Seconds, never decreasing; one a milestone, or none.
    std::vector<VectorXd> velocities;  ///< One a milestone, or none.
    std::vector<IKGoal> goals;
    std::vector<Hold> holds;
    // Holds of the whole path, by index and by name.
    std::vector<int> holdIndices;
    std::vector<std::string> holdNames;
  };

  struct NamedHold {
    std::string name;  ///< May be empty.
    Hold hold;
  };

  enum class Interpolation {
    linear,
    /// Hermite where there are velocities; elsewhere tangents are half the way between neighbors (Catmull-Rom,
    /// regardless of times; as at the ends in Klamp't, the quadratic through the other tangent).
    cubic
  };

  Settings settings;
  std::vector<Section> sections;
  std::vector<NamedHold> holds;

  bool empty() const { return sections.empty(); }
  bool timed() const { return !sections.empty() && !sections.front().times.empty(); }
  double startTime() const;
  double endTime() const;
  double duration() const { return endTime() - startTime(); }
  /// Degrees of freedom: the length of the first milestone, 0 for an empty path.
  Eigen::Index dimension() const;

  /// Says whether each section begins where and when the one before ends, velocities too (none count as zero).
  bool continuous(double tolerance = 1e-6) const;

  /// The section at `t`: -1 before the start, `sections.size()` after the end (and at the end, when there are times).
  int sectionAt(double t) const;

  /// Position and velocity (per second, or per unit of the path without times); held constant outside. Returns
  /// `sectionAt(t)`. Sizes must match already; allocates nothing. The path must be what `problem` finds nothing wrong
  /// with.
  int evaluate(double t, Interpolation interpolation, VectorXd& q, VectorXd& dq) const;

  /// Everything that holds in a section: its own goals and those of its holds, here and in the whole path.
  std::vector<IKGoal> goalsOf(std::size_t section) const;
  std::vector<Hold> holdsOf(std::size_t section) const;

  /// Describes what is wrong with the numbers of milestones, times, velocities and with references to holds, in words;
  /// empty when all is well.
  std::string problem() const;
};

}  // namespace mortise
