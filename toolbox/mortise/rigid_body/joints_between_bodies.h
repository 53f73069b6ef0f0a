#pragma once

#include <span>
#include <vector>

#include "mortise/component/physics.h"
#include "mortise/dynamics/scene_bodies.h"
#include "mortise/rigid_body/row_solver.h"

namespace mortise::rigid {

/// Joints between bodies of a world (`SceneConstraint`) as blocks of the solver, at rigid bodies and robots alike.
class JointsBetweenBodies {
 public:
  /// `ends` has an entry for each body; bodies are where the description puts them. Throws `Error` for an axis of
  /// length zero and limits that cross.
  JointsBetweenBodies(const SceneDescription& description, std::span<const SolverBody> ends);

  void addTo(RowSolver& solver, double h, double erp, double maxCorrectionSpeed);
  void finish(const RowSolver& solver, double h);
  void read(std::span<JointState> out) const;

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct State {
    double position = 0;  ///< Position of A against B; angles count on over whole turns.
    double forces[6] = {};
    double all = 0, dry = 0, stop = 0;  ///< Mean efforts along the axis in the last step.
  };
  struct Joint {
    SceneConstraint::Type type = SceneConstraint::Type::fixed;
    const SolverBody *a = nullptr, *b = nullptr;
    RigidTransform X_AJ, X_BJ;  ///< In the bodies' frames at their centers of mass; the axis is x.
    double lower = 0, upper = 0;
    double friction = 0;        ///< Dry, N*m or N.
    int block = -1, axis = -1;  ///< In the solver, this step.
    State state;
  };
  static RigidTransform pose(const SolverBody& end);
  static double positionOf(const Joint& joint, const RigidTransform& X_WJa, const RigidTransform& X_WJb);
  static JointState stateOf(const Joint& joint);
  static bool hasAxis(const Joint& joint);

  SolverBody world_;
  std::vector<Joint> joints_;
};

}  // namespace mortise::rigid
