#pragma once

/// The set of a robot's configurations: what lies between two of them, how far apart they are, how to walk and to
/// sample in it. A joint decides how its links count: a spin joint goes round the circle, the rotations of floating
/// and ball-and-socket joints go along great circles of SO(3), everything else is a straight line.

#include <vector>

#include "mortise/base/random.h"
#include "mortise/model/robot.h"

namespace mortise {

struct ConfigurationDistanceOptions {
  /// 1: sum of the joints' distances; 2: root of the sum of squares; infinite: the largest.
  double norm = 2;
  /// Meters that count as much as one radian of a floating, floating planar or ball-and-socket joint's rotation.
  double rotationWeight = 1;
  /// One factor a link, at least 0; empty: all 1. A rotation takes the weight of its joint's last link.
  VectorXd weights = {};
};

struct SampleOptions {
  /// Coordinates without limits follow a Laplace distribution about 0 of this scale (m or rad); with one limit, they
  /// lie beyond it with this mean distance.
  double unboundedScale = 1;
};

/// Holds what follows from the robot; any number of threads may share one. Vectors have one entry a link, and outputs
/// are resized where they have not. Nothing else allocates. An output may be one of the inputs.
class ConfigurationSpace {
 public:
  explicit ConfigurationSpace(RobotPtr robot);

  const Robot& robot() const { return *robot_; }

  /// The configuration at fraction `u` of the way from `a` (0) to `b` (1); other u go on along the same line. Angles
  /// of spin joints and of rotations come out in [0, 2 pi), the middle angle of a rotation in [-pi/2, pi/2].
  /// Coordinates of welds go straight like any other; usually they are equal.
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const;
  /// d/du of `interpolate`: for u = 0 the step that leads from `a` towards `b`; 0 for welds, which do not move. At the
  /// singular position of a rotation (middle angle +-pi/2) the rates that come nearest in the sense of least squares.
  void velocity(const VectorXd& a, const VectorXd& b, double u, VectorXd& dq) const;
  /// The configuration reached from `q` after unit time at the velocity that `dq` is at `q`; rotations keep their
  /// angular velocity. `integrate(a, velocity(a, b, 0))` is `b` up to turns.
  void integrate(const VectorXd& q, const VectorXd& dq, VectorXd& result) const;
  /// Length of the way from `a` to `b`. Welds do not count.
  double distance(const VectorXd& a, const VectorXd& b, const ConfigurationDistanceOptions& options = {}) const;

  /// The same placement with angles in the ranges of `interpolate`.
  void normalize(VectorXd& q) const;
  /// Says whether every link is within its position limits, to `tolerance`. Angles of spin joints count with whole
  /// turns added or taken away.
  bool withinLimits(const VectorXd& q, double tolerance = 1e-9) const;

  /// Uniform within the limits. Spin joints without limits of less than a turn: uniform on the circle. Rotations:
  /// uniform over SO(3) (Shoemake, 1992), unless an angle is limited to less than a turn; then each angle is uniform.
  /// Drivers that move several links keep them together: the links of an affine driver follow from one value. Welds
  /// keep the value of the robot's initial configuration.
  void sample(RandomStream& random, VectorXd& q, const SampleOptions& options = {}) const;

 private:
  enum class Space { weld, line, circle, rotation };
  /// Links that count as one: a rotation has three of them, everything else one.
  struct Part {
    Space space = Space::line;
    int links[3] = {-1, -1, -1};
    bool ofChain = false;  ///< Rotates a floating, planar or ball-and-socket joint.
  };

  void addChain(const Joint& joint, std::vector<char>& taken);
  double sampleLink(RandomStream& random, const Link& link, const SampleOptions& options) const;

  RobotPtr robot_;
  std::vector<Part> parts_;
};

}  // namespace mortise
