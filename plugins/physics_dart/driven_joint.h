#pragma once

#include "engine.h"

namespace mortise::dart {

/// A joint of DART's with one degree of freedom whose spring and damper constraints feel. DART's forward dynamics takes
/// them implicitly, as inertia h D + h^2 K along the joint; the impulses of contacts, stops and friction act on the
/// inertia without it, and what they do to the joint then leaves the spring's effort as it was. Here both have it, so
/// that M (v - v0) = h (forces + spring and damper at the end of the step) + impulses.
template <typename Base>
class DrivenJoint final : public Base {
 public:
  using Properties = typename Base::Properties;
  explicit DrivenJoint(const Properties& properties) : Base(properties) {}

 protected:
  using OneCoordinate = dyn::GenericJoint<::dart::math::R1Space>;
  void updateInvProjArtInertia(const Eigen::Matrix<double, 6, 6>& inertia) override {
    const double h = this->getSkeleton()->getTimeStep();
    const Eigen::Matrix<double, 6, 1> axis = this->OneCoordinate::getRelativeJacobianStatic();
    const double along = axis.dot(inertia * axis);
    this->mInvProjArtInertia(0, 0) =
        1 / (along + h * this->getDampingCoefficient(0) + h * h * this->getSpringStiffness(0));
  }
};

}  // namespace mortise::dart
