#pragma once

/// The bodies of a scene and the joints between them, as trees, and the solution of all their equations of a step in
/// time proportional to their number.
///
/// The unknowns are the velocities of all bodies at the end of the step (maximal coordinates, as ODE's): momentum
/// changes by what gravity, forces and joints do, joints allow one speed along their axis, correct the position error
/// that they have, and carry the effort of an `AxisLaw`. Eliminating each body from the tips to the roots leaves no
/// fill-in (the articulated-body algorithm: Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapter 7, at the
/// level of velocities).

#include <vector>

#include "direct/axis_law.h"
#include "mortise/math/transform.h"

namespace mortise::ode {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// A joint at the start of a step; motion is that of the child against the parent.
struct JointNow {
  enum class Type { revolute, prismatic, fixed } type = Type::fixed;
  Vector3d point = Vector3d::Zero();  ///< World: through which forces pass.
  Vector3d axis = Vector3d::UnitZ();
  Vector3d w_bias = Vector3d::Zero();  ///< Speeds that correct position errors, none along the axis.
  Vector3d v_bias = Vector3d::Zero();
};

class ArticulatedForest {
 public:
  struct Edge {
    int parent = -1, child = -1;  ///< Bodies; -1: the world.
  };

  /// `mobile` says which bodies forces can move; the others are boundary. Returns false when joints form a loop, also
  /// by way of the boundary; the forest is no good then.
  bool build(const std::vector<bool>& mobile, const std::vector<Edge>& edges);

  int numBodies() const { return static_cast<int>(treeOf_.size()); }
  int numEdges() const { return static_cast<int>(joints_.size()); }
  int numTrees() const { return static_cast<int>(trees_.size()); }
  /// Tree of a body; -1 for boundary and for bodies that take no part.
  int treeOf(int body) const { return treeOf_[body]; }
  /// Lets a mobile body without joints take part or not (then it is boundary).
  void setActive(int body, bool active);
  bool active(int tree) const { return trees_[tree].active; }

  // Each step: all joints, all bodies, then `factor` and `solve`.

  void setJoint(int edge, const JointNow& now) { joints_[edge].now = now; }
  AxisLaw& law(int edge) { return joints_[edge].law; }
  const AxisLaw& law(int edge) const { return joints_[edge].law; }
  /// Inertia about the center of mass in world axes; `angular` and `linear` are the momentum that the body would have
  /// at the end of the step without joints, about the center of mass.
  void setBody(int body, const Vector3d& com, double mass, const Matrix3d& inertia, const Vector3d& angular,
               const Vector3d& linear);
  /// Of boundary bodies that carry joints; the velocity is that of `com`.
  void setBoundary(int body, const Vector3d& com, const Vector3d& w, const Vector3d& v);
  /// Bodies' reference points follow from joints: call after the joints and bodies are set.
  void begin(double h);

  /// With the laws' present pieces, all trees or one.
  void factor(int tree);
  /// Velocities of all bodies of a tree without contacts but with `addImpulse`s so far.
  void solve(int tree);
  /// Adds an impulse (angular about the reference point, linear) to a body, which the next `solve` or `respond` feels.
  void addImpulse(int body, const Vector6& impulse) { nodes_[nodeOf_[body]].impulse += impulse; }
  /// Speed of a joint as last solved.
  double speed(int edge) const { return joints_[edge].speed; }
  /// Lets laws of a tree follow the speeds. Returns whether any did.
  bool followLaws(int tree);

  /// Velocity (w, v of the reference point).
  const Vector6& velocity(int body) const { return nodes_[nodeOf_[body]].velocity; }
  const Vector3d& reference(int body) const { return nodes_[nodeOf_[body]].reference; }
  Vector3d comVelocity(int body) const;

  /// How velocities of `bodies` (all of one tree) answer to impulses on them: column-major, 6 n x 6 n, symmetric.
  void response(int tree, const std::vector<int>& bodies, double* out);

 private:
  struct Joint {
    JointNow now;
    AxisLaw law;
    double speed = 0;
    int node = -1;
    double sign = 1;  ///< -1: the tree runs from the joint's child to its parent.
  };
  struct Node {
    int body = -1, parent = -1, edge = -1, boundary = -1, tree = -1;
    bool hasAxis = false;
    Vector3d reference, com, arm;  ///< `arm`: from the parent's reference to ours.
    Matrix6 own, inertia;          ///< Of the body, and with what hangs on it.
    Vector6 momentum, impulse, bias, axis, U, velocity, carried;
    double inverse = 0;  ///< Of the inertia along the axis.
    Matrix6 rootInverse;
    double mass = 0;
    Matrix3d comInertia;
    Vector3d angular, linear;
  };
  struct Boundary {
    Vector3d com = Vector3d::Zero(), w = Vector3d::Zero(), v = Vector3d::Zero();
  };
  struct Tree {
    int first = 0, count = 0;  ///< Nodes, parents first.
    bool active = true;
  };

  std::vector<Node, Eigen::aligned_allocator<Node>> nodes_;
  std::vector<Joint> joints_;
  std::vector<Tree> trees_;
  std::vector<int> nodeOf_, treeOf_;
  std::vector<Boundary> boundaries_;
  double h_ = 0;
  // Work space.
  std::vector<char> marked_;
  std::vector<Matrix6, Eigen::aligned_allocator<Matrix6>> columns_;
  std::vector<Eigen::Matrix<double, 1, 6>, Eigen::aligned_allocator<Eigen::Matrix<double, 1, 6>>> along_;
};

}  // namespace mortise::ode
