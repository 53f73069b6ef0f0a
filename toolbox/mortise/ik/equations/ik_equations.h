#pragma once

/// Goals as equations r(x) = 0 over variables, evaluated on the part of the robot that they involve.

#include <memory>
#include <span>
#include <vector>

#include "mortise/ik/equations/ik_terms.h"
#include "mortise/ik/equations/ik_tree.h"

namespace mortise {

/// The variables that change what the terms ask about: those of joints between a link and what it is placed by, all of
/// those that carry mass for the center of mass. Indices into `variables`.
std::vector<int> relevantVariables(const Robot& robot, std::span<const IKVariable> variables,
                                   std::span<const IKTerm> terms);

/// Holds a workspace: one object a thread. Nothing allocates after construction, but what functions of one's own do.
/// Errors of rotations are rotation vectors, in world axes; their Jacobian is that of angular velocities, whose
/// gradient of |r|^2 is exact and which is exact where r is 0.
class IKEquations final : public ConstraintFunction {
 public:
  /// Throws `Error` for links that do not exist, directions and axes without length, links placed by themselves.
  IKEquations(RobotPtr robot, std::span<const IKTerm> terms, std::span<const IKVariable> variables);
  ~IKEquations() override;
  IKEquations(IKEquations&&) noexcept;
  IKEquations& operator=(IKEquations&&) noexcept;

  /// Other targets of the same links: as many terms, of the same kinds. Throws `Error` where they are not.
  void setTerms(std::span<const IKTerm> terms);

  int dimension() const override { return tree_.dimension(); }
  int size() const override { return size_; }
  /// The first equation of a term.
  int firstRow(int term) const { return rows_.at(static_cast<std::size_t>(term)); }

  /// Links that no variable moves stand as in q. Returns whether any stood elsewhere.
  bool setFixed(const VectorXd& q);
  /// Writes r at x, weighted.
  double residual(const double* x, double* r) override;
  void jacobian(double* J) override;

 private:
  using V3 = detail::V3;
  using M3 = detail::M3;
  struct Block;
  void addBlock(const IKTerm& term, std::span<const IKVariable> variables);
  void residualOf(Block& block, const double* x, double* r);
  void jacobianOf(const Block& block, double* J);
  void pointColumns(const Block& block, double* J);
  void turnColumns(const Block& block, double* J);

  RobotPtr robot_;
  detail::IKTree tree_;
  std::vector<Block> blocks_;
  std::vector<int> rows_, links_;  ///< Rows of terms; those that the tree knows.
  int size_ = 0;
  VectorXd q_;  ///< For functions of one's own.
  std::vector<IKVariable> variables_;
  Eigen::MatrixXd functionJ_;
};

}  // namespace mortise
