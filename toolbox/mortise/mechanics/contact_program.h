#pragma once

/// Linear programs over the forces at contacts. For the tests of this room; users want `equilibrium.h`.

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "mortise/mechanics/friction_cone.h"
#include "mortise/optimization/linear_program.h"

namespace mortise {

/// A linear program with, among others, columns for forces: each along an edge of a contact's pyramid; for cones edges
/// are added where the last solution would gain by them, so that what comes out is right for the cones to 1e-8 (column
/// generation: Gilmore and Gomory, 1961).
class ContactProgram {
 public:
  /// `effect` of contact i: rows x 3, what a force there does to the rows.
  ContactProgram(int rows, std::span<const ContactPoint> contacts, const std::vector<Eigen::MatrixX3d>& effect,
                 int coneEdges);

  LinearProgram& program() { return program_; }
  /// What a unit of each contact's force along its normal costs; for columns added from now on too.
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

  std::vector<ContactPoint> contacts_;
  std::vector<Eigen::MatrixX3d> effect_;
  bool cones_;
  double normalCost_ = 0;
  LinearProgram program_;
  std::vector<Column> columns_;
  std::size_t first_ = 0;  ///< How many there were at first.
};

}  // namespace mortise
