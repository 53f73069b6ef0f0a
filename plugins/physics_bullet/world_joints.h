#pragma once

#include <span>
#include <vector>

#include "mortise/component/physics.h"
#include "row_solver.h"

namespace mortise::bullet {

/// The joints between bodies of a world (`SceneConstraint`): blocks of the solver at rigid bodies and robots alike.
class WorldJoints {
 public:
  /// `ends` has an entry for each body; bodies are where the description puts them. Throws `Error` for an axis of
  /// length zero and limits that cross.
  WorldJoints(const SceneDescription& description, std::span<const RowEnd> ends);

  void addTo(RowSolver& solver, double h, double erp, double maxCorrectionSpeed);
  void finish(const RowSolver& solver, double h);
  void read(std::span<JointState> out) const;

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct State {
    double position = 0;  ///< Of A against B; angles count on over whole turns.
    double forces[6] = {};
    double friction = 0, stop = 0;  ///< Mean efforts of the last step.
  };
  struct Joint {
    SceneConstraint::Type type;
    const RowEnd *a, *b;
    RigidTransform X_AJ, X_BJ;  ///< In the bodies' frames at their centres of mass; the axis is x.
    double lower, upper, friction;
    int block = -1, axis = -1;  ///< In the solver, this step.
    Vector3d point, direction;  ///< Of the axis, this step.
    State state;
  };
  static RigidTransform pose(const RowEnd& end);
  bool limited(const Joint& joint) const;

  RowEnd world_;
  std::vector<Joint> joints_;
};

}  // namespace mortise::bullet
