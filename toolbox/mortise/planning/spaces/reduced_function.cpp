#include "mortise/planning/spaces/reduced_function.h"

#include "mortise/base/expect.h"

namespace mortise {

ReducedMap::ReducedMap(const MotionSpace& space) : dimension(space.dimension()) {
  VectorXd whole;
  const VectorXd zero = VectorXd::Zero(dimension);
  space.lift(zero, base);
  for (int c = 0; c < dimension; ++c) {
    space.lift(VectorXd::Unit(dimension, c), whole);
    for (Eigen::Index i = 0; i < base.size(); ++i)
      if (whole[i] != base[i]) terms.push_back({static_cast<int>(i), c, whole[i] - base[i]});
  }
}

void ReducedMap::lift(const VectorXd& q, VectorXd& whole) const {
  MORTISE_REQUIRE_SIZE(q, dimension, "one for each coordinate");
  whole = base;
  for (const Term& term : terms) whole[term.link] += term.scale * q[term.coordinate];
}

void ReducedMap::reduceColumns(const Eigen::MatrixXd& J, Eigen::MatrixXd& reduced) const {
  MORTISE_REQUIRE(J.cols() == base.size(),
                  "the Jacobian must have one column for each number of a whole configuration");
  reduced.setZero(J.rows(), dimension);
  for (const Term& term : terms) reduced.col(term.coordinate) += term.scale * J.col(term.link);
}

void ReducedFunction::evaluate(const VectorXd& q, VectorXd& r, Eigen::MatrixXd* J) {
  map_.lift(q, whole_);
  if (J == nullptr) {
    function_.evaluate(whole_, r, nullptr);
    return;
  }
  J_.resize(function_.size(), function_.dimension());
  function_.evaluate(whole_, r, &J_);
  map_.reduceColumns(J_, *J);
}

}  // namespace mortise
