#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "mortise/collision/world_collider.h"
#include "mortise/planning/spaces/free_edges.h"
#include "robotsim/model/convert.h"
#include "robotsim/model/robot_model.h"
#include "robotsim/planning/robot_test.h"

namespace mortise::robotsim {

/// A `RobotCSpace` of which no program has changed what its methods do, for planners: asked without the way through
/// Python, with all pairs of shapes at once, as in `RobotSpace`. Bounds, masks, shapes and poses remain the program's,
/// which are read before each call of a planner (`refresh`). Answers are those of the space's tests.
class DirectSpace {
 public:
  /// The parts of the space that Python says.
  struct Parts {
    RobotModelPtr robot;
    std::vector<py::object> tests;  ///< Tests of the `RobotCSpace`: limits, pose, self collision, then the bodies.
    py::object collider;            ///< A `WorldCollider`, or None.
    int index = 0;                  ///< Index of the robot in the collider.
    py::object embedded;            ///< Weak: a space of the links `mapping` with the others at `xinit`; or None.
    bool samples = false;           ///< True if its samplers are Klamp't's, too.
  };
  /// Throws `py::value_error` where the tests are not those of a `RobotCSpace`.
  explicit DirectSpace(Parts parts);

  /// False: the collider has other shapes than the robot, so that the tests have to be asked one by one.
  bool refresh();
  bool usable() const { return usable_; }
  bool samples() const { return parts_.samples; }
  const std::vector<py::object>& tests() const { return parts_.tests; }
  int dimension() const { return mapping_.empty() ? parts_.robot->numLinks() : static_cast<int>(mapping_.size()); }

  bool feasible(const VectorXd& q);
  /// One of the tests, as a call in Python asks it.
  bool holds(int test, const VectorXd& q);
  /// In steps of `resolution` at most, far places first.
  bool visible(const VectorXd& a, const VectorXd& b, double resolution, std::int64_t& configurations);
  double distance(const VectorXd& a, const VectorXd& b) const;
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const;
  /// With the numbers of `random.random()`, in the order in which the methods in Python take them.
  void sample(VectorXd& q) const;
  void sampleNear(const VectorXd& center, double radius, VectorXd& q) const;
  /// Poses the robot, for functions of programs that look at it.
  void pose(const VectorXd& q);
  /// Adds what was asked since the last time to the counts of the tests.
  void count();

 private:
  /// The state of a shape when it was prepared.
  struct Seen {
    ShapePtr shape;
    int version = -1;
    bool operator==(const Seen&) const = default;
  };
  struct Body {
    py::object entry;  ///< Entry of the collider's list: (body, geometry). Null: it has no geometry.
    py::object number;
    Seen seen;
    int id = -1;
  };
  void lift(const VectorXd& q, VectorXd& full) const;
  void project(const VectorXd& full, VectorXd& q) const;
  void readCollider();
  bool readShapes();
  void rebuild();

  Parts parts_;
  std::vector<RobotTest*> tests_;
  bool usable_ = false;
  VectorXd low_, high_;       ///< Limits of the whole robot.
  std::vector<int> mapping_;  ///< Empty: all links move.
  VectorXd rest_;
  py::object random_;

  RobotPtr robot_;           ///< For which all of this was built.
  std::vector<Seen> links_;  ///< By link.
  std::vector<Body> bodies_;
  std::vector<char> pairs_;  ///< By link and body: whether they are tested.
  bool changed_ = true;      ///< Bodies or pairs are others than those that were built.
  std::optional<WorldCollisionState> state_;
  IdSelection everything_, own_;
  FreeEdges free_;

  mutable VectorXd fullA_, fullB_, full_;
  VectorXd between_;
  std::uint32_t asked_ = 0;
  double posed_ = 0, poseSeconds_ = 0, collisionSeconds_ = 0;
  std::vector<double> failed_;  ///< By test.
};

void bindDirectSpace(py::module_& m);

}  // namespace mortise::robotsim
