#pragma once

/// Linear programs over the forces at contacts. For the tests of this room; users want `equilibrium.h`.

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "mortise/mechanics/forces/contact_force_limits.h"
#include "mortise/mechanics/forces/friction_cone.h"
#include "mortise/optimization/linear_program.h"

namespace mortise {

/// A linear program with, among others, columns for forces: each along an edge of a contact's pyramid; for cones edges
/// are added where the last solution would gain by them, so that what comes out is right for the cones to 1e-8 (column
/// generation: Gilmore and Gomory, 1961).
class ContactProgram {
 public:
  /// `effect` of contact i: rows x 3, what a force there does to the rows. Bounds of `limits` get rows of their own
  /// below; `unit`: newton that a force of 1 of the program has.
  ContactProgram(int rows, std::span<const ContactPoint> contacts, const std::vector<Eigen::MatrixX3d>& effect,
                 int coneEdges, const ContactForceLimits& limits = {}, double unit = 1);

  LinearProgram& program() { return program_; }
  /// Returns a column other than forces, for `LinearProgram::addColumn`: zeros below `rows`.
  VectorXd column(const VectorXd& rows) const;
  /// The sum over all forces and other columns, `rows` numbers.
  void setRightSide(const VectorXd& rows);
  /// Sets the cost of a unit of each contact's force along its normal; for columns added from now on too.
  void setNormalCost(double cost);
  LinearProgramStatus solve();
  /// At each contact, in the units of the program.
  void forces(std::vector<Vector3d>& forces) const;

 private:
  struct Column {
    int column;
    std::size_t contact;
    Vector3d edge;
    bool added;  ///< Later than the first ones.
  };
  void add(std::size_t contact, const Vector3d& edge, bool later);
  bool addBetter(double normalCost);
  void forget();

  int rows_;
  std::vector<ContactPoint> contacts_;
  std::vector<Eigen::MatrixX3d> effect_;
  bool cones_;
  std::vector<double> offsets_;  ///< Along each normal, what robustness asks for.
  VectorXd offsetEffect_;        ///< Offset effect of all of them.
  double normalCost_ = 0;
  LinearProgram program_;
  std::vector<Column> columns_;
  std::size_t first_ = 0;  ///< Number that there were at first.
};

}  // namespace mortise
